"""Several possible tiles or tokens side by side, each as the board would look with it."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from bot.engine.data.actions import LayTile, PlaceToken
from bot.engine.ids import HexId
from bot.engine.play.game import Game
from bot.engine.words.text import action_of, text_of
from bot.render.shapes.alt import cut
from bot.render.shapes.colours import INK
from bot.render.shapes.scene import Placed, Scene, Shape, Words
from bot.render.shapes.seen import view_of
from bot.render.spaces.canvas import MARGIN, Canvas

from .map import near, outlines, spaces

CHOICE_SIDE = 74.0
CAPTION = 34.0
MOST_CHOICES = 12
ACROSS = 3


def choice_scene(game: Game, texts: Sequence[str]) -> Scene:
    """Every move (a tile or a token in its exact text form) on a piece of map of its own, with its words below; before them
    what stands before a tab, which numbers it.

    :raises Refusal: one of them is not legal.
    """
    lines = [text.rpartition("\t") for text in texts[:MOST_CHOICES]]
    actions = [action_of(game.title, text) for _, _, text in lines]
    placed: list[Placed] = []
    over: list[Shape] = []
    width = height = 0.0
    for number, action in enumerate(actions):
        after = game.copy()
        after.apply(action)
        view = view_of(after)
        changed = [action.hex] if isinstance(action, LayTile | PlaceToken) else list[HexId]()
        canvas = Canvas(view.land.map, CHOICE_SIDE, near(view, changed))
        left = (number % ACROSS) * canvas.width
        top = (number // ACROSS) * (canvas.height - canvas.head + CAPTION) - canvas.head
        placed += spaces(view, canvas, outlines(canvas, changed, (left, top)), (left, top))
        words = text_of(action).split(" ", 1)[1]
        words = f"{lines[number][0]}: {words}" if lines[number][0] else words
        bottom = top + canvas.height + CAPTION / 2 - MARGIN / 3
        over.append(Words("choice", (left + canvas.width / 2, bottom), words, 24, INK, bold=True))
        width, height = max(width, left + canvas.width), max(height, top + canvas.height + CAPTION)
    alt = cut(
        [
            "Possible moves, each drawn on a piece of the map:",
            *(text.replace("\t", ": ") for text in texts[:MOST_CHOICES]),
        ]
    )
    return Scene("choices", ceil(width), ceil(height), alt, (), tuple(placed), tuple(over))

"""Several possible tiles or tokens side by side, each as the board would look with it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import ceil

from bot.engine import HexId
from bot.engine.notation import format_action, parse_action
from bot.engine.play import Game
from bot.engine.state import Action, LayTile, PlaceToken
from bot.i18n import tr
from bot.render.hexes.canvas import MARGIN, Canvas
from bot.render.shapes import INK, PlacedSprite, Scene, Shape, Text, size_to_fit
from bot.render.shapes.alt_text import truncate_alt_text
from bot.render.shapes.hex_view import BoardView, view_of

from .map import hex_sprites, neighbourhood, outlines

CHOICE_SIDE = 74.0
CAPTION, WORDS, PHONE_WORDS = 1.4, 24.0, 0.025
"""The room of the words below a piece, in parts of their size; their size, and how large they are at least as a part of the
width, so that a phone which shows 550 pixels shows them 13 high."""

MOST_CHOICES = 12
ACROSS = 3
TAB = "\t"


def format_exits(game: Game, action: Action) -> str:
    """The places that a tile's track leads to, as words after the move: ` (to H9, H11)`."""
    if not isinstance(action, LayTile):
        return ""
    spaces = game.board_rules.map.neighbours_across(
        action.hex, game.board_rules.tiles[action.tile].rotate(action.rotation).exits
    )
    return f" ({tr('to {spaces}', ', '.join(spaces))})" if spaces else ""


def choice_scene(game: Game, texts: Sequence[str]) -> Scene:
    """Every move (a tile or a token in its exact text form) on a piece of map of its own, with its words below; before them
    what stands before a tab, which numbers it.

    :raises Rejected: one of them is not legal.
    """
    lines = [text.rpartition("\t") for text in texts[:MOST_CHOICES]]
    actions = [parse_action(game.title, text) for _, _, text in lines]
    pieces = [_piece(game, action) for action in actions]
    columns = [[canvas.width for _, canvas, _ in pieces[column::ACROSS]] for column in range(ACROSS)]
    lefts = list(accumulate((max(widths, default=0) for widths in columns), initial=0))
    rows = [pieces[first : first + ACROSS] for first in range(0, len(pieces), ACROSS)]
    size = max(WORDS, PHONE_WORDS * lefts[-1])
    highs = (max(canvas.height - canvas.head for _, canvas, _ in row) + CAPTION * size for row in rows)
    tops = list(accumulate(highs, initial=0.0))
    placed: list[PlacedSprite] = []
    over: list[Shape] = []
    for number, (action, (view, canvas, changed)) in enumerate(zip(actions, pieces, strict=True)):
        row, column = divmod(number, ACROSS)
        left, top = lefts[column], tops[row] - canvas.head
        placed += hex_sprites(view, canvas, outlines(canvas, changed, (left, top)), (left, top))
        words = format_action(action).split(" ", 1)[1]
        words = f"{lines[number][0]}: {words}" if lines[number][0] else words
        at = (left + canvas.width / 2, top + canvas.height + CAPTION * size / 2 - MARGIN / 3)
        over.append(Text("choice", at, words, size_to_fit(words, canvas.width - 8, size, bold=True), INK, bold=True))
    alt = truncate_alt_text(
        [
            tr("Possible moves, each drawn on a piece of the map:"),
            *(
                f"{text.replace(TAB, ': ')}{format_exits(game, action)}"
                for text, action in zip(texts, actions, strict=False)
            ),
        ]
    )
    return Scene("choices", lefts[-1], ceil(tops[-1]), alt, (), tuple(placed), tuple(over))


def _piece(game: Game, action: Action) -> tuple[BoardView, Canvas, list[HexId]]:
    """The board after a move, the piece of the map around what it changes, and that space."""
    after = game.copy()
    after.apply(action)
    view = view_of(after)
    changed = [action.hex] if isinstance(action, LayTile | PlaceToken) else list[HexId]()
    return view, Canvas(view.land.map, CHOICE_SIDE, neighbourhood(view, changed)), changed

"""Pictures of how a game went, from a replay of its moves: charts, and the map growing round by round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.engine.games.game_record import GameRecordFile
from bot.engine.games.history import chronicle_of, round_label
from bot.engine.play.game import Game
from bot.engine.play.title import Title
from bot.engine.refusals import IllegalMove
from bot.i18n import say
from bot.titles.registry import edition

from .scenes.chart import CHARTS, chart_scene, round_said
from .scenes.map import map_scene
from .shapes.alt_text import cut

if TYPE_CHECKING:
    from .painting.painter import Painter
    from .painting.picture import Picture

PAST_KINDS = (*CHARTS, "timelapse")

MOST_FRAMES = 60
FRAME_WIDTH = 800
MOST_BYTES = 7_500_000
"""Discord takes files of 8 MB everywhere."""


def past_picture(painter: Painter, kind: str, course: GameRecordFile) -> Picture:
    """A chart (`worth`, `income`, `prices`) or the `timelapse` of a game.

    :raises IllegalMove: there is no such picture.
    :raises Rejected: a move is not legal by the rules that the course names.
    """
    title = edition(course.title, course.rules)
    if kind in CHARTS:
        return painter.paint(chart_scene(title, chronicle_of(title, course), kind))
    if kind == "timelapse":
        return timelapse(painter, title, course)
    raise IllegalMove("There is no picture {name}; there are: {kinds}.", "", kind, ", ".join(PAST_KINDS))


def timelapse(painter: Painter, title: Title, course: GameRecordFile) -> Picture:
    """The map at the end of every round as an animated picture; long games skip some."""
    from .painting.painter import animated
    from .painting.picture import Picture

    states = round_ends(title, course)
    every = -(-len(states) // MOST_FRAMES)
    chosen = [*states[:-1:every], states[-1]]
    games = [Game.decode(title, state) for state in chosen]
    frames = [painter.pixels(map_scene(game)) for game in games]
    rounds = say("{first} to {last}", *(round_said(round_label(game)) for game in (games[0], games[-1])))
    alt = cut([say("The map of {title} in {number} pictures.", title.name, len(games)), f"{rounds}."])
    return Picture("timelapse.gif", animated(frames, FRAME_WIDTH, MOST_BYTES), alt)


def round_ends(title: Title, course: GameRecordFile) -> list[bytes]:
    """The encoded positions at the ends of all rounds, and the last one."""
    found: list[bytes] = []
    position, label = b"", ""
    for game, _ in course.positions(title):
        now = round_label(game)
        if label and now != label:
            found.append(position)
        position, label = game.encode(), now
    return [*found, position]

"""Pictures of how a game went, from a replay of its moves: charts, and the map growing round by round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.ai.chances import chance_curve
from bot.engine import IllegalMove
from bot.engine.games.game_record import GameRecordFile
from bot.engine.games.history import GameHistory, RoundSummary, build_history, round_label
from bot.engine.play import Game, Title
from bot.i18n import tr
from bot.i18n.labels import format_round_label
from bot.titles.registry import title_version

from .scenes.chart import ChartKind, chart_scene
from .scenes.map import map_scene
from .shapes import Scene
from .shapes.alt_text import truncate_alt_text

if TYPE_CHECKING:
    from .painting.painter import Painter
    from .painting.picture import Picture

TIMELAPSE = "timelapse"
PAST_KINDS = (*ChartKind, TIMELAPSE)

MOST_FRAMES = 60
FRAME_WIDTH = 800
MOST_BYTES = 7_500_000
"""Discord takes files of 8 MB everywhere."""


def history_picture(painter: Painter, kind: str, course: GameRecordFile) -> Picture:
    """A chart (`worth`, `income`, `prices`, `chances`) or the `timelapse` of a game.

    :raises IllegalMove: there is no such picture.
    :raises Rejected: a move is not legal by the rules that the course names.
    """
    if kind in tuple(ChartKind):
        return painter.paint(history_chart(course, ChartKind(kind)))
    if kind == TIMELAPSE:
        return timelapse(painter, title_version(course.title, course.rules), course)
    raise IllegalMove("There is no picture {name}; the pictures are: {kinds}.", "", kind, ", ".join(PAST_KINDS))


def history_chart(course: GameRecordFile, kind: ChartKind) -> Scene:
    """A chart of a game, which is replayed for it.

    :raises Rejected: a move is not legal by the rules that the course names.
    """
    title = title_version(course.title, course.rules)
    build = chance_history if kind == ChartKind.CHANCES else build_history
    return chart_scene(title, build(title, course), kind)


def chance_history(title: Title, course: GameRecordFile) -> GameHistory:
    """Everybody's chances of winning in percent, in the place of worth."""
    names = dict(
        zip(Game.new(title, course.players, course.options, course.seed).state.order, course.players, strict=True)
    )
    rows = chance_curve(game for game, _ in course.positions(title))
    return GameHistory(
        {player: names[player] for player in sorted(names)},
        [
            RoundSummary(row.label, {seat: round(100 * chance) for seat, chance in row.chances.items()}, {}, {}, {})
            for row in rows
        ],
    )


def timelapse(painter: Painter, title: Title, course: GameRecordFile) -> Picture:
    """The map at the end of every round as an animation; long games skip some rounds."""
    from .painting.painter import build_gif
    from .painting.picture import Picture

    states = round_ends(title, course)
    every = -(-len(states) // MOST_FRAMES)
    chosen = [*states[:-1:every], states[-1]]
    games = [Game.decode(title, state) for state in chosen]
    frames = [painter.pixels(map_scene(game)) for game in games]
    rounds = tr("{first} to {last}", *(format_round_label(round_label(game)) for game in (games[0], games[-1])))
    alt = truncate_alt_text([tr("The map of {title} in {number} pictures.", title.name, len(games)), f"{rounds}."])
    return Picture("timelapse.gif", build_gif(frames, FRAME_WIDTH, MOST_BYTES), alt)


def round_ends(title: Title, course: GameRecordFile) -> list[bytes]:
    """The encoded positions at the ends of all rounds, and the last position."""
    found: list[bytes] = []
    position, label = b"", ""
    for game, _ in course.positions(title):
        now = round_label(game)
        if label and now != label:
            found.append(position)
        position, label = game.encode(), now
    return [*found, position]

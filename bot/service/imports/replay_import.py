"""Games replayed from their moves, for the log and the positions of a game that is brought here.

Plain functions that know no database: they run in a porter's process.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine import IllegalMove, Message, Rejected, SeatNumber, msg, seat_number
from bot.engine.games.corrections import apply_correction, is_correction
from bot.engine.games.game_record import GameRecordFile
from bot.engine.notation import format_action, parse_action
from bot.engine.play import Game, Title
from bot.service.views.apply_and_narrate import apply_and_narrate
from bot.titles.registry import title_version


@dataclass(frozen=True)
class ReplayedMove:
    text: str
    lines: list[Message]
    seat: SeatNumber | None = None
    is_correction: bool = False


@dataclass(frozen=True)
class ReplayedGame:
    """All moves, the encoded position after them, and others on the way by their number."""

    moves: list[ReplayedMove]
    state: bytes
    kept: dict[int, bytes]


def replay(title: Title, course: GameRecordFile, spacing: int) -> ReplayedGame:
    """Make the moves of a game by these rules; the first position is kept, and one after every `spacing` moves.

    :raises IllegalMove: a move is not allowed, or cannot be read; the sentence says which.
    """
    game = Game.new(title, course.players, course.options, course.seed)
    done: list[ReplayedMove] = []
    kept = {0: game.encode()}
    for number, move in enumerate(course.moves, 1):
        done.append(follow(game, number, move))
        if number % spacing == 0 and number < len(course.moves):
            kept[number] = game.encode()
    return ReplayedGame(done, game.encode(), kept)


def replay_of(course: GameRecordFile, spacing: int) -> ReplayedGame:
    """As `replay`, by the rules that the course names."""
    return replay(title_version(course.title, course.rules), course, spacing)


def follow(game: Game, number: int, move: str) -> ReplayedMove:
    """Make one move of a file.

    :raises IllegalMove: it is not allowed, or cannot be read.
    """
    if is_correction(move):
        return ReplayedMove(move, [msg("A correction: {what}.", apply_correction(game, move))], is_correction=True)
    try:
        action = parse_action(game.title, move)
        decider = game.controller_of(action.by)
        lines = apply_and_narrate(game, action)
    except Rejected as refusal:
        raise IllegalMove("Move {number} ({move}): {refusal}", "", number, move, str(refusal)) from refusal
    at = seat_number(decider) if decider in {player.id for player in game.state.players} else None
    return ReplayedMove(format_action(action), lines, at)

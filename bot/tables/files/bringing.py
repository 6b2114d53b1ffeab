"""Games replayed from their moves, for the log and the positions of a game that is brought here.

Plain functions that know no database: they run in a porter's process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.engine.data.actions import Action
from bot.engine.games.corrections import correct, is_correction
from bot.engine.ids import seat
from bot.engine.play.game import Game
from bot.engine.play.title import Title
from bot.engine.refusals import NotAllowed, Refusal
from bot.engine.titles.registry import VERSIONS
from bot.engine.words.text import action_of, text_of
from bot.tables.texts.telling import made


@dataclass(frozen=True)
class Made:
    """A move or a correction that was made: its text, what is told of it, and the seat that decided."""

    text: str
    lines: list[str]
    seat: int | None = None
    is_correction: bool = False


@dataclass(frozen=True)
class Replayed:
    """All moves, the encoded position after them, and others on the way by their number."""

    moves: list[Made]
    state: bytes
    kept: dict[int, bytes]


def replay(
    title: Title,
    players: Sequence[str],
    options: Mapping[str, str],
    seed: int,
    moves: Sequence[str | Action],
    spacing: int,
) -> Replayed:
    """Make these moves, the number from 1 on; every so many moves the position is kept, and the first one.

    :raises NotAllowed: a move is not allowed, or cannot be read; the sentence says which.
    """
    game = Game.new(title, players, options, seed)
    done: list[Made] = []
    kept = {0: game.encode()}
    for number, move in enumerate(moves, 1):
        done.append(follow(game, number, move))
        if number % spacing == 0 and number < len(moves):
            kept[number] = game.encode()
    return Replayed(done, game.encode(), kept)


def replay_of(
    title: str,
    rules: int,
    players: Sequence[str],
    options: Mapping[str, str],
    seed: int,
    moves: Sequence[str | Action],
    spacing: int,
) -> Replayed:
    """As `replay`, in a process that has been told the title's name only, and the version of its rules."""
    return replay(VERSIONS[title, rules], players, options, seed, moves, spacing)


def follow(game: Game, number: int, move: str | Action) -> Made:
    """Make one move of a file.

    :raises NotAllowed: it is not allowed, or cannot be read.
    """
    if isinstance(move, str) and is_correction(move):
        return Made(move, [f"A correction: {correct(game, move)}."], is_correction=True)
    try:
        action = action_of(game.title, move) if isinstance(move, str) else move
        decider = game.decider(action.by)
        lines = made(game, action)
    except Refusal as refusal:
        raise NotAllowed(f"Move {number} ({move if isinstance(move, str) else text_of(move)}): {refusal}") from refusal
    at = next((place for place, player in enumerate(game.state.players, 1) if seat(place) == decider), None)
    return Made(text_of(action), lines, at)

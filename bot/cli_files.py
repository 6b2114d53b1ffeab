"""Game files: reading them safely, following them, writing our own form.

Our form: `{"signalbox": 1, "title", "options", "seed", "players": [names], "moves": [texts], "result": {name: total}}`.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.engine.game import Game
from bot.engine.logs18xx import BadLog, Divergence, Log, Replay, read_log
from bot.engine.refusals import Refusal
from bot.engine.text import action_of
from bot.engine.titles.registry import DIALECTS, TITLES

LARGEST_FILE = 20 * 1024 * 1024
MOST_MOVES = 50_000


class BadFile(Exception):
    """The file cannot be read as a game; the message says why."""


@dataclass(frozen=True)
class OwnGame:
    """A game in our own form."""

    title: str
    options: dict[str, str]
    seed: int
    players: tuple[str, ...]
    moves: tuple[str, ...]
    result: dict[str, int]


def load(path: Path) -> Log | OwnGame:
    """Read a game file of either form.

    :raises BadFile: it is missing, too large, no JSON, or no game of a title that we know.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise BadFile(f"{path} is larger than {LARGEST_FILE // 2**20} MB")
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise BadFile(f"{path} is no JSON: {error}") from error
    game: Log | OwnGame
    try:
        game = _own(data) if isinstance(data, dict) and "signalbox" in data else read_log(data)
    except BadLog as error:
        raise BadFile(f"{path}: {error}") from error
    if game.title not in TITLES:
        raise BadFile(f"{path} is a game of {game.title}; known titles: {', '.join(TITLES)}")
    return game


def _own(data: dict[str, Any]) -> OwnGame:
    try:
        moves = tuple(str(move) for move in data["moves"])
        if len(moves) > MOST_MOVES:
            raise BadLog("it has too many moves")
        return OwnGame(
            str(data["title"]),
            {str(key): str(value) for key, value in dict(data.get("options") or {}).items()},
            int(data.get("seed") or 0),
            tuple(str(name) for name in data["players"]),
            moves,
            {str(name): int(total) for name, total in dict(data.get("result") or {}).items()},
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BadLog(f"it is no Signalbox game: {error}") from error


def follow(game: Log | OwnGame) -> Iterator[tuple[int, Game]]:
    """The position before each action, numbers from 1, and at last the one after all of them.

    :raises Divergence: our rules refuse an action.
    """
    if isinstance(game, Log):
        replay = replay_of(game)
        yield 1, replay.game
        for step in replay.steps():
            yield step.number + 1, replay.game
        return
    position = begin(game)
    yield 1, position
    for number, text in enumerate(game.moves, 1):
        try:
            position.apply(action_of(position.title, text))
        except Refusal as refusal:
            raise Divergence(number, number, "legality", text, str(refusal)) from refusal
        yield number + 1, position


def replay_of(log: Log) -> Replay:
    """A replay of an 18xx.games log.

    :raises BadFile: the number of players does not fit the title.
    """
    try:
        return Replay(TITLES[log.title], DIALECTS[log.title], log)
    except Refusal as refusal:
        raise BadFile(str(refusal)) from refusal


def begin(game: OwnGame) -> Game:
    """The first position of a game in our form.

    :raises BadFile: players or options do not fit the title.
    """
    try:
        return Game.new(TITLES[game.title], game.players, game.options, game.seed)
    except Refusal as refusal:
        raise BadFile(str(refusal)) from refusal


def check_result(game: OwnGame, position: Game) -> None:
    """Compare the final totals with the file's.

    :raises Divergence: they differ.
    """
    for player in position.state.players:
        expected = game.result.get(player.name)
        actual = position.title.rules.worth(position, player.id)
        if expected is not None and expected != actual:
            raise Divergence(len(game.moves), len(game.moves), f"result of {player.name}", expected, actual)


def trace_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a trace, packed or not.

    :raises BadFile: it cannot be read.
    """
    try:
        with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
            for line in lines:
                yield json.loads(line)
    except (OSError, ValueError) as error:
        raise BadFile(f"{path} is no trace: {error}") from error


def own_form(title: str, options: dict[str, str], seed: int, position: Game, moves: list[str]) -> dict[str, Any]:
    """A game in our form, ready for JSON."""
    result = {player.name: position.title.rules.worth(position, player.id) for player in position.state.players}
    return {
        "signalbox": 1,
        "title": title,
        "options": options,
        "seed": seed,
        "players": [player.name for player in position.state.players],
        "moves": moves,
        "result": result,
    }

"""Game files: reading them safely, following them, writing our own form.

Our form is that of the tables (`format: "signalbox 1"`) with the final totals beside it:
`{"format", "title", "rules", "options", "seed", "players": [names], "moves": [texts], "result": {name: total}}`.
`rules` is the version of the rules by which the moves were made; files of 0.1.0 do not have it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from bot.engine.games.corrections import redo
from bot.engine.logs18xx import BadLog, Divergence, Log, Replay, read_log
from bot.engine.play.game import Game
from bot.engine.play.title import Title
from bot.engine.refusals import Refusal
from bot.engine.titles.registry import DIALECTS, TITLES, VERSIONS, versions_of
from bot.foreign import LARGEST_FILE, BadFile, check_shape, content_of, decoded, lines_of

FORMAT = "signalbox 1"
MOST_MOVES = 50_000
LONGEST_MOVE = 2000
"""Letters; a run of six trains has some 400."""


@dataclass(frozen=True)
class OwnGame:
    """A game in our own form; `rules` is None where the file does not say by which version it was played."""

    title: str
    options: dict[str, str]
    seed: int
    players: tuple[str, ...]
    moves: tuple[str, ...]
    result: dict[str, int]
    rules: int | None = None


class OwnFile(msgspec.Struct):
    """Our own form as it is read."""

    title: str
    players: list[str]
    moves: list[str]
    options: dict[str, str] = {}
    seed: int = 0
    result: dict[str, int] = {}
    rules: int | None = None


# -- reading ------------------------------------------------------------------------------------------


def load(path: Path) -> Log | OwnGame:
    """Read a game file of either form.

    :raises BadFile: it is missing, too large, no JSON, or no game of a title that we know.
    """
    return game_in(decoded(content_of(path), str(path)), str(path))


def game_in(data: Any, path: str) -> Log | OwnGame:
    """The game that decoded JSON holds; `path` names it in refusals.

    :raises BadFile: it is no game of a title that we know.
    """
    try:
        is_own = isinstance(data, dict) and (data.get("format") == FORMAT or "signalbox" in data)
        game: Log | OwnGame = _own(data) if is_own else read_log(data)
    except BadLog as error:
        raise BadFile(f"{path}: {error}") from error
    if game.title not in TITLES:
        raise BadFile(f"{path} is a game of {game.title[:40]}; known titles: {', '.join(TITLES)}")
    if isinstance(game, Log) and game.title not in DIALECTS:
        known = ", ".join(DIALECTS)
        raise BadFile(f"{path} is a game of {game.title} in the form of 18xx.games, which can be read for: {known}")
    return game


def _own(data: Any) -> OwnGame:
    try:
        file = msgspec.convert(data, OwnFile)
    except msgspec.ValidationError as error:
        raise BadLog(f"it is no Signalbox game: {error}") from error
    if len(file.moves) > MOST_MOVES:
        raise BadLog(f"it has {len(file.moves)} moves; {MOST_MOVES} is the limit")
    for number, move in enumerate(file.moves, 1):
        if len(move) > LONGEST_MOVE:
            raise BadLog(f"move {number} has {len(move)} letters; {LONGEST_MOVE} is the limit")
    return OwnGame(file.title, file.options, file.seed, tuple(file.players), tuple(file.moves), file.result, file.rules)


def trace_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a trace, packed or not.

    :raises BadFile: it cannot be read, or holds too much.
    """
    name, values = str(path), 0
    for line in lines_of(path):
        values = check_shape(line, name, values)
        try:
            yield msgspec.json.decode(line, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadFile(f"{path} is no trace: {error}") from error


# -- rules --------------------------------------------------------------------------------------------


def rules_of(game: Log | OwnGame) -> Title:
    """The title in the version of its rules by which the game was played here. A file that does not name it is taken by the
    oldest version by which it goes as it tells; if it goes by none, and if it was played elsewhere, by the newest.

    :raises BadFile: it names a version that this release lacks.
    """
    named = game.rules if isinstance(game, OwnGame) else game.own_rules
    if isinstance(game, Log) and game.own_options is None:
        return TITLES[game.title]
    if named is None:
        *older, newest = versions_of(game.title)
        return next((title for title in older if _goes_as_told(game, title)), newest)
    if (game.title, named) not in VERSIONS:
        name = TITLES[game.title].name
        raise BadFile(f"it was played by version {named} of the rules of {name}, which this release lacks")
    return VERSIONS[game.title, named]


def _goes_as_told(game: Log | OwnGame, title: Title) -> bool:
    """Whether the game can be followed by these rules and ends as its file says."""
    try:
        if isinstance(game, Log):
            replay_of(game, title).run()
        else:
            *_, (_, position) = follow(game, title)
            check_result(game, position)
    except (BadFile, BadLog, Divergence):
        return False
    return True


# -- following ----------------------------------------------------------------------------------------


def follow(game: Log | OwnGame, rules: Title | None = None) -> Iterator[tuple[int, Game]]:
    """The position before each action, numbers from 1, and at last the one after all of them; by the file's rules if no
    others are given.

    :raises Divergence: our rules refuse an action.
    :raises BadFile: an action cannot be read.
    """
    if isinstance(game, Log):
        runner = replay_of(game, rules)
        try:
            runner.look_ahead()
            yield 1, runner.game
            for step in runner.steps():
                runner.look_ahead()
                yield step.number + 1, runner.game
        except BadLog as error:
            raise BadFile(str(error)) from error
        return
    position = begin(game, rules)
    yield 1, position
    for number, text in enumerate(game.moves, 1):
        try:
            redo(position, text)
        except Refusal as refusal:
            raise Divergence(number, number, "legality", text, str(refusal)) from refusal
        yield number + 1, position


def replay_of(log: Log, rules: Title | None = None) -> Replay:
    """A replay of an 18xx.games log, by its own rules if no others are given.

    :raises BadFile: the number of players does not fit the title, or undo and redo do not fit together.
    """
    title = rules or rules_of(log)
    try:
        return Replay(title, DIALECTS[log.title], log)
    except (Refusal, BadLog) as error:
        raise BadFile(str(error)) from error


def begin(game: OwnGame, rules: Title | None = None) -> Game:
    """The first position of a game in our form, by its own rules if no others are given.

    :raises BadFile: players or options do not fit the title.
    """
    title = rules or rules_of(game)
    try:
        return Game.new(title, game.players, game.options, game.seed)
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


# -- writing ------------------------------------------------------------------------------------------


def own_form(title: str, options: dict[str, str], seed: int, position: Game, moves: list[str]) -> dict[str, Any]:
    """A game in our form, ready for JSON."""
    result = {player.name: position.title.rules.worth(position, player.id) for player in position.state.players}
    return {
        "format": FORMAT,
        "title": title,
        "rules": position.title.version,
        "options": options,
        "seed": seed,
        "players": [player.name for player in position.state.players],
        "moves": moves,
        "result": result,
    }


@dataclass(frozen=True)
class Brought:
    """A game from a file of either form in ours, with a line for everything in the file that is otherwise here."""

    data: dict[str, Any]
    notes: tuple[str, ...] = ()


def brought_here(content: bytes, name: str) -> Brought:
    """A file's game, followed to its end; `name` is how refusals call the file.

    :raises BadFile: it is no game of a title that we know, or our rules refuse one of its moves.
    """
    if len(content) > LARGEST_FILE:
        raise BadFile(f"{name} is larger than {LARGEST_FILE // 2**20} MB")
    game = game_in(decoded(content, name), name)
    try:
        if isinstance(game, Log):
            data, runner = own_form_of(game)
            return Brought(data, tuple(runner.remarks()))
        *_, (_, position) = follow(game)
    except Divergence as error:
        raise BadFile(f"{name}: {error}") from error
    return Brought(own_form(game.title, game.options, game.seed, position, list(game.moves)))


def own_form_of(log: Log) -> tuple[dict[str, Any], Replay]:
    """A log of 18xx.games in our own form, and the replay that led there. Players of one name get numbers.

    :raises Divergence: our rules refuse an action.
    :raises BadFile: an action cannot be read.
    """
    runner = replay_of(log)
    try:
        for _ in runner.steps():
            pass
        runner.check_result()
    except BadLog as error:
        raise BadFile(str(error)) from error
    game = runner.game
    taken: set[str] = set()
    for player in game.state.players:
        name, number = player.name, 2
        while player.name in taken:
            player.name, number = f"{name} {number}", number + 1
        taken.add(player.name)
    return own_form(log.title, dict(game.state.options), game.state.seed, game, list(runner.moves)), runner

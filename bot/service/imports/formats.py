"""Game files: reading them safely, following them, bringing them into our own form (`GameRecordFile`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from bot.engine import Rejected
from bot.engine.games.corrections import is_correction, replay_text
from bot.engine.games.game_record import GameRecordFile, build_game_record
from bot.engine.notation import parse_action
from bot.engine.play import Game, Title
from bot.engine.state import Action
from bot.formats.peer18xx.dialect import missing_rules
from bot.formats.peer18xx.divergence import Divergence
from bot.formats.peer18xx.file_format import InvalidLog, Log, read_log
from bot.formats.peer18xx.registry import DIALECTS
from bot.formats.peer18xx.replay import LogReplay
from bot.titles.registry import TITLES, title_version, versions_of
from bot.untrusted_input import (
    LARGEST_FILE,
    LONGEST_MOVE,
    MOST_MOVES,
    InvalidFile,
    check_json_limits,
    iter_lines,
    parse_json_bounded,
    read_bounded,
    read_json,
    to_utf8,
)

OURS = "signalbox"
"""Prefix of the `format` of our files."""


# -- reading ------------------------------------------------------------------------------------------


def load(path: Path) -> Log | GameRecordFile:
    """Read a game file of either form.

    :raises InvalidFile: it is missing, too large, no JSON, or no game of a title that we know.
    """
    return parse_game(parse_json_bounded(read_bounded(path), str(path)), str(path))


def parse_game(data: Any, path: str) -> Log | GameRecordFile:
    """The game that decoded JSON holds; `path` names it in refusals.

    :raises InvalidFile: it is no game of a title that we know.
    """
    try:
        is_own = isinstance(data, dict) and str(data.get("format")).startswith(OURS)
        game: Log | GameRecordFile = _parse_own(data) if is_own else read_log(data)
    except InvalidLog as error:
        raise InvalidFile(f"{path}: {error}") from error
    if game.title not in TITLES:
        raise InvalidFile(
            "{path} is a game of {title}; known titles: {titles}", str(path), game.title[:40], ", ".join(TITLES)
        )
    if isinstance(game, Log) and game.title not in DIALECTS:
        known = ", ".join(DIALECTS)
        raise InvalidFile(
            "{path} is a game of {title} in the 18xx.games format, which is supported for: {titles}",
            str(path),
            game.title,
            known,
        )
    return game


def _parse_own(data: Any) -> GameRecordFile:
    try:
        course = msgspec.convert(data, GameRecordFile)
    except msgspec.ValidationError as error:
        raise InvalidLog(f"it is no Signalbox game: {error}") from error
    if len(course.moves) > MOST_MOVES:
        raise InvalidLog(f"it has {len(course.moves)} moves; {MOST_MOVES} is the limit")
    for number, move in enumerate(course.moves, 1):
        if len(move) > LONGEST_MOVE:
            raise InvalidLog(f"move {number} has {len(move)} letters; {LONGEST_MOVE} is the limit")
    return course


def trace_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a trace, packed or not.

    :raises InvalidFile: it cannot be read, or holds too much.
    """
    name, values = str(path), 0
    for line in iter_lines(path):
        line = to_utf8(line, name)
        values = check_json_limits(line, name, values)
        try:
            yield read_json(line, dict[str, Any])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise InvalidFile("{path} is not a trace: {error}", str(path), str(error)) from error


# -- rules --------------------------------------------------------------------------------------------


def rules_of(game_file: Log | GameRecordFile) -> Title:
    """The title in the version of its rules by which the game was played here. For a file that does not name it:
    the oldest version that reproduces the file; if none does, or if it was played elsewhere, the newest.

    :raises InvalidFile: it names a version that this release lacks.
    """
    named = game_file.rules if isinstance(game_file, GameRecordFile) else game_file.own_rules
    if isinstance(game_file, Log) and game_file.own_options is None:
        return TITLES[game_file.title]
    if named is None:
        *older, newest = versions_of(game_file.title)
        return next((title for title in older if _is_replayable(game_file, title)), newest)
    try:
        return title_version(game_file.title, named)
    except KeyError:
        name = TITLES[game_file.title].name
        raise InvalidFile(
            "it uses version {version} of the {title} rules, which this release lacks", named, name
        ) from None


def _is_replayable(game_file: Log | GameRecordFile, title: Title) -> bool:
    """Whether these rules can follow the game and reach the end that its file states."""
    try:
        if isinstance(game_file, Log):
            replay_of(game_file, title).run()
        else:
            *_, (_, position) = follow(game_file, title)
            check_result(game_file, position)
    except (InvalidFile, InvalidLog, Divergence):
        return False
    return True


# -- following ----------------------------------------------------------------------------------------


def follow(game_file: Log | GameRecordFile, rules: Title | None = None) -> Iterator[tuple[int, Game]]:
    """The position before each action, numbered from 1, and at last the position after all of them; by the file's
    rules if no others are given.

    :raises Divergence: our rules refuse an action.
    :raises InvalidFile: an action cannot be read.
    """
    if isinstance(game_file, Log):
        runner = replay_of(game_file, rules)
        try:
            runner.look_ahead()
            yield 1, runner.game
            for step in runner.steps():
                runner.look_ahead()
                yield step.number + 1, runner.game
        except InvalidLog as error:
            raise InvalidFile(str(error).rstrip(".")) from error
        return
    yield from _replay_own(game_file, rules)


def _replay_own(
    game_file: GameRecordFile, rules: Title | None = None, see: Callable[[int, Game, Action], None] | None = None
) -> Iterator[tuple[int, Game]]:
    """As `follow` and `watch_actions`."""
    position = begin(game_file, rules)
    yield 1, position
    for number, text in enumerate(game_file.moves, 1):
        try:
            if see is not None and not is_correction(text):
                see(number, position, parse_action(position.title, text))
            replay_text(position, text)
        except Rejected as refusal:
            raise Divergence(number, number, "legality", text, str(refusal)) from refusal
        yield number + 1, position


def watch_actions(game_file: Log | GameRecordFile, see: Callable[[int, Game, Action], None]) -> Game:
    """Follow a game to its end, and return the position there; `see` is shown every action before it is made: the number of
    the file's action, from 1, the position, and the action.

    :raises Divergence: our rules refuse an action.
    :raises InvalidFile: an action cannot be read.
    """
    if isinstance(game_file, Log):
        runner = replay_of(game_file)
        runner.watchers.append(lambda action: see(runner.number, runner.game, action))
        try:
            for _ in runner.steps():
                pass
        except InvalidLog as error:
            raise InvalidFile(str(error).rstrip(".")) from error
        return runner.game
    *_, (_, last) = _replay_own(game_file, see=see)
    return last


def replay_of(log: Log, rules: Title | None = None) -> LogReplay:
    """A replay of an 18xx.games log, by its own rules if no others are given.

    :raises InvalidFile: the number of players does not fit the title, or undo and redo do not fit together.
    """
    title = rules or rules_of(log)
    try:
        return LogReplay(title, DIALECTS[log.title], log)
    except (Rejected, InvalidLog) as error:
        raise InvalidFile(str(error).rstrip(".")) from error


def begin(game_file: GameRecordFile, rules: Title | None = None) -> Game:
    """The first position of a game in our form, by its own rules if no others are given.

    :raises InvalidFile: players or options do not fit the title.
    """
    title = rules or rules_of(game_file)
    try:
        return Game.new(title, game_file.players, game_file.options, game_file.seed)
    except Rejected as refusal:
        raise InvalidFile(str(refusal)) from refusal


def check_result(game_file: GameRecordFile, position: Game) -> None:
    """Compare the final totals with the file's.

    :raises Divergence: they differ.
    """
    for player in position.state.players:
        expected = game_file.result.get(player.name)
        actual = position.title.rules.worth(position, player.id)
        if expected is not None and expected != actual:
            raise Divergence(len(game_file.moves), len(game_file.moves), f"result of {player.name}", expected, actual)


# -- bringing -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ImportedGame:
    """A game from a file of either form, in our form, with a line for every difference from the file."""

    course: GameRecordFile
    notes: tuple[str, ...] = ()


def import_file(content: bytes, name: str) -> ImportedGame:
    """A file's game, followed to its end; `name` is the file's name in refusals.

    :raises InvalidFile: it is no game of a title that we know, or our rules refuse one of its moves.
    """
    if len(content) > LARGEST_FILE:
        raise InvalidFile("{name} is larger than {limit} MB", name, LARGEST_FILE // 2**20)
    game = parse_game(parse_json_bounded(content, name), name)
    try:
        if isinstance(game, Log):
            return _translate_log(game)
        *_, (_, position) = follow(game)
    except Divergence as error:
        missing = missing_rules(DIALECTS[game.title], game) if isinstance(game, Log) else []
        raise InvalidFile("; ".join([f"{name}: {error}", *missing])) from error
    return ImportedGame(build_game_record(position, game.moves, game.stopped))


def _translate_log(log: Log) -> ImportedGame:
    """A log of 18xx.games in our own form. Players with the same name get numbers.

    :raises Divergence: our rules refuse an action.
    :raises InvalidFile: an action cannot be read.
    """
    runner = replay_of(log)
    try:
        for _ in runner.steps():
            pass
        runner.check_result()
    except InvalidLog as error:
        raise InvalidFile(str(error).rstrip(".")) from error
    taken: set[str] = set()
    for player in runner.game.state.players:
        name, number = player.name, 2
        while player.name in taken:
            player.name, number = f"{name} {number}", number + 1
        taken.add(player.name)
    course = build_game_record(runner.game, runner.moves, runner.ended_by_hand)
    return ImportedGame(course, tuple(runner.remarks()))

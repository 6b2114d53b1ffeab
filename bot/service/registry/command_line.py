"""A typed line as a command with its values, and back: for the doors at which people write."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from bot.engine import IllegalMove, join_or, literal, msg, without_isolates
from bot.engine.play.game import Game
from bot.i18n import current_language, tr
from bot.service.parser.german import GERMAN_COMMANDS, NOT_PLAIN, UMLAUTS, written_words
from bot.service.parser.moves import begins_move

from .command import (
    Choice,
    Command,
    Door,
    Flag,
    ForumChannel,
    GameFile,
    Member,
    Number,
    Parameter,
    Person,
    Request,
    SeatOf,
    Spelling,
    Words,
)
from .commands import COMMANDS

NAMED = re.compile(r"(?:--)?(?P<name>[a-z_]+)[=:](?P<value>.+)", re.DOTALL)
"""A value with its parameter's name: `seed=7`."""

STRICT = Number | Choice | SeatOf
"""Kinds of which it is plain whether a word is meant."""

MOST_DIGITS = 10
MOST_SHOWN = 4


@dataclass(frozen=True)
class Line:
    """A command as it was typed: the text after its name, and the first parameter that this text is for."""

    command: Command
    rest: str
    first: str = ""


@cache
def spellings(door: Door) -> Mapping[str, tuple[Command, Spelling]]:
    """Every way to type a command at a door; a command's own name is never another's."""
    ways = [(command, way) for command in COMMANDS.values() if command.is_at(door) for way in command.spellings]
    ways.sort(key=lambda found: found[1].text != found[0].name)
    known: dict[str, tuple[Command, Spelling]] = {}
    for command, way in ways:
        if way.door in (None, door):
            known.setdefault(way.text, (command, way))
    return known


def find_line(text: str, door: Door, game: Game | None = None, is_lobby: bool = True) -> Line | None:
    """The command that a line means at a door, by its longest name; None if it is not a command. If the game that is
    meant is not a lobby, words of lobbies are those of moves, except as their spelling says. A word that begins a move
    in the game's title is the command only where what follows fits.
    """
    plain, known = without_isolates(text).strip().removeprefix("/"), spellings(door)
    words = plain.split(None, 3)
    english = [english_word(word) for word in words]
    for length in range(min(len(words), 3), 0, -1):
        if (found := known.get(" ".join(english[:length]))) is not None:
            command, way = found
            rest = "".join(plain.split(None, length)[length:]).strip()
            if way.in_lobby and not is_lobby and not (way.in_game and re.fullmatch(way.in_game, rest)):
                continue
            if way.may_be_move and game is not None and begins_move(game, way.text) and not _fits(command, rest):
                continue
            if rest and not is_number(rest.split()[0]):
                command = COMMANDS[command.or_else.get(door, command.name)]
            return Line(command, " ".join(filter(None, [way.rest, rest])), way.first)
    return None


def _fits(command: Command, rest: str) -> bool:
    """Whether what follows a word can be the command's: one of the choices, else a single name."""
    kind, words = command.parameters[0].kind, rest.split()
    return bool(words) and (choice_of(kind, words[0]) is not None if isinstance(kind, Choice) else len(words) == 1)


def english_word(word: str) -> str:
    """A command's word in English and small letters: `Karte` is `map`."""
    small = word.rstrip(":").lower()
    return NOT_PLAIN.get(small) or GERMAN_COMMANDS.get(small.translate(UMLAUTS), small)


# -- values -------------------------------------------------------------------------------------------


async def values_of(line: Line, request: Request) -> dict[str, Any]:
    """The values of a line's parameters.

    :raises IllegalMove: one is missing, does not fit, or there are too many.
    """
    typed = [one for one in line.command.parameters if not isinstance(one.kind, ForumChannel)]
    after_first = typed[[one.name for one in typed].index(line.first) if line.first else 0 :]
    found, rest = _take_named(after_first, line.rest)
    left = [one for one in after_first if one.name not in found and not isinstance(one.kind, Flag)]
    for place, parameter in enumerate(left):
        text, after = await _text_for(parameter, left[place + 1 :], rest, request)
        if text:
            found[parameter.name], rest = await _value(line.command, parameter, text, request), after
    if rest:
        raise wrong(line.command, msg("{text} is too much.", literal(rest[:80])))
    check_needed(line.command, typed, found)
    return found


async def values_named(command: Command, fields: Mapping[str, str], request: Request) -> dict[str, Any]:
    """The values of a command whose texts are given by the parameters' names, as in a form.

    :raises IllegalMove: one is missing or does not fit.
    """
    found: dict[str, Any] = {}
    for parameter in command.parameters:
        text = fields.get(parameter.name, "").strip()
        if text and isinstance(parameter.kind, Flag):
            found[parameter.name] = True
        elif text:
            found[parameter.name] = await _value(command, parameter, text, request)
    check_needed(command, command.parameters, found)
    return found


def check_needed(command: Command, parameters: Iterable[Parameter], found: Mapping[str, Any]) -> None:
    """Refuse where a needed value is missing.

    :raises IllegalMove: asks for the first.
    """
    for parameter in parameters:
        if parameter.is_needed and parameter.name not in found:
            raise wrong(command, msg("{what}?", msg(parameter.help)))


async def _text_for(parameter: Parameter, later: Sequence[Parameter], rest: str, request: Request) -> tuple[str, str]:
    """The part of the text that is for a parameter, empty if none is, and the text after it."""
    word, after = _first_word(rest)
    if isinstance(parameter.kind, STRICT):
        is_meant = parameter.is_needed or await _accepts(parameter, word, request)
        if not is_meant and all(isinstance(one.kind, STRICT) for one in later):
            is_meant = not await _is_for_later(later, word, request)
        return (word, after) if word and is_meant else ("", rest)
    if isinstance(parameter.kind, Words) and parameter.kind.is_rest:
        return rest, ""
    if not parameter.is_needed and await _is_for_later(later, rest, request):
        return "", rest
    is_last = not any(not isinstance(one.kind, STRICT) or one.is_needed for one in later)
    return (rest, "") if is_last else (word, after)


def _take_named(parameters: Sequence[Parameter], text: str) -> tuple[dict[str, Any], str]:
    """The values that are given by name, and flags; and the text without them."""
    found: dict[str, Any] = {}
    kinds = {one.name: one.kind for one in parameters}
    kept: list[str] = []
    words = text.split(" ") if any(isinstance(kind, Flag | Number | Choice) for kind in kinds.values()) else []
    for word in words:
        named = NAMED.fullmatch(word)
        if isinstance(kinds.get(word.lower()), Flag):
            found[word.lower()] = True
        elif named and isinstance(kind := kinds.get(named["name"]), Number) and named["value"].isdecimal():
            found[named["name"]] = int(named["value"][:MOST_DIGITS])
        elif named and isinstance(kind, Choice) and (value := choice_of(kind, named["value"])) is not None:
            found[named["name"]] = value
        else:
            kept.append(word)
    return found, " ".join(kept).strip() if words else text.strip()


def _first_word(text: str) -> tuple[str, str]:
    """The first word, which may stand in quotation marks, and the rest."""
    if text[:1] in ("'", '"') and (end := text.find(text[0], 1)) > 0:
        return text[1:end], text[end + 1 :].strip()
    word, _, rest = text.partition(" ")
    return word, rest.strip()


async def _is_for_later(later: Iterable[Parameter], rest: str, request: Request) -> bool:
    return any([isinstance(one.kind, STRICT) and await _accepts(one, rest, request) for one in later])


async def _accepts(parameter: Parameter, word: str, request: Request) -> bool:
    kind = parameter.kind
    if isinstance(kind, Number):
        return is_number(word)
    if isinstance(kind, Choice):
        return choice_of(kind, word) is not None
    return await seat_of(word, request) is not None


async def _value(command: Command, parameter: Parameter, text: str, request: Request) -> Any:
    """The value of a parameter.

    :raises IllegalMove: the text is not valid.
    """
    kind = parameter.kind
    name = parameter.name
    if isinstance(kind, Number):
        if not is_number(text) or not kind.least <= int(text) <= kind.most:
            problem = msg("{name} is a number from {least} to {most}.", name, kind.least, kind.most)
            raise wrong(command, problem)
        return int(text)
    if isinstance(kind, Choice):
        found = choice_of(kind, text)
        if found is None:
            raise wrong(command, msg("{name} can be {choices}.", name, join_or(kind.typed_values)))
        return found
    if isinstance(kind, SeatOf):
        number = await seat_of(text, request)
        if number is None:
            raise wrong(command, msg("There is no player or seat {name}.", literal(text[:40])))
        return number
    if isinstance(kind, Member):
        return await request.find_person(text)
    if isinstance(kind, GameFile):
        return await request.read_file(text)
    if isinstance(kind, Words) and len(text) > kind.most:
        raise wrong(command, msg("{name} can have up to {most} characters.", name, kind.most))
    return text


def is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) <= MOST_DIGITS


def choice_of(kind: Choice, word: str) -> str | None:
    small = word.lower()
    found = next((value for value in kind.meanings if value.lower() == small), None)
    return kind.words.get(small, found)


async def seat_of(word: str, request: Request) -> int | None:
    """The seat of that number or name in the game that is meant."""
    if is_number(word) and len(word) < 3:
        return int(word)
    table = await request.table()
    return next((held.number for held in table.seats if held.name.lower() == word.lower()), None)


def wrong(command: Command, problem: Any) -> IllegalMove:
    """The refusal of a line, with an example of how the command is typed."""
    if not command.example:
        return IllegalMove("{problem}", "", problem)
    return IllegalMove("{problem} For example: {example}.", "", problem, literal(command.example))


# -- back ---------------------------------------------------------------------------------------------


def typed_name(command: Command, door: Door) -> str:
    """The shortest way to type a command at a door, without old words."""
    ways = [
        text
        for text, (found, way) in spellings(door).items()
        if command.name in (found.name, found.or_else.get(door)) and not (way.first or way.rest or way.is_old)
    ]
    return min(ways, key=lambda text: (text.count(" "), text != command.name, len(text)), default=command.name)


def typed_line(command: Command, values: Mapping[str, Any], door: Door) -> str:
    """A command with its values as it is typed at a door."""
    given = [one for one in command.parameters if one.name in values]
    shown = [one.name if isinstance(one.kind, Flag) else typed_value(values[one.name]) for one in given]
    return " ".join([typed_name(command, door), *shown])


def typed_value(value: Any) -> str:
    return value.name if isinstance(value, Person) else str(value)


class TypedRequest(Request):
    """A request at a door where people type."""

    def spell(self, command: str, **values: Any) -> str:
        return typed_line(COMMANDS[command], values, self.door)


def usage(command: Command, door: Door) -> str:
    """How a command is typed, in one line: `chart [worth | income | prices]`."""
    name = typed_name(command, door)
    word = german_words().get(name, name) if current_language() == "de" else name
    return " ".join(filter(None, [word, *map(_usage_of, command.parameters)]))


@cache
def german_words() -> Mapping[str, str]:
    """The first German word for each English one."""
    found: dict[str, str] = {}
    for german, english in GERMAN_COMMANDS.items():
        found.setdefault(english, written_words([german])[0])
    return found


def _usage_of(parameter: Parameter) -> str:
    kind, name = parameter.kind, tr(parameter.shown) or parameter.name.upper()
    if isinstance(kind, ForumChannel):
        return ""
    if isinstance(kind, Choice):
        shown = " | ".join(kind.typed_values)
    else:
        shown = parameter.name if isinstance(kind, Flag) else name
    if parameter.is_needed:
        return name if shown.count("|") > MOST_SHOWN else shown
    return f"[{shown}]"

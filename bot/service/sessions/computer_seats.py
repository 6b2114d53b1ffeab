"""Seats that computer players hold, or keep warm for somebody who is silent: their person is `computer:` and a strength."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.ai.title_parameters import STRENGTHS
from bot.engine import NOBODY, IllegalMove, PersonId
from bot.store import SeatRecord

from .names import free_name

COMPUTER = "computer:"
DEFAULT_STRENGTH = "steady"
COMPUTER_NAME = "Computer"
TEACHER = PersonId(f"{COMPUTER}lesson")
"""The holder of all seats but the learner's in a lesson."""
PUZZLE = f"{COMPUTER}puzzle-"
"""The same in a puzzle; its number follows."""

WORDS = ("computer", "bot", "ai")
"""The words for a computer player, in small letters."""


def is_computer(person: PersonId) -> bool:
    return person.startswith(COMPUTER)


def computer_person(strength: str) -> PersonId:
    return PersonId(COMPUTER + strength)


def acting_computer(held: SeatRecord) -> PersonId:
    """The computer player that moves for a seat: its holder, or its sitter; empty if people do."""
    return next((person for person in (held.person, held.sitter) if is_computer(person)), NOBODY)


def is_lesson(seats: Iterable[SeatRecord]) -> bool:
    """Whether these are the seats of a lesson or a puzzle."""
    return any(held.person == TEACHER or held.person.startswith(PUZZLE) for held in seats)


def puzzle_number(seats: Iterable[SeatRecord]) -> int | None:
    """The number of the puzzle to which these seats belong; None for other seats."""
    found = (held.person.removeprefix(PUZZLE) for held in seats if held.person.startswith(PUZZLE))
    return next((int(number) for number in found if number.isdecimal()), None)


def parse_strength(word: str) -> str | None:
    """The strength that is meant by `computer`, `bot`, `computer-strong` or `computer:strong`; None where a person is.

    :raises IllegalMove: there is no such strength.
    """
    name, _, strength = word.casefold().replace(":", "-").partition("-")
    if name not in WORDS:
        return None
    if (strength or DEFAULT_STRENGTH) not in STRENGTHS:
        raise IllegalMove(
            "Computer players: {strengths}; for example computer-{example}.",
            "",
            ", ".join(STRENGTHS),
            [*STRENGTHS][-1],
        )
    return strength or DEFAULT_STRENGTH


def parse_people(words: Sequence[str], person: PersonId) -> list[tuple[PersonId, str]]:
    """Persons and names of the players: `person` under each name, computer players where the word means one.

    :raises IllegalMove: there is no such strength.
    """
    found: list[tuple[PersonId, str]] = []
    for word in words:
        strength = parse_strength(word)
        name = word if strength is None else free_name(COMPUTER_NAME, (name for _, name in found))
        found.append((person if strength is None else computer_person(strength), name))
    return found

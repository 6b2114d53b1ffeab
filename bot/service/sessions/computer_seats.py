"""Seats that computer players hold, or keep warm for somebody who is silent: their person is `computer:` and a strength."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.ai.title_parameters import STRENGTHS
from bot.engine.refusals import IllegalMove
from bot.store import SeatRecord

COMPUTER = "computer:"
USUAL = "steady"
NAME = "Computer"


def is_computer(person: str) -> bool:
    """Whether this person is a computer player."""
    return person.startswith(COMPUTER)


def computer(strength: str) -> str:
    """The person that a computer player of that strength is."""
    return COMPUTER + strength


def mover(held: SeatRecord) -> str:
    """The computer player that moves for a seat: its holder, or who keeps it warm; empty when people do."""
    return next((person for person in (held.person, held.sitter) if is_computer(person)), "")


def strength_called(word: str) -> str | None:
    """The strength that is meant by `computer`, `computer-strong` or `computer:strong`; None where a person is.

    :raises IllegalMove: there is no such strength.
    """
    name, _, strength = word.casefold().replace(":", "-").partition("-")
    if name != NAME.casefold():
        return None
    if (strength or USUAL) not in STRENGTHS:
        raise IllegalMove(
            "Computer players: {strengths}; for example computer-{example}.",
            "",
            ", ".join(STRENGTHS),
            [*STRENGTHS][-1],
        )
    return strength or USUAL


def computer_name(taken: Iterable[str]) -> str:
    """What the next computer player is called."""
    names = set(taken)
    return next(name for number in range(1, 20) if (name := NAME if number == 1 else f"{NAME} {number}") not in names)


def people_called(words: Sequence[str], person: str) -> list[tuple[str, str]]:
    """Persons and names of those who play: `person` himself under each name, computer players where these are meant.

    :raises IllegalMove: there is no such strength.
    """
    found: list[tuple[str, str]] = []
    for word in words:
        strength = strength_called(word)
        name = word if strength is None else computer_name(name for _, name in found)
        found.append((person if strength is None else computer(strength), name))
    return found

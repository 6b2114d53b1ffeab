"""The rules for players' names, and the order in which they sit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from bot.engine import NO_GAME, IllegalMove, PersonId, SeatNumber, SeededRandom
from bot.engine.notation import verb_words
from bot.engine.play import Title
from bot.service.parser.vocabulary import ALIASES, DETAILS
from bot.store import SeatRecord

LONGEST_NAME = 32


def clean_name(name: str) -> str:
    """A player's name in one line of ordinary letters.

    :raises IllegalMove: nothing is left of it.
    """
    kept = plain_name(name)
    if not kept:
        raise IllegalMove("A name needs letters or digits.")
    return kept


def plain_name(name: str) -> str:
    kept = "".join(letter for letter in " ".join(name.split()) if letter.isalnum() or letter in " _-.'")
    kept = kept[:LONGEST_NAME].strip()
    return kept if any(letter.isalnum() for letter in kept) else ""


def seat_name(title: Title, name: str, taken: Iterable[str]) -> str:
    """The cleaned name, if nothing else at the table has it.

    :raises IllegalMove: a move could be misread with it, or another player has it.
    """
    name = clean_name(name)
    lowered = name.casefold()
    namesake = next((other for other in taken if other.casefold() == lowered), None)
    if namesake is not None:
        raise IllegalMove("There is already a player called {name}.", "", namesake)
    nouns = (title.companies, title.privates, title.trains, title.land.map.hexes, title.land.tiles)
    if any(lowered == str(noun).casefold() for known in nouns for noun in known):
        raise IllegalMove("{name} is a name used in {title}; choose another name.", "", name, title.name)
    if lowered.isdigit() or lowered in {*verb_words(title), *ALIASES, *DETAILS}:
        raise IllegalMove("{name} has a meaning in moves; choose another name.", "", name)
    return name


def numbered_name(name: str, person: PersonId, others: Sequence[SeatRecord]) -> str:
    """A name for somebody's seat: with a number if another seat of theirs has that name."""
    taken = {record.name.casefold() for record in others}
    if not any(record.person == person and record.name.casefold() == name.casefold() for record in others):
        return name
    return next(
        longer for number in range(2, len(others) + 3) if (longer := f"{name} {number}").casefold() not in taken
    )


def build_seats(title: Title, people: Sequence[tuple[PersonId, str]]) -> list[SeatRecord]:
    """Seats for these (person, name), in this order.

    :raises IllegalMove: a name cannot be used, or there are too many players.
    """
    most = title.players.stop - 1
    if len(people) > most:
        raise IllegalMove("{name} is for at most {most} players, not {people}.", "", title.name, most, len(people))
    seats: list[SeatRecord] = []
    for person, name in people:
        taken = [record.name for record in seats]
        seats.append(SeatRecord(NO_GAME, SeatNumber(len(seats) + 1), person, seat_name(title, name, taken)))
    return seats


def renumber(seats: Iterable[SeatRecord]) -> list[SeatRecord]:
    return [msgspec.structs.replace(record, number=number) for number, record in enumerate(seats, 1)]


def deal_seats(seats: Sequence[SeatRecord], seed: int) -> list[SeatRecord]:
    """The seats in an order drawn by the seed (1848 §2.1)."""
    return renumber(SeededRandom(seed).permutation(seats))

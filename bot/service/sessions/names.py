"""The rules for players' names, and the order in which they sit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import count

import msgspec

from bot.engine import NO_GAME, IllegalMove, PersonId, SeatNumber, SeededRandom
from bot.engine.notation import verb_words
from bot.engine.play import Title
from bot.service.parser.vocabulary import ALIASES, DETAILS
from bot.store import SeatRecord

from .name_likeness import latin_form, likeness, seen_letters

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
    kept = "".join(letter for letter in " ".join(seen_letters(name).split()) if letter.isalnum() or letter in " _-.'")
    kept = kept[:LONGEST_NAME].strip()
    return kept if any(letter.isalnum() for letter in kept) else ""


def seat_name(title: Title, name: str, taken: Iterable[str], form: Callable[[str], str] = likeness) -> str:
    """The cleaned name, if nothing else at the table has it or looks like it: names of equal `form` are the same.

    :raises IllegalMove: a move could be misread with it, or another player has it.
    """
    name = clean_name(name)
    lowered = latin_form(name)
    namesake = next((other for other in taken if form(other) == form(name)), None)
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
    if not any(record.person == person and likeness(record.name) == likeness(name) for record in others):
        return name
    return free_name(name, [record.name for record in others])


def guest_name(name: str, person: PersonId, seats: Iterable[SeatRecord]) -> str:
    """The cleaned name, with a number if a player at the table has that name or one that looks like it.

    :raises IllegalMove: nothing is left of it.
    """
    return free_name(clean_name(name), [record.name for record in seats if record.person != person])


def free_name(name: str, taken: Iterable[str]) -> str:
    """The name, with the least number that makes it another than those taken; a long name is cut to make room for it."""
    others = {likeness(other) for other in taken}
    numbers = ("" if number == 1 else f" {number}" for number in count(1))
    names = (f"{name[: LONGEST_NAME - len(end)].rstrip()}{end}" for end in numbers)
    return next(found for found in names if likeness(found) not in others)


def build_seats(
    title: Title, people: Sequence[tuple[PersonId, str]], form: Callable[[str], str] = likeness
) -> list[SeatRecord]:
    """Seats for these (person, name), in this order; names of equal `form` are the same.

    :raises IllegalMove: a name cannot be used, or there are too many players.
    """
    most = title.players.stop - 1
    if len(people) > most:
        raise IllegalMove("{name} is for at most {most} players, not {people}.", "", title.name, most, len(people))
    seats: list[SeatRecord] = []
    for person, name in people:
        taken = [record.name for record in seats]
        seats.append(SeatRecord(NO_GAME, SeatNumber(len(seats) + 1), person, seat_name(title, name, taken, form)))
    return seats


def renumber(seats: Iterable[SeatRecord]) -> list[SeatRecord]:
    return [msgspec.structs.replace(record, number=number) for number, record in enumerate(seats, 1)]


def deal_seats(seats: Sequence[SeatRecord], seed: int) -> list[SeatRecord]:
    """The seats in an order drawn by the seed (1848 §2.1)."""
    return renumber(SeededRandom(seed).permutation(seats))

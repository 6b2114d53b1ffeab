"""Who meets whom in a round of a season, and how its players stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from statistics import fmean

from bot.engine import GameId, PersonId
from bot.store import SITS_OUT, DrawRecord, EntrantRecord, FinishedGame, RatedSeat, SeasonRecord

KEPT_APART = 1000
"""The strain of two people who do not want to meet; every game that two have had together is a strain of 1."""

Strain = Callable[[PersonId, PersonId], int]


@dataclass(frozen=True)
class SeasonStanding:
    """A player's points; `share` is their mean part of what their tables were worth, where 1 is an equal part."""

    entrant: EntrantRecord
    points: float
    share: float
    games: int


# -- tables -------------------------------------------------------------------------------------------


def table_sizes(number: int, wanted: int, players: range) -> list[int]:
    """The number of people at each table, as near to the wanted size as the title allows; empty where they cannot be seated."""
    least, most = players.start, players.stop - 1
    possible = [tables for tables in range(1, number // least + 1) if number <= tables * most]
    if not possible:
        return []
    tables = min(possible, key=lambda tables: (abs(number / tables - wanted), tables))
    return [number // tables + (table < number % tables) for table in range(tables)]


def draw_tables(order: Sequence[PersonId], sizes: Sequence[int], strain: Strain) -> list[list[PersonId]]:
    """Tables of neighbours in that order, except where others go together with less strain."""
    waiting, tables = list(order), list[list[PersonId]]()
    for size in sizes:
        table = [waiting.pop(0)]
        while len(table) < size:
            table.append(min(waiting, key=lambda person: strain_at(person, table, strain)))
            waiting.remove(table[-1])
        tables.append(table)
    while any(_swap(one, other, strain) for one, other in combinations(tables, 2)):
        pass
    return tables


def strain_at(person: PersonId, table: Iterable[PersonId], strain: Strain) -> int:
    return sum(strain(person, other) for other in table if other != person)


def _swap(one: list[PersonId], other: list[PersonId], strain: Strain) -> bool:
    """Let two people of two tables change places if that is less of a strain; returns whether any did."""
    for here, there in product(range(len(one)), range(len(other))):
        before = strain_at(one[here], one, strain) + strain_at(other[there], other, strain)
        one[here], other[there] = other[there], one[here]
        if strain_at(one[here], one, strain) + strain_at(other[there], other, strain) < before:
            return True
        one[here], other[there] = other[there], one[here]
    return False


def strain_of(drawn: Iterable[DrawRecord], apart: Mapping[PersonId, Collection[PersonId]]) -> Strain:
    """How little two people want to meet, after these draws."""
    tables: dict[tuple[int, int], list[PersonId]] = {}
    for one in drawn:
        if one.number != SITS_OUT:
            tables.setdefault((one.round, one.number), []).append(one.person)
    met = Counter(frozenset(pair) for people in tables.values() for pair in combinations(people, 2))
    return lambda one, other: met[frozenset((one, other))] + KEPT_APART * (other in apart.get(one, ()))


# -- standings ----------------------------------------------------------------------------------------


def standings_of(
    season: SeasonRecord,
    entrants: Sequence[EntrantRecord],
    drawn: Sequence[DrawRecord],
    outcomes: Mapping[GameId, FinishedGame],
) -> list[SeasonStanding]:
    """The players of a season, the best first: by points, then by their share of what their tables were worth.

    A game is worth a point for every other player of a table of the season's size who is left behind, half a point for a tie;
    larger and smaller tables count in proportion. Sitting a round out is worth half of that. A substitute's seat counts for nobody.
    """
    points, shares = dict[PersonId, float](), dict[PersonId, list[float]]()
    for one in drawn:
        points.setdefault(one.person, 0.0)
        if one.number == SITS_OUT:
            points[one.person] += (season.size - 1) / 2
        elif one.game is not None and one.game in outcomes:
            outcome = outcomes[one.game]
            own = [seat for seat in outcome.seats_of(one.person) if not seat.standing.inherited]
            shares.setdefault(one.person, [])
            if own:
                points[one.person] += _part_beaten(own[0], outcome) * (season.size - 1)
                shares[one.person].append(_share(own[0], outcome))
    found = [
        SeasonStanding(
            one, points.get(one.person, 0.0), fmean(shares.get(one.person) or [0.0]), len(shares.get(one.person, ()))
        )
        for one in entrants
    ]
    return sorted(found, key=lambda one: (-one.points, -one.share, one.entrant.entered_at, one.entrant.person))


def _part_beaten(own: RatedSeat, outcome: FinishedGame) -> float:
    """The part of the other players that somebody has left behind."""
    place, others = own.standing.place, [seat.standing.place for seat in outcome.seats if seat is not own]
    return sum(0.5 if other == place else other > place for other in others) / len(others)


def _share(own: RatedSeat, outcome: FinishedGame) -> float:
    mean = fmean(max(0, seat.standing.score) for seat in outcome.seats)
    return max(0, own.standing.score) / mean if mean else 1.0

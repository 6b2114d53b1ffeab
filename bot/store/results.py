"""Figures and ratings of games that are over. No row holds a person, except who left: seats say who sits there now, so
somebody who is erased is nobody here too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import Select, and_, bindparam, delete, func, insert, or_, select, tuple_, update
from sqlalchemy.engine import RowMapping

from bot.engine import GameId, PersonId

from .backends.sqlalchemy_async import AsyncConnection
from .games import ILLEGIBLE
from .kinds import GameStatus
from .records import DepartureRecord, GameRecord, ResultRecord, SeatRecord, StandingRecord
from .repository import Repository
from .rows import decode_leniently, record_of, row_of
from .schema import departures, games, places, results, seats, standings

RATING = ("expected", "mu", "sigma", "title_mu", "title_sigma")
UNRATED = dict.fromkeys(RATING)
AT_ONCE = 100
"""Games whose rows are read together: some ten milliseconds of the event loop."""

ON_SEAT = and_(seats.c.game == standings.c.game, seats.c.number == standings.c.seat)
SAVE_RATING = (
    update(standings)
    .where(standings.c.game == bindparam("of_game"), standings.c.seat == bindparam("of_seat"))
    .values({name: bindparam(f"new_{name}") for name in RATING})
)


@dataclass(frozen=True)
class RatedSeat:
    """A standing with the person who sits there now."""

    standing: StandingRecord
    held: SeatRecord


@dataclass(frozen=True)
class FinishedGame:
    """A game that is over, with its seats by their places."""

    result: ResultRecord
    seats: tuple[RatedSeat, ...]

    def seats_of(self, person: PersonId) -> list[RatedSeat]:
        return [one for one in self.seats if person and one.held.person == person]


class ResultRepository(Repository):
    async def list_due(self, most: int, without: Collection[GameId] = ()) -> list[GameRecord]:
        """Games that are over and have no figures yet, in the order in which they ended."""
        query = (
            select(games)
            .outerjoin(results, results.c.game == games.c.id)
            .where(games.c.status == GameStatus.FINISHED, results.c.game.is_(None), games.c.id.not_in(sorted(without)))
            .order_by(games.c.updated_at, games.c.id)
            .limit(most)
        )
        return [decode_leniently(row, GameRecord, ILLEGIBLE) for row in await self.database.find_rows(query)]

    async def count_due(self) -> int:
        query = (
            select(func.count())
            .select_from(games.outerjoin(results, results.c.game == games.c.id))
            .where(games.c.status == GameStatus.FINISHED, results.c.game.is_(None))
        )
        return int(await self.database.find_value(query) or 0)

    async def drop_stale(self) -> int:
        """Drop the figures of games that have gone on since, or of which a part is missing; returns how many there were."""
        complete = select(func.count()).where(standings.c.game == results.c.game).correlate(results).scalar_subquery()
        query = (
            select(results.c.game)
            .join(games, games.c.id == results.c.game)
            .where(
                or_(
                    games.c.status != GameStatus.FINISHED,
                    games.c.version != results.c.version,
                    complete != results.c.players,
                )
            )
        )
        stale = list(await self.database.find_values(query))
        if stale:
            async with self.database.write_transaction() as connection:
                await drop_results(connection, stale)
        return len(stale)

    async def drop_all(self, with_figures: bool = True) -> None:
        """Drop all ratings, and all figures too if so wished; they are computed again."""
        async with self.database.write_transaction() as connection:
            if with_figures:
                for table in (departures, standings, results):
                    await connection.execute(delete(table))
            else:
                await connection.execute(update(standings).values(UNRATED))

    async def save(
        self, result: ResultRecord, seated: Sequence[StandingRecord], left: Sequence[DepartureRecord]
    ) -> None:
        """Save a game's figures in place of others; ratings of games that ended later are dropped."""
        async with self.database.write_transaction() as connection:
            await drop_results(connection, [result.game])
            await connection.execute(insert(results).values(**row_of(result)))
            await connection.execute(insert(standings), [row_of(one) for one in seated])
            if left:
                await connection.execute(insert(departures), [row_of(one) for one in left])
            await _drop_ratings_after(connection, result.ended_at, result.game)

    async def list_unrated(self, most: int) -> list[FinishedGame]:
        """Games from which ratings follow that are not known yet, in the order in which they ended."""
        waiting = (
            select(results.c.game)
            .join(standings, standings.c.game == results.c.game)
            .where(results.c.rated == 1, standings.c.mu.is_(None))
            .group_by(results.c.game, results.c.ended_at)
            .order_by(results.c.ended_at, results.c.game)
            .limit(most)
        )
        return await self._outcomes(waiting)

    async def newest_rating(
        self, person: PersonId, title: str, before: ResultRecord | None = None
    ) -> StandingRecord | None:
        """A person's last rated game, or the last before another, of this title or (empty) of all."""
        query = (
            select(standings)
            .join(seats, ON_SEAT)
            .join(results, results.c.game == standings.c.game)
            .where(
                seats.c.person == person,
                standings.c.inherited == 0,
                standings.c.mu.is_not(None),
            )
            .order_by(results.c.ended_at.desc(), results.c.game.desc())
            .limit(1)
        )
        if before is not None:
            query = query.where(tuple_(results.c.ended_at, results.c.game) < (before.ended_at, before.game))
        if title:
            query = query.where(results.c.title == title)
        row = await self.database.find_row(query)
        return record_of(row, StandingRecord) if row else None

    async def save_ratings(self, rated: Sequence[StandingRecord]) -> None:
        values = [
            {"of_game": one.game, "of_seat": one.seat, **{f"new_{name}": getattr(one, name) for name in RATING}}
            for one in rated
        ]
        async with self.database.write_transaction() as connection:
            await connection.execute(SAVE_RATING, values)

    async def list_of(
        self, guild: str = "", person: PersonId | None = None, title: str = "", most: int | None = None
    ) -> list[FinishedGame]:
        """Games that are over: of a server, of a person who sits there, of a title; the newest first, at most `most` of them."""
        query = select(results.c.game).order_by(results.c.ended_at.desc(), results.c.game.desc())
        if guild:
            query = query.join(places, places.c.game == results.c.game).where(places.c.guild == guild)
        if person is not None:
            own = select(seats.c.game).where(seats.c.person == person)
            query = query.where(results.c.game.in_(own))
        if title:
            query = query.where(results.c.title == title)
        return (await self._outcomes(query.limit(most)))[::-1]

    async def list_among(self, game_ids: Collection[GameId]) -> list[FinishedGame]:
        """Those of these games that are over, in the order in which they ended."""
        return await self._outcomes(select(results.c.game).where(results.c.game.in_(sorted(game_ids))))

    async def count_left(self, person: PersonId) -> int:
        query = select(func.count()).select_from(departures).where(departures.c.person == person)
        return int(await self.database.find_value(query) or 0)

    async def _outcomes(self, wanted: Select[tuple[GameId]]) -> list[FinishedGame]:
        """The games that a query names, in the order in which they ended. It reads `AT_ONCE` at a time, so that others go on in
        between.
        """
        chosen = list(await self.database.find_values(wanted))
        found: list[FinishedGame] = []
        for first in range(0, len(chosen), AT_ONCE):
            query: Select[Any] = (
                select(results, standings, seats)
                .join(standings, standings.c.game == results.c.game)
                .join(seats, ON_SEAT)
                .where(results.c.game.in_(chosen[first : first + AT_ONCE]))
                .order_by(results.c.ended_at, results.c.game, standings.c.place, standings.c.seat)
            )
            rows = await self.database.find_rows(query)
            found += self.database.read_each(_games_of(rows), _outcome_of)
        return sorted(found, key=lambda one: (one.result.ended_at, one.result.game))


async def drop_results(connection: AsyncConnection, game_ids: Sequence[GameId]) -> None:
    """Drop the figures of games, and the ratings that followed from them."""
    here = results.c.game.in_(game_ids)
    first = (
        await connection.execute(
            select(results.c.ended_at, results.c.game).where(here).order_by(results.c.ended_at, results.c.game).limit(1)
        )
    ).one_or_none()
    if first is not None:
        await _drop_ratings_after(connection, *first)
    for table in (departures, standings, results):
        await connection.execute(delete(table).where(table.c.game.in_(game_ids)))


async def _drop_ratings_after(connection: AsyncConnection, ended_at: float, game_id: GameId) -> None:
    later = select(results.c.game).where(tuple_(results.c.ended_at, results.c.game) > (ended_at, game_id))
    await connection.execute(
        update(standings).where(standings.c.game.in_(later), standings.c.mu.is_not(None)).values(UNRATED)
    )


def _games_of(rows: Sequence[RowMapping]) -> Iterator[list[RowMapping]]:
    for _, group in groupby(rows, lambda row: row[results.c.game]):
        yield list(group)


def _outcome_of(rows: Sequence[RowMapping]) -> FinishedGame:
    """A game that is over, from rows with one seat each.

    :raises StoreDamaged: one cannot be read.
    """
    seated = (RatedSeat(record_of(row, StandingRecord, standings), record_of(row, SeatRecord, seats)) for row in rows)
    return FinishedGame(record_of(rows[0], ResultRecord, results), tuple(seated))

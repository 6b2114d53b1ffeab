"""Clocks, and the outbox: what must still be posted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache

from sqlalchemy import ColumnElement, Delete, bindparam, delete, exists, func, insert, or_, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or_not
from sqlalchemy.engine import RowMapping

from bot.engine import GameId

from .backends.compiled_statements import CompiledStatement
from .calls import calls_of_newest
from .database import Database
from .kinds import GameStatus, NoticeKind
from .mail import mails_of_newest
from .records import Notice, PaceRecord, RunningWait, SeatRecord, WaitRecord
from .repository import Repository
from .rows import record_of, row_of
from .schema import clocks, games, mails, outbox, posts, seats
from .seals import with_seal

SUPERSEDED = "superseded"
"""The reference of a notice that is no longer needed."""

BEGUN = "nonce "
"""Prefix of the reference of a notice that an earlier release had begun to post."""

TOLD = "told:"
"""Prefix of the slot of a message that is sent once; the notice's number follows."""

ADD_NOTICES = insert(outbox)
START_CLOCKS = insert_or_not(clocks).on_conflict_do_nothing()


class ClockRepository(Repository):
    """Clocks of seats that games wait for."""

    async def list_of(self, game_id: GameId) -> list[WaitRecord]:
        query = select(clocks).where(clocks.c.game == game_id).order_by(clocks.c.seat)
        return self.database.readable_records(await self.database.find_rows(query), WaitRecord)

    async def list_due(self, now: float) -> list[WaitRecord]:
        query = (
            select(clocks)
            .join(games, games.c.id == clocks.c.game)
            .where(clocks.c.due_at <= now, games.c.status == GameStatus.RUNNING)
            .order_by(clocks.c.due_at, clocks.c.game, clocks.c.seat)
        )
        query = self.database.for_own_shards(query, clocks.c.game)
        return self.database.readable_records(await self.database.find_rows(query), WaitRecord)

    async def list_running(self) -> list[RunningWait]:
        query = (
            select(clocks, seats, games.c.id, games.c.pace_hours)
            .join(games, games.c.id == clocks.c.game)
            .join(seats, (seats.c.game == clocks.c.game) & (seats.c.number == clocks.c.seat))
            .where(games.c.status == GameStatus.RUNNING)
            .order_by(clocks.c.game, clocks.c.seat)
        )
        return self.database.read_each(await self.database.find_rows(query), _running_wait)

    async def shift(self, first: float, last: float, seconds: float) -> None:
        """Shift the times that clocks noted between two moments, since the machine's clock has been set by `seconds`."""
        async with self.database.write_transaction() as connection:
            for column in (clocks.c.since, clocks.c.reminded_at):
                is_between = column.between(first, last)
                await connection.execute(update(clocks).where(is_between).values({column: column + seconds}))

    async def change(self, wait: WaitRecord) -> bool:
        """Change when a wait's next reminder is due, and until when it is put off, unless the wait has been stopped.
        Returns whether it still runs.
        """
        return await self.change_all([wait]) == 1

    async def change_all(self, records: Iterable[WaitRecord]) -> int:
        """As `set_clock`, for many; returns how many still run."""
        async with self.database.write_transaction() as connection:
            done = [
                await connection.execute(
                    update(clocks)
                    .where(_is_same_wait(wait))
                    .values(due_at=wait.due_at, snoozed_until=wait.snoozed_until)
                )
                for wait in records
            ]
        return sum(one.rowcount for one in done)

    async def record_reminder(self, wait: WaitRecord, reminded: WaitRecord, notice: Notice | None) -> bool:
        """Advance a wait and add its reminder, both or neither. False if another sweep has done it already."""
        values = {"due_at": reminded.due_at, "reminders": reminded.reminders, "reminded_at": reminded.reminded_at}
        async with self.database.write_transaction() as connection:
            done = await connection.execute(
                update(clocks).where(_is_same_wait(wait), clocks.c.due_at == wait.due_at).values(values)
            )
            if done.rowcount != 1:
                return False
            await self.database.backend.run(connection, notice_statements([notice] if notice else []))
        return True


class OutboxRepository(Repository):
    """Notices for the front doors."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._unreadable: set[int] = set()

    async def add(self, notices: Sequence[Notice]) -> None:
        async with self.database.write_transaction() as connection:
            await self.database.backend.run(connection, notice_statements(notices))

    async def list_waiting(self, limit: int = 100, without: Collection[GameId] = ()) -> list[Notice]:
        """Notices still to be posted, oldest first, without questions to seats that have answered since.

        Games `without` are left out.
        """
        query = select(outbox).where(outbox.c.posted_at.is_(None), ~_is_withdrawn()).order_by(outbox.c.id).limit(limit)
        if without:
            query = query.where(outbox.c.game.not_in(sorted(without)))
        query = self.database.for_own_shards(query, outbox.c.game)
        while True:
            rows = await self.database.find_rows(query.where(outbox.c.id.not_in(self._unreadable)))
            found = self.database.readable_records(rows, Notice)
            if len(found) == len(rows):
                return found
            # The room that they take belongs to others.
            self._unreadable |= {row["id"] for row in rows} - {notice.id for notice in found}

    async def list_by(self, numbers: Sequence[int]) -> list[Notice]:
        """Oldest first."""
        query = select(outbox).where(outbox.c.id.in_(numbers)).order_by(outbox.c.id)
        return self.database.readable_records(await self.database.find_rows(query), Notice)

    async def unposted_numbers(self, numbers: Sequence[int]) -> set[int]:
        """The notices among these that this program must still post."""
        query = select(outbox.c.id).where(outbox.c.id.in_(numbers), outbox.c.posted_at.is_(None))
        return set(await self.database.find_values(self.database.for_own_shards(query, outbox.c.game)))

    async def state(self) -> tuple[int, float]:
        """The number of notices to be posted, and when the oldest was written (0 if there is none)."""
        query = select(func.count(), func.min(outbox.c.created_at)).where(outbox.c.posted_at.is_(None))
        query = self.database.for_own_shards(query.select_from(outbox), outbox.c.game)
        async with self.database.single_statement() as connection:
            count, oldest = (await connection.execute(query)).one()
        return int(count), float(oldest) if isinstance(oldest, int | float) else 0.0

    async def supersede(self, now: float) -> int:
        """Remove questions that nobody waits for any more from the outbox; returns how many there were."""
        return await self.database.write(
            update(outbox)
            .where(outbox.c.posted_at.is_(None), _is_withdrawn())
            .values(posted_at=now, reference=SUPERSEDED)
        )

    async def prune(self, before: float, most: int) -> int:
        """Delete at most `most` notices that were posted before then and have no waiting mail; returns how many. The
        newest of all stays, so that no number is given twice.
        """
        waiting = select(mails.c.notice).where(mails.c.sent_at.is_(None), mails.c.notice.is_not(None))
        newest = select(func.max(outbox.c.id)).scalar_subquery()
        # One that was posted before it was written is damaged: `doctor` names it.
        is_old = outbox.c.posted_at.between(outbox.c.created_at, before)
        # By the index of moments: with "less than" a database may go through all numbers up to the newest.
        old = select(outbox.c.id).where(is_old, outbox.c.id != newest, outbox.c.id.not_in(waiting))
        return await self.database.write(delete(outbox).where(outbox.c.id.in_(old.limit(most))))

    async def mark_all_posted(self, notices: Sequence[int], now: float, reference: str) -> None:
        """Note that these notices have been posted, and forget the slots of messages that were sent once for them; all or
        nothing.
        """
        games_of = select(outbox.c.game).where(outbox.c.id.in_(notices))
        slots = [posts.c.slot == f"{TOLD}{number}" for number in notices]
        slots += [posts.c.slot.like(f"{TOLD}{number}:%") for number in notices]
        async with self.database.write_transaction() as connection:
            await connection.execute(delete(posts).where(posts.c.game.in_(games_of), or_(*slots)))
            await connection.execute(
                update(outbox).where(outbox.c.id.in_(notices)).values(posted_at=now, reference=reference)
            )


def _is_same_wait(wait: WaitRecord) -> ColumnElement[bool]:
    """Whether a row is this wait, with no reminder nor restart since."""
    return (
        (clocks.c.game == wait.game)
        & (clocks.c.seat == wait.seat)
        & (clocks.c.since == wait.since)
        & (clocks.c.reminders == wait.reminders)
    )


def _running_wait(row: RowMapping) -> RunningWait:
    """A wait with what its next reminder depends on.

    :raises StoreDamaged: something of that cannot be read.
    """
    return RunningWait(
        record_of(row, WaitRecord, clocks),
        record_of(row, SeatRecord, seats),
        record_of(row, PaceRecord, games).pace_hours,
    )


def _is_withdrawn() -> ColumnElement[bool]:
    """Whether the seat of a question has acted since, or is no longer asked: its clock has stopped, or began after
    the question.
    """
    still_runs = exists().where(
        clocks.c.game == outbox.c.game, clocks.c.seat == outbox.c.seat, clocks.c.number <= outbox.c.number
    )
    return outbox.c.kind.in_((NoticeKind.TURN, NoticeKind.REMINDER)) & ~still_runs


def clock_statements(
    game_id: GameId, fresh: Sequence[WaitRecord], restarted: Sequence[int]
) -> Iterator[CompiledStatement]:
    """Stop the clocks of seats that nobody waits for any more or that have just acted; start those that do not
    run.
    """
    going_on = {
        f"seat_{place}": seat for place, seat in enumerate(clock.seat for clock in fresh if clock.seat not in restarted)
    }
    yield CompiledStatement(_stop_all_but(tuple(going_on)), [{"of_game": game_id, **going_on}])
    if fresh:
        yield CompiledStatement(START_CLOCKS, [row_of(clock) for clock in fresh])


@cache
def _stop_all_but(names: tuple[str, ...]) -> Delete:
    return delete(clocks).where(
        clocks.c.game == bindparam("of_game"), *(clocks.c.seat != bindparam(name) for name in names)
    )


def notice_statements(notices: Iterable[Notice]) -> Iterator[CompiledStatement]:
    """Notices in the outbox, a mail for everybody who reads one by mail, and a call for every address that wants it."""
    rows = [with_seal("outbox", row_of(notice, "id")) for notice in notices]
    if rows:
        yield CompiledStatement(ADD_NOTICES, rows)
        yield mails_of_newest(len(rows))
        yield calls_of_newest(len(rows))

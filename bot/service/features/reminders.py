"""Reminders for the player everyone is waiting for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta

import msgspec

from bot.engine import GameId, IllegalMove, PersonId, Rejected, SeatNumber, msg, seat
from bot.service.sessions import (
    LONGEST_HOLIDAY,
    LONGEST_SNOOZE,
    GameSession,
    SessionManager,
    correct_wait,
    find_zone,
    from_timestamp,
    holiday_grants,
    is_away,
    is_in_force,
    is_quiet,
    log,
    next_due,
    next_waking,
)
from bot.store import (
    EntryKind,
    FailureRecord,
    GameStatus,
    Notice,
    NoticeKind,
    RunningWait,
    SeatRecord,
    StoreDamaged,
    WaitRecord,
    concerns_all,
)
from bot.threads import run_in_thread

from .failures import FailedRows
from .privacy import Privacy

LOOK = timedelta(hours=1)
"""How often the bot checks that reminders are due when they should be."""

POSTED_KEPT, MOST_DROPPED = timedelta(days=30), 500
"""How long posted notices are kept (the log keeps the same for good), and how many are dropped at once."""

QUEUE = "reminder"

UNREACHED = "{player} gets no direct messages from me and may not know that the game waits for them."

RETRIES = (timedelta(minutes=10), timedelta(hours=1), timedelta(hours=4), timedelta(hours=12), timedelta(days=1))
"""Pauses after each failure in turn until a reminder is tried again; the last one repeats."""

FAILURES_KEPT = timedelta(days=60)

PRUNE_AFTER, PRUNE_SPACING = timedelta(days=60), timedelta(days=1)
"""The latest positions are dropped of games that have been over for as long as notices are kept, and at most
this much longer; and how often.
"""


class Reminders:
    _looked: datetime | None = None
    _thinned: datetime | None = None

    def __init__(
        self,
        desk: SessionManager,
        failures: FailedRows,
        privacy: Privacy,
        duties: Sequence[Callable[[], Awaitable[int]]],
    ) -> None:
        """`duties` are done at every sweep, once for all games."""
        self.desk, self.failures, self.privacy, self.duties = desk, failures, privacy, duties

    async def sweep(self, now: datetime | None = None) -> int:
        """Put every reminder that is due into the outbox, each once, and notify the front doors; returns how many."""
        now = now or self.desk.clock()
        if self.desk.has_duties:
            await self._run_housekeeping(now)
        failed = {failure.key: failure for failure in await self.desk.store.failures.list_all(QUEUE)}
        reminded: list[GameId] = []
        for wait in await self.desk.store.clocks.list_due(now.timestamp()):
            failure = failed.get(key_of(wait))
            if failure is not None and is_resting(failure, now):
                continue
            try:
                is_reminded = await self._remind(wait, now)
            except Exception as error:
                if concerns_all(error):
                    raise
                await self._postpone(wait, error)
                continue
            if failure is not None:
                await self.failures.forget(QUEUE, failure.key)
            if is_reminded:
                reminded.append(wait.game)
        for game in dict.fromkeys(reminded):
            await self.desk.notify(game)
        return len(reminded)

    async def _run_housekeeping(self, now: datetime) -> None:
        """Do what is done once for all games. If damage prevents one part, the others are still done, and reminders
        come.
        """
        store = self.desk.store
        for part in (
            lambda: self._handle_clock_jumps(now),
            lambda: store.outbox.supersede(now.timestamp()),
            lambda: store.outbox.prune((now - POSTED_KEPT).timestamp(), MOST_DROPPED),
            lambda: self._prune_snapshots(now),
            lambda: store.failures.forget_old((now - FAILURES_KEPT).timestamp()),
            self.privacy.finish,
            *self.duties,
            store.purge,
        ):
            try:
                await part()
            except StoreDamaged as damage:
                log.error("housekeeping: %s", damage)

    async def _postpone(self, wait: WaitRecord, error: Exception) -> None:
        """Postpone a reminder that could not be made; others are made meanwhile. After some tries the table hears of
        it once.
        """
        extra = {"game": wait.game}
        log.error("no reminder for seat %d: %s", wait.seat, type(error).__name__, exc_info=error, extra=extra)

        async def tell(game_id: GameId) -> None:
            line = msg(
                "This game cannot be opened for reminders. The operator can find out why with: signalbox doctor."
            )
            await self.desk.store.outbox.add([Notice(game_id, wait.number, NoticeKind.TOLD, [line], self.desk.now())])
            await self.desk.notify(game_id)

        await self.failures.set_back(QUEUE, key_of(wait), type(error).__name__, wait.game, tell)

    async def tell_of_unreached(self, game_id: GameId, number: SeatNumber) -> None:
        """Tell a table, at the first reminder of a turn, that its player gets no direct messages and so hears of nothing."""
        waits = await self.desk.store.clocks.list_of(game_id)
        if any(wait.seat == number and wait.reminders == 1 for wait in waits):
            table = await self.desk.table(game_id)
            line = msg(UNREACHED, seat(number))
            notice = Notice(game_id, table.record.version, NoticeKind.TOLD, [line], self.desk.now())
            await self.desk.store.outbox.add([notice])
            await self.desk.notify(game_id)

    async def _prune_snapshots(self, now: datetime) -> None:
        """Once a day, drop positions that saved time while games were played that are over now."""
        if self._thinned is not None and timedelta(0) <= now - self._thinned < PRUNE_SPACING:
            return
        last = now - POSTED_KEPT
        await self.desk.store.moves.prune_snapshots((last - PRUNE_AFTER).timestamp(), last.timestamp())
        self._thinned = now

    async def _remind(self, wait: WaitRecord, now: datetime) -> bool:
        """Make one reminder, unless its receiver sleeps or does not want any. Returns whether there is something to
        post.
        """
        table = await self.desk.table(wait.game)
        record = table.find_seat(wait.seat)
        if record is None or table.game is None:
            return False
        if is_away(record, now) or is_quiet(now, record):
            later = from_timestamp(record.away_until or 0.0) if is_away(record, now) else now
            await self.desk.store.clocks.change(
                msgspec.structs.replace(wait, due_at=next_waking(later, record).timestamp())
            )
            return False
        reminded = msgspec.structs.replace(wait, reminders=wait.reminders + 1, reminded_at=now.timestamp())
        reminded.due_at = next_due(reminded, table.record.pace_hours, record, now).timestamp()
        notice = None
        if not record.muted:
            notice = Notice(wait.game, table.record.version, NoticeKind.REMINDER, [], now.timestamp(), wait.seat)
        was_first = await self.desk.store.clocks.record_reminder(wait, reminded, notice)
        return was_first and notice is not None

    async def _handle_clock_jumps(self, now: datetime) -> None:
        """Recalculate when reminders are due: after a start, when the machine's clock has been set, and every hour."""
        jump = self.desk.timekeeper.jump(now.timestamp())
        if jump is None and self._looked is not None and timedelta(0) <= now - self._looked < LOOK:
            return
        if jump is not None:
            log.warning("the machine's clock has been set by %.0f s", jump.seconds)
            await self.desk.store.clocks.shift(jump.first, jump.last, jump.seconds)
        running = await self.desk.store.clocks.list_running()
        right = await run_in_thread(lambda: [_correct_or_keep(one, now) for one in running])
        await self.desk.store.clocks.change_all(one for one, was in zip(right, running, strict=True) if one != was.wait)
        keys = {key_of(wait) for wait in right}
        for failure in await self.desk.store.failures.list_all(QUEUE):
            if failure.key not in keys:
                await self.failures.forget(QUEUE, failure.key)
        self._looked = now

    async def snooze(self, game_id: GameId, person: PersonId, hours: float) -> datetime:
        """Pause reminders of this game for this number of hours; returns when the next may come.

        :raises IllegalMove: the person has no seat, or the time is too long.
        """
        if not 0 < hours <= LONGEST_SNOOZE / timedelta(hours=1):
            raise IllegalMove("Reminders can be put off for up to {days} days.", "", LONGEST_SNOOZE.days)
        async with self.desk.lock(game_id):
            until = self.desk.clock() + timedelta(hours=hours)
            await self._reschedule(game_id, person, snoozed_until=until.timestamp())
        return until

    async def mute(self, game_id: GameId, person: PersonId, is_muted: bool = True) -> None:
        async with self.desk.lock(game_id):
            await self._change_own_seats(game_id, person, muted=is_muted)

    async def set_quiet_hours(self, game_id: GameId, person: PersonId, zone: str, begin: int, end: int) -> None:
        """Set a person's quiet hours in a game, in full hours of their time zone; equal ends mean none.

        :raises IllegalMove: the person has no seat, or the zone or an hour does not exist.
        """
        check_hours(zone, begin, end)
        async with self.desk.lock(game_id):
            await self._change_own_seats(game_id, person, zone=zone, quiet_from=begin % 24, quiet_to=end % 24)
            await self._reschedule(game_id, person)

    async def set_default_quiet_hours(self, person: PersonId, zone: str, begin: int, end: int) -> int:
        """Set a person's quiet hours in all their games, present and future; returns in how many they hold now.

        :raises IllegalMove: the zone or an hour does not exist.
        """
        check_hours(zone, begin, end)
        habits = await self.desk.store.people.find(person)
        quiet = (begin % 24, end % 24)
        await self.desk.store.people.save(
            msgspec.structs.replace(habits, zone=zone, quiet_from=quiet[0], quiet_to=quiet[1])
        )
        games = await self._games_with_seats(person)
        for game in games:
            await self.set_quiet_hours(game, person, zone, begin, end)
        return len(games)

    async def set_holiday(self, person: PersonId, days: float) -> datetime | None:
        """Pause reminders in all games for this number of days (none: back again); returns until when.

        :raises IllegalMove: the time is too long.
        """
        if not 0 <= days <= LONGEST_HOLIDAY.days:
            raise IllegalMove("A holiday lasts up to {days} days; for longer, find a sitter.", "", LONGEST_HOLIDAY.days)
        until = self.desk.clock() + timedelta(days=days) if days else None
        stamp = until.timestamp() if until else None
        await self.desk.store.people.save(
            msgspec.structs.replace(await self.desk.store.people.find(person), away_until=stamp)
        )
        for game in await self._games_with_seats(person):
            async with self.desk.lock(game):
                await self._change_own_seats(game, person, away_until=stamp)
                await self._reschedule(game, person)
                await self._rest_clock(game, person)
        return until

    async def _rest_clock(self, game_id: GameId, person: PersonId) -> None:
        """Let the time of somebody's seats rest for their holiday in a game with a clock, and an earlier holiday end."""
        table = await self.desk.table(game_id)
        if table.record.clock is None or table.game is None:
            return
        own = table.held_by(person)
        now = self.desk.clock()
        await self.desk.store.ledger.end_holidays(game_id, [held.number for held in own], now.timestamp())
        entries = await self.desk.store.ledger.list_of(game_id)
        await self.desk.store.ledger.add(
            holiday_grants(game_id, table.record.clock, entries, own, table.record.version, now)
        )

    async def holiday_ends(self, person: PersonId) -> list[tuple[GameId, datetime]]:
        """The games with a clock in which a person is on holiday, each with the moment from which their time counts
        again.
        """
        found = []
        for game in await self._games_with_seats(person):
            own = {held.number for held in await self.desk.store.games.seats(game) if held.person == person}
            entries = await self.desk.store.ledger.list_of(game)
            ends = [one.until for one in entries if one.kind == EntryKind.HOLIDAY and one.seat in own and one.until]
            table = await self.desk.table(game)
            if table.record.clock is not None and table.game is not None:
                found.append((game, from_timestamp(max([self.desk.now(), *ends]))))
        return found

    async def _games_with_seats(self, person: PersonId) -> list[GameId]:
        """The games that are not over in which a person has their own seat, as far as they can be opened."""
        records = [
            record for record in await self.desk.store.games.list_of(person) if record.status != GameStatus.FINISHED
        ]
        opened = [table for record in records if (table := await self._open_or_none(record.id)) is not None]
        return [table.record.id for table in opened if table.held_by(person)]

    async def _open_or_none(self, game_id: GameId) -> GameSession | None:
        """None where the game cannot be opened, so that it does not hold up the others."""
        try:
            return await self.desk.table(game_id)
        except (Rejected, StoreDamaged) as error:
            log.warning("left out, for it cannot be opened: %s", error, extra={"game": game_id})
            return None

    async def _change_own_seats(self, game_id: GameId, person: PersonId, **values: object) -> None:
        """Change a person's own seats. All else stays as it is stored, even a sitter who does not count now.

        :raises IllegalMove: the person has no seat.
        """
        own = self._own_seats(await self.desk.table(game_id), person)
        kept = await self.desk.store.games.seats(game_id)
        await self.desk.store.games.set_seats(
            game_id, [msgspec.structs.replace(record, **values) if record.number in own else record for record in kept]
        )

    async def _reschedule(self, game_id: GameId, person: PersonId, **values: float) -> None:
        """Change the clocks of a person's seats, and recalculate when their reminders are due.

        :raises IllegalMove: the person has no seat.
        """
        table = await self.desk.table(game_id)
        own = self._own_seats(table, person)
        for wait in [wait for wait in await self.desk.store.clocks.list_of(game_id) if wait.seat in own]:
            changed = msgspec.structs.replace(wait, **values)
            changed.due_at = next_due(changed, table.record.pace_hours, own[wait.seat], self.desk.clock()).timestamp()
            await self.desk.store.clocks.change(changed)

    def _own_seats(self, table: GameSession, person: PersonId) -> dict[int, SeatRecord]:
        self.desk.check(table, person, "remind")
        return {held.number: held for held in table.held_by(person)}


def key_of(wait: WaitRecord) -> str:
    """The key of a wait among failed rows, by game, seat and beginning: a wait that begins anew is another
    wait.
    """
    return f"{wait.game}:{wait.seat}:{wait.since:.0f}"


def is_resting(failure: FailureRecord, now: datetime) -> bool:
    """Whether a failed reminder is not tried again yet. Even a reminder that is set aside is tried again: the game
    may have been mended.
    """
    return is_in_force(
        failure.last_at + RETRIES[min(failure.tries, len(RETRIES)) - 1].total_seconds(), RETRIES[-1], now
    )


def _correct_or_keep(running: RunningWait, now: datetime) -> WaitRecord:
    """The wait as it should be; unchanged where that cannot be known."""
    try:
        return correct_wait(running, now)
    except Exception:
        log.exception("a wait cannot be set right", extra={"game": running.wait.game})
        return running.wait


def check_hours(zone: str, begin: int, end: int) -> None:
    """Refuse a time zone or an hour that does not exist.

    :raises IllegalMove: with that.
    """
    if find_zone(zone) is None:
        raise IllegalMove("There is no time zone {zone}; write it like Europe/Berlin or America/New_York.", "", zone)
    if begin not in range(25) or end not in range(25):
        raise IllegalMove("Hours must be from 0 to 24.")

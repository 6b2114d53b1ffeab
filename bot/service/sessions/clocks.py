"""When somebody who holds a game up is reminded: only waking hours count, and the distance grows.

The machine's clock may have been wrong when a moment was noted. What was noted stays as it is; a moment that now has not
reached is not believed. So everything comes right again with the clock, whichever way it was wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from bot.store import ClockRecord, RunningClock, SeatRecord

PACES = {"fast": 12.0, "normal": 48.0, "slow": 96.0}
"""Hours of waking time that a turn may take."""

GROWTH = (1, 2, 4, 7)
"""Days between reminders after the pace has been used up; the last one repeats."""

SHORTEST_DISTANCE = timedelta(hours=4)
"""Between two reminders, also when the bot was away while both fell due."""

LONGEST_SNOOZE = timedelta(days=14)
LONGEST_HOLIDAY = timedelta(days=60)
LONGEST_SITTING = timedelta(days=60)

TOLERANCE = timedelta(minutes=5)
"""By how much a machine's clock may be wrong without anybody caring."""


def zone_named(name: str) -> ZoneInfo | None:
    """The time zone of that name, None where this machine knows none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def zone_of(seat: SeatRecord) -> ZoneInfo:
    """The seat's time zone; UTC where the name is unknown to this machine."""
    return zone_named(seat.zone) or ZoneInfo("UTC")


def has_quiet_hours(seat: SeatRecord) -> bool:
    """Whether there are quiet hours; equal ends mean none."""
    return seat.quiet_from is not None and seat.quiet_to is not None and seat.quiet_from != seat.quiet_to


def quiet_spans(moment: datetime, seat: SeatRecord) -> Iterator[tuple[datetime, datetime]]:
    """The quiet hours of every day from the day before `moment` on, as moments in UTC, without end.

    They may run over midnight, and last an hour more or less where summer time begins or ends in them.
    """
    zone, begin, end = zone_of(seat), seat.quiet_from or 0, seat.quiet_to or 0
    day = moment.astimezone(zone).date() - timedelta(days=1)
    while True:
        last = day + timedelta(days=1) if end < begin else day
        yield _moment(day, begin, zone), _moment(last, end, zone)
        day += timedelta(days=1)


def _moment(day: date, hour: int, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(hour), zone).astimezone(UTC)


def is_quiet(moment: datetime, seat: SeatRecord) -> bool:
    """Whether the seat sleeps then."""
    return next_waking(moment, seat) != moment


def next_waking(moment: datetime, seat: SeatRecord) -> datetime:
    """The moment itself, or the end of the quiet hours that it falls into."""
    return add_waking(moment, 0, seat)


def add_waking(start: datetime, hours: float, seat: SeatRecord) -> datetime:
    """The moment when so many waking hours have gone by; never within quiet hours."""
    left = timedelta(hours=hours)
    if not has_quiet_hours(seat):
        return start + left
    moment = start
    for begin, end in quiet_spans(start, seat):
        if end <= moment:
            continue
        free = max(begin - moment, timedelta(0))
        if left < free:
            break
        left -= free
        moment = end
    return moment + left


def due_after(since: datetime, reminders: int, pace_hours: float, seat: SeatRecord, now: datetime) -> datetime:
    """When the reminder is due that follows `reminders` others: half the pace, the pace, then at growing distances."""
    if reminders < 2:
        return add_waking(since, pace_hours * (reminders + 1) / 2, seat)
    days = GROWTH[min(reminders - 2, len(GROWTH) - 1)]
    return next_waking(now + timedelta(days=days), seat)


def reckoned(clock: ClockRecord, pace_hours: float, seat: SeatRecord, now: datetime) -> datetime:
    """When a clock's next reminder is due, by what is known of it now. It keeps its distance from the last one, however
    late that was; what is not believed counts as of now."""
    since = believed(clock.since, now)
    last = None if clock.reminded_at is None else believed(clock.reminded_at, now)
    due = due_after(since, clock.reminders, pace_hours, seat, last or since)
    if last is not None:
        due = max(due, last + SHORTEST_DISTANCE)
    if holds(clock.snoozed_until, LONGEST_SNOOZE, now):
        due = max(due, moment_of(clock.snoozed_until or 0.0))
    if is_away(seat, now):
        due = max(due, moment_of(seat.away_until or 0.0))
    return next_waking(due, seat)


def set_right(running: RunningClock, now: datetime) -> ClockRecord:
    """The clock as it should be. Where something of it is not believed, its reminder is due no later than if that had
    been now, and is not put off again at every look."""
    clock = running.clock
    due = reckoned(clock, running.pace_hours, running.seat, now).timestamp()
    is_known = max(clock.since, clock.reminded_at or 0.0) <= (now + TOLERANCE).timestamp()
    return msgspec.structs.replace(clock, due_at=due if is_known else min(due, clock.due_at))


def waits_since(clock: ClockRecord, now: datetime) -> datetime:
    """Since when a seat is waited for, as far as that is believed: else since its last reminder, else since now."""
    noted = (moment_of(noted) for noted in (clock.since, clock.reminded_at) if noted is not None)
    return next((moment for moment in noted if moment <= now + TOLERANCE), now)


def believed(noted: float, now: datetime) -> datetime:
    """A moment that was noted, or now where the machine's clock says that it is yet to come."""
    return min(moment_of(noted), now)


def holds(until: float | None, longest: timedelta, now: datetime) -> bool:
    """Whether something that lasts so long at most lasts still. What ends later than it can was noted under a wrong
    clock, or the clock is wrong now: it does not count."""
    return until is not None and now < moment_of(until) <= now + longest + TOLERANCE


def is_away(seat: SeatRecord, now: datetime) -> bool:
    """Whether the seat is on holiday."""
    return holds(seat.away_until, LONGEST_HOLIDAY, now)


@dataclass(frozen=True)
class ClockJump:
    """The machine's clock has been set by so many seconds. What this program had noted before lies between `first` and
    `last`, as the clock said then."""

    seconds: float
    first: float
    last: float


class Timekeeper:
    """Notices that the machine's clock has been set. `steady` tells seconds that nobody sets; without it nothing is
    noticed."""

    def __init__(self, now: float, steady: Callable[[], float] | None = None) -> None:
        self._first = self._last = now
        self._steady = steady
        self._read = steady() if steady else 0.0

    def jump(self, now: float) -> ClockJump | None:
        """How the clock has been set since the last look; None when it has not."""
        if self._steady is None:
            return None
        first, last = self._first, self._last
        self._last = now
        read, self._read = self._read, self._steady()
        last += self._read - read
        if abs(now - last) <= TOLERANCE.total_seconds():
            return None
        self._first += now - last
        return ClockJump(now - last, first, last)


def moment_of(timestamp: float) -> datetime:
    """A stored time as an aware datetime."""
    return datetime.fromtimestamp(timestamp, UTC)

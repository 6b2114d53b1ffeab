"""When somebody who holds a game up is reminded: only waking hours count, and the distance grows.

The machine's clock may have been wrong when a moment was noted. A noted moment stays as it is; a moment that now has
not reached is not believed. So everything comes right again with the clock, whichever way it was wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from bot.store import RunningWait, SeatRecord, WaitRecord

PACES = {"fast": 12.0, "normal": 48.0, "slow": 96.0}
"""Hours of waking time that a turn may take."""

GROWTH = (1, 2, 4, 7)
"""Days between reminders after the pace is used up; the last repeats."""

SHORTEST_DISTANCE = timedelta(hours=4)
"""Minimum time between two reminders, even if the bot was away while both fell due."""

LONGEST_SNOOZE = timedelta(days=14)
LONGEST_HOLIDAY = timedelta(days=60)
LONGEST_SITTING = timedelta(days=60)

TOLERANCE = timedelta(minutes=5)
"""Tolerated error of a machine's clock."""


class Sleeper(Protocol):
    """A record with quiet hours: a seat, or what was noted of a seat."""

    @property
    def zone(self) -> str: ...
    @property
    def quiet_from(self) -> int | None: ...
    @property
    def quiet_to(self) -> int | None: ...


def find_zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def zone_of(seat: Sleeper) -> ZoneInfo:
    """The seat's time zone; UTC where the name is unknown to this machine."""
    return find_zone(seat.zone) or ZoneInfo("UTC")


def has_quiet_hours(seat: Sleeper) -> bool:
    """Equal ends mean none."""
    return seat.quiet_from is not None and seat.quiet_to is not None and seat.quiet_from != seat.quiet_to


def quiet_spans(moment: datetime, seat: Sleeper) -> Iterator[tuple[datetime, datetime]]:
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


def is_quiet(moment: datetime, seat: Sleeper) -> bool:
    return next_waking(moment, seat) != moment


def next_waking(moment: datetime, seat: Sleeper) -> datetime:
    """The moment itself, or the end of the quiet hours that it falls into."""
    return add_waking(moment, 0, seat)


def add_waking(start: datetime, hours: float, seat: Sleeper) -> datetime:
    """The moment after `hours` waking hours; never within quiet hours."""
    left = timedelta(hours=hours)
    if not has_quiet_hours(seat):
        return start + left
    moment = start
    for begin, end in quiet_spans(start, seat):
        if end <= max(moment, begin):
            # Over, or swallowed by summer time.
            continue
        free = max(begin - moment, timedelta(0))
        if left < free:
            break
        left -= free
        moment = end
    return moment + left


def waking_time(begin: datetime, end: datetime, seat: Sleeper) -> timedelta:
    """The waking time between two moments: `add_waking` undone."""
    if end <= begin or not has_quiet_hours(seat):
        return max(end - begin, timedelta(0))
    awake, moment = timedelta(0), begin
    for quiet_begin, quiet_end in quiet_spans(begin, seat):
        if quiet_begin >= end or moment >= end:
            break
        if quiet_end <= max(moment, quiet_begin):
            continue
        awake += max(quiet_begin - moment, timedelta(0))
        moment = quiet_end
    return awake + max(end - moment, timedelta(0))


def due_after(since: datetime, reminders: int, pace_hours: float, seat: SeatRecord, now: datetime) -> datetime:
    """When the reminder after `reminders` others is due: half the pace, the pace, then at growing distances."""
    if reminders < 2:
        return add_waking(since, pace_hours * (reminders + 1) / 2, seat)
    days = GROWTH[min(reminders - 2, len(GROWTH) - 1)]
    return next_waking(now + timedelta(days=days), seat)


def next_due(wait: WaitRecord, pace_hours: float, seat: SeatRecord, now: datetime) -> datetime:
    """When a wait's next reminder is due, by what is known of it now. It keeps its distance from the last reminder,
    however late that was; an implausible time counts as now.
    """
    since = trusted_time(wait.since, now)
    last = None if wait.reminded_at is None else trusted_time(wait.reminded_at, now)
    due = due_after(since, wait.reminders, pace_hours, seat, last or since)
    if last is not None:
        due = max(due, last + SHORTEST_DISTANCE)
    if is_in_force(wait.snoozed_until, LONGEST_SNOOZE, now):
        due = max(due, from_timestamp(wait.snoozed_until or 0.0))
    if is_away(seat, now):
        due = max(due, from_timestamp(seat.away_until or 0.0))
    return next_waking(due, seat)


def correct_wait(running: RunningWait, now: datetime) -> WaitRecord:
    """The wait as it should be. With an implausible time, its reminder is due no later than if that time were
    now, and is not put off again at every check.
    """
    wait = running.wait
    due = next_due(wait, running.pace_hours, running.seat, now).timestamp()
    is_known = max(wait.since, wait.reminded_at or 0.0) <= (now + TOLERANCE).timestamp()
    return msgspec.structs.replace(wait, due_at=due if is_known else min(due, wait.due_at))


def waiting_since(wait: WaitRecord, now: datetime) -> datetime:
    """Since when the table waits for a seat, if that is plausible; else since its last reminder, else since now."""
    noted = (from_timestamp(noted) for noted in (wait.since, wait.reminded_at) if noted is not None)
    return next((moment for moment in noted if moment <= now + TOLERANCE), now)


def trusted_time(noted: float, now: datetime) -> datetime:
    """The noted moment, or now if the machine's clock says that it is in the future."""
    return min(from_timestamp(noted), now)


def is_in_force(until: float | None, longest: timedelta, now: datetime) -> bool:
    """Whether something that lasts at most `longest` is still in force. An end later than that was noted under a
    wrong clock, or the clock is wrong now: it does not count.
    """
    return until is not None and now < from_timestamp(until) <= now + longest + TOLERANCE


def is_away(seat: SeatRecord, now: datetime) -> bool:
    return is_in_force(seat.away_until, LONGEST_HOLIDAY, now)


@dataclass(frozen=True)
class ClockJump:
    """The machine's clock was set by this number of seconds. Times that this program noted before are between
    `first` and `last`, by the clock then.
    """

    seconds: float
    first: float
    last: float


class Timekeeper:
    """Notices that the machine's clock was set. `steady` gives seconds that nobody sets; without it nothing is
    noticed.
    """

    def __init__(self, now: float, steady: Callable[[], float] | None = None) -> None:
        self._first = self._last = now
        self.steady = steady
        self._read = steady() if steady else 0.0

    def jump(self, now: float) -> ClockJump | None:
        """How the clock was set since the last check; None if it was not."""
        if self.steady is None:
            return None
        first, last = self._first, self._last
        self._last = now
        read, self._read = self._read, self.steady()
        last += self._read - read
        if abs(now - last) <= TOLERANCE.total_seconds():
            return None
        self._first += now - last
        return ClockJump(now - last, first, last)


def from_timestamp(timestamp: float) -> datetime:
    return datetime.fromtimestamp(timestamp, UTC)

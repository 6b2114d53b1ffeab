"""When somebody who holds a game up is reminded: only waking hours count, and the distance grows."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.store import SeatRecord

PACES = {"fast": 12.0, "normal": 48.0, "slow": 96.0}
"""Hours of waking time that a turn may take."""

GROWTH = (1, 2, 4, 7)
"""Days between reminders after the pace has been used up; the last one repeats."""

SHORTEST_DISTANCE = timedelta(hours=4)
"""Between two reminders, also when the bot was away while both fell due."""


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


def due_after_reminding(
    since: datetime, reminders: int, pace_hours: float, seat: SeatRecord, now: datetime
) -> datetime:
    """As `due_after`, for a reminder that goes out now: the next one keeps its distance, however late this one is."""
    due = due_after(since, reminders, pace_hours, seat, now)
    return max(due, next_waking(now + SHORTEST_DISTANCE, seat))


def moment_of(timestamp: float) -> datetime:
    """A stored time as an aware datetime."""
    return datetime.fromtimestamp(timestamp, UTC)

"""When somebody who holds a game up is reminded: only waking hours count, and the distance grows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.store import SeatRecord

PACES = {"fast": 12.0, "normal": 48.0, "slow": 96.0}
"""Hours of waking time that a turn may take."""

GROWTH = (1, 2, 4, 7)
"""Days between reminders after the pace has been used up; the last one repeats."""


def zone_of(seat: SeatRecord) -> ZoneInfo:
    """The seat's time zone; UTC where the name is unknown to this machine."""
    try:
        return ZoneInfo(seat.zone)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def is_quiet(moment: datetime, seat: SeatRecord) -> bool:
    """Whether the seat sleeps then. Quiet hours may run over midnight; equal ends mean none."""
    if seat.quiet_from is None or seat.quiet_to is None or seat.quiet_from == seat.quiet_to:
        return False
    hour = moment.astimezone(zone_of(seat)).hour
    if seat.quiet_from < seat.quiet_to:
        return seat.quiet_from <= hour < seat.quiet_to
    return hour >= seat.quiet_from or hour < seat.quiet_to


def next_waking(moment: datetime, seat: SeatRecord) -> datetime:
    """The moment itself, or the end of the quiet hours that it falls into."""
    for _ in range(48):
        if not is_quiet(moment, seat):
            return moment
        moment = (moment + timedelta(hours=1)).replace(minute=0, second=0, microsecond=0)
    return moment


def add_waking(start: datetime, hours: float, seat: SeatRecord) -> datetime:
    """The moment when so many waking hours have gone by, counted hour by hour."""
    moment = next_waking(start, seat)
    left = timedelta(hours=hours)
    while left > timedelta(0):
        step = min(left, _to_next_hour(moment))
        moment += step
        left -= step
        if left > timedelta(0):
            moment = next_waking(moment, seat)
    return next_waking(moment, seat)


def _to_next_hour(moment: datetime) -> timedelta:
    following = (moment + timedelta(hours=1)).replace(minute=0, second=0, microsecond=0)
    return following - moment


def due_after(since: datetime, reminders: int, pace_hours: float, seat: SeatRecord, now: datetime) -> datetime:
    """When reminder number `reminders` (from 0) is due: half the pace, the pace, then at growing distances."""
    if reminders < 2:
        return add_waking(since, pace_hours * (reminders + 1) / 2, seat)
    days = GROWTH[min(reminders - 2, len(GROWTH) - 1)]
    return next_waking(now + timedelta(days=days), seat)


def moment_of(timestamp: float) -> datetime:
    """A stored time as an aware datetime."""
    return datetime.fromtimestamp(timestamp, UTC)

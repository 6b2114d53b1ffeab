"""Waking hours across nights and the change to and from summer time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.service.sessions.reminder_times import (
    GROWTH,
    PACES,
    add_waking,
    due_after,
    is_quiet,
    next_due,
    next_waking,
    zone_of,
)
from bot.store import SeatRecord, WaitRecord

BERLIN = ZoneInfo("Europe/Berlin")


def sleeper(zone: str = "Europe/Berlin", begin: int | None = 23, end: int | None = 8) -> SeatRecord:
    return SeatRecord(1, 1, "discord:1", "Ann", zone, begin, end)


def berlin(*when: int) -> datetime:
    return datetime(*when, tzinfo=BERLIN).astimezone(UTC)  # type: ignore[arg-type,misc]


@pytest.mark.parametrize(
    ("start", "hours", "expected"),
    [
        (berlin(2026, 6, 1, 12), 6, berlin(2026, 6, 1, 18)),
        (berlin(2026, 6, 1, 22), 2, berlin(2026, 6, 2, 9)),
        (berlin(2026, 6, 1, 22), 1, berlin(2026, 6, 2, 8)),
        (berlin(2026, 6, 1, 3), 0, berlin(2026, 6, 1, 8)),
        (berlin(2026, 6, 1, 12), 48, berlin(2026, 6, 4, 15)),
        # Summer time begins on 29 March at 2: that night is an hour shorter.
        (berlin(2026, 3, 28, 22), 2, berlin(2026, 3, 29, 9)),
        # It ends on 25 October at 3: that night is an hour longer.
        (berlin(2026, 10, 24, 22), 2, berlin(2026, 10, 25, 9)),
    ],
)
def test_only_waking_hours_count(start: datetime, hours: float, expected: datetime) -> None:
    assert add_waking(start, hours, sleeper()) == expected


def test_the_night_of_the_change_has_eight_or_ten_hours() -> None:
    spring = add_waking(berlin(2026, 3, 28, 22), 2, sleeper()) - berlin(2026, 3, 28, 22)
    autumn = add_waking(berlin(2026, 10, 24, 22), 2, sleeper()) - berlin(2026, 10, 24, 22)
    assert (spring, autumn) == (timedelta(hours=2 + 8), timedelta(hours=2 + 10))


def test_zones_with_half_hours() -> None:
    kolkata = sleeper("Asia/Kolkata", 22, 7)
    moment = datetime(2026, 6, 1, 16, 29, tzinfo=UTC)
    assert not is_quiet(moment, kolkata)
    assert is_quiet(moment + timedelta(minutes=1), kolkata)
    assert next_waking(moment + timedelta(hours=1), kolkata) == datetime(2026, 6, 2, 1, 30, tzinfo=UTC)


@pytest.mark.parametrize("begin_end", [(None, None), (7, 7), (None, 8)])
def test_no_quiet_hours(begin_end: tuple[int | None, int | None]) -> None:
    seat = sleeper("UTC", *begin_end)
    start = datetime(2026, 6, 1, 3, tzinfo=UTC)
    assert add_waking(start, 30, seat) == start + timedelta(hours=30)
    assert not is_quiet(start, seat)


@pytest.mark.parametrize("zone", ["Atlantis", "", "../etc/passwd", "America"])
def test_an_unknown_zone_counts_as_utc(zone: str) -> None:
    assert zone_of(sleeper(zone)) == ZoneInfo("UTC")


@settings(max_examples=60, deadline=None)
@given(
    st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31)),
    st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Adelaide"]),
    st.integers(0, 23),
    st.integers(0, 23),
    st.integers(0, 60 * 30),
)
def test_waking_minutes_agree_with_counting_them(
    start: datetime, zone: str, begin: int, end: int, minutes: int
) -> None:
    """Between start and due time lie exactly so many minutes whose hour on the wall is not a quiet one."""
    seat = sleeper(zone, begin, end)
    moment = start.replace(second=0, microsecond=0, tzinfo=UTC)
    due = add_waking(moment, minutes / 60, seat)
    awake = 0
    while moment < due:
        hour = moment.astimezone(ZoneInfo(zone)).hour
        sleeps = begin <= hour < end if begin < end else begin != end and (hour >= begin or hour < end)
        awake += not sleeps
        moment += timedelta(minutes=1)
    assert awake == minutes
    assert not is_quiet(due, seat)


def test_reminders_come_at_half_the_pace_then_at_the_pace_then_less_and_less_often() -> None:
    seat = sleeper("UTC", None, None)
    since = now = datetime(2026, 6, 1, 12, tzinfo=UTC)
    found = []
    for reminders in range(7):
        now = due_after(since, reminders, PACES["normal"], seat, now)
        found.append((now - since) / timedelta(hours=1))
    assert found[:2] == [24, 48]
    assert [(b - a) / 24 for a, b in pairwise(found[1:])] == [*GROWTH, GROWTH[-1]]


def test_a_late_reminder_keeps_the_next_one_away() -> None:
    seat = sleeper("UTC", None, None)
    since = datetime(2026, 6, 1, tzinfo=UTC)
    late = since + timedelta(days=30)
    clock = WaitRecord(1, 1, since.timestamp(), 0.0, 1, 0, late.timestamp())
    assert next_due(clock, PACES["fast"], seat, late) == late + timedelta(hours=4)

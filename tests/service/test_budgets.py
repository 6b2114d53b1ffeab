"""Budgets of time: waking seconds, the ledger, and simulated games against a count by minutes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.service.sessions.budgets import (
    DAY,
    HOUR,
    MINUTE,
    PRESETS,
    bounded_quiet_hours,
    closed_spans,
    crossed_limits,
    find_budget,
    fine_due,
    ledger_lines,
    scaled_budget,
)
from bot.service.sessions.reminder_times import add_waking, is_quiet, next_waking, waking_time
from bot.store import ClockAllowance, EntryKind, LedgerRecord, Penalty, SeatRecord, WaitRecord
from tests.service.clock_oracle import ZONES, SimulatedClock, is_asleep

START = datetime(2026, 6, 1, 12, tzinfo=UTC)
BLITZ, DAILY = PRESETS["blitz"], PRESETS["daily"]


def sleeper(zone: str = "UTC", begin: int | None = None, end: int | None = None) -> SeatRecord:
    return SeatRecord(1, 1, "discord:1", "Ann", zone, begin, end)


def entry(kind: EntryKind, topic: str, begin: float, end: float | None = None, **more: object) -> LedgerRecord:
    """An entry of seat 1; moments count from `START`."""
    at = START.timestamp()
    values = {"seat": 1, "until": None if end is None else at + end, **more}
    return LedgerRecord(1, kind, topic, at + begin, **values)  # type: ignore[arg-type]


def budget_after(allowance: ClockAllowance, *entries: LedgerRecord) -> float:
    return find_budget(allowance, entries, 1, None, START).left


SET = entry(EntryKind.SET, "set 0", 0, seconds=600.0)


# -- waking time --------------------------------------------------------------------------------------


@settings(max_examples=300, deadline=None)
@given(
    start=st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31)),
    zone=st.sampled_from([*ZONES, "Antarctica/Troll", "Africa/Casablanca", "Asia/Kathmandu"]),
    begin=st.integers(0, 23),
    end=st.integers(0, 23),
    seconds=st.integers(0, 30 * DAY),
)
def test_waking_time_undoes_adding(start: datetime, zone: str, begin: int, end: int, seconds: int) -> None:
    seat = sleeper(zone, begin, end)
    moment = start.replace(microsecond=0, tzinfo=UTC)
    assert waking_time(moment, add_waking(moment, seconds / HOUR, seat), seat) == timedelta(seconds=seconds)
    later = moment + timedelta(seconds=seconds)
    awake = waking_time(moment, later, seat) / timedelta(hours=1)
    assert next_waking(add_waking(moment, awake, seat), seat) == next_waking(later, seat)


@pytest.mark.parametrize(("month", "day", "hours"), [(3, 28, 21), (10, 24, 19)])
def test_a_night_at_the_change_of_time_leaves_more_or_less(month: int, day: int, hours: int) -> None:
    """Quiet from 1 to 5: the day has 23 or 25 hours, the night 3 or 5 of them, or 4 awake around."""
    seat = sleeper("Europe/Berlin", 1, 5)
    start = datetime(2026, month, day, 12, tzinfo=UTC)
    assert waking_time(start, start + timedelta(days=1), seat) == timedelta(hours=hours)


def test_time_that_runs_backwards_costs_nothing() -> None:
    assert waking_time(START, START - timedelta(hours=1), sleeper("UTC", 22, 7)) == timedelta(0)


@pytest.mark.parametrize(
    ("begin", "end", "bounded"),
    [(22, 7, (22, 7)), (20, 8, (20, 8)), (8, 7, (8, 20)), (20, 12, (20, 8)), (5, 5, (5, 5))],
)
def test_at_most_twelve_quiet_hours_stop_a_clock(begin: int, end: int, bounded: tuple[int, int]) -> None:
    assert bounded_quiet_hours(sleeper("UTC", begin, end)) == bounded


# -- the ledger ---------------------------------------------------------------------------------------


def test_waits_cost_and_answers_give() -> None:
    wait, answer = entry(EntryKind.WAIT, "wait 0", 0, 100), entry(EntryKind.ANSWER, "answer 1", 100, seconds=5.0)
    assert [line.left for line in ledger_lines(BLITZ, [SET, wait, answer], 1)] == [600, 500, 505]


def test_the_limit_bounds_what_is_given_but_cuts_nothing() -> None:
    grant = entry(EntryKind.STOCK, "SR 1", 0, seconds=900.0)
    assert budget_after(BLITZ, SET, grant) == 1200
    assert budget_after(BLITZ, entry(EntryKind.SET, "set 0", 0, seconds=5000.0), grant) == 5000


def test_closed_spans_are_a_union() -> None:
    """A holiday within an outage, and one that overlaps it, give nothing back twice."""
    closed = [
        entry(EntryKind.OUTAGE, "outage 1", 10, 50, seat=None),
        entry(EntryKind.HOLIDAY, "holiday 1", 20, 30),
        entry(EntryKind.HOLIDAY, "holiday 2", 40, 70),
        entry(EntryKind.HOLIDAY, "holiday 3", 0, 100, seat=2),
    ]
    wait = entry(EntryKind.WAIT, "wait 0", 0, 100)
    assert budget_after(BLITZ, SET, *closed, wait) == 600 - 40
    assert len(closed_spans(closed, 1)) == 1


def test_another_clock_starts_from_its_own_entry() -> None:
    wait = entry(EntryKind.WAIT, "wait 0", 0, 100)
    again = entry(EntryKind.SET, "set 5", 200, seconds=50.0)
    assert [line.left for line in ledger_lines(BLITZ, [SET, wait, again], 1)] == [50]
    assert scaled_budget(300.0, BLITZ, DAILY) == 300 / 1200 * 10 * DAY
    assert scaled_budget(5000.0, BLITZ, DAILY) == 10 * DAY


def test_several_who_are_asked_run_apart() -> None:
    clocks = [WaitRecord(1, number, START.timestamp(), 0.0) for number in (1, 2)]
    sets = [SET, entry(EntryKind.SET, "set 0", 0, seat=2, seconds=50.0)]
    later = START + timedelta(seconds=60)
    found = [find_budget(BLITZ, sets, clock.seat, clock, later) for clock in clocks]
    assert [one.left for one in found] == [540, -10]
    assert [one.runs_out for one in found] == [START + timedelta(seconds=600), START + timedelta(seconds=50)]


def test_a_running_budget_is_kept_from_what_it_had() -> None:
    clock = WaitRecord(1, 1, START.timestamp(), 0.0, number=7)
    found = find_budget(BLITZ, [SET], 1, clock, START + timedelta(seconds=545))
    assert (found.left, found.had, found.number, crossed_limits(BLITZ, found)) == (55, 600, 7, [60])
    assert crossed_limits(BLITZ, find_budget(BLITZ, [SET], 1, clock, START + timedelta(seconds=595))) == [60, 10]
    low = entry(EntryKind.SET, "set 0", 0, seconds=30.0)
    assert crossed_limits(BLITZ, find_budget(BLITZ, [low], 1, clock, START)) == []


def test_the_fine_is_for_each_minute_begun() -> None:
    evening = PRESETS["evening"]
    fines = [
        fine_due(evening, find_budget(evening, [entry(EntryKind.SET, "set 0", 0, seconds=left)], 1, None, START))
        for left in (0.0, 1.0, -1.0, -60.0, -61.0)
    ]
    assert fines == [0, 0, 10, 10, 20]
    assert evening.penalty == Penalty.FINE


def test_a_clock_set_back_takes_no_time() -> None:
    clock = WaitRecord(1, 1, START.timestamp(), 0.0)
    assert find_budget(BLITZ, [SET], 1, clock, START - timedelta(hours=2)).left == 600


# -- simulated games ----------------------------------------------------------------------------------


def check_simulated(seed: int) -> None:
    """A random game's budget is that of the oracle to the second, and runs out when it says."""
    simulated = SimulatedClock(Random(seed))
    found = find_budget(simulated.allowance, simulated.entries, 1, simulated.clock, simulated.now)
    assert found.left == pytest.approx(simulated.expected, abs=0.001), seed
    if simulated.clock is None:
        return
    assert found.runs_out is not None
    wait = simulated.clock
    at = find_budget(simulated.allowance, simulated.entries, 1, wait, found.runs_out)
    before = find_budget(simulated.allowance, simulated.entries, 1, wait, found.runs_out - timedelta(seconds=1))
    if found.had > 0:
        assert at.left == pytest.approx(0, abs=0.001), seed
        assert before.left >= 0, seed
    if simulated.allowance.waking:
        assert found.is_quiet == is_asleep(int(simulated.now.timestamp()) // MINUTE, simulated.last_wait), seed
        assert found.had <= 0 or not is_quiet(found.runs_out, wait), seed


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_simulated_games_agree_with_a_count_by_minutes(first: int) -> None:
    for seed in range(first, first + 10):
        check_simulated(seed)


@pytest.mark.soak
@pytest.mark.parametrize("first", range(0, 10_000, 1000))
def test_ten_thousand_simulated_games_lose_no_second(first: int) -> None:
    for seed in range(first, first + 1000):
        check_simulated(seed)

"""Budgets of time: a ledger of what each seat was granted and how long the game waited for it. A budget is always
computed from the entries, so nothing can drift.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.engine import SeatNumber
from bot.store import ClockAllowance, EntryKind, LedgerRecord, Penalty, SeatRecord, WaitRecord

from .reminder_times import Sleeper, add_waking, from_timestamp, is_quiet, waking_time

MINUTE, HOUR, DAY = 60, 3600, 86400

PRESETS: Mapping[str, ClockAllowance] = {
    "blitz": ClockAllowance(10 * MINUTE, MINUTE, 30, 5, 20 * MINUTE, False, Penalty.PASS),
    "live": ClockAllowance(30 * MINUTE, 3 * MINUTE, 90, 10, HOUR, False, Penalty.MINDER),
    "evening": ClockAllowance(HOUR, 5 * MINUTE, 150, 15, 2 * HOUR, False, Penalty.FINE, 10),
    "daily": ClockAllowance(5 * DAY, DAY, 6 * HOUR, 10 * MINUTE, 10 * DAY, True, Penalty.MINDER),
    "weekly": ClockAllowance(21 * DAY, 3 * DAY, DAY, HOUR, 42 * DAY, True),
}

LONGEST_QUIET = 12
"""Maximum number of quiet hours a day that stop a seat's clock."""

CLOSING = (EntryKind.HOLIDAY, EntryKind.OUTAGE)
"""Kinds of spans that do not count."""

Stretch = tuple[datetime, datetime]


@dataclass(frozen=True)
class LedgerLine:
    """An entry of a seat with the budget after it; `seconds` is what it added."""

    entry: LedgerRecord
    seconds: float
    left: float


@dataclass(frozen=True)
class Budget:
    """A seat's budget in seconds, below zero when overdrawn. While the game waits for the seat it runs: `had` is the
    budget when that began, `number` the record after which, `runs_out` when it is used up; it rests in `is_quiet`
    hours.
    """

    seat: SeatNumber
    left: float
    is_running: bool = False
    is_quiet: bool = False
    had: float = 0.0
    number: int = 0
    runs_out: datetime | None = None


def bounded_quiet_hours(seat: Sleeper) -> tuple[int | None, int | None]:
    """The quiet hours that stop a seat's clock: the first `LONGEST_QUIET` of them."""
    begin, end = seat.quiet_from, seat.quiet_to
    if begin is None or end is None or (end - begin) % 24 <= LONGEST_QUIET:
        return begin, end
    return begin, (begin + LONGEST_QUIET) % 24


def wait_entry(wait: WaitRecord, now: datetime) -> LedgerRecord:
    """The entry that an unfinished wait would make now."""
    return LedgerRecord(
        wait.game,
        EntryKind.WAIT,
        f"{EntryKind.WAIT} {wait.number}",
        wait.since,
        wait.seat,
        wait.number,
        max(now.timestamp(), wait.since),
        zone=wait.zone,
        quiet_from=wait.quiet_from,
        quiet_to=wait.quiet_to,
    )


def merge_spans(spans: Iterable[Stretch]) -> list[Stretch]:
    """Their union, in order, so that nothing is counted twice."""
    merged: list[Stretch] = []
    for begin, end in sorted(spans):
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        elif begin < end:
            merged.append((begin, end))
    return merged


def closed_spans(entries: Iterable[LedgerRecord], seat: SeatNumber) -> list[Stretch]:
    return merge_spans(
        (from_timestamp(entry.since), from_timestamp(entry.until))
        for entry in entries
        if entry.kind in CLOSING and entry.seat in (None, seat) and entry.until is not None
    )


def open_parts(begin: datetime, end: datetime, closed: Sequence[Stretch]) -> Iterator[Stretch]:
    """The parts of a span outside closed spans, which are in order and apart."""
    for closed_begin, closed_end in closed:
        if closed_begin >= end:
            break
        if closed_begin > begin:
            yield begin, closed_begin
        begin = max(begin, closed_end)
    if begin < end:
        yield begin, end


def spent_seconds(allowance: ClockAllowance, wait: LedgerRecord, closed: Sequence[Stretch]) -> float:
    if wait.until is None:
        return 0.0
    parts = open_parts(from_timestamp(wait.since), from_timestamp(wait.until), closed)
    every = (waking_time(*part, wait) if allowance.waking else part[1] - part[0] for part in parts)
    return sum(every, timedelta(0)).total_seconds()


def ledger_lines(
    allowance: ClockAllowance, entries: Sequence[LedgerRecord], seat: SeatNumber, wait: LedgerRecord | None = None
) -> list[LedgerLine]:
    """The entries of a seat that count, in the order in which they were made, and the `wait` that is not over yet, each
    with the budget after it.
    """
    closed = closed_spans(entries, seat)
    lines: list[LedgerLine] = []
    left = 0.0
    for entry in [*entries, *([wait] if wait is not None else [])]:
        if entry.seat != seat or entry.kind in (*CLOSING, EntryKind.WARNED):
            continue
        before = left
        if entry.kind == EntryKind.SET:
            lines, before, left = [], 0.0, entry.seconds
        elif entry.kind == EntryKind.WAIT:
            left -= spent_seconds(allowance, entry, closed)
        else:
            # A budget above the limit, as an earlier clock may have left it, is not cut.
            left = min(left + entry.seconds, max(left, allowance.most))
        lines.append(LedgerLine(entry, left - before, left))
    return lines


def find_budget(
    allowance: ClockAllowance,
    entries: Sequence[LedgerRecord],
    seat: SeatNumber,
    clock: WaitRecord | None = None,
    now: datetime | None = None,
) -> Budget:
    """A seat's budget; while the game waits for the seat, `clock` runs, and it is `now`."""
    wait = wait_entry(clock, now) if clock is not None and now is not None else None
    lines = ledger_lines(allowance, entries, seat, wait)
    left = lines[-1].left if lines else 0.0
    if wait is None or clock is None or now is None:
        return Budget(seat, left)
    had = left - lines[-1].seconds
    out = runs_out(allowance, had, wait, closed_spans(entries, seat))
    is_resting = allowance.waking and is_quiet(now, wait)
    return Budget(seat, left, True, is_resting, had, clock.number, out)


def runs_out(allowance: ClockAllowance, had: float, wait: LedgerRecord, closed: Sequence[Stretch]) -> datetime:
    """When a budget is used up by a wait that goes on."""
    begin, left = from_timestamp(wait.since), timedelta(seconds=max(had, 0.0))
    for closed_begin, closed_end in closed:
        if closed_end <= begin:
            continue
        spent = waking_time(begin, closed_begin, wait) if allowance.waking else closed_begin - begin
        if left <= spent:
            break
        left -= max(spent, timedelta(0))
        begin = closed_end
    return add_waking(begin, left / timedelta(hours=1), wait) if allowance.waking else begin + left


def budgets_of(
    allowance: ClockAllowance,
    entries: Sequence[LedgerRecord],
    seats: Iterable[SeatRecord],
    clocks: Iterable[WaitRecord],
    moments: Mapping[SeatNumber, datetime],
) -> dict[SeatNumber, Budget]:
    """Everybody's budget; `moments` are those until which running clocks count."""
    running = {clock.seat: clock for clock in clocks}
    return {
        held.number: find_budget(allowance, entries, held.number, running.get(held.number), moments.get(held.number))
        for held in seats
    }


def fine_due(allowance: ClockAllowance, budget: Budget) -> int:
    """The fine off a seat's score, for every minute, even begun, that it is short of."""
    if allowance.penalty != Penalty.FINE or budget.left >= 0:
        return 0
    return allowance.fine * -int(budget.left // MINUTE)


def warning_limits(allowance: ClockAllowance) -> tuple[int, int]:
    """The budgets at which a player is warned, the higher first."""
    if allowance.waking:
        return max(allowance.game // 4, 2 * HOUR), 2 * HOUR
    return MINUTE, 10


def crossed_limits(allowance: ClockAllowance, budget: Budget) -> list[int]:
    """The limits that a running budget has come below since it began to run."""
    return [limit for limit in warning_limits(allowance) if budget.left <= limit < budget.had]


def next_limit(allowance: ClockAllowance, budget: Budget, grace: float | None) -> datetime | None:
    """About when a running budget next comes below a limit, or has been at zero for `grace` seconds (None: that does not
    matter). With quiet hours ahead it may be later.
    """
    if budget.runs_out is None:
        return None
    zero = budget.runs_out
    moments = [zero - timedelta(seconds=limit) for limit in warning_limits(allowance) if limit < budget.left]
    if grace is not None and budget.left > -grace:
        moments.append(zero + timedelta(seconds=grace))
    return min(moments, default=None)


def scaled_budget(left: float, old: ClockAllowance, new: ClockAllowance) -> float:
    """A budget of one clock as that of another: in the proportion of their limits."""
    return min(left * new.most / old.most, new.most) if old.most else float(new.game)

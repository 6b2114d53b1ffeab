"""Simulated games with a clock, and their budgets counted minute by minute, by another way than the program's."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random
from zoneinfo import ZoneInfo

from bot.service.sessions.budgets import PRESETS
from bot.store import ClockAllowance, EntryKind, LedgerRecord, WaitRecord

ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/St_Johns")
"""Summer time in both halves of the world, zones of half hours, and summer time of half an hour."""

STARTS = (datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 26, tzinfo=UTC), datetime(2026, 10, 2, tzinfo=UTC))
MINUTE = 60


class Sleeping:
    """Quiet hours as they apply in a game with a clock."""

    def __init__(self, zone: str, quiet_from: int | None, quiet_to: int | None) -> None:
        self.zone, self.quiet_from, self.quiet_to = zone, quiet_from, quiet_to


@cache
def _hour(zone: str, minute: int) -> int:
    return datetime.fromtimestamp(minute * MINUTE, ZoneInfo(zone)).hour


def is_asleep(minute: int, sleeper: Sleeping | LedgerRecord) -> bool:
    """Whether the hour of that minute, counted from 1970, is one of the quiet hours."""
    begin, end = sleeper.quiet_from, sleeper.quiet_to
    if begin is None or end is None or begin == end:
        return False
    hour = _hour(sleeper.zone, minute)
    return begin <= hour < end if begin < end else hour >= begin or hour < end


def count_seconds(
    allowance: ClockAllowance, wait: LedgerRecord, end: float, closed: list[tuple[float, float]]
) -> float:
    """What a wait costs, from minute to minute; all moments are whole seconds."""
    total, at = 0, int(wait.since)
    while at < end:
        until = min(int(end), (at // MINUTE + 1) * MINUTE)
        if not (allowance.waking and is_asleep(at // MINUTE, wait)):
            total += (
                sum(not any(begin <= second < stop for begin, stop in closed) for second in range(at, until))
                if any(begin < until and stop > at for begin, stop in closed)
                else until - at
            )
        at = until
    return float(total)


class SimulatedClock:
    """A seat of a random game: its entries, its running clock if any, the moment, and the budget by the oracle."""

    def __init__(self, random: Random) -> None:
        self.allowance = random.choice([*PRESETS.values()])
        scale = 86400 if self.allowance.waking else 900
        at = int(random.choice(STARTS).timestamp()) + random.randrange(30 * 86400)
        zone = random.choice(ZONES)
        self.entries = [self._entry(EntryKind.SET, "set 0", at, seconds=float(self.allowance.game))]
        self.expected = float(self.allowance.game)
        pending: list[LedgerRecord] = []
        closed: list[tuple[float, float]] = []
        for number in range(random.randrange(2, 12)):
            at += random.randrange(scale)
            for kind in random.sample([EntryKind.HOLIDAY, EntryKind.OUTAGE], random.randrange(3)):
                begin = at + random.randrange(-scale // 2, scale // 2)
                end = begin + random.randrange(scale)
                whose = None if kind == EntryKind.OUTAGE else 1
                self.entries.append(LedgerRecord(1, kind, f"{kind} {begin}.{number}", begin, whose, number, end))
                closed.append((begin, end))
            if random.random() < 0.4:
                seconds = float(random.choice((self.allowance.stock, self.allowance.company)))
                self.entries.append(self._entry(EntryKind.STOCK, f"stock {number}", at, number, seconds))
                pending.append(self.entries[-1])
            hours = random.choice(((None, None), (22, 7), (23, 8), (1, 5), (0, 12), (2, 3), (20, 8)))
            end = at + random.randrange(1, 2 * scale)
            wait = LedgerRecord(1, EntryKind.WAIT, f"wait {number}", at, 1, number, end, 0.0, zone, *hours)
            self.entries.append(wait)
            pending.append(wait)
            answer = self._entry(EntryKind.ANSWER, f"answer {number}", end, number, float(self.allowance.answer))
            self.entries.append(answer)
            pending.append(answer)
            at = end
        *pending, self.last_wait, answer = pending
        self.clock: WaitRecord | None = None
        self.now = datetime.fromtimestamp(at, UTC)
        for entry in pending:
            self._count(entry, closed)
        if random.random() < 0.5:
            # The last answer is still to come.
            self.entries = [one for one in self.entries if one not in (self.last_wait, answer)]
            wait = self.last_wait
            self.clock = WaitRecord(
                1, 1, wait.since, wait.since, 0, wait.number, None, None, wait.zone, wait.quiet_from, wait.quiet_to
            )
            self._count(wait, closed)
        else:
            self._count(self.last_wait, closed)
            self._count(answer, closed)

    def _entry(self, kind: EntryKind, topic: str, at: int, number: int = 0, seconds: float = 0.0) -> LedgerRecord:
        return LedgerRecord(1, kind, topic, at, 1, number, None, seconds)

    def _count(self, entry: LedgerRecord, closed: list[tuple[float, float]]) -> None:
        if entry.kind == EntryKind.WAIT:
            self.expected -= count_seconds(self.allowance, entry, entry.until or 0.0, closed)
        else:
            self.expected = min(self.expected + entry.seconds, max(self.expected, self.allowance.most))


def plus(moment: datetime, seconds: float) -> datetime:
    return moment + timedelta(seconds=seconds)

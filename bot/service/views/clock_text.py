"""Budgets of time in words: what a clock grants, what everybody has, and one's own ledger line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.engine import Message, SeatNumber, Value, isolate, literal, msg
from bot.i18n import tr
from bot.service.sessions import DAY, HOUR, MINUTE, PRESETS, Budget, LedgerLine, fine_due, is_computer
from bot.store import ClockAllowance, EntryKind, Penalty, SeatRecord

OWN = "own"
"""The name of a clock whose numbers are those of no preset."""

LENGTHS = {
    "blitz": "a game of about 2 hours",
    "live": "a game of about 4 hours",
    "evening": "a game of one long evening",
    "daily": "a game of about 3 weeks",
    "weekly": "a game of about 3 months",
}

AT_ZERO = {
    Penalty.NONE: "At zero nothing happens: the clock only shows it.",
    Penalty.PASS: "At zero a player passes, or a computer player makes this one move where passing would do harm.",
    Penalty.MINDER: "At zero a computer player moves for a player until they return.",
    Penalty.FINE: "Each minute overdrawn at the end costs {fine} of the final score.",
    Penalty.LOSS: "At zero a player is ranked last, and a computer player moves for them. Players who join agree to that.",
}

YOUR_TIME_IS_UP = "Your time is up."

AT_ZERO_YOU = {
    Penalty.NONE: "At zero nothing happens.",
    Penalty.PASS: "At zero you pass, or a computer player makes this move.",
    Penalty.MINDER: "At zero a computer player moves for you until you return.",
    Penalty.FINE: "Each minute overdrawn at the end costs {fine} of your final score.",
    Penalty.LOSS: "At zero you are ranked last, and a computer player moves for you.",
}

MOST_LEDGER_LINES = 25
"""Maximum number of entries of a ledger that are shown, the newest."""


@dataclass(frozen=True)
class SeatTime:
    """A seat's budget as tables see it; `out` is when it is used up, if it runs now, `rest` the quiet seconds until
    then, and `fine` what each missing minute costs.
    """

    name: str
    text: str
    is_low: bool
    is_running: bool
    out: float | None = None
    rest: float = 0.0
    fine: int = 0


def format_span(seconds: float) -> str:
    """A span in at most two units: `2 d 4 h`, `5 h 20 min`, `45 s`, `−12 min`. Seconds count only below ten minutes."""
    left = int(abs(seconds))
    sign = "−" if seconds < 0 and left else ""
    left = left if left < 10 * MINUTE else -(-left // MINUTE) * MINUTE
    units = [("d", DAY), ("h", HOUR), ("min", MINUTE), ("s", 1)]
    first = next((at for at, (_, size) in enumerate(units) if left >= size), 3)
    parts: list[str] = []
    for name, size in units[first : first + 2]:
        number, left = divmod(left, size)
        if number or not parts:
            parts.append(f"{number} {name}")
    return sign + " ".join(parts)


def clock_name(allowance: ClockAllowance | None) -> str:
    if allowance is None:
        return "none"
    return next((name for name, preset in PRESETS.items() if preset == allowance), OWN)


def describe_clock(allowance: ClockAllowance | None) -> Message:
    """The time that a clock grants, and the penalty at zero."""
    if allowance is None:
        return msg("No clock: a turn may take as long as it takes.")
    name = clock_name(allowance)
    granted = msg(
        "{game} for the game, {stock} for a stock round, {company} for a turn of a company, {answer} for an answer, at most {most}",
        *map(format_span, (allowance.game, allowance.stock, allowance.company, allowance.answer, allowance.most)),
    )
    kind = msg(LENGTHS[name]) if name in LENGTHS else msg("numbers of your own")
    which = msg("Clock {name} ({kind}): {granted}.", literal(name), kind, granted)
    rest = msg("Quiet hours and up to {days} days of holiday do not count.", allowance.holiday)
    waking = [rest] if allowance.waking else []
    return join_sentences([which, *waking, zero_message(AT_ZERO, allowance)])


def join_sentences(sentences: Sequence[Message]) -> Message:
    first, *others = sentences
    for other in others:
        first = msg("{first} {second}", first, other)
    return first


def zero_message(said: Mapping[Penalty, str], allowance: ClockAllowance) -> Message:
    text = said[allowance.penalty]
    return msg(text, allowance.fine) if allowance.penalty == Penalty.FINE else msg(text)


def is_low(allowance: ClockAllowance, budget: Budget) -> bool:
    """Whether less than a quarter of the first budget is left."""
    return budget.left < allowance.game / 4


def seat_times(
    allowance: ClockAllowance, budgets: Mapping[SeatNumber, Budget], seats: Iterable[SeatRecord], now: float
) -> list[SeatTime]:
    """The time of all seats but those of computer players, in the order of seats."""
    rate = allowance.fine if allowance.penalty == Penalty.FINE else 0
    found = []
    for held in seats:
        if is_computer(held.person):
            continue
        budget = budgets[held.number]
        # Minutes are enough for tables; a page counts on from there.
        text = format_span(
            -(-budget.left // MINUTE) * MINUTE if budget.is_running and budget.left > MINUTE else budget.left
        )
        if fine := fine_due(allowance, budget):
            text += f" (−{fine})"
        out = None
        if budget.is_running and not budget.is_quiet and budget.runs_out is not None:
            out = budget.runs_out.timestamp()
        rest = max(0.0, out - now - budget.left) if out is not None and budget.left > 0 else 0.0
        found.append(SeatTime(held.name, text, is_low(allowance, budget), budget.is_running, out, round(rest, 1), rate))
    return found


def times_line(times: Iterable[SeatTime]) -> str:
    """`Ann 2 d 4 h · Bob 6 h! · Cid −12 min (−120)`"""
    shown = (f"{isolate(one.name)} {one.text}{'!' if one.is_low else ''}" for one in times)
    return tr("Time: {budgets}", literal(" · ".join(shown)))


def own_time_lines(allowance: ClockAllowance, budget: Budget) -> list[Message]:
    """Sentences for a player who is asked, about their time."""
    if budget.left <= 0:
        left = msg("Your time is up: you are {time} over.", format_span(-budget.left))
    elif allowance.waking:
        left = msg("You have {time} of waking time left.", format_span(budget.left))
    else:
        left = msg("You have {time} left.", format_span(budget.left))
    return [left, zero_message(AT_ZERO_YOU, allowance)]


def warning_message(allowance: ClockAllowance, budget: Budget) -> Message:
    """A warning to a player whose time runs short."""
    return join_sentences([msg("The table is waiting for you."), *own_time_lines(allowance, budget)])


ENTRY_LINES = {
    EntryKind.SET: "{when}: you begin with {time}.",
    EntryKind.STOCK: "{when}: {time} for a stock round; {left}.",
    EntryKind.COMPANY: "{when}: {time} for a turn of a company; {left}.",
    EntryKind.ANSWER: "{when}: {time} for an answer; {left}.",
    EntryKind.WAIT: "{when}: {time} while the game waited for you; {left}.",
}


def ledger_messages(lines: Sequence[LedgerLine], moment: Callable[[float], str]) -> list[Message]:
    """A ledger, an entry a line, the newest last; `moment` writes a moment for the reader."""
    found = []
    if len(lines) > MOST_LEDGER_LINES:
        found.append(msg("… {number} earlier entries", len(lines) - MOST_LEDGER_LINES))
    for line in lines[-MOST_LEDGER_LINES:]:
        when = moment(line.entry.since)
        change = f"+{format_span(line.seconds)}" if line.seconds >= 0 else format_span(line.seconds)
        values: list[Value] = [literal(when), change if line.entry.kind != EntryKind.SET else format_span(line.left)]
        left = [] if line.entry.kind == EntryKind.SET else [format_span(line.left)]
        found.append(msg(ENTRY_LINES[line.entry.kind], *values, *left))
    return found

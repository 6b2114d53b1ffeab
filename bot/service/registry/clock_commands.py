"""Commands about the clock of a game: choose it, and see what is left."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from bot.engine import IllegalMove, Message, literal, msg
from bot.service.sessions.budgets import DAY, HOUR, MINUTE, PRESETS
from bot.service.views.clock_text import describe_clock, ledger_messages, times_line
from bot.store import ClockAllowance, GameStatus, Penalty, PollKind

from .command import Door, Reply, Request, Words, command, parameter
from .lobby_commands import CLOCK, NO_CLOCK, OWN_GAME
from .table_commands import start_poll

CHANGES = "Numbers of your own, e.g. start=3d answer=20m waking=no penalty=fine fine=5"

SPANS = {"start": "game", **{name: name for name in ("stock", "company", "answer", "most")}}
"""The times of a clock as people type them, with the names of its fields: `game` is the number of a game."""

UNITS = {"d": DAY, "h": HOUR, "m": MINUTE, "min": MINUTE, "s": 1}
SPAN = re.compile(r"(\d{1,8})(d|h|min|m|s)")
YES_OR_NO = {"yes": True, "ja": True, "no": False, "nein": False}
LIMITS = {"fine": 999, "holiday": 60}


def parse_clock(preset: str, changes: str) -> ClockAllowance | None:
    """The clock of that name, with other numbers where some are given.

    :raises IllegalMove: they cannot be read, or are not possible.
    """
    if preset == NO_CLOCK:
        if changes.strip():
            raise IllegalMove("Numbers belong to a clock; choose {clocks}.", "", ", ".join(PRESETS))
        return None
    values: dict[str, object] = {}
    for word in changes.replace(",", " ").split():
        name, _, given = word.casefold().partition("=")
        values[SPANS.get(name, name)] = parse_value(name, given)
    allowance = msgspec.structs.replace(PRESETS[preset], **values)
    if not 0 < allowance.game <= allowance.most:
        raise IllegalMove(
            "A clock must start with more than 0, and with no more than the most that a player can have left."
        )
    if allowance.penalty == Penalty.FINE and not allowance.fine:
        raise IllegalMove("A fine needs an amount for each minute, for example: fine=10.")
    return allowance


def parse_value(name: str, given: str) -> object:
    """A number of a clock as it is typed: `2d12h`, `yes`, `10`, or a penalty.

    :raises IllegalMove: it is not possible.
    """
    if name in SPANS:
        parts = SPAN.findall(given)
        seconds = sum(int(number) * UNITS[unit] for number, unit in parts)
        if not parts or "".join(number + unit for number, unit in parts) != given or seconds > 366 * DAY:
            raise IllegalMove("{name} is a time up to a year, like 5d, 2d12h, 90m or 30s.", "", name)
        return seconds
    if name == "waking" and given in YES_OR_NO:
        return YES_OR_NO[given]
    if name == "penalty" and given in tuple(Penalty):
        return Penalty(given)
    if name in LIMITS and given.isascii() and given.isdecimal() and len(given) < 4 and int(given) <= LIMITS[name]:
        return int(given)
    raise IllegalMove(
        "A clock has start, stock, company, answer and most (times), waking (yes or no), penalty ({penalties}), fine (0 to 999) and holiday (0 to 60 days).",
        "",
        ", ".join(Penalty),
    )


PRESET = parameter(CLOCK, "How much time players have")
NUMBERS = parameter(Words(200, is_rest=True), CHANGES)


@command(
    "clock budget",
    "How much time you and the others have left, with your own entries",
    right="look",
    words=("clock", "budget"),
    or_else=dict.fromkeys((Door.TERMINAL, Door.MAIL, Door.PAGE), "game clock"),
)
async def show_budget(request: Request) -> Reply:
    table = await request.table()
    if table.record.clock is None:
        other = request.spell("clock times")
        return Reply([msg("This game has no clock. How long players take for a turn: {command}.", other)])
    lines: list[Message | str] = [describe_clock(table.record.clock)]
    if times := await request.tables.clocks.seat_times(table):
        lines.append(times_line(times))
    if table.game is not None and request.person in [held.person for held in table.seats]:
        lines += await own_ledgers(request)
    return Reply(lines)


async def own_ledgers(request: Request) -> Sequence[Message]:
    """One's own ledger, or several under the names of the seats."""
    found = await request.tables.clocks.ledgers(await request.game_id(), request.person)
    lines: list[Message] = []
    for held, ledger in found:
        if len(found) > 1:
            lines.append(msg("{name}:", literal(held.name)))
        lines += ledger_messages(ledger, lambda at: request.moment(datetime.fromtimestamp(at, UTC)))
    return lines


@command(
    "game clock",
    "Choose how much time players have, or play without a clock (for the moderator)",
    right="clock",
    words=("moderate clock",),
    changes=True,
    clock=PRESET,
    numbers=NUMBERS,
    game=OWN_GAME,
    example="game clock daily answer=20m",
)
async def set_clock(request: Request, clock: str, numbers: str = "", game: int | None = None) -> Reply:
    game_id = await request.lobby_or_game_id(game)
    allowance = parse_clock(clock, numbers)
    line = await request.tables.moderation.set_clock(game_id, await request.asker(game_id), allowance)
    table = await request.tables.desk.table(game_id)
    if table.record.status == GameStatus.LOBBY:
        await request.lobby_changed(table)
        return Reply([line], subject=table)
    return Reply(table.tr_lines([line]))


@command(
    "vote clock",
    "Change how much time players have, if all agree",
    right="ask",
    changes=True,
    clock=PRESET,
    numbers=NUMBERS,
    example="vote clock weekly",
)
async def vote_clock(request: Request, clock: str, numbers: str = "") -> Reply:
    allowance = parse_clock(clock, numbers)
    return await start_poll(request, PollKind.CLOCK, clock=msgspec.to_builtins(allowance) or {})

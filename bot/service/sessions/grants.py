"""Time granted by moves in a game with a clock: for rounds, for turns of companies, and for each answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.engine import GameId, SeatNumber, seat_number
from bot.engine.notation import parse_action
from bot.engine.play import Game
from bot.engine.state import RoundBegan, TurnBegan
from bot.store import ClockAllowance, EntryKind, LedgerRecord, MoveKind, MoveRecord, SeatRecord

from .budgets import DAY, merge_spans
from .computer_seats import is_computer
from .reminder_times import from_timestamp, is_away

WITH_TIME = ("stock",)
"""Kinds of rounds for which every seat is granted time."""


def first_grants(game_id: GameId, budgets: dict[SeatNumber, float], number: int, now: float) -> list[LedgerRecord]:
    """The entries with which seats begin, or go on by another clock, after record `number`."""
    return [
        LedgerRecord(game_id, EntryKind.SET, f"{EntryKind.SET} {number}", now, held, number, seconds=left)
        for held, left in budgets.items()
    ]


def holiday_grants(
    game_id: GameId,
    allowance: ClockAllowance,
    entries: Sequence[LedgerRecord],
    seats: Sequence[SeatRecord],
    number: int,
    now: datetime,
) -> list[LedgerRecord]:
    """The holidays of these seats that begin now, as long as their clocks rest for them: until they are back, or have had
    all days of holiday that the game grants; none where the clock runs at night too, since all have come to play.
    """
    found, since, days = [], now.timestamp(), allowance.holiday if allowance.waking else 0
    for held in seats:
        if held.away_until is not None and is_away(held, now):
            left = days * DAY - holiday_seconds(entries, held.number, since)
            if left > 0:
                topic = f"{EntryKind.HOLIDAY} {since:.3f}"
                until = min(held.away_until, since + left)
                found.append(LedgerRecord(game_id, EntryKind.HOLIDAY, topic, since, held.number, number, until))
    return found


def holiday_seconds(entries: Sequence[LedgerRecord], seat: SeatNumber, now: float) -> float:
    """The time that a seat has been on holiday in a game by now."""
    spans = merge_spans(
        (from_timestamp(entry.since), from_timestamp(min(entry.until, now)))
        for entry in entries
        if entry.kind == EntryKind.HOLIDAY and entry.seat == seat and entry.until is not None
    )
    return sum((end - begin for begin, end in spans), timedelta(0)).total_seconds()


def earned_grants(
    allowance: ClockAllowance, game: Game, records: Sequence[MoveRecord], seats: Sequence[SeatRecord]
) -> list[LedgerRecord]:
    """The time granted by these records, which are made on `game`. A round, a turn and a place in the line of moves
    give it once: an undo earns nothing.
    """
    held_by = {held.number: held for held in seats}
    found: list[LedgerRecord] = []
    previous = None
    game.is_redoing = True
    for record in records:
        if record.kind != MoveKind.MOVE:
            continue

        def grant(kind: EntryKind, topic: object, seat: SeatNumber, seconds: float, made: MoveRecord = record) -> None:
            entry = LedgerRecord(made.game, kind, f"{kind} {topic}", made.made_at, seat, made.number, seconds=seconds)
            if seconds > 0:
                found.append(entry)

        number, part = game.state.round.number, game.state.round.part
        events = game.apply(parse_action(game.title, record.text))
        if record.seat in held_by and record.seat != previous and record.person:
            seconds = float(allowance.answer)
            if is_computer(record.person) and not is_computer(held_by[record.seat].person):
                # The player who is minded finds something when they return.
                seconds /= 2
            grant(EntryKind.ANSWER, game.state.moves, record.seat, seconds)
        previous = record.seat
        for event in events:
            if isinstance(event, RoundBegan):
                number, part = event.number, event.part
                for held in seats if event.kind in WITH_TIME else ():
                    grant(EntryKind.STOCK, number, held.number, allowance.stock)
            elif isinstance(event, TurnBegan) and (player := game.controller_of(event.entity)) is not None:
                grant(EntryKind.COMPANY, f"{number}.{part} {event.entity}", seat_number(player), allowance.company)
    return found

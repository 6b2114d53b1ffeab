"""The rows of a game beside its log: clocks, notices, orders, questions, its place. Nobody misses a row of them
long."""

from __future__ import annotations

import msgspec

from bot.engine import seat
from bot.engine.play import Game
from bot.service.features.standing_orders.orders import is_order
from bot.service.features.votes import is_question
from bot.service.sessions import fresh_clocks
from bot.store import KINDS, GameStatus, Row, RowFix, is_broken, shard_key_of, unreadable_columns

from .case import GameUnderCheck, format_unreadable

NAMES = {
    "clocks": "clock of seat {seat}",
    "outbox": "notice {id}",
    "posts": "post {slot}",
    "orders": "standing order {id}",
    "sandboxes": "sandbox of {person}",
    "links": "link of {person}",
    "notes": "notes of {person}",
    "talk": "message {id}",
    "mails": "mail {id}",
    "questions": "question {id}",
    "answers": "answer of seat {seat} to question {question}",
}


def look_through(case: GameUnderCheck, game: Game | None) -> None:
    """Drop rows that cannot be read or belong to missing seats; `game` is the present position, if known."""
    _place(case)
    seats = {sitting.number for sitting in case.seats}
    gone = {row["id"] for row in case.rows["questions"] if _fault(row, "questions")}
    for table in NAMES:
        for row in case.rows[table]:
            what = _fault(row, table)
            number = row.get("seat")
            if not what and number is not None and number not in seats:
                what = "there is no such seat"
            if not what and table == "answers" and row["question"] in gone:
                what = "its question cannot be read"
            if what:
                case.drop(table, row, NAMES[table].format(**row), what)
    if case.record is not None and case.record.status == GameStatus.RUNNING and game is not None:
        _clocks(case, game)


def _fault(row: Row, table: str) -> str:
    bad = unreadable_columns(row, KINDS[table])
    if bad:
        return format_unreadable(bad)
    if table == "outbox" and is_broken(table, row):
        return "it is not what was saved (seal)"
    if table == "orders" and not is_order(msgspec.json.decode(row["data"])):
        return "its data are no order"
    if table == "questions" and not is_question(row["kind"], msgspec.json.decode(row["data"])):
        return "its data are no such question"
    return ""


def _place(case: GameUnderCheck) -> None:
    """A place without its thread is the channel; without its channel it does not count. Its shard follows from its
    server; older programs wrote none."""
    for row in case.rows["places"]:
        bad = unreadable_columns(row, KINDS["places"])
        if {"guild", "channel"} & set(bad):
            case.drop("places", row, "its place", f"{format_unreadable(bad)}; it needs another place (/moderate here)")
        else:
            case.read("places", row, "its place", {"thread": None, "trouble": None})
            right = shard_key_of(row["guild"])
            if row["shard_key"] not in (None, right):
                cure = RowFix("places", row["rowid"], {"shard_key": right})
                case.add_problem(
                    "its place", "the shard key (shard_key) is not its server's", f"it is {right} now", cure
                )


def _clocks(case: GameUnderCheck, game: Game) -> None:
    """Every player who is asked has a clock, and nobody else."""
    record, asked = case.record, game.players_to_act()
    if record is None:
        return
    running = {row["seat"]: row for row in case.rows["clocks"] if not _fault(row, "clocks")}
    for sitting in case.seats:
        row = running.get(sitting.number)
        where = f"clock of seat {sitting.number}"
        if row is not None and seat(sitting.number) not in asked:
            case.drop("clocks", row, where, "the seat is not asked")
        if row is None and seat(sitting.number) in asked:
            (clock,) = fresh_clocks(record, [sitting], asked, case.now, record.version)
            values = msgspec.to_builtins(clock)
            case.add_problem(where, "it is missing", "it begins now", RowFix("clocks", None, values))

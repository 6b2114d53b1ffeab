"""The rows of a game, read and compared with each other. Columns that follow from its log are put right; every other fault is only named.

Its texts are for the operator: a row that is damaged comes back with a backup.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from bot.engine import ERASED, NOBODY, GameId, Rejected, seat
from bot.engine.play import Game, Title
from bot.service.features.plans.records import is_plan
from bot.service.features.votes import is_question
from bot.service.sessions import (
    CorruptSnapshot,
    ForeignSnapshot,
    decode_position,
    fresh_clocks,
    timeline_of,
    versions_of,
)
from bot.store import (
    KINDS,
    GameRecord,
    GameStatus,
    MoveKind,
    MoveRecord,
    Row,
    RowFix,
    SeatRecord,
    StoreDamaged,
    WaitRecord,
    decode_leniently,
    is_broken,
    shard_key_of,
    unreadable_columns,
)

from .findings import IntegrityReport, Problem
from .replay_check import KeptPosition, ReplayCheck

LABELS = {
    "moderator": "opener",
    "pace_hours": "hours a turn",
    "version": "number of the last record",
    "rules": "version of the rules",
    "created_at": "when it was made",
    "updated_at": "when it was last changed",
    "seats_each": "seats for one person",
    "asks_always": "forced passes by hand",
    "shows_both": "map and market every time",
    "retold": "how often somebody was taken out of it",
    "clock": "time that its clock grants",
    "zone": "time zone",
    "quiet_from": "begin of quiet hours",
    "quiet_to": "end of quiet hours",
    "muted": "wants no reminders",
    "away_until": "end of the holiday",
    "sitter_until": "end of the sitter's days",
    "parent": "record on which it stands",
    "lines": "what the log says",
    "made_at": "when it was made",
    "auto": "made automatically",
    "since": "begin of the wait",
    "due_at": "next reminder",
    "reminders": "reminders so far",
    "reminded_at": "last reminder",
    "snoozed_until": "end of the snooze",
    "until": "when it ended",
    "seconds": "time granted",
    "attempts": "attempts to post it",
    "reference": "where it was posted",
    "posted_at": "when it was posted",
    "guild": "server",
    "trouble": "why nothing can be posted",
    "data": "what is wanted",
    "ended": "record at which it ended",
    "texts": "moves",
    "closed_at": "when it was decided",
    "agree": "the answer",
}
"""The meaning of columns whose names do not tell everybody."""

NAMES = {
    "clocks": "clock of seat {seat}",
    "ledger": "time entry {id}",
    "outbox": "notice {id}",
    "places": "its place",
    "posts": "post {slot}",
    "orders": "plan {id}",
    "sandboxes": "sandbox of {person}",
    "links": "link of {person}",
    "calls": "call {id}",
    "notes": "notes of {person}",
    "talk": "message {id}",
    "mails": "mail {id}",
    "questions": "question {id}",
    "answers": "answer of seat {seat} to question {question}",
    "people": "habits of {person!r}",
    "failures": "failure {queue} {key}",
    "openings": "opening",
    "offers": "offer of seat {seat}",
    "results": "result",
    "standings": "standing of seat {seat}",
    "departures": "departure of {person}",
}
"""The name of a row, by its table."""

REBUILT = ("snapshots", "clocks", "failures", "results", "standings", "departures", "offers")
"""Tables without which nothing is lost: positions, clocks, offers and results follow from the log, and a row whose failures are forgotten is
tried again."""

BACK = (MoveKind.UNDO, MoveKind.REDO, MoveKind.REWIND)
"""Kinds of records whose parent is not the record just before them."""

GAME_DEFAULTS = {
    # Paused, it is replayed, and its clocks are let be.
    "status": GameStatus.PAUSED,
    "moderator": ERASED,
    "pace_hours": 1.0,
    "created_at": 0.0,
    "updated_at": 0.0,
}
SEAT_DEFAULTS = {"person": NOBODY, "name": ""}
MOVE_DEFAULTS = {"person": ERASED, "lines": [], "made_at": 0.0}
"""Values with which a replay goes on for columns that cannot be read and that it does not need."""

Moves = Mapping[int, MoveRecord]


Edition = Callable[[str, int], Title]
"""The title of a name in a version of its rules; raises `IllegalMove` where there is none."""


class GameExamination:
    """An examination of one game. `faults` is what is wrong with its rows so far."""

    def __init__(self, game_id: GameId, rows: Mapping[str, Sequence[Row]], edition: Edition, now: float) -> None:
        self.game = game_id
        self.rows = rows
        self.edition = edition
        self.now = now
        self.faults: list[Problem] = []
        self.has_seats = False

    def report(self) -> IntegrityReport:
        moves = self._read_moves()
        record = self._read_game(moves)
        seats = self._read_seats()
        line: list[MoveRecord] = []
        game, begun = None, 0
        if record is not None and (self.rows["moves"] or record.status != GameStatus.LOBBY):
            line = branch_of(moves, record.version)
            game, begun = self._replay(record, seats, moves, line)
        self._examine_side_rows({sitting.number for sitting in seats})
        if record is not None and record.status == GameStatus.RUNNING and game is not None:
            self._examine_clocks(record, seats, game)
        self._examine_seals()
        count = sum(move.kind == MoveKind.MOVE for move in line)
        return IntegrityReport(self.game, count, tuple(self.faults), begun)

    def _add(self, where: str, what: str, cured: str = "", *cures: RowFix, number: int | None = None) -> None:
        self.faults.append(Problem(where, what, number, 0, cures, cured and f"{where}: {cured}"))

    def _drop(self, table: str, row: Row, where: str, what: str) -> None:
        self._add(where, what, "dropped", RowFix(table, row["rowid"]))

    # -- the log ------------------------------------------------------------------------------------------

    def _read_moves(self) -> dict[int, MoveRecord]:
        """The records that can be read and have a possible kind and parent. The others are reported."""
        moves: dict[int, MoveRecord] = {}
        for row in sorted(self.rows["moves"], key=_number):
            number = row["number"]
            bad = unreadable_columns(row, MoveRecord)
            what = format_unreadable(bad)
            if not bad.keys() & {"number", "parent", "kind", "text"}:
                move = decode_leniently(row, MoveRecord, MOVE_DEFAULTS)
                if fault := _record_fault(move):
                    what = fault
                else:
                    moves[move.number] = move
            if what:
                self._add(f"record {number}", what, number=number if isinstance(number, int) else None)
        last, known = self._last_number(), {row["number"] for row in self.rows["moves"]}
        gap = next((number for number in range(last + 1) if number not in known), None)
        if gap is not None:
            self._add("the log", f"record {gap} is missing", number=gap)
        return moves

    def _last_number(self) -> int:
        """The number with which the log ends; -1 where there is no log."""
        return max(map(_number, self.rows["moves"]), default=-1)

    def _examine_seals(self) -> None:
        """Name records that differ from those saved, where nothing else shows it."""
        named = {fault.where for fault in self.faults}
        for row in self.rows["moves"]:
            number = row["number"]
            if is_broken("moves", row) and not named & {f"record {number}", f"move {number}"}:
                self._add(f"record {number}", "it is not what was saved (seal)", number=number)

    # -- its own row and its seats ------------------------------------------------------------------------

    def _read_game(self, moves: Moves) -> GameRecord | None:
        """The game's row; None where what cannot be read is needed to replay it. Columns that the log tells are put right."""
        (row,), last = self.rows["games"], self._last_number()
        follows: dict[str, Any] = {}
        if not self.faults and last in moves:
            kept = {row["number"] for row in self.rows["snapshots"]}
            is_cut_off = isinstance(row["version"], int) and row["version"] > last and row["version"] in kept
            follows = {"updated_at": moves[last].made_at} | ({} if is_cut_off else {"version": last})
        bad = unreadable_columns(row, GameRecord)
        wrong = {column: f"cannot be read ({why})" for column, why in bad.items()}
        if "version" not in bad and last >= 0 and row["version"] != last:
            wrong["version"] = f"is {row['version']}, and the log ends with {last}"
        wrong |= self._contradictions(row, moves, bad)
        for column, what in wrong.items():
            if column in follows:
                fix = RowFix("games", row["rowid"], {column: follows[column]})
                self._add(
                    "its own row", f"{column_label(column)} {what}", f"{column_label(column)} follows from the log", fix
                )
            else:
                self._add("its own row", f"{column_label(column)} {what}")
        right = {**row, **{column: follows[column] for column in wrong if column in follows}}
        if bad.keys() & {"id", "title", "options", "seed", "rules"}:
            return None
        return decode_leniently(right, GameRecord, {**GAME_DEFAULTS, "version": max(last, 0)})

    def _contradictions(self, row: Row, moves: Moves, bad: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Columns that contradict the log, each with what is wrong."""
        if "status" not in bad and (row["status"] == GameStatus.LOBBY) != (not self.rows["moves"]):
            yield "status", f"is '{row['status']}', and there is {'a' if self.rows['moves'] else 'no'} log"
        changes = [move for move in moves.values() if move.kind == MoveKind.RULES]
        if changes and "rules" not in bad:
            with suppress(StoreDamaged):
                logged = versions_of(changes[-1])[1]
                if row["rules"] != logged:
                    yield "rules", f"is {row['rules']}, and the log leads to {logged}"

    def _read_seats(self) -> list[SeatRecord]:
        """The seats that have a number, in order. They are numbered without a gap, and no two have the same name."""
        seats: list[SeatRecord] = []
        for row in self.rows["seats"]:
            bad = unreadable_columns(row, SeatRecord)
            if bad:
                self._add(f"seat {row['number']!r}", format_unreadable(bad))
            if not bad.keys() & {"game", "number"}:
                seats.append(decode_leniently(row, SeatRecord, SEAT_DEFAULTS))
        seats.sort(key=lambda sitting: sitting.number)
        numbers = [sitting.number for sitting in seats]
        self.has_seats = numbers == list(range(1, len(numbers) + 1))
        if not self.has_seats:
            self._add("its seats", f"they are numbered {', '.join(map(str, numbers))}")
        seen: set[str] = set()
        for sitting in seats:
            name = sitting.name.strip()
            if not name or name.casefold() in seen:
                self._add(
                    f"seat {sitting.number}", f"its name {name!r} is that of another seat" if name else "it has no name"
                )
            seen.add(name.casefold())
        return seats

    # -- positions ----------------------------------------------------------------------------------------

    def _replay(
        self, record: GameRecord, seats: Sequence[SeatRecord], moves: Moves, line: Sequence[MoveRecord]
    ) -> tuple[Game | None, int]:
        """Replay the line to the present position; returns that, if known, and the record where the replay began."""
        try:
            timeline = timeline_of(record.rules, moves.values())
        except StoreDamaged as damage:
            self._add("the log", str(damage))
            return None, 0

        def title_at(number: int) -> Title:
            return self.edition(record.title, timeline.version_at(number))

        if not self.has_seats:
            return None, 0
        if line and (first := line[0]).number:
            known = (
                "cannot be used" if first.parent in {row["number"] for row in self.rows["moves"]} else "does not exist"
            )
            self._add(
                f"record {first.number}",
                f"it stands on record {first.parent}, which {known}: the log is broken there",
                number=first.number,
            )
        kept = {row["number"]: KeptPosition(row["rowid"], row["state"]) for row in self.rows["snapshots"]}
        replay = ReplayCheck(record, seats, kept, title_at)
        replay.run(line)
        self.faults += replay.faults
        on_line = {move.number for move in line}
        for number, position in kept.items():
            if number in on_line:
                continue
            # A position that was taken back is only read.
            fault, is_sure = "there is no such record", True
            if number in range(record.version + 1):
                try:
                    decode_position(title_at(number), position.state, record, seats)
                    continue
                except CorruptSnapshot as unsound:
                    fault, is_sure = str(unsound), replay.has_agreed or not isinstance(unsound, ForeignSnapshot)
                except Rejected:
                    continue
            cure = [RowFix("snapshots", position.rowid)] if is_sure else []
            self._add(f"position {number}", fault, "dropped" if cure else "", *cure)
        return replay.game, replay.begun

    # -- the rest -----------------------------------------------------------------------------------------

    def _examine_side_rows(self, seats: set[int]) -> None:
        """Rows that cannot be read or belong to missing seats, and places with the shard of another server."""
        for table in [table for table in NAMES if table in self.rows]:
            for row in self.rows[table]:
                where, what = NAMES[table].format(**row), side_fault(table, row)
                if not what and row.get("seat") is not None and row["seat"] not in seats:
                    what = "there is no such seat"
                if what and table in REBUILT:
                    self._drop(table, row, where, what)
                elif what:
                    self._add(where, what)
                elif table == "places" and row["shard_key"] not in (None, key := shard_key_of(row["guild"])):
                    # Older programs wrote none.
                    fix = RowFix(table, row["rowid"], {"shard_key": key})
                    self._add(where, "the shard key (shard_key) is not its server's", f"it is {key} now", fix)

    def _examine_clocks(self, record: GameRecord, seats: Sequence[SeatRecord], game: Game) -> None:
        """Every player who is asked has a clock, and nobody else."""
        asked = game.players_to_act()
        running = {row["seat"]: row for row in self.rows["clocks"] if not unreadable_columns(row, WaitRecord)}
        for sitting in seats:
            row, is_asked = running.get(sitting.number), seat(sitting.number) in asked
            where = NAMES["clocks"].format(seat=sitting.number)
            if row is not None and not is_asked:
                self._drop("clocks", row, where, "the seat is not asked")
            if row is None and is_asked:
                (clock,) = fresh_clocks(record, [sitting], asked, self.now, record.version)
                self._add(where, "it is missing", "it begins now", RowFix("clocks", None, msgspec.to_builtins(clock)))


def _number(row: Row) -> int:
    number = row["number"]
    return number if isinstance(number, int) else -1


def _record_fault(move: MoveRecord) -> str:
    """The impossible in a record that can be read; empty if nothing is."""
    if move.kind not in tuple(MoveKind):
        return f"there is no kind of record called {move.kind!r}"
    if move.parent == move.number - 1 or (move.kind in BACK and 0 <= move.parent < move.number):
        return ""
    return f"it cannot stand on record {move.parent}"


def branch_of(moves: Moves, number: int) -> list[MoveRecord]:
    """The records that led to a record, oldest first, as far back as the log leads."""
    line: list[MoveRecord] = []
    move = moves.get(number)
    while move is not None:
        line.append(move)
        move = moves.get(move.parent)
    return line[::-1]


def side_fault(table: str, row: Row) -> str:
    """The faults of a row beside the log; empty if nothing is."""
    bad = unreadable_columns(row, KINDS[table])
    if bad:
        return format_unreadable(bad)
    if table == "outbox" and is_broken(table, row):
        return "it is not what was saved (seal)"
    if table == "orders" and not is_plan(msgspec.json.decode(row["data"])):
        return "its data are no plan"
    if table == "questions" and not is_question(row["kind"], msgspec.json.decode(row["data"])):
        return "its data are no such question"
    return ""


def stray_faults(rows: Mapping[str, Sequence[Row]]) -> Iterator[Problem]:
    """Rows whose game or question does not exist; and habits and failures, which need none, that cannot be read."""
    for table in rows:
        if table in ("people", "failures"):
            for row in rows[table]:
                if what := side_fault(table, row):
                    where = NAMES[table].format(**row)
                    yield _stray_problem(table, where, what, [row], f"{where}: dropped")
            continue
        column = "question" if table == "answers" else "game"
        for parent in dict.fromkeys(row[column] for row in rows[table]):
            lost = [row for row in rows[table] if row[column] == parent]
            what = f"{len(lost)} row(s) belong to {column} {parent!r}, which there is not"
            yield _stray_problem(table, table, what, lost, f"{table}: {len(lost)} row(s) dropped")


def _stray_problem(table: str, where: str, what: str, rows: Sequence[Row], cured: str) -> Problem:
    """A fault of rows that are dropped, if nothing is lost with them."""
    if table not in REBUILT:
        return Problem(where, what)
    return Problem(where, what, cures=tuple(RowFix(table, row["rowid"]) for row in rows), cured=cured)


def column_label(column: str) -> str:
    return f"{LABELS[column]} ({column})" if column in LABELS else column


def format_unreadable(bad: Mapping[str, str]) -> str:
    return "; ".join(f"{column_label(column)} cannot be read ({why})" for column, why in bad.items())

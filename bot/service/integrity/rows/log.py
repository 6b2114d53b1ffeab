"""The log of a game: its records are numbered without a gap, and each stands on one before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from bot.engine import ERASED, Message
from bot.engine.games.corrections import is_correction
from bot.store import (
    GameStatus,
    MoveKind,
    MoveRecord,
    Row,
    RowFix,
    StoreDamaged,
    decompress_state,
    is_broken,
    record_of,
)

from .case import GameUnderCheck

HALTED: Mapping[str, GameStatus] = {MoveKind.PAUSE: GameStatus.PAUSED, MoveKind.END: GameStatus.FINISHED}
"""The status that a record of this kind leaves a game in."""

BACK = (MoveKind.UNDO, MoveKind.REDO, MoveKind.REWIND)
"""Kinds of records whose parent is not the record just before them."""


def read_log(case: GameUnderCheck) -> None:
    """Read all records, and check that each has a parent."""
    made_at = 0.0
    for row in sorted(case.rows["moves"], key=_number):
        values = case.read("moves", row, f"record {row['number']}", _fallback_values(row, made_at))
        if values is not None:
            move = record_of(values, MoveRecord)
            made_at = move.made_at
            case.moves[move.number] = _fix_parent(case, row, _fix_kind(case, row, move))
    _renumber(case)


def _number(row: Row) -> int:
    number = row["number"]
    return number if isinstance(number, int) else -1


def _fallback_values(row: Row, made_at: float) -> dict[str, Any]:
    """Values for the columns of a record that cannot be read, as far as they follow from the rest."""
    text, number = row["text"], row["number"]
    found = {"person": ERASED, "made_at": made_at, "seat": None, "auto": 0}
    found["lines"] = msgspec.json.encode([Message(text)] if isinstance(text, str) and text else []).decode()
    if isinstance(number, int):
        if row["kind"] not in BACK:
            found["parent"] = number - 1
        if isinstance(text, str) and text:
            found["kind"] = _kind_of(text)
    return found


def _kind_of(text: str) -> MoveKind:
    if is_correction(text):
        return MoveKind.CORRECT
    return MoveKind.RULES if text.replace(" ", "").isdecimal() else MoveKind.MOVE


def _fix_kind(case: GameUnderCheck, row: Row, move: MoveRecord) -> MoveRecord:
    if move.kind in tuple(MoveKind):
        return move
    where, what = f"record {move.number}", f"there is no kind of record called {move.kind!r}"
    if not move.text:
        case.add_problem(where, what, number=move.number)
        return move
    kind = _kind_of(move.text)
    case.add_problem(
        where, what, f"kind is '{kind}' now", RowFix("moves", row["rowid"], {"kind": kind}), number=move.number
    )
    return msgspec.structs.replace(move, kind=kind)


def _fix_parent(case: GameUnderCheck, row: Row, move: MoveRecord) -> MoveRecord:
    number, parent = move.number, move.parent
    if parent == number - 1 or (move.kind in BACK and 0 <= parent < number):
        return move
    where = f"record {number}"
    right = _matching_record(case, number) if move.kind in BACK else number - 1
    if right is None:
        case.add_problem(where, f"it cannot stand on record {parent}", number=number)
        return move
    cure = RowFix("moves", row["rowid"], {"parent": right})
    case.add_problem(
        where, f"it cannot stand on record {parent}", f"it stands on record {right} now", cure, number=number
    )
    return msgspec.structs.replace(move, parent=right)


def _matching_record(case: GameUnderCheck, number: int) -> int | None:
    """The latest record before one whose position is the same, among those that are kept."""
    states = dict(_states(case))
    return max((at for at, state in states.items() if at < number and state == states.get(number)), default=None)


def _states(case: GameUnderCheck) -> Iterator[tuple[int, bytes]]:
    for row in case.rows["snapshots"]:
        try:
            yield row["number"], decompress_state(row["state"], case.game)
        except StoreDamaged:
            continue


def _renumber(case: GameUnderCheck) -> None:
    """If a number is missing and a record has no possible number, give it that number."""
    version, rows = case.rows["games"][0]["version"], case.rows["moves"]
    end = version if isinstance(version, int) and version in range(2**31) else max(case.moves, default=0)
    numbers = {row["number"] for row in rows}
    lost = [row for row in rows if not _is_possible_number(row["number"], end, numbers)]
    missing = [number for number in range(min(end, len(rows)) + 1) if number not in numbers]
    if len(lost) != 1 or len(missing) != 1:
        return
    row, number = {**lost[0], "number": missing[0]}, missing[0]
    case.faults = [fault for fault in case.faults if fault.where != f"record {lost[0]['number']}"]
    case.moves.pop(lost[0]["number"], None)
    cure = RowFix("moves", row["rowid"], {"number": number})
    case.add_problem(f"record {number}", f"it is numbered {lost[0]['number']!r}", f"it is numbered {number} now", cure)
    values = case.read("moves", row, f"record {number}", _fallback_values(row, 0.0))
    if values is not None:
        case.moves[number] = _fix_parent(case, row, _fix_kind(case, row, record_of(values, MoveRecord)))


def _is_possible_number(number: object, end: int, numbers: set[object]) -> bool:
    """Whether a record may have that number: up to the end of the log, or after another record."""
    return isinstance(number, int) and number >= 0 and (number <= end or number - 1 in numbers)


def check_numbers(case: GameUnderCheck, version: int) -> None:
    known = {row["number"] for row in case.rows["moves"]} | set(case.moves)
    missing = [number for number in range(min(version, len(known)) + 1) if number not in known]
    if case.moves and missing:
        case.add_problem("the log", f"record {missing[0]} is missing", number=missing[0])


def check_seals(case: GameUnderCheck) -> None:
    """Note records that differ from those saved, though nothing else shows it: they are accepted once that was
    reported.
    """
    named = {fault.where.partition(":")[0] for fault in case.faults}
    for row in case.rows["moves"]:
        where = f"record {row['number']}"
        if is_broken("moves", row) and not named & {where, f"move {row['number']}"}:
            cure = RowFix("moves", row["rowid"], {"number": row["number"]})
            case.add_problem(where, "it is not what was saved (seal)", "it is taken as it is from now on", cure)


def branch_of(case: GameUnderCheck, number: int) -> list[MoveRecord]:
    """The records that led to a record, oldest first, as far back as the log leads."""
    line: list[MoveRecord] = []
    move = case.moves.get(number)
    while move is not None:
        line.append(move)
        move = case.moves.get(move.parent) if move.parent < move.number else None
    return line[::-1]


def status_of(case: GameUnderCheck) -> GameStatus:
    """The status of a game by its log; positions say whether the rules have ended it."""
    status = GameStatus.LOBBY
    for number in sorted(case.moves):
        kind = case.moves[number].kind
        if kind in (MoveKind.START, MoveKind.RESUME) or (
            kind in (*BACK, MoveKind.MOVE) and status != GameStatus.PAUSED
        ):
            status = GameStatus.RUNNING
        status = HALTED.get(kind, status)
    return status

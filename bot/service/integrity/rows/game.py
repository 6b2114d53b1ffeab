"""A game's own row, its seats, and the whole examination."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec

from bot.engine import ERASED, NOBODY, Rejected, SeatNumber
from bot.engine.play import Title
from bot.service.integrity.findings import IntegrityReport
from bot.service.integrity.replay_check import KeptPosition, ReplayCheck
from bot.service.sessions import PACES, CorruptSnapshot, TitleAt, decode_position, timeline_of, versions_of
from bot.store import (
    GameRecord,
    GameStatus,
    MoveKind,
    Row,
    RowFix,
    SeatRecord,
    StoreDamaged,
    record_of,
    unreadable_columns,
)

from .case import GameUnderCheck, SnapshotConsensus, column_label, default_values
from .log import branch_of, check_numbers, check_seals, read_log, status_of
from .side_tables import look_through


def build_report(case: GameUnderCheck) -> IntegrityReport:
    read_log(case)
    read_game(case)
    read_seats(case)
    game, begun, moves = None, 0, 0
    if case.record is not None and case.record.status != GameStatus.LOBBY:
        check_numbers(case, case.record.version)
        line = branch_of(case, case.record.version)
        moves = sum(move.kind == MoveKind.MOVE for move in line)
        replay = _replay(case, case.record)
        game, begun = (replay.game, replay.begun) if replay else (None, 0)
    look_through(case, game)
    check_seals(case)
    return IntegrityReport(case.game, moves, tuple(case.faults), begun)


# -- its own row --------------------------------------------------------------------------------------


def read_game(case: GameUnderCheck) -> None:
    """Read the game's row; what cannot be read follows from log, seats and positions."""
    row = case.rows["games"][0]
    values = case.read("games", row, "its own row", _fallback_values(case))
    if values is None:
        return
    record = record_of(values, GameRecord)
    for column, what, right in _contradictions(case, record):
        where = f"its own row: {column_label(column)}"
        if right is None:
            case.add_problem(where, what)
            continue
        stored = msgspec.json.encode(right).decode() if column == "options" else right
        case.add_problem(where, what, f"it is {right!r} now", RowFix("games", row["rowid"], {column: stored}))
        record = msgspec.structs.replace(record, **{column: right})
    case.record = record


def _fallback_values(case: GameUnderCheck) -> dict[str, Any]:
    made = [case.moves[number].made_at for number in sorted(case.moves)] or [0.0]
    people = (row["person"] for row in case.rows["seats"] if isinstance(row["person"], str) and row["person"])
    found = default_values(GameRecord) | {
        "status": status_of(case),
        "version": case.last or 0,
        "moderator": next(people, ERASED),
        "pace_hours": PACES["normal"],
        "created_at": made[0],
        "updated_at": made[-1],
    }
    del found["rules"]
    if case.origin is not None:
        options = msgspec.json.encode(case.origin.options).decode()
        found |= {"title": case.origin.title, "options": options, "seed": case.origin.seed}
    if "rules" in unreadable_columns(case.rows["games"][0], GameRecord) and (version := _rules_of(case)) is not None:
        found["rules"] = version
    return found


def _rules_of(case: GameUnderCheck) -> int | None:
    """The version of the rules to which the log leads, else the newest that reproduces what was kept."""
    return _logged_rules(case) or (_fitting_rules(case, case.origin) if case.origin else None)


def _logged_rules(case: GameUnderCheck) -> int | None:
    """The version named by the last record about a change of rules; None where there is no such record."""
    last = next((move for _, move in sorted(case.moves.items(), reverse=True) if move.kind == MoveKind.RULES), None)
    with suppress(StoreDamaged):
        return versions_of(last)[1] if last is not None else None
    return None


def _fitting_rules(case: GameUnderCheck, origin: SnapshotConsensus) -> int | None:
    record = GameRecord(
        case.game, origin.title, dict(origin.options), origin.seed, GameStatus.LOBBY, NOBODY, 1, case.last or 0, 0, 0
    )
    seats = [SeatRecord(case.game, SeatNumber(number), NOBODY, name) for number, name in enumerate(origin.names, 1)]
    for title in _editions(case, origin.title):
        replay = ReplayCheck(record, seats, _kept_positions(case), lambda number, title=title: title)  # type: ignore[misc]
        replay.run(branch_of(case, record.version))
        if not replay.faults:
            return title.version
    return None


def _editions(case: GameUnderCheck, name: str) -> Iterator[Title]:
    """Newest first."""
    with suppress(Rejected):
        for version in range(case.shelf.title(name).version, 0, -1):
            with suppress(Rejected):
                yield case.shelf.edition(name, version)


def _kept_positions(case: GameUnderCheck) -> dict[int, KeptPosition]:
    return {row["number"]: KeptPosition(row["rowid"], row["state"]) for row in case.rows["snapshots"]}


def _contradictions(case: GameUnderCheck, record: GameRecord) -> Iterator[tuple[str, str, Any]]:
    """Columns that contradict log and positions: what is wrong, and what is right (None: unknown)."""
    origin, last, status = case.origin, case.last, status_of(case)
    if origin is not None and origin.votes > 1:
        for column in ("title", "options", "seed"):
            said, right = getattr(record, column), getattr(origin, column)
            if said != right:
                yield column, f"it is {said!r}, in the positions {right!r}", right
    logged = _logged_rules(case)
    if logged is not None and logged != record.rules:
        yield "rules", f"it is {record.rules}, and the log leads to {logged}", logged
    elif logged is None and not _is_known_version(case, record) and (fitting := _rules_of(case)) is not None:
        yield "rules", f"there is no version {record.rules}", fitting
    if last is None:
        if record.status != GameStatus.LOBBY:
            is_new = not record.version and not case.rows["snapshots"]
            yield "status", f"it is '{record.status}', and there is no log", "lobby" if is_new else None
        return
    if record.status == GameStatus.LOBBY:
        yield "status", "it is 'lobby', and there is a log", status
    if record.version != last:
        is_kept = any(row["number"] == record.version for row in case.rows["snapshots"])
        is_lost = record.version > last and is_kept
        yield "version", f"it is {record.version}, and the log ends with {last}", None if is_lost else last


def _is_known_version(case: GameUnderCheck, record: GameRecord) -> bool:
    try:
        return record.rules in range(1, case.shelf.title(record.title).version + 1)
    except Rejected:
        return True


# -- seats --------------------------------------------------------------------------------------------


def read_seats(case: GameUnderCheck) -> None:
    """Read the seats: they are numbered from 1, as many as the positions have players, and no two have the same name."""
    rows = sorted(case.rows["seats"], key=lambda row: row["number"] if isinstance(row["number"], int) else 0)
    has_begun = case.record is None or case.record.status != GameStatus.LOBBY
    names = case.origin.names if case.origin and has_begun else ()
    known = [row["number"] for row in rows if isinstance(row["number"], int) and row["number"] > 0]
    count = len(names) or (max(known, default=0) if has_begun else len(rows))
    wanted = range(1, min(count, 20) + 1)
    missing = [number for number in wanted if number not in known]
    for row in rows:
        number = row["number"]
        if number not in wanted:
            number = _put_back(case, row, missing, names, has_begun)
            if number is None:
                continue
        _read_seat(case, {**row, "number": number}, _name(names, number))
    for number in missing:
        _add_seat(case, SeatNumber(number), _name(names, number))
    case.seats.sort(key=lambda sitting: sitting.number)
    _tell_apart(case, names)


def _name(names: tuple[str, ...], number: int) -> str:
    return names[number - 1] if number <= len(names) else f"Player {number}"


def _put_back(
    case: GameUnderCheck, row: Row, missing: list[int], names: tuple[str, ...], has_begun: bool
) -> int | None:
    """The number for a seat that cannot have its own: that of the player of its name, or in a lobby the next."""
    where, what = f"seat {row['number']!r}", "there is no such seat in the game"
    number = next((one for one in missing if not has_begun or _name(names, one) == row["name"]), None)
    if number is None:
        case.drop("seats", row, where, what)
        return None
    missing.remove(number)
    case.add_problem(where, what, f"it is seat {number} now", RowFix("seats", row["rowid"], {"number": number}))
    return number


def _read_seat(case: GameUnderCheck, row: Row, name: str) -> None:
    instead = default_values(SeatRecord) | {"person": "", "name": name}
    values = case.read("seats", row, f"seat {row['number']}", instead)
    if values is not None:
        case.seats.append(record_of(values, SeatRecord))


def _add_seat(case: GameUnderCheck, number: SeatNumber, name: str) -> None:
    """A seat whose row is gone is free: the moderator gives it to the player who had it."""
    sitting = SeatRecord(case.game, number, NOBODY, name)
    cure = RowFix("seats", None, msgspec.to_builtins(sitting))
    case.add_problem(f"seat {number}", "it is missing", "it is free now; its moderator can give it away", cure)
    case.seats.append(sitting)


def _tell_apart(case: GameUnderCheck, names: tuple[str, ...]) -> None:
    """Give a seat a new name where two have the same."""
    seen: set[str] = set()
    for place, sitting in enumerate(case.seats):
        name = sitting.name
        if name.strip() and name.casefold() not in seen:
            seen.add(name.casefold())
            continue
        others = {other.name.casefold() for other in case.seats}
        free = (
            one for one in (_name(names, sitting.number), f"Player {sitting.number}") if one.casefold() not in others
        )
        new = next(free, f"Player {sitting.number}{len(case.seats)}")
        row = next((row for row in case.rows["seats"] if row["number"] == sitting.number), None)
        if row is None:
            continue
        seen.add(new.casefold())
        what = f"its name {name!r} is that of another seat" if name.strip() else "it has no name"
        case.add_problem(
            f"seat {sitting.number}", what, f"name is {new!r} now", RowFix("seats", row["rowid"], {"name": new})
        )
        case.seats[place] = msgspec.structs.replace(sitting, name=new)


# -- positions ----------------------------------------------------------------------------------------


def _replay(case: GameUnderCheck, record: GameRecord) -> ReplayCheck | None:
    """A replay of the line to the present position; None where the log does not say by which rules."""
    try:
        title_at = _title_at(case, record)
    except StoreDamaged as damage:
        case.add_problem("the log", str(damage))
        return None
    line = branch_of(case, record.version)
    if line and line[0].number:
        first = line[0]
        known = "which cannot be read" if first.parent in _numbers(case) else "which there is not"
        if not any(fault.where == f"record {first.number}" for fault in case.faults):
            what = f"it stands on record {first.parent}, {known}: the log is broken there"
            case.add_problem(f"record {first.number}", what, number=first.number)
    replay = ReplayCheck(record, case.seats, _kept_positions(case), title_at)
    replay.run(line)
    case.faults += replay.faults
    _check_other_positions(case, record, title_at, {move.number for move in line})
    return replay


def _numbers(case: GameUnderCheck) -> set[object]:
    return {row["number"] for row in case.rows["moves"]}


def _title_at(case: GameUnderCheck, record: GameRecord) -> TitleAt:
    eras = timeline_of(record.rules, (case.moves[number] for number in sorted(case.moves)))
    return lambda number: case.shelf.edition(record.title, eras.version_at(number))


def _check_other_positions(case: GameUnderCheck, record: GameRecord, title_at: TitleAt, line: set[int]) -> None:
    """Positions that were taken back are only read; those of no record belong nowhere."""
    for row in case.rows["snapshots"]:
        number = row["number"]
        where = f"position {number}"
        if number in line:
            continue
        if not isinstance(number, int) or number not in range(record.version + 1):
            case.drop("snapshots", row, where, "there is no such record")
            continue
        try:
            decode_position(title_at(number), row["state"], record, case.seats)
        except CorruptSnapshot as unsound:
            case.drop("snapshots", row, where, str(unsound))
        except Rejected:
            continue

"""Commands about the games of this machine: export, import, doctor."""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from bot.engine import NO_GAME, GameId
from bot.engine.games.game_record import GameRecordFile
from bot.formats.peer18xx.registry import DIALECTS, missing_options
from bot.jobs.dispatch import run_jobs
from bot.jobs.job_types import JobFailed, JobType
from bot.ops.lifecycle import open_tables
from bot.ops.privileges import as_owner
from bot.ops.settings import InvalidSetting
from bot.render.painting.fonts import missing_fonts
from bot.service.game_service import GameService
from bot.service.imports.file_io import encode_game_file, write_18xx
from bot.service.imports.formats import import_file
from bot.service.integrity.doctor import IntegrityChecker
from bot.service.integrity.findings import IntegrityReport, Problem, Repair
from bot.store import NO_THREAD_YET, SERVER_GONE, FailureRecord, Server, Store, StoreError, StoreReadOnly, copy_database
from bot.titles.lint import lint_title
from bot.titles.registry import OLDER_VERSIONS, TITLES
from bot.untrusted_input import InvalidFile, read_bounded

from .games import spinner, with_progress, worker_server
from .main import NotFound, data_folder, present_database, settings


def export(arguments: argparse.Namespace) -> int:
    number = number_of_game(arguments.game)
    course = _from_file(Path(arguments.game)) if number is None else game_of_number(number)
    if arguments.form == "18xx" and course.title not in DIALECTS:
        raise InvalidFile(f"18xx.games does not play {course.title}; it plays {', '.join(DIALECTS)}")
    content, objection = write_18xx(course) if arguments.form == "18xx" else (encode_game_file(course), None)
    if objection is not None:
        print(f"signalbox: {objection}", file=sys.stderr)
    if arguments.out:
        arguments.out.write_bytes(content)
        print(arguments.out)
    else:
        sys.stdout.write(content.decode())
    return 0


def number_of_game(word: str) -> GameId | None:
    """The number of a game of this machine; None if the word names a file."""
    return GameId(int(word)) if word.isdecimal() and len(word) < 10 else None


def game_of_number(number: GameId) -> GameRecordFile:
    with as_owner(data_folder()):
        return asyncio.run(_load_game(number))


def _from_file(path: Path) -> GameRecordFile:
    """A game file in our own form.

    :raises InvalidFile: it cannot be read, or our rules refuse an action of it.
    """
    with spinner(f"replaying {path.name}"):
        found = import_file(read_bounded(path), str(path))
    for note in found.notes:
        print(f"signalbox: {note}", file=sys.stderr)
    return found.course


async def _load_game(game_id: GameId) -> GameRecordFile:
    async with open_tables(present_database()) as tables:
        if (await tables.desk.table(game_id)).game is None:
            raise InvalidFile(f"game {game_id} has not begun")
        return await tables.queries.game_file(game_id)


def import_game(arguments: argparse.Namespace) -> int:
    """Import a file and continue the game here, every seat at this screen."""
    course = _from_file(arguments.file)
    with as_owner(data_folder()):
        number = asyncio.run(_import(course))
    print(f"game {number}: {course.title} with {', '.join(course.players)}, {len(course.moves)} moves")
    return 0


async def _import(course: GameRecordFile) -> int:
    from bot.commands.terminal.console import PERSON

    async with open_tables(settings().database) as tables:
        return await tables.transfer.import_game(course, PERSON)


def doctor(arguments: argparse.Namespace) -> int:
    """Exit 1 if the database is damaged, or a game has a problem (after repair, if requested)."""
    if arguments.repair and arguments.workers:
        raise InvalidSetting("--workers examine; to repair, nobody else may be on the database.")
    server = worker_server(arguments.workers)
    with as_owner(data_folder()):
        return asyncio.run(_doctor(arguments.json, arguments.repair, server))


def examination(game_id: GameId) -> IntegrityReport:
    """Examine one game of this environment's database, which is on a server. Repairs are reported, not made."""
    here = settings().server
    if here is None:
        raise JobFailed("this worker has no SIGNALBOX_DATABASE_URL")
    return asyncio.run(_examination(here, game_id))


async def _examination(server: Server, game_id: GameId) -> IntegrityReport:
    async with open_tables(server) as tables:
        report = await tables.doctor.examine(game_id)
    return replace(report, faults=tuple(replace(fault, cures=()) for fault in report.faults))


DOCTOR = JobType("doctor", GameId, IntegrityReport, examination, seconds=1800)


async def _examine_on_workers(server: Server, games: list[GameId]) -> AsyncIterator[IntegrityReport]:
    ahead = iter(with_progress(games))
    async with aclosing(run_jobs(DOCTOR, games, workers=server)) as reports:
        async for report in reports:
            next(ahead, None)
            yield report


async def _doctor(as_json: bool, is_repairing: bool, server: Server | None) -> int:
    """:raises NotFound: there is no database; titles and fonts are reported all the same."""
    try:
        present_database()
    except NotFound:
        titles, fonts = title_faults(), missing_fonts()
        found = {"ok": False, "database": "none", "titles": titles, "missing_fonts": fonts}
        print(json.dumps(found) if as_json else "\n".join([*_title_lines(titles), *_font_lines(fonts)]))
        raise
    with tempfile.TemporaryDirectory(prefix="signalbox-doctor-") as folder:
        return await _examine_all(await _open_store(is_repairing, Path(folder)), as_json, is_repairing, server)


async def _open_store(is_repairing: bool, folder: Path) -> Store:
    """The database of this environment; where it may only be read, a copy of its file in that folder.

    :raises StoreError: it cannot be opened, or is to be repaired and may only be read.
    """
    place = present_database()
    try:
        return await Store.open(place, is_alone=is_repairing)
    except StoreReadOnly:
        if is_repairing or not isinstance(place, Path):
            raise
    print(f"signalbox: {place.parent} may only be read; a copy is examined", file=sys.stderr)
    copied = folder / place.name
    try:
        copy_database(place, copied)
    except StoreError:
        # SQLite reads no write-ahead log where it may not write beside it; nobody else has it open then.
        for path in (place, place.with_name(f"{place.name}-wal")):
            if path.exists():
                shutil.copyfile(path, folder / path.name)
    return await Store.open(copied)


async def _examine_all(store: Store, as_json: bool, is_repairing: bool, server: Server | None) -> int:
    try:
        state = await store.check()
        tables = GameService(store, TITLES, editions=OLDER_VERSIONS)
        try:
            storage, set_aside = await store.rows.storage(), await tables.failures.list_set_aside()
            troubled = await store.rows.troubled_places()
            repairs = await _repairs(tables.doctor, is_repairing, server)
        except StoreError as error:
            if state == "ok":
                raise
            # The file is so damaged that not even its games can be listed.
            storage, set_aside, troubled, repairs = (
                {},
                [],
                [],
                [Repair((), IntegrityReport(NO_GAME, 0, (Problem("its tables", str(error)),)))],
            )
    finally:
        await store.close()
    titles, fonts = title_faults(), missing_fonts()
    is_well = (
        state == "ok" and not fonts and not any(titles.values()) and all(repair.report.is_healthy for repair in repairs)
    )
    if as_json:
        games = [_repair_json(repair) for repair in repairs]
        rows = msgspec.to_builtins(set_aside)
        found = {"ok": is_well, "database": state, "titles": titles, "games": games, "storage": storage}
        troubles = [{"game": game, "trouble": trouble} for game, trouble in troubled]
        print(json.dumps(found | {"set_aside": rows, "places": troubles, "missing_fonts": fonts}))
    else:
        lines = [
            *_report_lines(state, repairs, is_repairing),
            *_failure_lines(set_aside),
            *_place_lines(troubled),
            *_room(storage),
        ]
        print("\n".join([*_title_lines(titles), *_font_lines(fonts), *lines]))
    return 0 if is_well else 1


def title_faults() -> dict[str, list[str]]:
    """The faults of every title, by its number."""
    return {name: [*lint_title(title), *missing_options(title)] for name, title in TITLES.items()}


async def _repairs(doctor: IntegrityChecker, is_repairing: bool, server: Server | None) -> list[Repair]:
    if is_repairing:
        return await doctor.repair_all(with_progress)
    examined = partial(_examine_on_workers, server) if server else None
    return [Repair((), report) for report in await doctor.examine_all(among=with_progress, examined=examined)]


def _title_lines(titles: Mapping[str, Sequence[str]]) -> Iterator[str]:
    yield from (f"title {name}: {fault}" for name, found in titles.items() for fault in found)
    yield f"titles: {', '.join(name for name, found in titles.items() if not found)}: ok"


def _font_lines(fonts: Sequence[str]) -> Iterator[str]:
    if fonts:
        yield f"fonts: {', '.join(fonts)} missing: no picture can be painted; install the program again"


def _report_lines(state: str, repairs: Sequence[Repair], is_repairing: bool) -> Iterator[str]:
    yield from (f"database: {line}" for line in state.splitlines())
    lines = [line for repair in repairs for line in repair.lines()]
    if lines:
        yield "which game: which part of it: what is wrong with it, or was done"
    yield from lines
    problems = [fault for repair in repairs for fault in repair.report.faults]
    mended = f", {sum(len(repair.done) for repair in repairs)} thing(s) mended" if is_repairing else ""
    yield f"{sum(repair.report.game > 0 for repair in repairs)} game(s) examined, {len(problems)} problem(s){mended}"
    curable = sum(bool(fault.cured) for fault in problems)
    if curable and not is_repairing:
        yield f"{curable} can be mended: stop the bot, make a backup, and run: signalbox doctor --repair"
    if len(problems) > curable:
        yield f"{len(problems) - curable} need a backup: stop the bot, and run: signalbox restore"


def _failure_lines(failures: Sequence[FailureRecord]) -> Iterator[str]:
    for failure in failures:
        game = f" of game {failure.game}" if failure.game is not None else ""
        what = f"game {failure.key} is stuck" if failure.queue == "outbox" else f"{failure.queue} {failure.key}{game}"
        since = datetime.fromtimestamp(failure.first_at, UTC).strftime("%Y-%m-%d %H:%M")
        tries = f"{failure.tries} tries since {since} UTC"
        yield f"set aside: {what}: {failure.error} ({tries})"


def _place_lines(troubled: Sequence[tuple[int, str]]) -> Iterator[str]:
    """A line for each game that is not posted where it is played."""
    for game, trouble in troubled:
        words = {NO_THREAD_YET: "its thread waits to be opened", SERVER_GONE: "the bot is no longer in its server"}
        reason = f"Discord answers {trouble}" if trouble.isdecimal() else words.get(trouble, trouble)
        yield f"place: game {game} is not posted: {reason}"


def _room(storage: Mapping[str, int]) -> Iterator[str]:
    games, *sizes = storage.values() or (0,)
    if games:
        log, positions, notices = (f"{size / 1000:.0f} KB" for size in sizes)
        yield f"{games} game(s) are over and keep each, on the average: log {log}, positions {positions}, notices {notices}"


def _repair_json(repair: Repair) -> dict[str, Any]:
    report = repair.report
    return {
        "game": report.game,
        "moves": report.moves,
        "begun": report.begun,
        "move": report.number,
        "fault": report.fault,
        "faults": [str(fault) for fault in report.faults],
        "mended": list(repair.done),
    }

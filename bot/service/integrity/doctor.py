"""Replaying stored games by their rules, looking through every row that is kept of them, and making again what the log tells.

The first difference between a replay and what was saved is named; so is every row that cannot be read or belongs nowhere. A
backup has what the log does not tell.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence

from bot.engine import NO_GAME, GameId
from bot.engine.play import Title
from bot.service.sessions import SessionManager, log
from bot.store import GameRecord, GameStatus, MoveKind, MoveRecord, Row, RowFix, SeatRecord, StoreError
from bot.threads import run_in_thread

from .findings import IntegrityReport, Problem, Repair
from .replay_check import KeptPosition, ReplayCheck
from .rows import GameExamination, stray_faults

GameFilter = Callable[[list[GameId]], Iterable[GameId]]
Examiner = Callable[[list[GameId]], AsyncIterator[IntegrityReport]]
"""Gives a report on each of these games in turn."""

MOST_ROUNDS = 5
"""How often a game is examined again after repairs: a repaired row may show what is wrong with others."""


class IntegrityChecker:
    def __init__(self, desk: SessionManager) -> None:
        self.desk = desk

    async def examine_all(
        self, with_finished: bool = True, among: GameFilter = iter, examined: Examiner | None = None
    ) -> list[IntegrityReport]:
        """Reports on every game that has begun, oldest first; on lobbies, and on rows that belong to no game, only if
        they are not well. `among` goes through the numbers and shows progress; `examined` examines the games
        instead.
        """
        statuses = {record.id: record.status for record in reversed(await self.desk.store.games.list_all())}
        wanted = [game for game, status in statuses.items() if with_finished or status != GameStatus.FINISHED]
        if examined is None:
            reports = [await self.examine(game) for game in among(wanted)]
        else:
            reports = [report async for report in examined(wanted)]
        reports.append(await self.examine_strays())
        return [
            report
            for report in reports
            if not report.is_healthy or statuses.get(report.game, "lobby") != GameStatus.LOBBY
        ]

    async def repair_all(self, among: GameFilter = iter) -> list[Repair]:
        """As `examine_all`, with repairs on the way; nothing else may use the database."""
        statuses = {record.id: record.status for record in reversed(await self.desk.store.games.list_all())}
        repairs = [await self.repair(game) for game in among(list(statuses))]
        repairs.append(await self.repair(NO_GAME))
        return [
            one
            for one in repairs
            if one.done or not one.report.is_healthy or statuses.get(one.report.game, "lobby") != GameStatus.LOBBY
        ]

    async def examine(self, game_id: GameId) -> IntegrityReport:
        """Replay one game from its first move, compare every position that is kept, and look through all its rows. All
        faults are in the report.
        """
        try:
            rows = await self.desk.store.rows.list_of(game_id)
        except StoreError as error:
            return IntegrityReport(game_id, 0, (Problem("its rows", str(error)),))
        if not rows["games"]:
            return IntegrityReport(game_id, 0)
        return await run_in_thread(self._examine_rows, game_id, rows)

    def _examine_rows(self, game_id: GameId, rows: Mapping[str, Sequence[Row]]) -> IntegrityReport:
        try:
            return GameExamination(game_id, rows, self.desk.edition, self.desk.now()).report()
        except Exception as error:
            # Faults of one game's rows do not stop it: the other games are still to be examined.
            return IntegrityReport(
                game_id, 0, (Problem("its rows", f"they cannot be examined: {type(error).__name__}: {error}"),)
            )

    async def examine_strays(self) -> IntegrityReport:
        """Rows that belong to no game, and people's preferences that cannot be read."""
        return IntegrityReport(NO_GAME, 0, tuple(stray_faults(await self.desk.store.rows.strays())))

    async def repair(self, game_id: GameId) -> Repair:
        """Make again what the log tells of a game (0: drop rows that belong to none). Nothing else may use the database.

        Healthy rows are not touched; so a second repair does nothing.
        """
        done: list[str] = []
        for _ in range(MOST_ROUNDS):
            report = await (self.examine(game_id) if game_id else self.examine_strays())
            cures: list[RowFix] = [cure for fault in report.faults for cure in fault.cures]
            if not cures:
                break
            try:
                await self.desk.store.rows.apply_fixes(cures)
            except StoreError as error:
                log.error("not mended: %s", error, extra={"game": game_id})
                break
            self.desk.forget(game_id)
            done += [fault.cured for fault in report.faults if fault.cures]
        return Repair(tuple(done), report)

    async def examine_by(self, game_id: GameId, title: Title) -> IntegrityReport:
        """The first difference if the whole game is replayed by these rules.

        :raises StoreDamaged: a row of it cannot be read.
        """
        found = await self.desk.store.games.find_with_seats(game_id)
        if found is None:
            return IntegrityReport(game_id, 0)
        record, seats, _ = found
        line = await self.desk.store.moves.full_branch(game_id, record.version)
        kept = {
            number: KeptPosition(None, state)
            for number, state in (await self.desk.store.moves.snapshots(game_id)).items()
        }
        return await run_in_thread(replay_report, title, record, seats, line, kept)


def replay_report(
    title: Title,
    record: GameRecord,
    seats: Sequence[SeatRecord],
    line: Sequence[MoveRecord],
    kept: dict[int, KeptPosition],
) -> IntegrityReport:
    replay = ReplayCheck(record, seats, kept, lambda number: title)
    replay.run(line)
    return IntegrityReport(record.id, sum(move.kind == MoveKind.MOVE for move in line), tuple(replay.faults[:1]))

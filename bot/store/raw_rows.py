"""Rows as they are, readable or not, and single rows made again: only for the doctor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Table, delete, func, insert, literal_column, select, true, update

from bot.engine import GameId

from .backends.sqlalchemy_async import AsyncConnection
from .kinds import GameStatus
from .records import (
    AnswerRecord,
    CallRecord,
    DepartureRecord,
    FailureRecord,
    GameRecord,
    LedgerRecord,
    LinkRecord,
    MailRecord,
    MoveRecord,
    NoteRecord,
    OfferRecord,
    OpeningRecord,
    OrderRecord,
    PersonRecord,
    Place,
    PostRecord,
    QuestionRecord,
    ResultRecord,
    SandboxRecord,
    SeatRecord,
    SnapshotRecord,
    StandingRecord,
    TalkRecord,
    WaitRecord,
    WholeNotice,
)
from .repository import Repository
from .schema import metadata, places

Row = Mapping[str, Any]
"""A row as it is, with its `rowid`."""

KINDS: dict[str, type[msgspec.Struct]] = {
    "games": GameRecord,
    "seats": SeatRecord,
    "moves": MoveRecord,
    "snapshots": SnapshotRecord,
    "clocks": WaitRecord,
    "ledger": LedgerRecord,
    "outbox": WholeNotice,
    "places": Place,
    "posts": PostRecord,
    "orders": OrderRecord,
    "sandboxes": SandboxRecord,
    "links": LinkRecord,
    "calls": CallRecord,
    "notes": NoteRecord,
    "talk": TalkRecord,
    "questions": QuestionRecord,
    "answers": AnswerRecord,
    "people": PersonRecord,
    "mails": MailRecord,
    "openings": OpeningRecord,
    "offers": OfferRecord,
    "results": ResultRecord,
    "standings": StandingRecord,
    "departures": DepartureRecord,
    "failures": FailureRecord,
}

OF_NO_GAME = ("games", "people", "failures")
PARENTS = {name: "question" if name == "answers" else "game" for name in KINDS if name not in OF_NO_GAME}
"""The column of every table with the game, or the question, that a row belongs to."""


@dataclass(frozen=True)
class RowFix:
    """A correction of a row: these columns get these values; without `rowid` the row is added, without `values` it
    is dropped.
    """

    table: str
    rowid: int | str | None
    values: Mapping[str, Any] | None = None


class RowRepository(Repository):
    async def list_of(self, game_id: GameId) -> dict[str, list[Row]]:
        """Sorted by table, all at the same moment."""
        async with self.database.read_transaction() as connection:
            found = {"games": await self._rows(connection, "games", _table("games").c.id == game_id)}
            for name, column in PARENTS.items():
                if column == "game":
                    found[name] = await self._rows(connection, name, _table(name).c.game == game_id)
            asked = [row["id"] for row in found["questions"]]
            found["answers"] = await self._rows(connection, "answers", _table("answers").c.question.in_(asked))
        return found

    async def troubled_places(self) -> list[tuple[int, str]]:
        """Games that are not posted where they are played, and why not: one of Discord's codes, or a word."""
        query = select(places.c.game, places.c.trouble).where(places.c.trouble.is_not(None)).order_by(places.c.game)
        async with self.database.read_transaction() as connection:
            return [(game, trouble) for game, trouble in (await connection.execute(query)).all()]

    async def strays(self) -> dict[str, list[Row]]:
        """Rows that belong to no game, or to a question of no game, by table; with all of people and failures, which need none."""
        found: dict[str, list[Row]] = {}
        games, questions = _table("games"), _table("questions")
        parents = {
            "game": select(games.c.id),
            "question": select(questions.c.id).where(questions.c.game.in_(select(games.c.id))),
        }
        async with self.database.read_transaction() as connection:
            for name, column in PARENTS.items():
                found[name] = await self._rows(connection, name, _table(name).c[column].not_in(parents[column]))
            for name in ("people", "failures"):
                found[name] = await self._rows(connection, name, true())
        return {name: rows for name, rows in found.items() if rows}

    async def storage(self) -> dict[str, int]:
        """The number of finished games, and the average bytes of each for log, kept positions, and notices (without
        the database's own overhead).
        """
        games, moves, snapshots, outbox = map(_table, ("games", "moves", "snapshots", "outbox"))
        over = select(games.c.id).where(games.c.status == GameStatus.FINISHED)
        kept = {
            "log": (moves, ("text", "lines")),
            "positions": (snapshots, ("state",)),
            "notices": (outbox, ("lines",)),
        }
        async with self.database.read_transaction() as connection:
            number = int((await connection.execute(select(func.count()).select_from(over.subquery()))).scalar_one())
            found = {"games": number}
            for name, (table, columns) in kept.items():
                sizes = [func.coalesce(func.sum(func.length(table.c[column])), 0) for column in columns]
                row = (await connection.execute(select(*sizes).where(table.c.game.in_(over)))).one()
                found[name] = round(sum(int(size) for size in row) / number) if number else 0
        return found

    async def apply_fixes(self, cures: Sequence[RowFix]) -> None:
        """Correct rows, all of them or none; rows are dropped before others take their places."""
        async with self.database.write_transaction() as connection:
            for cure in sorted(cures, key=lambda cure: cure.values is not None):
                table = _table(cure.table)
                if cure.rowid is None:
                    await connection.execute(insert(table).values(**cure.values or {}))
                    continue
                here = self.database.backend.row_condition(cure.table, cure.rowid)
                change = delete(table) if cure.values is None else update(table).values(**cure.values)
                await connection.execute(change.where(here))

    async def _rows(self, connection: AsyncConnection, name: str, chosen: Any) -> list[Row]:
        # Without their types, which would stumble over what is no value of theirs.
        row = self.database.backend.row_of(name)
        names = [str(column.name) for column in _table(name).columns]
        columns: list[ColumnElement[Any]] = [literal_column(f"{name}.{column}").label(column) for column in names]
        query = select(row.label("rowid"), *columns).select_from(_table(name)).where(chosen).order_by(row)
        return [{str(key): value for key, value in row.items()} for row in (await connection.execute(query)).mappings()]


def _table(name: str) -> Table:
    return metadata.tables[name]

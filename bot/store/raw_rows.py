"""Rows as they are, readable or not, and single rows set right: only for the doctor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Table, delete, exists, func, insert, literal_column, select, true, update

from bot.engine import GameId

from .backends.sqlalchemy_async import AsyncConnection
from .database import Database
from .kinds import GameStatus
from .records import (
    AnswerRecord,
    ClockRecord,
    FailureRecord,
    GameRecord,
    LinkRecord,
    MailRecord,
    MoveRecord,
    NoteRecord,
    OrderRecord,
    PersonRecord,
    Place,
    PostRecord,
    QuestionRecord,
    SandboxRecord,
    SeatRecord,
    SnapshotRecord,
    TalkRecord,
    WholeNotice,
)
from .schema import metadata, places
from .seals import SEALED, seal_of

Row = Mapping[str, Any]
"""A row as it is, with its `rowid`."""

KINDS: dict[str, type[msgspec.Struct]] = {
    "games": GameRecord,
    "seats": SeatRecord,
    "moves": MoveRecord,
    "snapshots": SnapshotRecord,
    "clocks": ClockRecord,
    "outbox": WholeNotice,
    "places": Place,
    "posts": PostRecord,
    "orders": OrderRecord,
    "sandboxes": SandboxRecord,
    "links": LinkRecord,
    "notes": NoteRecord,
    "talk": TalkRecord,
    "questions": QuestionRecord,
    "answers": AnswerRecord,
    "people": PersonRecord,
    "mails": MailRecord,
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


class RawRows(Database):
    async def rows_of(self, game_id: GameId) -> dict[str, list[Row]]:
        """Sorted by table, all at the same moment."""
        async with self.read_transaction() as connection:
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
        async with self.read_transaction() as connection:
            return [(game, trouble) for game, trouble in (await connection.execute(query)).all()]

    async def strays(self) -> dict[str, list[Row]]:
        """Rows that belong to no game, or to a question of no game, by table."""
        found: dict[str, list[Row]] = {}
        games, questions = _table("games"), _table("questions")
        parents = {
            "game": select(games.c.id),
            "question": select(questions.c.id).where(questions.c.game.in_(select(games.c.id))),
        }
        async with self.read_transaction() as connection:
            for name, column in PARENTS.items():
                found[name] = await self._rows(connection, name, _table(name).c[column].not_in(parents[column]))
        return {name: rows for name, rows in found.items() if rows}

    async def games_lacking(self, number: int) -> list[GameId]:
        """The games whose log lacks a record of that number, and goes on after it."""
        games, moves = _table("games"), _table("moves")
        has_it = exists().where(moves.c.game == games.c.id, moves.c.number == number)
        goes_on = (games.c.version >= number) & (games.c.status != GameStatus.LOBBY)
        async with self.single_statement() as connection:
            return [
                GameId(int(game))
                for game in (await connection.execute(select(games.c.id).where(goes_on, ~has_it))).scalars()
            ]

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
        async with self.read_transaction() as connection:
            number = int((await connection.execute(select(func.count()).select_from(over.subquery()))).scalar_one())
            found = {"games": number}
            for name, (table, columns) in kept.items():
                sizes = [func.coalesce(func.sum(func.length(table.c[column])), 0) for column in columns]
                row = (await connection.execute(select(*sizes).where(table.c.game.in_(over)))).one()
                found[name] = round(sum(int(size) for size in row) / number) if number else 0
        return found

    async def people(self) -> list[Row]:
        async with self.read_transaction() as connection:
            return await self._rows(connection, "people", true())

    async def failed_rows(self) -> list[Row]:
        async with self.read_transaction() as connection:
            return await self._rows(connection, "failures", true())

    async def apply_fixes(self, cures: Sequence[RowFix]) -> None:
        """Correct rows, all of them or none."""
        async with self.write_transaction() as connection:
            for cure in sorted(_merge_fixes(cures), key=_fix_order):
                table = _table(cure.table)
                if cure.rowid is None:
                    await connection.execute(insert(table).values(**cure.values or {}))
                    continue
                here = self.backend.row_condition(cure.table, cure.rowid)
                if cure.values is None:
                    await connection.execute(delete(table).where(here))
                else:
                    await connection.execute(
                        update(table).where(here).values(**await self._values_with_seal(connection, cure))
                    )

    async def _values_with_seal(self, connection: AsyncConnection, cure: RowFix) -> Mapping[str, Any]:
        """The columns that a correction sets, with a new seal if the row had any."""
        values = cure.values or {}
        if cure.table not in SEALED or cure.rowid is None:
            return values
        (row,) = await self._rows(connection, cure.table, self.backend.row_condition(cure.table, cure.rowid))
        return values if row["seal"] is None else {**values, "seal": seal_of(cure.table, {**row, **values})}

    async def _rows(self, connection: AsyncConnection, name: str, chosen: Any) -> list[Row]:
        # Without their types, which would stumble over what is no value of theirs.
        row = self.backend.row_of(name)
        names = [str(column.name) for column in _table(name).columns]
        columns: list[ColumnElement[Any]] = [literal_column(f"{name}.{column}").label(column) for column in names]
        query = select(row.label("rowid"), *columns).select_from(_table(name)).where(chosen).order_by(row)
        return [{str(key): value for key, value in row.items()} for row in (await connection.execute(query)).mappings()]


def _merge_fixes(cures: Sequence[RowFix]) -> list[RowFix]:
    """One correction for each row: a changed row may not be found again. A dropped row needs no other."""
    found: dict[object, RowFix] = {}
    for cure in cures:
        key = object() if cure.rowid is None else (cure.table, cure.rowid)
        values = found.get(key, cure).values
        is_dropped = values is None or cure.values is None
        found[key] = RowFix(cure.table, cure.rowid, None if is_dropped else {**(values or {}), **(cure.values or {})})
    return list(found.values())


def _fix_order(cure: RowFix) -> tuple[bool, bool]:
    """Rows that belong to others are dropped first, then those others, then the rest is corrected."""
    return cure.values is not None, cure.table != "answers"


def _table(name: str) -> Table:
    return metadata.tables[name]

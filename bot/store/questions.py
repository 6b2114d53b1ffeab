"""Questions to the table with their answers."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import insert, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or_not

from bot.engine import GameId

from .notices import notice_statements
from .records import AnswerRecord, Notice, QuestionRecord
from .repository import Repository
from .rows import record_of, row_of
from .schema import answers, questions


class QuestionRepository(Repository):
    async def list_open(self, game_id: GameId) -> list[QuestionRecord]:
        """Oldest first."""
        query = select(questions).where(questions.c.game == game_id, questions.c.closed_at.is_(None))
        return self.database.readable_records(
            await self.database.find_rows(query.order_by(questions.c.id)), QuestionRecord
        )

    async def find(self, number: int) -> QuestionRecord | None:
        query = select(questions).where(questions.c.id == number)
        row = await self.database.find_row(query)
        return record_of(row, QuestionRecord) if row else None

    async def add(self, record: QuestionRecord) -> int:
        async with self.database.write_transaction() as connection:
            done = await connection.execute(insert(questions).values(**row_of(record, "id")).returning(questions.c.id))
            return int(done.scalar_one())

    async def close(self, number: int, now: float, outcome: str, told: Iterable[Notice] = ()) -> bool:
        """Close a question and add these notices; False if somebody else has closed it already."""
        async with self.database.write_transaction() as connection:
            done = await connection.execute(
                update(questions)
                .where(questions.c.id == number, questions.c.closed_at.is_(None))
                .values(closed_at=now, outcome=outcome)
            )
            await self.database.backend.run(connection, notice_statements(told))
        return bool(done.rowcount)

    async def answers(self, question: int) -> list[AnswerRecord]:
        query = select(answers).where(answers.c.question == question).order_by(answers.c.seat)
        return self.database.readable_records(await self.database.find_rows(query), AnswerRecord)

    async def set_answers(self, records: Iterable[AnswerRecord], told: Iterable[Notice] = ()) -> None:
        """Save answers, which replace earlier answers of their seats, and add these notices."""
        async with self.database.write_transaction() as connection:
            for row in map(row_of, records):
                await connection.execute(
                    insert_or_not(answers)
                    .values(**row)
                    .on_conflict_do_update(
                        index_elements=["question", "seat"], set_={"agree": row["agree"], "made_at": row["made_at"]}
                    )
                )
            await self.database.backend.run(connection, notice_statements(told))

"""Questions to the table with their answers."""

from __future__ import annotations

import msgspec
from sqlalchemy import Update, insert, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or_not

from bot.engine import GameId

from .backends.backend import Backend
from .backends.sqlalchemy_async import AsyncConnection
from .kinds import PollKind
from .notices import notice_statements
from .records import AnswerRecord, Ballot, QuestionRecord
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

    async def list_open_of(self, kind: PollKind) -> list[QuestionRecord]:
        """The open questions of a kind, of all games."""
        query = select(questions).where(questions.c.kind == kind, questions.c.closed_at.is_(None))
        return self.database.readable_records(await self.database.find_rows(query), QuestionRecord)

    async def find(self, number: int) -> QuestionRecord | None:
        query = select(questions).where(questions.c.id == number)
        row = await self.database.find_row(query)
        return record_of(row, QuestionRecord) if row else None

    async def close(self, number: int, now: float, outcome: str) -> None:
        await self.database.write(_closing(number, now, outcome))

    async def save(self, ballot: Ballot) -> int:
        """Save all of this; returns the number of the question."""
        async with self.database.write_transaction() as connection:
            return await save_ballot(self.database.backend, connection, ballot)

    async def answers(self, question: int) -> list[AnswerRecord]:
        query = select(answers).where(answers.c.question == question).order_by(answers.c.seat)
        return self.database.readable_records(await self.database.find_rows(query), AnswerRecord)


def _closing(number: int, now: float | None, outcome: str) -> Update:
    is_open = (questions.c.id == number) & questions.c.closed_at.is_(None)
    return update(questions).where(is_open).values(closed_at=now, outcome=outcome)


async def save_ballot(backend: Backend, connection: AsyncConnection, ballot: Ballot) -> int:
    """Save a change of a question in the transaction of this connection; answers replace earlier answers of their
    seats. Returns the number of the question.
    """
    question = ballot.question
    if question.id:
        number = question.id
        await connection.execute(_closing(number, question.closed_at, question.outcome))
    else:
        added = insert(questions).values(**row_of(question, "id")).returning(questions.c.id)
        number = int((await connection.execute(added)).scalar_one())
    for answer in ballot.answers:
        row = row_of(msgspec.structs.replace(answer, question=number))
        await connection.execute(
            insert_or_not(answers)
            .values(**row)
            .on_conflict_do_update(
                index_elements=["question", "seat"], set_={"agree": row["agree"], "made_at": row["made_at"]}
            )
        )
    notice = msgspec.structs.replace(ballot.notice, lines=[str(number), *ballot.notice.lines])
    await backend.run(connection, notice_statements([notice]))
    return number

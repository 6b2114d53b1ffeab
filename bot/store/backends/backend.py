"""The interface of every open database."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Iterable
from typing import TYPE_CHECKING

from sqlalchemy import ColumnElement, Table

from .compiled_statements import CompiledStatement
from .sqlalchemy_async import AsyncConnection, AsyncEngine

if TYPE_CHECKING:
    from .advisory_locks import AdvisoryLocks
    from .shard_lease import ShardLease


class Backend(ABC):
    """An open database. Transactions of `writers` follow one another, over all programs that have it open; a
    transaction of `readers` sees one moment; in `glances` every statement is its own transaction.
    """

    writers: AsyncEngine
    readers: AsyncEngine
    glances: AsyncEngine

    where = "the server"
    """The disk it is on, for operators."""

    share: ShardLease | None = None

    claims: AdvisoryLocks | None = None
    """Locks against other programs, if several write."""

    @abstractmethod
    async def close(self) -> None:
        """Close all connections and let go of it."""

    @abstractmethod
    def changes(self) -> AsyncGenerator[None]:
        """A signal at once, and another whenever any program may have saved something since the last."""

    @abstractmethod
    async def state(self) -> str:
        """Its own report on itself: `ok` when it is whole, else a line for each fault."""

    @abstractmethod
    async def run(self, connection: AsyncConnection, steps: Iterable[CompiledStatement]) -> list[int]:
        """Run these steps in the transaction of this connection, all in one turn; returns the number of rows that each
        has changed.
        """

    @abstractmethod
    def row_of(self, table: str) -> ColumnElement[int | str]:
        """The identity of a row of this table, readable or not, until it is changed; in the order of rows."""

    @abstractmethod
    def row_condition(self, table: str, row: int | str) -> ColumnElement[bool]:
        """Whether it is that row."""

    @abstractmethod
    async def sync_sequence(self, connection: AsyncConnection, table: Table) -> None:
        """Number the next row of this table above all rows that were inserted with their numbers."""

    @abstractmethod
    async def note_erasing(self, connection: AsyncConnection) -> None:
        """Note in this transaction that its files will hold what is erased in it, until they are purged."""

    @abstractmethod
    async def is_unpurged(self) -> bool:
        """Whether that was noted, and it has not been purged since."""

    @abstractmethod
    async def purge(self) -> None:
        """Remove what was deleted or replaced from the files, as far as the database can do that.

        :raises StoreError: not now; it is to be tried again.
        """

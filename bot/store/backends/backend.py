"""What every open database can do, whatever it is."""

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
    """A database that is open. Transactions of `writers` follow one another, over all programs that have it open; a
    transaction of `readers` sees one moment; of `glances` every statement stands alone."""

    writers: AsyncEngine
    readers: AsyncEngine
    glances: AsyncEngine

    where = "the server"
    """On what disk it lies, for operators."""

    share: ShardLease | None = None
    """What this program holds of the shards, where several bots play."""

    claims: AdvisoryLocks | None = None
    """What this program keeps other programs from meanwhile, where several write."""

    @abstractmethod
    async def close(self) -> None:
        """Close all connections and let go of it."""

    @abstractmethod
    def changes(self) -> AsyncGenerator[None]:
        """A sign at once, and another one whenever something may have been saved since the last, by any program."""

    @abstractmethod
    async def state(self) -> str:
        """Its own report on itself: `ok` when it is whole, else a line for each fault."""

    @abstractmethod
    async def run(self, connection: AsyncConnection, steps: Iterable[CompiledStatement]) -> list[int]:
        """Take these steps in the transaction of this connection, all in one turn: the rows that each has changed."""

    @abstractmethod
    def row_of(self, table: str) -> ColumnElement[int | str]:
        """What tells a row of this table from all others, readable or not, until it is changed; in the order of rows."""

    @abstractmethod
    def is_row(self, table: str, row: int | str) -> ColumnElement[bool]:
        """Whether it is that row."""

    @abstractmethod
    async def count_on(self, connection: AsyncConnection, table: Table) -> None:
        """Number the next row of this table above all that have been put there with their numbers."""

    @abstractmethod
    async def note_erasing(self, connection: AsyncConnection) -> None:
        """Note in this transaction that its files will hold what is erased in it, until they are purged."""

    @abstractmethod
    async def is_unpurged(self) -> bool:
        """Whether that was noted, and it has not been purged since."""

    @abstractmethod
    async def purge(self) -> None:
        """Have what was deleted or replaced removed from its files, as far as the database can do that.

        :raises StoreError: not now; it is to be tried again.
        """

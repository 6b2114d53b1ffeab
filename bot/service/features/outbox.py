"""The outbox: what was saved and must still be posted, and how it went."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bot.engine import GameId
from bot.service.sessions import SessionManager
from bot.store import Notice, PostRecord


class Outbox:
    """Notices, oldest first."""

    def __init__(self, desk: SessionManager) -> None:
        self.desk = desk

    async def state(self) -> tuple[int, float]:
        """The number of waiting notices, and for how many seconds the oldest has waited (0 when there is none)."""
        waiting, since = await self.desk.store.outbox.state()
        return waiting, max(0.0, self.desk.now() - since) if waiting else 0.0

    async def waiting_notices(self, limit: int = 100, without: Collection[GameId] = ()) -> list[Notice]:
        """Notices still to be posted, oldest first; games `without` are left out."""
        return await self.desk.store.outbox.list_waiting(limit, without)

    async def unposted_notices(self, notices: Sequence[Notice]) -> list[Notice]:
        """The notices that must still be posted here: another bot may have posted some, or be responsible for them by
        now.
        """
        left = await self.desk.store.outbox.unposted_numbers([notice.id for notice in notices])
        return [notice for notice in notices if notice.id in left]

    async def mark_all_posted(self, notices: Sequence[Notice], reference: str) -> None:
        """Note that these notices have been posted together; `reference` is the message, or says why there is none. The
        slots of messages that were sent once for them are dropped.
        """
        await self.desk.store.outbox.mark_all_posted([notice.id for notice in notices], self.desk.now(), reference)

    async def games_with_remains(self, made_before: float) -> list[GameId]:
        """Games in which messages are still to be deleted that have been since before that moment."""
        return await self.desk.store.posts.games_with_remains(made_before)

    async def posts(self, game_id: GameId) -> dict[str, PostRecord]:
        """The messages that stand for something of a game, by slot, in the order in which they were begun."""
        return {record.slot: record for record in await self.desk.store.posts.list_of(game_id)}

    async def begin_post(self, record: PostRecord, old: PostRecord | None = None) -> None:
        """Note that a slot's message is about to be sent: after a crash it may be there already. `old` was in the slot
        until now.
        """
        await self.desk.store.posts.begin(record, old)

    async def set_post(self, record: PostRecord) -> None:
        """Save a slot's row."""
        await self.desk.store.posts.save(record)

    async def move_post(self, record: PostRecord, moved: PostRecord) -> None:
        """Have a message stand in another slot of its game."""
        await self.desk.store.posts.move(record.slot, moved)

    async def drop_post(self, record: PostRecord) -> None:
        await self.desk.store.posts.drop(record.game, record.slot)

"""A person's right to see the data kept about them, and to be erased, without ending anybody's game."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from contextlib import AsyncExitStack

import msgspec

from bot.engine import ERASED, GameId, IllegalMove, Message, PersonId, msg
from bot.service.sessions import SessionManager, log
from bot.store import concerns_all

from .lobby import Lobby
from .moderation import Moderation

PERSON = re.compile(r"discord:[0-9]{1,20}|mail:[0-9a-f]{16}")


class Privacy:
    """Export and erasure of a person's data.

    `backup_days` is the longest time for which a backup is kept (None: as long as the operator wishes).
    `at_erasing` is called with the games from which people were removed, so that everything else kept about
    them there is deleted too.
    """

    backup_days: int | None = None

    def __init__(self, desk: SessionManager, lobby: Lobby, moderation: Moderation) -> None:
        self.desk, self.lobby, self.moderation = desk, lobby, moderation
        self._began_at = desk.now()
        self.at_erasing: list[Callable[[Collection[GameId]], None]] = []

    async def personal_data(self, person: PersonId) -> bytes:
        """All data about a person, as JSON, without the ids of others."""
        data = msgspec.json.format(
            msgspec.json.encode(await self.desk.store.privacy.data_of(person)), indent=1
        ).decode()
        return PERSON.sub(lambda found: found[0] if found[0] == person else "somebody-else", data).encode()

    @property
    def promise(self) -> Message:
        """A sentence on how long backups keep an erased person."""
        if self.backup_days is None:
            return msg("Backups that contain you stay until the operator deletes them.")
        return msg(
            "Backups that contain you are deleted within {days} days; only the operator can delete copies stored elsewhere.",
            self.backup_days,
        )

    async def forget_person(self, person: PersonId) -> int:
        """Remove a person from everything that is kept; returns the number of their games.

        Their seats become free, and their games wait for a successor; `Player 2` replaces their name in all records
        and positions. A game that they moderate passes to the first player left.

        :raises IllegalMove: nothing is kept about them.
        """
        data = await self.desk.store.privacy.data_of(person)
        if not any(data.values()):
            raise IllegalMove("Nothing is stored about you.")
        await self.desk.store.privacy.begin_erasing(person, self.desk.now())
        named = await self.desk.store.privacy.names_of(person)
        own = {*named, *(row["id"] for row in data["games moderated"]), *(row["game"] for row in data["moves"])}
        for copy, original in await self.desk.store.privacy.copies_of(named):
            if names := {seat.name for seat in await self.desk.store.games.seats(copy)} & named[original]:
                named[copy] = names | named.get(copy, set())
        for row in data["seats"]:
            await self._leave_game(row["game"], person)
        concerned = sorted({*named, *(row["id"] for row in data["games moderated"])})
        async with AsyncExitStack() as locks:
            for game in concerned:
                await locks.enter_async_context(self.desk.lock(game))
            moderators = {row["id"]: await self._successor(row["id"], person) for row in data["games moderated"]}
            sitting = {game: [seat.name for seat in await self.desk.store.games.seats(game)] for game in named}
            renamed = {game: replacement_names(sitting[game], names) for game, names in named.items()}
            await self.desk.store.privacy.erase(person, renamed, moderators)
            for game in concerned:
                self.desk.forget(game)
            for tell in self.at_erasing:
                tell(concerned)
        return len(own)

    async def finish(self) -> None:
        """Finish erasures that were under way when a program ended. If an erasure fails, the next start tries it again.

        :raises StoreError: the database does not answer.
        """
        for person in await self.desk.store.privacy.list_erasing(self._began_at):
            log.warning("an erasure that was interrupted is finished")
            try:
                await self.forget_person(person)
            except Exception as error:
                if concerns_all(error):
                    raise
                log.error("an erasure cannot be finished: %s", type(error).__name__, exc_info=error)

    async def _leave_game(self, game_id: GameId, person: PersonId) -> None:
        """Leave a lobby, or free the person's seats in a game under way, with an entry in the log."""
        table = await self.desk.table(game_id)
        if all(record.person != person for record in table.seats):
            return
        if table.game is None:
            await self.lobby.leave(game_id, person)
        else:
            await self.moderation.leave_seat(game_id, person)

    async def _successor(self, game_id: GameId, person: PersonId) -> PersonId:
        seats = await self.desk.store.games.seats(game_id)
        return next((seat.person for seat in seats if seat.person not in ("", person)), ERASED)


def replacement_names(sitting: list[str], names: set[str]) -> dict[str, str]:
    """A new name for each of these that nobody else at the table has: `Player 2` by the number of the seat."""
    others = {name.casefold() for name in sitting if name not in names}
    found: dict[str, str] = {}
    for name in sorted(names):
        number = sitting.index(name) + 1 if name in sitting else len(sitting) + 1
        new = next(
            new
            for count in range(number, number + 100)
            if (new := f"Player {count}").casefold() not in others and new not in found.values()
        )
        found[name] = new
    return found

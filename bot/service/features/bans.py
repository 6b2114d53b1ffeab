"""The operator's ban of a person from open tables, seasons and messages. Their games among strangers are left as any seat is left:
volunteers and the table's votes find somebody. Games among friends go on.
"""

from __future__ import annotations

from bot.engine import GameId, PersonId, msg
from bot.service.sessions import BANNED, GameSession, SessionManager, is_computer, log
from bot.store import BanRecord, GameStatus, concerns_all

from .lobby import Lobby
from .mail import Mail
from .moderation import Moderation
from .votes import Votes


class Bans:
    def __init__(self, desk: SessionManager, lobby: Lobby, moderation: Moderation, votes: Votes, mail: Mail) -> None:
        self.desk, self.lobby, self.moderation, self.votes, self.mail = desk, lobby, moderation, votes, mail

    async def ban(self, person: PersonId) -> list[GameId]:
        """Ban a person; returns the games among strangers that they have left. Those that cannot be opened are left out."""
        is_new = not await self.desk.store.bans.has(person)
        await self.desk.store.bans.add(person, self.desk.now())
        await self.votes.close_polls_about(person)
        left, records = list[GameId](), await self.desk.store.games.list_of(person)
        for record in records:
            if record.status == GameStatus.FINISHED or not await self.desk.store.bans.is_among_strangers(record.id):
                continue
            try:
                left += [record.id] if await self._leave(await self.desk.table(record.id), person) else []
            except Exception as error:
                if concerns_all(error):
                    raise
                log.error("a banned person keeps a seat: %s", error, exc_info=error, extra={"game": record.id})
        if is_new and records:
            await self._tell(person, records[0].id)
        return left

    async def _leave(self, table: GameSession, person: PersonId) -> bool:
        """Take a person out of a game; another player moderates it then."""
        game_id = table.record.id
        others = [
            held.person
            for held in table.seats
            if held.person not in ("", person)
            and not is_computer(held.person)
            and not await self.desk.store.bans.has(held.person)
        ]
        if table.record.moderator == person:
            if others:
                await self.moderation.transfer_moderation(game_id, person, others[0])
            elif table.game is None:
                await self.desk.store.openings.close(game_id)
        if any(held.sitter == person for held in table.seats):
            await self.moderation.end_sitting(game_id, person)
        if not table.held_by(person):
            return table.record.moderator == person
        if table.game is None:
            await self.lobby.leave(game_id, person)
        else:
            await self.moderation.leave_seat(game_id, person)
        return True

    async def _tell(self, person: PersonId, game_id: GameId) -> None:
        key = f"ban-{person}-{self.desk.now():.0f}"
        await self.desk.store.outbox.add(await self.mail.call(person, game_id, 0, key, msg(BANNED)))
        await self.desk.notify(game_id)

    async def lift(self, person: PersonId) -> bool:
        """Lift a ban; returns whether there was one."""
        return await self.desk.store.bans.lift(person)

    async def list_all(self) -> list[BanRecord]:
        return await self.desk.store.bans.list_all()

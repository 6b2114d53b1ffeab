"""Games that have no place in Discord, since they were opened by mail or in a terminal: whoever plays in them here is told by
direct messages, and plays by their buttons. Nobody else sees such a game, and no server's moderators have rights in it."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import discord

from bot.engine.message import Message
from bot.i18n import say, shown, speaking
from bot.service.game_service import GameSession
from bot.service.views.report import report_text
from bot.store import Notice, SeatRecord

from .interactions.client import GameClient
from .interactions.responses import cut, plain
from .message_slots import MessageSlots, SlotContent
from .post_failures import PostFailures
from .slash.votes import question_text, question_view
from .turn_prompts import Spot, TurnPrompts, is_refused

log = logging.getLogger(__name__)

TOLD = "told:"
"""How the slot of a message begins that is sent once; its row goes when everybody has his."""


class DirectMessageGames:
    """Tells each player alone."""

    def __init__(self, client: GameClient, slots: MessageSlots, pings: TurnPrompts) -> None:
        self.client, self.slots, self.pings = client, slots, pings

    async def tell(self, game: int, waiting: Sequence[Notice]) -> str:
        """Tell what these notices say to whom they concern; returns what became of them.

        :raises PostRefused: something is not taken; everybody else is told.
        :raises Later: something cannot be changed now.
        :raises discord.HTTPException: Discord does not work.
        """
        table = await self.client.tables.desk.table(game)
        here = {held.person: held for held in table.seats if held.person.startswith("discord:")}
        if not here:
            return "nowhere"
        setbacks = PostFailures(game)
        for notice in waiting:
            asked = next((held for held in here.values() if notice.seat in numbers(table, held)), None)
            if asked is not None and notice.kind in ("turn", "reminder"):
                with setbacks.kept([notice]):
                    await self._ask(table, notice, asked)
        for notice in waiting:
            for held in here.values():
                with setbacks.kept([notice]), speaking(await self.pings.language_of(table, held.number)):
                    post = await self._post(table, notice, held)
                    if post is not None:
                        await self._send(table, notice, held, post)
        is_newest = table.record.version == max(notice.number for notice in waiting) and not setbacks.refused
        with setbacks.kept(waiting):
            await self.pings.bring_up_to_date(self.spot, table, is_newest)
        await self.pings.clear(game)
        setbacks.check()
        for slot, row in (await self.client.tables.outbox.posts(game)).items():
            if slot.startswith(TOLD):
                await self.client.tables.outbox.drop_post(row)
        return "alone"

    async def spot(self, held: SeatRecord) -> Spot:
        """Where somebody is told."""
        user = int(held.person.removeprefix("discord:"))
        direct = await self.client.create_dm(discord.Object(user))
        return direct, str(direct.id)

    async def _ask(self, table: GameSession, notice: Notice, held: SeatRecord) -> None:
        """What somebody is asked, with buttons by which he answers."""
        with speaking(await self.pings.language_of(table, notice.seat)):
            try:
                await self.pings.ask(*await self.spot(held), table, notice)
            except discord.HTTPException as error:
                self._note(table, error)

    async def _send(self, table: GameSession, notice: Notice, held: SeatRecord, post: SlotContent) -> None:
        """Send one message, once."""
        slot = f"{TOLD}{notice.id}:{held.number}"
        row = (await self.client.tables.outbox.posts(table.record.id)).get(slot)
        try:
            channel, spot = await self.spot(held)
            await self.slots.put(channel, row or self.slots.new(table.record.id, slot, spot, notice.number), post)
        except discord.HTTPException as error:
            self._note(table, error)

    def _note(self, table: GameSession, error: discord.HTTPException) -> None:
        """Somebody takes no direct messages.

        :raises discord.HTTPException: it is something else.
        """
        if not is_refused(error):
            raise error
        log.info("a player could not be told (%s)", error.code, extra={"game": table.record.id})

    async def _post(self, table: GameSession, notice: Notice, held: SeatRecord) -> SlotContent | None:
        """What a notice says to somebody beside what he is asked; None where it says nothing to him."""
        number, title = table.record.id, self.client.tables.desk.title(table.record.title).name
        head = say("Game {number}: {title}", number, title)
        lines = shown([line for line in notice.lines if isinstance(line, Message)], table.names)
        if notice.kind == "question":
            poll, people = int(str(notice.lines[0])), notice.lines[1:]
            found = await self.client.tables.votes.open_poll(number, poll) if held.person in people else None
            if found is None:
                return None
            buttons: list[discord.ui.Item[discord.ui.View]] = list(question_view(found).children)
            return SlotContent(f"{plain(head)}\n{question_text(found)}", buttons=buttons)
        is_over = table.record.status == "finished" and table.game is not None
        if notice.kind == "board" and is_over and table.game is not None:
            return SlotContent(cut(f"{plain(head)}\n{plain(report_text(table.game))}"))
        is_for_him = notice.kind == "told" or (notice.kind == "private" and notice.seat in numbers(table, held))
        if lines and (is_for_him or (notice.kind == "board" and notice.number == 0)):
            return SlotContent(cut(plain("\n".join([head, *lines]))))
        return None


def numbers(table: GameSession, held: SeatRecord) -> list[int]:
    """The seats of whoever holds this one."""
    return [one.number for one in table.seats if one.person == held.person]

"""Games that have no place in Discord, since they were opened by mail or in a terminal: their players here get direct
messages, and play by their buttons. Nobody else sees such a game, and no server's moderators have rights in it."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import discord

from bot.engine import GameId, Message
from bot.i18n import tr, tr_lines, use_language
from bot.service.game_service import GameSession
from bot.service.views.report import report_text
from bot.store import GameStatus, Notice, NoticeKind, PostRecord, SeatRecord

from .interactions import GameClient, escape, truncate
from .message_slots import MessageSlots, SlotContent
from .post_failures import PostFailures
from .slash.command_buttons import question_text, question_view
from .turn_prompts import ASKING, Spot, TurnPrompts, is_refused, overtaken

log = logging.getLogger(__name__)

TOLD = "told:"
"""Prefix of the slot of a message that is sent once; its row is deleted when every recipient has theirs."""


class DirectMessageGames:
    def __init__(self, client: GameClient, slots: MessageSlots, pings: TurnPrompts) -> None:
        self.client, self.slots, self.pings = client, slots, pings

    async def tell(self, game_id: GameId, waiting: Sequence[Notice]) -> tuple[str, list[PostRecord]]:
        """Send these notices to the players concerned; returns the outcome, and the slots that only served to send each
        of them once.

        :raises PostRefused: something is not taken; the others get their messages.
        :raises RetryLater: something cannot be changed now.
        :raises discord.HTTPException: Discord does not work.
        """
        table = await self.client.tables.desk.table(game_id)
        here = {held.person: held for held in table.seats if held.person.startswith("discord:")}
        if not here:
            return "nowhere", []
        setbacks = PostFailures(game_id)
        for notice in [one for one in waiting if one not in overtaken(waiting)]:
            asked = next((held for held in here.values() if notice.seat in numbers(table, held)), None)
            if asked is not None and notice.kind in ASKING:
                with setbacks.collect([notice]):
                    await self._ask(table, notice, asked)
        for notice in waiting:
            for held in here.values():
                with setbacks.collect([notice]), use_language(await self.pings.language_of(table, held.number)):
                    post = await self._post(table, notice, held)
                    if post is not None:
                        await self._send(table, notice, held, post)
        is_newest = table.record.version == max(notice.number for notice in waiting) and not setbacks.refused
        with setbacks.collect(waiting):
            await self.pings.bring_up_to_date(self.spot, table, is_newest)
        await self.slots.clear(game_id)
        setbacks.check()
        rows = await self.client.tables.outbox.posts(game_id)
        return "alone", [row for slot, row in rows.items() if slot.startswith(TOLD)]

    async def spot(self, held: SeatRecord) -> Spot:
        user = int(held.person.removeprefix("discord:"))
        direct = await self.client.create_dm(discord.Object(user))
        return direct, str(direct.id)

    async def _ask(self, table: GameSession, notice: Notice, held: SeatRecord) -> None:
        with use_language(await self.pings.language_of(table, notice.seat)):
            try:
                await self.pings.ask(*await self.spot(held), table, notice)
            except discord.HTTPException as error:
                self._note(table, error)

    async def _send(self, table: GameSession, notice: Notice, held: SeatRecord, post: SlotContent) -> None:
        """Send one message, once only."""
        slot = f"{TOLD}{notice.id}:{held.number}"
        row = (await self.client.tables.outbox.posts(table.record.id)).get(slot)
        try:
            channel, spot = await self.spot(held)
            await self.slots.put(channel, row or self.slots.new(table.record.id, slot, spot, notice.number), post)
        except discord.HTTPException as error:
            self._note(table, error)

    def _note(self, table: GameSession, error: discord.HTTPException) -> None:
        """Note that a player takes no direct messages.

        :raises discord.HTTPException: it is something else.
        """
        if not is_refused(error):
            raise error
        log.info("a message to a player failed (%s)", error.code, extra={"game": table.record.id})

    async def _post(self, table: GameSession, notice: Notice, held: SeatRecord) -> SlotContent | None:
        """The text of a notice for a player apart from their question; None where it says nothing to them."""
        number, title = table.record.id, self.client.tables.desk.title(table.record.title).name
        head = tr("Game {number}: {title}", number, title)
        lines = tr_lines([line for line in notice.lines if isinstance(line, Message)], table.names)
        if notice.kind == NoticeKind.QUESTION:
            poll, people = int(str(notice.lines[0])), notice.lines[1:]
            found = await self.client.tables.votes.find_open_poll(number, poll) if held.person in people else None
            if found is None:
                return None
            buttons: list[discord.ui.Item[discord.ui.View]] = list(question_view(found).children)
            return SlotContent(f"{escape(head)}\n{question_text(found)}", buttons=buttons)
        is_over = table.record.status == GameStatus.FINISHED and table.game is not None
        if notice.kind == NoticeKind.BOARD and is_over and table.game is not None:
            return SlotContent(truncate(f"{escape(head)}\n{escape(report_text(table.game))}"))
        is_for_him = notice.kind == NoticeKind.TOLD or (
            notice.kind == NoticeKind.PRIVATE and notice.seat in numbers(table, held)
        )
        if lines and (is_for_him or (notice.kind == NoticeKind.BOARD and notice.number == 0)):
            return SlotContent(truncate(escape("\n".join([head, *lines]))))
        return None


def numbers(table: GameSession, held: SeatRecord) -> list[int]:
    """The seats of this seat's holder."""
    return [one.number for one in table.seats if one.person == held.person]

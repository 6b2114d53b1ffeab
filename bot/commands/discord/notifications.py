"""What is posted: a game's record, its questions, how it ends, what somebody is asked or told alone."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from typing import Any

import aiohttp
import discord
import msgspec

from bot.engine.message import Message
from bot.engine.refusals import Rejected
from bot.i18n import say, shown, speak, speaking
from bot.metrics import POSTS
from bot.render.painting.picture import Picture
from bot.render.worker import PictureFailed
from bot.service.game_service import GameSession
from bot.service.views.report import report_text
from bot.store import Notice, Place, SeatRecord

from .interactions.client import GameClient
from .interactions.failure_kinds import UNKNOWN_MESSAGE, FailureKind, brief, first_taken, verdict_on
from .interactions.forums import show_state
from .interactions.game_channels import CARD
from .interactions.lobbies import lobby_text
from .interactions.responses import cut, plain
from .log_messages import LogMessages
from .message_slots import AGAIN, NO_WORDS, Edit, MessageSlots, RetryLater, SlotContent, begun_as
from .post_failures import PostFailures
from .slash.votes import question_text, question_view
from .turn_prompts import Spot, TurnPrompts, is_refused

log = logging.getLogger(__name__)

QUIETLY = discord.AllowedMentions.none()

STATUSES = {"running": "Played in", "paused": "Paused in", "finished": "Finished in"}
"""What the card of a game says before the place."""


class NotificationSender:
    """Posts what notices say, and marks them as posted."""

    def __init__(self, client: GameClient) -> None:
        self.client = client
        self.slots = MessageSlots(client)
        self.records = LogMessages(client, self.slots)
        self.pings = TurnPrompts(client, self.slots)

    async def post_game(
        self, channel: discord.abc.Messageable, place: Place, waiting: Sequence[Notice], is_due: bool = True
    ) -> None:
        """Post what one game has to say where it is played: whoever is asked something comes first, then what is told as it
        is, then the record unless that has just been written; last what nobody needs any more goes. What cannot be posted does
        not keep the rest from being posted.

        :raises PostRefused: something is not taken, or could not be made; everything else is posted.
        :raises Later: something cannot be changed now; everything else is posted.
        """
        table = await self.client.tables.desk.table(place.game)
        speak(table.record.language)
        setbacks = PostFailures(place.game)
        boards = [notice for notice in waiting if notice.kind == "board"] if is_due else []
        # What somebody is asked is not to wait for pictures, nor for whatever is wrong with the record.
        for notice in sorted(waiting, key=lambda notice: notice.kind not in ("turn", "reminder")):
            if notice.kind != "board":
                with setbacks.kept([notice]), speaking(await self.pings.language_of(table, notice.seat)):
                    await self._tell_one(channel, place, table, notice)
        if boards:
            with setbacks.kept(boards):
                await self._tell_table(channel, place, table, boards)
            # Whoever could not be asked just now is not asked a second time at once.
            is_newest = table.record.version == max(notice.number for notice in waiting) and not setbacks.refused

            async def here(record: SeatRecord) -> Spot:
                return channel, place.spot

            with setbacks.kept(boards):
                await self.pings.bring_up_to_date(here, table, is_newest)
        await self.pings.clear(place.game)
        setbacks.check()
        if boards:
            await self._show_card(place, table)
            await self.mark(boards, "told")

    async def _tell_table(
        self, channel: discord.abc.Messageable, place: Place, table: GameSession, boards: Sequence[Notice]
    ) -> None:
        """What everybody reads: the record, in the end the result.

        :raises Later: something cannot be changed now.
        :raises discord.HTTPException: Discord does not take it.
        """
        await self.records.bring_up_to_date(channel, place.spot, table, boards)
        row = (await self.client.tables.outbox.posts(place.game)).get("end")
        is_over = table.game is not None and table.record.status == "finished"
        if is_over and (row is None or row.message is None):
            row = row or self.slots.new(place.game, "end", place.spot, table.record.version)
            await self.slots.put(channel, row, self._end(table))
        elif not is_over and row is not None:
            await self.client.tables.outbox.drop_post(row)

    async def _tell_one(
        self, channel: discord.abc.Messageable, place: Place, table: GameSession, notice: Notice
    ) -> None:
        """Somebody, or everybody, is asked or told something."""
        if notice.kind in ("turn", "reminder"):
            reference = await self.pings.ask(channel, place.spot, table, notice)
        elif notice.kind == "question":
            reference = await self._ask(channel, notice)
        elif notice.kind == "told":
            text = plain("\n".join(words_of(table, notice)))
            reference = str((await self.send(channel, [notice], text, allowed_mentions=QUIETLY)).id)
        elif notice.kind == "lobby":
            # Its post tells it, which has been opened before.
            reference = place.spot
        else:
            reference = await self._whisper(table, notice)
        await self.mark([notice], reference)

    def _end(self, table: GameSession) -> SlotContent:
        """How a game ended, for everybody."""
        people = dict.fromkeys(record.person for record in table.seats if record.person.startswith("discord:"))
        users = [int(person.removeprefix("discord:")) for person in people]
        assert table.game is not None
        return SlotContent(
            f"{' '.join(f'<@{user}>' for user in users)}\n{plain(report_text(table.game))}",
            pictures=partial(self._closing, table),
            mentions=users,
        )

    async def _closing(self, table: GameSession) -> list[Picture]:
        """What everybody had in the course of a game that is over. It is alone there: of two pictures Discord shows each half as
        wide, and map and market stand in the last record."""
        try:
            return [await self.client.studio.past("worth", await self.client.tables.looking.course(table.record.id))]
        except (PictureFailed, Rejected) as error:
            log.error("game %s: no picture of the end: %s", table.record.id, error)
            return []

    async def _show_card(self, place: Place, table: GameSession) -> None:
        """The lobby's message says who plays, and where. Where that is not possible, the game does without."""
        title = self.client.tables.desk.title(table.record.title)
        await show_state(self.client, place.spot, title, table.record.status)
        row = (await self.client.tables.outbox.posts(place.game)).get(CARD)
        post = SlotContent(f"{lobby_text(table, title)}\n{say(STATUSES[table.record.status])} <#{place.spot}>")
        if row is None or row.message is None or row.digest == post.digest:
            return
        try:
            outcome = await self.slots.edit(row, post)
        except (RetryLater, discord.HTTPException) as error:
            if verdict_on(error) is FailureKind.DOWN and not isinstance(error, RetryLater):
                raise
            log.info("the card is not brought up to date: %s", brief(error), extra={"game": place.game})
            return
        if outcome is Edit.DONE:
            await self.client.tables.outbox.set_post(msgspec.structs.replace(row, digest=post.digest))
        elif outcome is Edit.GONE:
            await self.client.tables.outbox.drop_post(row)

    async def send(
        self, channel: discord.abc.Messageable, notices: Sequence[Notice], text: str, **more: Any
    ) -> discord.Message:
        """Send what these notices say as one message, plainer where Discord does not take it. That it was begun is on disk
        before, that it ended afterwards."""
        outbox = self.client.tables.outbox
        begun = begun_as(notices[-1])
        nonce = begun or str(notices[-1].id)
        await outbox.begin_posting(notices, nonce)
        try:
            before, game = say(AGAIN) if begun else "", notices[-1].game
            plainer = {"allowed_mentions": more["allowed_mentions"], "nonce": nonce}
            return await first_taken(
                [
                    partial(channel.send, cut(f"{before}{text}"), nonce=nonce, **more),
                    *([partial(channel.send, cut(f"{before}{text}"), **plainer)] if "view" in more else []),
                    partial(channel.send, f"{before}{say(NO_WORDS, game)}", **plainer),
                ]
            )
        except discord.HTTPException as error:
            if error.status < 500:
                await outbox.not_posted(notices)
            if error.code != UNKNOWN_MESSAGE or not begun:
                raise
            # It was sent, and somebody has deleted it: its nonce is spent.
            await outbox.begin_posting(notices, f"{nonce[:23]}a")
            return await channel.send(cut(f"{say(AGAIN)}{text}"), nonce=f"{nonce[:23]}a", **more)
        except aiohttp.ClientConnectorError:
            await outbox.not_posted(notices)
            raise

    async def mark(self, notices: Sequence[Notice], reference: str) -> None:
        """These are posted: `reference` is the message's number, or says why there is none."""
        await self.client.tables.outbox.mark_all_posted(notices, reference)
        outcome = "posted" if reference.isdecimal() else reference
        for notice in notices:
            POSTS.labels(notice.kind, outcome).inc()

    async def _ask(self, channel: discord.abc.Messageable, notice: Notice) -> str:
        """A question to the table: everybody asked is mentioned, with buttons. One that is over is not asked."""
        number, *people = map(str, notice.lines)
        poll = await self.client.tables.votes.open_poll(notice.game, int(number))
        if poll is None:
            return "decided"
        users = [discord.Object(int(one.removeprefix("discord:"))) for one in people if one.startswith("discord:")]
        message = await self.send(
            channel,
            [notice],
            cut(f"{' '.join(f'<@{user.id}>' for user in users)} {question_text(poll)}"),
            view=question_view(poll),
            allowed_mentions=discord.AllowedMentions(users=users, everyone=False, roles=False),
        )
        return str(message.id)

    async def _whisper(self, table: GameSession, notice: Notice) -> str:
        """Tell one player what is nobody else's business: directly, or where that is refused not at all.

        The reason stays with the order, where `/auto list` shows it to its owner.
        """
        record = next((record for record in table.seats if record.number == notice.seat), None)
        if record is None or not record.person.startswith("discord:"):
            return "not in Discord"
        place = await self.client.tables.places.place(notice.game)
        where = f" (<#{place.spot}>)" if place and place.guild else ""
        try:
            message = await self.send(
                await self.client.fetch_user(int(record.person.removeprefix("discord:"))),
                [notice],
                cut(say("Game {game}{where}: {notice}", notice.game, where, plain(" ".join(words_of(table, notice))))),
                allowed_mentions=discord.AllowedMentions.none(),
            )
        except discord.HTTPException as error:
            if not is_refused(error):
                raise
            return f"refused {error.code}"
        return str(message.id)


def words_of(table: GameSession, notice: Notice) -> list[str]:
    """What a notice says, as its reader reads it."""
    return shown([line for line in notice.lines if isinstance(line, Message)], table.names)

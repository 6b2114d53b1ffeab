"""The posts: a game's record, its questions, how it ends, questions and messages that only one person sees."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from typing import Any

import aiohttp
import discord
import msgspec

from bot.engine import Message, Rejected
from bot.i18n import set_reader_language, tr, tr_lines, use_language
from bot.metrics import POSTS
from bot.render.painting.picture import Picture
from bot.render.worker import PictureFailed
from bot.service.game_service import GameSession
from bot.service.views.report import report_text
from bot.store import GameStatus, Notice, NoticeKind, Place, PostRecord, SeatRecord

from .interactions import (
    CARD,
    UNKNOWN_MESSAGE,
    FailureKind,
    GameClient,
    brief,
    escape,
    failure_kind_of,
    send_first_accepted,
    truncate,
)
from .interactions.forums import show_state
from .interactions.lobbies import lobby_text
from .log_messages import LogMessages
from .message_slots import AGAIN, NO_WORDS, Edit, MessageSlots, RetryLater, SlotContent, begun_as
from .post_failures import PostFailures
from .slash.command_buttons import question_text, question_view
from .turn_prompts import ASKING, Spot, TurnPrompts, is_refused, overtaken

log = logging.getLogger(__name__)

QUIETLY = discord.AllowedMentions.none()

STATUSES = {
    GameStatus.RUNNING: "Played in",
    GameStatus.PAUSED: "Paused in",
    GameStatus.FINISHED: "Finished in",
}
"""Text of a game's card before the place."""


class NotificationSender:
    def __init__(self, client: GameClient) -> None:
        self.client = client
        self.slots = MessageSlots(client)
        self.records = LogMessages(client, self.slots)
        self.pings = TurnPrompts(client, self.slots)

    async def post_game(
        self, channel: discord.abc.Messageable, place: Place, waiting: Sequence[Notice], is_due: bool = True
    ) -> None:
        """Post the notices of one game at its place: first the questions, then the notices that are posted
        unchanged, then the record unless it has just been written; then delete what nobody needs any more. A
        failure does not keep the rest from being posted.

        :raises PostRefused: something is not taken, or could not be made; everything else is posted.
        :raises RetryLater: something cannot be changed now; everything else is posted.
        """
        table = await self.client.tables.desk.table(place.game)
        set_reader_language(table.record.language)
        setbacks = PostFailures(place.game)
        boards = [notice for notice in waiting if notice.kind == NoticeKind.BOARD] if is_due else []
        asked = [(notice, "asked again") for notice in overtaken(waiting)]
        waiting = [notice for notice in waiting if notice not in overtaken(waiting)]
        # A question does not wait for pictures, nor for faults of the record.
        for notice in sorted(waiting, key=lambda notice: notice.kind not in ASKING):
            if notice.kind != NoticeKind.BOARD:
                with setbacks.collect([notice]), use_language(await self.pings.language_of(table, notice.seat)):
                    reference = await self._tell_one(channel, place, table, notice)
                    if notice.kind in ASKING:
                        asked.append((notice, reference))
                    else:
                        await self.mark([notice], reference)
        if boards:
            with setbacks.collect(boards):
                await self._tell_table(channel, place, table, boards)
            # A player who could not be asked just now is not asked a second time at once.
            is_newest = table.record.version == max(notice.number for notice in waiting) and not setbacks.refused

            async def here(record: SeatRecord) -> Spot:
                return channel, place.spot

            with setbacks.collect(boards):
                await self.pings.bring_up_to_date(here, table, is_newest)
        await self.slots.clear(place.game)
        for notice, reference in asked:
            await self.mark([notice], reference)
        setbacks.check()
        if boards:
            await self._show_card(place, table)
            await self.mark(boards, "told")

    async def _tell_table(
        self, channel: discord.abc.Messageable, place: Place, table: GameSession, boards: Sequence[Notice]
    ) -> None:
        """Post the messages for the whole table: the record, at the end the result.

        :raises RetryLater: something cannot be changed now.
        :raises discord.HTTPException: Discord does not take it.
        """
        await self.records.bring_up_to_date(channel, place.spot, table, boards)
        row = (await self.client.tables.outbox.posts(place.game)).get("end")
        is_over = table.game is not None and table.record.status == GameStatus.FINISHED
        if is_over and (row is None or row.message is None):
            row = row or self.slots.new(place.game, "end", place.spot, table.record.version)
            await self.slots.put(channel, row, self._end(table))
        elif not is_over and row is not None:
            await self.client.tables.outbox.drop_post(row)

    async def _tell_one(
        self, channel: discord.abc.Messageable, place: Place, table: GameSession, notice: Notice
    ) -> str:
        """Returns the message's number, or the reason why there is none."""
        if notice.kind in ASKING:
            return await self.pings.ask(channel, place.spot, table, notice)
        if notice.kind == NoticeKind.QUESTION:
            return await self._ask(channel, notice)
        if notice.kind == NoticeKind.TOLD:
            text = escape("\n".join(words_of(table, notice)))
            return str((await self.send(channel, [notice], text, allowed_mentions=QUIETLY)).id)
        if notice.kind == NoticeKind.LOBBY:
            # Its post tells it, which has been opened before.
            return place.spot
        return await self._whisper(table, notice)

    def _end(self, table: GameSession) -> SlotContent:
        people = dict.fromkeys(record.person for record in table.seats if record.person.startswith("discord:"))
        users = [int(person.removeprefix("discord:")) for person in people]
        assert table.game is not None
        return SlotContent(
            f"{' '.join(f'<@{user}>' for user in users)}\n{escape(report_text(table.game))}",
            pictures=partial(self._closing, table),
            mentions=users,
        )

    async def _closing(self, table: GameSession) -> list[Picture]:
        """The chart of everybody's worth over a finished game. It is the only picture there: Discord shows each of
        two pictures half as wide, and map and market are in the last record.
        """
        try:
            return [
                await self.client.studio.history_picture(
                    "worth", await self.client.tables.queries.game_file(table.record.id)
                )
            ]
        except (PictureFailed, Rejected) as error:
            log.error("game %s: no picture of the end: %s", table.record.id, error)
            return []

    async def _show_card(self, place: Place, table: GameSession) -> None:
        """Have the lobby's message show the players and the place. If that is not possible, the game does without."""
        title = self.client.tables.desk.title(table.record.title)
        await show_state(self.client, place.spot, title, table.record.status)
        row = (await self.client.tables.outbox.posts(place.game)).get(CARD)
        post = SlotContent(f"{lobby_text(table, title)}\n{tr(STATUSES[table.record.status])} <#{place.spot}>")
        if row is None or row.message is None or row.digest == post.digest:
            return
        try:
            outcome = await self.slots.edit(row, post)
        except (RetryLater, discord.HTTPException) as error:
            if failure_kind_of(error) is FailureKind.DOWN and not isinstance(error, RetryLater):
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
        """Send these notices as one message, plainer where Discord does not take it. The start is on disk before,
        the end afterwards.
        """
        outbox = self.client.tables.outbox
        begun = begun_as(notices[-1])
        nonce = begun or str(notices[-1].id)
        await outbox.begin_posting(notices, nonce)
        try:
            before, game = tr(AGAIN) if begun else "", notices[-1].game
            plainer = {"allowed_mentions": more["allowed_mentions"], "nonce": nonce}
            return await send_first_accepted(
                [
                    partial(channel.send, truncate(f"{before}{text}"), nonce=nonce, **more),
                    *([partial(channel.send, truncate(f"{before}{text}"), **plainer)] if "view" in more else []),
                    partial(channel.send, f"{before}{tr(NO_WORDS, game)}", **plainer),
                ]
            )
        except discord.HTTPException as error:
            if error.status < 500:
                await outbox.mark_not_posted(notices)
            if error.code != UNKNOWN_MESSAGE or not begun:
                raise
            # It was sent, and somebody has deleted it: its nonce is spent.
            await outbox.begin_posting(notices, f"{nonce[:23]}a")
            return await channel.send(truncate(f"{tr(AGAIN)}{text}"), nonce=f"{nonce[:23]}a", **more)
        except aiohttp.ClientConnectorError:
            await outbox.mark_not_posted(notices)
            raise

    async def mark(self, notices: Sequence[Notice], reference: str, dropped: Sequence[PostRecord] = ()) -> None:
        """Mark these notices as posted: `reference` is the message's number, or the reason why there is none. The
        contents of these slots for them are forgotten with that.
        """
        await self.client.tables.outbox.mark_all_posted(notices, reference, dropped)
        outcome = "posted" if reference.isdecimal() else reference
        for notice in notices:
            POSTS.labels(notice.kind, outcome).inc()

    async def _ask(self, channel: discord.abc.Messageable, notice: Notice) -> str:
        """Ask the table a question: all players asked are mentioned, with buttons. A question that is over is not
        asked.
        """
        number, *people = map(str, notice.lines)
        poll = await self.client.tables.votes.find_open_poll(notice.game, int(number))
        if poll is None:
            return "decided"
        users = [discord.Object(int(one.removeprefix("discord:"))) for one in people if one.startswith("discord:")]
        message = await self.send(
            channel,
            [notice],
            truncate(f"{' '.join(f'<@{user.id}>' for user in users)} {question_text(poll)}"),
            view=question_view(poll),
            allowed_mentions=discord.AllowedMentions(users=users, everyone=False, roles=False),
        )
        return str(message.id)

    async def _whisper(self, table: GameSession, notice: Notice) -> str:
        """Send one player a private message: directly, or where that is refused not at all.

        The reason stays with the plan, where `/auto list` shows it to its owner.
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
                truncate(
                    tr("Game {game}{where}: {notice}", notice.game, where, escape(" ".join(words_of(table, notice))))
                ),
                allowed_mentions=discord.AllowedMentions.none(),
            )
        except discord.HTTPException as error:
            if not is_refused(error):
                raise
            return f"refused {error.code}"
        return str(message.id)


def words_of(table: GameSession, notice: Notice) -> list[str]:
    return tr_lines([line for line in notice.lines if isinstance(line, Message)], table.names)

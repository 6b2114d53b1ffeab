"""The posts: a game's record, its questions, how it ends, questions and messages that only one person sees."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial

import discord
import msgspec

from bot.engine import GameId, Message, Rejected
from bot.engine.play import Title
from bot.i18n import set_reader_language, tr, tr_lines, use_language
from bot.metrics import POSTS
from bot.render.painting.picture import Picture
from bot.render.worker import PictureFailed
from bot.service.features.votes import Poll
from bot.service.game_service import GameSession
from bot.service.views.report import report_text
from bot.store import TOLD, GameStatus, Notice, NoticeKind, PostRecord, SeatRecord

from .interactions import (
    CARD,
    FailureKind,
    GameClient,
    brief,
    escape,
    failure_kind_of,
    truncate,
)
from .interactions.forums import show_state
from .interactions.lobbies import lobby_buttons, lobby_text
from .log_messages import LogMessages
from .message_slots import Edit, MessageSlots, RetryLater, SlotContent
from .post_failures import PostFailures, is_refused
from .slash.command_buttons import QuestionButton, RematchButton
from .turn_prompts import ASKING, TurnPrompts, overtaken
from .venues import ChannelVenue, DirectVenue, Reader, Spot, Venue, is_in_discord, slot_of, user_of

log = logging.getLogger(__name__)

VOTING = (NoticeKind.QUESTION, NoticeKind.VOTED)

POLL = "poll:"

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

    async def post_game(self, venue: Venue, game_id: GameId, waiting: Sequence[Notice], is_due: bool = True) -> None:
        """Post the notices of one game: first the questions to players, then the notices that are posted once, then bring
        everything that shows the present state up to date, except the record if it has just been written; then delete
        what nobody needs any more. A failure does not keep the rest from being posted.

        :raises PostRefused: something is not taken, or could not be made; everything else is posted.
        :raises RetryLater: something cannot be changed now; everything else is posted.
        """
        table = await self.client.tables.desk.table(game_id)
        set_reader_language(table.record.language)
        setbacks = PostFailures(game_id)
        boards = [notice for notice in waiting if notice.kind == NoticeKind.BOARD] if is_due else []
        votes = [notice for notice in waiting if notice.kind in VOTING]
        once = [notice for notice in waiting if notice.kind not in (NoticeKind.BOARD, *VOTING)]
        asked = await self._tell_each(venue, table, once, setbacks)
        if boards:
            await self._show_table(venue, table, boards, setbacks)
        if boards or votes:
            await self._show_polls(venue, table, [*boards, *votes], setbacks)
        if boards:
            # A player who could not be asked just now is not asked a second time at once.
            is_newest = table.record.version == max(notice.number for notice in waiting) and not setbacks.refused
            collect = partial(setbacks.collect, boards)
            await self.pings.bring_up_to_date(venue.spot_of, table, is_newest, collect)
        await self.slots.clear(game_id)
        for notice, reference in asked:
            await self.mark([notice], reference)
        setbacks.check()
        if boards and isinstance(venue, ChannelVenue):
            await self._show_card(venue.spot, table)
        if boards or votes:
            await self.mark([*boards, *votes], "told")

    async def mark(self, notices: Sequence[Notice], reference: str) -> None:
        """Mark these notices as posted: `reference` is the message's number, or the reason why there is none."""
        await self.client.tables.outbox.mark_all_posted(notices, reference)
        outcome = "posted" if reference.isdecimal() else reference
        for notice in notices:
            POSTS.labels(notice.kind, outcome).inc()

    # -- posted once --------------------------------------------------------------------------------------

    async def _tell_each(
        self, venue: Venue, table: GameSession, notices: Sequence[Notice], setbacks: PostFailures
    ) -> list[tuple[Notice, str]]:
        """Tell these notices, first those that ask a player: a question does not wait for pictures, nor for faults of the
        record. Returns these with their references; they are marked when what they replace is deleted.
        """
        late = overtaken(notices)
        asked = [(notice, "asked again") for notice in late]
        left = [notice for notice in notices if notice not in late]
        for notice in sorted(left, key=lambda notice: notice.kind not in ASKING):
            reference = await self._tell(venue, table, notice, setbacks)
            if reference is not None and notice.kind in ASKING:
                asked.append((notice, reference))
            elif reference is not None:
                await self.mark([notice], reference)
        return asked

    async def _tell(self, venue: Venue, table: GameSession, notice: Notice, setbacks: PostFailures) -> str | None:
        """Tell a notice to everybody concerned. Returns the last message's number, or the reason why there is none; None
        where that failed for somebody.
        """
        is_for_one = notice.kind in (*ASKING, NoticeKind.PRIVATE)
        readers = [table.find_seat(notice.seat)] if is_for_one else venue.readers(table)
        references = []
        for held in readers:
            with setbacks.collect([notice]), use_language(await self.pings.language_of(table, held)):
                try:
                    references.append(await self._tell_one(venue, table, notice, held))
                except discord.HTTPException as error:
                    if not is_refused(error):
                        raise
                    log.info("a message to a player failed (%s)", error.code, extra={"game": notice.game})
                    references.append(f"refused {error.code}")
                    if held is not None and notice.kind == NoticeKind.REMINDER and isinstance(venue, DirectVenue):
                        await self.client.tables.reminders.tell_of_unreached(notice.game, held.number)
        return ["nowhere", *references][-1] if len(references) == len(readers) else None

    async def _tell_one(self, venue: Venue, table: GameSession, notice: Notice, held: Reader) -> str:
        """Returns the message's number, or the reason why there is none."""
        if notice.kind in ASKING:
            return await self.pings.ask(venue.spot_of, table, notice)
        if notice.kind == NoticeKind.PRIVATE:
            if held is None or not is_in_discord(held):
                return "not in Discord"
            return await self._tell_privately(venue, table, notice, held)
        if notice.kind == NoticeKind.LOBBY:
            # Its post tells it, which has been opened before.
            if table.game is None and isinstance(venue, ChannelVenue):
                await self._show_card(venue.spot, table)
            return "told"
        lines = [*self._head(table, held), *words_of(table, notice)]
        return await self.put_once(notice, held, await venue.spot_of(held), lines)

    async def _tell_privately(self, venue: Venue, table: GameSession, notice: Notice, held: SeatRecord) -> str:
        spot, lines = await DirectVenue(self.client).spot_of(held), words_of(table, notice)
        if isinstance(venue, ChannelVenue):
            lines = [tr("Game {game}{where}: {notice}", notice.game, f" (<#{venue.spot}>)", " ".join(lines))]
        else:
            lines = [*self._head(table, held), *lines]
        return await self.put_once(notice, held, spot, lines)

    async def put_once(self, notice: Notice, held: Reader, spot: Spot, lines: Sequence[str]) -> str:
        """Send a message for a notice, once only; returns its number."""
        slot, (channel, number) = slot_of(f"{TOLD}{notice.id}", held), spot
        row = (await self.client.tables.outbox.posts(notice.game)).get(slot)
        row = row or self.slots.new(notice.game, slot, number, notice.number, [notice])
        return str((await self.slots.put(channel, row, SlotContent(truncate(escape("\n".join(lines)))))).message)

    def _head(self, table: GameSession, held: Reader) -> list[str]:
        """The game, for somebody who does not read in its channel."""
        title = self.client.tables.desk.title(table.record.title).name
        return [] if held is None else [tr("Game {number}: {title}", table.record.id, title)]

    # -- up to date ---------------------------------------------------------------------------------------

    async def _show_table(
        self, venue: Venue, table: GameSession, boards: Sequence[Notice], setbacks: PostFailures
    ) -> None:
        """Bring what the whole table reads up to date: the record, at the end the result."""
        if isinstance(venue, ChannelVenue):
            with setbacks.collect(boards):
                await self.records.bring_up_to_date(venue.channel, venue.spot, table, boards)
        else:
            # Players by direct messages see no record, so they get the lines of the game's beginning.
            for notice in (notice for notice in boards if notice.number == 0 and words_of(table, notice)):
                await self._tell(venue, table, notice, setbacks)
        rows = await self.client.tables.outbox.posts(table.record.id)
        is_over = table.game is not None and table.record.status == GameStatus.FINISHED
        for held in venue.readers(table):
            slot = slot_of("end", held)
            row = rows.get(slot)
            with setbacks.collect(boards, held), use_language(await self.pings.language_of(table, held)):
                if is_over and (row is None or row.message is None):
                    await self._put(venue, table, row, slot, held, await self._end(table, held))
                elif not is_over and row is not None:
                    await self.client.tables.outbox.drop_post(row)

    async def _show_polls(
        self, venue: Venue, table: GameSession, causes: Sequence[Notice], setbacks: PostFailures
    ) -> None:
        """Ask the table's new questions, and have the messages of earlier questions show how they stand. The message of a
        question that is over never changes again.
        """
        outbox = self.client.tables.outbox
        rows = await outbox.posts(table.record.id)
        new = {int(str(notice.lines[0])) for notice in causes if notice.kind == NoticeKind.QUESTION}
        for number in sorted(new | {int(slot.split(":")[1]) for slot in rows if slot.startswith(POLL)}):
            poll: Poll | None = None
            with setbacks.collect(causes):
                poll = await self.client.tables.votes.find_poll(table.record.id, number)
            for held in venue.readers(table):
                slot = slot_of(f"{POLL}{number}", held)
                row = rows.get(slot)
                is_asked = poll is not None and poll.is_open and (held is None or held.person in poll.waits_for)
                if poll is None or (row is None and not (is_asked and number in new)):
                    continue
                with setbacks.collect(causes, held), use_language(await self.pings.language_of(table, held)):
                    row = await self._put(venue, table, row, slot, held, self._question(table, poll, held))
                    if not poll.is_open and row is not None:
                        await outbox.drop_post(row)

    async def _put(
        self, venue: Venue, table: GameSession, row: PostRecord | None, slot: str, held: Reader, post: SlotContent
    ) -> PostRecord | None:
        """Send a message, or have it show this if it can still be changed. Returns its row; None if there is none, since
        somebody has deleted it.
        """
        if row is not None and row.message is not None:
            return await self.slots.amend(row, post)
        channel, spot = await venue.spot_of(held)
        row = row or self.slots.new(table.record.id, slot, spot, table.record.version)
        return await self.slots.put(channel, row, post)

    def _question(self, table: GameSession, poll: Poll, held: Reader) -> SlotContent:
        """A question to the table, in which all who have still to answer are mentioned."""
        users = [int(one.removeprefix("discord:")) for one in poll.waits_for if one.startswith("discord:")]
        users = users if poll.is_open and held is None else []
        before = [" ".join(f"<@{user}>" for user in users)] if held is None else map(escape, self._head(table, held))
        said = f"**{escape(poll.text)}** {escape(poll.line)}"
        text = (" " if held is None else "\n").join(filter(None, [*before, said]))
        buttons = [QuestionButton(poll.record.id, answer) for answer in ("yes", "no")] if poll.is_open else []
        return SlotContent(truncate(text), buttons=buttons, mentions=users)

    async def _end(self, table: GameSession, held: Reader) -> SlotContent:
        assert table.game is not None
        report = escape(report_text(table.game, await self.client.tables.clocks.verdict(table)))
        if held is not None:
            return SlotContent(truncate("\n".join([*map(escape, self._head(table, held)), report])))
        users = [user_of(one) for one in {one.person: one for one in table.seats if is_in_discord(one)}.values()]
        return SlotContent(
            f"{' '.join(f'<@{user}>' for user in users)}\n{report}",
            buttons=[RematchButton(table.record.id)],
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

    async def _show_card(self, spot: str, table: GameSession) -> None:
        """Have the lobby's message show the players and the place. If that is not possible, the game does without."""
        title = self.client.tables.desk.title(table.record.title)
        await show_state(self.client, spot, title, table.record.status)
        row = (await self.client.tables.outbox.posts(table.record.id)).get(CARD)
        if table.game is None:
            post = lobby_post(table, title)
        else:
            post = SlotContent(f"{lobby_text(table, title)}\n{tr(STATUSES[table.record.status])} <#{spot}>")
        if row is None or row.message is None or row.digest == post.digest:
            return
        try:
            outcome = await self.slots.edit(row, post)
        except (RetryLater, discord.HTTPException) as error:
            if failure_kind_of(error) is FailureKind.DOWN and not isinstance(error, RetryLater):
                raise
            log.info("the card is not brought up to date: %s", brief(error), extra={"game": row.game})
            return
        if outcome is Edit.DONE:
            await self.client.tables.outbox.set_post(msgspec.structs.replace(row, digest=post.digest))
        elif outcome is Edit.GONE:
            await self.client.tables.outbox.drop_post(row)


def words_of(table: GameSession, notice: Notice) -> list[str]:
    return tr_lines([line for line in notice.lines if isinstance(line, Message)], table.names)


def lobby_post(table: GameSession, title: Title) -> SlotContent:
    return SlotContent(lobby_text(table, title), buttons=lobby_buttons(table.record.id, title))

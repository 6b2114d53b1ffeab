"""A game's records: one message for each stretch of play, edited after every commit, left as it is when the next begins."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import discord
import msgspec

from bot.engine import GameId, Message
from bot.engine.play import Game
from bot.i18n import tr
from bot.render.painting.picture import Picture
from bot.service.game_service import GameSession
from bot.service.plans import round_key
from bot.service.sessions import LogEntry
from bot.service.views.clock_text import times_line
from bot.service.views.log_sections import changed_pictures, section_of
from bot.service.views.turn_text import latest_lines, lot_lines, table_text
from bot.store import GameStatus, MoveKind, Notice, PostRecord

from .interactions import GameClient, escape
from .message_slots import MessageSlots, RetryLater, SlotContent
from .slash.command_buttons import UndoButton
from .slash.game_buttons import RECORD_LOOKS, LookButton, changed_hexes

log = logging.getLogger(__name__)

MOST_LINES = 3000
"""Maximum number of characters of lines in one record; Discord takes 4000 of everything."""

MOST_LOTS = 1200
"""Maximum of these for the lots in the present auction."""

WELCOME = [
    "",
    "How to move: press a button, use /move, or write it; several moves in one message are made together.",
    "/help lists your moves, /try previews them, /plan plans ahead, /clock quiet sets quiet hours.",
]

PLAN_AHEAD = "A new round begins: with “Plan ahead” nobody has to wait for you."

MENTION = "I cannot read messages here: mention me in a written move, or reply to one of my messages."

RECORD = "record:"

MOST_STRUCK = 10
"""Maximum number of earlier records that change when their moves are taken back."""

MOST_REMEMBERED = 10_000
"""Maximum number of positions whose stretch is remembered."""


@dataclass
class LogSection:
    """The content of one record: the entries from `first` on, in one stretch of play."""

    first: int
    stretch: Message
    entries: list[LogEntry]
    size: int = 0

    @property
    def last(self) -> int:
        """The number of the last entry, or of the previous entry where there is none yet."""
        return self.entries[-1].record.number if self.entries else self.first - 1


class LogMessages:
    def __init__(self, client: GameClient, slots: MessageSlots) -> None:
        self.client, self.slots = client, slots
        self._stretches: dict[tuple[int, int], Message] = {}

    async def bring_up_to_date(
        self, channel: discord.abc.Messageable, spot: str, table: GameSession, boards: Sequence[Notice]
    ) -> PostRecord | None:
        """Post what is in the log and in no record yet. Returns the row of the newest record; None where there is
        nothing to post. The record of a stretch that was taken back completely is deleted.
        """
        game = table.game
        posts = await self.client.tables.outbox.posts(table.record.id)
        rows = sorted(filter(is_record, posts.values()), key=first_of)
        newest = rows[-1] if rows else None
        if game is None or (newest is None and not boards):
            return None
        row = newest if newest is not None and newest.channel == spot else None
        known = {first_of(one): one for one in rows if one.channel == spot}
        if row is not None:
            begin = await self._begin_after_undo(table.record.id, first_of(row), list(known))
        else:
            begin = await self._begin_at_new_place(table, newest, boards)
        struck: list[tuple[PostRecord, LogSection]] = []
        for part in (found := await self._parts(table, game, begin)):
            is_open = part is found[-1] and table.record.status != GameStatus.FINISHED
            row = known.pop(part.first, None)
            if row is not None and row.message is not None and row.version >= part.last and part is not found[-1]:
                struck.append((row, part))
                continue
            if row is None:
                row = self.slots.new(table.record.id, f"{RECORD}{part.first}", spot, part.last, boards)
            post = await self._post(table, game, part, is_open)
            row = await self.slots.put(channel, msgspec.structs.replace(row, version=max(part.last, 0)), post)
        await self._amend(table, game, struck[::-1])
        for left in [one for first, one in known.items() if first > begin]:
            await self.slots.remove(left)
        return row

    async def _amend(self, table: GameSession, game: Game, struck: Sequence[tuple[PostRecord, LogSection]]) -> None:
        """Change earlier messages, those that Discord takes now."""
        for old, part in struck:
            try:
                await self.slots.amend(old, await self._post(table, game, part, is_open=False))
            except RetryLater:
                log.info("an earlier message is changed later", extra={"game": old.game})

    async def _begin_at_new_place(self, table: GameSession, newest: PostRecord | None, boards: Sequence[Notice]) -> int:
        """The number from which to post where no record is yet: after the newest record elsewhere, if any."""
        if newest is None:
            return await self._unheard(table, boards)
        return first_of(newest) if newest.message is None else newest.version + 1

    async def _begin_after_undo(self, game_id: GameId, begin: int, firsts: Sequence[int]) -> int:
        """The number from which to post after an undo: in the previous record, where that is continued."""
        records = await self.client.tables.queries.moves_after(game_id, begin - 1)
        back = min((one.parent + 1 for one in records if one.parent < one.number - 1), default=begin)
        earlier = sorted(first for first in firsts if first < begin)[-MOST_STRUCK:]
        if back >= begin or not earlier:
            return begin
        return max((first for first in earlier if first <= back), default=earlier[0])

    async def _unheard(self, table: GameSession, boards: Sequence[Notice]) -> int:
        """The number of the first log entry in these notices: each has the number of its last entry, and the lines
        of all.
        """
        earliest = min(boards, key=lambda notice: notice.number)
        known = await self.client.tables.queries.moves_after(table.record.id, earliest.number - len(earliest.lines))
        left = len(earliest.lines)
        first = earliest.number + 1
        for record in sorted(known, key=lambda one: -one.number):
            if record.number > earliest.number or left <= 0:
                continue
            first, left = record.number, left - len(record.lines)
        return first

    async def _parts(self, table: GameSession, game: Game, begin: int) -> list[LogSection]:
        """The sections from an entry on, cut where a stretch of play ends, and where a message is full."""
        number = table.record.id
        found: list[LogSection] = []
        for entry in await self.client.tables.queries.log_since(number, begin - 1):
            # An undo is posted where play goes on then.
            stretch = await self._stretch(number, max(entry.record.parent, 0))
            size = sum(len(line) + 5 for line in entry.tr_lines)
            if not found or found[-1].stretch != stretch or found[-1].size + size > MOST_LINES:
                found.append(LogSection(entry.record.number, stretch, []))
            found[-1].entries.append(entry)
            found[-1].size += size
        here = section_of(game)
        if not found or (found[-1].stretch != here and not game.state.finished):
            found.append(LogSection(table.record.version + 1, here, []))
        return found

    async def _stretch(self, game_id: GameId, number: int) -> Message:
        """The stretch of the position after an entry, which never changes."""
        if (game_id, number) not in self._stretches:
            if len(self._stretches) >= MOST_REMEMBERED:
                self._stretches.clear()
            self._stretches[game_id, number] = section_of(await self.client.tables.queries.position_at(game_id, number))
        return self._stretches[game_id, number]

    async def _post(self, table: GameSession, game: Game, part: LogSection, is_open: bool) -> SlotContent:
        """The content of a record: what happened and a picture of what changed; while it is open also the question
        and buttons; for the last record of a finished game the final map and stock market.
        """
        number = table.record.id
        lines = [line for entry in part.entries for line in entry_lines(entry)]
        after = [line async for line in self._lines_below(table, game, part, is_open)]
        position = game if is_open else await self.client.tables.queries.position_at(number, part.last)
        before = await self.client.tables.queries.position_at(number, max(part.first - 1, 0))
        is_end = table.record.status == GameStatus.FINISHED and part.last == table.record.version
        kinds = ("map", "market") if table.record.shows_both or is_end else changed_pictures(before, position)
        heading = f"**{escape(tr(part.stretch))}**"
        lots = [escape(line) for line in lot_lines(game, MOST_LOTS)] if is_open else []
        room = MOST_LINES - sum(len(line) + 1 for line in lots)
        return SlotContent(
            "\n".join([heading, *latest_lines(lines, room), *(["", *lots] if lots else [])]),
            escape("\n".join(after)).strip(),
            self._buttons(table, part) if is_open else [],
            self._painter_of(position, kinds, changed_hexes(position, part.entries)),
            f"{' '.join(kinds)} {table.record.version if is_open else part.last}",
            is_record=True,
        )

    async def _lines_below(self, table: GameSession, game: Game, part: LogSection, is_open: bool) -> AsyncIterator[str]:
        """The question, what may be planned in a new round, and the welcome below the first record."""
        if is_open and table.record.status == GameStatus.RUNNING:
            yield await self._waiting(table, game)
            if not part.entries and await self._begins_round(table.record.id, table.record.version, game):
                yield tr(PLAN_AHEAD)
        if part.first == 0:
            for line in WELCOME if self.client.settings.message_content else [*WELCOME, MENTION]:
                yield tr(line)

    def _buttons(self, table: GameSession, part: LogSection) -> list[discord.ui.Item[Any]]:
        """The buttons of the open record."""
        number, looks = table.record.id, RECORD_LOOKS if self.client.board is None else (*RECORD_LOOKS, "board")
        buttons: list[discord.ui.Item[Any]] = [LookButton(number, what, f":{part.first}") for what in looks]
        if part.entries and part.entries[-1].record.kind == MoveKind.MOVE:
            buttons.append(UndoButton(number, table.record.version))
        return buttons

    async def _begins_round(self, game_id: GameId, version: int, game: Game) -> bool:
        """Whether the last entry has begun a round."""
        if version < 1:
            return False
        return round_key(await self.client.tables.queries.position_at(game_id, version - 1)) != round_key(game)

    async def _waiting(self, table: GameSession, game: Game) -> str:
        """The open question, with the players asked and since when."""
        clocks = await self.client.tables.queries.status(table.record.id)
        since = min((waiting.since for waiting in clocks.waiting), default=None)
        asked = [tr("Asked {when}.", discord.utils.format_dt(since, "R"))] if since else []
        return "\n".join([table_text(game, game.players_to_act()), *asked, *await self._times(table)])

    async def _times(self, table: GameSession) -> list[str]:
        """Everybody's time; a running budget as a moment that Discord counts down, so that no message is edited for it."""
        times = await self.client.tables.clocks.seat_times(table)
        counted = [
            replace(one, text=discord.utils.format_dt(datetime.fromtimestamp(one.out, UTC), "R"))
            if one.out is not None and one.out > self.client.tables.desk.now()
            else one
            for one in times
        ]
        return [times_line(counted)] if counted else []

    def _painter_of(
        self, position: Game, kinds: Sequence[str], changed: Sequence[str]
    ) -> Callable[[], Awaitable[list[Picture]]]:
        async def paint() -> list[Picture]:
            return [one for kind in kinds for one in await self.client.studio.try_picture(position, kind, changed)]

        return paint


def is_record(row: PostRecord) -> bool:
    return row.slot.startswith(RECORD)


def first_of(row: PostRecord) -> int:
    return int(row.slot.removeprefix(RECORD))


def entry_lines(entry: LogEntry) -> list[str]:
    """The lines of an entry; struck through if it was taken back."""
    lines = [escape(line) for line in entry.tr_lines]
    return [f"~~{line}~~" for line in lines] if entry.is_undone else lines

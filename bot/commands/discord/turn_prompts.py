"""Questions to single players: one live message a seat, with a mention; edited while it is asked, deleted once answered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import discord

from bot.engine import GameId, IllegalMove, PersonId, seat
from bot.engine.notation import may_pass
from bot.engine.play import Game
from bot.i18n import tr, use_language
from bot.service.game_service import GameSession
from bot.service.sessions import LogEntry, is_quiet
from bot.service.views.clock_text import AT_ZERO_YOU, YOUR_TIME_IS_UP, zero_message
from bot.service.views.turn_text import turn_text
from bot.store import SERVER_GONE, Notice, NoticeKind, SeatRecord
from bot.threads import run_in_thread

from .interactions import GameClient, escape
from .message_slots import MessageSlots, SlotContent
from .slash.command_buttons import OrderButton, SnoozeButton
from .slash.game_buttons import LookButton, moves_at_hand, outcomes
from .slash.move_buttons import MoveButton
from .venues import Reader, Spot, is_in_discord, slot_of, user_of

MOST_MOVES = 5
"""Maximum number of moves below a question; the rest is behind "My turn"."""

PING = "ping:"

ASKING = (NoticeKind.TURN, NoticeKind.REMINDER)
"""Kinds of notices that ask a player."""

SpotFinder = Callable[[SeatRecord], Awaitable[Spot]]
"""Says where somebody is asked."""

FailureCollector = Callable[[Reader], AbstractContextManager[None]]
"""Does something for a reader, and keeps its failure."""


class TurnPrompts:
    def __init__(self, client: GameClient, slots: MessageSlots) -> None:
        self.client, self.slots = client, slots

    async def ask(self, spot_of: SpotFinder, table: GameSession, notice: Notice) -> str:
        """Ask one player anew, or remind them. Returns the message, or why there is none.

        The notice waits until what it replaces is deleted (`MessageSlots.clear`), so that a kill leaves nothing behind.
        """
        record = table.find_seat(notice.seat)
        if record is None or not table.is_asked(record):
            return "answered"
        if not is_in_discord(record):
            return "not in Discord"
        tables, has_mail = self.client.tables, self.client.settings.mail is not None
        if has_mail and notice.kind == NoticeKind.REMINDER and await tables.mail.is_reminded(record.person):
            return "mailed"
        game = table.record.id
        slot, old = slot_of("ping", record), None
        row = (await self.client.tables.outbox.posts(game)).get(slot)
        if row is not None and row.message is not None and row.version == notice.id:
            # It was asked before an interruption, which came before what it replaced was deleted.
            return row.message
        post = await self._post(table, record, notice.kind == NoticeKind.REMINDER)
        channel, spot = await spot_of(record)
        if row is None or row.version != notice.id:
            old, row = row, self.slots.new(game, slot, spot, notice.id, [notice])
        return str((await self.slots.put(channel, row, post, old)).message)

    async def language_of(self, table: GameSession, reader: Reader) -> str:
        """The language of a reader: their own choice, else the game's."""
        chosen = await self.client.tables.languages.chosen_language(reader.person) if reader else ""
        return chosen or table.record.language

    async def bring_up_to_date(
        self, spot_of: SpotFinder, table: GameSession, is_newest: bool, collect: FailureCollector
    ) -> None:
        """Update every question without a ping, in the place that `spot_of` names; delete questions that nobody is asked
        any more. A player who has undone a move is asked again, while `is_newest` says that no other question is on
        its way to them. A failure of one question does not keep the others from being changed.
        """
        rows = await self.client.tables.outbox.posts(table.record.id)
        asked = {slot_of("ping", held): held for held in table.seats if table.is_asked(held) and is_in_discord(held)}
        for slot in [*asked, *(slot for slot in rows if slot.startswith(PING) and slot not in asked)]:
            row, held = rows.get(slot), asked.get(slot)
            with collect(held), use_language(await self.language_of(table, held)):
                if held is None and row is not None:
                    await self.slots.remove(row)
                elif held is not None and (row is not None or is_newest):
                    (channel, spot), post, old = await spot_of(held), await self._post(table, held), None
                    if row is None or row.channel != spot:
                        old, row = row, self.slots.new(table.record.id, slot, spot, 0)
                    await self.slots.put(channel, row, replace(post, is_silent=True), old)

    async def _post(self, table: GameSession, record: SeatRecord, is_reminder: bool = False) -> SlotContent:
        game, number = table.game, table.record.id
        assert game is not None
        tables, person = self.client.tables, record.person
        status = await tables.queries.status(number)
        waiting = next((one for one in status.waiting if one.seat.number == record.number), None)
        is_reminder = is_reminder or (waiting is not None and waiting.reminders > 0)
        since = [] if is_reminder else await self._since(number, person)
        hand = await moves_at_hand(number, table.record.version, game, table.seats_of(person), has_little_room=True)
        moves = at_first(hand)
        buttons: list[discord.ui.Item[Any]] = [
            *moves,
            LookButton(number, "turn", f":{table.record.version}"),
            *self._more(number, game),
        ]
        told = ""
        clock = await self._time_left(table, record)
        if is_reminder:
            when = discord.utils.format_dt(waiting.since, "R") if waiting is not None else ""
            told = tr("Reminder: the table is waiting for you (asked {when}). ", when)
        if is_reminder:
            buttons.append(SnoozeButton(number))
        user = user_of(record)
        place = await tables.places.place(number)
        if place is None or place.trouble == SERVER_GONE:
            told = f"{escape(tr('Game {number}: {title}', number, game.title.name))}. {told}"
        task = [escape(line) for line in await tables.lessons.task_lines(table)]
        turn = escape(turn_text(game, seat(record.number), since, is_named=False))
        return SlotContent(
            "\n".join([f"<@{user}> {told}{turn}{clock}", *task]),
            "\n".join(await run_in_thread(outcomes, game.copy(), moves)),
            buttons=buttons,
            mentions=[user],
            is_silent=is_quiet(tables.desk.clock(), record),
        )

    async def _time_left(self, table: GameSession, record: SeatRecord) -> str:
        """When a player's time runs out, and what happens then; a moment, so that no message is edited as time goes by."""
        budget = await self.client.tables.clocks.budget_of(table, record.number)
        if table.record.clock is None or budget is None or budget.runs_out is None:
            return ""
        if budget.left <= 0:
            return f"\n{escape(tr(YOUR_TIME_IS_UP))}"
        when, then = discord.utils.format_dt(budget.runs_out, "R"), zero_message(AT_ZERO_YOU, table.record.clock)
        return f"\n{tr('Your time runs out {when}.', when)} {escape(tr(then))}"

    async def _since(self, game_id: GameId, person: PersonId) -> Sequence[LogEntry]:
        """Events since a player's last turn; nothing where they have lost their seat since the table was read: the
        notice of that asks the new holder.
        """
        try:
            return await self.client.tables.queries.log_since_last_turn(game_id, person)
        except IllegalMove:
            return ()

    def _more(self, game_id: GameId, game: Game) -> Sequence[discord.ui.Item[Any]]:
        """A button for passing automatically, where everybody in turn may buy and pass."""
        return [OrderButton(game_id, "wake")] if game.state.round.kind == "stock" and may_pass(game) else []


def overtaken(waiting: Sequence[Notice]) -> list[Notice]:
    """The questions among these notices after which the same player is asked again: only the last is posted. A bot that
    was killed before it marked them would not know any more which of them stands in the player's slot.
    """
    asking = sorted((one for one in waiting if one.kind in ASKING), key=lambda one: one.id)
    last = {one.seat: one.id for one in asking}
    return [one for one in asking if one.id != last[one.seat]]


def at_first(moves: Sequence[discord.ui.Item[Any]]) -> list[discord.ui.Item[Any]]:
    """The moves below a question: the first moves, and passing, which comes last."""
    passes = [one for one in moves[MOST_MOVES:] if isinstance(one, MoveButton) and one.move.endswith("pass")]
    return [*moves[: MOST_MOVES - len(passes)], *passes]

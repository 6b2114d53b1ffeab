"""The outbox: what was saved is posted, once, also after a crash."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import discord

from bot.engine.actions import LayTile, PlaceToken
from bot.engine.ids import seat
from bot.engine.refusals import Refusal
from bot.engine.text import action_of
from bot.render.paint import Picture
from bot.render.worker import PictureFailed
from bot.store import Notice, StoreError
from bot.tables.tables import Table
from bot.tables.turn import turn_text

from .answers import cut, files, plain
from .buttons import turn_view
from .votes import question_text, question_view

if TYPE_CHECKING:
    from .bot import Signalbox

log = logging.getLogger(__name__)

GONE = {10003, 10004, 50001, 50013}
"""Channel or server gone, or no permission any more: the game goes on, the post is given up."""

CLOSED = {50007, 50278}
"""Direct messages are refused, or there is no common server any more."""

RETRY_SECONDS = 20.0


class Poster:
    """Posts notices in order, one game at a time; `wake` it after a commit."""

    def __init__(self, client: Signalbox) -> None:
        self.client = client
        self._wake = asyncio.Event()
        self._is_stopping = False
        self._rests = asyncio.Event()
        self._rests.set()

    async def wake(self, game: int) -> None:
        """Something was saved."""
        self._wake.set()

    async def run(self) -> None:
        """Post until cancelled or stopped; what cannot be posted now is tried again later."""
        while not self._is_stopping:
            self._rests.clear()
            try:
                stuck = await self.flush()
            except StoreError as error:
                log.warning("the outbox cannot be read: %s", error)
                stuck = True
            except Exception:
                # Nobody else posts: whatever it was, it is logged, and the outbox still has it.
                log.exception("posting failed")
                stuck = True
            finally:
                self._rests.set()
            if stuck:
                self.client.loop.call_later(RETRY_SECONDS, self._wake.set)
            await self._wake.wait()
            self._wake.clear()

    async def stop(self, seconds: float) -> None:
        """Finish the post under way, begin no other. The outbox keeps the rest."""
        self._is_stopping = True
        self._wake.set()
        try:
            await asyncio.wait_for(self._rests.wait(), seconds)
        except TimeoutError:
            log.warning("a post was cut off; the outbox still has it")

    async def flush(self) -> bool:
        """Post everything that waits, game by game; returns whether something must be tried again.

        One game's failure does not hold up the others, and no game is told out of order.
        """
        stuck: set[int] = set()
        while not self._is_stopping:
            by_game: dict[int, list[Notice]] = {}
            for notice in await self.client.tables.pending(limit=100 * (1 + len(stuck))):
                if notice.game not in stuck:
                    by_game.setdefault(notice.game, []).append(notice)
            if not by_game:
                return bool(stuck)
            for game, waiting in by_game.items():
                if self._is_stopping:
                    break
                try:
                    await self._post_game(game, waiting)
                except (discord.HTTPException, OSError, StoreError) as error:
                    log.warning("game %s: posting will be tried again: %s", game, error)
                    stuck.add(game)
        return False

    async def _post_game(self, game: int, waiting: Sequence[Notice]) -> None:
        boards = [notice for notice in waiting if notice.kind == "board"]
        others = [notice for notice in waiting if notice.kind != "board"]
        channel = await self._channel(game)
        if channel is None:
            await self._mark(waiting, "nowhere")
            return
        table = await self.client.tables.table(game)
        try:
            if boards:
                asked_anew = {notice.seat for notice in others if notice.kind == "turn"}
                message = await self._post_board(channel, table, boards, asked_anew)
                await self._mark(boards, str(message.id))
            for notice in others:
                if notice.kind == "private":
                    reference = await self._whisper(table, notice)
                elif notice.kind == "question":
                    reference = await self._ask(channel, notice)
                else:
                    reference = await self._ping(channel, table, notice)
                await self._mark([notice], reference)
        except discord.HTTPException as error:
            if error.code not in GONE:
                raise
            log.warning("game %s: cannot post (%s)", game, error.code)
            await self._mark(waiting, f"gone {error.code}")

    async def _mark(self, notices: Sequence[Notice], reference: str) -> None:
        now = self.client.tables.clock().timestamp()
        for notice in notices:
            await self.client.tables.store.mark_posted(notice.id, now, reference)

    async def _channel(self, game: int) -> discord.abc.Messageable | None:
        """Where the game is played; None when it is gone, or the game is not played in Discord."""
        place = await self.client.tables.store.place(game)
        if place is None:
            return None
        number = int(place.thread or place.channel)
        found = self.client.get_channel(number)
        if found is None:
            try:
                found = await self.client.fetch_channel(number)
            except discord.HTTPException as error:
                if error.code not in GONE:
                    raise
                return None
        return found if isinstance(found, discord.abc.Messageable) else None

    async def _post_board(
        self,
        channel: discord.abc.Messageable,
        table: Table,
        boards: Sequence[Notice],
        asked_anew: Collection[int | None],
    ) -> discord.Message:
        """What happened in words, map and market as pictures; the next choices of whoever goes on with his turn."""
        lines = [line for notice in boards for line in notice.lines]
        view = discord.utils.MISSING
        going_on = [player for player in table.game.asked() if int(player[1:]) not in asked_anew] if table.game else []
        if table.game is not None and going_on and table.record.status == "running":
            lines.append(turn_text(table.game, going_on[0]))
            view = turn_view(table.record.id, table.record.version, table.game, going_on)
        pictures: list[Picture] = []
        if table.game is not None:
            changed = await self._changed(table, boards)
            for kind in ("map", "market"):
                try:
                    pictures.append(await self.client.studio.picture(table.game, kind, changed))
                except (PictureFailed, Refusal) as error:
                    log.error("game %s: no picture of the %s: %s", table.record.id, kind, error)
        return await channel.send(
            cut(plain("\n".join(lines))),
            files=files(pictures),
            view=view,
            nonce=str(boards[-1].id),
            allowed_mentions=discord.AllowedMentions.none(),
        )

    async def _changed(self, table: Table, boards: Sequence[Notice]) -> list[str]:
        """The spaces that the moves since the last board changed."""
        first = min(notice.number for notice in boards)
        last = max(notice.number for notice in boards)
        title = self.client.tables.titles[table.record.title]
        changed = []
        for record in await self.client.tables.store.moves(table.record.id, first - MOST_CLAUSES_BACK):
            action = action_of(title, record.text) if record.kind == "move" and record.number <= last else None
            if isinstance(action, LayTile | PlaceToken) and record.number > first - 1:
                changed.append(str(action.hex))
        return changed

    async def _ask(self, channel: discord.abc.Messageable, notice: Notice) -> str:
        """A question to the table: everybody asked is mentioned, with buttons. One that is over is not asked."""
        _, number, *people = notice.lines
        record = await self.client.tables.store.question(int(number))
        if record is None or record.closed_at is not None:
            return "decided"
        poll = await self.client.tables.poll(await self.client.tables.table(notice.game), record)
        users = [discord.Object(int(one.removeprefix("discord:"))) for one in people if one.startswith("discord:")]
        message = await channel.send(
            cut(f"{' '.join(f'<@{user.id}>' for user in users)} {question_text(poll)}"),
            view=question_view(poll),
            nonce=str(notice.id),
            allowed_mentions=discord.AllowedMentions(users=users, everyone=False, roles=False),
        )
        return str(message.id)

    async def _whisper(self, table: Table, notice: Notice) -> str:
        """Tell one player what is nobody else's business: directly, or where that is refused not at all.

        The reason stays with the order, where `/auto list` shows it to its owner.
        """
        record = next((record for record in table.seats if record.number == notice.seat), None)
        if record is None or not record.person.startswith("discord:"):
            return "not in Discord"
        user = await self.client.fetch_user(int(record.person.removeprefix("discord:")))
        place = await self.client.tables.store.place(notice.game)
        where = f" (<#{place.thread or place.channel}>)" if place else ""
        try:
            message = await user.send(
                cut(f"Game {notice.game}{where}: {plain(' '.join(notice.lines))}"),
                nonce=str(notice.id),
                allowed_mentions=discord.AllowedMentions.none(),
            )
        except discord.HTTPException as error:
            if error.code not in CLOSED:
                raise
            return f"refused {error.code}"
        return str(message.id)

    async def _ping(self, channel: discord.abc.Messageable, table: Table, notice: Notice) -> str:
        """Ask one player. An old question is not asked again: the reference says so."""
        record = next((record for record in table.seats if record.number == notice.seat), None)
        game, game_number = table.game, table.record.id
        if record is None or game is None or seat(record.number) not in game.asked():
            return "answered"
        if not record.person.startswith("discord:"):
            return "not in Discord"
        user = int(record.person.removeprefix("discord:"))
        player = seat(record.number)
        reminder = "Reminder: the table waits for you. " if notice.kind == "reminder" else ""
        since = [] if reminder else await self.client.tables.since_last_turn(game_number, record.person)
        message = await channel.send(
            cut(f"<@{user}> {reminder}{plain(turn_text(game, player, since))}"),
            view=turn_view(game_number, table.record.version, game, table.seats_of(record.person)),
            nonce=str(notice.id),
            allowed_mentions=discord.AllowedMentions(users=[discord.Object(user)], everyone=False, roles=False),
        )
        return str(message.id)


MOST_CLAUSES_BACK = 20
"""How many records before a notice's number may belong to the same message."""

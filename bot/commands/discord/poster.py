"""The outbox: what was saved is posted, once, also after a crash."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Collection, Sequence
from typing import Any

import aiohttp
import discord
import msgspec

from bot.engine.ids import seat
from bot.engine.play.game import Game
from bot.engine.refusals import Refusal
from bot.engine.words.text import action_of
from bot.language import say, speak, speaking
from bot.metrics import POSTS
from bot.render.painting.paint import Picture
from bot.render.worker import PictureFailed
from bot.store import BEGUN, NO_THREAD_YET, GameRecord, Notice, Place, PlaceTaken, StoreDamaged, StoreError
from bot.tables.desk.looking import Entry
from bot.tables.reading.guide import spaces_of
from bot.tables.tables import Table
from bot.tables.texts.report import report_text
from bot.tables.texts.turn import latest, table_text, turn_text

from .interactions.answers import LONGEST, cut, files, in_words, plain
from .interactions.client import Client
from .interactions.places import (
    NO_CHANNEL,
    THREAD_GONE,
    TROUBLES,
    Unreachable,
    channel_of,
    tell_moderator,
    with_thread,
)
from .slash.buttons import turn_view
from .slash.clock import SnoozeButton
from .slash.votes import question_text, question_view

log = logging.getLogger(__name__)

FIRST_RETRY, LONGEST_RETRY = 1.0, 60.0
"""Seconds until posting is tried again after a failure: doubled each time, until it works."""

CLOSED = {50007, 50278}
"""Direct messages are refused, or there is no common server any more."""

MISSING_PERMISSIONS = 50013

NO_FILES = "I may not attach files here, so there are no pictures; `/board` shows everything in words."

WELCOME = [
    "",
    "How to move: press a button; or /move with completion; or write it: several moves in one message are made together.",
    "/help shows what can be done, /try what it would do, /auto gives standing orders, /clock quiet your sleep.",
]
"""What a new thread begins with."""

MENTION = "I cannot read the messages here: mention me in a written move, or answer one of my messages."

ROOM = 150
"""Characters kept free beside the news: for the line that counts those left out, and for marks before a post."""

AT_ONCE = 8
"""How many games are told at the same time."""

AGAIN = "-# After an interruption; this may be there already.\n"
"""Stands before a post whose first attempt had an unknown end; where Discord still knows its nonce, it is not seen."""


class Down(Exception):
    """Discord does not work at the moment; the message says how it shows."""


class Poster:
    """Posts notices: each game's in order, several games at once. `wake` it after a commit."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.patience = client.patience
        self._wake = asyncio.Event()
        self._told_of_files: set[int] = set()
        self._told_of_threads: set[int] = set()
        self._is_stopping = False
        self._rests = asyncio.Event()
        self._rests.set()

    async def wake(self, game: int) -> None:
        """Something was saved."""
        self._wake.set()

    async def run(self) -> None:
        """Post until cancelled or stopped; what cannot be posted now is tried again later."""
        retry = FIRST_RETRY / 2
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
            retry = min(retry * 2, LONGEST_RETRY) if stuck else FIRST_RETRY / 2
            if stuck:
                self.client.loop.call_later(retry, self._wake.set)
            # A place that did not work is tried again when its time has come, also when nothing new is to be told.
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), self.patience.seconds())
            self._wake.clear()

    async def stop(self, seconds: float) -> None:
        """Finish the posts under way, begin no other. The outbox keeps the rest."""
        self._is_stopping = True
        self._wake.set()
        try:
            await asyncio.wait_for(self._rests.wait(), seconds)
        except TimeoutError:
            log.warning("a post was cut off; the outbox still has it")

    async def flush(self) -> bool:
        """Post everything that waits, some games at a time; returns whether something must be tried again soon.

        One game's failure does not hold up the others, and no game is told out of order. While Discord is down nothing
        more is tried.
        """
        stuck: set[int] = set()
        telling: dict[asyncio.Task[None], int] = {}
        is_down = False
        try:
            while True:
                if not (is_down or self._is_stopping):
                    left_out = stuck | set(telling.values()) | self.patience.waiting()
                    for game, waiting in (await self._by_game(left_out)).items():
                        if len(telling) < AT_ONCE:
                            telling[asyncio.create_task(self._tell_game(game, waiting))] = game
                if not telling:
                    return is_down or bool(stuck)
                for task in await self._any_of(telling):
                    game = telling.pop(task)
                    try:
                        task.result()
                    except Down as down:
                        log.warning("Discord is down, posting waits: %s", down)
                        is_down = True
                    except (StoreDamaged, Refusal, ArithmeticError, LookupError, TypeError, ValueError) as error:
                        # It will not be better soon: whatever is wrong with one game, the others are told.
                        log.exception("cannot be posted: %s", error, extra={"game": game})
                        self.patience.after(game, self.patience.changes)
                    except (discord.HTTPException, OSError, StoreError) as error:
                        log.warning("posting will be tried again: %s", error, extra={"game": game})
                        stuck.add(game)
        finally:
            for task in telling:
                task.cancel()
            await asyncio.gather(*telling, return_exceptions=True)

    async def _any_of(self, telling: Collection[asyncio.Task[None]]) -> set[asyncio.Task[None]]:
        """Those that are done, as soon as one is or there is something new to tell."""
        self._wake.clear()
        news = asyncio.create_task(self._wake.wait())
        try:
            done, _ = await asyncio.wait({*telling, news}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            news.cancel()
        return {task for task in telling if task in done}

    async def _by_game(self, left_out: Collection[int]) -> dict[int, list[Notice]]:
        by_game: dict[int, list[Notice]] = {}
        for notice in await self.client.tables.pending(limit=100, without=left_out):
            by_game.setdefault(notice.game, []).append(notice)
        return by_game

    async def _tell_game(self, game: int, waiting: Sequence[Notice]) -> None:
        """Post what one game has to say.

        :raises Down: Discord does not work.
        """
        changes = self.patience.changes
        store = self.client.tables.store
        found = await store.game(game)
        if found is None or (not found.moderator.startswith("discord:") and await store.place(game) is None):
            # It is played in a terminal.
            await self._mark(waiting, "nowhere")
            return
        place = await store.place(game) or Place(game, "", "")
        try:
            await self._tell_old_places(found, [notice for notice in waiting if notice.kind == "moved"])
            waiting = [notice for notice in waiting if notice.kind != "moved"]
            if not waiting:
                return
            if place.trouble == NO_THREAD_YET:
                place = await with_thread(self.client, game) or place
            channel = await channel_of(self.client, place)
            if place.trouble == THREAD_GONE:
                with speaking(found.language):
                    await channel.send(say(f"The thread of game {game} was removed. The game goes on here."))
                place = msgspec.structs.replace(place, trouble=None)
                await self._note(place, changes)
            await self._post_game(channel, game, waiting)
        except Unreachable as trouble:
            await self._cannot(found, place, trouble, changes)
        except discord.HTTPException as error:
            if error.status >= 500:
                raise Down(f"{error.status}") from error
            if error.code not in TROUBLES:
                raise
            await self._cannot(found, place, Unreachable(error.code), changes)
        except (aiohttp.ClientError, OSError) as error:
            raise Down(type(error).__name__) from error
        else:
            self.patience.forget(game)
            if place.trouble is not None:
                await self._note(msgspec.structs.replace(place, trouble=None), changes)

    async def _note(self, place: Place, changes: int) -> None:
        """Keep how it went at a place, unless something has changed since that was begun: a moderator's choice stays.

        A game whose spot belongs to another one by now gets a thread of its own.
        """
        if changes != self.patience.changes:
            return
        store = self.client.tables.store
        try:
            await store.set_place(place)
        except PlaceTaken as taken:
            log.warning("%s", taken, extra={"game": place.game})
            await store.set_place(msgspec.structs.replace(place, thread=None, trouble=NO_THREAD_YET))

    async def _tell_old_places(self, game: GameRecord, moves: Sequence[Notice]) -> None:
        """Say where a game was played until now that it has moved; where that cannot be said any more, nobody is there."""
        for notice in moves:
            guild, home, thread, text = notice.lines
            reference = "nowhere"
            with speaking(game.language), contextlib.suppress(Unreachable):
                channel = await channel_of(self.client, Place(game.id, guild, home, thread or None))
                try:
                    quietly = discord.AllowedMentions.none()
                    message = await self._send(channel, [notice], plain(text), allowed_mentions=quietly)
                    reference = str(message.id)
                except discord.HTTPException as error:
                    if error.code not in TROUBLES:
                        raise
            await self._mark([notice], reference)

    async def _cannot(self, game: GameRecord, place: Place, trouble: Unreachable, changes: int) -> None:
        """The game cannot be posted where it is played: it goes on, and its moderator is told once."""
        if trouble.code == NO_CHANNEL and place.thread is not None:
            log.warning("the thread is gone, posting goes on in its channel", extra={"game": game.id})
            await self._note(msgspec.structs.replace(place, thread=None, trouble=THREAD_GONE), changes)
            return
        log.warning("cannot be posted (%s)", trouble.code, extra={"game": game.id})
        is_first = game.id not in self._told_of_threads
        if not self.patience.after(game.id, changes):
            return
        if place.trouble == NO_THREAD_YET:
            # That its thread is to be opened is kept; who is told of the trouble is remembered here.
            self._told_of_threads.add(game.id)
        elif is_first := place.trouble != str(trouble.code):
            await self._note(msgspec.structs.replace(place, trouble=str(trouble.code)), changes)
        if is_first:
            await tell_moderator(self.client, game, place, trouble.code)

    async def _post_game(self, channel: discord.abc.Messageable, game: int, waiting: Sequence[Notice]) -> None:
        boards = [notice for notice in waiting if notice.kind == "board"]
        others = [notice for notice in waiting if notice.kind != "board"]
        table = await self.client.tables.table(game)
        speak(table.record.language)
        asked_anew = {notice.seat for notice in others if notice.kind == "turn"}
        for together in attempts(boards):
            message = await self._post_board(channel, table, together, asked_anew)
            await self._mark(together, str(message.id))
        for notice in others:
            if notice.kind == "question":
                reference = await self._ask(channel, notice)
            else:
                with speaking(await self._language_of(table, notice)):
                    told = (
                        self._whisper(table, notice) if notice.kind == "private" else self._ping(channel, table, notice)
                    )
                    reference = await told
            await self._mark([notice], reference)

    async def _language_of(self, table: Table, notice: Notice) -> str:
        """The language of whoever is told something: his own choice, else the game's."""
        record = next((record for record in table.seats if record.number == notice.seat), None)
        chosen = (await self.client.tables.store.person(record.person)).language if record else ""
        return chosen or table.record.language

    async def _send(
        self, channel: discord.abc.Messageable, notices: Sequence[Notice], text: str, **more: Any
    ) -> discord.Message:
        """Send what these notices say as one message. That it was begun is on disk before, that it ended afterwards."""
        if isinstance(more.get("view"), discord.ui.View):
            in_words(more["view"])
        store, numbers = self.client.tables.store, [notice.id for notice in notices]
        begun = nonce_of(notices[-1])
        nonce = begun or str(numbers[-1])
        await store.begin_posting(numbers, nonce)
        try:
            return await channel.send(cut(say(f"{AGAIN}{text}" if begun else text)), nonce=nonce, **more)
        except discord.HTTPException as error:
            if error.status < 500:
                await store.not_posted(numbers)
            raise
        except aiohttp.ClientConnectorError:
            await store.not_posted(numbers)
            raise

    async def _mark(self, notices: Sequence[Notice], reference: str) -> None:
        now = self.client.tables.clock().timestamp()
        await self.client.tables.store.mark_all_posted([notice.id for notice in notices], now, reference)
        outcome = "posted" if reference.isdecimal() else reference
        for notice in notices:
            POSTS.labels(notice.kind, outcome).inc()

    async def _post_board(
        self,
        channel: discord.abc.Messageable,
        table: Table,
        boards: Sequence[Notice],
        asked_anew: Collection[int | None],
    ) -> discord.Message:
        """What happened in words, map and market as pictures; the next choices of whoever goes on with his turn."""
        lines = [line for notice in boards for line in notice.lines]
        after: list[str] = []
        view = discord.utils.MISSING
        going_on = [player for player in table.game.asked() if int(player[1:]) not in asked_anew] if table.game else []
        if table.game is not None and going_on and table.record.status == "running":
            after.append(table_text(table.game, going_on))
            # Several who are asked at once have their buttons below their own questions, and behind "What can I do?".
            alone = going_on if len(table.game.asked()) == 1 else []
            view = await turn_view(table.record.id, table.record.version, table.game, alone)
        pictures: list[Picture] = []
        if table.game is not None:
            changed = await self._changed(table, table.game, boards)
            for kind in ("map", "market"):
                try:
                    pictures.append(await self.client.studio.picture(table.game, kind, changed))
                except (PictureFailed, Refusal) as error:
                    log.error("game %s: no picture of the %s: %s", table.record.id, kind, error)
            if any(notice.number == 0 for notice in boards):
                after += WELCOME if self.client.settings.reads_content else [*WELCOME, MENTION]
            if table.record.status == "finished":
                pictures += await self._closing(table)
                after.append(report_text(table.game))
        words = plain(say("\n".join(after)))
        news = latest(plain(say("\n".join(lines))).splitlines(), LONGEST - ROOM - len(words))
        return await self._with_pictures(
            channel,
            boards,
            "\n".join([*news, words] if words else news),
            pictures,
            view=view,
            allowed_mentions=discord.AllowedMentions.none(),
        )

    async def _with_pictures(
        self,
        channel: discord.abc.Messageable,
        notices: Sequence[Notice],
        text: str,
        pictures: Sequence[Picture],
        **more: Any,
    ) -> discord.Message:
        """Text with pictures; where files may not be attached without them, which is said once a game."""
        game = notices[0].game
        try:
            return await self._send(channel, notices, cut(text), files=files(pictures), **more)
        except discord.Forbidden as error:
            if error.code != MISSING_PERMISSIONS or not pictures:
                raise
        words = text if game in self._told_of_files else f"{NO_FILES}\n{text}"
        message = await self._send(channel, notices, cut(words), **more)
        self._told_of_files.add(game)
        return message

    async def _closing(self, table: Table) -> list[Picture]:
        """The chart of a game that is over."""
        try:
            return [await self.client.studio.past("worth", await self.client.tables.course(table.record.id))]
        except (PictureFailed, Refusal) as error:
            log.error("game %s: no chart: %s", table.record.id, error)
            return []

    async def _news_picture(self, game: Game, since: Sequence[Entry]) -> list[Picture]:
        """The part of the board that has changed since a player's last turn."""
        texts = [entry.record.text for entry in since if entry.record.kind == "move" and not entry.is_undone]
        changed = list(
            dict.fromkeys(str(space) for text in texts for space in spaces_of(game, action_of(game.title, text)))
        )
        try:
            return [await self.client.studio.picture(game, "news", changed)] if changed else []
        except (PictureFailed, Refusal) as error:
            log.error("no picture of what has changed: %s", error)
            return []

    async def _changed(self, table: Table, game: Game, boards: Sequence[Notice]) -> list[str]:
        """The spaces that the moves since the last board changed."""
        numbers = [notice.number for notice in boards]
        earliest = min(numbers) - MOST_AT_ONCE
        records = {one.number: one for one in await self.client.tables.store.moves(table.record.id, earliest)}
        changed: list[str] = []
        for notice in boards:
            # A notice bears the number of the last record of a message, and the lines of all of them.
            number, lines = notice.number, len(notice.lines)
            while lines > 0 and number in records:
                record = records[number]
                number, lines = number - 1, lines - len(record.lines)
                if record.kind == "move":
                    changed += spaces_of(game, action_of(game.title, record.text))
        return list(dict.fromkeys(changed))

    async def _ask(self, channel: discord.abc.Messageable, notice: Notice) -> str:
        """A question to the table: everybody asked is mentioned, with buttons. One that is over is not asked."""
        _, number, *people = notice.lines
        record = await self.client.tables.store.question(int(number))
        if record is None or record.closed_at is not None:
            return "decided"
        poll = await self.client.tables.poll(await self.client.tables.table(notice.game), record)
        users = [discord.Object(int(one.removeprefix("discord:"))) for one in people if one.startswith("discord:")]
        message = await self._send(
            channel,
            [notice],
            cut(f"{' '.join(f'<@{user.id}>' for user in users)} {question_text(poll)}"),
            view=question_view(poll),
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
        where = f" (<#{place.spot}>)" if place and place.guild else ""
        try:
            message = await self._send(
                user,
                [notice],
                cut(f"Game {notice.game}{where}: {plain(' '.join(notice.lines))}"),
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
        view = await turn_view(game_number, table.record.version, game, table.seats_of(record.person))
        if reminder:
            view.add_item(SnoozeButton(game_number))
        message = await self._with_pictures(
            channel,
            [notice],
            f"<@{user}> {reminder}{plain(turn_text(game, player, since))}",
            await self._news_picture(game, since),
            view=view,
            allowed_mentions=discord.AllowedMentions(users=[discord.Object(user)], everyone=False, roles=False),
        )
        return str(message.id)


def nonce_of(notice: Notice) -> str:
    """The nonce under which posting a notice was begun; empty when it was not."""
    reference = notice.reference or ""
    return reference.removeprefix(BEGUN) if reference.startswith(BEGUN) else ""


def attempts(boards: Sequence[Notice]) -> list[list[Notice]]:
    """Boards that are posted together: as they were when it was tried before, and all the others as one."""
    groups: dict[str, list[Notice]] = {}
    for notice in boards:
        groups.setdefault(nonce_of(notice), []).append(notice)
    return list(groups.values())


MOST_AT_ONCE = 100
"""So many records of one message, and of the standing orders after it, are looked at for what they changed."""

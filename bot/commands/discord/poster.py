"""The outbox: what was saved is posted, once, also after a crash."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Collection, Sequence

import aiohttp
import discord
import msgspec

from bot.engine.refusals import Refusal
from bot.language import say, speaking
from bot.store import NO_THREAD_YET, GameRecord, Notice, Place, PlaceTaken, StoreDamaged, StoreError

from .alone import Alone
from .interactions.answers import plain
from .interactions.client import Client
from .interactions.forums import forum_of
from .interactions.places import (
    CARD,
    NO_CHANNEL,
    THREAD_GONE,
    TROUBLES,
    Unreachable,
    channel_of,
    tell_moderator,
    with_thread,
)
from .posts import Posts, words_of
from .slots import Later

log = logging.getLogger(__name__)

FIRST_RETRY, LONGEST_RETRY = 1.0, 60.0
"""Seconds until posting is tried again after a failure: doubled each time, until it works."""

PACE = 2.0
"""Seconds between two changes of a game's record: moves that come faster are told together. Questions are asked at once."""

AT_ONCE = 8
"""How many games are told at the same time."""


class Down(Exception):
    """Discord does not work at the moment; the message says how it shows."""


class Poster:
    """Posts notices: each game's in order, several games at once. `wake` it after a commit."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.posts = Posts(client)
        self.alone = Alone(client, self.posts.slots, self.posts.pings)
        self.patience = client.patience
        self._wake = asyncio.Event()
        self._told_of_threads: set[int] = set()
        self._rest: dict[int, float] = {}
        self._is_stopping = False
        self._rests = asyncio.Event()
        self._rests.set()

    async def wake(self, game: int, saved: object = None) -> None:
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
                    except (Later, discord.HTTPException, OSError, StoreError) as error:
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
        for notice in await self.client.tables.outbox.pending(limit=100, without=left_out):
            by_game.setdefault(notice.game, []).append(notice)
        now = self.client.loop.time()
        self._rest = {game: until for game, until in self._rest.items() if until > now}
        for game in self._rest.keys() & by_game.keys():
            if all(notice.kind == "board" for notice in by_game[game]):
                del by_game[game]
                self.client.loop.call_at(self._rest[game], self._wake.set)
        return by_game

    async def _tell_game(self, game: int, waiting: Sequence[Notice]) -> None:
        """Post what one game has to say.

        :raises Down: Discord does not work.
        """
        changes = self.patience.changes
        places = self.client.tables.places
        found = await self.client.tables.looking.record(game)
        if found is None:
            await self.posts.mark(waiting, "nowhere")
            return
        known = await places.place(game)
        place, is_alone = known or Place(game, "", ""), known is None and not found.moderator.startswith("discord:")
        try:
            if is_alone:
                await self.posts.mark(waiting, await self.alone.tell(game, waiting))
                return
            await self._tell_old_places(found, [notice for notice in waiting if notice.kind == "moved"])
            waiting = [notice for notice in waiting if notice.kind != "moved"]
            if not waiting:
                return
            if place.trouble == NO_THREAD_YET:
                place = await with_thread(self.client, game) or place
            channel = await channel_of(self.client, place)
            if place.trouble == THREAD_GONE:
                with speaking(found.language):
                    await channel.send(say("The thread of game {game} was removed. The game goes on here.", game))
                place = msgspec.structs.replace(place, trouble=None)
                await self._note(place, changes)
            is_due = game not in self._rest
            await self.posts.post_game(channel, place, waiting, is_due)
            if is_due:
                self._rest[game] = self.client.loop.time() + PACE
        except Unreachable as trouble:
            await self._cannot(found, place, trouble, changes)
        except discord.HTTPException as error:
            if error.status >= 500:
                raise Down(f"{error.status}") from error
            if is_alone or error.code not in TROUBLES:
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
        places = self.client.tables.places
        try:
            await places.set_place(place)
        except PlaceTaken as taken:
            log.warning("%s", taken, extra={"game": place.game})
            await places.set_place(msgspec.structs.replace(place, thread=None, trouble=NO_THREAD_YET))

    async def _without_thread(self, place: Place, thread: str, changes: int) -> bool:
        """A game whose thread is gone goes on in its channel; one whose post is gone in a new one, with a card of its own.
        False for a post of which I have not heard yet that it is gone: it would be found again."""
        is_post = forum_of(self.client, place.channel) is not None
        if is_post and self.client.get_channel(int(thread)) is not None:
            return False
        log.warning("the thread is gone, posting goes on without it", extra={"game": place.game})
        card = (await self.client.tables.outbox.posts(place.game)).get(CARD)
        if is_post and card is not None and card.channel == thread:
            await self.client.tables.outbox.drop_post(card)
        trouble = NO_THREAD_YET if is_post else THREAD_GONE
        await self._note(msgspec.structs.replace(place, thread=None, trouble=trouble), changes)
        return True

    async def _tell_old_places(self, game: GameRecord, moves: Sequence[Notice]) -> None:
        """Say where a game was played until now that it has moved; where that cannot be said any more, nobody is there."""
        for notice in moves:
            guild, home, thread = map(str, notice.lines[:3])
            reference = "nowhere"
            with speaking(game.language), contextlib.suppress(Unreachable):
                channel = await channel_of(self.client, Place(game.id, guild, home, thread or None))
                try:
                    quietly = discord.AllowedMentions.none()
                    text = plain("\n".join(words_of(await self.client.tables.desk.table(game.id), notice)))
                    message = await self.posts.send(channel, [notice], text, allowed_mentions=quietly)
                    reference = str(message.id)
                except discord.HTTPException as error:
                    if error.code not in TROUBLES:
                        raise
            await self.posts.mark([notice], reference)

    async def _cannot(self, game: GameRecord, place: Place, trouble: Unreachable, changes: int) -> None:
        """The game cannot be posted where it is played: it goes on, and its moderator is told once."""
        is_gone = trouble.code == NO_CHANNEL and place.thread is not None
        if is_gone and await self._without_thread(place, str(place.thread), changes):
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

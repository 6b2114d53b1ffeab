"""The outbox: what was saved is posted, once, also after a crash."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
import time
from collections.abc import Collection, Mapping, Sequence

import aiohttp
import discord
import msgspec

from bot.engine import GameId, Message, PersonId
from bot.i18n import tr, tr_lines, use_language
from bot.store import (
    NO_THREAD_YET,
    SERVER_GONE,
    FailureRecord,
    GameRecord,
    Notice,
    NoticeKind,
    Place,
    PlaceTaken,
    StoreError,
)

from .interactions import (
    CARD,
    THREAD_GONE,
    UNKNOWN_CHANNEL,
    UNKNOWN_SERVER,
    FailureKind,
    GameClient,
    PlaceUnavailable,
    brief,
    channel_of,
    ensure_thread,
    failure_kind_of,
    is_hopeless,
    raise_if_passing,
    tell_person,
    trouble_text,
)
from .interactions.forums import forum_of
from .message_slots import REMOVING, RetryLater, mentions_of
from .notifications import NotificationSender, words_of
from .post_failures import UNSOUND, PostRefused, refusal
from .venues import ChannelVenue, DirectVenue, Venue

log = logging.getLogger(__name__)

FIRST_RETRY, LONGEST_RETRY = 1.0, 60.0
"""Seconds until posting is tried again after a failure: doubled each time, until it works."""

PACE = 2.0
"""Seconds between two changes of a game's record: faster moves are posted together. Questions are posted at once."""

AT_ONCE, IN_ALL = 8, 64
"""Maximum number of games that are posted at the same time, and of these together with games for which Discord makes the
bot wait.
"""

SLOW = 5.0
"""Seconds after which a game's posting no longer keeps another game from being posted; failed games are tried again as
often while such postings go on.
"""

PASSING = (RetryLater, discord.HTTPException, aiohttp.ClientError, OSError, StoreError)
"""Errors that may be better soon."""

QUEUE, TRIES = "outbox", 3
"""Failures to post a game are counted in this queue, by its number; after this many tries it goes on without the
post.
"""

TRIAL = 10.0
"""Seconds Discord has for an answer that shows whether it works."""

HOPELESS = 2 * 3600.0
"""Seconds for which a game's posts may fail while Discord works: after that it is asked for plainer posts."""

STUCK = "Game {game}{where} is stuck: I cannot post its messages ({reason}), so players may not know that it is their turn. No move is lost; `/status` shows the position. The operator of this bot can find details in the log."


class DiscordDown(Exception):
    """Discord does not work at the moment; the message names the symptom."""


class OutboxWorker:
    """Posts notices: each game's in order, several games at once. `wake` it after a commit."""

    def __init__(self, client: GameClient) -> None:
        self.client = client
        self.posts = NotificationSender(client)
        self.patience = client.patience
        self._wake = asyncio.Event()
        self._hopeless: set[int] = set()
        self._failing: set[int] = set()
        self._rest: dict[GameId, float] = {}
        self._remains: set[GameId] = set()
        self._is_stopping = False
        self._rests = asyncio.Event()
        self._rests.set()

    async def wake(self, game_id: GameId, saved: object = None) -> None:
        self._wake.set()

    async def run(self) -> None:
        """Post until cancelled or stopped; retry later what cannot be posted now."""
        retry = FIRST_RETRY / 2
        await self._remember_failures()
        while not self._is_stopping:
            self._rests.clear()
            try:
                stuck = await self.flush()
            except StoreError as error:
                log.warning("the outbox cannot be read: %s", error)
                stuck = True
            except Exception:
                # Nobody else posts: any error is logged, and the outbox still has it.
                log.exception("posting failed")
                stuck = True
            finally:
                self._rests.set()
            retry = min(retry * 2, LONGEST_RETRY) if stuck else FIRST_RETRY / 2
            if stuck:
                self.client.loop.call_later(retry, self._wake.set)
            # A place that did not work is tried again when its time has come, also when there is nothing new to post.
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), self.patience.seconds())
            self._wake.clear()

    async def _remember_failures(self) -> None:
        """Load the games that could not be posted by this bot, or another bot, the last time."""
        try:
            self._failing |= await self.client.tables.failures.games(QUEUE)
        except StoreError as error:
            log.warning("it is not known which games are stuck: %s", error)

    async def find_remains(self) -> None:
        """Look for games in which nothing new is posted, and messages are left that could not be deleted in time."""
        made_before = self.client.tables.desk.now() - REMOVING
        self._remains |= set(await self.client.tables.outbox.games_with_remains(made_before))
        self._wake.set()

    async def stop(self, seconds: float) -> None:
        """Finish the posts under way, begin no others. The outbox keeps the rest."""
        self._is_stopping = True
        self._wake.set()
        try:
            await asyncio.wait_for(self._rests.wait(), seconds)
        except TimeoutError:
            log.warning("a post was cut off; the outbox still has it")

    async def flush(self) -> bool:
        """Post everything that waits, several games at a time; returns whether something must be tried again soon.

        A failure of one game does not hold up the others, nor do games for which Discord makes the bot wait. No game is
        posted out of order. While Discord is down nothing more is tried.
        """
        began = time.monotonic()
        stuck: dict[GameId, float] = {}
        telling: dict[asyncio.Task[None], tuple[GameId, float]] = {}
        is_down = False
        try:
            while True:
                if not (is_down or self._is_stopping):
                    await self._begin_posting(telling, stuck)
                if not telling:
                    return is_down or bool(stuck)
                for task in await self._any_of(telling):
                    game_id, _ = telling.pop(task)
                    is_down |= await self._settle(task, game_id, stuck, began)
        finally:
            for task in telling:
                task.cancel()
            await asyncio.gather(*telling, return_exceptions=True)

    async def _begin_posting(
        self, telling: dict[asyncio.Task[None], tuple[GameId, float]], stuck: Mapping[GameId, float]
    ) -> None:
        """Begin to post games that wait, as many as there is room for."""
        recent = time.monotonic() - SLOW
        left_out = {game for game, _ in telling.values()} | self.patience.waiting()
        left_out |= {game for game, failed in stuck.items() if failed > recent or not telling}
        free = AT_ONCE - sum(started > recent for _, started in telling.values())
        for game, waiting in list((await self._by_game(left_out)).items())[: min(free, IN_ALL - len(telling))]:
            telling[asyncio.create_task(self._tell_game(game, waiting))] = game, time.monotonic()

    async def _settle(
        self, task: asyncio.Task[None], game_id: GameId, stuck: dict[GameId, float], began: float
    ) -> bool:
        """Note how a game's posting ended; returns whether Discord is down."""
        try:
            task.result()
        except DiscordDown as down:
            log.warning("Discord is down, posting waits: %s", down, extra={"game": game_id})
            stuck[game_id] = time.monotonic()
            if self.client.answered_at < began and not await self._is_answered():
                return True
            await self._note_outage(game_id, str(down))
        except Exception as error:
            if isinstance(error, PASSING) and not isinstance(error, UNSOUND):
                log.warning("posting will be tried again: %s", brief(error), extra={"game": game_id})
                stuck[game_id] = time.monotonic()
                return False
            # It will not be better soon: a fault of one game does not hold up the others.
            log.exception("cannot be posted: %s", error, extra={"game": game_id})
            self.patience.after(game_id, "", self.patience.changes(""))
            await self._count(game_id, type(error).__name__)
        else:
            stuck.pop(game_id, None)
        return False

    async def _any_of(self, telling: Collection[asyncio.Task[None]]) -> set[asyncio.Task[None]]:
        """The finished tasks, as soon as there is one or something new is to be posted; after a while none."""
        self._wake.clear()
        news = asyncio.create_task(self._wake.wait())
        try:
            done, _ = await asyncio.wait({*telling, news}, timeout=SLOW, return_when=asyncio.FIRST_COMPLETED)
        finally:
            news.cancel()
        return {task for task in telling if task in done}

    async def _by_game(self, left_out: Collection[GameId]) -> dict[GameId, list[Notice]]:
        by_game: dict[GameId, list[Notice]] = {}
        for notice in await self.client.tables.outbox.waiting_notices(limit=100, without=left_out):
            by_game.setdefault(notice.game, []).append(notice)
        for game in self._remains.difference(left_out):
            by_game.setdefault(game, [])
        now = self.client.loop.time()
        self._rest = {game: until for game, until in self._rest.items() if until > now}
        for game in self._rest.keys() & by_game.keys():
            if by_game[game] and all(notice.kind == NoticeKind.BOARD for notice in by_game[game]):
                del by_game[game]
                self.client.loop.call_at(self._rest[game], self._wake.set)
        return by_game

    async def _tell_game(self, game_id: GameId, waiting: Sequence[Notice]) -> None:
        """Post the notices of one game.

        :raises DiscordDown: Discord does not work.
        """
        is_hopeless.set(game_id in self._hopeless)
        places = self.client.tables.places
        found = await self.client.tables.queries.record(game_id)
        if found is None:
            await self.posts.mark(waiting, "nowhere")
            return
        known = await places.place(game_id)
        place, has_no_discord = known or Place(game_id, "", ""), not found.moderator.startswith("discord:")
        is_alone = place.trouble == SERVER_GONE or (known is None and has_no_discord)
        changes = self.patience.changes(place.guild)
        try:
            waiting = await self._tell_elsewhere(found, waiting)
            if not waiting:
                return
            venue: Venue = DirectVenue(self.client)
            if not is_alone:
                place = await self._with_thread(found, place, changes)
                venue = ChannelVenue(await channel_of(self.client, place), place.spot)
            is_due = game_id not in self._rest
            await self.posts.post_game(venue, game_id, waiting, is_due)
            if is_due:
                self._rest[game_id] = self.client.loop.time() + PACE
        except PlaceUnavailable as trouble:
            await self._cannot(found, place, trouble, changes)
        except PostRefused as refused:
            await self._set_back(found, place, refused)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            verdict = failure_kind_of(error)
            if verdict is FailureKind.DOWN:
                raise DiscordDown(brief(error)) from error
            if verdict is FailureKind.LATER:
                raise RetryLater(brief(error)) from error
            if verdict is FailureKind.CLOSED and isinstance(error, discord.HTTPException) and not is_alone:
                await self._cannot(found, place, PlaceUnavailable(error.code), changes)
            else:
                await self._set_back(found, place, PostRefused(waiting, refusal(error)))
        else:
            await self._forget_failures(game_id)
            if place.trouble not in (None, SERVER_GONE):
                await self._note(msgspec.structs.replace(place, trouble=None), changes)

    async def _tell_elsewhere(self, record: GameRecord, waiting: Sequence[Notice]) -> list[Notice]:
        """Post the notices that do not belong into the game's place; returns the others."""
        calls = [notice for notice in waiting if notice.kind == NoticeKind.CALL]
        await self._call(record, calls)
        moves = [notice for notice in waiting if notice.kind == NoticeKind.MOVED]
        await self._tell_old_places(record, moves)
        if not waiting:
            await self.posts.slots.clear(record.id)
            self._remains.discard(record.id)
        return [notice for notice in waiting if notice.kind not in (NoticeKind.CALL, NoticeKind.MOVED)]

    async def _forget_failures(self, game_id: GameId) -> None:
        self.patience.forget(game_id)
        if game_id in self._failing:
            self._failing.discard(game_id)
            self._hopeless.discard(game_id)
            await self.client.tables.failures.forget(QUEUE, game_id)
            await self.client.tables.failures.forget(QUEUE, outage_of(game_id))

    async def _with_thread(self, record: GameRecord, place: Place, changes: int) -> Place:
        """The place of a game, after opening its thread if that is still to be done. The channel hears once that a thread
        is gone.

        :raises RetryLater: it takes too long.
        """
        if place.trouble == NO_THREAD_YET:
            try:
                place = await ensure_thread(self.client, record.id) or place
            except TimeoutError as error:
                raise RetryLater("thread") from error
        if place.trouble == THREAD_GONE:
            with use_language(record.language):
                channel = await channel_of(self.client, place)
                await channel.send(tr("The thread of game {game} was removed. The game continues here.", record.id))
            place = msgspec.structs.replace(place, trouble=None)
            await self._note(place, changes)
        return place

    async def _note(self, place: Place, changes: int) -> None:
        """Save the outcome at a place, unless something has changed since the attempt began: a moderator's choice
        stays.

        A game whose channel belongs to another game by now gets a thread of its own.
        """
        if changes != self.patience.changes(place.guild):
            return
        places = self.client.tables.places
        try:
            await places.set_place(place)
        except PlaceTaken as taken:
            log.warning("%s", taken, extra={"game": place.game})
            await places.set_place(msgspec.structs.replace(place, thread=None, trouble=NO_THREAD_YET))

    async def _without_thread(self, place: Place, thread: str, changes: int) -> bool:
        """A game whose thread is gone goes on in its channel; a game whose post is gone, in a new post with a new
        card. False for a post whose deletion Discord has not reported yet: it would be found again.
        """
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

    async def _tell_old_places(self, record: GameRecord, moves: Sequence[Notice]) -> None:
        """Say in a game's old places that it has moved; where that is not possible any more, nobody is there."""
        for notice in moves:
            guild, home, thread = map(str, notice.lines[:3])
            reference = "nowhere"
            with use_language(record.language), contextlib.suppress(PlaceUnavailable):
                channel = await channel_of(self.client, Place(record.id, guild, home, thread or None))
                try:
                    lines = words_of(await self.client.tables.desk.table(record.id), notice)
                    reference = await self.posts.put_once(notice, None, (channel, thread or home), lines)
                except discord.HTTPException as error:
                    raise_if_passing(error)
            await self.posts.mark([notice], reference)

    async def _call(self, record: GameRecord, calls: Sequence[Notice]) -> None:
        """Send people without a seat a direct message; people who take none are left out."""
        for notice in calls:
            person, said = str(notice.lines[0]), [line for line in notice.lines[1:] if isinstance(line, Message)]
            chosen = await self.client.tables.languages.chosen_language(PersonId(person))
            reference, user = "refused", person.removeprefix("discord:")
            if not user.isdecimal():
                # They were erased meanwhile.
                await self.posts.mark([notice], "nowhere")
                continue
            with use_language(chosen or record.language):
                try:
                    direct = await self.client.create_dm(discord.Object(int(user)))
                    reference = await self.posts.put_once(notice, None, (direct, str(direct.id)), tr_lines(said, {}))
                except discord.HTTPException as error:
                    raise_if_passing(error)
            await self.posts.mark([notice], reference)

    async def _cannot(self, record: GameRecord, place: Place, trouble: PlaceUnavailable, changes: int) -> None:
        """Note that the game cannot be posted at its place: it goes on, and its moderator gets one message."""
        is_gone = trouble.code == UNKNOWN_CHANNEL and place.thread is not None
        if is_gone and await self._without_thread(place, str(place.thread), changes):
            return
        if trouble.code == UNKNOWN_SERVER and await self.client.tables.places.leave_server(place.guild):
            return
        log.warning("cannot be posted (%s)", trouble.code, extra={"game": record.id})
        if changes != self.patience.changes(place.guild):
            return
        if place.trouble == NO_THREAD_YET:
            # That its thread is to be opened stands at its place; that somebody has heard of the trouble does not.
            failure = await self._count(record.id, str(trouble))
            if failure.reported_at is None:
                await self._tell_of_trouble(record, place, trouble)
                await self.client.tables.failures.mark_reported(failure)
        elif place.trouble != str(trouble.code):
            await self._tell_of_trouble(record, place, trouble)
            await self._note(msgspec.structs.replace(place, trouble=str(trouble.code)), changes)
        self.patience.after(record.id, place.guild, changes)

    async def _tell_of_trouble(self, record: GameRecord, place: Place, trouble: PlaceUnavailable) -> None:
        """Tell the moderator what is wrong with a place; where they take no direct messages, the first player who does."""
        seats = (await self.client.tables.desk.table(record.id)).seats
        with use_language(record.language):
            text = trouble_text(record, place, trouble.code)
        for person in dict.fromkeys([record.moderator, *(held.person for held in seats)]):
            if await tell_person(self.client, person, record.id, text):
                return

    async def _is_answered(self) -> bool:
        """Whether Discord answers what is asked for no game."""
        try:
            async with asyncio.timeout(TRIAL):
                await self.client.http.request(discord.http.Route("GET", "/users/@me"))
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("Discord does not answer at all (%s)", brief(error))
            return False
        return True

    async def _note_outage(self, game_id: GameId, reason: str) -> None:
        """Discord works, save for what it is asked for this game. After hours of that it is a refusal."""
        self._failing.add(game_id)
        failure = await self.client.tables.failures.note(QUEUE, outage_of(game_id), reason, game_id, sys.maxsize)
        if failure.last_at - failure.first_at > HOPELESS:
            self._hopeless.add(game_id)

    async def _count(self, game_id: GameId, reason: str) -> FailureRecord:
        self._failing.add(game_id)
        return await self.client.tables.failures.note(QUEUE, game_id, reason, game_id, TRIES)

    async def _set_back(self, record: GameRecord, place: Place, refused: PostRefused) -> None:
        """Note that a message of a game is not taken: after some tries the game goes on without, and its moderator
        gets one message.

        :raises RetryLater: it is to be tried again.
        """
        failure = await self._count(record.id, str(refused))
        if failure.set_aside_at is None:
            raise RetryLater(str(refused))
        if failure.reported_at is None:
            await self._report(record, place, refused.reason)
            await self.client.tables.failures.mark_reported(failure)
        await self.posts.mark(refused.notices, "refused")

    async def _report(self, record: GameRecord, place: Place, reason: Message) -> None:
        """Tell the moderator of a game that it is stuck; in the game's place where they take no direct messages."""
        with use_language(record.language):
            text = tr(STUCK, record.id, tr(" in <#{spot}>", place.spot) if place.guild else "", reason)
        if await tell_person(self.client, record.moderator, record.id, text) or not place.guild:
            return
        who, user = "", record.moderator.removeprefix("discord:")
        if user.isdecimal():
            who = f"<@{user}> "
        try:
            channel = await channel_of(self.client, place)
            await channel.send(f"{who}{text}", allowed_mentions=mentions_of([int(user)] if who else []))
        except (PlaceUnavailable, discord.HTTPException) as error:
            if isinstance(error, discord.HTTPException) and failure_kind_of(error) is FailureKind.DOWN:
                raise DiscordDown(brief(error)) from error
            log.warning("nobody can be notified that this game is stuck", extra={"game": record.id})


def outage_of(game_id: GameId) -> int:
    """The key in the queue of a game for which Discord does not work, though it works otherwise."""
    return -game_id

"""Followers: people who hear once a day, when their quiet hours are over, or at the end of each round, of games, persons and
seasons that they follow.

Their rights are asked anew with every piece of news: the table still lets others watch, the person still lets them follow, nobody
there avoids them. News of games name nobody; news of a season name people only to those who play in it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from time import monotonic

import msgspec

from bot.engine import NO_GAME, FormerPlayer, GameId, IllegalMove, Message, PersonId, Rejected, literal, msg
from bot.engine.notation import round_and_phase
from bot.service.plans import round_key
from bot.service.sessions import (
    Queries,
    SessionManager,
    from_timestamp,
    is_computer,
    log,
    next_waking,
)
from bot.service.sessions.reminder_times import has_quiet_hours, zone_of
from bot.store import (
    MOST_FOLLOWED,
    Audience,
    FollowKind,
    FollowRecord,
    GameRecord,
    GameStatus,
    MailRecord,
    NewsInterval,
    Notice,
    NoticeKind,
    PersonRecord,
    SeasonStatus,
    StoreDamaged,
    concerns_all,
)

from .mail import Mail
from .records import SWEEP_SECONDS
from .seasons import Seasons, standing_lines

MOST_LISTED = 50
MOST_AT_ONCE = 50
"""Maximum number of people who hear their news in one sweep: reminders wait for it."""

MOST_OF_PERSON = 5
"""Maximum number of games of one person in the news of a day."""

BEST = 3
"""Number of players in the standings in the news of a season."""

ROUND_HOURS = 1
"""Hours between two looks whether a round is over."""

MORNING = 8
"""The hour of the news for people without quiet hours."""

UNDER_WAY = (GameStatus.RUNNING, GameStatus.PAUSED)


@dataclass(frozen=True)
class WatchableGame:
    """A running game that anybody may follow."""

    record: GameRecord
    title: str
    players: int

    @property
    def line(self) -> Message:
        text = "{game}: {title}, {number} players, {entries} log entries"
        return msg(text, self.record.id, self.title, self.players, self.record.version)


@dataclass(frozen=True)
class FollowNews:
    """News of something that somebody follows. `seen` is the state after them; `game_id` a game that they are about, if any. After the
    last news nothing more will come.
    """

    lines: Sequence[Message]
    seen: str
    game_id: GameId = NO_GAME
    is_last: bool = False


class Followers:
    def __init__(self, desk: SessionManager, queries: Queries, seasons: Seasons, mail: Mail) -> None:
        self.desk, self.queries, self.seasons, self.mail = desk, queries, seasons, mail

    # -- who may follow what ------------------------------------------------------------------------

    async def choose_audience(self, person: PersonId, audience: Audience) -> None:
        """Let others follow a person, or nobody: then nobody follows them any more."""
        known = await self.desk.store.people.find(person)
        await self.desk.store.people.save(msgspec.structs.replace(known, followers=audience))
        if audience == Audience.NOBODY:
            await self.desk.store.follows.drop_followers(person)

    async def may_follow(self, person: PersonId, other: PersonId) -> bool:
        audience = (await self.desk.store.people.find(other)).followers
        if audience == Audience.NOBODY or other in await self.desk.store.openings.apart_from(person):
            return False
        if await self.desk.store.bans.has(other):
            return False
        around = await self.queries.people_around(person) if audience == Audience.TABLES else []
        return audience == Audience.EVERYBODY or other in [one for one, _ in around]

    async def list_watchable(self, person: PersonId) -> list[WatchableGame]:
        """The running games that anybody may follow, without those of people whom a person avoids."""
        records = await self.desk.store.follows.list_watchable(MOST_LISTED)
        apart = await self.desk.store.openings.apart_from(person)
        tables = await self.desk.tables([record.id for record in records])
        return [
            WatchableGame(record, self.desk.title(record.title).name, len(tables[record.id].seats))
            for record in records
            if record.id in tables
            and record.title in self.desk.titles
            and not any(held.person in apart for held in tables[record.id].seats)
        ]

    async def may_watch(self, person: PersonId, game_id: GameId) -> bool:
        table = (await self.desk.tables([game_id])).get(game_id)
        if table is None or not table.record.watchable or table.record.status == GameStatus.LOBBY:
            return False
        apart = await self.desk.store.openings.apart_from(person)
        return not any(held.person in apart for held in table.seats)

    # -- following ----------------------------------------------------------------------------------

    async def follow_game(self, person: PersonId, game_id: GameId, interval: NewsInterval = NewsInterval.DAY) -> None:
        """Hear of a running game.

        :raises IllegalMove: it is over, its table does not let others watch, or they follow too much.
        """
        record = await self.queries.record(game_id)
        is_open = record is not None and record.status in UNDER_WAY and await self.may_watch(person, game_id)
        if record is None or not is_open:
            raise IllegalMove("Game {game} cannot be followed; `tables watch` lists those that can.", "", game_id)
        await self._add(person, FollowKind.GAME, str(game_id), "", str(record.version), interval)

    async def follow_person(self, person: PersonId, other: PersonId, name: str) -> None:
        """Hear of a person.

        :raises IllegalMove: they do not let this person follow them, or this person follows too much.
        """
        if other == person:
            raise IllegalMove("You cannot follow yourself.")
        if is_computer(other) or not await self.may_follow(person, other):
            raise IllegalMove("This player does not let you follow them.")
        await self._add(person, FollowKind.PERSON, other, name, str(self.desk.now()))

    async def follow_season(
        self, person: PersonId, season_id: int, guild: str, interval: NewsInterval = NewsInterval.DAY
    ) -> str:
        """Hear of a season; returns its name.

        :raises IllegalMove: there is none, it is over, or they follow too much.
        """
        season = await self.seasons.find(season_id, person, guild)
        if season.status not in (SeasonStatus.SIGN_UP, SeasonStatus.RUNNING):
            raise IllegalMove("This season is over.")
        news = await self._season_news(person, season_id, "")
        await self._add(person, FollowKind.SEASON, str(season_id), season.name, news.seen, interval)
        return season.name

    async def _add(
        self,
        person: PersonId,
        kind: FollowKind,
        target: str,
        name: str,
        seen: str,
        interval: NewsInterval = NewsInterval.DAY,
    ) -> None:
        await self.desk.check_ban(person)
        known = await self.desk.store.follows.list_of(person)
        if len(known) >= MOST_FOLLOWED and (kind, target) not in [(one.kind, one.target) for one in known]:
            raise IllegalMove("You follow {number} games, people and seasons, the limit.", "", MOST_FOLLOWED)
        now = self.desk.clock()
        due_at = next_news(now, await self.desk.store.people.find(person), interval).timestamp()
        await self.desk.store.follows.add(
            FollowRecord(person, kind, target, name, seen, now.timestamp(), due_at, interval)
        )

    async def unfollow(self, person: PersonId, number: int) -> FollowRecord:
        """End what stands at that number of their list.

        :raises IllegalMove: nothing does.
        """
        known = await self.desk.store.follows.list_of(person)
        if not 1 <= number <= len(known):
            raise IllegalMove("You follow nothing with number {number}.", "", number)
        await self.desk.store.follows.drop(known[number - 1])
        return known[number - 1]

    async def list_of(self, person: PersonId) -> tuple[list[FollowRecord], int]:
        """All that a person follows, and the number of their followers."""
        store = self.desk.store.follows
        return await store.list_of(person), await store.count_followers(person)

    # -- news ---------------------------------------------------------------------------------------

    async def sweep(self) -> int:
        """Tell the news that are due, for about `SWEEP_SECONDS`; returns how many people heard some."""
        now, number, began = self.desk.clock(), 0, monotonic()
        for person in await self.desk.store.follows.people_due(now.timestamp(), MOST_AT_ONCE):
            if monotonic() - began > SWEEP_SECONDS:
                break
            habits = await self.desk.store.people.find(person)
            try:
                number += await self._tell(habits, now)
            except Exception as error:
                if concerns_all(error):
                    raise
                # One person's news hold up nobody else's.
                log.warning("news cannot be delivered: %s", type(error).__name__, exc_info=error)
                await self.desk.store.follows.postpone(person, next_news(now, habits).timestamp())
        return number

    async def _tell(self, habits: PersonRecord, now: datetime) -> bool:
        """Tell a person the news that are due, since the last time; returns whether there were any."""
        person = habits.person
        told: list[FollowRecord] = []
        over: list[FollowRecord] = []
        lines: list[Message] = []
        game_id = NO_GAME
        known = await self.desk.store.follows.list_of(person)
        for one in [one for one in known if one.due_at <= now.timestamp()]:
            due_at = next_news(now, habits, one.interval).timestamp()
            try:
                news = await self.news_of(one)
            except (Rejected, StoreDamaged) as error:
                log.warning("no news of what cannot be read: %s", error)
                news = FollowNews((), one.seen)
            lines += news.lines
            game_id = game_id or news.game_id
            told.append(msgspec.structs.replace(one, seen=news.seen, due_at=due_at))
            over += [one] if news.is_last else []
        notices, mail = await self._delivery(person, now.timestamp(), game_id, lines) if lines else ([], None)
        await self.desk.store.follows.save_told(person, told, notices, mail)
        for one in over:
            await self.desk.store.follows.drop(one)
        if lines:
            await self.desk.notify(game_id)
        return bool(lines)

    async def _delivery(
        self, person: PersonId, now: float, game_id: GameId, lines: Sequence[Message]
    ) -> tuple[list[Notice], MailRecord | None]:
        """A mail to people who get mails, else a direct message."""
        whole = [msg("News of what you follow:"), *lines]
        if await self.mail.gets_notices(person):
            return [], MailRecord(f"news-{now:.0f}-{person}", person, NoticeKind.TOLD, now, lines=[*whole])
        if game_id and person.startswith("discord:"):
            return [Notice(game_id, 0, NoticeKind.CALL, [person, *whole], now)], None
        return [], None

    async def news_of(self, follow: FollowRecord) -> FollowNews:
        """The news since the last time, as far as the follower may hear them now."""
        if follow.kind == FollowKind.GAME:
            return await self._game_news(follow)
        if follow.kind == FollowKind.SEASON:
            return await self._season_news(follow.person, int(follow.target), follow.seen, follow.interval)
        return await self._person_news(follow)

    async def _game_news(self, follow: FollowRecord) -> FollowNews:
        game_id, seen = GameId(int(follow.target)), follow.seen
        if not await self.may_watch(follow.person, game_id):
            return FollowNews((), seen)
        table, game = await self.desk.require_started(game_id)
        version, is_over = table.record.version, table.record.status == GameStatus.FINISHED
        if follow.interval == NewsInterval.ROUND and not is_over:
            before = await self.queries.position_at(game_id, int(seen)) if version > int(seen) else game
            if round_key(before) == round_key(game):
                return FollowNews((), seen)
        if is_over:
            line = msg("Game {game}, {title}: it is over.", game_id, game.title.name)
        else:
            text = "Game {game}, {title}: {number} entry(s) in the log since then, {place}."
            line = msg(text, game_id, game.title.name, version - int(seen), round_and_phase(game))
        return FollowNews([line] if version > int(seen) or is_over else [], str(version), game_id, is_over)

    async def _season_news(
        self, person: PersonId, season_id: int, seen: str, interval: NewsInterval = NewsInterval.DAY
    ) -> FollowNews:
        season = await self.desk.store.seasons.find(season_id)
        if season is None:
            return FollowNews((), seen, is_last=True)
        view = await self.seasons.view(season)
        state = f"{season.status} {season.round} {len(view.over)}"
        is_same_round = state.rsplit(" ", 1)[0] == seen.rsplit(" ", 1)[0]
        if state == seen or (interval == NewsInterval.ROUND and is_same_round):
            return FollowNews((), seen)
        lines = [view.heading]
        games = [game_id for game_id, _ in view.tables.values() if game_id is not None]
        if games:
            lines.append(msg("{number} of {tables} tables of this round are over.", len(view.over), len(games)))
        if season.round and any(one.entrant.person == person for one in view.standings):
            lines += standing_lines(view.standings[:BEST])
        is_last = season.status in (SeasonStatus.FINISHED, SeasonStatus.CANCELLED)
        return FollowNews(lines, state, next(iter(games), NO_GAME), is_last)

    async def _person_news(self, follow: FollowRecord) -> FollowNews:
        other, since, now = PersonId(follow.target), float(follow.seen), self.desk.now()
        if not await self.may_follow(follow.person, other):
            return FollowNews((), str(now))
        name, lines, games = FormerPlayer(other, follow.name), list[Message](), list[GameId]()
        for lobby in await self.desk.store.openings.list_for("", since):
            if lobby.record.moderator == other and lobby.record.title in self.desk.titles:
                title = self.desk.title(lobby.record.title).name
                lines.append(msg("{name} has an open table: game {game}, {title}.", name, lobby.record.id, title))
                games.append(lobby.record.id)
        for outcome in await self.desk.store.results.list_of(person=other, most=MOST_OF_PERSON):
            result = outcome.result
            if result.ended_at > since and result.whole and result.title in self.desk.titles:
                title, place = self.desk.title(result.title).name, outcome.seats_of(other)[0].standing.place
                text = "{name}: place {place} of {players} in {title}, game {game}."
                lines.append(msg(text, name, place, result.players, title, result.game))
                games.append(result.game)
        return FollowNews(lines[: 2 * MOST_OF_PERSON], str(now), next(iter(games), NO_GAME))


def next_morning(now: datetime, habits: PersonRecord) -> datetime:
    """The next moment at which somebody's quiet hours end, or their next morning."""
    hour = habits.quiet_to or 0 if has_quiet_hours(habits) else MORNING
    zone = zone_of(habits)
    today = now.astimezone(zone).date()
    found = (datetime.combine(today + timedelta(days=days), time(hour), zone).astimezone(UTC) for days in (0, 1, 2))
    return next(moment for moment in found if moment > now)


def next_news(now: datetime, habits: PersonRecord, interval: NewsInterval = NewsInterval.DAY) -> datetime:
    """When somebody gets their next news: never in their quiet hours or while they are away."""
    there = max(now, from_timestamp(habits.away_until or 0.0))
    if interval == NewsInterval.ROUND:
        return next_waking(max(there, now + timedelta(hours=ROUND_HOURS)), habits)
    return next_morning(there, habits)


def names_of(follows: Collection[FollowRecord]) -> list[Message]:
    """The words for each thing that somebody follows."""
    words = {
        FollowKind.GAME: lambda one: msg("game {game}", one.target),
        FollowKind.PERSON: lambda one: literal(one.name),
        FollowKind.SEASON: lambda one: msg("season {number}, {name}", one.target, literal(one.name)),
    }
    return [words[one.kind](one) for one in follows]

"""Open tables: lobbies that people of other servers, or everybody, may find and join.

Beyond a lobby's server nothing is shown that somebody has typed, except the opener's note once a moderator of that server has
vouched for it: title, seats, pace, clock, language and waking hours are chosen from lists.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from zoneinfo import ZoneInfo

import msgspec

from bot.engine import GameId, IllegalMove, Message, PersonId, literal, msg
from bot.engine.play import Title
from bot.service.sessions import KEPT_OUT, PACES, Actor, GameSession, SessionManager, clean_name, find_zone, is_computer
from bot.service.views.clock_text import describe_clock
from bot.store import (
    GameStatus,
    LobbyScope,
    Notice,
    OpeningRecord,
    OpenLobby,
    TableLevel,
    WishRecord,
)

from .lobby import OPEN_DAYS, Lobby

MOST_OPEN = 3
"""Maximum number of lobbies that one person may have open beyond their servers."""

MOST_WISHES = 10
MOST_TOLD = 25
"""Maximum number of people who hear of one table."""

LONGEST_NOTE = 120
DAY_HOURS = 24


@dataclass(frozen=True)
class OpenTable:
    """A lobby as somebody may find it. `note` is empty where it may not be shown; `awake` are the opener's waking hours in UTC,
    where they have told theirs.
    """

    lobby: OpenLobby
    title: Title
    taken: int
    note: str
    awake: frozenset[int] | None
    is_here: bool

    @property
    def game_id(self) -> GameId:
        return self.lobby.record.id

    @property
    def level(self) -> TableLevel:
        return self.lobby.opening.level if self.lobby.opening is not None else TableLevel.ANY

    @property
    def pace(self) -> str:
        return next((name for name, hours in PACES.items() if hours == self.lobby.record.pace_hours), "")

    @property
    def line(self) -> Message:
        record, least, most = self.lobby.record, self.title.players.start, self.title.players.stop - 1
        told = msg(
            "{game}: {title}, {taken} of {least} to {most} players, {hours} waking hours a turn",
            record.id,
            self.title.name,
            self.taken,
            least,
            most,
            f"{record.pace_hours:g}",
        )
        parts: list[Message] = [told]
        if record.clock is not None:
            parts.append(describe_clock(record.clock))
        if self.level:
            parts.append(msg(LEVELS[self.level]))
        if record.language:
            parts.append(msg("language: {language}", record.language))
        if self.awake is not None:
            parts.append(msg("awake {hours} UTC", hour_ranges(self.awake)))
        line = parts[0]
        for part in parts[1:]:
            line = msg("{line}; {part}", line, part)
        return msg("{line}: “{note}”", line, self.note) if self.note else line


LEVELS = {
    TableLevel.ANY: "for everybody",
    TableLevel.BEGINNERS: "for beginners",
    TableLevel.EXPERIENCED: "for experienced players",
}


@dataclass(frozen=True)
class TableFilter:
    """A search for tables. `awake` is the least number of waking hours in common with the opener."""

    title: str = ""
    players: int | None = None
    pace: str = ""
    language: str = ""
    level: str = ""
    awake: int | None = None

    def fits(self, table: OpenTable, own_hours: frozenset[int] | None) -> bool:
        record = table.lobby.record
        common = own_hours & table.awake if own_hours is not None and table.awake is not None else None
        return (
            self.title in ("", record.title)
            and (self.players is None or self.players in table.title.players)
            and self.pace in ("", table.pace)
            and self.language in ("", record.language)
            and self.level in ("", table.level)
            and (self.awake is None or common is None or len(common) >= self.awake)
        )


class OpenTables:
    def __init__(self, desk: SessionManager, lobby: Lobby) -> None:
        self.desk, self.lobby = desk, lobby

    @property
    def _since(self) -> float:
        return self.desk.now() - timedelta(days=OPEN_DAYS).total_seconds()

    # -- opening ------------------------------------------------------------------------------------

    async def open(
        self,
        game_id: GameId,
        asker: Actor | PersonId,
        reach: LobbyScope,
        level: TableLevel = TableLevel.ANY,
        note: str = "",
    ) -> GameSession:
        """Open a lobby to others, or (`LobbyScope.SERVER`) only to its server again. People who wish for such a table hear of it.

        :raises IllegalMove: not the opener, it has begun, the server does not share, or too many of theirs are open.
        """
        async with self.lobby.change(game_id, asker, "open") as (table, who):
            store = self.desk.store.openings
            await self.desk.check_ban(who.person)
            if reach == LobbyScope.SERVER:
                await store.close(game_id)
                return table
            for held in table.seats:
                if await self.desk.store.bans.has(held.person):
                    raise IllegalMove(KEPT_OUT, "", literal(held.name))
            place = await self.desk.store.games.place(game_id)
            if reach == LobbyScope.SHARED and not (place is not None and await store.shares(place.guild)):
                raise IllegalMove(
                    "This lobby's server does not share its tables with others; its managers can change that (/tables share)."
                )
            old = await store.find(game_id)
            if old is None and await store.count_of(who.person, self._since) >= MOST_OPEN:
                raise IllegalMove("You have {number} open tables, the limit.", "", MOST_OPEN)
            note = clean_name(note[:LONGEST_NOTE]) if note else ""
            vouched = old is not None and old.vouched and old.note == note
            opening = OpeningRecord(game_id, reach, level, note, vouched, self.desk.now())
            fulfilled = await self._wishes(table, place.guild if place is not None else "", opening)
            await store.save(opening, fulfilled, await self._calls(table, fulfilled))
        await self.desk.notify(game_id)
        return table

    async def vouch(self, game_id: GameId, asker: Actor | PersonId) -> str:
        """Let a lobby's note be shown beyond its server; returns it.

        :raises IllegalMove: no moderator there, or there is no note to show.
        """
        async with self.lobby.change(game_id, asker, "vouch"):
            opening = await self.desk.store.openings.find(game_id)
            if opening is None or not opening.note:
                raise IllegalMove("This lobby shows no note to others.")
            await self.desk.store.openings.save(msgspec.structs.replace(opening, vouched=True))
        return opening.note

    async def _wishes(self, table: GameSession, guild: str, opening: OpeningRecord) -> list[WishRecord]:
        store, found = self.desk.store.openings, []
        apart = await store.apart_from(table.record.moderator)
        inside = {held.person for held in table.seats} | {table.record.moderator} | apart
        for wish in await store.wishes_for(table.record.title):
            both_share = opening.reach == LobbyScope.SHARED and wish.guild and await store.shares(wish.guild)
            if wish.person not in inside and (
                opening.reach == LobbyScope.EVERYBODY or both_share or wish.guild == guild != ""
            ):
                found.append(wish)
        return found[:MOST_TOLD]

    async def _calls(self, table: GameSession, fulfilled: Sequence[WishRecord]) -> list[Notice]:
        """A notice for everybody whose wish is fulfilled: a mail for those who get mail, else a direct message."""
        game_id, calls = table.record.id, list[Notice]()
        name = self.desk.title(table.record.title).name
        line = msg("A table for {title} is open: game {game}. See /tables.", name, game_id)
        for wish in fulfilled:
            calls += await self.lobby.mail.call(wish.person, game_id, 0, f"wish-{game_id}-{wish.person}", line)
        return calls

    # -- finding ------------------------------------------------------------------------------------

    async def list_for(self, person: PersonId, guild: str, wanted: TableFilter) -> list[OpenTable]:
        """The lobbies with a free seat that somebody may join from a server (empty: from none), as they look for them."""
        apart = await self.desk.store.openings.apart_from(person)
        own_hours = await self.waking_hours(person)
        found = []
        for table in await self.list_open(guild, apart):
            if wanted.fits(table, own_hours):
                found.append(table)
        return found

    async def list_open(self, guild: str = "", apart: Collection[PersonId] = ()) -> list[OpenTable]:
        """The lobbies with a free seat that people of a server may join, without those of people `apart`."""
        lobbies = await self.desk.store.openings.list_for(guild, self._since)
        tables = await self.desk.tables([lobby.record.id for lobby in lobbies])
        found = []
        for lobby in lobbies:
            table = tables.get(lobby.record.id)
            if table is None or lobby.record.title not in self.desk.titles or lobby.record.moderator in apart:
                continue
            title = self.desk.title(lobby.record.title)
            if len(table.seats) >= title.players.stop - 1 or any(held.person in apart for held in table.seats):
                continue
            is_here, opening = guild == lobby.guild != "", lobby.opening
            note = opening.note if opening is not None and (is_here or opening.vouched) else ""
            awake = await self.waking_hours(lobby.record.moderator)
            found.append(OpenTable(lobby, title, len(table.seats), note, awake, is_here))
        return found

    async def waking_hours(self, person: PersonId) -> frozenset[int] | None:
        """The full hours of a day in UTC in which a person is not quiet; None where they have not told theirs."""
        habits = await self.desk.store.people.find(person)
        zone = find_zone(habits.zone)
        if habits.quiet_from is None or habits.quiet_to is None or zone is None:
            return None
        shift = self.desk.clock().astimezone(ZoneInfo(habits.zone)).utcoffset() or timedelta(0)
        hours = round(shift.total_seconds() / 3600)
        length = (habits.quiet_from - habits.quiet_to) % DAY_HOURS or DAY_HOURS
        return frozenset((habits.quiet_to + hour - hours) % DAY_HOURS for hour in range(length))

    # -- wishes, servers, people --------------------------------------------------------------------

    async def wish(self, person: PersonId, title: str, guild: str) -> None:
        """Hear once of the next table of a title that they may join.

        :raises IllegalMove: there is no such title, or there are too many wishes.
        """
        self.desk.offered_title(title)
        await self.desk.check_ban(person)
        known = await self.desk.store.openings.wishes_of(person)
        if len(known) >= MOST_WISHES and title not in [wish.title for wish in known]:
            raise IllegalMove("You wait for {number} titles, the limit.", "", MOST_WISHES)
        await self.desk.store.openings.add_wish(WishRecord(person, title, guild, self.desk.now()))

    async def drop_wishes(self, person: PersonId) -> int:
        return await self.desk.store.openings.drop_wishes(person)

    async def set_sharing(self, guild: str, is_sharing: bool) -> None:
        """Let a server share its lobbies with all others that do; its managers decide that."""
        await self.desk.store.openings.set_sharing(guild, self.desk.now() if is_sharing else None)

    async def set_block(self, person: PersonId, other: PersonId, is_blocked: bool) -> list[GameId]:
        """Keep another person out of one's lobbies, and oneself out of theirs. They lose their seats in one's own lobbies; returns
        these.

        :raises IllegalMove: it is themselves, or a computer player.
        """
        if other == person or is_computer(other):
            raise IllegalMove("You can only avoid other people.")
        await self.desk.store.openings.set_block(person, other, is_blocked)
        left = []
        for record in await self.desk.store.games.list_of(person) if is_blocked else ():
            if record.status == GameStatus.LOBBY and record.moderator == person:
                seats = await self.desk.store.games.seats(record.id)
                if any(held.person == other for held in seats):
                    await self.lobby.leave(record.id, other)
                    left.append(record.id)
        return left


def hour_ranges(hours: Collection[int]) -> str:
    """`6-22, 23-24` for full hours."""
    parts, begin = [], None
    for hour in range(DAY_HOURS + 1):
        if hour in hours and begin is None:
            begin = hour
        elif begin is not None and (hour not in hours or hour == DAY_HOURS):
            parts.append(f"{begin}-{hour}")
            begin = None
    return ", ".join(parts)

"""Seasons: rounds of games on a server that are drawn, opened, started and counted without anybody's help."""

from __future__ import annotations

import logging
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby

import msgspec

from bot.engine import ERASED, NO_GAME, FormerPlayer, GameId, IllegalMove, Message, PersonId, literal, msg
from bot.engine.play import chosen_options
from bot.service.sessions import Actor, SessionManager, build_seats, clean_name, free_name, seat_name
from bot.store import (
    NO_THREAD_YET,
    SITS_OUT,
    ClockAllowance,
    DrawRecord,
    EntrantRecord,
    FinishedGame,
    GameStatus,
    Notice,
    NoticeKind,
    Place,
    SeasonRecord,
    SeasonStatus,
    concerns_all,
)
from bot.threads import run_in_thread

from .lobby import GENERATOR, Lobby
from .ratings import BEGINNER_MU, rating_of
from .records import Records
from .season_draw import SeasonStanding, draw_tables, standings_of, strain_of, table_sizes

log = logging.getLogger("signalbox.seasons")

MOST_ROUNDS = 10
MOST_DAYS = 60
"""Maximum number of days of a sign-up."""

MOST_ENTRANTS = 400
MOST_OPEN = 5
"""Maximum number of seasons of a server that are not over."""

MOST_BEGUN = 10
"""Maximum number of tables that begin in one sweep: reminders wait for it."""

MOST_LISTED = 20
LONGEST_NAME = 60
TOP = 10
"""Number of players in the standings that a table hears after a round."""


@dataclass(frozen=True)
class SeasonView:
    """A season as it stands."""

    record: SeasonRecord
    title: str
    standings: Sequence[SeasonStanding]
    tables: Mapping[int, tuple[GameId | None, Sequence[str]]]
    """The tables of this round by their numbers: the game and the names of the players."""

    over: frozenset[GameId]
    """The games of this round that are over."""

    @property
    def heading(self) -> Message:
        record = self.record
        words = {
            SeasonStatus.SIGN_UP: msg(
                "sign-up, {number} in it", sum(one.entrant.left_at is None for one in self.standings)
            ),
            SeasonStatus.RUNNING: msg("round {round} of {rounds}", record.round, record.rounds),
            SeasonStatus.FINISHED: msg("over"),
            SeasonStatus.CANCELLED: msg("cancelled"),
        }
        if record.name == self.title:
            text = "Season {number}: {title}, {size} players a table; {state}"
            return msg(text, record.id, self.title, record.size, words[record.status])
        text = "Season {number}, {name}: {title}, {size} players a table; {state}"
        return msg(text, record.id, literal(record.name), self.title, record.size, words[record.status])

    @property
    def table_lines(self) -> list[Message]:
        lines = []
        for number, (game_id, names) in self.tables.items():
            who = literal(", ".join(names))
            if number == SITS_OUT:
                lines.append(msg("Sitting this round out: {names}", who))
            elif game_id is None:
                lines.append(msg("Table {number}: {names}", number, who))
            elif game_id in self.over:
                lines.append(msg("Table {number}, game {game}, over: {names}", number, game_id, who))
            else:
                lines.append(msg("Table {number}, game {game}: {names}", number, game_id, who))
        return lines


class Seasons:
    def __init__(self, desk: SessionManager, lobby: Lobby, records: Records) -> None:
        self.desk, self.lobby, self.records = desk, lobby, records

    # -- opening and entering -----------------------------------------------------------------------

    async def open(
        self,
        organiser: PersonId,
        place: Place,
        title_name: str,
        name: str,
        *,
        size: int,
        rounds: int,
        days: int,
        pace_hours: float,
        clock: ClockAllowance | None = None,
        by_level: bool = False,
        language: str = "",
    ) -> SeasonRecord:
        """Open a season at the place where its games will be played, with a sign-up of `days`.

        :raises IllegalMove: the title is not offered or not for tables of that size, or the server has too many seasons.
        """
        title = await run_in_thread(self.desk.offered_title, title_name)
        await self.desk.check_ban(organiser)
        if size not in title.players:
            least, most = title.players.start, title.players.stop - 1
            raise IllegalMove(
                "{title} is for {least} to {most} players, not {number}.", "", title.name, least, most, size
            )
        if await self.desk.store.seasons.count_open(place.guild) >= MOST_OPEN:
            raise IllegalMove("This server has {number} seasons that are not over, the limit.", "", MOST_OPEN)
        now = self.desk.now()
        record = SeasonRecord(
            0,
            place.guild,
            place.channel,
            clean_name(name[:LONGEST_NAME]) if name else title.name,
            title.id,
            size,
            rounds,
            pace_hours,
            clock,
            by_level,
            language,
            organiser,
            int(now * 1000) % GENERATOR,
            SeasonStatus.SIGN_UP,
            0,
            now,
            now + timedelta(days=days).total_seconds(),
        )
        return msgspec.structs.replace(record, id=await self.desk.store.seasons.add(record))

    async def enter(self, season_id: int, person: PersonId, name: str, guild: str) -> EntrantRecord:
        """Enter a season: before its first draw, or while it runs, from the next round on.

        :raises IllegalMove: it is over or full or on another server, or the name cannot be used.
        """
        season = await self.find(season_id, person, guild)
        if guild != season.guild:
            raise IllegalMove("People enter a season on its server.")
        await self.desk.check_ban(person)
        if season.status not in (SeasonStatus.SIGN_UP, SeasonStatus.RUNNING) or season.round >= season.rounds:
            raise IllegalMove("Nobody can enter this season any more.")
        entrants = await self.desk.store.seasons.entrants_of(season_id)
        others = [one for one in entrants if one.person != person]
        if sum(one.left_at is None for one in others) >= MOST_ENTRANTS:
            raise IllegalMove("{number} people are in this season, the limit.", "", MOST_ENTRANTS)
        name = seat_name(self.desk.title(season.title), name, [one.name for one in others])
        old = next((one for one in entrants if one.person == person), None)
        is_in = old is not None and old.left_at is None
        entrant = EntrantRecord(season_id, person, name, old.entered_at if old and is_in else self.desk.now())
        await self.desk.store.seasons.enter(entrant)
        return entrant

    async def leave(self, season_id: int, person: PersonId, guild: str) -> SeasonRecord:
        """Leave a season; a game under way goes on, and its seat is left as any other.

        :raises IllegalMove: they are not in it.
        """
        season = await self.find(season_id, person, guild)
        entrants = await self.desk.store.seasons.entrants_of(season_id)
        if not any(one.person == person and one.left_at is None for one in entrants):
            raise IllegalMove("You are not in this season.")
        await self.desk.store.seasons.leave(season_id, person, self.desk.now())
        return season

    async def cancel(self, season_id: int, guild: str) -> SeasonRecord:
        """End a season before its time; games under way go on. The person must be a manager of the server.

        :raises IllegalMove: it is over, or on another server.
        """
        season = await self.desk.store.seasons.find(season_id)
        if season is None or season.guild != guild:
            raise IllegalMove("There is no season {number} here.", "", season_id)
        if season.status not in (SeasonStatus.SIGN_UP, SeasonStatus.RUNNING):
            raise IllegalMove("This season is over.")
        drawn = await self.desk.store.seasons.draws_of(season_id)
        here = [one for one in drawn if one.round == season.round]
        standings = (await self.view(season)).standings
        told = await self._tell_round(season, here, standings, "The season is cancelled.")
        if not await self.desk.store.seasons.set_status(season, SeasonStatus.CANCELLED, told):
            raise IllegalMove("The season has just gone on; try again.")
        for notice in told:
            await self.desk.notify(notice.game)
        return season

    async def find(self, season_id: int, person: PersonId, guild: str) -> SeasonRecord:
        """A season that somebody may look at: of their server, or in which they play.

        :raises IllegalMove: there is none of that number.
        """
        season = await self.desk.store.seasons.find(season_id)
        if season is not None and season.guild != guild:
            entrants = await self.desk.store.seasons.entrants_of(season_id)
            season = season if any(one.person == person for one in entrants) else None
        if season is None:
            raise IllegalMove("There is no season {number} here.", "", season_id)
        return season

    async def list_for(self, person: PersonId, guild: str) -> list[SeasonRecord]:
        return await self.desk.store.seasons.list_of(guild, person, MOST_LISTED)

    async def view(self, season: SeasonRecord) -> SeasonView:
        entrants = await self.desk.store.seasons.entrants_of(season.id)
        drawn = await self.desk.store.seasons.draws_of(season.id)
        outcomes = await self._outcomes(drawn)
        names = {one.person: one.name for one in entrants}
        here = [one for one in drawn if one.round == season.round]
        tables = {
            number: (people[0].game, [names[one.person] for one in people if one.person in names])
            for number, people in ((number, list(group)) for number, group in groupby(here, lambda one: one.number))
        }
        standings = standings_of(season, entrants, drawn, outcomes)
        over = frozenset(one.game for one in here if one.game is not None and one.game in outcomes)
        title = self.desk.titles.get(season.title)
        return SeasonView(season, title.name if title is not None else season.title, standings, tables, over)

    async def _outcomes(self, drawn: Sequence[DrawRecord]) -> dict[GameId, FinishedGame]:
        found = await self.desk.store.results.list_among({one.game for one in drawn if one.game is not None})
        return {outcome.result.game: outcome for outcome in found}

    # -- rounds -------------------------------------------------------------------------------------

    async def sweep(self) -> int:
        """Bring every season as far as it can go by now; returns how many changed."""
        number = 0
        for season in await self.desk.store.seasons.list_due(self.desk.now()):
            try:
                number += await self._go_on(season)
            except Exception as error:
                if concerns_all(error):
                    raise
                # A season that cannot go on holds up no other.
                log.warning("season %d does not go on: %s", season.id, error, exc_info=error)
        return number

    async def _go_on(self, season: SeasonRecord) -> bool:
        drawn = await self.desk.store.seasons.draws_of(season.id)
        here = [one for one in drawn if one.round == season.round and one.number != SITS_OUT]
        if await self._open_tables(season, len({one.number for one in here})):
            return True
        outcomes = await self._outcomes(drawn)
        # A game of an earlier round may have been taken up again.
        if any(one.game not in outcomes for one in drawn if one.number != SITS_OUT):
            return False
        entrants = await self.desk.store.seasons.entrants_of(season.id)
        is_last = season.round >= season.rounds
        if not is_last:
            entrants = await self._without_lost(season, entrants, drawn, outcomes)
        standings = standings_of(season, entrants, drawn, outcomes)
        if not is_last and (tables := await self._draw(season, standings, drawn)):
            told = await self._tell_round(season, here, standings, "The next round begins.")
            has_gone_on = await self.desk.store.seasons.begin_round(season, tables, told)
        elif season.round == 0:
            # The season begins as soon as enough people are in it.
            return False
        else:
            told = await self._tell_round(season, here, standings, "The season is over.")
            has_gone_on = await self.desk.store.seasons.set_status(season, SeasonStatus.FINISHED, told)
        for notice in told:
            await self.desk.notify(notice.game)
        return has_gone_on

    async def _draw(
        self, season: SeasonRecord, standings: Sequence[SeasonStanding], drawn: Sequence[DrawRecord]
    ) -> list[DrawRecord]:
        """The tables of the next round; none if too few people are left."""
        people = [one.entrant.person for one in standings if one.entrant.left_at is None]
        number, players = season.round + 1, self.desk.title(season.title).players
        chance = random.Random(f"{season.seed}-{number}")
        if not season.by_level:
            chance.shuffle(people)
        elif season.round == 0:
            chance.shuffle(people)
            await self.records.catch_up()
            strengths = {person: await self._strength(person, season.title) for person in people}
            people.sort(key=lambda person: -strengths[person])
        sat_out = [one.person for one in drawn if one.number == SITS_OUT]
        resting: list[PersonId] = []
        while people and not (sizes := table_sizes(len(people), season.size, players)):
            resting.append(min(reversed(people), key=sat_out.count))
            people.remove(resting[-1])
        if not people:
            return []
        apart = {person: await self.desk.store.openings.apart_from(person) for person in people}
        tables = await run_in_thread(draw_tables, people, sizes, strain_of(drawn, apart))
        seated = [*enumerate(tables, 1), (SITS_OUT, resting)]
        return [DrawRecord(season.id, number, table, person) for table, sitting in seated for person in sitting]

    async def _without_lost(
        self,
        season: SeasonRecord,
        entrants: Sequence[EntrantRecord],
        drawn: Sequence[DrawRecord],
        outcomes: Mapping[GameId, FinishedGame],
    ) -> list[EntrantRecord]:
        """The entrants; who no longer holds their seat of the last round has left, and that is saved."""
        lost = {
            one.person: outcomes[one.game].result.began_at
            for one in drawn
            if one.round == season.round and one.game is not None and not outcomes[one.game].seats_of(one.person)
        }
        now, found = self.desk.now(), []
        for one in entrants:
            # Who has entered once more since then is in it.
            if one.left_at is None and one.person in lost and one.entered_at <= lost[one.person]:
                await self.desk.store.seasons.leave(season.id, one.person, now)
                one = msgspec.structs.replace(one, left_at=now)
            found.append(one)
        return found

    async def _strength(self, person: PersonId, title: str) -> float:
        last = await self.desk.store.results.newest_rating(person, title)
        return rating_of(last, True).mu if last is not None else BEGINNER_MU

    async def _open_tables(self, season: SeasonRecord, tables: int) -> bool:
        """Open and start games of this round that have not begun; it has this number of `tables`. Returns whether there were any."""
        waiting = await self.desk.store.seasons.draws_to_begin(season)
        if not waiting:
            return False
        names = {one.person: one.name for one in await self.desk.store.seasons.entrants_of(season.id)}
        begun = 0
        for number, sitting in [(number, list(group)) for number, group in groupby(waiting, lambda one: one.number)]:
            if begun == MOST_BEGUN:
                break
            people = [(one.person, names[one.person]) for one in sitting if one.person in names]
            try:
                begun += await self._begin_table(season, number, tables, sitting[0].game, people)
            except Exception as error:
                if concerns_all(error):
                    raise
                # A table that cannot begin holds up no other.
                log.warning("table %d of season %d does not begin: %s", number, season.id, error, exc_info=error)
        return begun > 0

    async def _begin_table(
        self,
        season: SeasonRecord,
        number: int,
        tables: int,
        game_id: GameId | None,
        people: Sequence[tuple[PersonId, str]],
    ) -> bool:
        """Open and start the game of a table; returns whether that was still to be done. Too few people, since others were erased
        meanwhile, sit the round out.
        """
        if game_id is None and len(people) < self.desk.title(season.title).players.start:
            await self.desk.store.seasons.sit_out(season.id, season.round, number)
            return True
        current = await self.desk.store.seasons.find(season.id)
        if current is None or current.status != SeasonStatus.RUNNING:
            return False
        game_id = game_id or await self._open_table(season, number, tables, people)
        if game_id is None:
            return False
        record = await self.desk.store.games.find(game_id)
        if record is None or record.status != GameStatus.LOBBY:
            return False
        await self.lobby.start(game_id, Actor(record.moderator))
        return True

    async def _open_table(
        self, season: SeasonRecord, number: int, tables: int, people: Sequence[tuple[PersonId, str]]
    ) -> GameId | None:
        """Open the game of a table, unless one of the people has been erased meanwhile: the next sweep opens it without them."""
        title, now = self.desk.title(season.title), self.desk.now()
        seed = random.Random(f"{season.seed}-{season.round}-{number}").randrange(GENERATOR)
        moderator = people[0][0] if season.organiser == ERASED else season.organiser
        record = self.lobby.blank_record(title, moderator, chosen_options(title, {}), seed, season.pace_hours)
        record.clock, record.language = season.clock, season.language
        named: list[tuple[PersonId, str]] = []
        for person, name in people:
            # Two may have entered by one name at once.
            named.append((person, free_name(name, [other for _, other in named])))
        seats = [
            await self.lobby.new_seat(NO_GAME, one.number, one.person, one.name) for one in build_seats(title, named)
        ]
        text = "Season {name}: round {round} of {rounds}, table {number} of {tables}."
        line = msg(text, literal(season.name), season.round, season.rounds, number, tables)
        return await self.desk.store.seasons.add_game(
            season.id,
            (season.round, number),
            record,
            seats,
            Place(NO_GAME, season.guild, season.channel, trouble=NO_THREAD_YET),
            Notice(NO_GAME, 0, NoticeKind.TOLD, [line], now),
        )

    # -- telling ------------------------------------------------------------------------------------

    async def _tell_round(
        self, season: SeasonRecord, here: Sequence[DrawRecord], standings: Sequence[SeasonStanding], end: str
    ) -> list[Notice]:
        """The standings after a round, for each of its tables."""
        now, told = self.desk.now(), []
        for game_id in sorted({one.game for one in here if one.game is not None}):
            heading = msg("Season {name}, after round {round}:", literal(season.name), season.round)
            lines = [heading, *standing_lines(standings[:TOP]), msg(end)]
            record = await self.desk.store.games.find(game_id)
            told.append(Notice(game_id, record.version if record is not None else 0, NoticeKind.TOLD, [*lines], now))
        return told


def standing_lines(standings: Sequence[SeasonStanding]) -> list[Message]:
    lines = []
    for place, one in enumerate(standings, 1):
        points = f"{one.points:.1f}".removesuffix(".0")
        line = msg(
            "{place}. {name}: points {points}, games {number}",
            place,
            FormerPlayer(one.entrant.person, one.entrant.name),
            points,
            one.games,
        )
        lines.append(msg("{line}, has left", line) if one.entrant.left_at is not None else line)
    return lines

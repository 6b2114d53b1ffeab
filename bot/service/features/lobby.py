"""From the first idea of a game to its first move."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import msgspec

from bot.ai.title_parameters import STRENGTHS
from bot.engine import NO_GAME, FormerPlayer, GameId, IllegalMove, PersonId, SeatNumber, msg
from bot.engine.notation import question
from bot.engine.play import Game, Title, chosen_options
from bot.service.sessions import (
    COMPUTER_NAME,
    DEFAULT_STRENGTH,
    PACES,
    Actor,
    GameSession,
    MoveResult,
    SessionManager,
    as_actor,
    build_seats,
    computer_person,
    deal_seats,
    first_grants,
    free_name,
    fresh_clocks,
    holiday_grants,
    is_computer,
    notices,
    renumber,
    seat_name,
)
from bot.store import (
    NO_THREAD_YET,
    ClockAllowance,
    Commit,
    GameRecord,
    GameStatus,
    MoveKind,
    MoveRecord,
    Notice,
    NoticeKind,
    Place,
    PlaceTaken,
    SeatRecord,
)
from bot.threads import run_in_thread

from .board_links import digest_of
from .mail import Mail

MOST_GAMES_PER_PERSON = 50
OPEN_DAYS = 30
"""Days after which an open lobby is shown to others no longer, unless its opener opens it again."""

MOST_AS_GUEST = 5
"""Maximum number of lobbies of others in which a guest may wait."""

CODE_BYTES = 16
"""Bytes of an invitation's code: more than anybody can guess."""
CODE = re.compile(r"[\w-]{16,}")
"""An invitation's code as it is written."""
GENERATOR = 2**31
"""Seeds are below this."""


class Lobby:
    def __init__(self, desk: SessionManager, mail: Mail) -> None:
        self.desk, self.mail = desk, mail

    async def create(
        self,
        title_name: str,
        moderator: PersonId,
        people: Sequence[tuple[PersonId, str]] = (),
        options: Mapping[str, str] | None = None,
        seed: int | None = None,
        pace: str = "normal",
        seats_each: int = 1,
        place: Place | None = None,
        allowance: ClockAllowance | None = None,
    ) -> GameId:
        """Open a lobby with these (person, name) seated; returns the game's number. `seats_each` is the maximum for
        everybody except the moderator. If its thread is still to be opened at its place, a notice says so.

        :raises IllegalMove: the title, an option, a name or the pace cannot be used, or somebody has too many games.
        """
        title = await run_in_thread(self.desk.offered_title, title_name)
        if seats_each not in range(1, title.players.stop):
            raise IllegalMove("One person can take 1 to {most} seats.", "", title.players.stop - 1)
        record = await self.new_record(title, moderator, options or {}, seed, pace)
        record.seats_each, record.clock = seats_each, allowance
        return await self._add(record, build_seats(title, people), place)

    async def _add(self, record: GameRecord, seated: Sequence[SeatRecord], place: Place | None) -> GameId:
        """Save a lobby with these seats; returns the game's number."""
        seats = [await self.new_seat(NO_GAME, one.number, one.person, one.name) for one in seated]
        has_no_thread = place is not None and place.trouble == NO_THREAD_YET
        told = [Notice(NO_GAME, 0, NoticeKind.LOBBY, [], record.created_at)] if has_no_thread else []
        return await self.desk.store.games.add(record, seats, place, told)

    async def new_seat(self, game_id: GameId, number: SeatNumber, person: PersonId, name: str) -> SeatRecord:
        habits = await self.desk.store.people.find(person)
        return SeatRecord(
            game_id, number, person, name, habits.zone, habits.quiet_from, habits.quiet_to, False, habits.away_until
        )

    async def new_record(
        self, title: Title, moderator: PersonId, options: Mapping[str, str], seed: int | None, pace: str
    ) -> GameRecord:
        """The record of a game that is not saved yet.

        :raises IllegalMove: an option or the pace is unknown, or the moderator has too many games.
        """
        chosen = chosen_options(title, options)
        if pace not in PACES:
            raise IllegalMove("Paces: {paces}.", "", ", ".join(PACES))
        open_games = [
            game for game in await self.desk.store.games.list_of(moderator) if game.status != GameStatus.FINISHED
        ]
        if len(open_games) >= MOST_GAMES_PER_PERSON:
            raise IllegalMove(
                "You are in {games} games; the limit is {limit}.",
                "",
                len(open_games),
                MOST_GAMES_PER_PERSON,
            )
        return self.blank_record(title, moderator, chosen, seed, PACES[pace])

    def blank_record(
        self, title: Title, moderator: PersonId, options: dict[str, str], seed: int | None, pace_hours: float
    ) -> GameRecord:
        """The record of a lobby with these options, all of them chosen."""
        now = self.desk.now()
        seed = int(now * 1000) % GENERATOR if seed is None else seed % GENERATOR
        return GameRecord(
            NO_GAME, title.id, options, seed, GameStatus.LOBBY, moderator, pace_hours, 0, now, now, title.version
        )

    async def rematch(self, game_id: GameId, asker: Actor | PersonId, place: Place | None = None) -> GameSession:
        """Open a lobby like a game that is over, with its computer players; its other people are invited, each by a mail or a direct
        message.

        :raises IllegalMove: they did not play or may not write to strangers, it is not over, or they have too many games.
        """
        old = await self.desk.table(game_id)
        who = self.desk.check(old, asker, "own")
        if old.record.status != GameStatus.FINISHED:
            raise IllegalMove("This game is not over yet.")
        await self.desk.check_ban_among_strangers(game_id, who.person)
        title = await run_in_thread(self.desk.offered_title, old.record.title)
        record = await self.new_record(title, who.person, old.record.options, None, "normal")
        record.pace_hours, record.clock, record.language = old.record.pace_hours, old.record.clock, old.record.language
        record.seats_each, record.unrated = old.record.seats_each, old.record.unrated
        code = secrets.token_urlsafe(CODE_BYTES)
        record.invitation = digest_of(code)
        staying = [held for held in old.seats if held.person == who.person or is_computer(held.person)]
        new = await self._add(record, renumber(staying), place)
        await self._invite_again(old, who.person, new, code)
        return await self.desk.table(new)

    async def _invite_again(self, old: GameSession, opener: PersonId, new: GameId, code: str) -> None:
        others = {held.person: held for held in old.seats if held.person and not is_computer(held.person)}
        others.pop(opener, None)
        calls, now = [], self.desk.now()
        for person, held in others.items():
            is_in_discord = person.startswith("discord:")
            words = ["/game", "join", f"game:{new}", f"invitation:{code}"]
            typed = " ".join(words if is_in_discord else ["join", str(new), code, held.name])
            line = msg("Game {old}: a rematch is open, game {game}. To join: {line}", old.record.id, new, typed)
            if is_in_discord:
                calls.append(Notice(new, 0, NoticeKind.CALL, [person, line], now))
            await self.mail.enqueue(person, new, f"rematch-{new}-{person}", [line])
        await self.desk.store.outbox.add(calls)
        await self.desk.notify(new)

    async def join(self, game_id: GameId, asker: Actor | PersonId, name: str, invitation: str = "") -> GameSession:
        """Take a seat in a lobby. One person may take several (hot seat) under different names: the opener as many as
        there are, others up to the opener's limit.

        :raises IllegalMove: the game has begun, is full, has a player of that name, or is in another server and the
            invitation is not its own.
        """
        async with self.desk.lock(game_id):
            table = await self.require_lobby(game_id)
            title = self.desk.title(table.record.title)
            asker = as_actor(asker)
            since = self.desk.now() - timedelta(days=OPEN_DAYS).total_seconds()
            is_guest = await self.desk.store.openings.admits(game_id, asker.guild, since)
            asker = replace(asker, is_invited=is_invitation(table.record, invitation), is_guest=is_guest)
            person = self.desk.check(table, asker, "join").person
            await self._check_company(table, asker)
            own, most_own = len(table.seats_of(person)), table.record.seats_each
            if own >= most_own and person != table.record.moderator:
                raise IllegalMove(
                    "In this game one person can take {most} seats."
                    if most_own > 1
                    else "In this game one person can take {most} seat.",
                    "",
                    most_own,
                )
            most = title.players.stop - 1
            if len(table.seats) >= most:
                raise IllegalMove("All {most} seats are taken.", "", most)
            name = seat_name(title, name, [record.name for record in table.seats])
            seats = [*table.seats, await self.new_seat(game_id, SeatNumber(len(table.seats) + 1), person, name)]
            table = await self._seat(table, seats)
        if person != table.record.moderator:
            line = msg("{name} has joined.", FormerPlayer(person, name))
            key = f"joined-{game_id}-{len(table.seats)}-{self.desk.now()}"
            await self.mail.enqueue(table.record.moderator, game_id, key, [line])
        return table

    async def _check_company(self, table: GameSession, asker: Actor) -> None:
        """Refuse somebody whom the operator or a player does not want to meet, and guests who wait in many lobbies.

        :raises IllegalMove: that is so.
        """
        await self.desk.check_ban_among_strangers(table.record.id, asker.person)
        if asker.is_invited or asker.person == table.record.moderator:
            return
        apart = await self.desk.store.openings.apart_from(asker.person)
        if apart & {table.record.moderator, *(held.person for held in table.seats)}:
            raise IllegalMove("You cannot join this game.")
        if asker.is_there or not asker.is_guest:
            return
        if await self.desk.store.openings.count_lobbies_with(asker.person) >= MOST_AS_GUEST:
            raise IllegalMove("You are waiting in {number} lobbies of other players, the limit.", "", MOST_AS_GUEST)

    async def add_computer(
        self, game_id: GameId, asker: Actor | PersonId, strength: str = DEFAULT_STRENGTH
    ) -> GameSession:
        """Give the next seat of a lobby to a computer player.

        :raises IllegalMove: not the opener, the game has begun or is full, or there is no such strength.
        """
        async with self.change(game_id, asker, "computer") as (table, _):
            title = self.desk.title(table.record.title)
            if strength not in STRENGTHS:
                raise IllegalMove("Computer players: {strengths}.", "", ", ".join(STRENGTHS))
            most = title.players.stop - 1
            if len(table.seats) >= most:
                raise IllegalMove("All {most} seats are taken.", "", most)
            name = free_name(COMPUTER_NAME, (record.name for record in table.seats))
            seats = [
                *table.seats,
                SeatRecord(game_id, SeatNumber(len(table.seats) + 1), computer_person(strength), name),
            ]
            return await self._seat(table, seats)

    async def remove_computers(self, game_id: GameId, asker: Actor | PersonId) -> GameSession:
        """Take all computer players out of a lobby.

        :raises IllegalMove: not the opener, or the game has begun.
        """
        async with self.change(game_id, asker, "computer") as (table, _):
            return await self._seat(table, renumber(held for held in table.seats if not is_computer(held.person)))

    async def invite(self, game_id: GameId, asker: Actor | PersonId) -> str:
        """A new code with which people of other servers can join; the older code is no longer valid.

        :raises IllegalMove: not the opener, or the game has begun.
        """
        async with self.change(game_id, asker, "invite"):
            code = secrets.token_urlsafe(CODE_BYTES)
            await self.desk.store.games.change(game_id, invitation=digest_of(code))
        return code

    async def choose_option(self, game_id: GameId, asker: Actor | PersonId, name: str, choice: str) -> GameSession:
        """Choose an option before the game begins.

        :raises IllegalMove: not the moderator, it has begun, or the option or choice is unknown.
        """
        async with self.change(game_id, asker, "options") as (table, _):
            chosen = chosen_options(self.desk.title(table.record.title), {**table.record.options, name: choice})
            await self.desk.store.games.change(game_id, options=msgspec.json.encode(chosen).decode())
            return await self.tell_changed(await self.desk.table(game_id))

    async def choose_rating(self, game_id: GameId, asker: Actor | PersonId, is_unrated: bool) -> GameSession:
        """Say before the game begins whether it changes ratings.

        :raises IllegalMove: not the moderator, or it has begun.
        """
        async with self.change(game_id, asker, "options"):
            await self.desk.store.games.change(game_id, unrated=int(is_unrated))
            return await self.tell_changed(await self.desk.table(game_id))

    async def choose_watching(self, game_id: GameId, asker: Actor | PersonId, is_watchable: bool) -> GameSession:
        """Say before the game begins whether anybody may follow it.

        :raises IllegalMove: not the moderator, or it has begun.
        """
        async with self.change(game_id, asker, "options"):
            await self.desk.store.games.change(game_id, watchable=int(is_watchable))
            return await self.tell_changed(await self.desk.table(game_id))

    async def leave(self, game_id: GameId, person: PersonId) -> GameSession:
        """Give up all one's seats in a lobby. (A game that has begun is left with `Moderation.leave_seat`.)

        :raises IllegalMove: the game has begun, or the person has no seat.
        """
        async with self.change(game_id, person, "leave") as (table, _):
            seats = renumber(record for record in table.seats if record.person != person)
            return await self._seat(table, seats)

    async def _seat(self, table: GameSession, seats: list[SeatRecord]) -> GameSession:
        await self.desk.store.games.set_seats(table.record.id, seats, await self._change_notices(table))
        await self.desk.notify(table.record.id)
        return GameSession(table.record, seats, None)

    async def _change_notices(self, table: GameSession) -> list[Notice]:
        """A notice that has the lobby's message in Discord show it as it is, wherever the change came from."""
        place = await self.desk.store.games.place(table.record.id)
        is_shown = place is not None and place.guild
        return [Notice(table.record.id, 0, NoticeKind.LOBBY, [], self.desk.now())] if is_shown else []

    async def tell_changed(self, table: GameSession) -> GameSession:
        """Have the lobby's message in Discord brought up to date."""
        await self.desk.store.outbox.add(await self._change_notices(table))
        await self.desk.notify(table.record.id)
        return table

    @asynccontextmanager
    async def change(
        self, game_id: GameId, asker: Actor | PersonId, right: str
    ) -> AsyncIterator[tuple[GameSession, Actor]]:
        """A lobby that nobody else changes meanwhile, and somebody with this right there.

        :raises IllegalMove: the game has begun, there is none, or they do not have the right.
        """
        async with self.desk.lock(game_id):
            table = await self.require_lobby(game_id)
            yield table, self.desk.check(table, asker, right)

    async def require_lobby(self, game_id: GameId) -> GameSession:
        """A game that has not begun.

        :raises IllegalMove: it has, or there is no such game.
        """
        table = await self.desk.table(game_id)
        if table.record.status != GameStatus.LOBBY:
            raise IllegalMove("This game has begun.")
        return table

    async def start(
        self, game_id: GameId, asker: Actor | PersonId, order: str = "lot", place: Place | None = None
    ) -> MoveResult:
        """Deal the seats (`lot` by the game's seed, `list` as joined) and begin, at this place if any is given.

        :raises IllegalMove: not the moderator, the number of players does not fit, or another game is played there.
        """
        async with self.change(game_id, asker, "start") as (table, who):
            if order not in ("lot", "list"):
                raise IllegalMove("Seats can be dealt by: lot, list.")
            seats = deal_seats(table.seats, table.record.seed) if order == "lot" else table.seats
            begun, change = self.build_opening(table.record, seats, who.person)
            try:
                await self.desk.store.moves.commit(replace(change, place=place))
                self.desk.note_asked(change.clocks or ())
            except PlaceTaken as taken:
                raise IllegalMove(str(taken)) from taken
        await self.desk.notify(game_id)
        return MoveResult(
            game_id,
            0,
            (),
            GameSession(table.record, list(seats), begun).tr_lines(change.records[0].lines),
            question(begun),
        )

    def build_opening(self, record: GameRecord, seats: Sequence[SeatRecord], person: PersonId) -> tuple[Game, Commit]:
        """The first position of a game, and the commit that saves it.

        :raises IllegalMove: the number of players does not fit.
        """
        title = self.desk.edition(record.title, record.rules)
        begun = Game.new(title, [seat.name for seat in seats], record.options, record.seed)
        now = self.desk.now()
        first = MoveRecord(record.id, 0, -1, MoveKind.START, person, "", [msg("{title} begins.", title.name)], now)
        budgets = {held.number: float(record.clock.game) for held in seats} if record.clock is not None else {}
        entries = first_grants(record.id, budgets, 0, now)
        if record.clock is not None:
            entries += holiday_grants(record.id, record.clock, [], seats, 0, self.desk.clock())
        change = Commit(
            record.id,
            0,
            [first],
            begun.encode(),
            now,
            status=GameStatus.RUNNING,
            clocks=fresh_clocks(record, seats, begun.players_to_act(), now, 0),
            notices=notices(record.id, seats, begun, 0, first.lines, begun.players_to_act(), now),
            seats=seats,
            entries=entries,
        )
        return begun, change


def is_invitation(record: GameRecord, code: str) -> bool:
    return bool(code and record.invitation) and hmac.compare_digest(digest_of(code), record.invitation)

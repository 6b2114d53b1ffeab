"""The core of every act at a table: the game's lock, its present position, and saving the next position."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakValueDictionary

import msgspec

from bot.engine import GameId, IllegalMove, Message, PersonId, PlayerId, SeatNumber, StalePosition, Value, seat
from bot.engine.play import Game, RouteSearch, Title
from bot.engine.state import Action
from bot.i18n import tr_lines
from bot.store import (
    LOCKED,
    Cause,
    Commit,
    Conflict,
    GameRecord,
    GameStatus,
    LedgerRecord,
    LeftSeat,
    MoveKind,
    MoveRecord,
    Notice,
    NoticeKind,
    OrderRecord,
    SeatRecord,
    Store,
    StoreError,
    StoreLocked,
    WaitRecord,
)
from bot.threads import run_in_thread

from .answer_moment import answer_latency
from .budgets import Budget, bounded_quiet_hours, budgets_of
from .computer_seats import acting_computer, is_computer
from .grants import earned_grants
from .reminder_times import LONGEST_SITTING, Timekeeper, from_timestamp, is_in_force, next_due
from .rights import BANNED, KEPT_OUT, Actor, check_right, display_name
from .snapshots import CorruptSnapshot, TitleAt, read_position, rebuild, rename, replay_moves, timeline_of, with_rules

if TYPE_CHECKING:
    from bot.store.backends.shard_lease import ShardLease

log = logging.getLogger("signalbox.tables")

UNKNOWN_WAIT = 1e9
"""Seconds that a wait may have taken that began before this program."""

MOST_ASKED = 5000
"""Number of seats of which it is remembered since when they are asked."""

WARM_GAMES = 200
"""Number of games kept decoded."""

TELLING = 10.0
"""Seconds to wait for another bot that is posting about a game."""

MOVED_ON = "The game has moved on since then; look at the new position."


class MadeMove(NamedTuple):
    """A record that is still to be saved, and the action it is of; None where it is no move."""

    record: MoveRecord
    action: Action | None = None


@dataclass(frozen=True)
class MoveResult:
    """The effect of a message: the new version, what happened in sentences, and the decisions now."""

    game: GameId
    version: int
    actions: tuple[str, ...]
    lines: tuple[str, ...]
    question: Message


@dataclass(frozen=True)
class GameSession:
    """A game with its records, as they were at one moment. `game` is None in the lobby; nobody changes it. With
    `is_without_orders` there are no plans to look for.
    """

    record: GameRecord
    seats: list[SeatRecord]
    game: Game | None
    is_without_orders: bool = False

    def seats_of(self, person: PersonId) -> list[PlayerId]:
        """The seats that a person may move for: their own, and those they sit in for."""
        return [seat(record.number) for record in self.seats if person and person in (record.person, record.sitter)]

    def find_seat(self, number: object) -> SeatRecord | None:
        return next((held for held in self.seats if held.number == number), None)

    def held_by(self, person: PersonId) -> list[SeatRecord]:
        return [held for held in self.seats if held.person == person]

    def with_seat(self, changed: SeatRecord) -> list[SeatRecord]:
        """All seats, with one of them changed."""
        return [changed if held.number == changed.number else held for held in self.seats]

    def next_record(
        self, kind: MoveKind, person: PersonId, line: Message, made_at: float, text: str = "", parent: int | None = None
    ) -> MoveRecord:
        """A record that is still to be saved and is no player's move; its position follows `parent`, by default the last record."""
        version = self.record.version
        return MoveRecord(
            self.record.id, version + 1, version if parent is None else parent, kind, person, text, [line], made_at
        )

    def move_record(
        self,
        number: int,
        person: PersonId,
        text: str,
        lines: list[Message],
        made_at: float,
        seat_number: SeatNumber | None,
        is_automatic: bool = False,
    ) -> MoveRecord:
        """The record of a move, still to be saved as number `number`."""
        return MoveRecord(
            self.record.id,
            number,
            number - 1,
            MoveKind.MOVE,
            person,
            text,
            lines,
            made_at,
            seat_number,
            is_automatic,
        )

    def players_asked(self) -> tuple[PlayerId, ...]:
        """The players for whom the game waits; nobody while it does not run."""
        is_running = self.record.status == GameStatus.RUNNING
        return self.game.players_to_act() if is_running and self.game is not None else ()

    def is_asked(self, held: SeatRecord) -> bool:
        """Whether the game waits for a seat."""
        return seat(held.number) in self.players_asked()

    def name_of(self, asker: Actor | PersonId) -> Value:
        return display_name(self.record, self.seats, asker)

    @property
    def names(self) -> dict[PlayerId, str]:
        return {seat(record.number): record.name for record in self.seats}

    def tr_lines(self, sentences: Iterable[Message]) -> tuple[str, ...]:
        return tuple(tr_lines(sentences, self.names))


Listener = Callable[[GameId, GameSession | None], Awaitable[None]]
"""Called with the game's number after something was saved and there is something to post; with the saved
table, if known.
"""


class SessionManager:
    """The state of all tables: which games are in memory, who holds which lock.

    `clock` gives the time, `steady` seconds that nobody sets; `titles` the playable titles, `editions` older
    versions of their rules, `offered` the titles of which new games can be opened, by default all; `route_search` finds the best
    routes of all games. After every saved change `listeners` are called with the game's number.
    """

    def __init__(
        self,
        store: Store,
        titles: Mapping[str, Title],
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        editions: Mapping[tuple[str, int], Title] | None = None,
        steady: Callable[[], float] | None = None,
        offered: Collection[str] | None = None,
        route_search: RouteSearch | None = None,
    ) -> None:
        self.store = store
        self.route_search = route_search
        self.timekeeper = Timekeeper(clock().timestamp(), steady)
        self.editions = editions or {}
        self.titles = titles
        self.offered = [title for title in titles if offered is None or title in offered]
        self.clock = clock
        self.listeners: list[Listener] = []
        self._asked_at: dict[tuple[GameId, SeatNumber], tuple[float, float]] = {}
        self._warm: OrderedDict[GameId, tuple[tuple[int, int], Game]] = OrderedDict()
        # Locks that nobody holds nor waits for are not kept.
        self.locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def now(self) -> float:
        """The time as it is stored: seconds since 1970."""
        return self.clock().timestamp()

    def title(self, name: str) -> Title:
        """The title of that name. Its first import takes up to a tenth of a second.

        :raises IllegalMove: it cannot be played.
        """
        if name not in self.titles:
            raise IllegalMove("There is no title {name}. Available: {titles}.", "", name, ", ".join(self.titles))
        return self.titles[name]

    def offered_title(self, name: str) -> Title:
        """A title of which a new game can be opened.

        :raises IllegalMove: it cannot be played, or this operator does not offer it.
        """
        if name in self.titles and name not in self.offered:
            offered = ", ".join(self.offered)
            raise IllegalMove(
                "New games of {title} cannot be opened here. Available: {titles}.", "", self.titles[name].name, offered
            )
        return self.title(name)

    def edition(self, name: str, version: int) -> Title:
        """A title in that version of its rules.

        :raises IllegalMove: this program does not have it.
        """
        newest = self.title(name)
        if version == newest.version:
            return newest
        if (name, version) not in self.editions:
            raise IllegalMove(
                "This game uses version {version} of the {title} rules, which this release lacks; the moderator can move it to version {newest} (/moderate rules).",
                "",
                version,
                newest.name,
                newest.version,
            )
        return self.editions[name, version]

    # -- sharing ------------------------------------------------------------------------------------

    @property
    def share(self) -> ShardLease | None:
        return self.store.backend.share

    @property
    def has_duties(self) -> bool:
        """Whether work that is done once for all games is done here."""
        return self.share is None or self.share.has_duties

    async def is_local(self, game_id: GameId) -> bool:
        """Whether a game's posts, and the thinking of its computer players, are done here."""
        if self.share is None:
            return True
        place = await self.store.games.place(game_id)
        return self.share.shard_of(place.shard_key if place is not None else 0) in self.share.served

    @asynccontextmanager
    async def post_lock(self, game_id: GameId) -> AsyncIterator[None]:
        """Held while no other bot posts about the game.

        :raises StoreLocked: one does so for too long.
        """
        if self.share is None:
            yield
            return
        end = self.share.steady() + TELLING
        while True:
            async with self.share.post_lock(game_id) as is_ours:
                if is_ours:
                    yield
                    return
            if self.share.steady() > end:
                raise StoreLocked(str(LOCKED))
            await asyncio.sleep(0.1)

    # -- opening ------------------------------------------------------------------------------------

    def lock(self, game_id: GameId) -> AbstractAsyncContextManager[None]:
        """The game's lock: one change at a time, on a server over all programs that have it open.

        Entering raises StoreLocked where another program changes the game for too long.
        """
        own, claims = self.locks.setdefault(game_id, asyncio.Lock()), self.store.backend.claims
        return own if claims is None else _both_locks(own, claims.game_lock(game_id))

    @asynccontextmanager
    async def change(self, game_id: GameId) -> AsyncIterator[None]:
        """The game's lock for a change that is saved; the front doors hear of it once the lock is free again."""
        async with self.lock(game_id):
            yield
        await self.notify(game_id)

    async def table(self, game_id: GameId) -> GameSession:
        """The game as it stands. Another program may have moved it on, so its version is always looked up.

        :raises IllegalMove: there is no such game.
        """
        found = await self.store.games.find_with_seats(game_id)
        if found is None:
            raise IllegalMove("There is no game {game}.", "", game_id)
        record, seats, has_orders = found
        seats = [present_sitter(sitting, self.clock()) for sitting in seats]
        if record.status == GameStatus.LOBBY:
            return GameSession(record, seats, None)
        known, warm = self._warm.get(game_id, ((-1, -1), None))
        if warm is None or known != (record.version, record.retold):
            warm = await self.position(record, record.version, seats)
        self._cache_position(record, record.version, warm)
        return GameSession(record, seats, warm, not has_orders)

    async def tables(self, games: Collection[GameId]) -> dict[GameId, GameSession]:
        """These games without their positions, all as they are at one moment; a game that cannot be read is left out."""
        found, now = await self.store.games.list_with_seats(games), self.clock()
        return {
            game: GameSession(record, [present_sitter(sitting, now) for sitting in seats], None)
            for game, (record, seats) in found.items()
        }

    async def titles_under_way(self) -> list[str]:
        """Lobbies count too."""
        records = [
            record
            for status in (GameStatus.RUNNING, GameStatus.LOBBY)
            for record in await self.store.games.list_all(status)
        ]
        return sorted({record.title for record in records} & self.titles.keys())

    async def require_started(self, game_id: GameId) -> tuple[GameSession, Game]:
        """A table whose game has begun.

        :raises IllegalMove: it has not, or there is no such game.
        """
        table = await self.table(game_id)
        if table.game is None:
            raise IllegalMove("This game has not begun yet.")
        return table, table.game

    def _cache_position(self, record: GameRecord, version: int, game: Game) -> None:
        self._warm[record.id] = ((version, record.retold), game)
        self._warm.move_to_end(record.id)
        while len(self._warm) > WARM_GAMES:
            self._warm.popitem(last=False)

    def forget(self, game_id: GameId) -> None:
        self._warm.pop(game_id, None)

    async def position(self, record: GameRecord, number: int, seats: Sequence[SeatRecord] | None = None) -> Game:
        """The position after a record: the nearest kept position on its line, and the moves since. A missing or
        damaged position is made again from the log, and kept.

        Players have their present names, also in old records.

        :raises IllegalMove: there is no such record.
        :raises StoreDamaged: it cannot be made again.
        """
        title = await run_in_thread(self.edition, record.title, record.rules)
        sitting = await self.store.games.seats(record.id) if seats is None else seats
        title_at = await self.title_at(record)
        way = await self.store.moves.nearest_snapshot(record.id, number)
        if way is None:
            raise IllegalMove(
                "Game {game} has no log entry {number}; it has 0 to {last}.", "", record.id, number, record.version
            )
        first, *since = way.records
        try:
            game = read_position(title_at(first.number), way.state, record, sitting)
            game.route_search = self.route_search
        except CorruptSnapshot as fault:
            game = await self._rebuild(record, number, sitting, title_at, f"position {first.number}: {fault}")
        else:
            game = await run_in_thread(replay_moves, game, since, title_at) if since else game
            if since and number == record.version:
                await self._save_rebuilt(record.id, number, game, f"position {number}: it is not kept", first.number)
        game = with_rules(game, title)
        game.route_search = self.route_search
        rename(game, sitting)
        return game

    async def title_at(self, record: GameRecord) -> TitleAt:
        """The rules by which each record of a game was made; the returned function raises NotAllowed where this
        program lacks them.

        :raises StoreDamaged: the records do not say it.
        """
        # A game goes over to newer rules only.
        eras = timeline_of(record.rules, await self.store.moves.rules_moves(record.id) if record.rules > 1 else ())
        return lambda number: self.edition(record.title, eras.version_at(number))

    async def _rebuild(
        self, record: GameRecord, number: int, seats: Sequence[SeatRecord], title_at: TitleAt, fault: str
    ) -> Game:
        """A position whose nearest kept position is of no use, made again and kept.

        :raises StoreDamaged: it cannot be made.
        """
        line = await self.store.moves.full_branch(record.id, number)
        kept = await self.store.moves.snapshots(record.id)
        game, since = await run_in_thread(rebuild, record, seats, line, kept, title_at)
        await self._save_rebuilt(record.id, number, game, fault, since)
        return game

    async def _save_rebuilt(self, game_id: GameId, number: int, position: Game, fault: str, since: int | None) -> None:
        """Keep a position that was made again, from that of the record `since` or from the beginning."""
        source = "the beginning" if since is None else f"position {since}"
        log.warning("%s; made again from %s and the log", fault, source, extra={"game": game_id, "number": number})
        try:
            await self.store.moves.put_snapshots(game_id, {number: position.encode()})
        except StoreError as error:
            log.warning("it could not be kept: %s", error, extra={"game": game_id, "number": number})

    def check(self, table: GameSession, asker: Actor | PersonId, wanted: str) -> Actor:
        """Refuse an asker without the right (`rights.RIGHTS`); returns the asker.

        :raises IllegalMove: they do not have it.
        """
        return check_right(table.record, table.seats, asker, wanted)

    async def check_ban(self, person: PersonId) -> None:
        """Refuse somebody whom the operator keeps out of open tables, seasons and messages.

        :raises IllegalMove: they do.
        """
        if await self.store.bans.has(person):
            raise IllegalMove(BANNED)

    async def check_ban_among_strangers(self, game_id: GameId, person: PersonId, name: Value = "") -> None:
        """Refuse to bring such a person, of that name, to a table that is open beyond its server, or of a season.

        :raises IllegalMove: the game is such a table.
        """
        if await self.is_kept_out(game_id, person):
            raise IllegalMove(KEPT_OUT, "", name) if name else IllegalMove(BANNED)

    async def is_kept_out(self, game_id: GameId, person: PersonId) -> bool:
        """Whether the operator keeps somebody out of this game, which is among strangers: their roles count for nothing there."""
        return await self.store.bans.has(person) and await self.store.bans.is_among_strangers(game_id)

    # -- time ---------------------------------------------------------------------------------------

    async def budgets(self, table: GameSession) -> dict[SeatNumber, Budget]:
        """Everybody's time budget; empty in a game without a clock. A running clock counts as `counted_until` says."""
        allowance, game_id = table.record.clock, table.record.id
        if allowance is None or table.game is None:
            return {}
        entries = await self.store.ledger.list_of(game_id)
        clocks = await self.store.clocks.list_of(game_id) if table.record.status == GameStatus.RUNNING else []
        now = self.now()
        moments = {clock.seat: from_timestamp(self.counted_until(clock, now)) for clock in clocks}
        return budgets_of(allowance, entries, table.seats, clocks, moments)

    # -- saving -------------------------------------------------------------------------------------

    async def save(
        self,
        table: GameSession,
        after: Game,
        records: Sequence[MoveRecord],
        asked_before: Collection[PlayerId],
        *,
        status: GameStatus,
        acted: Collection[PlayerId] = (),
        seats: Sequence[SeatRecord] | None = None,
        told: Sequence[Notice] = (),
        plan_states: Sequence[OrderRecord] = (),
        left: Sequence[LeftSeat] = (),
        cause: Cause | None = None,
        entries: Sequence[LedgerRecord] = (),
        columns: Mapping[str, Any] | None = None,
    ) -> GameSession:
        """One transaction, then memory; returns the table after it. `status` is the game's unless the rules have ended
        it; `told` and `plan_states` are further effects of plans: notices to their owners, and their new states.
        `entries` are added to the ledger of a game with a clock, beside what the moves earn; `columns` of the
        game's row change.

        :raises StalePosition: another program has saved a move of this game.
        :raises StoreError: the database did not take it; nothing has changed.
        """
        number = records[-1].number
        now = records[-1].made_at
        everybody = table.seats if seats is None else list(seats)
        status = GameStatus.FINISHED if after.state.finished else status
        is_changed = status != table.record.status
        asked = after.players_to_act() if status == GameStatus.RUNNING else ()
        lines = [line for record in records for line in record.lines]
        clocks = fresh_clocks(table.record, everybody, asked, now, number)
        restarted = [record.number for record in everybody if seat(record.number) in acted]
        waits: dict[SeatNumber, float] = {}
        if table.record.clock is not None and table.game is not None:
            waits = self._longest_waits(table, {clock.seat for clock in clocks} - {*restarted}, now)
            allowance, before = table.record.clock, table.game.copy()
            earned = await run_in_thread(earned_grants, allowance, before, records, table.seats)
            entries = [*earned, *entries]
        change = Commit(
            table.record.id,
            table.record.version,
            records,
            after.encode(),
            now,
            status=status if is_changed else None,
            clocks=clocks,
            restarted=restarted,
            notices=[
                *notices(table.record.id, everybody, after, number, lines, set(asked) - set(asked_before), now),
                *told,
            ],
            seats=seats,
            plan_states=plan_states,
            left=left,
            cause=cause,
            waits=waits,
            entries=entries,
            columns=columns or {},
        )
        await self.commit(change)
        self.note_asked(clock for clock in clocks if clock.seat in waits)
        self._cache_position(table.record, number, after)
        log.info("saved", extra={"game": table.record.id, "version": number, "kind": records[-1].kind})
        return GameSession(msgspec.structs.replace(table.record, version=number, status=status), everybody, after)

    def note_asked(self, clocks: Iterable[WaitRecord]) -> None:
        """Remember since when seats are asked by a clock that nobody sets."""
        steady = self.timekeeper.steady
        if steady is None:
            return
        for clock in clocks:
            self._asked_at[clock.game, clock.seat] = (clock.since, steady())
        while len(self._asked_at) > MOST_ASKED:
            self._asked_at.pop(next(iter(self._asked_at)))

    def counted_until(self, clock: WaitRecord, now: float) -> float:
        """The moment until which a running clock counts: it has run no longer than by a clock that nobody sets, since it
        was first seen here.
        """
        steady = self.timekeeper.steady
        if steady is None:
            return now
        known = self._asked_at.get((clock.game, clock.seat))
        if known is None or known[0] != clock.since:
            known = self._asked_at[clock.game, clock.seat] = (clock.since, steady() - max(0.0, now - clock.since))
        return min(now, clock.since + steady() - known[1])

    def _longest_waits(
        self, table: GameSession, going_on: Collection[SeatNumber], now: float
    ) -> dict[SeatNumber, float]:
        """The seats whose clocks stop now, if they run, with the time that each wait can have taken: until the answer."""
        found: dict[SeatNumber, float] = {}
        steady, late = self.timekeeper.steady, answer_latency(now)
        for held in table.seats:
            if held.number not in going_on:
                known = self._asked_at.get((table.record.id, held.number))
                if known is None or steady is None:
                    found[held.number] = UNKNOWN_WAIT
                else:
                    found[held.number] = max(0.0, steady() - known[1] - late)
        return found

    async def commit(self, change: Commit) -> None:
        try:
            await self.store.moves.commit(change)
        except Conflict as conflict:
            self.forget(change.game)
            raise StalePosition(MOVED_ON) from conflict

    async def notify(self, game_id: GameId, saved: GameSession | None = None) -> None:
        """Let the front doors post the news, even those of other bots that share the work."""
        await self.on_remote_change(game_id, saved)
        if self.share is not None:
            try:
                await self.share.news.publish(game_id)
            except StoreError as error:
                log.info("the other bots will find it without help: %s", error, extra={"game": game_id})

    async def on_remote_change(self, game_id: GameId, saved: GameSession | None = None) -> None:
        """Note that something was saved, here or by another bot. Failures in the front doors stay there: the move is
        saved.
        """
        for listener in self.listeners:
            try:
                await listener(game_id, saved)
            except Exception:
                log.exception("posting failed; the outbox keeps what was to be posted", extra={"game": game_id})


@asynccontextmanager
async def _both_locks(
    own: AbstractAsyncContextManager[None], shared: AbstractAsyncContextManager[None]
) -> AsyncIterator[None]:
    async with own, shared:
        yield


def present_sitter(record: SeatRecord, now: datetime) -> SeatRecord:
    """The seat, without a sitter whose time is over."""
    if record.sitter and not is_computer(record.sitter) and not is_in_force(record.sitter_until, LONGEST_SITTING, now):
        return msgspec.structs.replace(record, sitter="", sitter_until=None)
    return record


def fresh_clocks(
    record: GameRecord, seats: Sequence[SeatRecord], asked: Collection[PlayerId], now: float, number: int
) -> list[WaitRecord]:
    """A clock for everybody asked, started now, after record `number`."""
    clocks = []
    for sitting in seats:
        if seat(sitting.number) in asked and not acting_computer(sitting):
            clock = WaitRecord(record.id, sitting.number, now, now, 0, number, zone=sitting.zone)
            clock.quiet_from, clock.quiet_to = bounded_quiet_hours(sitting)
            clock.due_at = next_due(clock, record.pace_hours, sitting, from_timestamp(now)).timestamp()
            clocks.append(clock)
    return clocks


def notices(
    game_id: GameId,
    seats: Sequence[SeatRecord],
    after: Game,
    number: int,
    lines: Sequence[Message],
    newly_asked: Collection[PlayerId],
    now: float,
) -> list[Notice]:
    """News for all, and one question for everybody who is asked now and was not before."""
    pings = [
        Notice(game_id, number, NoticeKind.TURN, [], now, record.number)
        for record in seats
        if seat(record.number) in newly_asked and not acting_computer(record)
    ]
    return [Notice(game_id, number, NoticeKind.BOARD, list(lines), now), *pings]

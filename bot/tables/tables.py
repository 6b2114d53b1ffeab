"""Games in play: who may do what, one change at a time, saved before anybody hears of it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NoReturn

from bot.engine.actions import Action
from bot.engine.game import Game, chosen_options
from bot.engine.ids import PlayerId, seat
from bot.engine.narration import narrate, question
from bot.engine.refusals import NotAllowed, NotYourTurn, Refusal, Stale
from bot.engine.text import action_of, text_of
from bot.engine.title import Title
from bot.store import ClockRecord, Commit, GameRecord, MoveRecord, Notice, SeatRecord, Store

from .clocks import PACES, due_after, moment_of
from .reading import read

WARM_GAMES = 200
"""How many games are kept decoded."""

MOST_GAMES_PER_PERSON = 50
LONGEST_NAME = 32


@dataclass(frozen=True)
class Played:
    """What a message did: the new version, what happened in sentences, what is asked now."""

    game: int
    version: int
    actions: tuple[str, ...]
    lines: tuple[str, ...]
    question: str


@dataclass
class Table:
    """A game with its records. `game` is None in the lobby."""

    record: GameRecord
    seats: list[SeatRecord]
    game: Game | None

    def seats_of(self, person: str) -> list[PlayerId]:
        """The seats of a person."""
        return [seat(record.number) for record in self.seats if record.person == person]


class Tables:
    """The one door to all games.

    `clock` tells the time; `titles` what can be played. After every saved change `listeners` are called with the
    game's number.
    """

    def __init__(
        self, store: Store, titles: Mapping[str, Title], clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self.store = store
        self.titles = titles
        self.clock = clock
        self.listeners: list[Callable[[int], Awaitable[None]]] = []
        self._warm: OrderedDict[int, Table] = OrderedDict()
        self._locks: dict[int, asyncio.Lock] = {}

    # -- opening ------------------------------------------------------------------------------------

    def lock(self, game: int) -> asyncio.Lock:
        """The game's lock: one change at a time."""
        return self._locks.setdefault(game, asyncio.Lock())

    async def table(self, game: int) -> Table:
        """The game as it stands: from memory, or the latest snapshot.

        :raises NotAllowed: there is no such game.
        """
        warm = self._warm.get(game)
        if warm is not None:
            self._warm.move_to_end(game)
            return warm
        record = await self.store.game(game)
        if record is None:
            raise NotAllowed(f"There is no game {game}.")
        table = Table(record, await self.store.seats(game), None)
        if record.status != "lobby":
            table.game = await self.position(record, record.version)
        self._keep(table)
        return table

    def _keep(self, table: Table) -> None:
        self._warm[table.record.id] = table
        self._warm.move_to_end(table.record.id)
        while len(self._warm) > WARM_GAMES:
            self._warm.popitem(last=False)

    def forget(self, game: int) -> None:
        """Drop the game from memory; the next question reads it from the database."""
        self._warm.pop(game, None)

    async def position(self, record: GameRecord, number: int) -> Game:
        """The position after a record: the nearest snapshot of its line, and the moves since.

        :raises NotAllowed: there is no such record.
        """
        title = self.titles[record.title]
        found = await self.store.snapshot(record.id, number)
        if found is not None and found[0] == number:
            return Game.decode(title, found[1])
        every = {move.number: move for move in await self.store.moves(record.id)}
        kept = set(await self.store.snapshot_numbers(record.id))
        texts: list[str] = []
        at = number
        while at not in kept:
            move = every.get(at)
            if move is None:
                raise NotAllowed(f"Game {record.id} has no move {number}.")
            if move.kind == "move":
                texts.append(move.text)
            at = move.parent
        base = await self.store.snapshot(record.id, at)
        if base is None:
            raise NotAllowed(f"Game {record.id} has no move {number}.")
        game = Game.decode(title, base[1])
        for text in reversed(texts):
            game.apply(action_of(title, text))
        return game

    def title(self, name: str) -> Title:
        """The title of that name.

        :raises NotAllowed: it is not one that can be played.
        """
        if name not in self.titles:
            raise NotAllowed(f"There is no title {name}. There are: {', '.join(self.titles)}.")
        return self.titles[name]

    # -- lobby --------------------------------------------------------------------------------------

    async def create(
        self,
        title_name: str,
        moderator: str,
        people: Sequence[tuple[str, str]] = (),
        options: Mapping[str, str] | None = None,
        seed: int | None = None,
        pace: str = "normal",
    ) -> int:
        """Open a lobby with these (person, name) seated; returns the game's number.

        :raises NotAllowed: the title, an option or the pace is unknown, or somebody has too many games.
        """
        title = self.title(title_name)
        chosen = chosen_options(title, options or {})
        if pace not in PACES:
            raise NotAllowed(f"The pace can be: {', '.join(PACES)}.")
        running = [game for game in await self.store.games_of(moderator) if game.status != "finished"]
        if len(running) >= MOST_GAMES_PER_PERSON:
            raise NotAllowed(f"You are in {len(running)} games; {MOST_GAMES_PER_PERSON} is the limit.")
        now = self.clock().timestamp()
        if seed is None:
            seed = int(now * 1000) % 2**31
        record = GameRecord(0, title_name, chosen, seed, "lobby", moderator, PACES[pace], 0, now, now)
        first = [SeatRecord(0, number, person, clean_name(name)) for number, (person, name) in enumerate(people, 1)]
        return await self.store.add_game(record, first)

    async def join(self, game: int, person: str, name: str) -> Table:
        """Take a seat in a lobby. One person may take several (hot seat) under different names.

        :raises NotAllowed: the game has begun, is full, or has a player of that name.
        """
        async with self.lock(game):
            table = await self._lobby(game)
            name = clean_name(name)
            if any(record.name.lower() == name.lower() for record in table.seats):
                raise NotAllowed(f"There is a player called {name} already.")
            most = self.title(table.record.title).players.stop - 1
            if len(table.seats) >= most:
                raise NotAllowed(f"All {most} seats are taken.")
            table.seats.append(SeatRecord(game, len(table.seats) + 1, person, name))
            await self.store.set_seats(game, table.seats)
        return table

    async def leave(self, game: int, person: str) -> Table:
        """Give up all one's seats in a lobby.

        :raises NotAllowed: the game has begun, or the person has no seat.
        """
        async with self.lock(game):
            table = await self._lobby(game)
            left = [record for record in table.seats if record.person != person]
            if len(left) == len(table.seats):
                raise NotAllowed("You have no seat in this game.")
            table.seats = [
                SeatRecord(game, number, record.person, record.name) for number, record in enumerate(left, 1)
            ]
            await self.store.set_seats(game, table.seats)
        return table

    async def _lobby(self, game: int) -> Table:
        table = await self.table(game)
        if table.record.status != "lobby":
            raise NotAllowed("This game has begun.")
        return table

    async def start(self, game: int, person: str, order: str = "lot") -> Played:
        """Deal the seats (`lot` by the game's seed, `list` as joined) and begin.

        :raises NotAllowed: not the moderator, or the number of players does not fit.
        """
        async with self.lock(game):
            table = await self._lobby(game)
            self._check_moderator(table, person)
            if order == "lot":
                table.seats = dealt(table.seats, table.record.seed)
            title = self.title(table.record.title)
            names = [record.name for record in table.seats]
            begun = Game.new(title, names, table.record.options, table.record.seed)
            await self.store.set_seats(game, table.seats)
            now = self.clock().timestamp()
            first = MoveRecord(game, 0, -1, "start", person, "", [f"{title.name} begins."], now)
            await self.store.commit(
                Commit(
                    game,
                    0,
                    [first],
                    begun.encode(),
                    now,
                    status="running",
                    clocks=self._clocks(table, begun, []),
                    notices=self._notices(table, begun, 0, first.lines, set(), now),
                )
            )
            self.forget(game)
        await self._tell(game)
        return Played(game, 0, (), tuple(first.lines), question(begun))

    def _check_moderator(self, table: Table, person: str) -> None:
        if person != table.record.moderator:
            raise NotAllowed("Only the moderator of the game may do that.")

    # -- moves --------------------------------------------------------------------------------------

    async def play(
        self, game: int, person: str, text: str, version: int | None = None, as_moderator: bool = False
    ) -> Played:
        """Make the moves of a message: all of them, saved in one transaction, or none.

        `version` is the position that the person saw; an older one is refused. A moderator may act for others.

        :raises Refusal: with the reason; nothing has changed.
        :raises StoreError: the database did not take it; nothing has changed.
        """
        async with self.lock(game):
            table, current = await self._running(game)
            if version is not None and version != table.record.version:
                raise Stale("The game has moved on since then; look at the new position.")
            if as_moderator:
                self._check_moderator(table, person)
            actions = read(current, text)
            played = await self._commit_moves(table, current, actions, person, as_moderator)
        await self._tell(game)
        return played

    async def _running(self, game: int) -> tuple[Table, Game]:
        table = await self.table(game)
        if table.game is None:
            raise NotAllowed("This game has not begun yet.")
        if table.record.status == "paused":
            raise NotAllowed("The moderator has paused this game.")
        if table.record.status == "finished":
            raise NotAllowed("This game is over.")
        return table, table.game

    async def _commit_moves(
        self, table: Table, before: Game, actions: Sequence[Action], person: str, as_moderator: bool
    ) -> Played:
        now = self.clock().timestamp()
        version = table.record.version
        after = before.copy()
        records: list[MoveRecord] = []
        for action in actions:
            self._check_seat(table, after, action, person, as_moderator)
            happened = after.apply(action)
            lines = narrate(after, happened)
            if as_moderator:
                lines.insert(0, f"The moderator acts for {after.state.name(action.by)}.")
            number = version + len(records) + 1
            records.append(MoveRecord(table.record.id, number, number - 1, "move", person, text_of(action), lines, now))
        all_lines = [line for record in records for line in record.lines]
        if not records:
            return Played(table.record.id, version, (), (), question(after))
        await self._save(table, after, records, set(before.asked()), all_lines, now)
        texts = tuple(record.text for record in records)
        return Played(table.record.id, table.record.version, texts, tuple(all_lines), question(after))

    async def play_texts(self, game: int, person: str, texts: Sequence[str]) -> Played:
        """Make many moves in their exact text forms at once (an import), saved in one transaction.

        :raises Refusal: one is not allowed; nothing has changed.
        """
        async with self.lock(game):
            table, current = await self._running(game)
            actions = [action_of(current.title, text) for text in texts]
            played = await self._commit_moves(table, current, actions, person, False)
        await self._tell(game)
        return played

    def _check_seat(self, table: Table, game: Game, action: Action, person: str, as_moderator: bool) -> None:
        """Players act only for their own seats."""
        own = table.seats_of(person)
        if as_moderator:
            return
        if not own:
            raise NotYourTurn("You have no seat in this game.")
        decider = game.decider(action.by)
        if decider not in own:
            who = game.state.name(decider) if decider else "nobody"
            raise NotYourTurn(f"{game.state.name(action.by)} is played by {who}; {question(game)}")

    async def _save(
        self,
        table: Table,
        after: Game,
        records: Sequence[MoveRecord],
        asked_before: set[PlayerId],
        lines: Sequence[str],
        now: float,
    ) -> None:
        """One transaction, then memory."""
        number = records[-1].number
        old_clocks = await self.store.clocks(table.record.id)
        new_clocks = self._clocks(table, after, old_clocks)
        notices = self._notices(table, after, number, lines, asked_before, now)
        status = "finished" if after.state.finished else "running"
        await self.store.commit(
            Commit(
                table.record.id,
                table.record.version,
                records,
                after.encode(),
                now,
                status=status,
                clocks=new_clocks,
                notices=notices,
            )
        )
        table.game = after
        table.record.version = number
        table.record.status = status
        table.record.updated_at = now

    def _clocks(self, table: Table, game: Game, old: Sequence[ClockRecord]) -> list[ClockRecord]:
        """A clock for everybody asked; one that runs goes on."""
        running = {clock.seat: clock for clock in old}
        now = self.clock()
        clocks = []
        for record in table.seats:
            if seat(record.number) not in game.asked():
                continue
            due = due_after(now, 0, table.record.pace_hours, record, now).timestamp()
            fresh = ClockRecord(table.record.id, record.number, now.timestamp(), due)
            clocks.append(running.get(record.number, fresh))
        return clocks

    def _notices(
        self, table: Table, game: Game, number: int, lines: Sequence[str], asked_before: set[PlayerId], now: float
    ) -> list[Notice]:
        """The board for all, and one ping for everybody who is asked now and was not before."""
        notices = [Notice(table.record.id, number, "board", list(lines), now)]
        for record in table.seats:
            if seat(record.number) in game.asked() and seat(record.number) not in asked_before:
                notices.append(Notice(table.record.id, number, "turn", [question(game)], now, record.number))
        return notices

    async def _tell(self, game: int) -> None:
        for listener in self.listeners:
            await listener(game)

    # -- taking back --------------------------------------------------------------------------------

    async def undo(self, game: int, person: str) -> Played:
        """Take back one's own last move, if nobody else has moved since.

        :raises Refusal: there is none, or somebody else has moved.
        """
        async with self.lock(game):
            table = await self.table(game)
            if table.game is None or not table.seats_of(person):
                raise NotAllowed("You have nothing to take back here.")
            line = await self._line(table)
            if not line or line[-1].kind != "move":
                raise NotAllowed("There is nothing to take back.")
            if line[-1].person != person:
                self._refuse_undo(table, line[-1])
            played = await self._go_to(table, line[-1].parent, "undo", person, f"takes back: {line[-1].text}")
        await self._tell(game)
        return played

    def _refuse_undo(self, table: Table, move: MoveRecord) -> NoReturn:
        name = next((record.name for record in table.seats if record.person == move.person), "Somebody else")
        raise NotAllowed(f"{name} has moved since; only the moderator can go back further (rewind).")

    async def rewind(self, game: int, person: str, number: int) -> Played:
        """The moderator goes back to the position after a record.

        :raises Refusal: not the moderator, or no such record.
        """
        async with self.lock(game):
            table = await self.table(game)
            self._check_moderator(table, person)
            if table.game is None or number not in range(table.record.version + 1):
                raise NotAllowed(f"This game has records 0 to {table.record.version}.")
            played = await self._go_to(table, number, "rewind", person, f"goes back to move {number}.")
        await self._tell(game)
        return played

    async def _line(self, table: Table) -> list[MoveRecord]:
        """The records that led to the present position, the last 50 of them, undone ones left out."""
        every = {move.number: move for move in await self.store.moves(table.record.id, limit=200)}
        line: list[MoveRecord] = []
        at = table.record.version
        while at in every and len(line) < 50:
            move = every[at]
            if move.kind in ("move", "start"):
                line.append(move)
            at = move.parent
        return line[::-1]

    async def _go_to(self, table: Table, number: int, kind: str, person: str, what: str) -> Played:
        after = await self.position(table.record, number)
        name = next((record.name for record in table.seats if record.person == person), "The moderator")
        now = self.clock().timestamp()
        lines = [f"{name} {what}"]
        new = table.record.version + 1
        record = MoveRecord(table.record.id, new, number, kind, person, "", lines, now)
        asked = set(table.game.asked()) if table.game else set()
        await self._save(table, after, [record], asked, lines, now)
        return Played(table.record.id, new, (), tuple(lines), question(after))

    # -- moderation ---------------------------------------------------------------------------------

    async def set_status(self, game: int, person: str, status: str) -> None:
        """Pause, resume or end a game.

        :raises NotAllowed: not the moderator, or an unknown status.
        """
        if status not in ("running", "paused", "finished"):
            raise NotAllowed("A game can be running, paused or finished.")
        async with self.lock(game):
            table = await self.table(game)
            self._check_moderator(table, person)
            if table.game is None:
                raise NotAllowed("This game has not begun yet.")
            await self.store.set_game(game, status=status)
            table.record.status = status

    async def replace(self, game: int, person: str, number: int, newcomer: str, name: str) -> Table:
        """The moderator gives a seat to somebody else; the seat's name in the game follows.

        :raises NotAllowed: not the moderator, or no such seat.
        """
        async with self.lock(game):
            table = await self.table(game)
            self._check_moderator(table, person)
            record = next((record for record in table.seats if record.number == number), None)
            if record is None:
                raise NotAllowed(f"There is no seat {number}.")
            old, record.person, record.name = record.name, newcomer, clean_name(name)
            await self.store.set_seats(game, table.seats)
            if table.game is not None:
                after = table.game.copy()
                after.state.player(seat(number)).name = record.name
                now = self.clock().timestamp()
                lines = [f"{record.name} takes over from {old}."]
                new = table.record.version + 1
                move = MoveRecord(game, new, new - 1, "replace", person, "", lines, now)
                await self._save(table, after, [move], set(), lines, now)
        await self._tell(game)
        return table

    # -- reminders ----------------------------------------------------------------------------------

    async def sweep(self) -> int:
        """Put every reminder that is due into the outbox, each once; returns how many."""
        now = self.clock()
        sent = 0
        for clock in await self.store.due_clocks(now.timestamp()):
            table = await self.table(clock.game)
            record = next((record for record in table.seats if record.number == clock.seat), None)
            if record is None or table.game is None:
                continue
            following = due_after(
                moment_of(clock.since), clock.reminders + 1, table.record.pace_hours, record, now
            ).timestamp()
            lines = [question(table.game)]
            notice = Notice(clock.game, table.record.version, "reminder", lines, now.timestamp(), clock.seat)
            sent += await self.store.remind(clock, following, None if record.muted else notice)
        return sent

    async def set_quiet_hours(self, game: int, person: str, zone: str, begin: int, end: int) -> None:
        """A person's quiet hours in a game, in full hours of his time zone."""
        async with self.lock(game):
            table = await self.table(game)
            for record in table.seats:
                if record.person == person:
                    record.zone, record.quiet_from, record.quiet_to = zone, begin % 24, end % 24
            await self.store.set_seats(game, table.seats)

    # -- looking ------------------------------------------------------------------------------------

    async def history(self, game: int, limit: int = 20) -> list[MoveRecord]:
        """The latest records."""
        return await self.store.moves(game, limit=limit)

    async def actions(self, game: int) -> list[str]:
        """The text of every move that led to the present position, from the start."""
        table = await self.table(game)
        every = {move.number: move for move in await self.store.moves(game)}
        texts: list[str] = []
        at = table.record.version
        while at in every:
            if every[at].kind == "move":
                texts.append(every[at].text)
            at = every[at].parent
        return texts[::-1]

    async def doctor(self, game: int) -> str | None:
        """Replay the game from its start; the first difference from what is saved, in words, or None."""
        table = await self.table(game)
        if table.game is None:
            return None
        title = self.titles[table.record.title]
        names = [player.name for player in table.game.state.players]
        fresh = Game.new(title, names, table.record.options, table.record.seed)
        for number, text in enumerate(await self.actions(game), 1):
            try:
                fresh.apply(action_of(title, text))
            except Refusal as refusal:
                return f"game {game}, move {number} ({text}) is no longer legal: {refusal}"
        if fresh.encode() != table.game.encode():
            return f"game {game}: the replayed position differs from the saved one"
        return None


def clean_name(name: str) -> str:
    """A player's name in one line of ordinary letters.

    :raises NotAllowed: nothing is left of it.
    """
    kept = "".join(letter for letter in " ".join(name.split()) if letter.isalnum() or letter in " _-.'")
    kept = kept[:LONGEST_NAME].strip()
    if not kept:
        raise NotAllowed("A name needs letters or digits.")
    return kept


def dealt(seats: Sequence[SeatRecord], seed: int) -> list[SeatRecord]:
    """The seats in an order drawn by the seed (1848 §2.1)."""
    left, x, order = list(seats), seed, []
    while left:
        x = (1103515245 * x + 12345) % 2**31
        order.append(left.pop((x >> 8) % len(left)))
    return [
        SeatRecord(
            record.game,
            number,
            record.person,
            record.name,
            record.zone,
            record.quiet_from,
            record.quiet_to,
            record.muted,
        )
        for number, record in enumerate(order, 1)
    ]

"""Reads about games: their log, who is waited for, whose games they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from bot.engine import GameId, IllegalMove, PersonId, PlayerId, Rejected, SeatNumber, Text, seat_number
from bot.engine.games.game_record import GameRecordFile, build_game_record
from bot.engine.notation import question
from bot.engine.play import Game
from bot.i18n import tr_lines
from bot.store import GameRecord, GameStatus, MoveKind, MoveRecord, SeatRecord, StoreDamaged

from .computer_seats import is_computer
from .places import UNDER_WAY
from .reminder_times import from_timestamp, waiting_since
from .session_manager import SessionManager, present_sitter
from .snapshots import CHANGES


@dataclass(frozen=True)
class LogEntry:
    record: MoveRecord
    is_undone: bool
    names: Mapping[PlayerId, str]

    @property
    def tr_lines(self) -> list[str]:
        return tr_lines(self.record.lines, self.names)


@dataclass(frozen=True)
class PendingPlayer:
    seat: SeatRecord
    since: datetime
    reminders: int = 0


@dataclass(frozen=True)
class Status:
    """A game in a few words. `question` is empty in the lobby."""

    record: GameRecord
    seats: tuple[SeatRecord, ...]
    waiting: tuple[PendingPlayer, ...]
    question: Text

    def may_concern(self, person: PersonId) -> bool:
        """Whether the game concerns this person: they sit at it, or sit in for somebody now, or moderate it; or its
        seats cannot be read.
        """
        at_it = {self.record.moderator, *(one for held in self.seats for one in (held.person, held.sitter))}
        return not self.seats or person in at_it

    def waits_for(self, person: PersonId) -> bool:
        return any(waiting.seat.person == person for waiting in self.waiting)


@dataclass(frozen=True)
class TurnTimes:
    """A seat's time for its turns, in hours: number of turns, median, longest, total."""

    name: str
    turns: int
    median: float
    longest: float
    total: float


class Queries:
    def __init__(self, desk: SessionManager) -> None:
        self.desk = desk

    async def record(self, game_id: GameId) -> GameRecord | None:
        return await self.desk.store.games.find(game_id)

    async def record_and_seats(self, game_id: GameId) -> tuple[GameRecord, list[SeatRecord]] | None:
        """The game's record and its seats at the same moment, without sitters whose time is over; None if there is no
        such game.
        """
        found = await self.desk.store.games.find_with_seats(game_id)
        return (found[0], [present_sitter(held, self.desk.clock()) for held in found[1]]) if found else None

    async def moves_after(self, game_id: GameId, number: int) -> list[MoveRecord]:
        return await self.desk.store.moves.list_of(game_id, number)

    async def last_moves(self, game_id: GameId, person: PersonId) -> dict[PlayerId, int]:
        """The number of the last move for each seat of this person, taken back or not; -1 where there is none.

        :raises IllegalMove: there is no such game.
        """
        seats = (await self.desk.table(game_id)).seats_of(person)
        last = {player: await self.desk.store.moves.last_move_for(game_id, seat_number(player)) for player in seats}
        return {player: -1 if number is None else number for player, number in last.items()}

    async def status(self, game_id: GameId) -> Status:
        """The state of a game.

        :raises IllegalMove: there is no such game.
        """
        table = await self.desk.table(game_id)
        by_number = {record.number: record for record in table.seats}
        clocks = await self.desk.store.clocks.list_of(game_id) if table.game else []
        waiting = tuple(
            PendingPlayer(by_number[clock.seat], waiting_since(clock, self.desk.clock()), clock.reminders)
            for clock in clocks
            if clock.seat in by_number
        )
        asked = question(table.game) if table.game else ""
        return Status(table.record, tuple(table.seats), waiting, asked)

    async def asked_people(self, game_id: GameId) -> dict[str, datetime]:
        """The people who may answer for the seats that a game waits for, with the noted time since when each has been
        asked.

        :raises IllegalMove: there is no such game.
        """
        table = await self.desk.table(game_id)
        clocks = await self.desk.store.clocks.list_of(game_id) if table.record.status == GameStatus.RUNNING else []
        found: dict[str, datetime] = {}
        for clock in clocks:
            since = from_timestamp(clock.since)
            held = table.find_seat(clock.seat)
            for person in filter(None, (held.person, held.sitter) if held is not None else ()):
                found[person] = min(since, found.get(person, since))
        return found

    async def games_of(self, person: PersonId, with_finished: bool = False) -> list[Status]:
        """A person's games in every place: those that wait for them first, then the newest."""
        records = [
            record
            for record in await self.desk.store.games.list_of(person)
            if with_finished or record.status != GameStatus.FINISHED
        ]
        every = [await self._status_or_fault(record) for record in records]
        # The database knows sitters whose time is over, too: a game is theirs no more.
        found = [one for one in every if one.may_concern(person)]
        return sorted(found, key=lambda status: not status.waits_for(person))

    async def game_meant_by(self, person: PersonId) -> GameId | None:
        """The game that somebody means who writes direct messages: the only one that waits for them, else their only one under
        way. None: they have none under way.

        :raises IllegalMove: it could be several.
        """
        under_way = [one for one in await self.games_of(person) if one.record.status in UNDER_WAY]
        meant = [one for one in under_way if one.waits_for(person)] or under_way
        if len(meant) > 1:
            numbers = ", ".join(str(one.record.id) for one in meant)
            raise IllegalMove(
                "Several of your games could be meant: {games}. Press a button of that game's message, or go to its thread.",
                "",
                numbers,
            )
        return meant[0].record.id if meant else None

    async def people_around(self, person: PersonId) -> list[tuple[PersonId, str]]:
        """The people in somebody's games, themselves too, each with their names; those of the newest game first."""
        numbers = [record.id for record in await self.desk.store.games.list_of(person)]
        tables = await self.desk.tables(numbers)
        found = [
            (held.person, held.name)
            for table in (tables[number] for number in numbers if number in tables)
            if person == table.record.moderator or table.seats_of(person)
            for held in table.seats
            if held.person and not is_computer(held.person)
        ]
        return list(dict.fromkeys(found))

    async def _status_or_fault(self, record: GameRecord) -> Status:
        """The status; if a game cannot be opened, the reason in place of the question."""
        try:
            return await self.status(record.id)
        except (Rejected, StoreDamaged) as error:
            return Status(record, tuple(await self._seats_or_none(record.id)), (), error.said)

    async def _seats_or_none(self, game_id: GameId) -> list[SeatRecord]:
        try:
            return [present_sitter(held, self.desk.clock()) for held in await self.desk.store.games.seats(game_id)]
        except StoreDamaged:
            return []

    async def position_at(self, game_id: GameId, number: int | None = None) -> Game:
        """A copy of the position after a record, or of the present position, to look at or to try moves on.

        :raises IllegalMove: the game has not begun, or has no such record.
        """
        table, current = await self.desk.require_started(game_id)
        if number is None or number == table.record.version:
            return current.copy()
        return await self.desk.position(table.record, number, table.seats)

    async def log_since(self, game_id: GameId, after: int = -1) -> list[LogEntry]:
        """The log after a record; what was taken back is marked.

        :raises IllegalMove: there is no such game.
        """
        table = await self.desk.table(game_id)
        line = await self.desk.store.moves.branch_numbers(game_id, table.record.version)
        records, names = await self.desk.store.moves.list_of(game_id, after), table.names
        return [LogEntry(record, record.number not in line, names) for record in records]

    async def log_since_last_turn(self, game_id: GameId, person: PersonId) -> list[LogEntry]:
        """The log since this person's last move, or from the start.

        :raises IllegalMove: the person has no seat.
        """
        last = await self.last_moves(game_id, person)
        if not last:
            raise IllegalMove("You have no seat in this game.")
        return await self.log_since(game_id, max(last.values()))

    async def game_file(self, game_id: GameId) -> GameRecordFile:
        """The game as it was played, for files and pictures of its course.

        :raises IllegalMove: it has not begun.
        """
        table, current = await self.desk.require_started(game_id)
        return build_game_record(current, await self.actions(game_id), table.record.status == GameStatus.FINISHED)

    async def turn_times(self, game_id: GameId) -> list[TurnTimes]:
        """Everybody's time for their turns; instant moves by plans do not count, nor turns while the
        machine's clock was wrong, as far as that can be seen. Seats without a turn are left out.

        :raises IllegalMove: there is no such game.
        """
        table = await self.desk.table(game_id)
        turns = turns_of(await self.desk.store.moves.list_of(game_id), table.seats, self.desk.now())
        hours = {
            number: [(end - begin).total_seconds() / 3600 for begin, end in taken] for number, taken in turns.items()
        }
        return [
            TurnTimes(record.name, len(taken), median(taken), max(taken), sum(taken))
            for record in table.seats
            if (taken := hours[record.number])
        ]

    async def actions(self, game_id: GameId) -> list[str]:
        """The text of every move that led to the present position, from the start."""
        return [record.text for record in await self.branch_moves(game_id)]

    async def branch_moves(self, game_id: GameId) -> list[MoveRecord]:
        """Every move that led to the present position, from the start.

        :raises IllegalMove: there is no such game.
        """
        table = await self.desk.table(game_id)
        line = await self.desk.store.moves.branch_numbers(game_id, table.record.version)
        every = await self.desk.store.moves.list_of(game_id)
        return [record for record in every if record.kind in CHANGES and record.number in line]


def turns_of(
    records: Sequence[MoveRecord], seats: Sequence[SeatRecord], now: float
) -> dict[SeatNumber, list[tuple[datetime, datetime]]]:
    """When each seat was asked and answered, turn by turn, without moves by plans and without turns while the machine's clock was
    wrong, as far as that can be seen.
    """
    turns: dict[SeatNumber, list[tuple[datetime, datetime]]] = {held.number: [] for held in seats}
    mover, since, latest = None, None, 0.0
    for record in records:
        if not latest <= record.made_at <= now:
            mover, since = None, None
            continue
        latest = record.made_at
        if record.kind == MoveKind.MOVE and record.seat in turns and not record.auto and since is not None:
            if record.seat != mover:
                turns[record.seat].append((from_timestamp(since), from_timestamp(record.made_at)))
            mover = record.seat
        else:
            mover = None
        since = record.made_at
    return turns

"""Games that were played elsewhere, or are played here, go on in games of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.engine import NO_GAME, GameId, IllegalMove, PersonId, msg
from bot.engine.games.game_record import GameRecordFile
from bot.engine.play import Game, Title
from bot.service.features.lobby import Lobby
from bot.service.sessions import CHANGES, Actor, SessionManager, build_seats, fresh_clocks, notices
from bot.store import (
    SNAPSHOT_SPACING,
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
from bot.untrusted_input import MOST_MOVES

from .replay_import import ReplayedGame, replay, replay_of
from .sandbox_process import ImportProcess


class Transfer:
    """Imports and exports games. A `porter`, if given, replays games, else a thread of this process."""

    porter: ImportProcess | None = None

    def __init__(self, desk: SessionManager, lobby: Lobby) -> None:
        self.desk, self.lobby = desk, lobby

    async def clone(
        self, game_id: GameId, asker: Actor | PersonId, number: int | None = None, place: Place | None = None
    ) -> GameId:
        """Make a separate game that begins where another stands, or stood after a record, by the rules of that time;
        all seats are this person's.

        :raises IllegalMove: the game has not begun, has no such record, or this person may not look at it.
        """
        table, current = await self.desk.require_started(game_id)
        person = self.desk.check(table, asker, "copy").person
        last = table.record.version if number is None else number
        if last not in range(table.record.version + 1):
            raise IllegalMove("Game {game} has log entries 0 to {last}.", "", game_id, table.record.version)
        line = await self.desk.store.moves.branch_numbers(game_id, last)
        every = await self.desk.store.moves.list_of(game_id)
        moves = tuple(move.text for move in every if move.number in line and move.kind in CHANGES)
        names = tuple(player.name for player in current.state.players)
        record = table.record
        rules = (await self.desk.title_at(record))(last).version
        course = GameRecordFile(record.title, names, moves, record.options, record.seed, rules)
        return await self.import_game(course, person, place=place)

    async def import_game(
        self,
        course: GameRecordFile,
        moderator: PersonId,
        people: Mapping[str, PersonId] | None = None,
        pace: str = "normal",
        place: Place | None = None,
    ) -> GameId:
        """Save a game in which these moves have been made, with the place where it is played from now on, by the rules that
        the course names or the newest. `people` maps names to persons; the moderator gets the other seats. Returns
        its number.

        :raises IllegalMove: a move is not allowed, the sentence says which; or another game is played at that place.
        """
        title = self.desk.title(course.title) if course.rules is None else self.desk.edition(course.title, course.rules)
        if len(course.moves) > MOST_MOVES:
            raise IllegalMove("That game has {moves} moves; the limit is {limit}.", "", len(course.moves), MOST_MOVES)
        players = [((people or {}).get(name, moderator), name) for name in course.players]
        # A game under way goes on, though its players' names may look alike.
        seats = build_seats(title, players, str.casefold)
        record = await self.lobby.new_record(title, moderator, course.options, course.seed, pace)
        # Its moves were made elsewhere, or by others.
        record.unrated = True
        names = tuple(one.name for one in seats)
        stored = GameRecordFile(title.id, names, course.moves, record.options, record.seed, record.rules)
        change = self._change(record, seats, moderator, await self._replay(title, stored))
        try:
            game = await self.desk.store.moves.add_played_game(record, seats, replace(change, place=place))
        except PlaceTaken as taken:
            raise IllegalMove(str(taken)) from taken
        await self.desk.notify(game)
        return game

    async def _replay(self, title: Title, course: GameRecordFile) -> ReplayedGame:
        """The moves made.

        :raises IllegalMove: one is not allowed.
        """
        if self.porter is None:
            return await run_in_thread(replay, title, course, SNAPSHOT_SPACING)
        return await self.porter.run(replay_of, course, SNAPSHOT_SPACING)

    def _change(
        self, record: GameRecord, seats: Sequence[SeatRecord], person: PersonId, replayed: ReplayedGame
    ) -> Commit:
        _, first = self.lobby.build_opening(record, seats, person)
        if not replayed.moves:
            return first
        records = [
            MoveRecord(
                NO_GAME,
                number,
                number - 1,
                MoveKind.CORRECT if move.is_correction else MoveKind.MOVE,
                person,
                move.text,
                move.lines,
                first.now,
                move.seat,
            )
            for number, move in enumerate(replayed.moves, 1)
        ]
        game = Game.decode(self.desk.edition(record.title, record.rules), replayed.state)
        last = len(records)
        line = msg("A game with {number} moves was imported.", len(replayed.moves))
        return replace(
            first,
            records=[*first.records, *records],
            state=replayed.state,
            kept=replayed.kept,
            status=GameStatus.FINISHED if game.state.finished else GameStatus.RUNNING,
            clocks=fresh_clocks(record, seats, game.players_to_act(), first.now, last),
            notices=[
                Notice(NO_GAME, last, NoticeKind.TOLD, [line], first.now),
                *notices(NO_GAME, seats, game, last, [], game.players_to_act(), first.now),
            ],
        )

"""Games as files: export, and import of games that were played elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import msgspec

from bot.engine.data.actions import Action
from bot.engine.play.game import Game
from bot.engine.refusals import NotAllowed
from bot.store import SNAPSHOT_SPACING, Commit, GameRecord, MoveRecord, Place, PlaceTaken, SeatRecord
from bot.tables.acts.lobby import Lobby
from bot.tables.desk.desk import fresh_clocks, notices
from bot.tables.desk.looking import Looking
from bot.tables.desk.names import seated
from bot.tables.desk.positions import CHANGES
from bot.tables.desk.rights import Asker

from .bringing import Replayed, replay, replay_of
from .porter import Porter

LONGEST_FILE = 4 * 2**20
MOST_MOVES = 20_000


class GameFile(msgspec.Struct, tag_field="format", tag="signalbox 1"):
    """An exported game: players in seating order, the text of every move, and the version of the rules by which they were
    made, which files of 0.1.0 lack."""

    title: str
    players: list[str]
    moves: list[str]
    options: dict[str, str] = {}
    seed: int = 0
    rules: int | None = None


class Transfer(Lobby, Looking):
    """Games in and out. Where there is a `porter`, games are replayed by him, else in a thread of this process."""

    porter: Porter | None = None

    async def export(self, game: int) -> bytes:
        """The game as a JSON file.

        :raises NotAllowed: it has not begun.
        """
        table, current = await self.begun(game)
        names = [player.name for player in current.state.players]
        moves = await self.actions(game)
        record = table.record
        file = GameFile(record.title, names, moves, record.options, record.seed, record.rules)
        return msgspec.json.format(msgspec.json.encode(file), indent=1)

    async def import_file(self, data: bytes, moderator: str, people: Mapping[str, str] | None = None) -> int:
        """Continue an exported game here. `people` says who plays whom, by name; the moderator gets the other seats.

        :raises NotAllowed: the file is none of ours, or holds a move that is not allowed.
        """
        if len(data) > LONGEST_FILE:
            raise NotAllowed(f"That file is too long; at most {LONGEST_FILE // 2**20} MiB are read.")
        try:
            file = msgspec.json.decode(data, type=GameFile)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise NotAllowed(f"That is no game exported by Signalbox: {error}.") from error
        seats = [((people or {}).get(name, moderator), name) for name in file.players]
        game = file.title, moderator, seats, file.moves, file.options, file.seed
        *older, last = self._versions(file)
        for rules in older:
            with suppress(NotAllowed):
                return await self.import_game(*game, rules=rules)
        return await self.import_game(*game, rules=last)

    def _versions(self, file: GameFile) -> list[int]:
        """The versions of the rules by which the file may have been played, the oldest first.

        :raises NotAllowed: there is no such title.
        """
        if file.rules is not None:
            return [file.rules]
        older = sorted(version for title, version in self.editions if title == file.title)
        return [*older, self.title(file.title).version]

    async def clone(self, game: int, asker: Asker | str, number: int | None = None, place: Place | None = None) -> int:
        """A game of its own that begins where another stands, or stood after a record, by the rules of then; all seats are
        this person's.

        :raises NotAllowed: the game has not begun, has no such record, or is none that this person can look at.
        """
        table, current = await self.begun(game)
        person = self.check(table, asker, "copy").person
        last = table.record.version if number is None else number
        if last not in range(table.record.version + 1):
            raise NotAllowed(f"Game {game} has records 0 to {table.record.version}.")
        line = await self.store.line_numbers(game, last)
        every = await self.store.moves(game)
        moves = [move.text for move in every if move.number in line and move.kind in CHANGES]
        seats = [(person, player.name) for player in current.state.players]
        record = table.record
        rules = (await self.title_at(record))(last).version
        return await self.import_game(
            record.title, person, seats, moves, record.options, record.seed, place=place, rules=rules
        )

    async def import_game(
        self,
        title_name: str,
        moderator: str,
        people: Sequence[tuple[str, str]],
        moves: Sequence[str | Action],
        options: Mapping[str, str] | None = None,
        seed: int = 0,
        pace: str = "normal",
        place: Place | None = None,
        rules: int | None = None,
    ) -> int:
        """Save a game in which these moves have been made, seats in this order, with the place where it is played from
        now on, by that version of the rules or the newest; returns its number.

        :raises NotAllowed: a move is not allowed, the sentence says which; or another game is played at that place.
        """
        title = self.title(title_name) if rules is None else self.edition(title_name, rules)
        if len(moves) > MOST_MOVES:
            raise NotAllowed(f"That game has {len(moves)} moves; {MOST_MOVES} is the limit.")
        seats = seated(title, people)
        record = await self.new_record(title, moderator, options or {}, seed, pace)
        replayed = await self._replayed(record, seats, moves)
        change = self._change(record, seats, moderator, replayed)
        try:
            game = await self.store.add_played_game(record, seats, replace(change, place=place))
        except PlaceTaken as taken:
            raise NotAllowed(str(taken)) from taken
        await self.tell(game)
        return game

    async def _replayed(
        self, record: GameRecord, seats: Sequence[SeatRecord], moves: Sequence[str | Action]
    ) -> Replayed:
        """The moves made.

        :raises NotAllowed: one is not allowed.
        """
        game = [one.name for one in seats], record.options, record.seed, moves, SNAPSHOT_SPACING
        if self.porter is None:
            return await asyncio.to_thread(replay, self.edition(record.title, record.rules), *game)
        return await self.porter.run(replay_of, record.title, record.rules, *game)

    def _change(self, record: GameRecord, seats: Sequence[SeatRecord], person: str, replayed: Replayed) -> Commit:
        """All that must be saved of a game with these moves."""
        _, first = self.opening(record, seats, person)
        if not replayed.moves:
            return first
        records = [
            MoveRecord(
                0,
                number,
                number - 1,
                "correct" if move.is_correction else "move",
                person,
                move.text,
                move.lines,
                first.now,
                move.seat,
            )
            for number, move in enumerate(replayed.moves, 1)
        ]
        game = Game.decode(self.edition(record.title, record.rules), replayed.state)
        last = len(records)
        line = f"A game with {len(replayed.moves)} moves has been brought here."
        return replace(
            first,
            records=[*first.records, *records],
            state=replayed.state,
            kept=replayed.kept,
            status="finished" if game.state.finished else "running",
            clocks=fresh_clocks(record, seats, game.asked(), first.now, last),
            notices=notices(0, seats, game, last, [line], game.asked(), first.now),
        )

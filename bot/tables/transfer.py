"""Games as files: export, and import of games that were played elsewhere."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec

from bot.engine.actions import Action
from bot.engine.corrections import correct, is_correction
from bot.engine.game import Game
from bot.engine.ids import seat
from bot.engine.narration import narrate
from bot.engine.refusals import NotAllowed, Refusal
from bot.engine.text import action_of, text_of
from bot.store import SNAPSHOT_SPACING, Commit, GameRecord, MoveRecord, Place, PlaceTaken, SeatRecord

from .desk import fresh_clocks, notices
from .lobby import Lobby
from .looking import Looking
from .names import seated
from .play import plain_sentence
from .positions import CHANGES
from .rights import Asker

LONGEST_FILE = 4 * 2**20
MOST_MOVES = 20_000


class GameFile(msgspec.Struct, tag_field="format", tag="signalbox 1"):
    """An exported game: players in seating order, and the text of every move."""

    title: str
    players: list[str]
    moves: list[str]
    options: dict[str, str] = {}
    seed: int = 0


class Transfer(Lobby, Looking):
    """Games in and out."""

    async def export(self, game: int) -> bytes:
        """The game as a JSON file.

        :raises NotAllowed: it has not begun.
        """
        table, current = await self.begun(game)
        names = [player.name for player in current.state.players]
        moves = await self.actions(game)
        file = GameFile(table.record.title, names, moves, table.record.options, table.record.seed)
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
        return await self.import_game(file.title, moderator, seats, file.moves, file.options, file.seed)

    async def clone(self, game: int, asker: Asker | str, number: int | None = None, place: Place | None = None) -> int:
        """A game of its own that begins where another stands, or stood after a record; all seats are this person's.

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
        return await self.import_game(record.title, person, seats, moves, record.options, record.seed, place=place)

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
    ) -> int:
        """Save a game in which these moves have been made, seats in this order, with the place where it is played from
        now on; returns its number.

        :raises NotAllowed: a move is not allowed, the sentence says which; or another game is played at that place.
        """
        title = self.title(title_name)
        if len(moves) > MOST_MOVES:
            raise NotAllowed(f"That game has {len(moves)} moves; {MOST_MOVES} is the limit.")
        seats = seated(title, people)
        record = await self.new_record(title, moderator, options or {}, seed, pace)
        change = await asyncio.to_thread(self._played, record, seats, moderator, moves)
        try:
            game = await self.store.add_played_game(record, seats, replace(change, place=place))
        except PlaceTaken as taken:
            raise NotAllowed(str(taken)) from taken
        await self.tell(game)
        return game

    def _played(
        self, record: GameRecord, seats: Sequence[SeatRecord], person: str, moves: Sequence[str | Action]
    ) -> Commit:
        """All that must be saved of a game with these moves."""
        game, first = self.opening(record, seats, person)
        if not moves:
            return first
        records, kept = list(first.records), {0: game.encode()}
        for number, move in enumerate(moves, 1):
            records.append(follow(game, number, move, records[0].made_at, person))
            if number % SNAPSHOT_SPACING == 0 and number < len(moves):
                kept[number] = game.encode()
        line = f"A game with {len(moves)} moves has been brought here."
        return replace(
            first,
            records=records,
            state=game.encode(),
            kept=kept,
            status="finished" if game.state.finished else "running",
            clocks=fresh_clocks(record, seats, game.asked(), first.now, records[-1].number),
            notices=notices(0, seats, game, records[-1].number, [line], game.asked(), first.now),
        )


def follow(game: Game, number: int, move: str | Action, now: float, person: str) -> MoveRecord:
    """Make one move of a file and return its record.

    :raises NotAllowed: it is not allowed, or cannot be read.
    """
    if isinstance(move, str) and is_correction(move):
        line = f"A correction: {correct(game, move)}."
        return MoveRecord(0, number, number - 1, "correct", person, move, [line], now)
    try:
        action = action_of(game.title, move) if isinstance(move, str) else move
        decider = game.decider(action.by)
        lines = narrate(game, game.apply(action)) or [plain_sentence(game, action)]
    except Refusal as refusal:
        raise NotAllowed(f"Move {number} ({move if isinstance(move, str) else text_of(move)}): {refusal}") from refusal
    at = next((place for place, player in enumerate(game.state.players, 1) if seat(place) == decider), None)
    return MoveRecord(0, number, number - 1, "move", person, text_of(action), lines, now, at)

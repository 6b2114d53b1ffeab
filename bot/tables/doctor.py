"""Replaying stored games by today's rules: where is the first difference from what was saved?"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from bot.engine.corrections import redo
from bot.engine.game import Game
from bot.engine.refusals import Refusal
from bot.engine.title import Title
from bot.store import GameRecord, MoveRecord, SeatRecord, StoreDamaged

from .desk import CHANGES, rename
from .looking import Looking


@dataclass(frozen=True)
class Report:
    """What the doctor found in one game. `number` is the first record that differs, None when none does.

    `since` is the last record before it whose position was compared and found equal.
    """

    game: int
    moves: int
    number: int | None = None
    since: int = 0
    fault: str = ""

    @property
    def is_well(self) -> bool:
        """Whether the replay gave what was saved."""
        return not self.fault

    def __str__(self) -> str:
        """One line for the operator."""
        if self.is_well:
            return f"game {self.game}: {self.moves} moves, all well"
        where = f"move {self.number}" if self.number is not None else "the start"
        return f"game {self.game}: {where}: {self.fault}"


class Doctor(Looking):
    """Checks of what is stored."""

    async def doctor(self, game: int) -> str | None:
        """The first difference between a replay and what is saved, in words, or None."""
        report = await self.examine(game)
        return None if report.is_well else str(report)

    async def examine_all(self, with_finished: bool = True) -> list[Report]:
        """Every game that has begun, the oldest first."""
        records = [record for record in await self.store.games() if record.status != "lobby"]
        wanted = [record.id for record in records if with_finished or record.status != "finished"]
        return [await self.examine(game) for game in reversed(wanted)]

    async def examine(self, game: int) -> Report:
        """Replay one game from its first move and compare every position that is kept.

        :raises NotAllowed: there is no such game.
        """
        found = await self.store.game_and_seats(game)
        if found is None or found[0].status == "lobby":
            return Report(game, 0)
        record, seats = found
        standing = await self.store.line_numbers(game, record.version)
        line = [move for move in await self.store.moves(game) if move.number in standing]
        try:
            editions = self._editions(record, line)
        except Refusal as refusal:
            return Report(game, len(line), None, 0, str(refusal))
        kept: dict[int, bytes] = {}
        for number in await self.store.snapshot_numbers(game):
            try:
                state = await self.store.snapshot(game, number) if number in standing else None
            except StoreDamaged as damage:
                return Report(game, len(line), number, 0, str(damage))
            if state is not None:
                kept[number] = state
        return await asyncio.to_thread(examine, editions, record, seats, line, kept)

    def _editions(self, record: GameRecord, line: Sequence[MoveRecord]) -> dict[int, Title]:
        """By which rules the game was played, from which record on.

        :raises NotAllowed: this program does not have them.
        """
        changes = [move for move in line if move.kind == "rules"]
        first = int(changes[0].text.split()[0]) if changes else record.rules
        later = {move.number: self.edition(record.title, int(move.text.split()[1])) for move in changes}
        return {0: self.edition(record.title, first), **later}

    async def examine_by(self, game: int, title: Title) -> Report:
        """As `examine`, with the whole game replayed by these rules."""
        found = await self.store.game_and_seats(game)
        if found is None:
            return Report(game, 0)
        record, seats = found
        standing = await self.store.line_numbers(game, record.version)
        line = [move for move in await self.store.moves(game) if move.number in standing]
        numbers = [number for number in await self.store.snapshot_numbers(game) if number in standing]
        kept = {number: state for number in numbers if (state := await self.store.snapshot(game, number))}
        return await asyncio.to_thread(examine, {0: title}, record, seats, line, kept)


def examine(
    editions: Mapping[int, Title],
    record: GameRecord,
    seats: Sequence[SeatRecord],
    line: Sequence[MoveRecord],
    kept: Mapping[int, bytes],
) -> Report:
    """Replay the records of a line, in order, and compare the positions that are kept, by number."""
    moves = sum(move.kind == "move" for move in line)
    title = editions[0]
    try:
        game = Game.new(title, [seat.name for seat in seats], record.options, record.seed)
    except Refusal as refusal:
        return Report(record.id, moves, None, 0, f"cannot be set up any more: {refusal}")
    since = 0
    for move in line:
        if move.number and move.number in editions:
            title = editions[move.number]
            game = Game.decode(title, game.encode())
        try:
            if move.kind in CHANGES:
                redo(game, move.text, was_accepted=True)
        except Refusal as refusal:
            return Report(record.id, moves, move.number, since, f"{move.text} is no longer allowed: {refusal}")
        except Exception as error:
            # Whatever a rule raises is a finding here: the other games are still to be examined.
            return Report(record.id, moves, move.number, since, f"{move.text} fails: {type(error).__name__}: {error}")
        if move.number in kept:
            fault = difference(title, kept[move.number], game, seats)
            if fault:
                between = f" (the positions after {since} were not kept)" if move.number - since > 1 else ""
                return Report(record.id, moves, move.number, since, f"{fault}{between}")
            since = move.number
    return Report(record.id, moves)


def difference(title: Title, state: bytes, game: Game, seats: Sequence[SeatRecord]) -> str:
    """The first part of the state that differs from the kept one, in words; empty when none does."""
    try:
        saved = Game.decode(title, state)
    except msgspec.DecodeError as error:
        return f"the kept position cannot be read: {error}"
    rename(saved, seats)
    if saved.encode() == game.encode():
        return ""
    before, now = msgspec.to_builtins(saved.state), msgspec.to_builtins(game.state)
    return first_difference(before, now, "state")


def first_difference(saved: object, replayed: object, path: str) -> str:
    """Where two plain values part: `state.cash.VR: 40 was saved, 60 is replayed`."""
    if isinstance(saved, dict) and isinstance(replayed, dict) and list(saved) == list(replayed):
        pairs = [(f"{path}.{key}", saved[key], replayed[key]) for key in saved]
    elif isinstance(saved, list | tuple) and isinstance(replayed, list | tuple) and len(saved) == len(replayed):
        pairs = [(f"{path}[{place}]", saved[place], replayed[place]) for place in range(len(saved))]
    else:
        return "" if saved == replayed else f"{path}: {saved!r} was saved, {replayed!r} is replayed"
    return next((found for where, one, other in pairs if (found := first_difference(one, other, where))), "")

"""The version of the rules by which a game is played: the version it began with, until its moderator agrees to
another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.engine import GameId, IllegalMove, Message, PersonId, msg
from bot.engine.notation import question
from bot.engine.play import Game
from bot.i18n import tr_lines
from bot.service.sessions import (
    Actor,
    CorruptSnapshot,
    MoveResult,
    SessionManager,
    as_actor,
    check_right,
    display_name,
    read_position,
    with_rules,
)
from bot.store import Commit, GameRecord, GameStatus, MoveKind, MoveRecord, SeatRecord

from .doctor import IntegrityChecker
from .findings import IntegrityReport


@dataclass(frozen=True)
class RulesChange:
    """The effect of moving a game to the newest rules: its versions, and the first difference of a replay."""

    old: int
    new: int
    report: IntegrityReport

    @property
    def message(self) -> Message:
        if self.report.is_healthy:
            return msg("Replaying under version {new} of the rules gives the same game.", self.new)
        return msg(
            "Under version {new} of the rules the game would have gone differently: {report}",
            self.new,
            str(self.report),
        )


class RulesUpgrade:
    def __init__(self, desk: SessionManager, doctor: IntegrityChecker) -> None:
        self.desk, self.doctor = desk, doctor

    async def rules_change(self, game_id: GameId, asker: Actor | PersonId) -> RulesChange:
        """The difference that the newest rules would have made in a game.

        :raises IllegalMove: not the moderator, or the game is played by them already.
        """
        record, _ = await self._load_for_moderator(game_id, asker)
        newest = self.desk.title(record.title)
        if record.rules == newest.version:
            raise IllegalMove("This game already uses the newest version of the rules, {version}.", "", record.rules)
        return RulesChange(record.rules, newest.version, await self.doctor.examine_by(game_id, newest))

    async def upgrade_rules(self, game_id: GameId, asker: Actor | PersonId, agrees: bool = False) -> MoveResult:
        """Let a game go on by the newest rules, from its present position. If the replay differs, the moderator has to
        agree.

        :raises IllegalMove: with the first difference.
        """
        async with self.desk.change(game_id):
            change = await self.rules_change(game_id, asker)
            if not change.report.is_healthy and not agrees:
                raise IllegalMove("{change} If you agree, the game continues under them from here.", "", change.message)
            record, seats = await self._load_for_moderator(game_id, asker)
            after = await self._upgraded_position(record, seats)
            number = record.version + 1
            name = display_name(record, seats, asker)
            line = msg(
                "{name} moves the game from version {old} to version {new} of the rules.", name, change.old, change.new
            )
            text = f"{change.old} {change.new}"
            entry = MoveRecord(
                game_id, number, number - 1, MoveKind.RULES, as_actor(asker).person, text, [line], self.desk.now()
            )
            await self.desk.commit(
                Commit(game_id, record.version, [entry], after.encode(), self.desk.now(), rules=change.new)
            )
            self.desk.forget(game_id)
        return MoveResult(game_id, number, (), tuple(tr_lines([line], after.state.names)), question(after))

    async def _load_for_moderator(
        self, game_id: GameId, asker: Actor | PersonId
    ) -> tuple[GameRecord, list[SeatRecord]]:
        """A game that has begun, without its position, which today's program may not be able to read.

        :raises IllegalMove: it has not begun, or the person does not moderate it.
        """
        found = await self.desk.store.games.find_with_seats(game_id)
        if found is None or found[0].status == GameStatus.LOBBY:
            raise IllegalMove("This game has not begun yet.")
        check_right(*found[:2], asker, "rules")
        return found[:2]

    async def _upgraded_position(self, record: GameRecord, seats: Sequence[SeatRecord]) -> Game:
        """The present position, read by the newest rules. A kept position of no use is made again by its own rules.

        :raises IllegalMove: this program does not have those.
        :raises StoreDamaged: it cannot be made again.
        """
        newest = self.desk.title(record.title)
        kept = await self.desk.store.moves.snapshots(record.id)
        try:
            return read_position(newest, kept.get(record.version), record, seats)
        except CorruptSnapshot as fault:
            if (record.title, record.rules) not in self.desk.editions:
                raise IllegalMove("The current position is not saved; run: signalbox doctor.") from fault
            return with_rules(await self.desk.position(record, record.version, seats), newest)

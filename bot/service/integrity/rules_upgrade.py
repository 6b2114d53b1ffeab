"""By which version of the rules a game is played: the one it began with, until its moderator agrees to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.engine.message import Message, said
from bot.engine.notation.messages import question
from bot.engine.play.game import Game
from bot.engine.refusals import IllegalMove
from bot.i18n import shown
from bot.service.sessions.rights import Actor, asking, check_right, known_as
from bot.service.sessions.session_manager import MoveResult, SessionManager
from bot.service.sessions.snapshots import CorruptSnapshot, by_rules, read_position
from bot.store import Commit, GameRecord, MoveRecord, SeatRecord

from .doctor import IntegrityChecker
from .findings import IntegrityReport


@dataclass(frozen=True)
class RulesChange:
    """What moving a game to the newest rules would mean: its versions, and the first difference of a replay."""

    old: int
    new: int
    report: IntegrityReport

    @property
    def said(self) -> Message:
        """What it would mean, in a sentence."""
        if self.report.is_well:
            return said("Replaying by version {new} of the rules gives the same game.", self.new)
        sentence = "Replayed by version {new} of the rules, the game would have differed: {report}"
        return said(sentence, self.new, str(self.report))


class RulesUpgrade:
    """Games and the rules they were begun by."""

    def __init__(self, desk: SessionManager, doctor: IntegrityChecker) -> None:
        self.desk, self.doctor = desk, doctor

    async def rules_change(self, game: int, asker: Actor | str) -> RulesChange:
        """What the newest rules would have changed in a game.

        :raises IllegalMove: not the moderator, or the game is played by them already.
        """
        record, _ = await self._moderated(game, asker)
        newest = self.desk.title(record.title)
        if record.rules == newest.version:
            raise IllegalMove("This game already uses the newest version of the rules, {version}.", "", record.rules)
        return RulesChange(record.rules, newest.version, await self.doctor.examine_by(game, newest))

    async def move_rules(self, game: int, asker: Actor | str, agrees: bool = False) -> MoveResult:
        """Let a game go on by the newest rules, from its present position. Where the replay differs, the moderator has
        to agree.

        :raises IllegalMove: with the first difference.
        """
        async with self.desk.lock(game):
            change = await self.rules_change(game, asker)
            if not change.report.is_well and not agrees:
                raise IllegalMove("{change} If you agree, the game continues by them from here.", "", change.said)
            record, seats = await self._moderated(game, asker)
            after = await self._by_newest(record, seats)
            number = record.version + 1
            name = known_as(record, seats, asker)
            line = said(
                "{name} moves the game from version {old} to version {new} of the rules.", name, change.old, change.new
            )
            text = f"{change.old} {change.new}"
            entry = MoveRecord(game, number, number - 1, "rules", asking(asker).person, text, [line], self.desk.now())
            await self.desk.commit(
                Commit(game, record.version, [entry], after.encode(), self.desk.now(), rules=change.new)
            )
            self.desk.forget(game)
        await self.desk.tell(game)
        return MoveResult(game, number, (), tuple(shown([line], after.state.names)), question(after))

    async def _moderated(self, game: int, asker: Actor | str) -> tuple[GameRecord, list[SeatRecord]]:
        """A game that has begun, without its position, which today's program may not be able to read.

        :raises IllegalMove: it has not begun, or the person does not moderate it.
        """
        found = await self.desk.store.game_and_seats(game)
        if found is None or found[0].status == "lobby":
            raise IllegalMove("This game has not begun yet.")
        check_right(*found[:2], asker, "rules")
        return found[:2]

    async def _by_newest(self, record: GameRecord, seats: Sequence[SeatRecord]) -> Game:
        """The present position, read by the newest rules. Where the kept one is of no use, it is made again by its own.

        :raises IllegalMove: this program does not have those.
        :raises StoreDamaged: it cannot be made again.
        """
        newest = self.desk.title(record.title)
        kept = await self.desk.store.kept(record.id)
        try:
            return read_position(newest, kept.get(record.version), record, seats)
        except CorruptSnapshot as fault:
            if (record.title, record.rules) not in self.desk.editions:
                raise IllegalMove("The current position is not saved; run: signalbox doctor.") from fault
            return by_rules(await self.desk.position(record, record.version, seats), newest)

"""Replaying a game of 18xx.games: every action checked by our rules, every revenue recomputed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ..actions import Action, Answer, Pass
from ..game import Game
from ..ids import Owner, PlayerId, seat
from ..refusals import Refusal
from ..state import StockTurnMemory, TurnMemory
from ..title import Title
from .history import IGNORED, BadLog, Log, RawAction, effective_actions, flattened


class Divergence(Exception):
    """Our game differs from the file: at which action (counted from 1, with its id), what was expected, what we have."""

    def __init__(self, number: int, action_id: Any, what: str, expected: Any, actual: Any) -> None:
        super().__init__(f"action {number} (id {action_id}): {what}: expected {expected!r}, got {actual!r}")
        self.number = number
        self.action_id = action_id
        self.what = what
        self.expected = expected
        self.actual = actual


class Dialect(Protocol):
    """How one title's logs are read. `steps` gives our name for steps of theirs."""

    steps: Mapping[str, str]

    def options(self, log: Log) -> Mapping[str, str]:
        """The options under which 18xx.games played."""

    def is_silent(self, raw: RawAction) -> bool:
        """Whether what the file records happens by itself here."""

    def debt(self, game: Game, player: PlayerId) -> int:
        """What 18xx.games takes off the player's cash as owed."""

    def more_of_the_state(self, replay: Replay) -> dict[str, Any]:
        """Parts of a recorded state that only this title has."""

    def translate(self, replay: Replay, raw: RawAction) -> Action:
        """Our action.

        :raises BadLog: the title knows no such action.
        """


@dataclass
class Step:
    """One action of the file: its number, its raw form, what it became here."""

    number: int
    raw: RawAction
    actions: list[Action]


class Replay:
    """A game that follows a file action by action. `tile_places` knows where each numbered tile piece lies."""

    def __init__(self, title: Title, dialect: Dialect, log: Log) -> None:
        self.log = log
        self.dialect = dialect
        self.seats = {player: seat(number) for number, (player, _) in enumerate(log.players, 1)}
        self.game = Game.new(
            title, [name for _, name in log.players], log.own_options or dialect.options(log), log.seed
        )
        self.effective = effective_actions(log.actions)
        self.tile_places: dict[str, str] = {}
        self.seen_shares: set[str] = set()
        self.taken: list[Action] = []
        self.ended_by_hand = False
        self.number = 0
        self.raw: RawAction = {}

    def steps(self, upto: int | None = None) -> Iterator[Step]:
        """Apply the file's actions one by one, at most `upto` of them.

        :raises Divergence: our rules refuse one.
        """
        for number, raw in enumerate(self.effective[:upto], 1):
            self.number, self.raw = number, raw
            before = len(self.taken)
            for part in flattened(raw):
                self._follow(part)
            yield Step(number, raw, self.taken[before:])

    def run(self) -> Game:
        """Follow the whole file and compare the result.

        :raises Divergence: as `steps`, or the final totals differ.
        """
        for _ in self.steps():
            pass
        self.check_result()
        return self.game

    def check_result(self) -> None:
        """Compare the final totals with the file's.

        :raises Divergence: they differ, or our game has not ended.
        """
        if not self.ended_by_hand:
            self.finish_turn()
            if not self.game.state.finished:
                raise Divergence(self.number, self.raw.get("id"), "end of the game", "finished", self.game.state.round)
        totals = {player: self.game.title.rules.worth(self.game, place) for player, place in self.seats.items()}
        for player, expected in self.log.result.items():
            if totals.get(player) != expected:
                raise Divergence(
                    self.number, self.raw.get("id"), f"result of player {player}", expected, totals.get(player)
                )

    def finish_turn(self) -> None:
        """Pass for a company whose last passes the file took silently."""
        while not self.game.state.finished and self._may_pass():
            self.pass_once()

    def pass_once(self) -> None:
        """Pass for whoever is in turn.

        :raises Divergence: that is not allowed.
        """
        self._apply(Pass(self.game.frame.entity or Owner("")))

    def player(self, raw: Any) -> PlayerId:
        """The seat of a player of the file.

        :raises BadLog: there is no such player.
        """
        if str(raw) not in self.seats:
            raise BadLog(f"there is no player {raw}")
        return self.seats[str(raw)]

    # -- following ----------------------------------------------------------------------------------

    def _follow(self, raw: RawAction) -> None:
        kind = str(raw["type"])
        if kind in IGNORED or kind.startswith("program_"):
            return
        if kind == "end_game":
            self.ended_by_hand = True
            return
        if kind == "pass" and raw.get("entity_type") != "player":
            return
        if kind == "signalbox":
            self._force(Answer(self.game.asked()[0], bool(raw.get("agree"))))
            return
        if self.dialect.is_silent(raw):
            return
        if kind == "lay_tile":
            self.tile_places[str(raw["tile"])] = str(raw["hex"])
        self.pass_until(raw)
        self._force(self.dialect.translate(self, raw))

    def pass_until(self, raw: RawAction) -> None:
        """Let companies and players that are still in turn end it, when the file has gone on to somebody else.

        18xx.games passes silently for a player who can do nothing.
        """
        while self._may_pass() and not self._is_in_turn(raw):
            self.pass_once()

    def _is_in_turn(self, raw: RawAction) -> bool:
        if raw.get("entity_type") == "company":
            company = self.company_in_turn()
            return (
                company is None
                or not isinstance(self.game.frame.memory, TurnMemory)
                or company == self.game.frame.entity
            )
        if raw.get("entity_type") == "player":
            return self.player(raw["entity"]) in self.game.asked() and not isinstance(
                self.game.frame.memory, TurnMemory
            )
        return str(raw["entity"]) == self.game.frame.entity

    def company_in_turn(self) -> str | None:
        """The company during whose turn the present action of the file is taken: the next one that acts itself."""
        later = (raw for raw in self.effective[self.number :] if raw.get("entity_type") == "corporation")
        return next((str(raw["entity"]) for raw in later), None)

    def _may_pass(self) -> bool:
        if self.game.state.finished or not isinstance(self.game.frame.memory, TurnMemory | StockTurnMemory):
            return False
        step = self.game.step
        return step is not None and Pass in step.verbs

    def _force(self, action: Action) -> None:
        """Apply the action, passing over decisions of the same company that the file did not take."""
        while True:
            try:
                self.game.check(action)
            except Refusal as refusal:
                if not self._may_pass() or action.by != self.game.frame.entity:
                    raise Divergence(self.number, self.raw.get("id"), "legality", action, str(refusal)) from refusal
                self.pass_once()
                if self.game.state.finished or self.game.frame.entity != action.by:
                    raise Divergence(self.number, self.raw.get("id"), "legality", action, str(refusal)) from refusal
            else:
                self._apply(action)
                return

    def _apply(self, action: Action) -> None:
        try:
            self.game.apply(action)
        except Refusal as refusal:
            raise Divergence(self.number, self.raw.get("id"), "legality", action, str(refusal)) from refusal
        self.taken.append(action)

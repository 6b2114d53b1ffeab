"""Replaying a game of 18xx.games: every action checked by our rules, every revenue recomputed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from bot.engine import Owner, PlayerId, Rejected, SeatNumber, seat
from bot.engine.games.corrections import apply_correction
from bot.engine.notation import format_action
from bot.engine.play import Game, Title
from bot.engine.play import Step as Taker
from bot.engine.state import (
    Action,
    Answer,
    Dividend,
    Memory,
    OperatingRoundMemory,
    Pass,
    Round,
    RoutesRun,
    RunRoutes,
    TurnMemory,
    Withdraw,
)

from .ability_users import may_use, may_use_in_stock_turn, sells_for_company
from .certificate_ids import TrainNumbers
from .dialect import Dialect, missing_rules, options_of, rename_privates
from .divergence import Divergence, RevenueNote
from .file_format import InvalidLog, Log, RawAction, effective_actions, flatten_action, says_nothing
from .game_end import check, finish
from .native_moves import follow, is_ours
from .turn_tracker import FileTurn, has_choice, is_of_turn, may_pass

COMPANY_ACTIONS = frozenset(
    {"lay_tile", "place_token", "run_routes", "dividend", "buy_train", "take_loan", "buy_company"}
)
"""Actions by which a company's turn shows that the previous turn is over."""


@dataclass
class ReplayStep:
    number: int
    raw: RawAction
    actions: list[Action]


class LogReplay:
    """A game that follows a file action by action.

    `tile_places` knows the hex of each numbered tile piece, `trains` which train has which number, `taken` are our
    actions so far, `told` these and the texts of corrections between them, `notes` say where the file's revenues are not
    ours. With `keeps_before` the position before the last action is kept in `before_last`. `watchers` see each action
    before it is applied. `present` is the memory of the turn in which the file's company acts, `excused` are players
    and companies whose pass has been taken for the end of a turn that was over here.

    :raises IllegalMove: the number of players does not fit the title.
    :raises InvalidLog: undo and redo do not fit together.
    """

    def __init__(self, title: Title, dialect: Dialect, log: Log) -> None:
        self.log = log
        self.dialect = dialect
        self.seats = {player: seat(SeatNumber(number)) for number, (player, _) in enumerate(log.players, 1)}
        self.game = Game.new(
            title, [name for _, name in log.players], log.own_options or options_of(dialect, log), log.seed
        )
        self.names = {place: player for player, place in self.seats.items()}
        known = title.privates.keys()
        own_names = {named: sign for sign, named in dialect.private_names.items() if named not in known}
        self.effective = [rename_privates(raw, own_names) for raw in effective_actions(log.actions)]
        self.tile_places: dict[str, str] = {}
        self.trains = TrainNumbers()
        self.seen_shares = set(dialect.given)
        self.taken: list[Action] = []
        self.told: list[Action | str] = []
        self.notes: list[RevenueNote] = []
        self.watchers: list[Callable[[Action], None]] = []
        self.keeps_before = False
        self.before_last = b""
        self.round_before = Round("")
        self.ended_by_hand = False
        self.number = 0
        self.raw: RawAction = {}
        self.turn = FileTurn()
        self.acted_in: Memory | None = None
        self.present: Memory | None = None
        self.excused: set[Owner | None] = set()
        self.read_errors = ReadErrors(self)

    @property
    def moves(self) -> list[str]:
        """The texts of `told`."""
        return [one if isinstance(one, str) else format_action(one) for one in self.told]

    def remarks(self) -> list[str]:
        """Notes for the report: rules of the file that are not played here, revenues that differ."""
        notes = [f"{note}; the game goes on by what was paid" for note in self.notes]
        return [*missing_rules(self.dialect, self.log), *notes]

    def steps(self, upto: int | None = None) -> Iterator[ReplayStep]:
        """Apply the file's actions one by one, at most `upto` of them.

        :raises Divergence: our rules refuse one.
        :raises InvalidLog: one cannot be read.
        """
        for number, raw in enumerate(self.effective[:upto], 1):
            self.number, self.raw = number, raw
            before = len(self.taken)
            if is_ours(self, raw):
                follow(self, raw)
            else:
                for part in flatten_action(raw):
                    self._follow(part)
            yield ReplayStep(number, raw, self.taken[before:])

    def run(self) -> Game:
        """Follow the whole file and compare the result.

        :raises Divergence: as `steps`, or the final totals differ.
        """
        for _ in self.steps():
            pass
        self.check_result()
        return self.game

    def check_result(self) -> None:
        """Compare our position with the end that the file records.

        :raises Divergence: as `ending.check`.
        """
        check(self)

    def divergence(self, what: str, expected: Any, actual: Any) -> Divergence:
        return Divergence(self.number, self.raw.get("id"), what, expected, actual)

    def _illegal_action(self, action: Action, refusal: Rejected) -> Divergence:
        return self.divergence("legality", format_action(action), str(refusal))

    def pass_once(self) -> None:
        """Pass for the player or company in turn.

        :raises Divergence: that is not allowed.
        """
        self.apply(Pass(self.game.actor_in_turn))

    def is_passed_automatically(self) -> bool:
        """Whether 18xx.games passes for the player or company in turn without asking, or has recorded the pass
        before.
        """
        frame = self.game.frame
        if frame.entity in self.excused:
            self.excused.remove(frame.entity)
            return True
        return frame.memory is self.present or not has_choice(self.game, self.dialect)

    def player(self, raw: Any) -> PlayerId:
        """The seat of a player of the file.

        :raises InvalidLog: there is no such player.
        """
        if str(raw) not in self.seats:
            raise InvalidLog(f"there is no player {raw}")
        return self.seats[str(raw)]

    # -- following ----------------------------------------------------------------------------------

    def _follow(self, raw: RawAction) -> None:
        kind = str(raw["type"])
        if says_nothing(kind):
            return
        if self.dialect.passes_twice:
            self._follow_turn(self._next_in_turn() if kind in self.dialect.out_of_turn_kinds else raw)
        self._follow_one(kind, raw)
        self.turn.note_action(raw, self.acted_in)

    def _follow_turn(self, raw: RawAction) -> None:
        """Pass for a company that has its next turn in the file already; forget the turn of another company."""
        if self.turn.is_over_with(raw):
            while may_pass(self.game) and self.game.frame.memory is self.turn.memory:
                self.pass_once()
            self.turn = FileTurn()
        elif is_of_turn(raw) and str(raw.get("entity")) != self.turn.company:
            self.turn = FileTurn()

    def _follow_one(self, kind: str, raw: RawAction) -> None:
        if kind == "end_game":
            self.ended_by_hand = True
            return
        if kind == "pass" and raw.get("entity_type") != "player":
            with self.read_errors:
                answer = self.dialect.company_pass(self, raw)
            if answer is None:
                self._follow_own_pass(raw)
            else:
                self.apply(answer)
            return
        if kind == "signalbox" and "correction" in raw:
            self.correct(str(raw["correction"]))
            return
        if kind == "signalbox" and raw.get("withdraw"):
            self._force(Withdraw(self.player(raw["entity"])))
            return
        if kind == "signalbox":
            self._force(Answer(self.game.players_to_act()[0], bool(raw.get("agree"))))
            return
        with self.read_errors:
            if self.dialect.is_silent(raw) or self.dialect.is_part(self, raw):
                return
            aside = self.dialect.out_of_turn_action(self, raw)
            if aside is not None:
                self.apply(aside)
                return
            if kind == "lay_tile":
                self.tile_places[str(raw["tile"])] = str(raw["hex"])
            if "entity" not in raw:
                raise InvalidLog("it does not say who acts")
            if raw.get("entity_type") == "player":
                self.player(raw["entity"])
        if self._ends_what_has_ended(raw):
            return
        self.pass_until(self._next_in_turn() if kind in self.dialect.out_of_turn_kinds else raw)
        if self.game.state.finished:
            raise self.divergence("end of the game", f"{kind} by {raw['entity']}", "the game is over")
        with self.read_errors:
            action = self.dialect.translate(self, raw)
        self._force(action)
        self.present = self.acted_in
        if kind == "run_routes":
            self.correct_revenue(raw)

    def _ends_what_has_ended(self, raw: RawAction) -> bool:
        """Whether a player passes whose turn was over here as soon as they had nothing left to do, or a company runs
        nothing, or has nothing to pay out, that was not asked here."""
        if not self.taken:
            return False
        if raw["type"] == "run_routes" and not raw.get("routes"):
            return not self._will_ask(str(raw["entity"]), RunRoutes)
        if raw["type"] == "dividend":
            return not self._will_ask(str(raw["entity"]), Dividend)
        if raw["type"] != "pass":
            return False
        player = self.player(raw["entity"])
        if player in self.game.players_to_act() or self.game.controller_of(self.taken[-1].by) != player:
            return False
        self.excused.add(player)
        return True

    def _will_ask(self, company: str, verb: type[Action]) -> bool:
        if self.game.state.finished:
            return False
        frame = self.game.frame
        if company == frame.entity and isinstance(frame.memory, TurnMemory):
            return any(verb in step.verbs and step.opens(self.game) for step in self._decisions(frame.at))
        return self._has_turn_to_come(company)

    def _has_turn_to_come(self, company: str) -> bool:
        """Whether a company's turn is not over in the round of the last action, or in the first one after a stock round, or
        the one meant is of the next round."""
        if any(frame.entity == company and isinstance(frame.memory, TurnMemory) for frame in self.game.state.flow):
            return True
        rounds = [frame.memory for frame in self.game.state.flow if isinstance(frame.memory, OperatingRoundMemory)]
        now, before = self.game.state.round, self.round_before
        if not rounds or (now != before and before.kind == now.kind):
            return False
        return company not in rounds[-1].done or self._waits_for_the_one_before(company)

    def _is_to_come(self, company: str) -> bool:
        rounds = [frame.memory for frame in self.game.state.flow if isinstance(frame.memory, OperatingRoundMemory)]
        return bool(rounds) and company not in rounds[-1].done

    def _waits_for_the_one_before(self, company: str) -> bool:
        """Whether it is still the turn of the company that acted in the file before this one began to."""
        past = (self.effective[number] for number in range(self.number - 2, -1, -1))
        earlier = (str(raw["entity"]) for raw in past if raw.get("entity_type") == "corporation")
        last = next(earlier, None)
        goes_on = self.raw.get("type") == "pass" and last == company
        before = last if last != company else next((entity for entity in earlier if entity != company), None)
        return not goes_on and before is not None and before == self.game.frame.entity

    def _next_in_turn(self) -> RawAction:
        """The next action of the file that is taken in turn; the present one where there is none."""
        later = (
            raw
            for raw in self.effective[self.number :]
            if str(raw["type"]) not in self.dialect.out_of_turn_kinds and not says_nothing(str(raw["type"]))
        )
        return next((raw for raw in later if raw.get("entity_type") in ("player", "corporation")), self.raw)

    def _follow_own_pass(self, raw: RawAction) -> None:
        """A company's pass says no more than that the company is in turn."""
        company = str(raw.get("entity"))
        if raw.get("entity_type") == "corporation" and company in self.game.state.companies:
            self._reach_turn(company, raw)
            self._note_turn(company)
            self.present = self.acted_in
            if self._is_to_come(company):
                self.excused.add(Owner(company))

    def _note_turn(self, company: str) -> None:
        for frame in reversed(self.game.state.flow):
            if isinstance(frame.memory, TurnMemory):
                self.acted_in = frame.memory if frame.entity == company else self.acted_in
                return

    def _reach_turn(self, company: str, raw: RawAction) -> None:
        """Pass for the companies before this company in the round, if its turn is still to come."""
        is_to_come = not self.game.state.finished and self._has_turn_to_come(company)
        if is_to_come and not any(frame.entity == company for frame in self.game.state.flow):
            self.pass_until(raw)

    def correct_revenue(self, raw: RawAction) -> None:
        """18xx.games trusts the revenues in the file; if they differ from ours, the file's are paid and noted."""
        with self.read_errors:
            stored = [route.get("revenue") for route in raw.get("routes") or ()]
            paid = sum(int(amount) for amount in stored if amount is not None) + int(raw.get("extra_revenue") or 0)
        if None in stored:
            return
        computed = next((event.revenue for event in self.game.events if isinstance(event, RoutesRun)), paid)
        if paid == computed:
            return
        self.notes.append(RevenueNote(self.number, self.raw.get("id"), paid, computed))
        memory = self.game.frame.memory
        if isinstance(memory, TurnMemory) and memory.revenue and paid > 0:
            self.correct(f"correct revenue {raw['entity']} {paid}")

    def correct(self, text: str) -> None:
        """Correct by hand where the file differs.

        :raises Divergence: that is not possible.
        """
        try:
            apply_correction(self.game, text)
        except Rejected as refusal:
            raise self.divergence("correction", text, str(refusal)) from refusal
        self.told.append(text)

    def look_ahead(self) -> None:
        """Pass for those whom the file has left behind before its next action, so that our game waits for that."""
        if self.number >= len(self.effective):
            finish(self)
            return
        raw = self.effective[self.number]
        if str(raw["type"]) in COMPANY_ACTIONS and raw.get("entity_type") == "corporation" and "entity" in raw:
            self.pass_until(raw)

    def pass_until(self, raw: RawAction) -> None:
        """Let companies and players that are still in turn end it, when the file has gone on to somebody else.

        18xx.games passes silently for a player who can do nothing.
        """
        while may_pass(self.game) and not self._is_in_turn(raw):
            if not self.is_passed_automatically():
                coming = f"{raw['type']} by {raw.get('entity')}"
                raise self.divergence(
                    "turn", coming, f"{self.game.frame.entity} has a choice, of which the file says nothing"
                )
            self.pass_once()

    def _is_in_turn(self, raw: RawAction) -> bool:
        frame = self.game.frame
        entity, is_turn = frame.entity, isinstance(frame.memory, TurnMemory)
        if raw.get("entity_type") == "company":
            named = str(raw.get("choice") or raw.get("tokener"))
            if named in self.game.state.companies:
                return named == entity
            private_id = Owner(str(raw["entity"]))
            return may_use(self, private_id, raw) if is_turn else may_use_in_stock_turn(self, private_id)
        if raw.get("entity_type") == "player":
            if is_turn:
                return sells_for_company(self, raw)
            return self.player(raw["entity"]) in self.game.players_to_act()
        return str(raw["entity"]) == entity

    def company_in_turn(self) -> str | None:
        """The company during whose turn the present action of the file is taken: the next company that acts itself."""
        own = flatten_action(self.raw)[1:] if self.raw else []
        later = (part for raw in (*own, *self.effective[self.number :]) for part in flatten_action(raw))
        return next((str(part["entity"]) for part in later if part.get("entity_type") == "corporation"), None)

    def may_pass(self) -> bool:
        return may_pass(self.game)

    def _force(self, action: Action) -> None:
        """Apply the action, passing over decisions of the same company that the file did not take; by the last of them its
        turn may be over, and something else begin.

        If none of them takes the action, the first refusal by a rule tells why.
        """
        told: Rejected | None = None
        while True:
            if told is None and self._is_for_later(action):
                self.pass_once()
                continue
            try:
                step = self.game.step_for(action)
            except Rejected as refusal:
                told = told if told and (told.rule or not refusal.rule) else refusal
                if not may_pass(self.game) or action.by != self.game.frame.entity:
                    raise self._illegal_action(action, told) from told
                self.pass_once()
                if self.game.state.finished:
                    raise self._illegal_action(action, told) from told
            else:
                self._make(step, action)
                self._agree()
                return

    def _is_for_later(self, action: Action) -> bool:
        """Whether the decision in turn has nothing to say about the action, and a later one of the same turn may have."""
        if not may_pass(self.game) or action.by != self.game.state.flow[-1].entity or self.game.candidate_steps(action):
            return False
        return any(type(action) in step.verbs for step in self._decisions(self.game.frame.at + 1))

    def _decisions(self, first: int) -> list[Taker]:
        return [step for step in self.game.procedure.steps[first:] if not callable(step)]

    def _agree(self) -> None:
        """Give the seller's consent, which 18xx.games does not record."""
        offer = self.game.state.offer
        if offer is not None:
            self.apply(Answer(self.game.players_to_act()[0], True))

    def apply(self, action: Action) -> None:
        """Apply an action that must be allowed.

        :raises Divergence: it is not.
        """
        try:
            step = self.game.step_for(action)
        except Rejected as refusal:
            raise self._illegal_action(action, refusal) from refusal
        self._make(step, action)

    def _make(self, step: Taker, action: Action) -> None:
        for watcher in self.watchers:
            watcher(action)
        if self.keeps_before:
            self.before_last = self.game.encode()
        self.round_before = replace(self.game.state.round)
        self._note_turn(action.by)
        self.game.apply_with(step, action)
        self.taken.append(action)
        self.told.append(action)


class ReadErrors:
    """While an action is read, any error is an error of the file."""

    def __init__(self, replay: LogReplay) -> None:
        self.replay = replay

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(
            error, InvalidLog | KeyError | ValueError | TypeError | IndexError | AttributeError | ArithmeticError
        ):
            what = str(error) if isinstance(error, InvalidLog) else f"{type(error).__name__}: {error}"
            number, raw = self.replay.number, self.replay.raw
            raise InvalidLog(
                f"action {number} (id {raw.get('id')}, {raw.get('type')}) cannot be read: {what}"
            ) from error

"""A game played again from its first record, compared with every position that is kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from bot.engine import Rejected
from bot.engine.play import Game, Title
from bot.service.sessions import (
    CorruptSnapshot,
    ForeignSnapshot,
    TitleAt,
    decode_position,
    faults_of,
    initial_position,
    rename,
    replay_move,
    with_rules,
)
from bot.store import GameRecord, MoveRecord, RowFix, SeatRecord, StoreDamaged, compress_state

from .findings import Problem


@dataclass(frozen=True)
class KeptPosition:
    rowid: int | str | None
    state: object


NOTHING = KeptPosition(None, None)


@dataclass
class ReplayCheck:
    """A replay under way.

    `game` is the position that the records lead to, None where they lead nowhere: then it begins anew with the next
    sound position that is kept. `begun` is the record where it began, because this program lacks the rules before,
    `since` the last record whose position was found equal.

    When two differ, nothing about them shows which is right. `differing` are positions (by the place of their fault)
    that differ from the replay; `strange` those that belong to another game, unless this game's own data are wrong.
    """

    record: GameRecord
    seats: Sequence[SeatRecord]
    kept: Mapping[int, KeptPosition]
    title_at: TitleAt
    game: Game | None = None
    begun: int = 0
    since: int = 0
    faults: list[Problem] = field(default_factory=list)
    differing: dict[int, RowFix] = field(default_factory=dict)
    strange: dict[int, RowFix | None] = field(default_factory=dict)
    lacks_rules: bool = False
    has_agreed: bool = False

    def run(self, line: Sequence[MoveRecord]) -> None:
        """Replay the records of a line, in order, and compare the positions that are kept."""
        if line and not line[0].number:
            self._begin()
        for move in line:
            try:
                title = self.title_at(move.number)
            except Rejected as refusal:
                if move is line[-1]:
                    self.faults.append(Problem("the start", str(refusal)))
                continue
            self._make(move, title)
            self._compare(move.number, title, is_last=move is line[-1])
        if self.has_agreed:
            self._settle(self.strange)
        elif self.strange:
            self._blame_own_row()

    def _begin(self) -> None:
        try:
            title = self.title_at(0)
        except Rejected:
            # That is no fault of a game which has gone over to newer rules since.
            self.lacks_rules = True
            return
        try:
            self.game = initial_position(title, self.record, self.seats)
        except Rejected as refusal:
            self.faults.append(Problem("the start", f"cannot be set up any more: {refusal}"))

    def _make(self, move: MoveRecord, title: Title) -> None:
        if self.game is None:
            return
        fault = ""
        try:
            self.game = with_rules(self.game, title)
            replay_move(self.game, move)
        except Rejected as refusal:
            fault = f"{move.text} is no longer allowed: {refusal}"
        except StoreDamaged as damage:
            fault = str(damage)
        except Exception as error:
            # Every error of a rule is a finding here: the other games are still to be examined.
            fault = f"{move.text} fails: {type(error).__name__}: {error}"
        if fault:
            self.faults.append(Problem(f"move {move.number}", fault, move.number, self.since))
            self.game = None
            self.differing.clear()

    def _compare(self, number: int, title: Title, is_last: bool) -> None:
        """Compare a kept position with the replay; where the replay had ended, go on from it."""
        kept = self.kept.get(number, NOTHING)
        if kept is NOTHING and number and not is_last:
            return
        try:
            saved = decode_position(title, kept.state, self.record, self.seats)
        except ForeignSnapshot as other:
            self.strange[len(self.faults)] = self._build_fix(number, kept) if self.game is not None else None
            self.faults.append(Problem(f"position {number}", str(other), number, self.since))
            return
        except CorruptSnapshot as unsound:
            self._report_lost(number, kept, str(unsound))
            return
        fault = difference(saved, self.game, self.seats) if self.game else ""
        broken = faults_of(saved) if fault or self.game is None else []
        if broken:
            self._report_lost(number, kept, f"it cannot be: {broken[0]}")
        elif fault:
            between = f" (the positions after {self.since} were not kept)" if number - self.since > 1 else ""
            self.differing[len(self.faults)] = self._build_fix(number, kept)
            self.faults.append(Problem(f"move {number}", f"{fault}{between}", number, self.since))
        else:
            if self.lacks_rules and self.game is None:
                self.begun, self.lacks_rules = number, False
            self.game = self.game or saved
            self.has_agreed = self.has_agreed or self.game is not saved
            self.since = number
            self._settle(self.differing)
            self.differing.clear()

    def _report_lost(self, number: int, kept: KeptPosition, what: str) -> None:
        """Report a position that is of no use; it is made again if the replay has led there without a doubt."""
        where = f"position {number}"
        if self.game is None or self.differing:
            self.faults.append(Problem(where, what, number, self.since))
            return
        cured = f"position {number} is made again from the log"
        self.faults.append(Problem(where, what, number, self.since, (self._build_fix(number, kept),), cured))

    def _build_fix(self, number: int, kept: KeptPosition) -> RowFix:
        assert self.game is not None
        rename(self.game, self.seats)
        state = compress_state(self.game.encode())
        if kept.rowid is None:
            return RowFix("snapshots", None, {"game": self.record.id, "number": number, "state": state})
        return RowFix("snapshots", kept.rowid, {"state": state})

    def _blame_own_row(self) -> None:
        """Report that the kept positions are of another game: the game's own row or its seats are wrong, and no position is made
        from them."""
        first = self.faults[min(self.strange)]
        others = [fault for place, fault in enumerate(self.faults) if place not in self.strange]
        self.faults = [
            Problem("its own row or its seats", f"no kept position agrees with them ({first})"),
            *(replace(fault, cures=(), cured="") for fault in others),
        ]

    def _settle(self, doubtful: Mapping[int, RowFix | None]) -> None:
        """Settle that positions are wrong and the log is right, when the replay has led past them to a position that
        does not differ.
        """
        for place, cure in doubtful.items():
            fault = self.faults[place]
            if cure is not None:
                cured = f"position {fault.number} is made again from the log, which leads to others that are kept"
                self.faults[place] = replace(fault, cures=(cure,), cured=cured)


def difference(saved: Game, game: Game, seats: Sequence[SeatRecord]) -> str:
    """The first part of the state that differs from the kept state, in words; empty when none does."""
    rename(saved, seats)
    rename(game, seats)
    for company in saved.state.companies.values():
        # Kept by a release that did not note runs yet.
        if company.last_run is None and company.id in game.state.companies:
            company.last_run = game.company(company.id).last_run
    if saved.encode() == game.encode():
        return ""
    return first_difference(msgspec.to_builtins(saved.state), msgspec.to_builtins(game.state), "state")


def first_difference(saved: object, replayed: object, path: str) -> str:
    """The place where two plain values differ: `state.cash.VR: 40 was saved, 60 is replayed`."""
    return next(_differences(saved, replayed, path), "")


def _differences(saved: object, replayed: object, path: str) -> Iterator[str]:
    if isinstance(saved, dict) and isinstance(replayed, dict) and list(saved) == list(replayed):
        for key in saved:
            yield from _differences(saved[key], replayed[key], f"{path}.{key}")
    elif isinstance(saved, list | tuple) and isinstance(replayed, list | tuple) and len(saved) == len(replayed):
        for place, (one, other) in enumerate(zip(saved, replayed, strict=True)):
            yield from _differences(one, other, f"{path}[{place}]")
    elif saved != replayed:
        yield f"{path}: {saved!r} was saved, {replayed!r} is replayed"

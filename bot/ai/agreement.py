"""How often a computer player would make the moves that people made in their games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from msgspec import Struct

from bot.engine import SeededRandom, is_player
from bot.engine.notation import format_action
from bot.engine.play import Game
from bot.engine.state import (
    Action,
    Answer,
    Bid,
    BuyPrivate,
    BuyShares,
    BuyTrain,
    Done,
    LayTile,
    Par,
    Pass,
    PlaceToken,
    ReducePrice,
    RunRoutes,
    SellShares,
)

from .move_evaluator import Evaluator, verb_of
from .policy import Tabu, ranking, without_seed
from .title_parameters import SkillLevel

ALL = "all"

KINDS: dict[type[Action], str] = {
    Bid: "bid",
    ReducePrice: "lowered price",
    SellShares: "sale",
    BuyShares: "share",
    Par: "start",
    LayTile: "track",
    PlaceToken: "token",
    BuyTrain: "train",
    BuyPrivate: "private",
    Answer: "answer",
}
"""Names of kinds of decisions; other verbs name their kind themselves."""

PASSED: tuple[type[Action], ...] = (Bid, LayTile, PlaceToken, BuyTrain)
"""Verbs a pass of which is a kind of its own where the step offers them: "no bid", "no track", "no token", "no train"."""


class MoveComparison(Struct, frozen=True):
    """One decision of a person beside the computer's ranking: `rank` from 1, 0 where the computer does not consider their
    move; `legal` counts the moves to choose from."""

    move: int
    seat: str
    kind: str
    human: str
    best: str
    rank: int
    legal: int


class KindAgreement(Struct, frozen=True):
    """The decisions of one kind: the parts of them, in percent, in which their move is the computer's first, is among its
    first three or five, would be the first by chance, and is not considered."""

    n: int
    first: float
    three: float
    five: float
    chance: float
    unlisted: float


class AgreementWatcher:
    """Sees every action of a game before it is made, and compares those that somebody chose."""

    def __init__(self, strength: SkillLevel, seed: int = 1) -> None:
        self.strength, self.seed = strength, seed
        self.comparisons: list[MoveComparison] = []
        self._ruled_out: Tabu | None = None

    def see(self, number: int, game: Game, action: Action) -> None:
        """`number` counts the file's actions from 1; `game` is the position before the action, and stays as it is."""
        ruled_out = self._ruled_out = self._ruled_out or Tabu(game, {})
        judge = judge_of_choice(game, action, self.strength, self.seed)
        if judge is not None:
            player = judge.seat
            judge.recalled = ruled_out.recollection(game, player)
            found = compare_with_ranking(judge, action, ruled_out.of(game, player))
            if found is not None:
                rank, best, legal = found
                kind = kind_of_decision(game, action)
                self.comparisons.append(
                    MoveComparison(number, player, kind, format_action(action), format_action(best), rank, legal)
                )
        ruled_out.note(game, action)


def judge_of_choice(game: Game, action: Action, strength: SkillLevel, seed: int) -> Evaluator | None:
    """The evaluator of the seat that chose the action; None if nobody did."""
    player = game.controller_of(action.by)
    if player not in game.players_to_act() or isinstance(action, RunRoutes):
        return None
    return Evaluator(without_seed(game), player, strength, SeededRandom(seed), seed)


def compare_with_ranking(
    judge: Evaluator, action: Action, ruled_out: Sequence[Action] = ()
) -> tuple[int, Action, int] | None:
    """The action's rank (0: not considered), the computer's own move, and the number of legal moves; None where there is no
    choice."""
    legal = len(judge.options())
    if legal < 2:
        return None
    ranked = [one.action for one in ranking(judge, ruled_out)]
    return (ranked.index(action) + 1 if action in ranked else 0), ranked[0], legal


def kind_of_decision(game: Game, action: Action) -> str:
    """The kind of an action; of a pass, what it leaves undone."""
    if not isinstance(action, Pass | Done):
        return KINDS.get(type(action), verb_of(action))
    if is_player(action.by) and game.state.round.kind == "stock":
        return "stock pass"
    verbs = {type(option) for option in game.legal_actions()}
    return next((f"no {KINDS[verb]}" for verb in PASSED if verb in verbs), "pass")


def agreement_by_kind(comparisons: Iterable[MoveComparison]) -> dict[str, KindAgreement]:
    """Sorted by name, all of them together last; empty without decisions."""
    by_kind: dict[str, list[MoveComparison]] = defaultdict(list)
    for one in comparisons:
        by_kind[one.kind].append(one)
    if not by_kind:
        return {}
    together = [one for found in by_kind.values() for one in found]
    return {**{kind: _agreement_of(by_kind[kind]) for kind in sorted(by_kind)}, ALL: _agreement_of(together)}


def _agreement_of(found: Sequence[MoveComparison]) -> KindAgreement:
    def percent(part: float) -> float:
        return round(100 * part / len(found), 1)

    return KindAgreement(
        len(found),
        percent(sum(one.rank == 1 for one in found)),
        percent(sum(1 <= one.rank <= 3 for one in found)),
        percent(sum(1 <= one.rank <= 5 for one in found)),
        percent(sum(1 / one.legal for one in found)),
        percent(sum(one.rank == 0 for one in found)),
    )

"""A position as one seat sees it, and what a move would change for that seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar
from zlib import crc32

from bot.engine import CompanyId, PlayerId, Rejected, SeededRandom
from bot.engine.notation import format_action
from bot.engine.play import Game
from bot.engine.state import (
    Action,
    Answer,
    Bid,
    BuyPrivate,
    BuyShares,
    BuyTrain,
    LayTile,
    Par,
    PlaceToken,
    ReducePrice,
    RunRoutes,
    SellShares,
    Withdraw,
)

from .company_forecast import Horizon, horizon, kinds_of, rounds_between, rounds_left
from .evaluation import advantage, payments_due
from .intention import NOTHING_RECALLED, Recollection
from .title_parameters import SkillLevel, parameters_of
from .train_clock import TrainClock, train_clock

Some = TypeVar("Some")

MOST_ANSWERS = 8

REFUSED = -1e6
"""The value of a proposal that another player would refuse."""

UNLIKELY = -1e5
"""Added to the value of a move that is possible, but that the player would not make."""

OFTEN_OVERLOOKED = (Bid, BuyPrivate, BuyShares, LayTile, Par, PlaceToken, ReducePrice, SellShares)
"""Verbs with many possibilities, of which a player may overlook some."""


@dataclass(frozen=True)
class ScoredMove:
    """A move and what it seems to gain, in money; of track and tokens `gains`: what trains earn more now, and one that will
    come, and more stops in reach; of a sale `then`: what is bought for it."""

    action: Action
    score: float
    gains: tuple[int, int, int] = (0, 0, 0)
    then: Action | None = None


@dataclass
class Evaluator:
    """Judges moves for a seat. `seed` is what its misjudgements follow from, `looks` counts the positions that it has worked
    out, `refusing` is what this position is worth to those who refuse what is proposed in it, `recalled` what the seat has in
    mind."""

    game: Game
    seat: PlayerId
    strength: SkillLevel
    chance: SeededRandom
    seed: int = 0
    looks: int = 0
    is_deep: bool = True
    refusing: dict[PlayerId, float] = field(default_factory=dict)
    recalled: Recollection = NOTHING_RECALLED

    @cached_property
    def base(self) -> float:
        return self.advantage(self.game)

    @cached_property
    def horizon(self) -> Horizon:
        return horizon(self.game)

    @cached_property
    def clock(self) -> TrainClock | None:
        return train_clock(self.game, self.horizon.left) if self.strength.renews else None

    @cached_property
    def payment_due(self) -> float:
        """The money that the player is expected to add for trains of companies."""
        return payments_due(self.game, self.horizon._replace(clock=self.clock))[self.seat]

    def advantage(self, game: Game) -> float:
        over = rounds_between(self.game.state.round, game.state.round)
        left = rounds_left(game) if game.state.ending else max(1, self.horizon.left - over)
        sight = min(self.strength.sight, parameters_of(game).sight)
        clock = None
        if self.clock is not None and not game.state.finished:
            clock = self.clock if game is self.game else train_clock(game, min(sight, left), self.clock.starts)
        return advantage(game, self.seat, Horizon(min(sight, left), self.horizon.needy, clock))

    def options(self) -> tuple[Action, ...]:
        """The seat's legal actions, without routes: those are searched for when they are run."""
        return tuple(action for action in open_actions(self.game) if self.game.controller_of(action.by) == self.seat)

    def after(self, action: Action) -> Game | None:
        """The position after a move and everyone's consent; None if a player refuses."""
        self.looks += 1
        trial = self.game.copy()
        try:
            trial.apply(action)
        except Rejected:
            return None
        return trial if self._is_agreed(trial) else None

    def _is_agreed(self, trial: Game) -> bool:
        """Whether the players asked for consent agree; afterwards they have answered in `trial`."""
        for _ in range(MOST_ANSWERS):
            asked = [player for player in trial.players_to_act() if player != self.seat]
            if not is_asked_for_consent(trial) or not asked:
                return True
            answer = Answer(asked[0], True)
            if not self.is_deep or gain_of_agreeing(trial, answer, self.refusing) <= 0:
                return False
            trial.apply(answer)
        return True

    def gain(self, action: Action) -> float:
        trial = self.after(action)
        return REFUSED if trial is None else self.advantage(trial) - self.base


def open_actions(game: Game) -> Iterator[Action]:
    """The actions of the open steps, except routes and withdrawing one's own proposal."""
    for step in game.open_steps():
        if RunRoutes not in step.verbs:
            yield from (action for action in step.options(game) if not isinstance(action, Withdraw))


def is_asked_for_consent(game: Game) -> bool:
    """Whether people must answer; a company decides for itself (18BF: on a station of the minor that it took over)."""
    step = game.step
    return step is not None and step.verbs == (Answer,) and bool(game.frame.asked)


def gain_of_agreeing(game: Game, answer: Answer, refusing: dict[PlayerId, float] | None = None) -> float:
    """The gain of agreeing to a proposal, as any computer player estimates it. Nobody sells a rival the only train of a
    company, or any train for less than half of the bank's price. `refusing` keeps the value of refusing, which is the
    same for every proposal in a position.
    """
    player = game.controller_of(answer.by)
    if player is None or not game.allows(answer):
        return REFUSED
    offer = pending_proposal(game)
    if isinstance(offer, BuyTrain) and is_given_away(game, offer):
        return REFUSED
    agreed, known = game.copy(), {} if refusing is None else refusing
    agreed.apply(answer)
    for _ in range(MOST_ANSWERS):
        others = agreed.players_to_act()
        if not is_asked_for_consent(agreed) or not others or player in others:
            break
        agreed.apply(Answer(others[0], True))
    seen = horizon(game)
    seen = seen._replace(left=min(seen.left, parameters_of(game).sight))
    if player not in known:
        refused = game.copy()
        refused.apply(Answer(answer.by, False))
        known[player] = advantage(refused, player, seen)
    return advantage(agreed, player, seen) - known[player]


def pending_proposal(game: Game) -> Action | None:
    """The proposal that awaits consent, wherever the title keeps it."""
    found = game.state.offer or getattr(game.state.special, "proposal", None)
    return found if isinstance(found, Action) else None


def is_given_away(game: Game, offer: BuyTrain) -> bool:
    """Whether the company would be left without a train, or with too little cash for it."""
    return len(kinds_of(game, CompanyId(offer.source))) < 2 or 2 * offer.price < game.title.trains[offer.kind].price


def overlooks(judge: Evaluator, action: Action) -> bool:
    most = 1000 * (1 - 2 * judge.strength.overlooks)
    return isinstance(action, OFTEN_OVERLOOKED) and steady_chance(judge, action, "sees") > most


def steady_chance(judge: Evaluator, action: Action, what: str) -> int:
    """A number from -1000 to 1000, the same for everything about the same subject until the next stock round:
    players do not change their minds with every move. In auctions they do, or a lot that nobody notices would
    never be sold.
    """
    state, is_auction = judge.game.state, isinstance(action, Bid | BuyPrivate | ReducePrice)
    when = f"move {state.moves}" if is_auction else f"round {state.round.number}"
    told = f"{judge.seed} {judge.seat} {when} {what} {subject_of(action)}"
    return SeededRandom(crc32(told.encode())).randrange(2001) - 1000


def subject_of(action: Action) -> str:
    """The company, private, lot or kind of train that the move is about; otherwise the move itself."""
    for name in ("company", "private", "lot"):
        if hasattr(action, name):
            return str(getattr(action, name))
    return action.kind if isinstance(action, BuyTrain) else format_action(action)


def best_of(rated: Iterable[ScoredMove]) -> ScoredMove | None:
    return max(rated, key=lambda one: one.score, default=None)


def verb_of(action: Action) -> str:
    return str(action.__struct_config__.tag)


def evenly_spaced(things: Sequence[Some], most: int) -> list[Some]:
    stride = max(1, -(-len(things) // most))
    return list(things[::stride])

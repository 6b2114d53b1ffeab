"""A position as one seat sees it, and what a move would change for that seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from bot.engine.chance import Generator
from bot.engine.data.actions import Action, Answer, BuyTrain, RunRoutes, Withdraw
from bot.engine.ids import CompanyId, PlayerId
from bot.engine.play.game import Game
from bot.engine.refusals import Refusal

from .outlook import Horizon, horizon, kinds_of, passed, rounds_left
from .traits import Strength
from .worth import advantage

Some = TypeVar("Some")

MOST_ANSWERS = 8
"""So many people are asked for their consent at most."""

REFUSED = -1e6
"""What a proposal is worth that somebody would refuse."""


@dataclass(frozen=True)
class Rated:
    """A move and what it seems to gain, in money; of track and tokens `gains`: what trains earn more now, and one that will
    come, and more stops in reach; of a sale `then`: what is bought for it."""

    action: Action
    score: float
    gains: tuple[int, int, int] = (0, 0, 0)
    then: Action | None = None


@dataclass
class Judge:
    """Judges moves for a seat. `seed` is what its misjudgements follow from, `looks` counts the positions that it has worked
    out."""

    game: Game
    seat: PlayerId
    strength: Strength
    chance: Generator
    seed: int = 0
    looks: int = 0
    is_deep: bool = True

    @cached_property
    def base(self) -> float:
        """What the position is worth to the seat before anything is done."""
        return self.advantage(self.game)

    @cached_property
    def horizon(self) -> Horizon:
        """What is thought of the rest of the game before anything is done."""
        return horizon(self.game)

    def advantage(self, game: Game) -> float:
        """What a position is worth to the seat, as far as it sees ahead."""
        over = passed(self.game.state.round, game.state.round)
        left = rounds_left(game) if game.state.ending else max(1, self.horizon.left - over)
        return advantage(game, self.seat, Horizon(min(self.strength.sight, left), self.horizon.needy))

    def options(self) -> tuple[Action, ...]:
        """The legal actions of this seat, without routes: those are searched for when they are run."""
        return tuple(action for action in listed(self.game) if self.game.decider(action.by) == self.seat)

    def after(self, action: Action) -> Game | None:
        """The position after a move, everybody having agreed who would; None if somebody refuses."""
        self.looks += 1
        trial = self.game.copy()
        try:
            trial.apply(action)
        except Refusal:
            return None
        return trial if self._is_agreed(trial) else None

    def _is_agreed(self, trial: Game) -> bool:
        """Whether those who are asked agree; they have answered then."""
        for _ in range(MOST_ANSWERS):
            asked = [player for player in trial.asked() if player != self.seat]
            if not is_asked_for_consent(trial) or not asked:
                return True
            answer = Answer(asked[0], True)
            if not self.is_deep or gain_of_agreeing(trial, answer) <= 0:
                return False
            trial.apply(answer)
        return True

    def gain(self, action: Action) -> float:
        """What the move changes for the seat."""
        trial = self.after(action)
        return REFUSED if trial is None else self.advantage(trial) - self.base


def listed(game: Game) -> Iterator[Action]:
    """What the open steps offer, but for routes and for taking back what one has proposed."""
    for step in game.open_steps():
        if RunRoutes not in step.verbs:
            yield from (action for action in step.options(game) if not isinstance(action, Withdraw))


def is_asked_for_consent(game: Game) -> bool:
    """Whether play waits for the answer to a proposal."""
    step = game.step
    return step is not None and step.verbs == (Answer,)


def gain_of_agreeing(game: Game, answer: Answer) -> float:
    """What somebody gains by what he is asked to agree to, by the reckoning of any computer player. Nobody sells a rival the
    only train of a company, or any for less than half of what the bank asks."""
    player = game.decider(answer.by)
    if player is None or not game.allows(answer):
        return REFUSED
    offer = game.state.offer
    if isinstance(offer, BuyTrain) and is_given_away(game, offer):
        return REFUSED
    agreed, refused = game.copy(), game.copy()
    agreed.apply(answer)
    for _ in range(MOST_ANSWERS):
        others = agreed.asked()
        if not is_asked_for_consent(agreed) or not others or player in others:
            break
        agreed.apply(Answer(others[0], True))
    refused.apply(Answer(answer.by, False))
    seen = horizon(game)
    return advantage(agreed, player, seen) - advantage(refused, player, seen)


def is_given_away(game: Game, offer: BuyTrain) -> bool:
    """Whether the company would be left without a train, or with too little for it."""
    return len(kinds_of(game, CompanyId(offer.source))) < 2 or 2 * offer.price < game.title.trains[offer.kind].price


def best_of(rated: Iterable[Rated]) -> Rated | None:
    """The first of the highest."""
    return max(rated, key=lambda one: one.score, default=None)


def verb_of(action: Action) -> str:
    """The word that stands for the kind of action."""
    return str(action.__struct_config__.tag)


def sampled(things: Sequence[Some], most: int) -> list[Some]:
    """Evenly chosen ones, at most so many."""
    stride = max(1, -(-len(things) // most))
    return list(things[::stride])

"""A point of the turn at which a company with loans may still buy privates before it pays interest and repays loans."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine.play import Game
from bot.engine.play.steps import BuyPrivates
from bot.engine.state import Action, BuyPrivate, Pass


@dataclass(frozen=True)
class BeforeInterest:
    privates: BuyPrivates
    name: str = "pay interest and repay loans"
    verbs: tuple[type[Action], ...] = (BuyPrivate, Pass)

    def opens(self, game: Game) -> bool:
        return bool(game.company(game.company_in_turn).loans) and self.privates.opens(game)

    def options(self, game: Game) -> Iterator[Action]:
        yield Pass(game.company_in_turn)
        yield from self.privates.options(game)

    def check(self, game: Game, action: BuyPrivate | Pass) -> None:
        if isinstance(action, BuyPrivate):
            self.privates.check(game, action)

    def apply(self, game: Game, action: BuyPrivate | Pass) -> None:
        if isinstance(action, BuyPrivate):
            self.privates.apply(game, action)
        else:
            game.record_pass(action)

"""A point of the turn at which a company with loans may still buy privates before it pays interest and repays loans."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine.play import Game
from bot.engine.play.steps import BuyPrivates
from bot.engine.state import Action, Pass


@dataclass(frozen=True)
class BeforeInterest:
    privates: BuyPrivates
    name: str = "pay interest and repay loans"
    verbs: tuple[type[Action], ...] = (Pass,)

    def opens(self, game: Game) -> bool:
        return bool(game.company(game.company_in_turn).loans) and self.privates.opens(game)

    def options(self, game: Game) -> Iterator[Action]:
        yield Pass(game.company_in_turn)

    def check(self, game: Game, action: Pass) -> None:
        """It is always possible to go on."""

    def apply(self, game: Game, action: Pass) -> None:
        game.record_pass(action)

"""Companies that buy their shares back from the pool."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from bot.engine import BANK, IPO, POOL, CompanyId, IllegalMove
from bot.engine.play import Game
from bot.engine.play.holdings import check_cash, pay, price_of, share_unit
from bot.engine.play.holdings.certificates import transfer
from bot.engine.state import Action, Pass


class RedeemShares(Action, frozen=True, tag="redeem"):
    shares: Annotated[int, "number of shares"]


@dataclass(frozen=True)
class RedeemStock:
    """Buy own shares from the pool into the treasury at the current price, without borrowing; `once` a turn, or as often as
    the company can pay. `section` is quoted."""

    section: str
    once: bool = False
    name: str = "redeem shares"
    verbs: tuple[type[Action], ...] = (RedeemShares, Pass)

    def opens(self, game: Game) -> bool:
        return any(isinstance(option, RedeemShares) for option in self.options(game))

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company_in_turn
        yield Pass(company)
        for number in range(1, _shares_in_pool(game, company) + 1):
            if number * price_of(game, company) <= game.state.cash[company]:
                yield RedeemShares(company, number)

    def check(self, game: Game, action: RedeemShares | Pass) -> None:
        if isinstance(action, Pass):
            return
        company = CompanyId(action.by)
        there = _shares_in_pool(game, company)
        if not 1 <= action.shares <= there:
            raise IllegalMove("The pool has {there} share(s) of {company}.", self.section, there, company)
        check_cash(game, company, action.shares * price_of(game, company), self.section)

    def apply(self, game: Game, action: RedeemShares | Pass) -> None:
        if isinstance(action, Pass):
            game.record_pass(action)
            return
        company = CompanyId(action.by)
        cost = action.shares * price_of(game, company)
        transfer(game, company, POOL, IPO, action.shares)
        pay(game, company, BANK, cost, "own shares")
        if self.once:
            game.next_step()
        game.log(
            "{company} redeems {shares} of its shares for {price}.", company, action.shares, game.title.money(cost)
        )


def _shares_in_pool(game: Game, company: CompanyId) -> int:
    record = game.company(company)
    return record.percent_held_by(POOL) // share_unit(record)

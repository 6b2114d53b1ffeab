"""Companies that buy their shares back from the pool (18BF §10.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from bot.engine import BANK, IPO, POOL, CompanyId, IllegalMove, Owner
from bot.engine.notation import Verb
from bot.engine.play import Game, Title
from bot.engine.play.holdings import check_cash, pay, price_of, share_unit
from bot.engine.play.holdings.certificates import transfer
from bot.engine.state import Action, Pass


def _read_redeem(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) != 2 or not words[1].isdecimal() or len(words[1]) > 2:
        return None
    return RedeemShares(by, int(words[1]))


class RedeemShares(Action, frozen=True, tag="redeem"):
    shares: int
    form: ClassVar[Verb] = Verb(
        ("redeem",), "a number of shares", "redeem 2", lambda a: f"redeem {a.shares}", _read_redeem
    )


@dataclass(frozen=True)
class RedeemStock:
    """Buy own shares from the pool into the treasury at the current price, without borrowing (§10.3)."""

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
            raise IllegalMove("The pool has {there} share(s) of {company}.", "18BF §10.3", there, company)
        check_cash(game, company, action.shares * price_of(game, company), "18BF §10.3")

    def apply(self, game: Game, action: RedeemShares | Pass) -> None:
        if isinstance(action, Pass):
            game.record_pass(action)
            return
        company = CompanyId(action.by)
        cost = action.shares * price_of(game, company)
        transfer(game, company, POOL, IPO, action.shares)
        pay(game, company, BANK, cost, "own shares")
        game.log("{company} redeems {shares} of its shares for £{price}.", company, action.shares, cost)


def _shares_in_pool(game: Game, company: CompanyId) -> int:
    record = game.company(company)
    return record.percent_held_by(POOL) // share_unit(record)

"""Payments that must be made: shares are sold for them, players and cousins go bankrupt (1820 §10.2, §10.3, §17.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import BANK, POOL, CompanyId, IllegalMove, Owner, PlayerId, Text, is_player, join_values, msg
from bot.engine.play import Game, filter_allowed
from bot.engine.play.holdings import pay, sort_by_price
from bot.engine.play.steps import close_private
from bot.engine.state import Action, SellShares

from . import game_end
from .actions import Offer
from .companies import (
    cash_of,
    director_of,
    is_private,
    is_public,
    move_price,
    player_of,
    put_into_liquidation,
    transfer_shares,
)
from .components import LOAN
from .state import title_state
from .stock.shares import after_loss, check_sale, most_to_sell, sell


def owe(game: Game, owner: Owner, amount: int, protected: CompanyId | None = None) -> None:
    """Require a payment to the bank: from cash immediately, the rest after selling shares."""
    memory = title_state(game)
    memory.debts[owner] = memory.debts.get(owner, 0) + amount
    if protected is not None:
        memory.protected[owner] = protected
    settle_debts(game)
    if memory.debts and not any(frame.plan == "debts" for frame in game.state.flow):
        game.push("debts")


def settle_debts(game: Game) -> None:
    memory = title_state(game)
    for owner, amount in list(memory.debts.items()):
        if game.state.cash[owner] >= amount:
            pay(game, owner, BANK, amount, "a debt")
            del memory.debts[owner]
            memory.protected.pop(owner, None)


def owe_loans(game: Game, company_id: CompanyId, number: int) -> None:
    """Repay loans from the treasury, then from the director, which costs a space (§17.3)."""
    company = game.company(company_id)
    director = director_of(game, company_id)
    if director is None or not number:
        return
    total = number * LOAN
    own = 0 if is_private(company) else min(total, cash_of(game, company_id))
    company.loans -= number
    pay(game, company_id, BANK, own, "repaid loans")
    move_price(game, company_id, number)
    if own < total:
        move_price(game, company_id, -1)
        owe(game, director, total - own, company_id)


def declare_bankruptcies(game: Game) -> None:
    """A debtor with nothing to sell is bankrupt: for a player the game is over (§10.2), a cousin leaves (§10.3)."""
    memory = title_state(game)
    for owner in list(memory.debts):
        protected = memory.protected.get(owner)
        if any(most_to_sell(game, owner, company, protected) for company in game.state.companies):
            continue
        lacks = memory.debts[owner] - game.state.cash[owner]
        if is_player(owner):
            game.log("{owner} lacks £{lacks}.", owner, lacks)
            memory.bankrupt.append(PlayerId(owner))
            game_end.finish(game, msg("{player} is bankrupt", owner))
            return
        game.log("{owner} lacks £{lacks} and is bankrupt.", owner, lacks)
        del memory.debts[owner]
        remove_bankrupt_cousin(game, owner)


def remove_bankrupt_cousin(game: Game, cousin: Owner) -> None:
    """Treasury to the bank, shares to the pool; companies that nobody directs go into liquidation (§10.3)."""
    state = game.state
    pay(game, cousin, BANK, state.cash[cousin], f"treasury of {cousin}")
    held = [company.id for company in state.companies.values() if company.count_of(cousin)]
    orphans = title_state(game).orphans
    for company_id in sort_by_price(game, [one for one in held if state.companies[one].position is not None]):
        company = game.company(company_id)
        transfer_shares(game, company, cousin, POOL, company.count_of(cousin))
        after_loss(game, company, cousin)
        if is_public(company) and director_of(game, company_id) is None:
            orphans.append(company_id)
    player = player_of(game, cousin)
    close_private(game, game.private(cousin))
    if len(orphans) > 1 and player is not None:
        game.push("orphans", None, asked=[player])
    for company_id in list(orphans) if len(orphans) == 1 else ():
        liquidate_company(game, company_id)


def liquidate_company(game: Game, company_id: CompanyId) -> None:
    """A company that a bankrupt cousin directed goes into liquidation, and is liquidated in the same round (§10.3)."""
    memory = title_state(game)
    memory.orphans.remove(company_id)
    put_into_liquidation(game, company_id, "its cousin is bankrupt")
    if game.state.round.kind == "issue":
        memory.to_liquidate.append(company_id)


@dataclass(frozen=True)
class OrderUndirectedCompanies:
    """The player of a bankrupt cousin says in which order several of its companies go into liquidation (§10.3)."""

    name: str = "name the company that is liquidated next"
    verbs: tuple[type[Action], ...] = (Offer,)

    def opens(self, game: Game) -> bool:
        return bool(title_state(game).orphans)

    def options(self, game: Game) -> Iterator[Action]:
        return (Offer(game.frame.asked[0], company) for company in title_state(game).orphans)

    def check(self, game: Game, action: Offer) -> None:
        if action.by != game.frame.asked[0] or action.company not in title_state(game).orphans:
            raise IllegalMove("The next is one of: {companies}.", "1820 §10.3", ", ".join(title_state(game).orphans))

    def apply(self, game: Game, action: Offer) -> None:
        liquidate_company(game, action.company)
        if len(title_state(game).orphans) == 1:
            liquidate_company(game, title_state(game).orphans[0])


def settle_debts_or_bankrupt(game: Game) -> None:
    settle_debts(game)
    declare_bankruptcies(game)


def ask_debtors(game: Game) -> None:
    players = [player_of(game, owner) for owner in title_state(game).debts]
    game.frame.asked = list(dict.fromkeys(player for player in players if player is not None))


@dataclass(frozen=True)
class SellForDebts:
    """All debtors sell shares of their choice, in any order, until they can pay. After each sale bankruptcies are
    checked again.
    """

    name: str = "sell shares to pay"
    verbs: tuple[type[Action], ...] = (SellShares,)

    def opens(self, game: Game) -> bool:
        return bool(game.frame.asked) and not game.state.finished

    def prompt(self, game: Game) -> Text:
        cash, debts = game.state.cash, title_state(game).debts
        lacks = (msg("{owner} lacks £{sum}", game.state.name(owner), sum - cash[owner]) for owner, sum in debts.items())
        return msg("sell shares to pay ({lacking})", join_values(", ", lacks))

    def options(self, game: Game) -> Iterator[Action]:
        for owner in title_state(game).debts:
            protected = title_state(game).protected.get(owner)
            for company in game.state.companies:
                for shares in range(1, most_to_sell(game, owner, company, protected) + 1):
                    yield from filter_allowed(self, game, [SellShares(owner, company, shares)])

    def check(self, game: Game, action: SellShares) -> None:
        if action.by not in title_state(game).debts:
            raise IllegalMove("{by} owes nothing.", "1820 §10.2", game.state.name(action.by))
        check_sale(game, action.by, action.company, action.shares, title_state(game).protected.get(action.by))

    def apply(self, game: Game, action: SellShares) -> None:
        game.frame.at = 0
        owner, debt = action.by, title_state(game).debts[action.by]
        cash = game.state.cash[owner]
        sell(game, owner, action.company, action.shares)
        brought = game.state.cash[owner] - cash
        if cash + brought < debt:
            game.log("{owner} still lacks £{lacks}.", owner, debt - cash - brought)
        elif brought < debt:
            template = "{owner} pays the £{debt} owed: £{brought} from the sale and £{rest} in hand."
            game.log(template, owner, debt, brought, debt - brought)
        else:
            game.log("{owner} pays the £{debt} owed out of the £{brought} from the sale.", owner, debt, brought)

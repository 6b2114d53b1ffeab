"""Companies that are wound up (1820 §8.5)."""

from __future__ import annotations

from bot.engine import BANK, CompanyId, join_and, msg
from bot.engine.play import Game
from bot.engine.play.holdings import pay
from bot.titles.t1820 import companies
from bot.titles.t1820.company_debt import owe
from bot.titles.t1820.components import LOAN
from bot.titles.t1820.events import CompanyLiquidated
from bot.titles.t1820.operations.stations import replace_all_stations
from bot.titles.t1820.operations.trains import discard
from bot.titles.t1820.state import OpenCry, title_state

from .bids import AUCTION
from .transfer import transfer_assets


def next_liquidation(game: Game) -> None:
    """The bank offers the remains of a company and makes the minimum bid."""
    memory = title_state(game)
    if not memory.to_liquidate:
        return
    game.frame.at -= 1
    lot = memory.to_liquidate.pop(0)
    company = game.company(lot)
    if not companies.is_public(company) or not companies.is_in_liquidation(company):
        return
    least = companies.minimum_bid(game, company)
    memory.payment = least
    auction = OpenCry("liquidation", [lot], best=least, least=least, forcing=least)
    AUCTION.begin(game, "takeover", auction)


def liquidate(game: Game, lot: CompanyId, buyer: CompanyId | None, amount: int) -> None:
    """The bid goes into the treasury, stations and trains to the buyer; loans are repaid, the rest is shared (§8.5)."""
    company = game.company(lot)
    pay(game, companies.treasury_owner(game, buyer) if buyer else BANK, lot, amount, f"assets of {lot}")
    game.emit(CompanyLiquidated(lot, buyer, amount))
    owners = {owner: company.count_of(owner) for owner in companies.share_owners(game, company)}
    director, shares, loans = companies.director_of(game, lot), companies.shares_in_play(company), company.loans
    if buyer is None:
        replace_all_stations(game, lot)
        for train in game.state.trains_of(lot):
            discard(game, lot, train.kind)
    else:
        transfer_assets(game, lot, buyer, with_treasury=False)
    company.loans = 0
    money = game.state.cash[lot]
    pay(game, lot, BANK, min(money, loans * LOAN), "repaid loans")
    lack = max(0, loans * LOAN - money) // max(1, shares)
    each = game.state.cash[lot] // max(1, shares)
    for owner, number in owners.items():
        pay(game, lot, owner, each * number, f"liquidation of {lot}")
    in_pool = shares - sum(owners.values())
    pay(game, lot, BANK, each * in_pool, f"liquidation of {lot}")
    if director is not None:
        pay(game, lot, director, game.state.cash[lot], f"liquidation of {lot}")
    if lack:
        each_owes = join_and(msg("{owner} £{sum}", owner, lack * number) for owner, number in owners.items())
        game.log("Shareholders of {company} owe £{owed} a share for its loans: {sums}.", lot, lack, each_owes)
    elif each:
        game.log("Each share of {company} gets £{received}.", lot, each)
    companies.return_to_supply(game, lot)
    if lack:
        for owner, number in owners.items():
            owe(game, owner, lack * number)

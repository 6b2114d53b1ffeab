"""The bidders for a company that is offered, and what their companies can pay (1820 §8.4.1, §8.4.2)."""

from __future__ import annotations

from bot.engine import IPO, CompanyId, PlayerId, as_company
from bot.engine.play import Game
from bot.engine.state import Company
from bot.titles.t1820 import companies
from bot.titles.t1820.auctions import OpenCryAuction, current_auction, lowest_bid
from bot.titles.t1820.components import BID_STEP, LOAN


def capacity(game: Game, company: Company) -> int:
    """The highest price the company could pay: its money, an issue of shares, loans."""
    money = companies.cash_of(game, company.id)
    if companies.is_private(company):
        return money
    best = money
    for shares in range(company.count_of(IPO) + 1):
        if companies.room_to_fall(company, shares) < 0:
            break
        best = max(
            best, money + shares * companies.price(game, company.id) + companies.loans_to_take(company, shares) * LOAN
        )
    return best


def may_bid(company: Company, lot: CompanyId) -> bool:
    """Whether a company may buy another company: any in play that is not in liquidation."""
    return company.id != lot and (
        companies.is_private(company) or (companies.is_public(company) and not companies.is_in_liquidation(company))
    )


def bidders_of(game: Game, player: PlayerId, lot: CompanyId) -> list[Company]:
    return [company for company in companies.companies_directed_by(game, player) if may_bid(company, lot)]


def most_for_company(game: Game, player: PlayerId) -> int:
    """The highest bid that one of the player's companies could pay; at most £10 above others for the director of the
    lot.
    """
    auction = current_auction(game)
    lot = as_company(auction.lots[0])
    most = max((capacity(game, company) for company in bidders_of(game, player, lot)), default=0)
    if companies.director_player(game, lot) != player:
        return most
    if auction.bidder == player:
        return min(most, auction.best)
    return min(most, auction.best + BID_STEP if auction.best else lowest_bid(auction))


AUCTION = OpenCryAuction(most_for_company, "1820 §8.4.2", name="bid for the company")
"""The auction of a company, or of the remains of a company."""

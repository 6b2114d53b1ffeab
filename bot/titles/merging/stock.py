"""Shares: what may be bought and sold in a turn, and majors begun in it."""

from __future__ import annotations

from bot.engine import BANK, IPO, CompanyId, IllegalMove, Owner, PlayerId, StockSections, same_ref
from bot.engine.play import Game
from bot.engine.play.holdings import has_phase_begun, price_of
from bot.engine.play.steps import SharePrices, StockTurn, pass_priority

from .family import kind_of
from .homes import home_places, place_first_token
from .prices import cells_for, fall_by_sale, raise_sold_out


def check_share(game: Game, company: CompanyId) -> None:
    if kind_of(game, company) == "national":
        raise IllegalMove("{company} has no shares.", game.title.id, company)
    if kind_of(game, company) == "minor":
        raise IllegalMove("A minor is auctioned whole; shares of it are never sold.", game.title.id)


def check_sell(game: Game, company: CompanyId) -> None:
    """Refuse shares of a company that has not operated."""
    check_share(game, company)
    if game.company(company).position is not None and not game.company(company).operated:
        raise IllegalMove("{company} has not operated yet.", game.title.id, company)


def check_buy(game: Game, player: PlayerId, company: CompanyId, source: Owner) -> None:
    """Refuse to begin a company that cannot be begun now."""
    check_share(game, company)
    if game.company(company).position is not None:
        return
    if not has_phase_begun(game, "4"):
        raise IllegalMove("Majors are started in stock rounds from phase 4 on.", game.title.id)
    if not home_places(game, company):
        raise IllegalMove("There is no city for the first token of {company}.", game.title.id, company)


def after_purchase(game: Game, company: CompanyId) -> None:
    """A company that has begun has its money immediately; its first token is placed."""
    record = game.company(company)
    if not record.floated:
        record.floated = True
        place_first_token(game, company)


def end_stock_round(game: Game) -> None:
    """An automatic step: majors that are sold out rise; the player after the last to act gets the priority card."""
    raise_sold_out(game)
    pass_priority(game)


def build_stock_turn(section: str) -> StockTurn:
    return StockTurn(
        section=same_ref(StockSections, section),
        prices=SharePrices(
            lower_price_after_sale=lambda game, company, percent: fall_by_sale(game, company),
            par_cells=lambda game, company: cells_for(game, "pz") if kind_of(game, company) == "major" else [],
            share_price=lambda game, company, source: price_of(game, company),
            payee=lambda game, company, source: company if source == IPO else BANK,
        ),
        may_sell=check_sell,
        after_purchase=after_purchase,
        may_buy=check_buy,
    )

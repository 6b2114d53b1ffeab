"""Shares: the market's colours, what may be bought and sold in a turn, launching, excess (1830 stock rounds)."""

from __future__ import annotations

from bot.engine import IPO, CompanyId, IllegalMove, Owner, PlayerId, StockSections, same_ref
from bot.engine.play import Game
from bot.engine.play.holdings import step_down
from bot.engine.play.holdings.market import move
from bot.engine.play.steps import SharePrices, StockTurn, current_stock_turn, float_company
from bot.engine.state import OperatingRoundMemory, Pass

from .components import BROWN_OPTION, FLOATS_AT, MARKET, MOST_HELD
from .interpretations import interpretation_flags

SECTION = "1830"
STOCK_SECTIONS = same_ref(StockSections, SECTION)


def is_in_zone(game: Game, company: CompanyId, zones: str) -> bool:
    position = game.state.companies[company].position
    cell = MARKET.cell(position) if position else None
    return cell is not None and not set(zones).isdisjoint(cell.zones)


def counts_for_limit(game: Game, company: CompanyId) -> bool:
    """Certificates do not count in the yellow, orange and brown zones."""
    return not is_in_zone(game, company, "yob")


def is_unlimited(game: Game, company: CompanyId) -> bool:
    """Anybody may hold any number of shares in the orange and brown zones."""
    return is_in_zone(game, company, "ob")


def check_sell(game: Game, company: CompanyId) -> None:
    if game.state.round.number == 1:
        raise IllegalMove("Shares cannot be sold in the first stock round.", SECTION)


def after_sale(game: Game, company: CompanyId, percent: int) -> None:
    """One space down for each share."""
    for _ in range(percent // 10):
        move(game, company, step_down(MARKET, game.company(company).position or (0, 0)))


def check_buy(game: Game, player: PlayerId, company: CompanyId, source: Owner) -> None:
    """Refuse a purchase after the first, unless all are of a single company in the brown zone, and any by a player who
    must sell first.
    """
    if current_stock_turn(game).bought:
        _check_further_share(game, company, source)
    check_excess(game, player)


def _check_further_share(game: Game, company: CompanyId, source: Owner) -> None:
    turn = current_stock_turn(game)
    privates = set(map(str, game.title.privates)) if interpretation_flags(game).brown_shares_follow_a_private else set()
    shares = [bought for bought in turn.bought if bought not in privates]
    if shares != [company] * len(shares) or not is_in_zone(game, company, "b"):
        raise IllegalMove("Only shares of one company in the brown zone can be bought several at a time.", SECTION)
    is_limited = game.state.options[BROWN_OPTION.name] == BROWN_OPTION.default
    if is_limited and IPO in (source, *turn.sources):
        raise IllegalMove("In the brown zone, several shares can only be bought from the pool.", SECTION)


def check_excess(game: Game, player: PlayerId) -> None:
    """Refuse everything except a sale from a player above a limit who can sell."""
    STOCK.check_excess(game, player)
    check_majorities(game, player)


def check_majorities(game: Game, player: PlayerId) -> None:
    """Refuse everything except a sale from a player who holds too much of a company and can sell it."""
    large = [company.id for company in game.state.companies.values() if company.percent_held_by(player) > MOST_HELD]
    too_large = [company for company in large if not is_unlimited(game, company)]
    sales = {sale.company for sale in STOCK.options_to_sell(game, player)} if too_large else ()
    for company in too_large:
        if company in sales:
            raise IllegalMove(
                "You hold more than {limit}% of {company} and must sell first.", SECTION, MOST_HELD, company
            )


def can_continue(game: Game) -> bool:
    return any(not isinstance(option, Pass) for option in STOCK.options(game))


def launch(game: Game, company_id: CompanyId) -> None:
    """Give a company with 60% sold ten times its starting price. In an operating round it waits for the next round to
    operate.
    """
    company = game.company(company_id)
    if company.floated or company.par is None or 100 - company.percent_held_by(IPO) < FLOATS_AT:
        return
    float_company(game, company_id, 10 * company.par)
    for frame in game.state.flow:
        if isinstance(frame.memory, OperatingRoundMemory):
            frame.memory.done.append(company_id)


STOCK = StockTurn(
    section=STOCK_SECTIONS,
    prices=SharePrices(after_sale=after_sale),
    may_sell=check_sell,
    after_purchase=launch,
    is_unlimited=is_unlimited,
    may_pass=check_majorities,
    may_buy=check_buy,
    goes_on=can_continue,
)

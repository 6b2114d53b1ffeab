"""Shares: the market's colours, what may be bought and sold in a turn, launching, excess (1830 stock rounds)."""

from __future__ import annotations

from bot.engine.ids import IPO, CompanyId, Owner, PlayerId
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import down, move
from bot.engine.play.steps.stock import SharePrices, StockTurn, float_company, turn_of
from bot.engine.refusals import IllegalMove
from bot.engine.rule_refs import StockSections, everywhere
from bot.engine.state.actions import Pass
from bot.engine.state.state import OperatingRoundMemory

from .components import BROWN_OPTION, FLOATS_AT, MARKET, MOST_HELD
from .interpretations import readings

SECTION = "1830"
STOCK_SECTIONS = everywhere(StockSections, SECTION)


def in_zone(game: Game, company: CompanyId, zones: str) -> bool:
    """Whether the company's marker lies in one of the coloured zones with these letters."""
    position = game.company(company).position
    cell = MARKET.cell(position) if position else None
    return cell is not None and any([zone in zones for zone in cell.zones])


def counts_for_limit(game: Game, company: CompanyId) -> bool:
    """In the yellow, orange and brown zones certificates do not count."""
    return not in_zone(game, company, "yob")


def is_unlimited(game: Game, company: CompanyId) -> bool:
    """In the orange and brown zones anybody may hold any number of shares."""
    return in_zone(game, company, "ob")


def may_sell(game: Game, company: CompanyId) -> None:
    """Refuse sales in the first stock round."""
    if game.state.round.number == 1:
        raise IllegalMove("Shares cannot be sold in the first stock round.", SECTION)


def after_sale(game: Game, company: CompanyId, percent: int) -> None:
    """One space down a share."""
    for _ in range(percent // 10):
        move(game, company, down(MARKET, game.company(company).position or (0, 0)))


def may_buy(game: Game, player: PlayerId, company: CompanyId, source: Owner) -> None:
    """Refuse a purchase after the first one, unless all are of one company in the brown zone, and any by a player who must
    sell first."""
    if turn_of(game).bought:
        _check_further_share(game, company, source)
    check_excess(game, player)


def _check_further_share(game: Game, company: CompanyId, source: Owner) -> None:
    turn = turn_of(game)
    privates = set(map(str, game.title.privates)) if readings(game).brown_shares_follow_a_private else set()
    shares = [bought for bought in turn.bought if bought not in privates]
    if shares != [company] * len(shares) or not in_zone(game, company, "b"):
        raise IllegalMove("Only shares of one company in the brown zone can be bought several at a time.", SECTION)
    is_limited = game.state.options[BROWN_OPTION.name] == BROWN_OPTION.default
    if is_limited and IPO in (source, *turn.sources):
        raise IllegalMove("In the brown zone, several shares can only be bought from the pool.", SECTION)


def check_excess(game: Game, player: PlayerId) -> None:
    """Refuse whatever is no sale to a player above a limit who can sell."""
    STOCK.check_excess(game, player)
    check_majorities(game, player)


def check_majorities(game: Game, player: PlayerId) -> None:
    """Refuse whatever is no sale to a player who holds too much of a company and can sell it."""
    large = [company.id for company in game.state.companies.values() if company.held_by(player) > MOST_HELD]
    too_large = [company for company in large if not is_unlimited(game, company)]
    sales = {sale.company for sale in STOCK.options_to_sell(game, player)} if too_large else ()
    for company in too_large:
        if company in sales:
            raise IllegalMove(
                "You hold more than {limit}% of {company} and must sell first.", SECTION, MOST_HELD, company
            )


def goes_on(game: Game) -> bool:
    """Whether a player who has bought can still sell, or buy more of the brown zone."""
    return any(not isinstance(option, Pass) for option in STOCK.options(game))


def launch(game: Game, company_id: CompanyId) -> None:
    """A company of which 60% have been bought gets ten times its starting price. In an operating round it waits for the
    next one."""
    company = game.company(company_id)
    if company.floated or company.par is None or 100 - company.held_by(IPO) < FLOATS_AT:
        return
    float_company(game, company_id, 10 * company.par)
    for frame in game.state.flow:
        if isinstance(frame.memory, OperatingRoundMemory):
            frame.memory.done.append(company_id)


STOCK = StockTurn(
    section=STOCK_SECTIONS,
    prices=SharePrices(after_sale=after_sale),
    may_sell=may_sell,
    after_purchase=launch,
    is_unlimited=is_unlimited,
    may_pass=check_majorities,
    may_buy=may_buy,
    goes_on=goes_on,
)

"""Shares: the market's colours, what may be bought and sold in a turn, floating, excess."""

from __future__ import annotations

from bot.engine import IPO, POOL, REMOVED, CompanyId, IllegalMove, Owner, PlayerId, StockSections, same_ref
from bot.engine.play import Game
from bot.engine.play.holdings import ordinary_certificates, president_of, step_down
from bot.engine.play.holdings.market import move
from bot.engine.play.steps import SharePrices, StockTurn, current_stock_turn, float_company
from bot.engine.play.steps.stock import buy
from bot.engine.state import OperatingRoundMemory, Pass, StockTurnMemory

from .family import TurnOrder, classic, step_of


def is_in_zone(game: Game, company: CompanyId, zones: str) -> bool:
    position = game.state.companies[company].position
    cell = game.title.market.cell(position) if position else None
    return cell is not None and not set(zones).isdisjoint(cell.zones)


def is_unlimited(game: Game, company: CompanyId) -> bool:
    """Whether anybody may hold any number of its shares."""
    return is_in_zone(game, company, classic(game).unlimited)


def check_sell(game: Game, company: CompanyId) -> None:
    values = classic(game)
    if game.state.round.number == 1:
        raise IllegalMove("Shares cannot be sold in the first stock round.", values.section)
    if values.turn is TurnOrder.SELL_BUY and current_stock_turn(game).bought:
        raise IllegalMove("You have already bought something this turn.", values.section)
    if values.sells_in_blocks and company in current_stock_turn(game).sold:
        sentence = "You have already sold {company} this turn; sell all shares of a company together."
        raise IllegalMove(sentence, values.section, company)


def lower_price_after_sale(game: Game, company: CompanyId, percent: int) -> None:
    """One space down for each share."""
    for _ in range(percent // 10):
        move(game, company, step_down(game.title.market, game.company(company).position or (0, 0)))


def check_buy(game: Game, player: PlayerId, company: CompanyId, source: Owner) -> None:
    """Refuse a purchase after the first, unless all are of a single company in the zone of several purchases, and any
    by a player who must sell first.
    """
    turn = current_stock_turn(game)
    if turn.bought:
        _check_further_share(game, turn, company, source)
    check_excess(game, player)


def _check_further_share(game: Game, turn: StockTurnMemory, company: CompanyId, source: Owner) -> None:
    values = classic(game)
    if not values.several:
        raise IllegalMove("You have already bought something this turn.", values.section)
    shares = values.counted_purchases(game, turn.bought)
    if shares != [company] * len(shares) or not is_in_zone(game, company, values.several):
        sentence = "Only shares of one company in the brown zone can be bought several at a time."
        raise IllegalMove(sentence, values.section)
    if not values.several_new(game) and IPO in (source, *turn.sources):
        raise IllegalMove("In the brown zone, several shares can only be bought from the pool.", values.section)


def check_excess(game: Game, player: PlayerId) -> None:
    """Refuse everything except a sale from a player above a limit who can sell."""
    step_of(game.title, StockTurn).check_excess(game, player)
    check_majorities(game, player)


def check_majorities(game: Game, player: PlayerId) -> None:
    """Refuse everything except a sale from a player who holds too much of a company and can sell it."""
    most = classic(game).most_held
    large = [company.id for company in game.state.companies.values() if company.percent_held_by(player) > most]
    too_large = [company for company in large if not is_unlimited(game, company)]
    options = step_of(game.title, StockTurn).options_to_sell(game, player) if too_large else ()
    sales = {sale.company for sale in options}
    for company in too_large:
        if company in sales:
            sentence = "You hold more than {limit}% of {company} and must sell first."
            raise IllegalMove(sentence, classic(game).section, most, company)


def can_continue(game: Game) -> bool:
    """Whether a player who has bought has more to do."""
    values = classic(game)
    if values.turn is TurnOrder.SELL_BUY and not values.several:
        return False
    return any(not isinstance(option, Pass) for option in step_of(game.title, StockTurn).options(game))


def after_purchase(game: Game, company: CompanyId) -> None:
    """The company may float; who has sold before does not sell again where a turn is one of two orders."""
    float_if_sold(game, company)
    if classic(game).turn is TurnOrder.SELL_BUY_OR_BUY_SELL and current_stock_turn(game).sold:
        game.next_step()


def float_if_sold(game: Game, company_id: CompanyId) -> None:
    """Give a company of which enough is sold ten times its starting price. In an operating round it waits for the next
    round to operate.
    """
    company, floats_at = game.company(company_id), classic(game).floats_at
    if company.floated or company.par is None or 100 - company.percent_held_by(IPO) < floats_at:
        return
    float_company(game, company_id, 10 * company.par)
    if classic(game).floats_into_pool(game):
        company.move_certificates(ordinary_certificates(company, IPO), POOL)
        game.log("The other shares of {company} go to the pool.", company_id)
    for frame in game.state.flow:
        if isinstance(frame.memory, OperatingRoundMemory):
            frame.memory.done.append(company_id)


def buy_share(
    game: Game, player: PlayerId, company_id: CompanyId, source: Owner, price: int, shares: int, payee: Owner
) -> None:
    """As `buy`; where purchases thin the pool, one of another's company takes a share out of the game first."""
    company = game.company(company_id)
    spare = ordinary_certificates(company, POOL)[-1:] if classic(game).thins_pool(game) else []
    if spare and president_of(company) != player:
        company.move_certificates(spare, REMOVED)
        game.log("{player} takes a share of {company} out of the game.", player, company_id)
    if ordinary_certificates(company, source):
        buy(game, player, company_id, source, price, shares, payee)


def build_stock_turn(section: str) -> StockTurn:
    return StockTurn(
        section=same_ref(StockSections, section),
        prices=SharePrices(lower_price_after_sale=lower_price_after_sale, purchase=buy_share),
        may_sell=check_sell,
        after_purchase=after_purchase,
        is_unlimited=is_unlimited,
        may_pass=check_majorities,
        may_buy=check_buy,
        goes_on=can_continue,
    )

"""18GB, assembled: nouns, plans of turns, policies, reactions."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from bot.engine import (
    IPO,
    CompanyId,
    IllegalMove,
    PlayerId,
    RouteSections,
    StockSections,
    TokenSections,
    TrackSections,
    TrainSections,
    same_ref,
)
from bot.engine.board import FOLLOWING, BoardRules
from bot.engine.play import Game, Policies, Procedure, Title, index_by_name
from bot.engine.play.interpretations import RULES_OPTION
from bot.engine.play.steps import (
    OFFER_WITHDRAWAL,
    BuyTrains,
    DiscardTrains,
    LayTrack,
    PayDividend,
    PlaceTokens,
    RunTrains,
    SharePrices,
    StockTurn,
    Terrain,
    TrackBuild,
    UsedTrains,
    ask_companies_over_limit,
    ask_for_excess,
    begin_auction,
    begin_turn,
    distribute,
    jump_to,
    next_company,
    next_player,
    open_stock_round,
    operating_turn,
    pay_incomes,
    train_offer,
)
from bot.engine.state import events

from . import companies, components, privates, rounds
from . import stock as stocks
from . import track as building
from .auction import WaterfallAuction
from .board_style import LOOK
from .glossary import WORDS
from .interpretations import interpretation_flags
from .map import MAP, MAP_EAST_WEST, MAP_NORTH_SOUTH
from .routes import route_problem
from .state import State18GB, scenario, title_state
from .tiles import TILES

TRAIN_SECTION = "18GB trains"
TRACK_SECTIONS = same_ref(TrackSections, building.SECTION)
TOKEN_SECTIONS = same_ref(TokenSections, "18GB tokens")
STOCK_SECTIONS = same_ref(StockSections, stocks.SECTION)
TRAIN_SECTIONS = same_ref(TrainSections, TRAIN_SECTION)
ROUTE_SECTIONS = same_ref(RouteSections, "18GB routes")


# -- policies -----------------------------------------------------------------------------------------


def certificate_limit(game: Game, player: PlayerId) -> int:
    """As the scenario says; privates do not count."""
    return scenario(game).certificates


def must_own_train(game: Game, company: CompanyId) -> bool:
    """A trainless company with a decision maker must buy when it could pay for the most expensive train of the bank."""
    if game.state.trains_of(company) or companies.acting_president(game, company) is None:
        return False
    prices = companies.prices_of_bank(game)
    return bool(prices) and game.state.cash[company] >= prices[-1]


# -- parameters of the shared steps -------------------------------------------------------------------


def check_trade(game: Game, buyer: CompanyId, seller: CompanyId) -> None:
    """Refuse trades with companies in receivership, the sale of a last train to a company that has a train, and used
    trains for a company that has converted in need and can pay for a new train.
    """
    if companies.is_in_receivership(game, seller):
        raise IllegalMove("{seller} is in receivership and sells nothing.", TRAIN_SECTION, seller)
    if companies.is_in_receivership(game, buyer):
        raise IllegalMove("{buyer} is in receivership and buys from the bank only.", TRAIN_SECTION, buyer)
    if len(game.state.trains_of(seller)) < 2 and game.state.trains_of(buyer):
        raise IllegalMove("{seller} sells its last train only to a company without a train.", TRAIN_SECTION, seller)
    if "converted" in operating_turn(game).used and must_own_train(game, buyer):
        raise IllegalMove("{buyer} has converted and must buy a new train.", TRAIN_SECTION, buyer)


def check_own(game: Game, company: CompanyId, kind: str) -> None:
    """On 18xx.games a company in receivership buys no train beyond the train it has."""
    has_train = bool(game.state.trains_of(company))
    if (
        has_train
        and interpretation_flags(game).receivership_buys_one_train
        and companies.is_in_receivership(game, company)
    ):
        raise IllegalMove("{company} is in receivership and has a train.", TRAIN_SECTION, company)


def check_tokens_at_end(game: Game, company: CompanyId) -> None:
    """Refuse tokens once an operating round has ended with two trains or fewer."""
    if title_state(game).last_trains:
        raise IllegalMove("No tokens are placed any more: two trains or fewer are left.", "18GB end of the game")


def exact_part(revenue: int, percent: int, unit: int) -> int:
    """Owners of several shares lose a fraction once. Shares in the IPO earn for the company, the pool earns nothing."""
    return revenue * percent // 100


CLOSING = (privates.ClosePrivates(),)
"""Possible for the owners of privates at any time."""

DIVIDEND = PayDividend(
    companies.on_dividend, "18GB dividends", share_out=partial(distribute, earns_for=IPO, part=exact_part)
)
BUILD = TrackBuild(
    LayTrack(
        section=TRACK_SECTIONS,
        may_lay=building.check_lay,
        has_more=building.can_lay_more,
        terrain=Terrain(cost=building.cost, rebate=privates.lay_rebate),
        is_extra=privates.is_extra,
        regardless=building.tiles_ignoring_phase,
        check_reach=building.check_reach,
    ),
    PlaceTokens(
        TOKEN_SECTIONS, price=privates.token_price, may_place=check_tokens_at_end, more=privates.private_tokens
    ),
    building.may_build,
)

STOCK = StockTurn(
    section=STOCK_SECTIONS,
    prices=SharePrices(
        lower_price_after_sale=stocks.lower_price_after_sale,
        share_price=stocks.share_price,
        sale_price=stocks.sale_price,
    ),
    may_sell=stocks.check_sell,
    after_purchase=rounds.after_purchase,
    may_buy=stocks.check_buy,
    goes_on=stocks.can_continue,
)

BUY_TRAINS = BuyTrains(
    section=TRAIN_SECTIONS,
    used=UsedTrains(
        may_trade=check_trade,
        needs_consent=lambda game: not interpretation_flags(game).trades_without_consent,
        prices=lambda game, company, train: (1, 2 * components.TRAINS[train.kind].price),
    ),
    may_own=check_own,
    stays_open=lambda game: stocks.can_convert_in_need(game, game.company_in_turn),
    skips_idle=True,
)

PLANS = index_by_name(
    Procedure("game", (begin_auction, rounds.order_by_cash, open_stock_round, rounds.next_operating_round, jump_to(2))),
    Procedure("auction", (WaterfallAuction(),)),
    Procedure("stock round", (next_player, rounds.end_stock_round)),
    Procedure("stock turn", (STOCK,), (stocks.ConvertInStockRound(),), CLOSING),
    Procedure("operating round", (pay_incomes, next_company(), rounds.end_operating_round)),
    Procedure(
        "company turn",
        (
            begin_turn,
            BUILD,
            companies.declare_insolvency,
            companies.run_without_president,
            RunTrains(lambda game: True, ROUTE_SECTIONS),
            companies.withhold_if_forced,
            DIVIDEND,
            DIVIDEND.handle_no_revenue,
            ask_for_excess,
            companies.buy_without_president,
            BUY_TRAINS,
            stocks.offer_share,
            companies.settle_solvency,
        ),
        (stocks.ConvertInNeed(), building.UsePrivates(BUILD)),
        CLOSING,
    ),
    Procedure("share after conversion", (stocks.BuyConverted(),), unasked=CLOSING),
    Procedure("discard", (ask_companies_over_limit, DiscardTrains(TRAIN_SECTION)), unasked=CLOSING),
    Procedure("train offer", (train_offer(TRAIN_SECTION),), unasked=(OFFER_WITHDRAWAL, *CLOSING)),
)

GRAY_TILES = ("G31", "G35", "912")
TILES_WITHOUT_GRAY = {name: tile for name, tile in TILES.items() if name not in GRAY_TILES}
ESTUARIES = {**FOLLOWING, "blue": "blue"}
"""Blue tiles are laid on the blue print of the estuaries."""

TITLE = Title(
    id="18GB",
    name="18GB",
    players=range(2, 7),
    currency="£",
    companies=components.COMPANIES,
    privates=components.PRIVATES,
    trains=components.TRAINS,
    phases=components.PHASES,
    land=BoardRules(MAP, TILES, ESTUARIES),
    market=components.MARKET,
    rules=Policies(
        certificate_limit=certificate_limit,
        holding_limit=lambda game, company: stocks.MOST_FROM_IPO,
        pool_limit=lambda game, company: 100,
        train_limit=companies.train_limit,
        route_problem=route_problem,
        must_own_train=must_own_train,
        worth=rounds.net_worth,
        president=companies.acting_president,
        pool_takes_president=True,
        pool_is_free=True,
        runs_with=companies.trains_run_by,
    ),
    plans=PLANS,
    reactions=(
        (events.TrainBought, rounds.on_train_bought),
        (events.TrainBought, rounds.detect_game_end),
        (events.TrainExported, rounds.detect_game_end),
        (events.PhaseBegan, rounds.on_phase_change),
        (events.TileLaid, building.settle_home),
        (events.TileLaid, privates.close_on_building),
        (events.TokenPlaced, privates.note_private_token),
        (events.PriceMoved, rounds.detect_game_end),
        (events.PresidentChanged, rounds.forget_routes),
        (events.PrivateClosed, rounds.forget_routes),
    ),
    special_type=State18GB,
    set_up=rounds.set_up,
    options=(RULES_OPTION, components.SALES_OPTION, components.MAP_OPTION, components.COMPANIES_OPTION),
    director_word="director",
    sentences={
        events.PresidentChanged: companies.format_director,
        companies.SolvencyChanged: companies.format_solvency,
    },
    scenarios={
        components.WITHOUT_GRAY: BoardRules(MAP, TILES_WITHOUT_GRAY, ESTUARIES),
        components.NORTH_SOUTH: BoardRules(MAP_NORTH_SOUTH, TILES_WITHOUT_GRAY, ESTUARIES),
        components.EAST_WEST: BoardRules(MAP_EAST_WEST, TILES_WITHOUT_GRAY, ESTUARIES),
    },
    bank_is_unlimited=True,
    version=2,
    look=LOOK,
    words=WORDS,
)

FIRST = replace(TITLE, version=1, options=(RULES_OPTION, components.MAP_OPTION, components.COMPANIES_OPTION))
"""The rules of games begun with version 1: `interpretations.py` checks the version."""

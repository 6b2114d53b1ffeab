"""18GB, assembled: nouns, plans of turns, policies, reactions."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from bot.engine.board.board_rules import BoardRules
from bot.engine.board.upgrades import FOLLOWING
from bot.engine.ids import IPO, CompanyId, PlayerId
from bot.engine.play.game import Game
from bot.engine.play.interpretations import RULES_OPTION
from bot.engine.play.steps.dividends import PayDividend, distribute, operating_turn
from bot.engine.play.steps.privates import pay_incomes
from bot.engine.play.steps.rounds import back_to, begin_auction, begin_turn, next_company, open_stock_round
from bot.engine.play.steps.routes import RunTrains
from bot.engine.play.steps.stock import SharePrices, StockTurn, next_player
from bot.engine.play.steps.tile_lays import TrackBuild
from bot.engine.play.steps.tokens import PlaceTokens
from bot.engine.play.steps.track import LayTrack, Terrain
from bot.engine.play.steps.trains import BuyTrains, DiscardTrains, UsedTrains, ask_crowded, ask_for_excess, train_offer
from bot.engine.play.steps.withdrawal import OFFER_WITHDRAWAL
from bot.engine.play.title import Policies, Procedure, Title, by_name
from bot.engine.refusals import IllegalMove
from bot.engine.rule_refs import RouteSections, StockSections, TokenSections, TrackSections, TrainSections, everywhere
from bot.engine.state import events

from . import companies, components, privates, rounds
from . import stock as stocks
from . import track as building
from .auction import WaterfallAuction
from .board_style import LOOK
from .glossary import WORDS
from .interpretations import readings
from .map import MAP, MAP_EAST_WEST, MAP_NORTH_SOUTH
from .routes import route_problem
from .state import State18GB, scenario, special
from .tiles import TILES

TRAIN_SECTION = "18GB trains"
TRACK_SECTIONS = everywhere(TrackSections, building.SECTION)
TOKEN_SECTIONS = everywhere(TokenSections, "18GB tokens")
STOCK_SECTIONS = everywhere(StockSections, stocks.SECTION)
TRAIN_SECTIONS = everywhere(TrainSections, TRAIN_SECTION)
ROUTE_SECTIONS = everywhere(RouteSections, "18GB routes")


# -- policies -----------------------------------------------------------------------------------------


def certificate_limit(game: Game, player: PlayerId) -> int:
    """As the scenario says; privates do not count."""
    return scenario(game).certificates


def must_own_train(game: Game, company: CompanyId) -> bool:
    """A trainless company that somebody decides for must buy when it could pay for the dearest train of the bank."""
    prices = companies.prices_of_bank(game)
    is_asked = companies.directed(game, company) is not None
    has_train = bool(game.state.trains_of(company))
    return is_asked and not has_train and bool(prices) and game.state.cash[company] >= prices[-1]


# -- parameters of the shared steps -------------------------------------------------------------------


def may_trade(game: Game, buyer: CompanyId, seller: CompanyId) -> None:
    """Refuse dealing with companies in receivership, the sale of a last train to a company that has one, and used trains
    for a company that has converted in need and can pay for a new one."""
    if companies.in_receivership(game, seller):
        raise IllegalMove("{seller} is in receivership and sells nothing.", TRAIN_SECTION, seller)
    if companies.in_receivership(game, buyer):
        raise IllegalMove("{buyer} is in receivership and buys from the bank only.", TRAIN_SECTION, buyer)
    if len(game.state.trains_of(seller)) < 2 and game.state.trains_of(buyer):
        raise IllegalMove("{seller} sells its last train only to a company without one.", TRAIN_SECTION, seller)
    if "converted" in operating_turn(game).used and must_own_train(game, buyer):
        raise IllegalMove("{buyer} has converted and must buy a new train.", TRAIN_SECTION, buyer)


def may_own(game: Game, company: CompanyId, kind: str) -> None:
    """On 18xx.games a company in receivership buys no train beside the one that it has."""
    has_train = bool(game.state.trains_of(company))
    if has_train and readings(game).receivership_buys_one_train and companies.in_receivership(game, company):
        raise IllegalMove("{company} is in receivership and has a train.", TRAIN_SECTION, company)


def no_tokens_at_the_end(game: Game, company: CompanyId) -> None:
    """Refuse tokens once an operating round has ended with two trains or fewer."""
    if special(game).last_trains:
        raise IllegalMove("No tokens are placed any more: two trains or fewer are left.", "18GB end of the game")


def exact_part(revenue: int, percent: int, unit: int) -> int:
    """Owners of several shares lose a fraction once. Those in the IPO earn for the company, the pool earns nothing."""
    return revenue * percent // 100


CLOSING = (privates.ClosePrivates(),)
"""What the owners of privates may do at any time."""

DIVIDEND = PayDividend(
    companies.after_dividend, "18GB dividends", share_out=partial(distribute, earns_for=IPO, part=exact_part)
)
BUILD = TrackBuild(
    LayTrack(
        section=TRACK_SECTIONS,
        may_lay=building.may_lay,
        has_more=building.has_more,
        terrain=Terrain(cost=building.cost, rebate=privates.lay_rebate),
        is_extra=privates.is_extra,
        regardless=building.regardless,
        check_reach=building.check_reach,
    ),
    PlaceTokens(
        TOKEN_SECTIONS, price=privates.token_price, may_place=no_tokens_at_the_end, more=privates.private_tokens
    ),
    building.may_build,
)

STOCK = StockTurn(
    section=STOCK_SECTIONS,
    prices=SharePrices(after_sale=stocks.after_sale, share_price=stocks.share_price, sale_price=stocks.sale_price),
    may_sell=stocks.may_sell,
    after_purchase=rounds.after_purchase,
    may_buy=stocks.may_buy,
    goes_on=stocks.goes_on,
)

BUY_TRAINS = BuyTrains(
    section=TRAIN_SECTIONS,
    used=UsedTrains(
        may_trade=may_trade,
        needs_consent=lambda game: not readings(game).trades_without_consent,
        prices=lambda game, company, train: (1, 2 * components.TRAINS[train.kind].price),
    ),
    may_own=may_own,
    stays_open=lambda game: stocks.can_convert_in_need(game, game.company_in_turn),
    skips_idle=True,
)

PLANS = by_name(
    Procedure("game", (begin_auction, rounds.order_by_cash, open_stock_round, rounds.next_operating_round, back_to(2))),
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
            companies.withhold_where_bound,
            DIVIDEND,
            DIVIDEND.without_revenue,
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
    Procedure("discard", (ask_crowded, DiscardTrains(TRAIN_SECTION)), unasked=CLOSING),
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
        worth=rounds.worth,
        president=companies.directed,
        pool_takes_president=True,
        pool_is_free=True,
        runs_with=companies.runs_with,
    ),
    plans=PLANS,
    reactions=(
        (events.TrainBought, rounds.on_train_bought),
        (events.TrainBought, rounds.watch_for_the_end),
        (events.TrainExported, rounds.watch_for_the_end),
        (events.PhaseBegan, rounds.on_phase),
        (events.TileLaid, building.settle_home),
        (events.TileLaid, privates.close_where_built),
        (events.TokenPlaced, privates.note_private_token),
        (events.PriceMoved, rounds.watch_for_the_end),
        (events.PresidentChanged, rounds.forget_routes),
        (events.PrivateClosed, rounds.forget_routes),
    ),
    special_type=State18GB,
    set_up=rounds.set_up,
    options=(RULES_OPTION, components.SALES_OPTION, components.MAP_OPTION, components.COMPANIES_OPTION),
    director_word="director",
    sentences={
        events.PresidentChanged: companies.director_said,
        companies.SolvencyChanged: companies.solvency_said,
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
"""The rules of games that were begun by version 1: `interpretations.py` asks for the version."""

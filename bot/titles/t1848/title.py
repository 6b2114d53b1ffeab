"""1848 Australia, assembled: nouns, plans of turns, policies, reactions."""

from __future__ import annotations

from dataclasses import replace

from bot.engine import (
    CompanyId,
    IllegalMove,
    PlayerId,
    PrivateId,
    RouteSections,
    StockSections,
    TokenSections,
    TrackSections,
    TrainSections,
    is_permitted,
)
from bot.engine.board import BoardRules
from bot.engine.play import Game, Policies, Procedure, Title, index_by_name
from bot.engine.play.holdings import counted_trains, has_phase_begun, trains_for_sale
from bot.engine.play.interpretations import RULES_OPTION
from bot.engine.play.steps import (
    OFFER_WITHDRAWAL,
    BuyPrivates,
    BuyTrains,
    DiscardTrains,
    LayTrack,
    MoneyForTrains,
    NewTrains,
    PayDividend,
    PlaceTokens,
    RunTrains,
    SharePrices,
    StockTurn,
    Terrain,
    UsedTrains,
    ask_companies_over_limit,
    ask_for_excess,
    begin_auction,
    begin_operating_set,
    begin_stock_round,
    has_any_route,
    jump_to,
    next_operating_round,
    next_player,
    operating_turn,
    pay_incomes,
    printed_cost,
    train_offer,
)
from bot.engine.state import BuyTrain, LayTile, events

from . import bank_of_england as bank
from . import components, rounds
from . import trains as locomotives
from .auction import DutchAuction
from .glossary import WORDS
from .interpretations import interpretation_flags
from .map import MAP
from .messages import SENTENCES
from .privates import TasmaniaTile, check_buy_privates, has_right, keeps_track_open
from .routes import route_problem
from .state import State1848, title_state
from .stock import check_sell, lower_price_after_sale, par_cells
from .tiles import TILES

STOCK_SECTIONS = StockSections(
    limit="1848 §12.2.1",
    holding="1848 §12.2.2",
    par="1848 §12.3.1",
    buy="1848 §12.3.1",
    resell="1848 §12.3.2",
    sell="1848 §12.4.1",
    pool="1848 §12.4.1",
    president="1848 §6.2",
)
TRACK_SECTIONS = TrackSections(
    cost="1848 §7.4.5",
    kind="1848 §7.4.6",
    edge="1848 §7.4.7",
    colour="1848 §7.5.2",
    upgrade="1848 §7.5.3",
    reach="1848 §7.4.1",
    count="1848 §7.4.2",
    closed="1848 §7.4.4",
)
TOKEN_SECTIONS = TokenSections(
    left="1848 §7.7.2",
    once="1848 §7.7.4",
    cost="1848 §7.7.2",
    reach="1848 §7.7.4",
    room="1848 §7.7.4",
    twice="1848 §7.7.2",
)
TRAIN_SECTIONS = TrainSections(
    must="1848 §8.1",
    buy="1848 §8.3.2",
    order="1848 §8.3.2",
    one="1848 §8.2.5",
    limit="1848 §8.3.5",
    trade="1848 §8.2.4",
    money="1848 §8.4.1",
    used="1848 §8.3.4",
)
ROUTE_SECTIONS = RouteSections(train="1848 §8.1", must="1848 §7.3", route="1848 §10.1.2", shared="1848 §10.1.3")


# -- policies -----------------------------------------------------------------------------------------


def certificate_limit(game: Game, player: PlayerId) -> int:
    """The table of §12.2.1, lower for players who directed a company in receivership (§5.5.4)."""
    players = len(game.state.players)
    fallen = min(len(title_state(game).receiverships), 5)
    return (
        components.CERTIFICATE_LIMIT[players][fallen]
        - title_state(game).lost.get(player, 0) * components.FORMER_DIRECTOR_REDUCTION[players]
    )


def holding_limit(game: Game, company: CompanyId) -> int:
    """60%, with three players 70% (§12.2.2)."""
    return 70 if len(game.state.players) == 3 else 60


def is_unlimited(game: Game, company: CompanyId) -> bool:
    """Limits apply to all companies; version 1 of the rules exempted the Bank of England on 18xx.games."""
    return company == components.BANK_OF_ENGLAND and interpretation_flags(game).bank_has_no_limits


def pool_limit(game: Game, company: CompanyId) -> int:
    """Half of a company's shares; all of the Bank of England's (§12.4)."""
    return 100 if company == components.BANK_OF_ENGLAND else 50


def must_own_train(game: Game, company: CompanyId) -> bool:
    """A company with a route must own a train other than the Ghan (§8.1), if the bank has any."""
    if counted_trains(game, company):
        return False
    has_supply = any(components.TRAINS[card.family].counts_for_limit for card in trains_for_sale(game))
    return has_supply and has_any_route(game, company)


# -- parameters of the shared steps -------------------------------------------------------------------


def check_lay(game: Game, action: LayTile) -> None:
    """One yellow tile; from the first 3/3+ two yellow tiles, or one upgrade (§7.4.2, §7.5.1)."""
    check_lays(game, game.tile_at(action.hex).colour != "white")


def check_lays(game: Game, is_upgrade: bool) -> None:
    lays = operating_turn(game).lays
    if not lays:
        return
    if not has_phase_begun(game, "3"):
        raise IllegalMove("Only one tile may be laid per turn.", "1848 §7.4.2")
    if is_upgrade or lays[0].is_upgrade:
        raise IllegalMove("An upgrade replaces both yellow tile lays.", "1848 §7.5.1")
    if len(lays) > 1:
        raise IllegalMove("Only two yellow tiles may be laid per turn.", "1848 §7.4.2")


def has_more_lays(game: Game, company: CompanyId) -> bool:
    return is_permitted(check_lays, game, False) or keeps_track_open(game)


def desert_rebate(game: Game, company: CompanyId, private: PrivateId, action: LayTile) -> int:
    """P2 pays for one desert hex (§4.3)."""
    if private != components.DESERT_REBATE:
        raise IllegalMove("{private} does not help with track.", "1848 §4.3", private)
    if not has_right(game, company, private):
        raise IllegalMove("{company} has no right to {private}'s rebate.", "1848 §4.3", company, private)
    if not MAP.hexes[action.hex].is_desert or action.hex in game.state.board.tiles:
        raise IllegalMove("The rebate is for a yellow tile in a desert hex.", "1848 §4.3")
    return printed_cost(game, action)


def ghan_rebate(game: Game, company: CompanyId, private: PrivateId, kind: str) -> int:
    """P4 takes 100 off one 2E (§4.5)."""
    if private != components.GHAN_REBATE or kind != "2E" or not has_right(game, company, private):
        raise IllegalMove("{company} has no rebate on a {kind} from {private}.", "1848 §4.5", company, kind, private)
    return 100


def check_trade_trains(game: Game, buyer: CompanyId, seller: CompanyId) -> None:
    """From the first 3/3+ on (§8.3.4)."""
    if not has_phase_begun(game, "3"):
        raise IllegalMove("Companies sell trains once the first 3/3+ train has been bought.", "1848 §8.3.4")


def borrow_for_train(game: Game, action: BuyTrain) -> bool:
    """Compulsory purchase by loans (§8.4)."""
    return bank.borrow_for_train(game, CompanyId(action.by), action.price)


def has_something_else(game: Game) -> bool:
    """Whether the company can still take a loan, buy a private, lay the Tasmania tile, or buy at its limit: the 2E with
    a rebate (§4.5), a train for another train. Version 1 of the rules ignored these last two.
    """
    company = game.company_in_turn
    buys = locomotives.can_buy_ghan(game, company) or locomotives.can_trade_in(game, company)
    asks = not interpretation_flags(game).leaves_full_companies_out and locomotives.is_asked(game, company)
    return (asks and buys) or any(step.opens(game) for step in ANYTIME)


DIVIDEND = PayDividend(rounds.on_dividend, "1848 §10.3.3")

ANYTIME = (bank.Loans(), BuyPrivates(check_buy_privates, "1848 §4.1"), TasmaniaTile(is_forced=False))
"""Possible at any time in a company's turn from the first 3/3+ on (§7.3)."""

PLANS = index_by_name(
    Procedure("game", (begin_auction, begin_stock_round, begin_operating_set, next_operating_round, jump_to(1))),
    Procedure("auction", (DutchAuction(),)),
    Procedure("stock round", (ask_for_excess, next_player, rounds.end_stock_round)),
    Procedure(
        "stock turn",
        (
            StockTurn(
                section=STOCK_SECTIONS,
                prices=SharePrices(lower_price_after_sale=lower_price_after_sale, par_cells=par_cells),
                may_sell=check_sell,
                after_purchase=rounds.launch,
                is_unlimited=is_unlimited,
            ),
        ),
    ),
    Procedure(
        "operating round", (pay_incomes, bank.pay_bank_dividend, rounds.next_company, rounds.discard_after_the_last)
    ),
    Procedure(
        "company turn",
        (
            rounds.begin_turn,
            LayTrack(
                section=TRACK_SECTIONS, may_lay=check_lay, has_more=has_more_lays, terrain=Terrain(rebate=desert_rebate)
            ),
            PlaceTokens(TOKEN_SECTIONS),
            RunTrains(lambda game: interpretation_flags(game).may_run_nothing, ROUTE_SECTIONS),
            bank.LastLoan(),
            DIVIDEND,
            DIVIDEND.handle_no_revenue,
            locomotives.begin_buying,
            BuyTrains(
                section=TRAIN_SECTIONS,
                used=UsedTrains(
                    may_trade=check_trade_trains,
                    needs_consent=lambda game: not interpretation_flags(game).trades_without_consent,
                ),
                money=MoneyForTrains(
                    find=borrow_for_train,
                    may_find=bank.check_borrow_for_train,
                    for_dearer=lambda game: interpretation_flags(game).borrows_for_dearer_trains,
                    for_used=lambda game: interpretation_flags(game).borrows_for_used_trains,
                ),
                new=NewTrains(rebate=ghan_rebate),
                may_own=locomotives.check_own,
                stays_open=has_something_else,
            ),
        ),
        ANYTIME,
    ),
    Procedure("discard", (ask_companies_over_limit, DiscardTrains("1848 §8.1"))),
    Procedure("train offer", (train_offer("1848 §8.3.4"),), unasked=(OFFER_WITHDRAWAL,)),
    Procedure("tasmania", (TasmaniaTile(is_forced=True),)),
    Procedure("sell for debt", (bank.SELL_FOR_DEBT,)),
)

TITLE = Title(
    id="1848",
    name="1848 Australia",
    players=range(3, 7),
    currency="£",
    companies=components.COMPANIES,
    privates=components.PRIVATES,
    trains=components.TRAINS,
    phases=components.PHASES,
    land=BoardRules(MAP, TILES),
    market=components.MARKET,
    rules=Policies(
        certificate_limit=certificate_limit,
        holding_limit=holding_limit,
        pool_limit=pool_limit,
        route_problem=route_problem,
        must_own_train=must_own_train,
        worth=rounds.net_worth,
    ),
    plans=PLANS,
    reactions=(
        (events.TrainBought, rounds.on_train_bought),
        (events.TrainBought, locomotives.on_purchase),
        (events.PrivateBought, locomotives.on_means),
        (events.TrainDiscarded, locomotives.on_means),
        (events.PhaseBegan, locomotives.on_phase_change),
        (events.PhaseBegan, rounds.on_phase_change),
        (events.TileLaid, rounds.on_tile_laid),
        (events.Paid, bank.repay),
        (events.Paid, rounds.detect_game_end),
        (events.PriceMoved, rounds.detect_game_end),
        (events.LoanTaken, locomotives.on_means),
        (events.LoanTaken, rounds.detect_game_end),
        (bank.TakenOver, rounds.detect_game_end),
    ),
    special_type=State1848,
    set_up=rounds.set_up,
    options=(RULES_OPTION,),
    director_word="director",
    sentences=SENTENCES,
    words=WORDS,
    version=2,
)

FIRST = replace(TITLE, version=1)
"""The rules of games begun with version 1: `interpretations.py` checks the version."""

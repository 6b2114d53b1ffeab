"""1844 Switzerland, assembled: nouns, plans of turns, policies, reactions."""

from __future__ import annotations

from dataclasses import replace

from bot.engine import (
    CompanyId,
    IllegalMove,
    Owner,
    PlayerId,
    RouteSections,
    TokenSections,
    TrackSections,
    TrainSections,
    same_ref,
)
from bot.engine.play import Game, Policies, Procedure, Title, index_by_name
from bot.engine.play.audit import Audit
from bot.engine.play.holdings import has_phase_begun
from bot.engine.play.steps import (
    OFFER_WITHDRAWAL,
    BuyPrivates,
    BuyTrains,
    DiscardTrains,
    EmergencyShareSale,
    GoBankrupt,
    LayTrack,
    MoneyForTrains,
    PayDividend,
    PlaceTokens,
    RunTrains,
    StockTurn,
    Terrain,
    UsedTrains,
    ask_companies_over_limit,
    ask_for_excess,
    begin_operating_set,
    end_by_bankruptcy,
    end_if_triggered,
    jump_to,
    next_company,
    next_player,
    private_offer,
    train_offer,
)
from bot.engine.state import Company, events

from . import components, player_debt, rounds, sbb_formation
from . import stock as shares
from . import track as building
from . import trains as locomotives
from .auction import FIRST_PRICE, PrivateAuction, begin_auction, pay_incomes
from .board_rules import LAND
from .board_style import LOOK
from .flotation import SeeTargets
from .glossary import WORDS
from .interpretations import interpretation_flags
from .messages import SENTENCES
from .routes import look_for_visits, may_run, route_problem
from .state import State1844

TRACK_SECTIONS = replace(same_ref(TrackSections, "1844 §XIV"), colour="1844 §XV", upgrade="1844 §XV", count="1844 §XV")
TOKEN_SECTIONS = same_ref(TokenSections, "1844 §XVI")
TRAIN_SECTIONS = same_ref(TrainSections, "1844 §XVII")
ROUTE_SECTIONS = RouteSections(train="1844 §XVII", must="1844 §XVIII", route="1844 §XVII", best="1844 §XVIII")


# -- policies -----------------------------------------------------------------------------------------


def certificate_limit(game: Game, player: PlayerId) -> int:
    """24 to 11 certificates by the number of players (§XXII)."""
    return components.CERTIFICATE_LIMIT[len(game.state.players)]


def holding_limit(game: Game, company: CompanyId) -> int:
    """An owner of more than half of a company buys more of it only from the pool (§XXII)."""
    noun = components.COMPANIES[company]
    smallest_share = min(noun.certificates)
    return 75 if noun.kind == components.PRE_SBB else 50 + (10 if smallest_share != 5 else 5)


# -- parameters of the shared steps -------------------------------------------------------------------


def has_something_else(game: Game) -> bool:
    return any(step.opens(game) for step in ANYTIME)


def must_be_best(game: Game) -> bool:
    """The highest revenue must be claimed (§XVIII); 18xx.games leaves that to the players."""
    return not interpretation_flags(game).may_run_for_less


def check_buy_privates(game: Game, company: CompanyId) -> None:
    """Large historical and regional companies may, from the first 3/3H on (§V)."""
    if game.title.companies[company].kind not in (components.HISTORICAL, components.REGIONAL):
        raise IllegalMove(
            "{company} may not buy privates; only large historical and regional companies may.", "1844 §V", company
        )
    if not has_phase_begun(game, "3"):
        raise IllegalMove("Privates are sold to companies once the first 3/3H has been bought.", "1844 §V")


def check_buy(game: Game, player: PlayerId, company: CompanyId, source: Owner) -> None:
    """Nothing for a player in debt (18xx.games lets them start a company); no share of the SBB before it has formed."""
    if not interpretation_flags(game).debtors_may_start or game.company(company).par is not None:
        player_debt.check_buy(game, player)
    if company == components.SBB and not game.company(components.SBB).floated:
        raise IllegalMove("The SBB forms when the first 5/5H has been sold.", "1844 §XII")


def operates(game: Game, company: Company) -> bool:
    """Whether the company is launched and has a director (§XIII)."""
    return company.floated and game.controller_of(company.id) is not None


ANYTIME = (
    building.BuildTunnel(),
    building.FurkaLine(),
    BuyPrivates(
        check_buy_privates, "1844 §V", from_anyone=lambda game: interpretation_flags(game).buys_privates_from_anyone
    ),
    locomotives.TakeTheEva(),
    EmergencyShareSale(
        name="sell the director's shares for a train", sales=locomotives.SALES, lacking=locomotives.missing_cash
    ),
    GoBankrupt(sales=locomotives.SALES, price=locomotives.price_in_need, is_shown=locomotives.must_raise_money),
    SeeTargets(),
)
"""Possible for a company or its director in its turn besides the current decision."""

PLANS = index_by_name(
    Procedure(
        "game",
        (
            begin_auction,
            shares.begin_stock_round,
            begin_operating_set,
            rounds.next_operating_round,
            end_if_triggered,
            rounds.sell_abroad,
            rounds.form_after_export,
            jump_to(1),
        ),
    ),
    Procedure("auction", (PrivateAuction(),)),
    Procedure("first price", (FIRST_PRICE,)),
    Procedure("stock round", (next_player, shares.end_stock_round)),
    Procedure(
        "stock turn",
        (
            StockTurn(
                section=shares.STOCK_SECTIONS,
                prices=shares.PRICES,
                may_sell=shares.check_sell,
                after_purchase=shares.after_purchase,
                may_buy=check_buy,
                may_pass=shares.check_pass,
            ),
            player_debt.RepayDebt(is_due=True),
        ),
        (shares.BuyMountainOrTunnel(), player_debt.RepayDebt(), building.FurkaLine()),
    ),
    Procedure("mountain", (shares.PlaceMountain(),)),
    Procedure("operating round", (pay_incomes, rounds.discard_late, next_company(operates))),
    Procedure(
        "company turn",
        (
            rounds.begin_turn,
            LayTrack(
                section=TRACK_SECTIONS,
                may_lay=building.check_lay,
                has_more=building.has_more_lays,
                terrain=Terrain(rebate=building.rebate),
                is_extra=building.is_extra,
            ),
            PlaceTokens(TOKEN_SECTIONS),
            RunTrains(
                lambda game: interpretation_flags(game).may_run_nothing,
                ROUTE_SECTIONS,
                has_route=may_run,
                must_be_best=must_be_best,
                after_run=look_for_visits,
            ),
            PayDividend(rounds.on_dividend, "1844 §XVIII", share_out=rounds.share_out),
            rounds.after_run,
            BuyTrains(
                section=TRAIN_SECTIONS,
                used=UsedTrains(
                    may_trade=locomotives.check_trade,
                    needs_consent=lambda game: not interpretation_flags(game).trades_without_consent,
                    prices=locomotives.prices,
                ),
                money=MoneyForTrains(
                    find=locomotives.raise_money,
                    for_dearer=lambda game: interpretation_flags(game).director_pays_for_dearest,
                    for_used=lambda game: True,
                ),
                may_own=locomotives.check_own,
                stays_open=has_something_else,
            ),
        ),
        ANYTIME,
    ),
    Procedure("discard", (ask_companies_over_limit, DiscardTrains("1844 §XVII", locomotives.discard_destination))),
    Procedure("train offer", (train_offer("1844 §XVII", locomotives.raise_money),), unasked=(OFFER_WITHDRAWAL,)),
    Procedure("private offer", (private_offer("1844 §V"),), unasked=(OFFER_WITHDRAWAL,)),
    Procedure("eva", (locomotives.GiveTheEva(),)),
    Procedure("sbb formation", (ask_for_excess, sbb_formation.ReturnTokens())),
)

TITLE = Title(
    id="1844",
    name="1844 Switzerland",
    players=range(3, 8),
    currency="sfr ",
    companies=components.COMPANIES,
    privates=components.PRIVATES,
    trains=components.TRAINS,
    phases=components.PHASES,
    land=LAND,
    market=components.MARKET,
    rules=Policies(
        certificate_limit=certificate_limit,
        holding_limit=holding_limit,
        train_limit=locomotives.train_limit,
        route_problem=route_problem,
        must_own_train=locomotives.must_own_train,
        worth=rounds.net_worth,
        pool_is_free=True,
    ),
    plans=PLANS,
    reactions=(
        (events.PhaseBegan, rounds.on_phase_change),
        (events.TileLaid, rounds.on_track),
        (events.TokenPlaced, rounds.on_track),
        (events.Paid, player_debt.collect_dues),
        (events.Paid, rounds.detect_game_end),
        (events.WentBankrupt, end_by_bankruptcy),
    ),
    special_type=State1844,
    set_up=rounds.set_up,
    options=(components.RULES_OPTION, components.ORDER_OPTION),
    director_word="director",
    sentences=SENTENCES,
    version=2,
    look=LOOK,
    words=WORDS,
    audits=(Audit(player_debt.audit_debts, {"cash", "special"}),),
)

FIRST = replace(TITLE, version=1)
"""The rules of games begun with version 1: `interpretations.py` checks the version."""

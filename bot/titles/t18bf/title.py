"""18BF The Big Four, assembled: nouns, plans of turns, policies, reactions."""

from __future__ import annotations

from bot.engine import POOL, CompanyId, Owner, PlayerId, RouteSections, TokenSections, same_ref
from bot.engine.board import BoardRules
from bot.engine.play import Game, Policies, Procedure, Title, holder_of_presidency, index_by_name
from bot.engine.play.audit import Audit
from bot.engine.play.holdings import has_phase_begun
from bot.engine.play.steps import (
    OFFER_WITHDRAWAL,
    AgreeToMerger,
    CompanyFormed,
    DiscardTrains,
    LayTrack,
    PayDividend,
    PlaceTokens,
    RedeemStock,
    RunTrains,
    Terrain,
    ask_first_company_over_limit,
    finish_formation,
    next_player,
    pass_priority,
    price_by_distance,
    private_offer,
    proposal_withdrawal,
    train_offer,
)
from bot.engine.state import events

from . import components, rounds, track, trains
from .auction import OFFER_LOT, RAISE_BID, after_passes
from .board_style import LOOK
from .company_closure import audit_tokens
from .dividends import on_dividend, share_out, split_minor_earnings, sum_paid
from .events import SENTENCES, CompanyClosed, MinorTakenOver
from .glossary import WORDS
from .loans import LOANS, max_funds
from .map import MAP
from .mergers import company_formation, mergers
from .mergers.merger_builder import COMPOSERS
from .privates import BUY_PRIVATES, AssignFerries, assign_bought_ferry, begin_ferries, pay_incomes
from .routes import has_route, route_problem
from .state import State18BF, kind_of, title_state
from .stock import FIRST_STATION, STOCK, begin_stock_turn
from .tiles import TILES

TOKEN_SECTIONS = same_ref(TokenSections, "18BF §10.5")
ROUTE_SECTIONS = RouteSections(train="18BF §10.6", must="18BF §10.6", route="18BF §10.1", best="18BF §10.6")


# -- policies -----------------------------------------------------------------------------------------


def certificate_limit(game: Game, player: PlayerId) -> int:
    """By players; lower in phase 8 (§9.3)."""
    table = components.CERTIFICATE_LIMIT_IN_PHASE_8 if has_phase_begun(game, "8") else components.CERTIFICATE_LIMIT
    return table[len(game.state.players)]


def holding_limit(game: Game, company: CompanyId) -> int:
    """60% (§9.3); a minor is owned whole (§7.2)."""
    return 100 if kind_of(company) == "minor" else 60


def train_limit(game: Game, company: CompanyId) -> int:
    """By kind of company and phase (§8)."""
    return components.TRAIN_LIMIT[kind_of(company)][game.state.phase]


def president(game: Game, owner: Owner) -> PlayerId | None:
    """The director; for a company being formed the provisional director (§12.3)."""
    being_formed = title_state(game).forming
    if being_formed is not None and being_formed.company == owner:
        return being_formed.director
    return holder_of_presidency(game, owner)


# -- parameters of the shared steps -------------------------------------------------------------------


def must_be_best(game: Game) -> bool:
    """The highest earnings must be declared; by option the director chooses the run (§10.6)."""
    return game.state.options.get("runs") != "free"


LAY_TRACK = LayTrack(
    section=track.SECTIONS,
    may_lay=track.check_lay,
    has_more=track.LAYS.has_more,
    terrain=Terrain(cost=track.cost, means=max_funds, charge=LOANS.charge_for_track),
    check_reach=track.check_reach,
)
RUN_TRAINS = RunTrains(lambda game: False, ROUTE_SECTIONS, has_route, must_be_best)
DIVIDEND = PayDividend(
    on_dividend, "18BF §10.7", ("pay", "half", "withhold"), share_out, sum_paid, name="pay, half or withhold"
)
ANYTIME = (track.FreeTrack(), BUY_PRIVATES)
"""Possible at any point of a company's turn (§7.1, §10)."""

PLANS = index_by_name(
    Procedure(
        "game",
        (
            rounds.begin_stock_round,
            rounds.begin_operating_set,
            rounds.next_operating_round,
            rounds.return_to_stock_round,
        ),
    ),
    Procedure("stock round", (next_player, after_passes, pass_priority)),
    Procedure("stock turn", (begin_stock_turn, STOCK), (OFFER_LOT,)),
    Procedure("auction", (RAISE_BID,)),
    Procedure("first station", (FIRST_STATION,)),
    Procedure("operating round", (pay_incomes, rounds.next_company, rounds.export_train, rounds.begin_merger_round)),
    Procedure(
        "minor turn",
        (
            rounds.begin_turn,
            LAY_TRACK,
            begin_ferries,
            AssignFerries(),
            RUN_TRAINS,
            split_minor_earnings,
            rounds.settle_loans,
            trains.BUY,
            rounds.end_turn,
        ),
        ANYTIME,
    ),
    Procedure(
        "company turn",
        (
            rounds.begin_turn,
            RedeemStock("18BF §10.3"),
            LAY_TRACK,
            PlaceTokens(TOKEN_SECTIONS, price=price_by_distance),
            begin_ferries,
            AssignFerries(),
            RUN_TRAINS,
            DIVIDEND.handle_no_revenue,
            DIVIDEND,
            rounds.settle_loans,
            trains.BUY,
            rounds.end_turn,
        ),
        ANYTIME,
    ),
    Procedure("discard", (ask_first_company_over_limit, DiscardTrains(trains.RULE, lambda game, train: POOL))),
    Procedure("train offer", (train_offer("18BF §10.10"),), unasked=(OFFER_WITHDRAWAL,)),
    Procedure("private offer", (private_offer("18BF §7.1"),), unasked=(OFFER_WITHDRAWAL,)),
    Procedure("merger round", (mergers.next_merger_turn,)),
    Procedure("merger turn", (mergers.PROPOSE,)),
    Procedure("consent", (AgreeToMerger(mergers.RULES),), unasked=(proposal_withdrawal(title_state),)),
    Procedure("takeover", (mergers.ReplaceStation(), mergers.finish_takeover)),
    Procedure(
        "forming",
        (
            company_formation.ChooseStations(),
            company_formation.open_sale,
            company_formation.SALE,
            company_formation.check_director,
            company_formation.open_single_sale,
            company_formation.SINGLE_SALE,
            finish_formation,
        ),
    ),
)

TITLE = Title(
    id="18BF",
    name="18BF The Big Four",
    players=range(3, 6),
    currency="£",
    companies=components.COMPANIES,
    privates=components.PRIVATES,
    trains=components.TRAINS,
    phases=components.PHASES,
    land=BoardRules(MAP, TILES, one_city_a_space=True),
    market=components.MARKET,
    rules=Policies(
        certificate_limit=certificate_limit,
        holding_limit=holding_limit,
        train_limit=train_limit,
        route_problem=route_problem,
        must_own_train=LOANS.must_own_train,
        worth=rounds.net_worth,
        president=president,
        counts_private=lambda game, private: True,
        operating_order=rounds.operating_order,
    ),
    plans=PLANS,
    reactions=(
        (events.TrainBought, rounds.on_train_gone),
        (events.TrainExported, rounds.on_train_gone),
        (events.PhaseBegan, rounds.on_phase_change),
        (events.TrainBought, rounds.reset_stalemate),
        (events.CompanyStarted, rounds.reset_stalemate),
        (CompanyFormed, rounds.reset_stalemate),
        (MinorTakenOver, rounds.reset_stalemate),
        (CompanyClosed, rounds.reset_stalemate),
        (events.PrivateBought, assign_bought_ferry),
    ),
    special_type=State18BF,
    set_up=rounds.set_up,
    options=(components.IRELAND_OPTION, components.EXPORT_OPTION, components.BEST_OPTION, components.STALEMATE_OPTION),
    director_word="director",
    sentences=SENTENCES,
    look=LOOK,
    words=WORDS,
    audits=(Audit(audit_tokens, {"board", "companies", "special"}),),
    composers=COMPOSERS,
    version=3,
)

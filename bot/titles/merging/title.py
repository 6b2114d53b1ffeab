"""A title of the family, assembled: plans of turns, policies, reactions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from bot.engine import POOL, CompanyId, Owner, PlayerId, RouteSections, Sentence, TokenSections, same_ref
from bot.engine.notation import format_treasury_purchase
from bot.engine.play import AutomaticStep, Game, Policies, Procedure, Step, Title, holder_of_presidency, index_by_name
from bot.engine.play.holdings import MarketSpec
from bot.engine.play.holdings.trains import restock
from bot.engine.play.interpretations import RULES_OPTION
from bot.engine.play.steps import (
    MERGER_SENTENCES,
    OFFER_WITHDRAWAL,
    AgreeToMerger,
    BuyPrivates,
    DiscardTrains,
    PlaceTokens,
    RaiseBid,
    RedeemStock,
    RunTrains,
    ask_first_company_over_limit,
    begin_stock_round,
    begin_turn,
    jump_to,
    next_player,
    pay_incomes,
    price_by_distance,
    private_offer,
    proposal_withdrawal,
    train_offer,
)
from bot.engine.state import Event, events

from . import auction, formation, mergers, nationalization, rounds, stock, track, trains
from .board_style import LOOK
from .components import CERTIFICATE_LIMIT, TRAINS, TRAINS_TRADED, phases
from .family import BORROWING, Merging, kind_of, merging
from .glossary import build_glossary
from .homes import build_first_tokens
from .routes import route_problem
from .state import MergingState, title_state

SENTENCES: Mapping[type[Event], Sentence] = MERGER_SENTENCES | {
    nationalization.CompanyNationalized: nationalization.format_nationalization,
    formation.TokenRemoved: "{company} removes its token on {place}.",
    events.SharesBought: format_treasury_purchase,
}


def holding_limit(game: Game, company: CompanyId) -> int:
    """60%, for two players 70%; a minor is owned whole."""
    if kind_of(game, company) == "minor":
        return 100
    return 70 if len(game.state.players) == 2 else 60


def president(game: Game, owner: Owner) -> PlayerId | None:
    """The president; before a company has one the player who offers or forms it; of the national railway the player
    with the priority card.
    """
    values = merging(game)
    if owner == values.national:
        return game.state.priority if values.operates else None
    lot, being_formed = title_state(game).lot, title_state(game).forming
    if lot is not None and lot.lot == owner:
        return lot.bidder
    found = holder_of_presidency(game, owner)
    is_forming = found is None and being_formed is not None and being_formed.company == owner
    return being_formed.director if is_forming and being_formed is not None else found


def build_title(values: Merging, name: str, markets: Mapping[str, MarketSpec]) -> Title:
    """The title with these values; `markets` are other charts than the usual chart, by the choice of the option
    `variant`.
    """
    return Title(
        id=values.id,
        name=name,
        players=range(2, 7),
        currency=values.currency,
        companies=values.companies,
        privates=values.privates,
        trains=TRAINS if values.operates else TRAINS_TRADED,
        phases=phases(values.gray_from),
        land=values.land,
        market=values.market,
        rules=Policies(
            certificate_limit=lambda game, player: CERTIFICATE_LIMIT[len(game.state.players)],
            holding_limit=holding_limit,
            train_limit=trains.train_limit,
            route_problem=route_problem,
            must_own_train=BORROWING.must_own_train,
            worth=rounds.net_worth,
            president=president,
            counts_private=lambda game, private: True,
            operating_order=rounds.operating_order,
        ),
        plans=index_by_name(*build_plans(values)),
        reactions=(
            (events.TrainBought, restock),
            (events.TrainExported, restock),
            (events.PhaseBegan, rounds.on_phase_change),
            (events.TileLaid, track.on_great_city),
            (events.Paid, rounds.detect_broken_bank),
        ),
        special_type=MergingState,
        set_up=rounds.set_up,
        options=(RULES_OPTION, values.markets),
        sentences=SENTENCES,
        look=LOOK,
        composers=mergers.COMPOSERS,
        words=build_glossary(values),
        variants={choice: build_title(replace(values, market=market), name, {}) for choice, market in markets.items()},
        family=values,
    )


def build_plans(values: Merging) -> Iterator[Procedure]:
    section = values.id
    bids, privates = auction.build_bids(section), trains.build_private_purchases(section)
    yield Procedure(
        "game",
        (
            auction.begin_auction,
            begin_stock_round,
            rounds.begin_operating_set,
            rounds.next_operating_round,
            jump_to(1),
        ),
    )
    yield Procedure("auction", (auction.build_private_bids(bids),))
    yield Procedure("stock round", (nationalization.ask_presidents, next_player, stock.end_stock_round))
    yield Procedure("stock turn", (stock.build_stock_turn(section),), (auction.build_offer(bids),))
    yield Procedure("bidding", (RaiseBid(bids=bids, ask_next=auction.settle_auction),))
    yield Procedure("home", (build_first_tokens(section),))
    yield Procedure(
        "operating round",
        (pay_incomes, nationalization.ask_presidents, rounds.next_company, rounds.end_round, rounds.begin_merger_round),
    )
    yield from build_turns(section, privates)
    if values.operates:
        yield Procedure("national turn", build_national_turn(section))
    yield Procedure("trainless", (nationalization.ask_trainless, nationalization.KeepMajor()))
    yield Procedure("discard", (ask_first_company_over_limit, DiscardTrains(section, lambda game, train: POOL)))
    yield Procedure("train offer", (train_offer(section),), unasked=(OFFER_WITHDRAWAL,))
    yield Procedure("private offer", (private_offer(section),), unasked=(OFFER_WITHDRAWAL,))
    yield Procedure(
        "merger round",
        (
            nationalization.ask_presidents,
            mergers.next_merger_turn,
        ),
    )
    merger_rules = mergers.build_merger_rules(section)
    yield Procedure("merger turn", (mergers.ConvertOrMerge(merger_rules),))
    yield Procedure("consent", (AgreeToMerger(merger_rules),), unasked=(proposal_withdrawal(title_state),))
    yield Procedure("forming", tuple(formation.build_formation(section)))


def build_turns(section: str, privates: BuyPrivates) -> Iterator[Procedure]:
    dividend = rounds.build_dividend(section)
    runs = RunTrains(lambda game: True, same_ref(RouteSections, section))
    lays, anytime = track.build_track(section), (privates,)
    last = (
        trains.BeforeInterest(privates),
        rounds.settle_loans,
        trains.build_train_purchases(section, privates),
        rounds.end_turn,
    )
    yield Procedure(
        "minor turn", (begin_turn, rounds.remember_loans, lays, runs, rounds.split_minor_earnings, *last), anytime
    )
    yield Procedure(
        "company turn",
        (
            begin_turn,
            rounds.remember_loans,
            RedeemStock(section, once=True),
            lays,
            PlaceTokens(same_ref(TokenSections, section), price=price_by_distance),
            runs,
            dividend.handle_no_revenue,
            dividend,
            *last,
        ),
        anytime,
    )


def build_national_turn(section: str) -> tuple[Step | AutomaticStep, ...]:
    return (
        begin_turn,
        rounds.remember_loans,
        nationalization.place_national_home,
        RunTrains(lambda game: True, same_ref(RouteSections, section)),
        nationalization.keep_earnings,
        nationalization.settle_national_loans,
        nationalization.buy_national_trains,
    )

"""A title of the family, assembled: plans of turns, policies, reactions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from bot.engine import POOL, RouteSections, TokenSections, same_ref
from bot.engine.play import Policies, Procedure, Step, Title, index_by_name, require_sound
from bot.engine.play.holdings import retire_obsolete_trains
from bot.engine.play.steps import (
    OFFER_WITHDRAWAL,
    ChooseHomeCity,
    DiscardTrains,
    LayTileOrPass,
    PayDividend,
    RunTrains,
    ask_companies_over_limit,
    ask_for_excess,
    begin_operating_set,
    begin_stock_round,
    begin_turn,
    distribute,
    end_by_bankruptcy,
    end_stock_round,
    jump_to,
    next_company,
    next_operating_round,
    next_player,
    pay_incomes,
    place_home,
    place_homes,
    private_offer,
    reopen_home_choice,
    train_offer,
)
from bot.engine.state import NoMemory, events

from . import game_end, helpers, privates, rounds, stock, track, trains
from .family import Classic, GameEnd
from .glossary import build_glossary
from .powers import Lay, LayBy, RouteBonus
from .routes import route_problem
from .value_faults import list_doubts, list_faults


def build_title(values: Classic, name: str = "", variants: Mapping[str, Classic] | None = None) -> Title:
    """The title with these values; `name` is its full name, `variants` have values of their own.

    :raises FaultyTitle: a value is missing, misspelt or of another kind.
    """
    require_sound(values.id, list_faults(values))
    auction = privates.build_auction(values)
    return Title(
        id=values.id,
        name=name or values.id,
        players=values.players,
        currency=values.currency,
        shows_draws=True,
        companies=values.companies,
        privates=values.privates,
        trains=values.trains,
        phases=values.phases,
        land=values.land,
        market=values.market,
        rules=Policies(
            certificate_limit=lambda game, player: values.certificates[len(game.state.players)],
            counts_for_limit=lambda game, company: not stock.is_in_zone(game, company, values.uncounted),
            holding_limit=lambda game, company: values.most_held,
            pool_limit=lambda game, company: values.most_in_pool,
            route_problem=route_problem,
            must_own_train=trains.must_own_train,
            worth=rounds.net_worth,
            counts_private=lambda game, private: True,
            income=privates.income_of,
            conclude=game_end.end_at_once,
        ),
        plans=index_by_name(
            Procedure(
                "game",
                (
                    rounds.begin_auction,
                    begin_stock_round,
                    begin_operating_set,
                    next_operating_round,
                    *([values.after_set] if values.after_set else ()),
                    jump_to(1),
                ),
            ),
            Procedure("auction", (auction,)),
            *build_plans(values),
        ),
        reactions=(
            (events.TrainBought, privates.close_on_train),
            (events.PrivateBought, privates.offer_lay_to_seller),
            (events.PhaseBegan, rounds.on_phase_change),
            (events.TileLaid, reopen_home_choice),
            (events.TileLaid, privates.end_pair),
            *([(events.TokenPlaced, helpers.pay_for_goal)] if values.goal_money else ()),
            (events.Paid, game_end.detect_broken_bank),
            *([(events.PriceMoved, game_end.detect_top_price)] if values.ends_at else ()),
            (events.WentBankrupt, end_by_bankruptcy),
            *([(events.PresidentChanged, privates.end_route_bonus)] if values.privates_with(RouteBonus) else ()),
        ),
        special_type=NoMemory,
        set_up=rounds.set_up,
        options=values.options,
        scenarios=values.scenarios,
        variants={choice: build_title(other, name) for choice, other in (variants or {}).items()},
        look=helpers.build_look(values),
        words=build_glossary(values, auction),
        family=values,
        doubts=partial(list_doubts, values),
    )


def build_plans(values: Classic) -> Iterator[Procedure]:
    """The procedures after the auction."""
    section = values.section
    tokens = same_ref(TokenSections, section)
    out_of_turn: tuple[Step, ...] = (*privates.build_exchanges(values), *privates.build_lays(values, LayBy.PLAYER))
    dividend = PayDividend(rounds.on_dividend, section, share_out=partial(distribute, earns_for=POOL))
    selling, bankruptcy = trains.build_emergency(values)
    pairs = privates.build_pairs(values)
    yield Procedure("first price", tuple(privates.build_first_prices(values)))
    after_turn = game_end.end_after(values, GameEnd.TURN)
    yield Procedure("stock round", (next_player, end_stock_round, *game_end.end_after(values, GameEnd.ROUND)))
    beside = (*values.beside_shares, *privates.build_trades(values))
    yield Procedure("stock turn", (stock.build_stock_turn(section), *after_turn), beside, out_of_turn)
    homes = (place_homes,) if values.homes_at_once else ()
    end = game_end.end_after(values, GameEnd.ROUND, GameEnd.OPERATING_ROUND)
    yield Procedure("operating round", (pay_incomes, *homes, next_company(), *end))
    yield Procedure(
        "company turn",
        (
            begin_turn,
            place_home,
            track.build_track_step(values),
            helpers.build_tokens(values),
            RunTrains(lambda game: True, same_ref(RouteSections, section)),
            dividend,
            dividend.handle_no_revenue,
            *([retire_obsolete_trains] if any(kind.runs_once_more for kind in values.trains.values()) else []),
            ask_for_excess,
            trains.build_train_purchases(values),
            *after_turn,
        ),
        (
            privates.build_private_purchases(values),
            *privates.build_lays(values, LayBy.COMPANY, LayBy.COMPANY_WITH_ITS_TRACK, LayBy.COMPANY_AS_ITS_TILE),
            *[first for first, *_ in pairs],
            *helpers.build_markers(values),
            selling,
            bankruptcy,
        ),
        out_of_turn,
    )
    yield Procedure("home", (ChooseHomeCity(tokens),), unasked=out_of_turn)
    for _, power in values.privates_with(Lay):
        if power.token is not None:
            step = privates.build_token_step(values, power, power.token.decision)
            yield Procedure(power.token.plan, (step,), unasked=out_of_turn)
    sellers_lays = map(LayTileOrPass, privates.build_lays(values, LayBy.SELLER))
    yield Procedure("seller-lay", tuple(sellers_lays), unasked=out_of_turn)
    for _, second, plan in pairs:
        yield Procedure(plan, (second,), unasked=out_of_turn)
    yield Procedure(
        "discard", (ask_companies_over_limit, DiscardTrains(section, lambda game, train: POOL)), unasked=out_of_turn
    )
    withdrawal = (OFFER_WITHDRAWAL, *out_of_turn)
    yield Procedure("train offer", (train_offer(section, trains.raise_money),), unasked=withdrawal)
    yield Procedure("private offer", (private_offer(section),), unasked=withdrawal)

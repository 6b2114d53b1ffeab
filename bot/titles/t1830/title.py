"""1830, assembled: nouns, plans of turns, policies, reactions."""

from functools import partial

from bot.engine import POOL, RouteSections, same_ref
from bot.engine.board import BoardRules
from bot.engine.play import Policies, Procedure, Title, index_by_name
from bot.engine.play.interpretations import RULES_OPTION
from bot.engine.play.steps import (
    OFFER_WITHDRAWAL,
    ChooseHomeCity,
    DiscardTrains,
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
    private_offer,
    reopen_home_choice,
    train_offer,
)
from bot.engine.state import NoMemory, events

from . import components, privates, rounds, track, trains
from . import stock as stocks
from .board_style import LOOK
from .glossary import WORDS
from .map import MAP
from .routes import route_problem
from .stock import SECTION
from .tiles import TILES

DIVIDEND = PayDividend(rounds.on_dividend, SECTION, share_out=partial(distribute, earns_for=POOL))

OUT_OF_TURN = (privates.EXCHANGE,)
"""The actions of the Mohawk & Hudson's owner at any time outside the auction."""

PLANS = index_by_name(
    Procedure("game", (rounds.begin_auction, begin_stock_round, begin_operating_set, next_operating_round, jump_to(1))),
    Procedure("auction", (privates.AUCTION,)),
    Procedure("first price", (privates.FIRST_PRICE,)),
    Procedure("stock round", (next_player, end_stock_round)),
    Procedure("stock turn", (stocks.STOCK,), (privates.TRADE,), OUT_OF_TURN),
    Procedure("operating round", (pay_incomes, next_company())),
    Procedure(
        "company turn",
        (
            begin_turn,
            place_home,
            track.TRACK,
            track.TOKENS,
            RunTrains(lambda game: True, same_ref(RouteSections, SECTION)),
            DIVIDEND,
            DIVIDEND.handle_no_revenue,
            ask_for_excess,
            trains.BUY,
        ),
        (trains.PRIVATES, track.CHAMPLAIN_LAY, track.DELAWARE_LAY, trains.SELL, trains.BANKRUPTCY),
        OUT_OF_TURN,
    ),
    Procedure("home", (ChooseHomeCity(track.TOKEN_SECTIONS),), unasked=OUT_OF_TURN),
    Procedure(track.TOKEN_PLAN, (track.DELAWARE_TOKEN,), unasked=OUT_OF_TURN),
    Procedure(
        "discard", (ask_companies_over_limit, DiscardTrains(SECTION, lambda game, train: POOL)), unasked=OUT_OF_TURN
    ),
    Procedure(
        "train offer",
        (train_offer(trains.TRAIN_SECTIONS.used, trains.raise_money),),
        unasked=(OFFER_WITHDRAWAL, *OUT_OF_TURN),
    ),
    Procedure("private offer", (private_offer(SECTION),), unasked=(OFFER_WITHDRAWAL, *OUT_OF_TURN)),
)

TITLE = Title(
    id="1830",
    name="1830",
    players=range(2, 7),
    currency="$",
    companies=components.COMPANIES,
    privates=components.PRIVATES,
    trains=components.TRAINS,
    phases=components.PHASES,
    land=BoardRules(MAP, TILES),
    market=components.MARKET,
    rules=Policies(
        certificate_limit=lambda game, player: components.CERTIFICATE_LIMIT[len(game.state.players)],
        counts_for_limit=stocks.counts_for_limit,
        holding_limit=lambda game, company: components.MOST_HELD,
        pool_limit=lambda game, company: components.MOST_IN_POOL,
        route_problem=route_problem,
        must_own_train=trains.must_own_train,
        worth=rounds.net_worth,
        counts_private=lambda game, private: True,
    ),
    plans=PLANS,
    reactions=(
        (events.TrainBought, privates.close_on_train),
        (events.PhaseBegan, rounds.on_phase_change),
        (events.TileLaid, reopen_home_choice),
        (events.Paid, rounds.detect_game_end),
        (events.WentBankrupt, end_by_bankruptcy),
    ),
    special_type=NoMemory,
    set_up=rounds.set_up,
    options=(RULES_OPTION, components.BROWN_OPTION, components.SIXES_OPTION),
    look=LOOK,
    words=WORDS,
)

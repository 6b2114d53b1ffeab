"""1830, assembled: nouns, plans of turns, policies, reactions."""

from functools import partial

from bot.engine.board.board_rules import BoardRules
from bot.engine.ids import POOL
from bot.engine.play.interpretations import RULES_OPTION
from bot.engine.play.steps.dividends import PayDividend, distribute
from bot.engine.play.steps.emergency import end_by_bankruptcy
from bot.engine.play.steps.home_tokens import ChooseHomeCity, place_home, unsettle_home
from bot.engine.play.steps.privates import pay_incomes, private_offer
from bot.engine.play.steps.rounds import (
    back_to,
    begin_operating_set,
    begin_stock_round,
    begin_turn,
    end_stock_round,
    next_company,
    next_operating_round,
)
from bot.engine.play.steps.routes import RunTrains
from bot.engine.play.steps.stock import next_player
from bot.engine.play.steps.trains import DiscardTrains, ask_crowded, ask_for_excess, train_offer
from bot.engine.play.steps.withdrawal import OFFER_WITHDRAWAL
from bot.engine.play.title import Policies, Procedure, Title, by_name
from bot.engine.rule_refs import RouteSections, everywhere
from bot.engine.state import events
from bot.engine.state.state import NoMemory

from . import components, privates, rounds, track, trains
from . import stock as stocks
from .board_style import LOOK
from .glossary import WORDS
from .map import MAP
from .routes import route_problem
from .stock import SECTION
from .tiles import TILES

DIVIDEND = PayDividend(rounds.after_dividend, SECTION, share_out=partial(distribute, earns_for=POOL))

UNASKED = (privates.EXCHANGE,)
"""What the owner of the Mohawk & Hudson may do at any time outside the auction."""

PLANS = by_name(
    Procedure("game", (rounds.begin_auction, begin_stock_round, begin_operating_set, next_operating_round, back_to(1))),
    Procedure("auction", (privates.AUCTION,)),
    Procedure("first price", (privates.FIRST_PRICE,)),
    Procedure("stock round", (next_player, end_stock_round)),
    Procedure("stock turn", (stocks.STOCK,), (privates.TRADE,), UNASKED),
    Procedure("operating round", (pay_incomes, next_company())),
    Procedure(
        "company turn",
        (
            begin_turn,
            place_home,
            track.TRACK,
            track.TOKENS,
            RunTrains(lambda game: True, everywhere(RouteSections, SECTION)),
            DIVIDEND,
            DIVIDEND.without_revenue,
            ask_for_excess,
            trains.BUY,
        ),
        (trains.PRIVATES, track.CHAMPLAIN_LAY, track.DELAWARE_LAY, trains.SELL, trains.BANKRUPTCY),
        UNASKED,
    ),
    Procedure("home", (ChooseHomeCity(track.TOKEN_SECTIONS),), unasked=UNASKED),
    Procedure(track.TOKEN_PLAN, (track.DELAWARE_TOKEN,), unasked=UNASKED),
    Procedure("discard", (ask_crowded, DiscardTrains(SECTION, lambda game, train: POOL)), unasked=UNASKED),
    Procedure(
        "train offer",
        (train_offer(trains.TRAIN_SECTIONS.used, trains.raise_money),),
        unasked=(OFFER_WITHDRAWAL, *UNASKED),
    ),
    Procedure("private offer", (private_offer(SECTION),), unasked=(OFFER_WITHDRAWAL, *UNASKED)),
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
        worth=rounds.worth,
        counts_private=lambda game, private: True,
    ),
    plans=PLANS,
    reactions=(
        (events.TrainBought, privates.close_on_train),
        (events.PhaseBegan, rounds.on_phase),
        (events.TileLaid, unsettle_home),
        (events.Paid, rounds.watch_for_the_end),
        (events.WentBankrupt, end_by_bankruptcy),
    ),
    special_type=NoMemory,
    set_up=rounds.set_up,
    options=(RULES_OPTION, components.BROWN_OPTION, components.SIXES_OPTION),
    look=LOOK,
    words=WORDS,
)

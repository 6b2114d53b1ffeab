"""1830, assembled: nouns, plans of turns, policies, reactions."""

from functools import partial

from bot.engine.data import events
from bot.engine.data.state import NoMemory
from bot.engine.ids import POOL
from bot.engine.map.land import Land
from bot.engine.play.readings import RULES_OPTION
from bot.engine.play.title import Plan, Rules, Title, by_name
from bot.engine.sections import RouteSections, everywhere
from bot.engine.steps.dividends import PayDividend, distribute
from bot.engine.steps.emergency import end_by_bankruptcy
from bot.engine.steps.homes import ChooseHome, place_home, unsettle_home
from bot.engine.steps.privates import pay_incomes, private_offer
from bot.engine.steps.rounds import (
    back_to,
    begin_operating_set,
    begin_stock_round,
    begin_turn,
    end_stock_round,
    next_company,
    next_operating_round,
)
from bot.engine.steps.routes import RunTrains
from bot.engine.steps.stock import next_player
from bot.engine.steps.trains import DiscardTrains, ask_crowded, ask_for_excess, train_offer
from bot.engine.steps.withdrawal import OFFER_WITHDRAWAL

from . import privates, rounds, track, trains
from . import stock as stocks
from .box import nouns
from .box.map import MAP
from .box.picture import LOOK
from .box.tiles import TILES
from .box.words import WORDS
from .routes import route_problem
from .stock import SECTION

DIVIDEND = PayDividend(rounds.after_dividend, SECTION, share_out=partial(distribute, earns_for=POOL))

UNASKED = (privates.EXCHANGE,)
"""What the owner of the Mohawk & Hudson may do at any time outside the auction."""

PLANS = by_name(
    Plan("game", (rounds.begin_auction, begin_stock_round, begin_operating_set, next_operating_round, back_to(1))),
    Plan("auction", (privates.AUCTION,)),
    Plan("first price", (privates.FIRST_PRICE,)),
    Plan("stock round", (next_player, end_stock_round)),
    Plan("stock turn", (stocks.STOCK,), (privates.TRADE,), UNASKED),
    Plan("operating round", (pay_incomes, next_company())),
    Plan(
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
    Plan("home", (ChooseHome(track.TOKEN_SECTIONS),), unasked=UNASKED),
    Plan(track.TOKEN_PLAN, (track.DELAWARE_TOKEN,), unasked=UNASKED),
    Plan("discard", (ask_crowded, DiscardTrains(SECTION, lambda game, train: POOL)), unasked=UNASKED),
    Plan(
        "train offer",
        (train_offer(trains.TRAIN_SECTIONS.used, trains.raise_money),),
        unasked=(OFFER_WITHDRAWAL, *UNASKED),
    ),
    Plan("private offer", (private_offer(SECTION),), unasked=(OFFER_WITHDRAWAL, *UNASKED)),
)

TITLE = Title(
    id="1830",
    name="1830",
    players=range(2, 7),
    currency="$",
    companies=nouns.COMPANIES,
    privates=nouns.PRIVATES,
    trains=nouns.TRAINS,
    phases=nouns.PHASES,
    land=Land(MAP, TILES),
    market=nouns.MARKET,
    rules=Rules(
        certificate_limit=lambda game, player: nouns.CERTIFICATE_LIMIT[len(game.state.players)],
        counts_for_limit=stocks.counts_for_limit,
        holding_limit=lambda game, company: nouns.MOST_HELD,
        pool_limit=lambda game, company: nouns.MOST_IN_POOL,
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
    options=(RULES_OPTION, nouns.BROWN_OPTION, nouns.SIXES_OPTION),
    look=LOOK,
    words=WORDS,
)

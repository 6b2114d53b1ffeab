"""1820, assembled: nouns, plans of turns, policies, reactions."""

from __future__ import annotations

from bot.engine.data import events
from bot.engine.data.actions import Action, BuyTrain
from bot.engine.ids import CompanyId, Owner, PlayerId
from bot.engine.map.land import Land
from bot.engine.play.game import Game
from bot.engine.play.title import Plan, Rules, Title, by_name
from bot.engine.steps.rounds import back_to
from bot.engine.steps.trains import DiscardTrains, ask_crowded
from bot.engine.steps.withdrawal import proposal_withdrawal

from . import actions as verbs
from . import auctions, consent, ending, rounds
from .box import nouns
from .box.map import MAP
from .box.picture import LOOK
from .box.tiles import TILES
from .box.words import WORDS
from .companies import director_of, player_of
from .consent import Consent, Execute, execute
from .cousins import close_cousins
from .debts import OrderOrphans, SellForDebts, ask_debtors, find_ruined
from .operating import operating
from .operating import routes as running
from .operating import trains as purchases
from .operating.costs import INTEREST, MAINTENANCE, RepayLoans, TakeLoans
from .operating.dividends import PayOrWithhold, divide_without_choice
from .operating.operating import InTurn
from .operating.stations import PlaceStation
from .operating.track import BuildTrack
from .sentences import SENTENCES
from .special import Special, special
from .stock import floating, future_trains, increase, stock
from .stock.composing import COMPOSERS
from .stock.shares import ChooseCousin
from .takeover import issue, liquidation, takeover
from .takeover.bidding import AUCTION
from .takeover.transfer import LoanForStations, SortStations

NO_LIMIT = 10_000


def president(game: Game, owner: Owner) -> PlayerId | None:
    """Who decides: a director for his company, a player for his cousin, nobody for British Rail."""
    if owner in game.state.companies:
        return player_of(game, director_of(game, CompanyId(owner)))
    return player_of(game, owner)


ANYTIME = (future_trains.AssignFutureTrain(), TakeLoans())
"""What a company may do at any time of its turn (§6.4.3, §17.1)."""

EXECUTORS: dict[type[Action], Execute] = {
    verbs.FloatCompany: floating.float_company,
    verbs.IncreaseShares: stock.execute_increase,
    verbs.AskForShare: stock.execute_purchase,
    BuyTrain: purchases.buy_other_train,
    verbs.AssignTrain: future_trains.assign,
}


def company_turn(early: purchases.BuyTrains, repay: RepayLoans) -> Plan:
    """A company's turn in an operating round (§7.2); what happens before the run, and at the end, by edition."""
    return Plan(
        "company turn",
        (
            operating.begin_turn,
            InTurn(BuildTrack(), may_pass=True),
            InTurn(PlaceStation(), may_pass=True),
            InTurn(early, may_pass=True),
            InTurn(running.ChooseCousins(), may_pass=True),
            InTurn(operating.RUN),
            InTurn(PayOrWithhold()),
            divide_without_choice,
            InTurn(MAINTENANCE),
            InTurn(purchases.BuyTrains(), may_pass=True),
            purchases.judge_trainless,
            InTurn(INTEREST),
            InTurn(repay, may_pass=True),
            operating.end_turn,
        ),
        ANYTIME,
    )


PLANS = by_name(
    Plan(
        "game",
        (
            stock.begin_stock_round,
            operating.begin_operating_round,
            issue.begin_issue_round,
            operating.begin_operating_round,
            issue.begin_issue_round,
            back_to(0),
        ),
    ),
    Plan(
        "stock round",
        (
            stock.pay_income,
            auctions.begin_cousin_auction,
            future_trains.begin_future_trains,
            stock.next_turn,
            stock.end_stock_round,
        ),
    ),
    Plan("cousin auction", (auctions.BidForCousins(), auctions.end_cousin_auction)),
    Plan("cousin payment", (auctions.PayForCousins(),)),
    Plan("cousin leftovers", (auctions.offer_leftovers, auctions.BuyLeftovers(), auctions.discard_cousins)),
    Plan(
        "future trains",
        (future_trains.FUTURE_AUCTION, future_trains.end_future_auction),
        unasked=(auctions.BidUnasked(future_trains.FUTURE_AUCTION),),
    ),
    Plan("take trains", (future_trains.TakeTrains(),)),
    Plan("stock turn", (stock.TakeTurn(), stock.end_turn)),
    Plan("lobbies", (floating.next_lobby,)),
    Plan("lobby", (floating.UseLobby(),)),
    Plan("consent", (Consent(), execute(EXECUTORS)), unasked=(proposal_withdrawal(special),)),
    Plan("increase", (increase.SellOnIncrease(), increase.end_increase)),
    Plan("choose director", (ChooseCousin(),)),
    Plan("operating round", (operating.next_company, operating.end_operating_round)),
    company_turn(purchases.BuyTrains(is_early=True), RepayLoans()),
    Plan("idle turn", (operating.idle_turn,)),
    Plan("discard", (ask_crowded, DiscardTrains("1820 §13.7"))),
    Plan("debts", (find_ruined, ask_debtors, SellForDebts())),
    Plan("orphans", (OrderOrphans(),)),
    Plan(
        "issue round",
        (
            issue.discard_train,
            issue.begin_reductions,
            liquidation.next_liquidation,
            takeover.next_offer,
            ending.after_issue_round,
        ),
    ),
    Plan("reduce and issue", (issue.ReduceAndIssue(),)),
    Plan("offer turn", (takeover.MakeOffers(),)),
    Plan("takeover", (AUCTION, takeover.end_takeover), unasked=(auctions.BidUnasked(AUCTION),)),
    Plan("accept", (takeover.AcceptBid(),)),
    Plan("acquire", (takeover.ChooseAcquirer(),)),
    Plan("stations", (SortStations(),), (LoanForStations(),)),
)

TITLE = Title(
    id="1820",
    name="1820",
    players=range(2, 6),
    currency="£",
    companies=nouns.COMPANIES,
    privates=nouns.COUSINS,
    trains=nouns.TRAINS,
    phases=nouns.PHASES,
    land=Land(MAP, TILES),
    market=nouns.MARKET,
    rules=Rules(
        certificate_limit=lambda game, player: NO_LIMIT,
        counts_for_limit=lambda game, company: False,
        holding_limit=lambda game, company: 100 if company == nouns.BRITISH_RAIL else nouns.MOST_HELD,
        pool_limit=lambda game, company: 100,
        route_problem=running.route_problem,
        must_own_train=lambda game, company: False,
        worth=ending.worth,
        president=president,
    ),
    plans=PLANS,
    reactions=(
        (events.TrainBought, purchases.refill),
        (events.TrainExported, purchases.refill),
        (events.PhaseBegan, issue.on_phase),
        (events.PhaseBegan, close_cousins),
        (events.PhaseBegan, purchases.trim_undirected),
        (events.PriceMoved, ending.watch_prices),
    ),
    special_type=Special,
    set_up=rounds.set_up,
    options=(nouns.FALL_OPTION, nouns.WITHHELD_OPTION, nouns.COUSINS_OPTION),
    version=4,
    director_word="director",
    privates_word="Cousins",
    sentences=SENTENCES,
    look=LOOK,
    words=WORDS,
    offered=consent.price_offered,
    bidder=auctions.standing_bidder,
    composers=COMPOSERS,
    dues=frozenset({verbs.PayCosts}),
    awaited=frozenset({verbs.FloatCompany}),
)

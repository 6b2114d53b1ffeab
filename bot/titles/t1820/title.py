"""1820, assembled: nouns, plans of turns, policies, reactions."""

from __future__ import annotations

from bot.engine import CompanyId, Owner, PlayerId
from bot.engine.board import BoardRules
from bot.engine.play import Game, Policies, Procedure, Title, index_by_name
from bot.engine.play.steps import DiscardTrains, ask_companies_over_limit, jump_to, proposal_withdrawal
from bot.engine.state import Action, BuyTrain, events

from . import actions as verbs
from . import auctions, components, consent, game_end, rounds
from .board_style import LOOK
from .companies import director_of, player_of
from .company_debt import OrderUndirectedCompanies, SellForDebts, ask_debtors, settle_debts_or_bankrupt
from .consent import AgreeToProposal, Execute, execute
from .cousins import close_cousins
from .glossary import WORDS
from .map import MAP
from .messages import SENTENCES
from .operations import routes as running
from .operations import trains as purchases
from .operations import turn
from .operations.costs import INTEREST, MAINTENANCE, RepayLoans, TakeLoans
from .operations.dividends import PayOrWithhold, divide_without_choice
from .operations.stations import PlaceStation
from .operations.track import BuildTrack
from .operations.turn import InTurn
from .state import State1820, title_state
from .stock import flotation, future_trains, increase, stock
from .stock.flotation_builder import COMPOSERS
from .stock.shares import ChooseCousin
from .takeover import issue, liquidation, takeover
from .takeover.bids import AUCTION
from .takeover.transfer import LoanForStations, SortStations
from .tiles import TILES

NO_LIMIT = 10_000


def president(game: Game, owner: Owner) -> PlayerId | None:
    """The player who decides: a company's director, a cousin's player, None for British Rail."""
    if owner in game.state.companies:
        return player_of(game, director_of(game, CompanyId(owner)))
    return player_of(game, owner)


ANYTIME = (future_trains.AssignFutureTrain(), TakeLoans())
"""Possible at any time of a company's turn (§6.4.3, §17.1)."""

EXECUTORS: dict[type[Action], Execute] = {
    verbs.FloatCompany: flotation.float_company,
    verbs.IncreaseShares: stock.execute_increase,
    verbs.RequestShare: stock.execute_purchase,
    BuyTrain: purchases.buy_other_train,
    verbs.AssignTrain: future_trains.assign,
}


def company_turn(early: purchases.DiscardAndBuyTrains, repay: RepayLoans) -> Procedure:
    """A company's turn in an operating round (§7.2); the steps before the run and at the end depend on the edition."""
    return Procedure(
        "company turn",
        (
            turn.begin_turn,
            InTurn(BuildTrack(), may_pass=True),
            InTurn(PlaceStation(), may_pass=True),
            InTurn(early, may_pass=True),
            InTurn(running.ChooseCousins(), may_pass=True),
            InTurn(turn.RUN),
            InTurn(PayOrWithhold()),
            divide_without_choice,
            InTurn(MAINTENANCE),
            InTurn(purchases.DiscardAndBuyTrains(), may_pass=True),
            purchases.close_trainless,
            InTurn(INTEREST),
            InTurn(repay, may_pass=True),
            turn.end_turn,
        ),
        ANYTIME,
    )


PLANS = index_by_name(
    Procedure(
        "game",
        (
            stock.begin_stock_round,
            turn.begin_operating_round,
            issue.begin_issue_round,
            turn.begin_operating_round,
            issue.begin_issue_round,
            jump_to(0),
        ),
    ),
    Procedure(
        "stock round",
        (
            stock.pay_income,
            auctions.begin_cousin_auction,
            future_trains.begin_future_trains,
            stock.next_turn,
            stock.end_stock_round,
        ),
    ),
    Procedure("cousin auction", (auctions.BidForCousins(), auctions.end_cousin_auction)),
    Procedure("cousin payment", (auctions.PayForCousins(),)),
    Procedure("cousin leftovers", (auctions.offer_leftovers, auctions.BuyLeftovers(), auctions.discard_cousins)),
    Procedure(
        "future trains",
        (future_trains.FUTURE_AUCTION, future_trains.end_future_auction),
        unasked=(auctions.BidOutOfTurn(future_trains.FUTURE_AUCTION),),
    ),
    Procedure("take trains", (future_trains.TakeTrains(),)),
    Procedure("stock turn", (stock.TakeTurn(), stock.end_turn)),
    Procedure("lobbies", (flotation.next_lobby,)),
    Procedure("lobby", (flotation.ResolveLobby(),)),
    Procedure("consent", (AgreeToProposal(), execute(EXECUTORS)), unasked=(proposal_withdrawal(title_state),)),
    Procedure("increase", (increase.SellOnIncrease(), increase.end_increase)),
    Procedure("choose director", (ChooseCousin(),)),
    Procedure("operating round", (turn.next_company, turn.end_operating_round)),
    company_turn(purchases.DiscardAndBuyTrains(is_early=True), RepayLoans()),
    Procedure("idle turn", (turn.idle_turn,)),
    Procedure("discard", (ask_companies_over_limit, DiscardTrains("1820 §13.7"))),
    Procedure("debts", (settle_debts_or_bankrupt, ask_debtors, SellForDebts())),
    Procedure("orphans", (OrderUndirectedCompanies(),)),
    Procedure(
        "issue round",
        (
            issue.discard_train,
            issue.begin_reductions,
            liquidation.next_liquidation,
            takeover.next_offer,
            game_end.after_issue_round,
        ),
    ),
    Procedure("reduce and issue", (issue.ReduceAndIssue(),)),
    Procedure("offer turn", (takeover.MakeOffers(),)),
    Procedure("takeover", (AUCTION, takeover.end_takeover), unasked=(auctions.BidOutOfTurn(AUCTION),)),
    Procedure("accept", (takeover.AcceptBid(),)),
    Procedure("acquire", (takeover.ChooseAcquirer(),)),
    Procedure("stations", (SortStations(),), (LoanForStations(),)),
)

TITLE = Title(
    id="1820",
    name="1820",
    players=range(2, 6),
    currency="£",
    companies=components.COMPANIES,
    privates=components.COUSINS,
    trains=components.TRAINS,
    phases=components.PHASES,
    land=BoardRules(MAP, TILES),
    market=components.MARKET,
    rules=Policies(
        certificate_limit=lambda game, player: NO_LIMIT,
        counts_for_limit=lambda game, company: False,
        holding_limit=lambda game, company: 100 if company == components.BRITISH_RAIL else components.MOST_HELD,
        pool_limit=lambda game, company: 100,
        route_problem=running.route_problem,
        must_own_train=lambda game, company: False,
        worth=game_end.net_worth,
        president=president,
    ),
    plans=PLANS,
    reactions=(
        (events.TrainBought, purchases.refill),
        (events.TrainExported, purchases.refill),
        (events.PhaseBegan, issue.on_phase_change),
        (events.PhaseBegan, close_cousins),
        (events.PhaseBegan, purchases.discard_excess_undirected),
        (events.PriceMoved, game_end.watch_prices),
    ),
    special_type=State1820,
    set_up=rounds.set_up,
    options=(components.FALL_OPTION, components.WITHHELD_OPTION, components.COUSINS_OPTION),
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

"""Locomotives: who may own which, what must be bought and with whose money, the EVA (1844 §V, §XVII)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import POOL, REMOVED, CompanyId, IllegalMove, Owner, is_permitted, is_player, require
from bot.engine.play import Game, filter_allowed, has_options
from bot.engine.play.holdings import card_sides, counted_trains, has_phase_begun, president_of, trains_for_sale
from bot.engine.play.steps import BuyTrains, EmergencySaleRules, add_president_cash, train_price_range
from bot.engine.state import Action, BuyTrain, Pass, Train

from .actions import TakeEva
from .components import EVA, HISTORICAL, NATIONAL, REGIONAL, SBB, SBB_TRAIN
from .interpretations import interpretation_flags
from .peer_compat import check_asked, check_not_over
from .player_debt import borrow_for_train
from .routes import has_route
from .state import title_state
from .stock import STOCK_SECTIONS, lower_price_after_sale, sale_price

SECTION = "1844 §XVII"


def train_limit(game: Game, company: CompanyId) -> int:
    """Two for pre-SBB and regional companies, four for the SBB; four, three, two for historical companies (§VIII)."""
    if company == SBB:
        return 4
    kind = game.title.companies[company].kind
    return game.title.phase(game.state.phase).train_limit if kind == HISTORICAL else 2


def check_own(game: Game, company: CompanyId, kind: str) -> None:
    """Regional railways own only H-trains (§X); companies over with trains on 18xx.games buy nothing more."""
    check_not_over(game)
    if game.title.companies[company].kind == REGIONAL and "H" not in kind:
        raise IllegalMove("{company} is a regional railway and may only own H-trains.", "1844 §X", company)


def check_trade(game: Game, company: CompanyId, seller: CompanyId) -> None:
    """From the first 3/3H on (§XVII)."""
    if not has_phase_begun(game, "3"):
        raise IllegalMove("Companies sell trains to each other once the first 3/3H has been bought.", SECTION)


def prices(game: Game, company: CompanyId, train: Train) -> tuple[int, int]:
    """The printed price between directors and with the SBB, else any from 1 on (§XII, §XVII)."""
    face = game.title.trains[train.kind].price
    if SBB in (company, train.owner):
        return face, face
    low, high = train_price_range(game, company, train)
    if face in (low, high) or high > face:
        return low, high
    if interpretation_flags(game).has_no_debt_for_own_trains:
        return prices_beyond_cash(game, company, face)
    return low, face if must_own_train(game, company) else high


def prices_beyond_cash(game: Game, company: CompanyId, face: int) -> tuple[int, int]:
    """On 18xx.games the director takes no debt for a train of another of their companies: both pay from their cash.
    After a sale in this turn a train with a printed price above the company's cash costs an amount for which fewer
    sold shares would not have sufficed.
    """
    director, cash, sold_at = game.controller_of(company), game.state.cash[company], title_state(game).sold_at
    means = cash + (game.state.cash[director] if director else 0)
    most = min(face, means) if must_own_train(game, company) else cash
    return max(1, means - sold_at + 1) if sold_at else 1, most


def must_own_train(game: Game, company: CompanyId) -> bool:
    """Historical and regional companies with a route must own a train (§IX, §X), on 18xx.games the SBB too."""
    bound = (
        (HISTORICAL, REGIONAL, NATIONAL) if interpretation_flags(game).sbb_must_own_train else (HISTORICAL, REGIONAL)
    )
    is_bound = game.title.companies[company].kind in bound
    return is_bound and not counted_trains(game, company) and bool(trains_for_sale(game)) and has_route(game, company)


def discard_destination(game: Game, train: Train) -> Owner:
    """A train above the limit can be bought again (§XVII); under the 18xx.games reading it leaves the game."""
    return REMOVED if interpretation_flags(game).discards_are_gone or train.kind == SBB_TRAIN else POOL


# -- money for a train that must be bought ---------------------------------------------------------------


def raise_money(game: Game, action: BuyTrain) -> bool:
    """The director adds exactly what the company lacks; the bank lends what the director lacks (§XVII)."""
    company = CompanyId(action.by)
    director = president_of(game.company(company))
    if director is None:
        return False
    lacking = add_president_cash(game, company, action.price)
    if lacking:
        borrow_for_train(game, director, company, lacking)
    title_state(game).sold_for_train = []
    return True


def forget_sales(game: Game) -> None:
    title_state(game).sold_for_train, title_state(game).sold_at = [], 0


def is_buying(game: Game) -> bool:
    return isinstance(game.step, BuyTrains)


def must_raise_money(game: Game, company: CompanyId) -> bool:
    if not is_buying(game) or not must_own_train(game, company):
        return False
    needed = (
        highest_price(game, company)
        if interpretation_flags(game).director_pays_for_dearest
        else lowest_price(game, company)
    )
    return game.state.cash[company] < needed


def offered_prices(game: Game, company: CompanyId) -> list[int]:
    """The prices of the trains of the bank and the pool that the company may own; on 18xx.games of all trains."""
    kinds = [side.name for card in trains_for_sale(game) for side in card_sides(game, card.family)]
    kinds += [train.kind for train in game.state.trains_of(POOL)]
    is_bound = (
        game.title.companies[company].kind == REGIONAL and not interpretation_flags(game).director_pays_for_dearest
    )
    return [game.title.trains[kind].price for kind in kinds if not is_bound or "H" in kind]


def lowest_price(game: Game, company: CompanyId) -> int:
    """The cheapest train's price; 0 if there is none."""
    return min(offered_prices(game, company), default=0)


def highest_price(game: Game, company: CompanyId) -> int:
    return max(offered_prices(game, company), default=0)


def missing_cash(game: Game, owner: Owner) -> int:
    """The cash that company and director lack to buy any train on offer.

    :raises IllegalMove: the company stands before no train that it must buy and cannot pay.
    """
    company, director = CompanyId(owner), game.controller_of(owner)
    if director is None or not must_raise_money(game, company):
        raise IllegalMove("Shares are sold in share rounds, or for a train that must be bought.", SECTION)
    return highest_price(game, company) - game.state.cash[company] - game.state.cash[director]


def price_in_need(game: Game, company: CompanyId) -> int:
    """The price of the cheapest train, for a company without a train. 18xx.games ignores whether it must own a
    train.

    :raises IllegalMove: by the rulebook, and where the company is not at its trains.
    """
    if not interpretation_flags(game).has_bankruptcy:
        raise IllegalMove("There is no bankruptcy: the bank lends what a director lacks.", SECTION)
    return lowest_price(game, company) if is_buying(game) and not counted_trains(game, company) else 0


def lower_price_after_forced_sale(game: Game, company: CompanyId, percent: int) -> None:
    """One row down; the proceeds of a share are noted."""
    title_state(game).sold_at = sale_price(game, company)
    lower_price_after_sale(game, company, percent)


SALES = EmergencySaleRules(
    section=SECTION,
    sections=STOCK_SECTIONS,
    lower_price_after_sale=lower_price_after_forced_sale,
    sale_price=sale_price,
    sold=lambda game: title_state(game).sold_for_train,
)
"""The director's sales for a train: no director loses a company by them."""


# -- the EVA ----------------------------------------------------------------------------------------------


def eva(game: Game) -> Train | None:
    """The EVA while a player owns it."""
    return next((train for train in game.state.trains if train.id == EVA and is_player(train.owner)), None)


def check_eva(game: Game, company: CompanyId) -> None:
    """§V"""
    train = eva(game)
    if train is None:
        raise IllegalMove("There is no EVA to give away.", "1844 §V")
    if train.owner != game.controller_of(company):
        sentence = "The EVA belongs to {owner}, who does not direct {company}."
        raise IllegalMove(sentence, "1844 §V", game.state.name(train.owner), company)
    if not game.company(company).floated:
        raise IllegalMove("{company} has not floated.", "1844 §V", company)
    limit = train_limit(game, company)
    if len(counted_trains(game, company)) >= limit and not interpretation_flags(game).eva_comes_above_limit:
        raise IllegalMove("{company} is at its limit of {limit} trains.", "1844 §V", company, limit)


def give_eva(game: Game, company: CompanyId) -> None:
    """The company owns it from now on; on 18xx.games it may give up another train for it."""
    train = require(eva(game), "there is no EVA to give away")
    game.state.move_train(train, company)
    game.log("{company} gets the EVA, a 5H train.", company)
    if interpretation_flags(game).eva_comes_above_limit:
        game.push("discard")


@dataclass(frozen=True)
class TakeTheEva:
    name: str = "take the EVA"
    verbs: tuple[type[Action], ...] = (TakeEva,)

    opens = has_options

    def options(self, game: Game) -> Iterator[Action]:
        yield from filter_allowed(self, game, [TakeEva(game.actor_in_turn)])

    def check(self, game: Game, action: TakeEva) -> None:
        check_eva(game, CompanyId(action.by))
        check_asked(game)

    def apply(self, game: Game, action: TakeEva) -> None:
        give_eva(game, CompanyId(action.by))


@dataclass(frozen=True)
class GiveTheEva:
    """The owner of the newly built EVA may give it to a company they direct, or keep it for later (§V)."""

    name: str = "give the EVA to a company"
    verbs: tuple[type[Action], ...] = (TakeEva, Pass)

    def opens(self, game: Game) -> bool:
        return any(isinstance(option, TakeEva) for option in self.options(game))

    def options(self, game: Game) -> Iterator[Action]:
        yield Pass(game.frame.asked[0])
        for company in game.state.companies:
            if is_permitted(check_eva, game, company):
                yield TakeEva(company)

    def check(self, game: Game, action: TakeEva | Pass) -> None:
        if isinstance(action, TakeEva):
            if action.by not in game.state.companies:
                raise IllegalMove("Say which company takes the EVA.", "1844 §V")
            check_eva(game, CompanyId(action.by))
        elif action.by not in game.frame.asked:
            raise IllegalMove("Only the owner of the EVA can pass.", "1844 §V")

    def apply(self, game: Game, action: TakeEva | Pass) -> None:
        if isinstance(action, TakeEva):
            give_eva(game, CompanyId(action.by))
        else:
            game.record_pass(action)

"""Locomotives: who may own which, what must be bought and with whose money, the EVA (1844 §V, §XVII)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine.ids import POOL, REMOVED, CompanyId, Owner, is_player, present
from bot.engine.play.game import Game
from bot.engine.play.holdings.certificates import president_of
from bot.engine.play.holdings.trains import counting, for_sale, has_begun, sides
from bot.engine.play.steps.emergency import EmergencySaleRules, contribute
from bot.engine.play.steps.trains import BuyTrains, face_or_free
from bot.engine.play.title import allowed, has_options
from bot.engine.refusals import IllegalMove, permits
from bot.engine.state.actions import Action, BuyTrain, Pass
from bot.engine.state.state import Train

from .actions import TakeEva
from .components import EVA, HISTORICAL, NATIONAL, REGIONAL, SBB, SBB_TRAIN
from .interpretations import readings
from .peer_compat import check_asked, check_not_over
from .player_debt import borrow_for_train
from .routes import has_route
from .state import special
from .stock import STOCK_SECTIONS, after_sale, sale_price

SECTION = "1844 §XVII"


def train_limit(game: Game, company: CompanyId) -> int:
    """Two for pre-SBB and regional companies, four for the SBB; four, three, two for historical ones (§VIII)."""
    if company == SBB:
        return 4
    kind = game.title.companies[company].kind
    return game.title.phase(game.state.phase).train_limit if kind == HISTORICAL else 2


def may_own(game: Game, company: CompanyId, kind: str) -> None:
    """Regional railways own H-trains alone (§X); nothing more is bought by whoever is over with trains on 18xx.games."""
    check_not_over(game)
    if game.title.companies[company].kind == REGIONAL and "H" not in kind:
        raise IllegalMove("{company} is a regional railway and may only own H-trains.", "1844 §X", company)


def may_trade(game: Game, company: CompanyId, seller: CompanyId) -> None:
    """From the first 3/3H on (§XVII)."""
    if not has_begun(game, "3"):
        raise IllegalMove("Companies sell trains to each other once the first 3/3H has been bought.", SECTION)


def prices(game: Game, company: CompanyId, train: Train) -> tuple[int, int]:
    """The printed price between directors and with the SBB, else any from 1 on (§XII, §XVII)."""
    face = game.title.trains[train.kind].price
    if SBB in (company, train.owner):
        return face, face
    low, high = face_or_free(game, company, train)
    if face in (low, high) or high > face:
        return low, high
    if readings(game).has_no_debt_for_own_trains:
        return prices_beyond_cash(game, company, face)
    return low, face if must_own_train(game, company) else high


def prices_beyond_cash(game: Game, company: CompanyId, face: int) -> tuple[int, int]:
    """On 18xx.games the director takes up no debt for a train of another company of his: what both have is enough. After a
    sale in this turn each train that is printed dearer than the company could pay costs so much that fewer shares would
    not have been enough for both."""
    director, cash, sold_at = game.decider(company), game.state.cash[company], special(game).sold_at
    means = cash + (game.state.cash[director] if director else 0)
    most = min(face, means) if must_own_train(game, company) else cash
    return max(1, means - sold_at + 1) if sold_at else 1, most


def must_own_train(game: Game, company: CompanyId) -> bool:
    """Historical and regional companies with a route must own a train (§IX, §X), on 18xx.games the SBB too."""
    bound = (HISTORICAL, REGIONAL, NATIONAL) if readings(game).sbb_must_own_train else (HISTORICAL, REGIONAL)
    is_bound = game.title.companies[company].kind in bound
    return is_bound and not counting(game, company) and bool(for_sale(game)) and has_route(game, company)


def goes_to(game: Game, train: Train) -> Owner:
    """A train above the limit can be bought again (§XVII); under the reading of 18xx.games it is out of the game."""
    return REMOVED if readings(game).discards_are_gone or train.kind == SBB_TRAIN else POOL


# -- money for a train that must be bought ---------------------------------------------------------------


def raise_money(game: Game, action: BuyTrain) -> bool:
    """The director adds exactly what the company lacks; what he lacks himself the bank lends him (§XVII)."""
    company = CompanyId(action.by)
    director = president_of(game.company(company))
    if director is None:
        return False
    lacking = contribute(game, company, action.price)
    if lacking:
        borrow_for_train(game, director, company, lacking)
    special(game).sold_for_train = []
    return True


def forget_sales(game: Game) -> None:
    """Another company's turn begins."""
    special(game).sold_for_train, special(game).sold_at = [], 0


def is_buying(game: Game) -> bool:
    """Whether the company in turn is at its trains."""
    return isinstance(game.step, BuyTrains)


def must_raise_money(game: Game, company: CompanyId) -> bool:
    """Whether the company stands before a train that it must buy and cannot pay."""
    if not is_buying(game) or not must_own_train(game, company):
        return False
    needed = highest_price(game, company) if readings(game).director_pays_for_dearest else lowest_price(game, company)
    return game.state.cash[company] < needed


def offered(game: Game, company: CompanyId) -> list[int]:
    """The prices of the trains of the bank and the pool that the company may own; on 18xx.games of all."""
    kinds = [side.name for card in for_sale(game) for side in sides(game, card.family)]
    kinds += [train.kind for train in game.state.trains_of(POOL)]
    is_bound = game.title.companies[company].kind == REGIONAL and not readings(game).director_pays_for_dearest
    return [game.title.trains[kind].price for kind in kinds if not is_bound or "H" in kind]


def lowest_price(game: Game, company: CompanyId) -> int:
    """The cheapest of them; nothing if there is none."""
    return min(offered(game, company), default=0)


def highest_price(game: Game, company: CompanyId) -> int:
    """The dearest of them."""
    return max(offered(game, company), default=0)


def lacking(game: Game, owner: Owner) -> int:
    """What company and director lack to buy any train that is offered.

    :raises IllegalMove: the company stands before no train that it must buy and cannot pay.
    """
    company, director = CompanyId(owner), game.decider(owner)
    if director is None or not must_raise_money(game, company):
        raise IllegalMove("Shares are sold in share rounds, or for a train that must be bought.", SECTION)
    return highest_price(game, company) - game.state.cash[company] - game.state.cash[director]


def price_in_need(game: Game, company: CompanyId) -> int:
    """What the cheapest train costs, for a company without one. 18xx.games does not ask whether it must own one.

    :raises IllegalMove: by the rulebook, and where the company is not at its trains.
    """
    if not readings(game).has_bankruptcy:
        raise IllegalMove("There is no bankruptcy: the bank lends what a director lacks.", SECTION)
    return lowest_price(game, company) if is_buying(game) and not counting(game, company) else 0


def after_forced_sale(game: Game, company: CompanyId, percent: int) -> None:
    """One row down; what a share brought is noted."""
    special(game).sold_at = sale_price(game, company)
    after_sale(game, company, percent)


SALES = EmergencySaleRules(
    section=SECTION,
    sections=STOCK_SECTIONS,
    after_sale=after_forced_sale,
    sale_price=sale_price,
    sold=lambda game: special(game).sold_for_train,
)
"""What the director sells for a train: nobody loses a company by it."""


# -- the EVA ----------------------------------------------------------------------------------------------


def eva(game: Game) -> Train | None:
    """The EVA while a player has it to give away."""
    return next((train for train in game.state.trains if train.id == EVA and is_player(train.owner)), None)


def check_eva(game: Game, company: CompanyId) -> None:
    """Raise the refusal against giving the EVA to a company (§V)."""
    train = eva(game)
    if train is None:
        raise IllegalMove("There is no EVA to give away.", "1844 §V")
    if train.owner != game.decider(company):
        sentence = "The EVA belongs to {owner}, who does not direct {company}."
        raise IllegalMove(sentence, "1844 §V", game.state.name(train.owner), company)
    if not game.company(company).floated:
        raise IllegalMove("{company} has not floated.", "1844 §V", company)
    limit = train_limit(game, company)
    if len(counting(game, company)) >= limit and not readings(game).eva_comes_above_limit:
        raise IllegalMove("{company} is at its limit of {limit} trains.", "1844 §V", company, limit)


def give_eva(game: Game, company: CompanyId) -> None:
    """The company owns it from now on; on 18xx.games it may give up another train for it."""
    train = present(eva(game), "there is no EVA to give away")
    train.owner = company
    game.tell("{company} gets the EVA, a 5H train.", company)
    if readings(game).eva_comes_above_limit:
        game.push("discard")


@dataclass(frozen=True)
class TakeTheEva:
    """In its turn a company takes the EVA from its director."""

    name: str = "take the EVA"
    verbs: tuple[type[Action], ...] = (TakeEva,)

    opens = has_options

    def options(self, game: Game) -> Iterator[Action]:
        yield from allowed(self, game, [TakeEva(game.in_turn)])

    def check(self, game: Game, action: TakeEva) -> None:
        """As `check_eva`, while the company is asked."""
        check_eva(game, CompanyId(action.by))
        check_asked(game)

    def apply(self, game: Game, action: TakeEva) -> None:
        give_eva(game, CompanyId(action.by))


@dataclass(frozen=True)
class GiveTheEva:
    """As soon as it is built its owner may give the EVA to a company that he directs, or keep it for later (§V)."""

    name: str = "give the EVA to a company"
    verbs: tuple[type[Action], ...] = (TakeEva, Pass)

    def opens(self, game: Game) -> bool:
        """While a company could take it."""
        return any(isinstance(option, TakeEva) for option in self.options(game))

    def options(self, game: Game) -> Iterator[Action]:
        """Every company of his with room, and keeping it."""
        yield Pass(game.frame.asked[0])
        for company in game.state.companies:
            if permits(check_eva, game, company):
                yield TakeEva(company)

    def check(self, game: Game, action: TakeEva | Pass) -> None:
        if isinstance(action, TakeEva):
            if action.by not in game.state.companies:
                raise IllegalMove("A company takes the EVA: say which.", "1844 §V")
            check_eva(game, CompanyId(action.by))
        elif action.by not in game.frame.asked:
            raise IllegalMove("Only the owner of the EVA can pass.", "1844 §V")

    def apply(self, game: Game, action: TakeEva | Pass) -> None:
        """Give it, or keep it."""
        if isinstance(action, TakeEva):
            give_eva(game, CompanyId(action.by))
        else:
            game.passed(action)

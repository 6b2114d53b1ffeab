"""Locomotives: who may own which, what must be bought and with whose money, the EVA (1844 §V, §XVII)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.engine.data.actions import Action, BuyTrain, Pass, SellShares
from bot.engine.data.state import Company, Train
from bot.engine.holdings.certificates import choose, ordinary, president_of, smallest
from bot.engine.holdings.market import in_order, price_of
from bot.engine.holdings.money import pay
from bot.engine.holdings.trains import counting, for_sale, has_begun, sides
from bot.engine.ids import BANK, POOL, REMOVED, CompanyId, Owner, PlayerId, is_player
from bot.engine.refusals import NotAllowed
from bot.engine.steps.stock import check_sale, possible_sales, sell
from bot.engine.steps.trains import BuyTrains, face_or_free

from .actions import DeclareBankruptcy, TakeEva
from .box.nouns import EVA, HISTORICAL, NATIONAL, REGIONAL, SBB, SBB_TRAIN
from .box.readings import readings
from .debts import borrow_for_train
from .events import Contributed, EvaGiven, WentBankrupt
from .logs.there import check_asked, check_not_over
from .routes import has_route
from .special import special
from .stock import STOCK_SECTIONS, after_sale, sale_price

if TYPE_CHECKING:
    from bot.engine.play.game import Game

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
        raise NotAllowed(f"{company} is a regional railway and owns H-trains alone.", "1844 §X")


def may_trade(game: Game, company: CompanyId, seller: CompanyId) -> None:
    """From the first 3/3H on (§XVII)."""
    if not has_begun(game, "3"):
        raise NotAllowed("Companies sell trains to each other once the first 3/3H has been bought.", SECTION)


def may_change_hands(kind: str) -> bool:
    """The SBB's own 5H cannot be traded (§XII)."""
    return kind != SBB_TRAIN


def prices(game: Game, company: CompanyId, train: Train) -> tuple[int, int]:
    """The printed price between directors and with the SBB, else any from 1 on (§XII, §XVII)."""
    face = game.title.trains[train.kind].price
    if SBB in (company, train.owner):
        return face, face
    low, high = face_or_free(game, company, train)
    if face in (low, high) or high > face or not must_own_train(game, company):
        return low, high
    return prices_in_need(game, company, face) if readings(game).has_no_debt_for_own_trains else (low, face)


def prices_in_need(game: Game, company: CompanyId, face: int) -> tuple[int, int]:
    """On 18xx.games the director takes up no debt for a train of another company of his: what both have is enough, and
    after a sale the train costs so much that fewer shares would not have been."""
    director = game.decider(company)
    most = game.state.cash[company] + (game.state.cash[director] if director else 0)
    sold_at = special(game).sold_at
    return max(1, most - sold_at + 1) if sold_at else 1, min(face, most)


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
    shortage = action.price - game.state.cash[company]
    own = min(shortage, game.state.cash[director])
    if own:
        game.happened(Contributed(director, company, own))
        pay(game, director, company, own, "train")
    if own < shortage:
        borrow_for_train(game, director, company, shortage - own)
    forget_sales(game)
    return True


def forget_sales(game: Game) -> None:
    """The train is bought, or another company's turn begins."""
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


@dataclass(frozen=True)
class SellForTrain:
    """The director sells shares to pay for the train: no more than he needs, and nobody loses a company by it.

    The company in turn names the shares: `FNM sell 2 MOB`.
    """

    name: str = "sell the director's shares for a train"
    verbs: tuple[type[Action], ...] = (SellShares,)

    def opens(self, game: Game) -> bool:
        """When money is needed and something can be sold."""
        return any(True for _ in self.options(game))

    def options(self, game: Game) -> Iterator[Action]:
        """Every sale."""
        company = game.company_in_turn
        director = game.decider(company)
        if director is None or not must_raise_money(game, company):
            return
        for other in game.state.companies.values():
            for sale in possible_sales(other, director) if not other.closed else ():
                action = SellShares(company, sale.company, sale.shares, sale.doubles)
                try:
                    self.check(game, action)
                except NotAllowed:
                    continue
                yield action

    def check(self, game: Game, action: SellShares) -> None:
        """Raise the refusal that stands against the sale."""
        company = CompanyId(action.by)
        director = game.decider(company)
        if director is None or not must_raise_money(game, company):
            raise NotAllowed("Shares are sold in share rounds, or for a train that must be bought.", SECTION)
        if action.company not in game.state.companies or game.company(action.company).closed:
            raise NotAllowed(f"There is no company {action.company} in play.")
        if action.company in special(game).sold_for_train:
            raise NotAllowed(
                f"You sold {action.company} for this train; shares of one company are sold together.", SECTION
            )
        check_sale(
            game, director, action.company, action.shares, STOCK_SECTIONS, may_dethrone=False, doubles=action.doubles
        )
        needed = highest_price(game, company) - game.state.cash[company] - game.state.cash[director]
        if (action.shares - 1) * sale_price(game, action.company) >= needed:
            raise NotAllowed("Fewer shares are enough for every train that is offered.", SECTION)

    def apply(self, game: Game, action: SellShares) -> None:
        """The director gets the money, the price falls one row."""
        director = PlayerId(game.decider(action.by) or Owner(""))
        each = sale_price(game, action.company)
        percent = sell(game, director, action.company, action.shares, action.doubles, each)
        special(game).sold_for_train.append(action.company)
        special(game).sold_at = each
        after_sale(game, action.company, percent)


@dataclass(frozen=True)
class GoBankrupt:
    """Under the reading of 18xx.games a director who cannot pay for the cheapest train of a company without one may give
    up: the game is over. 18xx.games does not ask whether the company must own a train."""

    name: str = "go bankrupt"
    verbs: tuple[type[Action], ...] = (DeclareBankruptcy,)

    def opens(self, game: Game) -> bool:
        """When it is allowed."""
        return any(True for _ in self.options(game))

    def options(self, game: Game) -> Iterator[Action]:
        """Giving up, where a train must be bought: what is allowed beside that nobody is shown."""
        action = DeclareBankruptcy(game.in_turn)
        if not must_raise_money(game, CompanyId(action.by)):
            return
        try:
            self.check(game, action)
        except NotAllowed:
            return
        yield action

    def check(self, game: Game, action: DeclareBankruptcy) -> None:
        """Only there, and only when all that can be sold is not enough."""
        if not readings(game).has_bankruptcy:
            raise NotAllowed("There is no bankruptcy: the bank lends what a director lacks.", SECTION)
        company = CompanyId(action.by)
        director = game.decider(company)
        price = lowest_price(game, company)
        if director is None or not is_buying(game) or counting(game, company) or game.state.cash[company] >= price:
            raise NotAllowed(f"{company} need not buy a train that it cannot pay.", SECTION)
        sales = best_sales(game, director)
        sellable = sum(amount for other, amount in sales.items() if other not in special(game).sold_for_train)
        worth = game.state.cash[company] + game.state.cash[director] + sellable
        if worth >= price:
            money = game.title.currency
            raise NotAllowed(
                f"{company} and its director can raise {money}{worth}; a train costs {money}{price}.", SECTION
            )

    def apply(self, game: Game, action: DeclareBankruptcy) -> None:
        """All that can be sold is sold, the money goes to the bank, the game ends."""
        director = PlayerId(game.decider(action.by) or Owner(""))
        liquidate(game, director)
        special(game).bankrupt = director
        game.happened(WentBankrupt(director))


def best_sales(game: Game, player: PlayerId) -> dict[CompanyId, int]:
    """For each company what the player could get for the most shares that he may sell."""
    found: dict[CompanyId, int] = {}
    for sale in sales_of(game, player):
        found[sale.company] = max(found.get(sale.company, 0), sale.shares * sale_price(game, sale.company))
    return found


def sales_of(game: Game, player: PlayerId) -> Iterator[SellShares]:
    """The sales that cost nobody a company, single certificates before double ones."""
    for company in game.state.companies.values():
        for sale in possible_sales(company, player) if not company.closed else ():
            if not has_singles_first(company, player, sale):
                continue
            try:
                check_sale(
                    game, player, sale.company, sale.shares, STOCK_SECTIONS, may_dethrone=False, doubles=sale.doubles
                )
            except NotAllowed:
                continue
            if price_of(game, sale.company):
                yield sale


def has_singles_first(company: Company, player: PlayerId, sale: SellShares) -> bool:
    """Whether a sale takes double certificates only after all single ones."""
    unit, own = smallest(company), ordinary(company, player)
    found = choose(own, unit, sale.shares, sale.doubles) or ()
    singles = sum(certificate.percent == unit for certificate in found)
    return singles in (len(found), sum(certificate.percent == unit for certificate in own))


def liquidate(game: Game, player: PlayerId) -> None:
    """Sell as much of each company as possible, the dearest first, and hand the money in."""
    held = [company.id for company in game.state.companies.values() if company.held_by(player) and company.position]
    for company in in_order(game, held):
        if company in special(game).sold_for_train:
            continue
        possible = [sale for sale in sales_of(game, player) if sale.company == company]
        if possible:
            sale = max(possible, key=lambda sale: sale.shares)
            percent = sell(game, player, company, sale.shares, sale.doubles, sale_price(game, company))
            after_sale(game, company, percent)
    pay(game, player, BANK, game.state.cash[player], "bankruptcy")


# -- the EVA ----------------------------------------------------------------------------------------------


def eva(game: Game) -> Train | None:
    """The EVA while a player has it to give away."""
    return next((train for train in game.state.trains if train.id == EVA and is_player(train.owner)), None)


def check_eva(game: Game, company: CompanyId) -> None:
    """Raise the refusal against giving the EVA to a company (§V)."""
    train = eva(game)
    if train is None:
        raise NotAllowed("There is no EVA to give away.", "1844 §V")
    if train.owner != game.decider(company):
        raise NotAllowed(
            f"The EVA belongs to {game.state.name(train.owner)}, who does not direct {company}.", "1844 §V"
        )
    if not game.company(company).floated:
        raise NotAllowed(f"{company} is not launched.", "1844 §V")
    limit = train_limit(game, company)
    if len(counting(game, company)) >= limit and not readings(game).eva_comes_above_limit:
        raise NotAllowed(f"{company} is at its limit of {limit} trains.", "1844 §V")


def give_eva(game: Game, company: CompanyId) -> None:
    """The company owns it from now on; on 18xx.games it may give up another train for it."""
    train = eva(game)
    if train is None:
        raise ValueError("there is no EVA to give away")
    train.owner = company
    game.happened(EvaGiven(company))
    if readings(game).eva_comes_above_limit:
        game.push("discard")


@dataclass(frozen=True)
class TakeTheEva:
    """In its turn a company takes the EVA from its director."""

    name: str = "take the EVA"
    verbs: tuple[type[Action], ...] = (TakeEva,)

    def opens(self, game: Game) -> bool:
        """When it can."""
        return any(True for _ in self.options(game))

    def options(self, game: Game) -> Iterator[Action]:
        """The EVA."""
        company = game.company_in_turn
        try:
            self.check(game, TakeEva(company))
        except NotAllowed:
            return
        yield TakeEva(company)

    def check(self, game: Game, action: TakeEva) -> None:
        """As `check_eva`, while the company is asked."""
        check_eva(game, CompanyId(action.by))
        check_asked(game)

    def apply(self, game: Game, action: TakeEva) -> None:
        """Take it."""
        give_eva(game, CompanyId(action.by))


@dataclass(frozen=True)
class GiveTheEva:
    """As soon as it is built its owner may give the EVA to a company that he directs, or keep it for later (§V)."""

    name: str = "give the EVA to a company, or keep it"
    verbs: tuple[type[Action], ...] = (TakeEva, Pass)

    def opens(self, game: Game) -> bool:
        """While a company could take it."""
        return any(isinstance(option, TakeEva) for option in self.options(game))

    def options(self, game: Game) -> Iterator[Action]:
        """Every company of his with room, and keeping it."""
        yield Pass(game.frame.asked[0])
        for company in game.state.companies:
            try:
                check_eva(game, company)
            except NotAllowed:
                continue
            yield TakeEva(company)

    def check(self, game: Game, action: TakeEva | Pass) -> None:
        """As `check_eva`."""
        if isinstance(action, TakeEva):
            if action.by not in game.state.companies:
                raise NotAllowed("A company takes the EVA: say which.", "1844 §V")
            check_eva(game, CompanyId(action.by))
        elif action.by not in game.frame.asked:
            raise NotAllowed("The owner of the EVA passes himself.", "1844 §V")

    def apply(self, game: Game, action: TakeEva | Pass) -> None:
        """Give it, or keep it."""
        if isinstance(action, TakeEva):
            give_eva(game, CompanyId(action.by))
        else:
            game.passed(action)

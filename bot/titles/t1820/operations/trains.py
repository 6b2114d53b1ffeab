"""Trains: from the supply and from other companies; discarding them (1820 §7.2.6, §7.2.7, §13.7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import DEPOT, REMOVED, CompanyId, IllegalMove, Owner, Text, TrainId, is_player, msg, require
from bot.engine.play import Game, filter_allowed, has_options
from bot.engine.play.holdings import buy_from_depot, check_cash, find_train, pay, trains_for_sale
from bot.engine.play.steps import operating_turn
from bot.engine.state import (
    Action,
    BuyTrain,
    DiscardTrain,
    PhaseBegan,
    SellShares,
    Train,
    TrainBought,
    TrainDiscarded,
    TrainExported,
)
from bot.titles.t1820 import companies
from bot.titles.t1820.actions import Contribute
from bot.titles.t1820.components import HOLDEN, TRAINS
from bot.titles.t1820.consent import propose
from bot.titles.t1820.cousins import count_use, has_ability, times_used
from bot.titles.t1820.state import title_state
from bot.titles.t1820.stock.future_trains import AssignFutureTrain
from bot.titles.t1820.stock.shares import check_sale, most_to_sell, sell

from .stations import replace_all_stations


def fair_price(game: Game, kind: str) -> int:
    """The supply price less the current maintenance, £1 at least (§7.2.7)."""
    return max(1, TRAINS[kind].price - companies.maintenance_of(game, kind))


def refill(game: Game, event: TrainBought | TrainExported) -> None:
    """The supply of 2+ trains is unlimited (table 5.1)."""
    if event.kind != "2+" or any(train.kind == "2+" and train.owner == DEPOT for train in game.state.trains):
        return
    cards = [index for index, train in enumerate(game.state.trains) if train.kind == "2+"]
    if game.state.phase == "yellow":
        card = Train(TrainId(f"2+-{len(cards)}"), "2+", "2+", DEPOT)
        game.state.trains.insert(cards[-1] + 1, card)


Move = BuyTrain | DiscardTrain | SellShares | Contribute


@dataclass(frozen=True)
class DiscardAndBuyTrains:
    """Discard trains, then buy some. Early, before trains run, only from the supply (§7.2, §13.2, §14.5.1).

    With `waits_for_future` the turn stops here also for a future train that can be assigned (§6.4.3).
    """

    is_early: bool = False
    waits_for_future: bool = True
    name: str = "buy trains"
    verbs: tuple[type[Action], ...] = (BuyTrain, DiscardTrain, SellShares, Contribute)

    def prompt(self, game: Game) -> Text:
        """The options, and the result for a company that ends the step without a train."""
        company = game.company_in_turn
        loan = msg(", take a loan") if companies.max_funds(game, company) > companies.cash_of(game, company) else ""
        if not self._may_buy(game, company):
            return "assign a future train before the run or pass"
        if self.is_early:
            return msg("buy trains before the run{loan} or pass", loan)
        if game.state.trains_of(company):
            return msg("discard or buy trains{loan} or pass", loan)
        if companies.is_private(game.company(company)):
            return msg("buy a train{loan} or pass: without one {company} closes", loan, company)
        return msg("buy a train{loan} or pass: without one {company} goes into liquidation", loan, company)

    def opens(self, game: Game) -> bool:
        """While something can be done, if need be after taking loans; or a future train can be assigned."""
        company = game.company_in_turn
        if self.waits_for_future and AssignFutureTrain().opens(game):
            return True
        if not self._may_buy(game, company):
            return False
        return has_options(self, game) or self._could_borrow(game, company)

    def _could_borrow(self, game: Game, company: CompanyId) -> bool:
        cards = trains_for_sale(game)
        if not cards or len(game.state.trains_of(company)) >= companies.train_limit(game):
            return False
        able, cheapest = companies.max_funds(game, company), min(TRAINS[card.kind].price for card in cards)
        return able > companies.cash_of(game, company) and able + _available_director_cash(game, company) >= cheapest

    def _may_buy(self, game: Game, company: CompanyId) -> bool:
        """Before the run only private companies and investments of James Holden may buy."""
        if not self.is_early or companies.is_private(game.company(company)):
            return True
        return has_ability(game, HOLDEN, company) and not times_used(game, HOLDEN, company)

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company_in_turn
        yield from filter_allowed(self, game, self._candidates(game, company))

    def _candidates(self, game: Game, company: CompanyId) -> Iterator[Move]:
        if len(game.state.trains_of(company)) < companies.train_limit(game):
            money = companies.cash_of(game, company) + _available_director_cash(game, company)
            yield from self._purchases(game, company, money)
        yield from dict.fromkeys(DiscardTrain(company, train.kind) for train in game.state.trains_of(company))
        yield from sales_of(game, company)
        yield from promises_of(game, company)

    def _purchases(self, game: Game, company: CompanyId, money: int) -> Iterator[BuyTrain]:
        for card in trains_for_sale(game):
            yield BuyTrain(company, card.kind, TRAINS[card.kind].price)
        if self.is_early:
            return
        for kind, owner in dict.fromkeys((train.kind, train.owner) for train in game.state.trains):
            if owner in game.state.companies and owner != company:
                for price in dict.fromkeys((1, fair_price(game, kind), TRAINS[kind].price)):
                    if price <= money:
                        yield BuyTrain(company, kind, price, owner)

    def check(self, game: Game, action: Move) -> None:
        company = game.company_in_turn
        if not self._may_buy(game, company):
            raise IllegalMove("{company} buys and discards trains after its run.", "1820 §7.2", company)
        if isinstance(action, Contribute):
            check_promise(game, company, action.amount)
        elif isinstance(action, SellShares):
            if not may_contribute(game, company):
                raise IllegalMove("The director of {company} may not pay for its trains.", "1820 §7.2.7", company)
            if self._is_rich(game, company):
                raise IllegalMove("{company} can get trains without selling shares.", "1820 §7.2.7", company)
            check_director_sale(game, company, action)
        elif isinstance(action, DiscardTrain):
            self._check_discard(game, company, action)
        else:
            self._check_purchase(game, company, action)

    def _is_rich(self, game: Game, company: CompanyId) -> bool:
        """Whether company and director could immediately pay for as many of the most expensive trains as there is room
        for; only a single train for a public company, since help ends with it.
        """
        room = companies.train_limit(game) - len(game.state.trains_of(company))
        kinds = [card.kind for card in trains_for_sale(game)]
        if not self.is_early:
            kinds += [t.kind for t in game.state.trains if t.owner in game.state.companies and t.owner != company]
        dearest = max((TRAINS[kind].price for kind in kinds), default=0)
        needed = dearest * (room if companies.is_private(game.company(company)) else min(room, 1))
        return companies.cash_of(game, company) + companies.director_cash(game, company) >= needed

    def _check_discard(self, game: Game, company: CompanyId, action: DiscardTrain) -> None:
        if self.is_early:
            raise IllegalMove("Discard trains after they have run.", "1820 §7.2.6")
        if "trains" in operating_turn(game).used:
            raise IllegalMove("Discard trains before buying others.", "1820 §7.2")
        if find_train(game, company, action.kind) is None:
            raise IllegalMove("{company} has no {kind} train.", "1820 §7.2.6", company, action.kind)

    def _check_purchase(self, game: Game, company: CompanyId, action: BuyTrain) -> None:
        if action.kind not in TRAINS or action.trade_in is not None or action.using is not None:
            raise IllegalMove("There is no such {kind} train.", "1820 §7.2.7", action.kind)
        if len(game.state.trains_of(company)) >= companies.train_limit(game):
            raise IllegalMove("The train limit is {limit}.", "1820 §13.7", companies.train_limit(game))
        if action.source == DEPOT:
            card = next((card for card in trains_for_sale(game) if card.kind == action.kind), None)
            if card is None:
                raise IllegalMove("{kind} trains are not for sale from the supply.", "1820 §15.1", action.kind)
            if action.price != TRAINS[action.kind].price:
                raise IllegalMove("A {kind} costs £{price}.", "1820 §7.2.7", action.kind, TRAINS[action.kind].price)
        else:
            self._check_seller(game, company, action)
        cash = companies.cash_of(game, company)
        if companies.is_private(game.company(company)) or not may_contribute(game, company):
            check_cash(game, company, action.price, "1820 §7.2.7", cash)
            return
        help_from = companies.director_cash(game, company)
        if action.price > cash + help_from:
            sentence = "That costs £{price}; {company} has £{cash} and its director £{help_from}."
            raise IllegalMove(sentence, "1820 §7.2.7", action.price, company, cash, help_from)
        helped = director_part(game, company, action.price)
        if helped and action.source != DEPOT and action.price > fair_price(game, action.kind):
            sentence = "With its director's help {company} may pay £{most} at most."
            raise IllegalMove(sentence, "1820 §7.2.7", company, fair_price(game, action.kind))

    def _check_seller(self, game: Game, company: CompanyId, action: BuyTrain) -> None:
        if self.is_early:
            raise IllegalMove("Before running, trains can only be bought from the supply.", "1820 §7.2")
        if action.source not in game.state.companies or action.source == company:
            raise IllegalMove("Trains are bought from the supply or from another company.", "1820 §7.2.7")
        seller = game.company(action.source)
        if find_train(game, seller.id, action.kind) is None or game.controller_of(seller.id) is None:
            raise IllegalMove("{company} has no {kind} train to sell.", "1820 §7.2.7", seller.id, action.kind)
        fair = fair_price(game, action.kind)
        if action.price < 1:
            raise IllegalMove("A train costs at least £1.", "1820 §7.2.7")
        if companies.is_private(game.company(company)) and companies.is_public(seller) and action.price < fair:
            raise IllegalMove("A private company must pay a public company at least £{price}.", "1820 §7.2.7", fair)
        if companies.is_public(game.company(company)) and companies.is_private(seller) and action.price > fair:
            raise IllegalMove("A public company may pay a private company at most £{price}.", "1820 §7.2.7", fair)

    def apply(self, game: Game, action: Move) -> None:
        """Trains of another director wait for that director's consent."""
        company = game.company_in_turn
        if isinstance(action, SellShares):
            sell(game, action.by, action.company, action.shares)
        elif isinstance(action, DiscardTrain):
            discard(game, company, action.kind)
        elif isinstance(action, Contribute):
            record_promise(game, company, action.amount)
        elif action.source == DEPOT:
            if not self.is_early:
                operating_turn(game).used.append("trains")
            elif not companies.is_private(game.company(company)):
                count_use(game, HOLDEN, company)
            buy_supply_train(game, action)
        else:
            seller = companies.director_of(game, CompanyId(action.source))
            propose(game, action, [seller] if seller is not None else [])


def may_contribute(game: Game, company: CompanyId) -> bool:
    """Directors help private companies, and public companies without a train (§7.2.7)."""
    return companies.is_private(game.company(company)) or not game.state.trains_of(company)


def _available_director_cash(game: Game, company: CompanyId) -> int:
    return companies.director_cash(game, company) if may_contribute(game, company) else 0


def sales_of(game: Game, company: CompanyId) -> Iterator[SellShares]:
    director = companies.director_of(game, company)
    if director is not None and is_player(director):
        for other in game.state.companies:
            for shares in range(1, most_to_sell(game, director, other, company) + 1):
                yield SellShares(director, other, shares)


def check_director_sale(game: Game, company: CompanyId, action: SellShares) -> None:
    """Raise the refusal of the director's share sale to raise cash; control of the company must stay."""
    if action.by != companies.director_of(game, company) or not is_player(action.by):
        raise IllegalMove("The director of {company} sells shares to raise cash.", "1820 §7.2.7", company)
    check_sale(game, action.by, action.company, action.shares, company)


def cover_shortfall(game: Game, company: CompanyId, amount: int) -> int:
    """Let the director pay what the treasury lacks; return that amount."""
    director = companies.director_of(game, company)
    lack = max(0, amount - companies.cash_of(game, company))
    if lack and director is not None:
        pay(game, director, company, lack, "help of the director")
    return lack


def promises_of(game: Game, company: CompanyId) -> Iterator[Contribute]:
    """Promises of the full price of a supply train that the treasury could pay in part, and of 0 to take a promise
    back.
    """
    director = companies.director_of(game, company)
    if director is None or not companies.cash_of(game, company) or not may_contribute(game, company):
        return
    for card in trains_for_sale(game):
        if TRAINS[card.kind].price <= game.state.cash[director]:
            yield Contribute(company, TRAINS[card.kind].price)
    if title_state(game).promised:
        yield Contribute(company, 0)


def check_promise(game: Game, company: CompanyId, amount: int) -> None:
    director = companies.director_of(game, company)
    if companies.is_private(game.company(company)):
        raise IllegalMove("{company} is a private company: its money belongs to its director.", "1820 §13.2", company)
    if director is None or not may_contribute(game, company):
        raise IllegalMove("The director of {company} may not pay for its trains.", "1820 §7.2.7", company)
    if not 0 <= amount <= game.state.cash[director]:
        raise IllegalMove(
            "{director} has £{cash}.", "1820 §7.2.7", game.state.name(director), game.state.cash[director]
        )
    if amount == title_state(game).promised:
        raise IllegalMove("£{amount} have been promised already.", "1820 §7.2.7", amount)


def record_promise(game: Game, company: CompanyId, amount: int) -> None:
    title_state(game).promised = amount
    director = companies.director_of(game, company) or ""
    if amount:
        game.log("{director} will pay £{amount} of {company}'s next train.", director, amount, company)
    else:
        game.log("{director} may only add what {company}'s treasury lacks for its next train.", director, company)


def director_part(game: Game, company: CompanyId, price: int) -> int:
    """The director's part of a train: what the treasury lacks, or more if the director promised more (§7.2.7)."""
    director = companies.director_of(game, company)
    if director is None or companies.is_private(game.company(company)) or not may_contribute(game, company):
        return 0
    return max(
        price - companies.cash_of(game, company), min(title_state(game).promised, price, game.state.cash[director]), 0
    )


def pay_director_part(game: Game, company: CompanyId, price: int) -> None:
    helped, director = director_part(game, company, price), companies.director_of(game, company)
    title_state(game).promised = 0
    if helped and director is not None:
        pay(game, director, company, helped, "help of the director")
        game.log("{director} gives {company} £{amount} for a train.", director, company, helped)


def buy_supply_train(game: Game, action: BuyTrain) -> None:
    """Buy at face value, with the director's help where allowed; a new colour begins its phase."""
    company = CompanyId(action.by)
    pay_director_part(game, company, action.price)
    payer = companies.treasury_owner(game, company)
    if payer != company:
        pay(game, payer, company, action.price, f"{action.kind} train")
    buy_from_depot(game, company, action.kind, action.price, Owner("bank"))


def buy_other_train(game: Game, action: BuyTrain) -> None:
    company = CompanyId(action.by)
    train = require(find_train(game, action.source, action.kind), f"{action.source} has no {action.kind} train")
    operating_turn(game).used.append("trains")
    pay_director_part(game, company, action.price)
    payee = companies.treasury_owner(game, CompanyId(action.source))
    pay(game, companies.treasury_owner(game, company), payee, action.price, f"{action.kind} train")
    game.state.move_train(train, company)
    game.emit(TrainBought(company, train.id, train.kind, action.source, action.price))


def discard_excess_undirected(game: Game, event: PhaseBegan) -> None:
    """A company without a director gives up its oldest trains when the limit falls (§13.7)."""
    for company in game.state.companies.values():
        if companies.is_public(company) and companies.director_of(game, company.id) is None:
            for train in game.state.trains_of(company.id)[: -companies.train_limit(game)]:
                discard(game, company.id, train.kind)


def discard(game: Game, company: CompanyId, kind: str) -> None:
    """Remove the train from the game (§7.2.6)."""
    train = find_train(game, company, kind)
    if train is not None:
        game.state.move_train(train, REMOVED)
        game.emit(TrainDiscarded(company, kind))


# -- the end of the step ------------------------------------------------------------------------------


def close_trainless(game: Game) -> None:
    """Without a train a public company goes into liquidation, a private one closes (§7.2.7)."""
    company_id = game.company_in_turn
    company = game.company(company_id)
    if not company.floated or game.state.trains_of(company_id):
        return
    if companies.is_private(company):
        close_private(game, company_id, "it has no train")
    else:
        companies.put_into_liquidation(game, company_id, "it has no train")


def close_private(game: Game, company_id: CompanyId, why: Text) -> None:
    """Its stations become British Rail's; charter and share leave the game."""
    replace_all_stations(game, company_id)
    for train in game.state.trains_of(company_id):
        discard(game, company_id, train.kind)
    game.log("{company} closes: {why}.", company_id, msg(why))
    companies.close(game, company_id)
    title_state(game).directors.pop(company_id, None)

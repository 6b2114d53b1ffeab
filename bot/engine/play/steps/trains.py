"""Buying trains, and giving up those above the limit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from bot.engine import (
    BANK,
    DEPOT,
    POOL,
    REMOVED,
    CompanyId,
    IllegalMove,
    Message,
    Owner,
    PrivateId,
    TrainSections,
    is_permitted,
    join_values,
    msg,
    require,
)
from bot.engine.play import Game, TrainKind, filter_allowed
from bot.engine.play.holdings import (
    available_privates,
    buy_from_depot,
    card_sides,
    check_cash,
    counted_trains,
    find_train,
    is_obsolete,
    pay,
    president_of,
    trains_for_sale,
)
from bot.engine.state import Action, BuyTrain, DiscardTrain, Pass, Train, TrainBought, TrainDiscarded

from .consent import AnswerOffer
from .dividends import operating_turn

NEW_TRAIN = "bank"
"""Its place in the list of things `used` in a turn, if the number of such trains has a limit."""


def no_rebate(game: Game, company: CompanyId, private: PrivateId, kind: str) -> int:
    """:raises IllegalMove: always."""
    raise IllegalMove("{private} does not help with trains.", "", private)


@dataclass(frozen=True, kw_only=True)
class NewTrains:
    """Trains of the bank: `rebate(game, company, private, kind)` what a private takes off the price, or raises a refusal;
    `used(game, private)` follows its use; `most(game)` is how many a company buys in a turn, those of the pool included,
    None for any number.
    """

    rebate: Callable[[Game, CompanyId, PrivateId, str], int] = no_rebate
    used: Callable[[Game, PrivateId], None] = lambda game, private: None
    most: Callable[[Game], int | None] = lambda game: None


@dataclass(frozen=True, kw_only=True)
class UsedTrains:
    """Trains of other companies: `may_trade(game, buyer, seller)` raises the refusal against buying from that company;
    `needs_consent(game)` whether another president is asked before their train is sold; `prices(game, company, train)` the
    lowest and the highest price.
    """

    may_trade: Callable[[Game, CompanyId, CompanyId], None] = lambda game, buyer, seller: None
    needs_consent: Callable[[Game], bool] = lambda game: True
    prices: Callable[[Game, CompanyId, Train], tuple[int, int]] = lambda game, company, train: train_price_range(
        game, company, train
    )


@dataclass(frozen=True, kw_only=True)
class MoneyForTrains:
    """Money raised for a train that must be bought: `find(game, action)` gets what is missing and says whether the purchase
    still takes place; `may_find(game, company, price)` raises the refusal against raising it; `for_dearer(game)` whether it
    is raised for one train while another could be paid, `for_used(game)` whether for another company's. With `only_cheapest`
    it is raised for no train of bank and pool but the cheapest."""

    find: Callable[[Game, BuyTrain], bool] = lambda game, action: False
    may_find: Callable[[Game, CompanyId, int], None] = lambda game, company, price: None
    for_dearer: Callable[[Game], bool] = lambda game: False
    for_used: Callable[[Game], bool] = lambda game: False
    only_cheapest: bool = False


def printed_discount(game: Game, company: CompanyId, given: Train, kind: str) -> int:
    """The discount for the old train printed on the new train's card.

    :raises IllegalMove: there is none.
    """
    discount = game.title.trains[kind].trade_in.get(game.title.trains[given.kind].family)
    if discount is None:
        raise IllegalMove("A {new} train is not available in exchange for a {old} train.", "", kind, given.kind)
    return discount


@dataclass(frozen=True, kw_only=True)
class TradeIns:
    """Trains given in exchange for new trains: `discount(game, company, given, kind)` what the old train takes off the
    price of that kind, or raises the refusal; they go to `goes_to`, out of the game or to the pool."""

    discount: Callable[[Game, CompanyId, Train, str], int] = printed_discount
    goes_to: Owner = REMOVED


@dataclass(frozen=True, kw_only=True)
class BuyTrains:
    """Buy trains from the bank and from other companies until the company passes.

    `may_own(game, company, kind)` raises the refusal against a kind of train; `stays_open(game)` whether something else can
    still be done in this step.
    With `skips_idle` a company that can buy nothing is not asked. Trains in the pool are sold at the price of their kind.
    """

    section: TrainSections
    used: UsedTrains = UsedTrains()
    money: MoneyForTrains = MoneyForTrains()
    new: NewTrains = NewTrains()
    may_own: Callable[[Game, CompanyId, str], None] = lambda game, company, kind: None
    stays_open: Callable[[Game], bool] = lambda game: False
    skips_idle: bool = False
    trades: TradeIns = TradeIns()
    name: str = "buy trains"
    verbs: tuple[type[Action], ...] = (BuyTrain, Pass)

    def opens(self, game: Game) -> bool:
        company = game.company_in_turn
        if self.skips_idle:
            return self.stays_open(game) or any(True for _ in self._purchases(game, company))
        return self._has_room(game, company) or self.stays_open(game) or self._may_buy_uncounted(game, company)

    def _may_buy_uncounted(self, game: Game, company: CompanyId) -> bool:
        return any(
            not game.title.trains[card.family].counts_for_limit
            and game.state.cash[company] >= game.title.trains[card.family].price
            and not (game.title.trains[card.kind].is_single and find_train(game, company, card.kind))
            for card in trains_for_sale(game)
        )

    def _has_room(self, game: Game, company: CompanyId) -> bool:
        return len(counted_trains(game, company)) < game.title.rules.train_limit(game, company)

    def options(self, game: Game) -> Iterator[Action]:
        """Trains of the bank with every trade-in and rebate, trains of other companies at their usual prices."""
        company = game.company_in_turn
        yield from filter_allowed(self, game, [Pass(company)])
        yield from self._purchases(game, company)

    def _purchases(self, game: Game, company: CompanyId) -> Iterator[BuyTrain]:
        kinds = game.title.trains
        fits = cache(lambda kind, given=None: is_permitted(self._check_kind, game, company, kinds[kind], given))
        for action in self._new_trains(game, company, fits):
            if is_permitted(self._check_depot, game, company, action):
                yield action
        yield from self._used_trains(game, company, fits)

    def _new_trains(self, game: Game, company: CompanyId, fits: Callable[..., bool]) -> Iterator[BuyTrain]:
        """Trains of the bank that might be bought, of kinds that the company may have and for which it has room."""
        at_hand = available_privates(game, company)
        for card in trains_for_sale(game):
            for kind in card_sides(game, card.family):
                if fits(kind.name):
                    yield BuyTrain(company, kind.name, kind.price)
                for private in at_hand if fits(kind.name) else ():
                    try:
                        rebate = self.new.rebate(game, company, private, kind.name)
                    except IllegalMove:
                        continue
                    yield BuyTrain(company, kind.name, kind.price - rebate, using=private)
                for given in {train.kind: train for train in game.state.trains_of(company)}.values():
                    if is_permitted(self.trades.discount, game, company, given, kind.name) and fits(
                        kind.name, given.kind
                    ):
                        price = kind.price - self.trades.discount(game, company, given, kind.name)
                        yield BuyTrain(company, kind.name, price, trade_in=given.kind)

    def _used_trains(self, game: Game, company: CompanyId, fits: Callable[..., bool]) -> Iterator[BuyTrain]:
        """Trains of the pool, and one of each kind of those of each company that sells, at their usual prices."""
        kinds = game.title.trains
        sellers = {POOL, *game.state.companies} - {company}
        sells = cache(lambda owner: owner == POOL or is_permitted(self.used.may_trade, game, company, owner))
        used: dict[tuple[Owner, str], Train] = {}
        for train in game.state.trains:
            if train.owner in sellers and fits(train.kind) and sells(train.owner):
                used.setdefault((train.owner, train.kind), train)
        for (source, name), train in used.items():
            if source == POOL:
                action = BuyTrain(company, name, kinds[name].price, source)
                if is_permitted(self._check_pool, game, company, action):
                    yield action
            elif kinds[name].is_tradeable and not is_obsolete(game, train):
                low, high = self.used.prices(game, company, train)
                for price in [low] if low == high else sorted({low, min(high, kinds[name].price), high}):
                    if low <= price <= high and is_permitted(self._check_means, game, company, name, price):
                        yield BuyTrain(company, name, price, source)

    def check(self, game: Game, action: BuyTrain | Pass) -> None:
        company = CompanyId(action.by)
        if isinstance(action, Pass):
            if game.title.rules.must_own_train(game, company):
                raise IllegalMove("{company} must own a train.", self.section.must, company)
            return
        kind = game.title.trains.get(action.kind)
        if kind is None:
            raise IllegalMove("There is no {kind} train in {title}.", self.section.buy, action.kind, game.title.name)
        self._check_kind(game, company, kind, action.trade_in)
        if action.source == DEPOT:
            self._check_depot(game, company, action)
        elif action.source == POOL:
            self._check_pool(game, company, action)
        else:
            self._check_company(game, company, action)

    def _check_kind(self, game: Game, company: CompanyId, kind: TrainKind, trade_in: str | None = None) -> None:
        self.may_own(game, company, kind.name)
        if kind.is_single and find_train(game, company, kind.name) and trade_in != kind.name:
            raise IllegalMove("{company} may own only one {train}.", self.section.one, company, kind.name)
        if kind.counts_for_limit and not self._has_room(game, company) and trade_in is None:
            limit = game.title.rules.train_limit(game, company)
            raise IllegalMove("{company} is at its limit of {limit} train(s).", self.section.limit, company, limit)

    def _check_depot(self, game: Game, company: CompanyId, action: BuyTrain) -> None:
        self._check_number(game, company)
        kind = game.title.trains[action.kind]
        cards = trains_for_sale(game)
        if kind.family not in [card.family for card in cards]:
            names = ", ".join(side.name for card in cards for side in card_sides(game, card.family)) or "none"
            raise IllegalMove(
                "The bank does not sell a {train} now; it sells: {trains}.", self.section.order, kind.name, names
            )
        price = kind.price
        if action.using is not None:
            price -= self._rebate(game, company, action.using, kind.name)
        if action.trade_in is not None:
            price -= self._discount(game, company, action)
        if action.price != price:
            raise IllegalMove("A {kind} costs {price}.", self.section.buy, kind.name, game.title.money(price))
        self._check_cash(game, company, price)

    def _check_number(self, game: Game, company: CompanyId) -> None:
        most = self.new.most(game)
        if most is not None and operating_turn(game).used.count(NEW_TRAIN) >= most:
            sentence = "{company} buys at most {number} train(s) from the bank in a turn now."
            raise IllegalMove(sentence, self.section.order, company, most)

    def _rebate(self, game: Game, company: CompanyId, private: PrivateId, kind: str) -> int:
        try:
            return self.new.rebate(game, company, private, kind)
        except IllegalMove as refusal:
            raise IllegalMove("{reason}", refusal.rule or self.section.buy, refusal.said) from refusal

    def _check_pool(self, game: Game, company: CompanyId, action: BuyTrain) -> None:
        self._check_number(game, company)
        if find_train(game, POOL, action.kind) is None:
            raise IllegalMove("There is no {kind} train in the pool.", self.section.order, action.kind)
        if action.using is not None or action.trade_in is not None:
            raise IllegalMove("Discounts and trade-ins apply only to new trains.", self.section.order)
        price = game.title.trains[action.kind].price
        if action.price != price:
            raise IllegalMove("A {kind} costs {price}.", self.section.buy, action.kind, game.title.money(price))
        self._check_cash(game, company, price)

    def _discount(self, game: Game, company: CompanyId, action: BuyTrain) -> int:
        given = find_train(game, company, action.trade_in or "")
        if given is None:
            raise IllegalMove(
                "{company} has no {train} train to trade in.", self.section.trade, company, str(action.trade_in)
            )
        try:
            return self.trades.discount(game, company, given, action.kind)
        except IllegalMove as refusal:
            raise IllegalMove("{reason}", refusal.rule or self.section.trade, refusal.said) from refusal

    def _check_cash(self, game: Game, company: CompanyId, price: int, is_new: bool = True) -> None:
        cash = game.state.cash[company]
        if price <= cash:
            return
        if not game.title.rules.must_own_train(game, company):
            check_cash(game, company, price, self.section.buy)
        cheapest = min(self.prices(game, company), default=price)
        if cheapest <= cash and not self.money.for_dearer(game):
            raise IllegalMove(
                "{company} can afford another train, so it may not raise money for this train.",
                self.section.money,
                company,
            )
        if is_new and self.money.only_cheapest and price > cheapest:
            asked = game.title.money(cheapest)
            raise IllegalMove("Money may only be raised for the cheapest train, at {price}.", self.section.money, asked)
        self.money.may_find(game, company, price)

    def prices(self, game: Game, company: CompanyId) -> list[int]:
        """The prices of the trains of the bank and the pool that the company may own and that count."""
        kinds = [side for card in trains_for_sale(game) for side in card_sides(game, card.family)]
        kinds += [game.title.trains[train.kind] for train in game.state.trains_of(POOL)]
        return [
            kind.price
            for kind in kinds
            if kind.counts_for_limit and is_permitted(self.may_own, game, company, kind.name)
        ]

    def _check_company(self, game: Game, company: CompanyId, action: BuyTrain) -> None:
        if action.source not in game.state.companies or action.source == company:
            raise IllegalMove(
                "Trains can be bought from the bank or another company, not from {source}.", "", action.source
            )
        self.used.may_trade(game, company, CompanyId(action.source))
        train = find_train(game, action.source, action.kind)
        if train is None:
            raise IllegalMove("{source} has no {kind} train.", self.section.used, action.source, action.kind)
        if not game.title.trains[action.kind].is_tradeable:
            raise IllegalMove("A {kind} cannot be sold by a company.", self.section.one, action.kind)
        if is_obsolete(game, train):
            raise IllegalMove("A {kind} is obsolete: it is not sold.", self.section.used, action.kind)
        if action.using is not None or action.trade_in is not None:
            raise IllegalMove("Discounts and trade-ins apply only to trains from the bank.", self.section.used)
        low, high = self.used.prices(game, company, train)
        money = game.title.money
        if low > high:
            sentence = "After a forced share sale this train costs at least {low}; {company} can pay {high}."
            raise IllegalMove(sentence, self.section.used, money(low), company, money(high))
        if not low <= action.price <= high:
            span = money(low) if low == high else msg("{low} to {high}", money(low), money(high))
            raise IllegalMove("That train can be bought for {span}.", self.section.used, span)
        self._check_means(game, company, action.kind, action.price)

    def _check_means(self, game: Game, company: CompanyId, kind: str, price: int) -> None:
        cash, face, money = game.state.cash[company], game.title.trains[kind].price, game.title.money
        if price <= cash:
            return
        if not self.money.for_used(game):
            raise IllegalMove("{company} has {cash}.", self.section.used, company, money(cash))
        if price > face:
            sentence = "With its president's money {company} may pay at most {price}."
            raise IllegalMove(sentence, self.section.money, company, money(face))
        self._check_cash(game, company, price, is_new=False)

    def apply(self, game: Game, action: BuyTrain | Pass) -> None:
        """Buy, after raising money or asking the seller where that is needed; a pass ends the step."""
        if isinstance(action, Pass):
            game.record_pass(action)
            return
        company = CompanyId(action.by)
        if action.source not in (DEPOT, POOL):
            seller = president_of(game.company(action.source))
            if self.used.needs_consent(game) and seller is not None and seller != president_of(game.company(company)):
                game.state.offer = action
                game.push("train offer", action.source, asked=[seller])
                return
            if action.price <= game.state.cash[company] or self.money.find(game, action):
                buy_from_company(game, action)
            return
        if action.price > game.state.cash[company] and not self.money.find(game, action):
            return
        if self.new.most(game) is not None:
            operating_turn(game).used.append(NEW_TRAIN)
        if action.source == POOL:
            buy_from_pool(game, action)
            return
        buy_from_depot(game, company, action.kind, action.price, BANK, action.trade_in, self.trades.goes_to)
        if action.using is not None:
            game.private(action.using).ability_used = True
            self.new.used(game, action.using)


def train_price_range(game: Game, company: CompanyId, train: Train) -> tuple[int, int]:
    """The possible prices of another company's train (1848 §8.3.4): face value, or from 1 with one president."""
    face = game.title.trains[train.kind].price
    if president_of(game.company(train.owner)) == president_of(game.company(company)):
        return 1, max(1, game.state.cash[company])
    return face, face


def buy_from_pool(game: Game, action: BuyTrain) -> None:
    """The bank gets the money for a train that another company gave up."""
    train = require(find_train(game, POOL, action.kind), f"there is no {action.kind} train in the pool")
    pay(game, action.by, BANK, action.price, f"{action.kind} train")
    game.state.move_train(train, action.by)
    game.emit(TrainBought(CompanyId(action.by), train.id, train.kind, POOL, action.price))


def buy_from_company(game: Game, action: BuyTrain) -> None:
    train = require(find_train(game, action.source, action.kind), f"{action.source} has no {action.kind} train")
    pay(game, action.by, action.source, action.price, f"{action.kind} train")
    game.state.move_train(train, action.by)
    game.emit(TrainBought(CompanyId(action.by), train.id, train.kind, action.source, action.price))


def train_offer(section: str, raise_money: Callable[[Game, BuyTrain], bool] = lambda game, action: True) -> AnswerOffer:
    """Another company's president agrees to sell a train, or refuses. `raise_money(game, action)` as of `BuyTrains`."""

    def accept(game: Game, offer: BuyTrain) -> None:
        if offer.price <= game.state.cash[offer.by] or raise_money(game, offer):
            buy_from_company(game, offer)

    return AnswerOffer("agree to sell a train", section, BuyTrain, accept)


@dataclass(frozen=True)
class DiscardTrains:
    """Companies above their train limit give up trains of their presidents' choice. An automatic step of the plan comes
    before it: `ask_companies_over_limit` asks all of them, in any order, `ask_first_company_over_limit` one by one.

    `goes_to(game, train)` is where such a train goes: out of the game, or to the pool.
    """

    section: str
    goes_to: Callable[[Game, Train], Owner] = lambda game, train: REMOVED
    name: str = "discard a train"
    verbs: tuple[type[Action], ...] = (DiscardTrain,)

    def opens(self, game: Game) -> bool:
        return bool(game.frame.asked) or game.frame.entity is not None

    def prompt(self, game: Game) -> Message:
        limit = game.title.rules.train_limit
        each = (
            msg("{company} has {trains} and may have {limit}", one, len(counted_trains(game, one)), limit(game, one))
            for one in companies_asked_for_trains(game)
        )
        return msg("discard a train ({companies})", join_values("; ", each))

    def options(self, game: Game) -> Iterator[Action]:
        for company in companies_asked_for_trains(game):
            yield from dict.fromkeys(DiscardTrain(company, train.kind) for train in counted_trains(game, company))

    def check(self, game: Game, action: DiscardTrain) -> None:
        if action.by not in companies_over_limit(game):
            raise IllegalMove("{by} is within its train limit.", self.section, action.by)
        if action.kind not in [train.kind for train in counted_trains(game, action.by)]:
            raise IllegalMove("{by} has no {kind} train to discard.", self.section, action.by, action.kind)

    def apply(self, game: Game, action: DiscardTrain) -> None:
        game.frame.at -= 1
        train = find_train(game, action.by, action.kind)
        if train is not None:
            game.state.move_train(train, self.goes_to(game, train))
            game.emit(TrainDiscarded(CompanyId(action.by), action.kind))


def ask_first_company_over_limit(game: Game) -> None:
    """An automatic step: only the first company in operating order above its train limit is asked."""
    above = companies_over_limit(game)
    game.frame.entity = next((one for one in game.title.rules.operating_order(game) if one in above), None)


def ask_for_excess(game: Game) -> None:
    """An automatic step: companies above their train limit are asked for trains, by the plan named `discard`."""
    if companies_over_limit(game):
        game.push("discard")


def ask_companies_over_limit(game: Game) -> None:
    """An automatic step: only the presidents of companies above their train limit are asked."""
    presidents = dict.fromkeys(game.controller_of(company) for company in companies_over_limit(game))
    game.frame.asked = [president for president in presidents if president is not None]


def companies_asked_for_trains(game: Game) -> list[CompanyId]:
    """All companies with too many trains, or only the company in turn."""
    return companies_over_limit(game) if game.frame.entity is None else [game.company_in_turn]


def companies_over_limit(game: Game) -> list[CompanyId]:
    owned, found = Counter([train.owner for train in game.state.trains]), []
    for company in game.state.companies.values():
        if owned[company.id] and not company.closed:
            limit = game.title.rules.train_limit(game, company.id)
            if owned[company.id] > limit and len(counted_trains(game, company.id)) > limit:
                found.append(company.id)
    return found


def depot_prices(game: Game, company: CompanyId) -> list[int]:
    """The prices of the trains of bank and pool that the company may buy."""
    step = next(step for step in game.title.steps() if isinstance(step, BuyTrains))
    return step.prices(game, company)

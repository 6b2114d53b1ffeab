"""Buying, upgrading and discarding trains (18BF §10.10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine.data.actions import Action, BuyTrain, DiscardTrain, Pass
from bot.engine.data.events import TrainBought, TrainDiscarded
from bot.engine.data.state import Train
from bot.engine.holdings.certificates import president_of
from bot.engine.holdings.money import pay
from bot.engine.holdings.trains import buy_from_depot, for_sale, owned, sides
from bot.engine.ids import BANK, DEPOT, POOL, CompanyId, Owner
from bot.engine.play.game import Game
from bot.engine.play.title import Step, allowed
from bot.engine.refusals import NotAllowed
from bot.engine.said import said
from bot.engine.steps.trains import buy_from_company
from bot.engine.words.narration import a_train

from .box.nouns import TRADE_IN, TRAINS
from .loans import borrow, means
from .rounds import operating_order
from .special import kind_of

RULE = "18BF §10.10"
SYSTEMS_ONLY = "5+5E"


def has_room(game: Game, company: CompanyId) -> bool:
    """Whether the company has fewer trains than its limit."""
    return len(game.state.trains_of(company)) < game.title.rules.train_limit(game, company)


def offered(game: Game, company: CompanyId) -> dict[tuple[Owner, str], int]:
    """What the bank and the pool sell to this company: source and kind to face value."""
    found: dict[tuple[Owner, str], int] = {}
    for card in for_sale(game):
        for kind in sides(game, card.family):
            found[DEPOT, kind.name] = kind.price
    for train in game.state.trains_of(POOL):
        found[POOL, train.kind] = TRAINS[train.kind].price
    return {key: price for key, price in found.items() if may_own(game, company, key[1])}


def may_own(game: Game, company: CompanyId, kind: str) -> bool:
    """Only systems own a 5+5E, one each."""
    if kind != SYSTEMS_ONLY:
        return True
    return kind_of(company) == "system" and owned(game, company, kind) is None


def must_own_train(game: Game, company: CompanyId) -> bool:
    """A company without a train buys one if, with all loans, it can pay the cheapest of bank and pool."""
    if game.state.trains_of(company) or not has_room(game, company):
        return False
    prices = offered(game, company).values()
    return bool(prices) and min(prices) <= means(game, company)


@dataclass(frozen=True)
class BuyTrains:
    """Buy trains from the bank, the pool and other companies; systems also give old ones in exchange.

    `beside` are steps for which a company is asked here even if no train can be had: it is the last point of its turn (§10).
    """

    beside: tuple[Step, ...] = ()
    name: str = "buy trains"
    verbs: tuple[type[Action], ...] = (BuyTrain, Pass)

    def opens(self, game: Game) -> bool:
        """While there is something that the company could buy, trains or else."""
        return any(isinstance(option, BuyTrain) for option in self.options(game)) or any(
            step.opens(game) for step in self.beside
        )

    def options(self, game: Game) -> Iterator[Action]:
        """Passing, trains of bank and pool, exchanges, trains of other companies at a few prices."""
        company = game.company_in_turn
        yield from allowed(self, game, self._candidates(game, company))

    def _candidates(self, game: Game, company: CompanyId) -> Iterator[BuyTrain | Pass]:
        yield Pass(company)
        for (source, kind), price in offered(game, company).items():
            yield BuyTrain(company, kind, price, source)
        if kind_of(company) == "system":
            for card in for_sale(game):
                for side in sides(game, card.family):
                    for old in dict.fromkeys(train.kind for train in game.state.trains_of(company)):
                        yield BuyTrain(company, side.name, side.price - TRADE_IN.get(old, 0), trade_in=old)
        if has_room(game, company) and game.state.cash[company]:
            for train in game.state.trains:
                if train.owner in game.state.companies and train.owner != company:
                    for price in self._usual_prices(game, company, train):
                        yield BuyTrain(company, train.kind, price, source=train.owner)

    def _usual_prices(self, game: Game, company: CompanyId, train: Train) -> list[int]:
        cash = game.state.cash[company]
        return sorted({1, min(cash, TRAINS[train.kind].price), cash})

    # -- checks -------------------------------------------------------------------------------------

    def check(self, game: Game, action: BuyTrain | Pass) -> None:
        """Raise the refusal that stands against the action."""
        company = CompanyId(action.by)
        if isinstance(action, Pass):
            if must_own_train(game, company):
                raise NotAllowed("{company} has no train and must buy one.", RULE, company)
            return
        if action.kind not in TRAINS:
            raise NotAllowed("There is no {kind} train in {name}.", RULE, action.kind, game.title.name)
        if action.using is not None:
            raise NotAllowed("No private makes a train cheaper.", RULE)
        if action.trade_in is not None:
            self._check_exchange(game, company, action)
            return
        if not has_room(game, company):
            limit = game.title.rules.train_limit(game, company)
            raise NotAllowed("{company} is at its limit of {limit} train(s).", RULE, company, limit)
        if not may_own(game, company, action.kind):
            raise NotAllowed("Only systems own 5+5E trains, one each.", RULE)
        if action.source in (DEPOT, POOL):
            self._check_bank(game, company, action)
        else:
            self._check_company(game, company, action)

    def _check_bank(self, game: Game, company: CompanyId, action: BuyTrain) -> None:
        selling = offered(game, company)
        if (action.source, action.kind) not in selling:
            where = said("bank") if action.source == DEPOT else said("pool")
            names = ", ".join(kind for source, kind in selling if source == action.source) or "none"
            raise NotAllowed(
                "The {where} does not sell a {kind} now; it sells: {names}.", RULE, where, action.kind, names
            )
        price = selling[action.source, action.kind]
        if action.price != price:
            raise NotAllowed("A {kind} costs £{price}.", RULE, action.kind, price)
        cash = game.state.cash[company]
        if price <= cash:
            return
        if game.state.trains_of(company):
            raise NotAllowed(
                "That costs £{price} and {company} has £{cash}; only a company without a train takes loans for one.",
                "18BF §10.2",
                price,
                company,
                cash,
            )
        if price > means(game, company):
            raise NotAllowed(
                "{company} has £{company2} with all loans, a {kind} costs £{price}.",
                RULE,
                company,
                means(game, company),
                action.kind,
                price,
            )

    def _check_exchange(self, game: Game, company: CompanyId, action: BuyTrain) -> None:
        old = action.trade_in or ""
        if kind_of(company) != "system":
            raise NotAllowed("Only systems give old trains in exchange.", RULE)
        if owned(game, company, old) is None or old not in TRADE_IN:
            raise NotAllowed("{company} has no {old} train to give in exchange.", RULE, company, old)
        kinds = [side.name for card in for_sale(game) for side in sides(game, card.family)]
        if action.source != DEPOT or action.kind not in kinds:
            raise NotAllowed("The new train comes from the bank, which sells: {kinds}.", RULE, ", ".join(kinds))
        if action.kind == SYSTEMS_ONLY and old != SYSTEMS_ONLY and not may_own(game, company, action.kind):
            raise NotAllowed("{company} has a {SYSTEMS_ONLY} already.", RULE, company, SYSTEMS_ONLY)
        price = TRAINS[action.kind].price - TRADE_IN[old]
        if action.price != price:
            raise NotAllowed("A {kind} for a {old} costs £{price}.", RULE, action.kind, old, price)
        if price > game.state.cash[company]:
            raise NotAllowed(
                "That costs £{price} and {company} has £{cash}.", RULE, price, company, game.state.cash[company]
            )

    def _check_company(self, game: Game, company: CompanyId, action: BuyTrain) -> None:
        if action.source not in game.state.companies or action.source == company:
            raise NotAllowed(
                "Trains are bought from the bank, the pool or another company, not from {source}.", "", action.source
            )
        if owned(game, action.source, action.kind) is None:
            raise NotAllowed("{source} has no {kind} train.", RULE, action.source, action.kind)
        cash = game.state.cash[company]
        if not 1 <= action.price <= cash:
            raise NotAllowed("The price is £1 to £{cash}, what {company} has.", RULE, cash, company)

    # -- deeds --------------------------------------------------------------------------------------

    def apply(self, game: Game, action: BuyTrain | Pass) -> None:
        """Buy, after borrowing or asking the seller where that is needed; a pass ends the step."""
        if isinstance(action, Pass):
            game.passed(action)
            return
        company = CompanyId(action.by)
        if action.source == DEPOT:
            self._buy_new(game, company, action)
        elif action.source == POOL:
            borrow(game, company, action.price, a_train(action.kind))
            train = owned(game, POOL, action.kind)
            if train is not None:
                pay(game, company, BANK, action.price, f"{action.kind} train")
                train.owner = company
                game.happened(TrainBought(company, train.id, train.kind, POOL, action.price))
        else:
            seller = president_of(game.company(action.source))
            if seller is not None and seller != president_of(game.company(company)):
                game.state.offer = action
                game.push("train offer", action.source, asked=[seller])
                return
            buy_from_company(game, action)

    def _buy_new(self, game: Game, company: CompanyId, action: BuyTrain) -> None:
        old = owned(game, company, action.trade_in) if action.trade_in else None
        if old is not None:
            old.owner = POOL
        borrow(game, company, action.price, a_train(action.kind))
        buy_from_depot(game, company, action.kind, action.price, BANK)


# -- above the limit ----------------------------------------------------------------------------------


def first_crowded(game: Game) -> CompanyId | None:
    """The first company in operating order that has more trains than it may."""
    rules = game.title.rules
    return next(
        (
            company
            for company in operating_order(game)
            if len(game.state.trains_of(company)) > rules.train_limit(game, company)
        ),
        None,
    )


def ask_first_crowded(game: Game) -> None:
    """A deed: the first company above its limit is asked."""
    game.frame.entity = first_crowded(game)


@dataclass(frozen=True)
class DiscardTrains:
    """Companies above their limit give trains to the pool, in operating order. In the plan the deed `ask_first_crowded`
    comes before it."""

    name: str = "discard a train"
    verbs: tuple[type[Action], ...] = (DiscardTrain,)

    def opens(self, game: Game) -> bool:
        """While a company is above its limit."""
        return game.frame.entity is not None

    def options(self, game: Game) -> Iterator[Action]:
        """Every kind that the company has."""
        company = game.in_turn
        yield from dict.fromkeys(DiscardTrain(company, train.kind) for train in game.state.trains_of(company))

    def check(self, game: Game, action: DiscardTrain) -> None:
        """Only a train that the company has."""
        if owned(game, action.by, action.kind) is None:
            raise NotAllowed("{by} has no {kind} train to give up.", RULE, action.by, action.kind)

    def apply(self, game: Game, action: DiscardTrain) -> None:
        """The train goes to the pool."""
        game.frame.at -= 1
        train = owned(game, action.by, action.kind)
        if train is not None:
            train.owner = POOL
            game.happened(TrainDiscarded(CompanyId(action.by), action.kind))

"""Trains: their limits, old trains in exchange; privates for companies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import POOL, CompanyId, IllegalMove, Text, TrainSections, same_ref
from bot.engine.play import Game
from bot.engine.play.holdings import has_phase_begun
from bot.engine.play.steps import BuyPrivates, BuyTrains, TradeIns, UsedTrains
from bot.engine.play.steps.trains import printed_discount
from bot.engine.state import Action, BuyPrivate, Pass, Train

from .components import TRAIN_LIMIT
from .family import BORROWING, kind_of
from .interpretations import interpretation_flags


def train_limit(game: Game, company: CompanyId) -> int:
    """By kind of company and phase."""
    return TRAIN_LIMIT[kind_of(game, company)][game.state.phase]


def discount(game: Game, company: CompanyId, given: Train, kind: str) -> int:
    """The discount printed on the new train's card; nothing is paid back.

    :raises IllegalMove: there is none, or it is more than the train costs.
    """
    found = printed_discount(game, company, given, kind)
    if found > game.title.trains[kind].price:
        sentence = "A {old} train is worth more than a {new} train costs."
        raise IllegalMove(sentence, game.title.id, given.kind, kind)
    return found


def check_trade(game: Game, buyer: CompanyId, seller: CompanyId) -> None:
    if kind_of(game, seller) == "national":
        raise IllegalMove("{company} sells no trains.", game.title.id, seller)


def check_buy_private(game: Game, company: CompanyId) -> None:
    if not has_phase_begun(game, "3") or has_phase_begun(game, "6"):
        raise IllegalMove("Companies buy privates in phases 3 to 5.", game.title.id)


def build_private_purchases(section: str) -> BuyPrivates:
    return BuyPrivates(check_buy_private, section, from_anyone=lambda game: True)


def build_train_purchases(section: str, privates: BuyPrivates) -> BuyTrains:
    """The last point of a company's turn: it is asked even while it can still buy privates."""
    return BuyTrains(
        section=same_ref(TrainSections, section),
        used=UsedTrains(
            may_trade=check_trade,
            needs_consent=lambda game: not interpretation_flags(game).trades_without_consent,
            prices=lambda game, company, train: (1, game.state.cash[company]),
        ),
        money=BORROWING.money_for_trains(section),
        stays_open=privates.opens,
        skips_idle=True,
        trades=TradeIns(discount=discount, goes_to=POOL),
    )


@dataclass(frozen=True)
class BeforeInterest:
    """A company with loans may still buy privates before it pays interest and repays loans."""

    privates: BuyPrivates
    name: str = "pay interest and repay loans"
    verbs: tuple[type[Action], ...] = (BuyPrivate, Pass)

    def prompt(self, game: Game) -> Text:
        return "buy a private before interest and loans are paid, or pass"

    def opens(self, game: Game) -> bool:
        return bool(game.company(game.company_in_turn).loans) and self.privates.opens(game)

    def options(self, game: Game) -> Iterator[Action]:
        yield Pass(game.company_in_turn)
        yield from self.privates.options(game)

    def check(self, game: Game, action: BuyPrivate | Pass) -> None:
        if isinstance(action, BuyPrivate):
            self.privates.check(game, action)

    def apply(self, game: Game, action: BuyPrivate | Pass) -> None:
        if isinstance(action, BuyPrivate):
            self.privates.apply(game, action)
        else:
            game.record_pass(action)

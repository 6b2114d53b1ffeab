"""Maintenance, loan interest, loans taken and repaid in a turn (1820 §7.2.5, §7.2.8, §7.2.9, §17)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.engine.ids import BANK, CompanyId
from bot.engine.message import Text, said
from bot.engine.play.game import Game
from bot.engine.play.holdings.money import check_cash, pay
from bot.engine.play.steps.dividends import operating_turn
from bot.engine.play.title import allowed, has_options
from bot.engine.refusals import IllegalMove
from bot.engine.state.actions import Action, SellShares, TakeLoan
from bot.engine.state.state import TurnMemory
from bot.titles.t1820 import companies
from bot.titles.t1820.actions import Neglect, PayCosts, Repay
from bot.titles.t1820.components import LOAN
from bot.titles.t1820.stock.shares import sell

from .trains import check_director_sale, close_private, cover, sales_of


@dataclass(frozen=True)
class SettleCosts:
    """Pay what is due, with the director's help where the treasury is short, or not at all.

    `due(game, company)` is the sum. The director may sell shares first, as long as he keeps the company.
    """

    due: Callable[[Game, CompanyId], int]
    what: str
    section: str
    name: str
    verbs: tuple[type[Action], ...] = (PayCosts, Neglect, SellShares)

    def opens(self, game: Game) -> bool:
        """While something is due and nothing has been decided."""
        company = game.company_in_turn
        return self.what not in operating_turn(game).used and self.due(game, company) > 0

    def asks(self, game: Game) -> Text:
        """How much is due, and what there is."""
        company = game.company_in_turn
        what = (self.due(game, company), said(self.what), companies.cash_of(game, company))
        return said("cover £{due} {what} (there are £{cash}), or neglect it", *what)

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company_in_turn
        candidates: list[PayCosts | Neglect | SellShares] = [PayCosts(company), Neglect(company)]
        yield from allowed(self, game, (*candidates, *sales_of(game, company)))

    def check(self, game: Game, action: PayCosts | Neglect | SellShares) -> None:
        """Raise the refusal: who cannot pay must sell or neglect; who need not sell does not."""
        company = game.company_in_turn
        amount = self.due(game, company)
        own, help_from = companies.cash_of(game, company), companies.help_of(game, company)
        if isinstance(action, SellShares):
            if own + help_from >= amount:
                raise IllegalMove(
                    "£{amount} {what} can be paid without selling shares.", self.section, amount, said(self.what)
                )
            check_director_sale(game, company, action)
        elif isinstance(action, PayCosts) and own + help_from < amount:
            sentence = "£{amount} {what} is due; {company} has £{own} and its director £{help_from}."
            raise IllegalMove(sentence, self.section, amount, said(self.what), company, own, help_from)

    def apply(self, game: Game, action: PayCosts | Neglect | SellShares) -> None:
        """A shortfall covered by the director costs a space; neglect ends in liquidation, or in closing."""
        company = game.company_in_turn
        if isinstance(action, SellShares):
            sell(game, action.by, action.company, action.shares)
            return
        operating_turn(game).used.append(self.what)
        amount = self.due(game, company)
        if isinstance(action, Neglect):
            neglect(game, company, self.what, amount)
            return
        helped = cover(game, company, amount)
        pay(game, companies.purse(game, company), BANK, amount, self.what)
        told = (company, amount, said(self.what))
        if helped:
            game.tell("{company} pays £{amount} {what}, £{helped} of it its director's.", *told, helped)
            companies.move_price(game, company, -1)
        else:
            game.tell("{company} pays £{amount} {what}.", *told)


def neglect(game: Game, company: CompanyId, what: str, amount: int) -> None:
    """A public company goes into liquidation, a private one closes (§7.2.5, §15.1)."""
    if not amount:
        return
    operating_turn(game).used.append(f"{what} neglected")
    record, why = game.company(company), said("it did not pay £{amount} {what}", amount, said(what))
    if companies.is_private(record):
        close_private(game, company, why)
        game.frame.at = len(game.plan.steps)
    elif companies.in_liquidation(record):
        game.tell("{company} does not pay £{amount} {what}.", company, amount, said(what))
    else:
        companies.put_into_liquidation(game, company, why)


MAINTENANCE = SettleCosts(companies.maintenance, "maintenance", "1820 §7.2.5", "pay maintenance or neglect it")
INTEREST = SettleCosts(companies.interest, "interest", "1820 §7.2.8", "pay interest or neglect it")


@dataclass(frozen=True)
class TakeLoans:
    """A public company takes loans at any time of its turn, or where an expense asks for it (§17.1)."""

    name: str = "take a loan"
    verbs: tuple[type[Action], ...] = (TakeLoan,)

    opens = has_options

    def options(self, game: Game) -> Iterator[Action]:
        yield from allowed(self, game, [TakeLoan(game.company_in_turn)])

    def check(self, game: Game, action: TakeLoan) -> None:
        """Raise the refusal against the loan, also against one that would escape this round's interest."""
        if action.by != game.frame.entity:
            raise IllegalMove("It is {entity}'s turn.", "1820 §17.1", game.in_turn)
        turn = game.frame.memory
        if isinstance(turn, TurnMemory) and INTEREST.what in turn.used:
            raise IllegalMove(
                "This round's interest is already paid, and every loan pays interest in its first round.", "1820 §17.1"
            )
        companies.check_loan(game, CompanyId(action.by))

    def apply(self, game: Game, action: TakeLoan) -> None:
        """£200, and a space down."""
        companies.take_loans(game, CompanyId(action.by))


@dataclass(frozen=True)
class RepayLoans:
    """At the end of a turn, interest having been paid, repay loans at £200 (§7.2.9).

    With `saves` it lifts out of liquidation also who came there in this turn, for maintenance or the want of a train.
    """

    saves: bool = False
    name: str = "repay loans"
    verbs: tuple[type[Action], ...] = (Repay,)

    opens = has_options

    def options(self, game: Game) -> Iterator[Action]:
        """Every number of loans that can be paid."""
        company = game.company(game.company_in_turn)
        yield from allowed(self, game, [Repay(company.id, number) for number in range(1, company.loans + 1)])

    def check(self, game: Game, action: Repay) -> None:
        company = game.company(action.by)
        if not 1 <= action.loans <= company.loans:
            raise IllegalMove("{company} has {loans} loan(s).", "1820 §7.2.9", company.id, company.loans)
        used = operating_turn(game).used
        if "interest neglected" in used:
            raise IllegalMove("Interest is paid before loans are repaid.", "1820 §7.2.9")
        is_lost = "maintenance neglected" in used or not game.state.trains_of(company.id)
        if is_lost and not self.saves:
            raise IllegalMove(
                "{company} is liquidated this round; its loans are repaid then.", "1820 §15.1", company.id
            )
        check_cash(game, company.id, action.loans * LOAN, "1820 §7.2.9", companies.cash_of(game, company.id))

    def apply(self, game: Game, action: Repay) -> None:
        """Repay; the price rises a space a loan."""
        companies.repay_loans(game, CompanyId(action.by), action.loans, action.by)

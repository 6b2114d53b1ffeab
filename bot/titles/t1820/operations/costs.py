"""Maintenance, loan interest, loans taken and repaid in a turn (1820 §7.2.5, §7.2.8, §7.2.9, §17)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.engine import BANK, CompanyId, IllegalMove, Text, msg
from bot.engine.play import Game, filter_allowed, has_options
from bot.engine.play.holdings import check_cash, pay
from bot.engine.play.steps import operating_turn
from bot.engine.state import Action, SellShares, TakeLoan, TurnMemory
from bot.titles.t1820 import companies
from bot.titles.t1820.actions import Neglect, PayCosts, Repay
from bot.titles.t1820.components import LOAN
from bot.titles.t1820.stock.shares import sell

from .trains import check_director_sale, close_private, cover_shortfall, sales_of


@dataclass(frozen=True)
class SettleCosts:
    """Pay the amount due, with the director's help if the treasury is short, or not at all.

    `due(game, company)` is the sum. The director may sell shares first, as long as they keep the company.
    """

    due: Callable[[Game, CompanyId], int]
    what: str
    section: str
    name: str
    verbs: tuple[type[Action], ...] = (PayCosts, Neglect, SellShares)

    def opens(self, game: Game) -> bool:
        company = game.company_in_turn
        return self.what not in operating_turn(game).used and self.due(game, company) > 0

    def prompt(self, game: Game) -> Text:
        company = game.company_in_turn
        what = (self.due(game, company), msg(self.what), companies.cash_of(game, company))
        return msg("cover £{due} {what} (there is £{cash}), or neglect it", *what)

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company_in_turn
        candidates: list[PayCosts | Neglect | SellShares] = [PayCosts(company), Neglect(company)]
        yield from filter_allowed(self, game, (*candidates, *sales_of(game, company)))

    def check(self, game: Game, action: PayCosts | Neglect | SellShares) -> None:
        """A company that cannot pay must sell or neglect; sales that are not needed are refused."""
        company = game.company_in_turn
        amount = self.due(game, company)
        own, help_from = companies.cash_of(game, company), companies.director_cash(game, company)
        if isinstance(action, SellShares):
            if own + help_from >= amount:
                raise IllegalMove(
                    "£{amount} {what} can be paid without selling shares.", self.section, amount, msg(self.what)
                )
            check_director_sale(game, company, action)
        elif isinstance(action, PayCosts) and own + help_from < amount:
            sentence = "£{amount} {what} is due; {company} has £{own} and its director £{help_from}."
            raise IllegalMove(sentence, self.section, amount, msg(self.what), company, own, help_from)

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
        helped = cover_shortfall(game, company, amount)
        pay(game, companies.treasury_owner(game, company), BANK, amount, self.what)
        told = (company, amount, msg(self.what))
        if helped:
            game.log("{company} pays £{amount} {what}, £{helped} of it from its director.", *told, helped)
            companies.move_price(game, company, -1)
        else:
            game.log("{company} pays £{amount} {what}.", *told)


def neglect(game: Game, company: CompanyId, what: str, amount: int) -> None:
    """A public company goes into liquidation, a private one closes (§7.2.5, §15.1)."""
    if not amount:
        return
    operating_turn(game).used.append(f"{what} neglected")
    record, why = game.company(company), msg("it did not pay £{amount} {what}", amount, msg(what))
    if companies.is_private(record):
        close_private(game, company, why)
        game.frame.at = len(game.procedure.steps)
    elif companies.is_in_liquidation(record):
        game.log("{company} does not pay £{amount} {what}.", company, amount, msg(what))
    else:
        companies.put_into_liquidation(game, company, why)


MAINTENANCE = SettleCosts(companies.maintenance, "maintenance", "1820 §7.2.5", "pay maintenance or neglect it")
INTEREST = SettleCosts(companies.interest, "interest", "1820 §7.2.8", "pay interest or neglect it")


@dataclass(frozen=True)
class TakeLoans:
    """Take loans for a public company at any time of its turn, or when an expense needs it (§17.1)."""

    name: str = "take a loan"
    verbs: tuple[type[Action], ...] = (TakeLoan,)

    opens = has_options

    def options(self, game: Game) -> Iterator[Action]:
        yield from filter_allowed(self, game, [TakeLoan(game.company_in_turn)])

    def check(self, game: Game, action: TakeLoan) -> None:
        """Also refuse a loan that would escape this round's interest."""
        if action.by != game.frame.entity:
            raise IllegalMove("It is {entity}'s turn.", "1820 §17.1", game.actor_in_turn)
        turn = game.frame.memory
        if isinstance(turn, TurnMemory) and INTEREST.what in turn.used:
            raise IllegalMove(
                "This round's interest is already paid, and every loan pays interest in its first round.", "1820 §17.1"
            )
        companies.check_loan(game, CompanyId(action.by))

    def apply(self, game: Game, action: TakeLoan) -> None:
        companies.take_loans(game, CompanyId(action.by))


@dataclass(frozen=True)
class RepayLoans:
    """At the end of a turn, after interest, repay loans at £200 (§7.2.9).

    With `saves` this also lifts a company out of liquidation that entered it in this turn, for maintenance or lack
    of a train.
    """

    saves: bool = False
    name: str = "repay loans"
    verbs: tuple[type[Action], ...] = (Repay,)

    opens = has_options

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company(game.company_in_turn)
        yield from filter_allowed(self, game, [Repay(company.id, number) for number in range(1, company.loans + 1)])

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
        companies.repay_loans(game, CompanyId(action.by), action.loans, action.by)

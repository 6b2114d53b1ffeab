"""What players owe the bank: for trains, with interest, and for the exchange into the SBB, without (1844 §XII, §XVII).

The purses are never below nothing: what is lacking is lent by the bank and recorded beside them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine.ids import BANK, CompanyId, Owner, PlayerId, is_player
from bot.engine.play.game import Game
from bot.engine.play.holdings.money import pay
from bot.engine.play.steps.stock import turn_of
from bot.engine.refusals import IllegalMove
from bot.engine.state.actions import Action
from bot.engine.state.events import Paid

from .actions import PayDebt
from .components import INTEREST
from .interpretations import readings
from .state import special

SECTION = "1844 §XVII"


def owed(game: Game, player: PlayerId) -> int:
    """All that the player owes."""
    return special(game).debts.get(player, 0) + special(game).dues.get(player, 0)


def interest_on(amount: int) -> int:
    """Half of it, rounded up."""
    return -(-amount * INTEREST // 100)


def borrow_for_train(game: Game, player: PlayerId, company: CompanyId, amount: int) -> None:
    """The bank gives the company what its director lacks; he owes it, and half of it as interest at once."""
    record, interest = special(game), interest_on(amount)
    record.debts[player] = record.debts.get(player, 0) + amount + interest
    record.lent += amount
    record.interest += interest
    template = "{player} owes the bank {amount} more, {interest} of it interest."
    money = game.title.money
    game.tell(template, player, money(amount + interest), money(interest))
    pay(game, BANK, company, amount, f"loan to {player}")


def borrow_for_exchange(game: Game, player: PlayerId, amount: int) -> None:
    """What a player lacks in the exchange into the SBB; under the reading of 18xx.games it is a debt like others."""
    record = special(game)
    purse = record.debts if readings(game).exchange_bears_interest else record.dues
    purse[player] = purse.get(player, 0) + amount
    record.lent += amount
    game.tell("{player} owes the bank {amount} more.", player, game.title.money(amount))


def add_interest(game: Game) -> None:
    """At the end of a share round half of each remaining debt is added to it; dues bear no interest."""
    record = special(game)
    for player, amount in record.debts.items():
        interest = interest_on(amount)
        record.debts[player] = amount + interest
        record.interest += interest
        game.tell("{player}'s debt grows by {amount} of interest.", player, game.title.money(interest))


def pay_back(game: Game, player: PlayerId, purse: dict[PlayerId, int]) -> None:
    """As much of what the player owes there as he has money."""
    amount = min(purse.get(player, 0), game.state.cash[player])
    if not amount:
        return
    purse[player] -= amount
    if not purse[player]:
        del purse[player]
    special(game).repaid += amount
    pay(game, player, BANK, amount, "repayment")
    game.tell("{player} pays {amount} back.", player, game.title.money(amount))


def collect_dues(game: Game, payment: Paid) -> None:
    """A reaction: whatever a player with dues receives goes to the bank at once (§XII)."""
    if is_player(payment.payee):
        pay_back(game, PlayerId(payment.payee), special(game).dues)


def may_buy(game: Game, player: Owner) -> None:
    """Refuse a purchase to whoever owes money (§XVII)."""
    debt = owed(game, PlayerId(player))
    if debt:
        owed_now = game.title.money(debt)
        raise IllegalMove("You owe the bank {debt} and cannot buy before it is paid.", SECTION, owed_now)


def is_due(game: Game) -> bool:
    """On 18xx.games a debtor who has started a company pays back at once, before the next player's turn."""
    return readings(game).starters_repay_at_once and bool(turn_of(game).bought)


@dataclass(frozen=True)
class RepayDebt:
    """In his turn of a share round a player pays back what he has; before all is paid he buys nothing.

    With `is_due` he does so when nothing else is left to him in this turn.
    """

    name: str = "pay back a debt"
    verbs: tuple[type[Action], ...] = (PayDebt,)
    is_due: bool = False

    def opens(self, game: Game) -> bool:
        """When the player owes something and has money."""
        return (not self.is_due or is_due(game)) and any(True for _ in self.options(game))

    def options(self, game: Game) -> Iterator[Action]:
        player = game.player_in_turn
        if owed(game, player) and game.state.cash[player]:
            yield PayDebt(player)

    def check(self, game: Game, action: PayDebt) -> None:
        """Only who owes something and has money."""
        player = PlayerId(action.by)
        if not owed(game, player):
            raise IllegalMove("You owe the bank nothing.", SECTION)
        if not game.state.cash[player]:
            raise IllegalMove("You have no money.", SECTION)

    def apply(self, game: Game, action: PayDebt) -> None:
        """Dues are paid before debts."""
        for purse in (special(game).dues, special(game).debts):
            pay_back(game, PlayerId(action.by), purse)


def audit_debts(game: Game) -> Iterator[str]:
    """What is owed is what was lent and added as interest, less what was paid back."""
    record = special(game)
    found = sum(record.debts.values()) + sum(record.dues.values())
    expected = record.lent + record.interest - record.repaid
    if found != expected:
        yield f"players owe {found}, not {expected}"
    for player, amount in [*record.debts.items(), *record.dues.items()]:
        if amount <= 0:
            yield f"{player} owes {amount}"
    for player in record.dues:
        if game.state.cash[player]:
            yield f"{player} has money and has not paid for the exchange into the SBB"

"""The debts of players to the bank: for trains, with interest, and for the exchange into the SBB, without (1844 §XII,
§XVII).

The purses are never below nothing: what is lacking is lent by the bank and recorded beside them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.engine import BANK, CompanyId, IllegalMove, Owner, PlayerId, is_player
from bot.engine.play import Game
from bot.engine.play.holdings import pay
from bot.engine.play.steps import current_stock_turn
from bot.engine.state import Action, Paid

from .actions import PayDebt
from .components import INTEREST
from .interpretations import interpretation_flags
from .state import title_state

SECTION = "1844 §XVII"


def total_debt(game: Game, player: PlayerId) -> int:
    return title_state(game).debts.get(player, 0) + title_state(game).dues.get(player, 0)


def interest_on(amount: int) -> int:
    """Half of it, rounded up."""
    return -(-amount * INTEREST // 100)


def borrow_for_train(game: Game, player: PlayerId, company: CompanyId, amount: int) -> None:
    """The bank pays the company what its director lacks; the director owes it, and immediately half of it as
    interest.
    """
    record, interest = title_state(game), interest_on(amount)
    record.debts[player] = record.debts.get(player, 0) + amount + interest
    record.lent += amount
    record.interest += interest
    template = "{player} owes the bank {amount} more, {interest} of it interest."
    money = game.title.money
    game.log(template, player, money(amount + interest), money(interest))
    pay(game, BANK, company, amount, f"loan to {player}")


def borrow_for_exchange(game: Game, player: PlayerId, amount: int) -> None:
    """Record what a player lacks in the exchange into the SBB; under the 18xx.games reading a debt like any other."""
    record = title_state(game)
    purse = record.debts if interpretation_flags(game).exchange_bears_interest else record.dues
    purse[player] = purse.get(player, 0) + amount
    record.lent += amount
    game.log("{player} owes the bank {amount} more.", player, game.title.money(amount))


def add_interest(game: Game) -> None:
    """Half of each remaining debt is added at the end of a share round; dues bear no interest."""
    record = title_state(game)
    for player, amount in record.debts.items():
        interest = interest_on(amount)
        record.debts[player] = amount + interest
        record.interest += interest
        game.log("{player}'s debt grows by {amount} of interest.", player, game.title.money(interest))


def pay_back(game: Game, player: PlayerId, purse: dict[PlayerId, int]) -> None:
    """Repay as much of the player's debt in `purse` as the player has money."""
    amount = min(purse.get(player, 0), game.state.cash[player])
    if not amount:
        return
    purse[player] -= amount
    if not purse[player]:
        del purse[player]
    title_state(game).repaid += amount
    pay(game, player, BANK, amount, "repayment")
    game.log("{player} pays {amount} back.", player, game.title.money(amount))


def collect_dues(game: Game, payment: Paid) -> None:
    """A reaction: all money received by a player with dues goes to the bank immediately (§XII)."""
    if is_player(payment.payee):
        pay_back(game, PlayerId(payment.payee), title_state(game).dues)


def check_buy(game: Game, player: Owner) -> None:
    """Refuse a purchase by a player in debt (§XVII)."""
    debt = total_debt(game, PlayerId(player))
    if debt:
        owed_now = game.title.money(debt)
        raise IllegalMove("You owe the bank {debt} and cannot buy before it is paid.", SECTION, owed_now)


def is_due(game: Game) -> bool:
    """On 18xx.games a debtor who has started a company repays immediately, before the next player's turn."""
    return interpretation_flags(game).starters_repay_at_once and bool(current_stock_turn(game).bought)


@dataclass(frozen=True)
class RepayDebt:
    """In a share round turn a player repays as much as possible, and buys nothing before all is paid.

    With `is_due` only when the player has no other move in this turn.
    """

    name: str = "pay back a debt"
    verbs: tuple[type[Action], ...] = (PayDebt,)
    is_due: bool = False

    def opens(self, game: Game) -> bool:
        return (not self.is_due or is_due(game)) and any(True for _ in self.options(game))

    def options(self, game: Game) -> Iterator[Action]:
        player = game.player_in_turn
        if total_debt(game, player) and game.state.cash[player]:
            yield PayDebt(player)

    def check(self, game: Game, action: PayDebt) -> None:
        player = PlayerId(action.by)
        if not total_debt(game, player):
            raise IllegalMove("You owe the bank nothing.", SECTION)
        if not game.state.cash[player]:
            raise IllegalMove("You have no money.", SECTION)

    def apply(self, game: Game, action: PayDebt) -> None:
        """Dues are paid before debts."""
        for purse in (title_state(game).dues, title_state(game).debts):
            pay_back(game, PlayerId(action.by), purse)


def audit_debts(game: Game) -> Iterator[str]:
    """Debts are what was lent and added as interest, less what was paid back."""
    record = title_state(game)
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

"""Money moves through one function; the total of money in the game never changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.engine import BANK, IllegalMove, Owner, is_player
from bot.engine.state import Paid

if TYPE_CHECKING:
    from bot.engine.play import Game


def set_up_cash(game: Game, bank: int, each: int) -> None:
    """Give `each` to every player; the rest of `bank` stays with the bank."""
    cash = game.state.cash
    cash[BANK] = bank - each * len(game.state.players)
    cash.update(dict.fromkeys(game.state.order, each))


def pay(game: Game, payer: Owner, payee: Owner, amount: int, why: str) -> None:
    """Move `amount` from `payer` to `payee`, record it, and let the title react.

    Nothing is checked here: steps refuse what cannot be afforded before they pay.

    :raises ValueError: the amount is negative, or an owner has no purse.
    """
    if amount < 0:
        raise ValueError(f"negative payment of {amount} from {payer} to {payee} for {why}")
    if amount == 0 or payer == payee:
        return
    cash = game.state.cash
    if payer not in cash or payee not in cash:
        raise ValueError(f"no purse: {payer} or {payee}")
    cash[payer] -= amount
    cash[payee] += amount
    game.emit(Paid(payer, payee, amount, why))


def check_cash(game: Game, owner: Owner, cost: int, section: str, means: int | None = None) -> None:
    """Refuse what costs more than the owner has, or has by all `means`."""
    has = game.state.cash[owner] if means is None else means
    if cost > has:
        price, money = game.title.money(cost), game.title.money(has)
        if is_player(owner):
            raise IllegalMove("That costs {price} and you have {money}.", section, price, money)
        raise IllegalMove("That costs {price} and {owner} has {money}.", section, price, owner, money)


def audit(game: Game) -> list[str]:
    """The broken invariants of money and certificates, in words; empty when all is well.

    Only the bank may owe (it has broken then).
    """
    state = game.state
    broken = []
    found = sum(state.cash.values())
    if found != state.money:
        broken.append(f"money in the game is {found}, not {state.money}")
    broken += [f"{owner} has {amount}" for owner, amount in state.cash.items() if amount < 0 and owner != BANK]
    for company in state.companies.values():
        percent = sum([certificate.percent for certificate in company.certificates])
        if percent != 100 and not company.closed:
            broken.append(f"{company.id}'s certificates are worth {percent} percent")
    return broken

"""Systems: price, exchange of shares, trading up and down, tokens (18BF §12.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...events import PresidentChanged
from ...ids import BANK, POOL, CompanyId, Owner, PlayerId, is_player
from ...market import price_of
from ...money import pay
from .closing import column_at
from .forming import absorb, begin_forming, deal, first_director, shares_of, spare_tokens, start_at, undo
from .happenings import SharesTraded
from .loans import borrow
from .nouns import FEW_TOKENS, MANY_TOKENS
from .proposals import FormSystem, key_of
from .special import Forming

if TYPE_CHECKING:
    from ...game import Game

SHARES = 20
STEPS_BACK = 3
"""§12.6 b: three companies' price moves three spaces to the left."""


def tokens_for(members: int) -> int:
    """One or two public companies make a system of 8 tokens, three or four one of 12."""
    return FEW_TOKENS if members < 3 else MANY_TOKENS


def first_column(prices: Sequence[int]) -> int:
    """Where the system's marker starts: the same, the average, the sum moved back, the sum; the next lower price."""
    if len(prices) < 3:
        return column_at(sum(prices) // len(prices))
    column = column_at(min(prices) + max(prices))
    return column - STEPS_BACK if len(prices) == 3 else column


def exchanged(shares: int, members: int) -> tuple[int, int]:
    """Shares of the system for shares of its members, and how many of the old are left over: 1:1, 3:2, 2:1."""
    if members < 3:
        return shares, 0
    if members == 3:
        return shares // 3 * 2, shares % 3
    return shares // 2, shares % 2


def worth_of(left: int, members: int) -> tuple[int, int]:
    """What the shares left over are worth in shares of the system, as a fraction."""
    return (2 * left, 3) if members == 3 else (left, 2)


def rounded(numerator: int, denominator: int) -> int:
    """Fractions are rounded normally."""
    return (2 * numerator + denominator) // (2 * denominator)


def form_system(
    game: Game, proposal: FormSystem, members: list[CompanyId], directors: Sequence[PlayerId], before: str
) -> None:
    """Public companies become a system; undone if nobody gets four shares."""
    company_id = proposal.company
    record = game.company(company_id)
    column = first_column([price_of(game, member) for member in members])
    old: dict[Owner, int] = {}
    for member in members:
        for owner, number in shares_of(game, member).items():
            old[owner] = old.get(owner, 0) + number
    new = {owner: exchanged(number, len(members))[0] for owner, number in old.items()}
    order = [*directors, *(player for player in game.state.order if player not in directors)]
    director = first_director(new, order)
    for member in members:
        absorb(game, member, company_id)
    record.tokens_left = spare_tokens(0, tokens_for(len(members)))
    start_at(game, company_id, column, members)
    for member in members:
        game.company(member).floated = False
        deal(game, member, {}, director)
    trade_up(game, company_id, old, new, director, len(members))
    director = first_director(new, [director, *order])
    deal(game, company_id, {owner: number for owner, number in new.items() if number}, director)
    begin_forming(
        game, Forming(company_id, members, director, key_of(proposal), dropped=proposal.dropped, before=before)
    )
    if new.get(director, 0) < 4:
        undo(game, 4)
        return
    game.happened(PresidentChanged(company_id, director))


def trade_up(
    game: Game, company_id: CompanyId, old: dict[Owner, int], new: dict[Owner, int], director: PlayerId, members: int
) -> None:
    """What is left over is traded up if money and shares allow, else down: from the director to the left, the pool last."""
    seat = game.state.order.index(director)
    owners: list[Owner] = [*game.state.order[seat:], *game.state.order[:seat], POOL]
    for owner in owners:
        left = exchanged(old.get(owner, 0), members)[1]
        if left:
            _trade(game, company_id, owner, new, worth_of(left, members))


def _trade(game: Game, company_id: CompanyId, owner: Owner, new: dict[Owner, int], worth: tuple[int, int]) -> None:
    """Pay up to the next whole share, or take the last whole share that there is and be paid the rest."""
    numerator, denominator = worth
    price = price_of(game, company_id)
    free = SHARES - sum(new.values())
    more = -(-numerator // denominator)
    cost = rounded(price * (more * denominator - numerator), denominator)
    purse = owner if is_player(owner) else BANK
    if more <= free and (purse == BANK or cost <= game.state.cash[purse]):
        pay(game, purse, company_id, cost, "trading up")
        new[owner] = new.get(owner, 0) + more
        game.happened(SharesTraded(owner, company_id, more, -cost))
        return
    fewer = min(numerator // denominator, free)
    gain = rounded(price * (numerator - fewer * denominator), denominator)
    borrow(game, company_id, gain, "trading down")
    pay(game, company_id, purse, gain, "trading down")
    new[owner] = new.get(owner, 0) + fewer
    game.happened(SharesTraded(owner, company_id, fewer, gain))

"""Systems: price, exchange of shares, trading up and down, tokens (18BF §12.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.engine import BANK, POOL, CompanyId, Owner, PlayerId, is_player
from bot.engine.play import Game
from bot.engine.play.holdings import pay, president_of, price_of
from bot.engine.play.steps import absorb, begin_formed
from bot.engine.state import PresidentChanged
from bot.titles.t18bf.company_closure import column_at
from bot.titles.t18bf.components import FEW_TOKENS, MANY_TOKENS, MARKET
from bot.titles.t18bf.events import SharesTraded
from bot.titles.t18bf.loans import borrow
from bot.titles.t18bf.state import Forming, title_state

from .company_formation import (
    begin_forming,
    distribute_certificates,
    first_director,
    log_undone,
    shares_of,
    spare_tokens,
)
from .proposals import FormSystem, key_of

SHARES = 20
NEEDED = 4
"""At least one player must own this many of the system's 20 shares (§12.6)."""

STEPS_BACK = 3
"""§12.6 b: three companies' price moves three spaces to the left."""


def tokens_for(members: int) -> int:
    """8 for a system of one or two public companies, 12 for three or four."""
    return FEW_TOKENS if members < 3 else MANY_TOKENS


def first_column(prices: Sequence[int]) -> int:
    """The system's starting column: the same price, the average, the sum moved back, the sum; the next lower price."""
    if len(prices) < 3:
        return column_at(sum(prices) // len(prices))
    column = column_at(min(prices) + max(prices))
    return column - STEPS_BACK if len(prices) == 3 else column


def exchange_rate(shares: int, members: int) -> tuple[int, int]:
    """Shares of the system for shares of its members, and the number of old shares left over: 1:1, 3:2, 2:1."""
    if members < 3:
        return shares, 0
    if members == 3:
        return shares // 3 * 2, shares % 3
    return shares // 2, shares % 2


def worth_of(left: int, members: int) -> tuple[int, int]:
    """The value of the leftover shares in shares of the system, as a fraction."""
    return (2 * left, 3) if members == 3 else (left, 2)


def round_fraction(numerator: int, denominator: int) -> int:
    """Round half up."""
    return (2 * numerator + denominator) // (2 * denominator)


@dataclass(frozen=True)
class Trade:
    """An owner's trade of leftovers: `shares` they get, `money` they are paid (negative: pay)."""

    owner: Owner
    shares: int
    money: int


@dataclass(frozen=True)
class ShareExchange:
    """The exchange of the members' shares: the system's column on the market, the final holdings, the trades."""

    column: int
    director: PlayerId
    shares: Mapping[Owner, int]
    trades: tuple[Trade, ...]

    @property
    def has_director(self) -> bool:
        return self.shares.get(self.director, 0) >= NEEDED


def exchange(game: Game, members: Sequence[CompanyId]) -> ShareExchange:
    """The exchange of these public companies' shares, named in operating order. Nothing is changed."""
    column = first_column([price_of(game, member) for member in members])
    old: Counter[Owner] = Counter()
    for member in members:
        old.update(shares_of(game, member))
    shares: Counter[Owner] = Counter({owner: exchange_rate(number, len(members))[0] for owner, number in old.items()})
    directors = [player for member in members if (player := president_of(game.company(member))) is not None]
    order = list(dict.fromkeys((*directors, *game.state.order)))
    director = first_director(shares, order)
    seat = game.state.order.index(director)
    trades = []
    for owner in (*game.state.order[seat:], *game.state.order[:seat], POOL):
        left = exchange_rate(old[owner], len(members))[1]
        if left:
            trade = _trade(
                game, owner, SHARES - shares.total(), MARKET.price((0, column)), worth_of(left, len(members))
            )
            shares[owner] += trade.shares
            trades.append(trade)
    return ShareExchange(column, first_director(shares, [director, *order]), shares, tuple(trades))


def _trade(game: Game, owner: Owner, free: int, price: int, worth: tuple[int, int]) -> Trade:
    """Pay up to the next whole share if money and shares allow, or take the last whole share left and be paid the
    rest.
    """
    numerator, denominator = worth
    more = -(-numerator // denominator)
    cost = round_fraction(price * (more * denominator - numerator), denominator)
    if more <= free and (not is_player(owner) or cost <= game.state.cash[owner]):
        return Trade(owner, more, -cost)
    fewer = min(numerator // denominator, free)
    return Trade(owner, fewer, round_fraction(price * (numerator - fewer * denominator), denominator))


def form_system(game: Game, proposal: FormSystem, members: list[CompanyId]) -> None:
    """Public companies become a system: assets, shares, trades from the director to the left, the pool last; then
    stations. Not if no player would get four shares any more.
    """
    company_id, found = proposal.company, exchange(game, members)
    if not found.has_director:
        title_state(game).refused.append(key_of(proposal))
        log_undone(game, company_id, NEEDED)
        return
    for member in members:
        absorb(game, member, company_id)
    game.company(company_id).tokens_left = spare_tokens(0, tokens_for(len(members)))
    begin_formed(game, company_id, (0, found.column), members)
    for member in members:
        distribute_certificates(game, member, {}, found.director)
    for trade in found.trades:
        _settle(game, company_id, trade)
    distribute_certificates(
        game, company_id, {owner: number for owner, number in found.shares.items() if number}, found.director
    )
    game.emit(PresidentChanged(company_id, found.director))
    begin_forming(
        game,
        Forming(
            company=company_id,
            members=members,
            director=found.director,
            key=key_of(proposal),
            dropped=proposal.dropped,
        ),
    )


def _settle(game: Game, company_id: CompanyId, trade: Trade) -> None:
    """Pay for a trade; the pool's money is the bank's, the system borrows missing money."""
    purse = trade.owner if is_player(trade.owner) else BANK
    if trade.money < 0:
        pay(game, purse, company_id, -trade.money, "trading up")
    else:
        borrow(game, company_id, trade.money, "trading down")
        pay(game, company_id, purse, trade.money, "trading down")
    game.emit(SharesTraded(trade.owner, company_id, trade.shares, trade.money))

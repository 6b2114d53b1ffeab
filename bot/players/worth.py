"""What a position is worth to each player: what he has, and what it will bring him until the end."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.data.state import Company
from bot.engine.holdings.certificates import smallest
from bot.engine.holdings.market import price_of
from bot.engine.ids import POOL, PlayerId
from bot.engine.play.game import Game

from .outlook import Horizon, chance_to_float, horizon, outlook, price_after, traits_of

RISE = 0.55
"""How much of the rises to come is believed."""

CONTROL = 0.1
"""What directing a company is worth, as a part of its dividends."""

ORPHANED = 0.6
"""What is left of the dividends of a company that nobody directs: in receivership it pays none until somebody takes it up."""

STUCK = 0.55
"""What is left of the price of shares of a company that is never launched."""

WOUND_UP = 0.5
"""How much of a debt is a loss; where the price has come to the left end of the market, or there is no train, all of it is."""

RIVALS = 0.35
"""How much what others gain is one's own loss."""


def advantage(game: Game, player: PlayerId, seen: Horizon | None = None) -> float:
    """What the position is worth to the player, less some of what it is worth to his rivals, with that horizon or its own."""
    values = prospects(game, seen)
    others = [value for rival, value in values.items() if rival != player]
    return values[player] - RIVALS * (max(others) + sum(others) / len(others)) / 2


def prospects(game: Game, seen: Horizon | None = None) -> Mapping[PlayerId, float]:
    """What every player will have at the horizon, or in the end, as far as one can tell."""
    rules, seen = game.title.rules, seen or horizon(game)
    found = {player: float(rules.worth(game, player)) for player in game.state.order}
    if game.state.finished:
        return found
    for company in game.state.companies.values():
        if company.position is not None and not company.closed:
            _add_shares(game, company, found, seen)
    for private in game.state.privates.values():
        if private.owner in found and not private.closed:
            noun = game.title.privates[private.id]
            high = noun.price_range[1] if noun.price_range else 0
            found[PlayerId(private.owner)] += noun.income * min(seen.left, traits_of(game).private) + 0.35 * high
    return found


def _add_shares(game: Game, company: Company, found: dict[PlayerId, float], horizon: Horizon) -> None:
    seen = outlook(game, company.id, horizon)
    director = game.decider(company.id)
    chance = chance_to_float(game, company, director) * (ORPHANED if director is None and company.has_president else 1)
    unit, now = smallest(company), price_of(game, company.id)
    average = seen.dividends / seen.payments if seen.payments else 0
    later = price_after(game, company.id, seen.payments, average) if chance > 0.3 else now
    debt, fall = debt_of(game, company), fall_of(game, company)
    halved = traits_of(game).idle if seen.dividends > 0 and not game.state.trains_of(company.id) else 0.0
    for player in found:
        held = company.held_by(player)
        if held:
            dividends = seen.dividends * held / 100
            found[player] += halved * now * held / unit - debt * held / 100 - fall * held / unit
            found[player] += chance * (dividends + RISE * (later - now) * held / unit)
            found[player] -= (1 - chance) * (1 - STUCK) * now * held / unit
    if director in found:
        found[director] += chance * (CONTROL * seen.dividends - traits_of(game).fear * seen.missing)


def debt_of(game: Game, company: Company) -> float:
    """What its shareholders have to add, all together, for loans that a company cannot pay back, now or when it is
    wound up."""
    lacks = company.loans * traits_of(game).loan - game.state.cash[company.id]
    if lacks <= 0:
        return 0.0
    is_lost = not game.state.trains_of(company.id) or (company.position is not None and not company.position[1])
    return lacks if is_lost else WOUND_UP * lacks


def fall_of(game: Game, company: Company) -> int:
    """What a share loses at the end of a stock round because of those in the pool: a space for so much percent, or for each
    if they are fewer (1820 §6.7)."""
    percent, pool = traits_of(game).pool_falls, company.held_by(POOL)
    if not percent or company.position is None or game.decider(company.id) is None:
        return 0
    row, column = company.position
    spaces = min(pool // percent, company.count_of(POOL))
    return price_of(game, company.id) - game.title.market.price((row, max(0, column - spaces)))

"""The worth of a position to each player: what they have, and what it will bring them until the end."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine import IPO, POOL, Owner, PlayerId
from bot.engine.play import Game
from bot.engine.play.holdings import certificate_count, has_phase_begun, price_of, share_unit
from bot.engine.state import Company

from .company_forecast import Horizon, horizon, outlook, price_after, private_rounds, rounds_of_set
from .title_parameters import parameters_of

RISE = 0.55
"""Share of the expected price rises that the evaluation counts."""

CONTROL = 0.1
"""Value of being president, as a fraction of the company's dividends."""

ORPHANED = 0.6
"""Fraction of its dividends that a company without a president is worth: in receivership it pays none until a
player takes over.
"""

STUCK = 0.55
"""Fraction of the share price left if a company never floats."""

WOUND_UP = 0.5
"""How much of a debt is a loss; where the price has come to the left end of the market, or there is no train, all of it is."""

HOPE, JOINING = 0.55, 0.1
"""Maximum probability that a company floats if its president cannot pay for it without others, and the
fraction of the others' cash expected to join in.
"""

FORCED = 0.3
"""The loss in selling shares for a train, as a part of what they must bring."""

BEARABLE, RUIN = 0.5, 1.0
"""The part of their worth that a player can pay for trains, and the loss for what goes beyond it."""

LEFT = 0.6
"""The part of payments for trains that falls to another player to whom a president can leave the company."""

RIVALS = 0.35
"""Weight of the rivals' gains as a loss to the player."""


def advantage(game: Game, player: PlayerId, seen: Horizon | None = None) -> float:
    """The value of the position to the player, minus a part of its value to the rivals, with that horizon or its
    own.
    """
    values = prospects(game, seen)
    others = [value for rival, value in values.items() if rival != player]
    return values[player] - RIVALS * (max(others) + sum(others) / len(others)) / 2


def prospects(game: Game, seen: Horizon | None = None) -> Mapping[PlayerId, float]:
    """Every player's estimated worth at the horizon, or at the end of the game."""
    rules, seen = game.title.rules, seen or horizon(game)
    found = {player: float(rules.worth(game, player)) for player in game.state.order}
    if game.state.finished:
        return found
    for company in game.state.companies.values():
        if company.position is not None and not company.closed:
            _add_shares(game, company, found, seen)
    if seen.clock is not None:
        for player, due in payments_due(game, seen).items():
            found[player] -= parameters_of(game).fear * due + strain(game, player, seen.clock.short[player])
    paying = private_rounds(game, seen)
    for private in game.state.privates.values():
        if private.owner in found and not private.closed:
            noun = game.title.privates[private.id]
            high = noun.price_range[1] if noun.price_range else 0
            found[PlayerId(private.owner)] += noun.income * paying + 0.35 * high
    return found


def _add_shares(game: Game, company: Company, found: dict[PlayerId, float], horizon: Horizon) -> None:
    seen = outlook(game, company.id, horizon)
    director = game.controller_of(company.id)
    chance = chance_to_float(game, company, director) * (ORPHANED if director is None and company.has_president else 1)
    unit, now = share_unit(company), price_of(game, company.id)
    average = seen.dividends / seen.payments if seen.payments else 0
    later = price_after(game, company.id, seen.payments, average) if chance > 0.3 else now
    debt, fall = debt_of(game, company), fall_of(game, company)
    halved = parameters_of(game).idle if seen.dividends > 0 and not game.state.trains_of(company.id) else 0.0
    for player in found:
        held = company.percent_held_by(player)
        if held:
            dividends = seen.dividends * held / 100
            found[player] += halved * now * held / unit - debt * held / 100 - fall * held / unit
            found[player] += chance * (dividends + RISE * (later - now) * held / unit)
            found[player] -= (1 - chance) * (1 - STUCK) * now * held / unit
    if director in found:
        missing = seen.missing if horizon.clock is None else 0.0
        found[director] += chance * (CONTROL * seen.dividends - parameters_of(game).fear * missing)


def payments_due(game: Game, seen: Horizon) -> dict[PlayerId, float]:
    """The money that each player will have to add for the trains of companies: of their own, and of those that may be left to
    them."""
    found = dict.fromkeys(game.state.order, 0.0)
    before_sales = rounds_of_set(game)
    for company in game.state.companies.values():
        director = game.controller_of(company.id)
        if company.position is None or company.closed or director not in found:
            continue
        looked = outlook(game, company.id, seen)
        due = looked.missing * chance_to_float(game, company, director)
        heir = heir_of(game, company, director) if due and looked.solvent >= before_sales else None
        part = LEFT if heir is not None else 0.0
        found[director] += (1 - part) * due
        if heir is not None:
            found[heir] += part * due
    return found


def heir_of(game: Game, company: Company, director: PlayerId) -> PlayerId | None:
    """The player who would be president if this one sold as many shares as that takes; None if nobody would."""
    others = [player for player in game.state.order if player != director]
    heir = max(others, key=company.percent_held_by)
    held = company.percent_held_by(heir)
    sold = company.percent_held_by(director) - held + share_unit(company)
    room = game.title.rules.pool_limit(game, company.id) - company.percent_held_by(POOL)
    return heir if held >= company.certificates[0].percent and sold <= room else None


def strain(game: Game, player: PlayerId, short: float) -> float:
    """The loss from payments for trains that lack as much beyond a player's cash: shares are sold at falling prices, and in
    the end the player is ruined."""
    return FORCED * short + RUIN * max(0.0, short - BEARABLE * game.title.rules.worth(game, player))


def debt_of(game: Game, company: Company) -> float:
    """The payments of all shareholders together for loans that a company cannot pay back, now or when it is wound
    up."""
    lacks = company.loans * parameters_of(game).loan - game.state.cash[company.id]
    if lacks <= 0:
        return 0.0
    is_lost = not game.state.trains_of(company.id) or (company.position is not None and not company.position[1])
    return lacks if is_lost else WOUND_UP * lacks


def fall_of(game: Game, company: Company) -> int:
    """The fall of a share at the end of a stock round due to shares in the pool: a space per given percentage, or for
    each share if they are fewer (1820 §6.7).
    """
    percent, pool = parameters_of(game).pool_falls, company.percent_held_by(POOL)
    if not percent or company.position is None or game.controller_of(company.id) is None:
        return 0
    row, column = company.position
    spaces = min(pool // percent, company.count_of(POOL))
    return price_of(game, company.id) - game.title.market.price((row, max(0, column - spaces)))


def chance_to_float(game: Game, company: Company, president: Owner | None) -> float:
    if company.floated:
        return 1.0
    if waits(game, company):
        return 0.15
    cost = cost_to_float(game, company)
    if cost <= 0:
        return 0.9
    own = game.state.cash.get(president or Owner(""), 0) - _promised_cash(game, company, president)
    others = sum(game.state.cash[player] for player in game.state.order if player != president)
    if own >= cost:
        return 0.92 - 0.22 * min(1.0, cost / max(1.0, cost_to_float(game, company, 0)))
    return HOPE * min(1.0, max(0.0, own + JOINING * others) / cost) ** 2


def waits(game: Game, company: Company) -> bool:
    """Whether the company cannot float yet, however many of its shares are bought."""
    phase = parameters_of(game).waits.get(company.id)
    return phase is not None and not has_phase_begun(game, phase)


def can_launch(game: Game, president: PlayerId) -> bool:
    """Whether the player has the cash and the free certificates to float every company they have started that can
    float now.
    """
    started = [one for one in _started_companies(game, president) if not waits(game, one)]
    room = game.title.rules.certificate_limit(game, president) - certificate_count(game, president)
    costs = sum(cost_to_float(game, one) for one in started)
    return costs <= game.state.cash[president] and sum(_shares_to_sell(game, one) for one in started) <= room


def _started_companies(game: Game, president: Owner | None) -> list[Company]:
    companies = game.state.companies.values()
    return [
        one
        for one in companies
        if one.par and not one.floated and not one.closed and game.controller_of(one.id) == president
    ]


def cost_to_float(game: Game, company: Company, sold: int | None = None) -> float:
    """The cost of the shares still to be bought before the company floats, with `sold` percent sold."""
    return _shares_to_sell(game, company, sold) * (company.par or 0)


def _shares_to_sell(game: Game, company: Company, sold: int | None = None) -> int:
    needed = max(0, float_percent(game, company) - (100 - company.percent_held_by(IPO) if sold is None else sold))
    return -(-needed // share_unit(company))


def _promised_cash(game: Game, company: Company, president: Owner | None) -> float:
    """The cash the president needs for their other companies that are closer to floating."""
    rest = [(cost_to_float(game, other), other.id) for other in _started_companies(game, president)]
    return sum(cost for cost, other in rest if (cost, other) < (cost_to_float(game, company), company.id))


def float_percent(game: Game, company: Company) -> int:
    found, kind = 0, game.title.companies[company.id].kind
    if kind in parameters_of(game).floats:
        return parameters_of(game).floats[kind]
    for phase in game.title.phases:
        found = parameters_of(game).floats.get(phase.name, found)
        if phase.name == game.state.phase:
            break
    return found

"""The expected earnings of a company to the end of the game, from its trains, its treasury and the present board."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, inf
from typing import TYPE_CHECKING, NamedTuple

from bot.engine import BANK, DEPOT, CompanyId, Owner
from bot.engine.play import Game
from bot.engine.play.holdings import counted_trains, price_of, share_unit, step_right, trains_for_sale
from bot.engine.play.steps import trains_to_run
from bot.engine.state import Company, OperatingRoundMemory, Round, RunRoutes, TurnMemory

from .revenue_estimate import estimate_revenue, is_running
from .title_parameters import parameters_of

if TYPE_CHECKING:
    from .train_clock import TrainClock

LEAST_PAID = 0.3
"""Minimum fraction of its earnings that a company pays out in the end, however much it has to save."""

LONGEST_REACH = 8
"""One train never visits more stops than this."""

UNBUILT = 0.12
"""Fraction of a train's potential beyond today's track that is built in each operating round."""

MOST_UNBUILT = 0.55
"""Maximum fraction of that potential that is ever built."""

LEAST_LENT = 100
"""The least that a company without a train puts aside in an operating round: a loan, or the earnings of a borrowed
train."""

FOREIGN = 0.7
"""Fraction of the board's potential available to a company that has not begun."""


class Horizon(NamedTuple):
    """A forecast of the rest of the game, made before a move and kept while moves are compared: operating rounds
    `left`, and the companies in need, which have no train and will buy one soon. It stays fixed because
    starting, floating or improving a company does not shorten the game or the lives of trains: another player
    would do the same. With a `clock` companies are expected to renew their trains by it, in time.
    """

    left: float
    needy: frozenset[CompanyId]
    clock: TrainClock | None = None


@dataclass(frozen=True)
class Outlook:
    """Of a whole company: `income` of its next run, `dividends` until the end, `payments` operating rounds in which it
    pays, `missing` what its president will have to add for a train, the first time after `solvent` operating rounds. The
    cost of its trains until then is taken off its dividends (1820)."""

    income: int
    dividends: float
    payments: float
    missing: float
    solvent: float = inf


def rounds_of_set(game: Game) -> int:
    """Operating rounds until the next stock round, including the current round; 0 in others."""
    here = game.state.round
    return here.of - here.part + 1 if here.kind in ("operating", "merger") else 0


def rounds_left(game: Game) -> float:
    """Estimated operating rounds still to be played, including the current round."""
    here, traits = game.state.round, parameters_of(game)
    of_set = rounds_of_set(game)
    each = traits.set_rounds or game.title.phase(game.state.phase).operating_rounds
    if game.state.ending:
        return max(1, of_set or each)
    by_calendar = of_set + max(1, traits.sets - here.number) * each
    if traits.is_last_train_the_end:
        by_calendar = min(by_calendar, 1 + sum(card.owner == DEPOT for card in game.state.trains))
    if traits.upkeep:
        column: int = game.state.special.column
        return max(1, min(by_calendar, max(map(len, traits.upkeep.values())) - column))
    return max(2, min(by_calendar, _rounds_of_bank(game)))


def rounds_between(since: Round, now: Round) -> int:
    """Operating rounds completed between two rounds of the same set or of consecutive sets."""
    done = [one.part - 1 if one.kind in ("operating", "merger") else 0 for one in (since, now)]
    return done[1] - done[0] + since.of * (now.number - since.number)


def _rounds_of_bank(game: Game) -> float:
    if game.title.bank_is_unlimited or not parameters_of(game).does_bank_end:
        return inf
    key = ("earned", game.state.phase, tuple(train.owner for train in game.state.trains))
    earned: int = game.memoise(key, lambda: _total_income(game))
    return game.state.cash[BANK] / max(1.3 * earned, 60) + 1


def _total_income(game: Game) -> int:
    running_ones = [company.id for company in game.state.companies.values() if is_running(game, company)]
    return sum(estimate_revenue(game, company, kinds_of(game, company)) for company in running_ones)


def kinds_of(game: Game, company: CompanyId) -> tuple[str, ...]:
    """The kinds of trains that the company owns and runs, in order; borrowed trains pay no dividends."""
    return tuple(sorted(train.kind for train in trains_to_run(game, company) if train.owner == company))


def within_limit(game: Game, company: CompanyId, kinds: tuple[str, ...]) -> tuple[str, ...]:
    """The most expensive of these trains, up to the company's train limit."""
    counted = [kind for kind in kinds if game.title.trains[kind].counts_for_limit]
    if len(counted) <= (limit := game.title.rules.train_limit(game, company)):
        return kinds
    dearest = sorted(counted, key=lambda kind: -game.title.trains[kind].price)[:limit]
    return tuple(sorted([*dearest, *(kind for kind in kinds if not game.title.trains[kind].counts_for_limit)]))


def reach_of(kind: str) -> int:
    """About how many stops a train visits: the sum of the numbers in its name."""
    numbers = [int(number) for number in re.findall(r"\d+", kind)]
    return min(LONGEST_REACH, sum(numbers) or LONGEST_REACH)


def expected_income(game: Game, company: CompanyId, kinds: tuple[str, ...], ahead: float) -> float:
    """Its expected run with such trains after a number of rounds: by today's track, and some of what is built until
    then. A company that has no track yet finds that of others."""
    hoped = sum(parameters_of(game).stop * reach_of(kind) for kind in kinds)
    found = is_running(game, game.company(company))
    today = estimate_revenue(game, company, kinds) if found else FOREIGN * board_maturity(game) * hoped
    return today + min(MOST_UNBUILT, UNBUILT * (ahead + 1)) * max(0, hoped - today)


def board_maturity(game: Game) -> float:
    """Fraction of their potential that trains earn on the current board."""
    found: float = game.memoise(
        ("developed", tuple(train.owner for train in game.state.trains)), lambda: _board_maturity(game)
    )
    return found


def _board_maturity(game: Game) -> float:
    companies = [company.id for company in game.state.companies.values() if is_running(game, company)]
    kinds = {company: kinds_of(game, company) for company in companies}
    hoped = sum(parameters_of(game).stop * reach_of(kind) for some in kinds.values() for kind in some)
    return min(1.0, sum(estimate_revenue(game, *one) for one in kinds.items()) / hoped) if hoped else 0.0


def train_lifetimes(game: Game, needed: int | None = None) -> dict[str, float]:
    """The number of operating rounds after which each kind of train is expected to be gone, or not worth its costs, if
    the given number of companies need a train at once."""
    if upkeep := parameters_of(game).upkeep:
        return {kind: max(0.0, len(costs) - game.state.special.column) for kind, costs in upkeep.items()}
    found: dict[str, float] = {}
    depot = [card.family for card in game.state.trains if card.owner == DEPOT]
    at_once = len(companies_without_trains(game)) if needed is None else needed
    for kind in game.title.trains.values():
        gone = kind.rusts_on in depot
        ahead = depot.index(kind.rusts_on) if gone and kind.rusts_on else inf
        found[kind.name] = rounds_until_sold(game, ahead, at_once)
    return found


def rounds_until_sold(game: Game, ahead: float, needed: int) -> float:
    """The operating rounds until the bank sells a train that stands behind `ahead` others, if the given number of companies
    need a train at once.
    """
    return 0.5 + max(0, ahead - needed) / parameters_of(game).tempo


def private_rounds(game: Game, seen: Horizon) -> float:
    """The operating rounds in which privates still pay, up to the horizon."""
    parameters = parameters_of(game)
    begins_on = game.title.phase(parameters.closes).begins_on if parameters.closes else None
    most = min(seen.left, parameters.private)
    depot = [card.family for card in game.state.trains if card.owner == DEPOT]
    if begins_on not in depot:
        return most
    return min(most, rounds_until_sold(game, depot.index(begins_on), len(seen.needy)))


def horizon(game: Game) -> Horizon:
    return Horizon(rounds_left(game), companies_without_trains(game))


def companies_without_trains(game: Game) -> frozenset[CompanyId]:
    companies = game.state.companies.values()
    ready = [one.id for one in companies if one.floated and one.has_president and not one.closed]
    return frozenset(one for one in ready if game.controller_of(one) is not None and not kinds_of(game, one))


def maintenance_until(game: Game, kinds: Iterable[str], since: float, until: float) -> float:
    """The cost of such trains between two moments, in operating rounds from now; with each the costs go on a column."""
    costs = parameters_of(game).upkeep
    if not costs:
        return 0.0
    column: int = game.state.special.column
    rounds = [(part, max(0.0, min(until, part + 1) - max(since, part))) for part in range(ceil(until))]
    return sum(
        length * costs[kind][column + part]
        for kind in kinds
        for part, length in rounds
        if column + part < len(costs[kind])
    )


def outlook(game: Game, company: CompanyId, seen: Horizon | None = None) -> Outlook:
    """The company's outlook on this position, with that horizon or its own; companies that are not on the board yet begin
    with their capital."""
    record, state = game.company(company), game.state
    left, in_need, clock = seen or horizon(game)
    needed = sum(not kinds_of(game, one) for one in in_need)
    if not record.has_president:
        return Outlook(0, parameters_of(game).bank * left, 0, 0)
    kinds = within_limit(game, company, kinds_of(game, company))
    capital = (
        max(0, state.cash[company] - record.loans * parameters_of(game).loan)
        if record.floated
        else (record.par or price_of(game, company)) * prices_at_launch(game, record)
    )
    if clock is not None and company in clock.outlooks:
        return clock.outlooks[company]
    depot = [card.owner for card in state.trains].count(DEPOT)
    round_now = (state.round.kind, state.round.number, state.round.part, bool(state.ending))
    next_run = 1.0 if has_run(game, company) else 0.0
    fed = record.percent_held_by(Owner(parameters_of(game).feeds)) / 100
    key = ("outlook", company, kinds, capital, state.phase, depot, round_now, record.floated, fed, left, needed)
    facts = (game, company, kinds, capital, fed, next_run, left)
    found: Outlook = game.memoise(
        (*key, next_run),
        lambda: _forecast(*facts, needed),
    )
    return found


def prices_at_launch(game: Game, company: Company) -> int:
    """The company's starting capital as a multiple of its price: all its shares, or fewer depending on its kind."""
    return parameters_of(game).capital.get(game.title.companies[company.id].kind, 100 // share_unit(company))


def has_run(game: Game, company: CompanyId) -> bool:
    """Whether the company's turn to run in this operating round is over, with or without trains."""
    for frame in reversed(game.state.flow):
        if isinstance(frame.memory, TurnMemory) and frame.entity == company:
            steps = game.title.plans[frame.plan].steps[: frame.at]
            return any(RunRoutes in getattr(step, "verbs", ()) for step in steps)
        if isinstance(frame.memory, OperatingRoundMemory):
            return company in frame.memory.done
    return False


def _forecast(
    game: Game,
    company: CompanyId,
    kinds: tuple[str, ...],
    treasury: float,
    fed: float,
    next_run: float,
    left: float,
    needed: int,
) -> Outlook:
    """Follows the trains to their ends: where none is left, the next one comes out of the treasury, out of what has been
    kept of the last runs, or from the president; where nobody adds anything, the company waits until it can pay. `fed` is the
    part of what it pays out that goes to itself, `next_run` in how many operating rounds it runs next."""
    ages = train_lifetimes(game, needed)
    total = payments = missing = last = saved = gross = costs = 0.0
    now, alive, belief, capital, lent = next_run, kinds, 1.0, treasury, parameters_of(game).lent
    while now < left:
        if not alive:
            kind = next_kind(game, now, needed)
            cost = game.title.trains[kind].price
            gap = max(0, cost - capital)
            gone = min(left, ages[kind])
            if not is_train_worth_it(game, company, (), kind, now, gone, gap):
                break
            kept = max(0.0, min(gap, last * (now - next_run - 0.5) - saved))
            if gap > (left - now) * max(last, expected_income(game, company, (kind,), now)):
                missing += max(0, gap - kept) if left - now > 1 else 0
                break
            saved, total, capital = saved + kept, total - kept, max(0, capital - cost)
            payments -= kept / last if last else 0
            if lent is None:
                missing += gap - kept
                belief *= 0.9 - 0.45 * (gap - kept) / cost
            else:
                now += (gap - kept) / max(LEAST_LENT, lent * expected_income(game, company, (kind,), now))
                belief *= 0.9
            spare = 0 if ages[kind] >= left else game.title.trains[next_kind(game, ages[kind], needed)].price
            second = capital >= cost + spare and game.title.rules.train_limit(game, company) > 1
            second = second and is_train_worth_it(game, company, (kind,), kind, now, gone)
            alive, capital = (kind, kind) if second else (kind,), capital - cost * second
            ages[kind], now = max(ages[kind], now + 2), now + 1
            continue
        end = max(now, min(left, *(ages[one] for one in alive)))
        last = belief * expected_income(game, company, alive, (now + end) / 2)
        total += (end - now) * last
        gross += (end - now) * last
        costs += maintenance_until(game, alive, now, end)
        capital += (end - now) * last * fed
        payments += end - now if last else 0
        now, alive = end, tuple(one for one in alive if ages[one] > end)
    if kinds and len(counted_trains(game, company)) < game.title.rules.train_limit(game, company):
        total += _value_of_next_train(game, company, kinds, treasury, left - next_run, ages)
    paid = max(total, LEAST_PAID * gross) - costs
    return Outlook(estimate_revenue(game, company, kinds), paid, max(0, payments), missing)


def is_train_worth_it(
    game: Game, company: CompanyId, kinds: tuple[str, ...], kind: str, since: float, until: float, gap: float = 0.0
) -> bool:
    """Whether one more train beside these earns the company more, between two moments, than it costs, with what the treasury
    lacks for it."""
    if not parameters_of(game).upkeep:
        return True
    more = marginal_revenue(game, company, kinds, kind, (since + until) / 2)
    return maintenance_until(game, (kind,), since, until) + gap < (until - since) * more


def marginal_revenue(game: Game, company: CompanyId, kinds: tuple[str, ...], kind: str, ahead: float) -> float:
    return expected_income(game, company, tuple(sorted((*kinds, kind))), ahead) - expected_income(
        game, company, kinds, ahead
    )


def _value_of_next_train(
    game: Game, company: CompanyId, kinds: tuple[str, ...], capital: float, left: float, ages: dict[str, float]
) -> float:
    cheap = affordable_kinds(game, capital)
    if not cheap:
        return 0
    kind = max(cheap, key=reach_of)
    more, lasts = marginal_revenue(game, company, kinds, kind, left / 2), max(0.0, min(left - 1, ages[kind]))
    return 0.5 * max(0.0, more * lasts - maintenance_until(game, (kind,), 0, lasts))


def kinds_on_sale(game: Game) -> list[str]:
    return [card.kind for card in trains_for_sale(game) if game.title.trains[card.family].counts_for_limit]


def affordable_kinds(game: Game, money: float) -> list[str]:
    return [kind for kind in kinds_on_sale(game) if game.title.trains[kind].price <= money]


def next_kind(game: Game, after: float, needed: int = 0) -> str:
    """The train that the bank will sell after the given number of operating rounds, of those that last until then, if
    the given number of companies need a train at once."""
    ages = train_lifetimes(game) if parameters_of(game).upkeep else {}
    depot = [
        card
        for card in game.state.trains
        if card.owner == DEPOT
        and game.title.trains[card.family].counts_for_limit
        and ages.get(card.kind, inf) > after + 1
    ]
    if not depot:
        return parameters_of(game).most
    sold = min(1, after) * needed + after * parameters_of(game).tempo
    card = depot[min(len(depot) - 1, int(sold))]
    return card.kind


def price_after(game: Game, company: CompanyId, payments: float, income: float) -> int:
    position = game.company(company).position
    if position is None:
        return 0
    market, rises = game.title.market, parameters_of(game).rises
    for _ in range(int(payments + 0.5)):
        cell = market.price(position)
        for _ in range(sum(income >= limit * cell for limit in rises) if income else 0):
            position = step_right(market, position)
    return market.price(position)

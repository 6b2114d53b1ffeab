"""Good routes of a kind of train if there are too many to list: of the routes of each length only the best are
continued."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from heapq import nlargest
from operator import itemgetter
from typing import Any, NamedTuple

from bot.engine.routes.revenue import Limit, RouteProblem, TrainSpec

from .enumeration import Enumeration
from .route_column import Link, RouteColumn, Trail

REVENUE = itemgetter(0)

WIDTHS = (4, 30, 150)
"""Number of routes of each length that are continued, at first and later."""

SHORT = 4
"""Number of stops of short routes."""

KEPT = 2000
"""Number of routes of a kind of train to choose from where not all could be listed."""


class PartialRoute(NamedTuple):
    """A route that may be continued: what it earns, uses up and adds up to, its arms, the links onward."""

    revenue: int
    taken: int
    packed: int
    one: Trail
    other: Trail
    further: Any


def sample(enumeration: Enumeration, width: int, used: int = 0) -> list[RouteColumn]:
    """Routes that do without the `used` track, continuing at most the given number of each length from each token.

    :raises EnumerationTimeout: from the enumeration's `check_time`; `found` holds the routes found until then.
    """
    enumeration.keep_off(used)
    enumeration.drops_longer = False  # since the shorter routes are not all looked at
    board, train = enumeration.board, enumeration.train
    for token in sorted(token for token in board.problem.own if token in board.stops):
        taken, packed = enumeration.begin(token, used)
        if board.problem.values[token].kind in train.closed or packed & enumeration.profile.guard:
            continue
        start = PartialRoute(0, taken, packed, None, None, enumeration.roots[token])
        begun = list(_grow(enumeration, [start], width, is_second=False))
        if not board.problem.ends_at(token):
            through = [one._replace(further=enumeration.onward[token]) for one in begun if not _leaves_terminal(one)]
            for _ in _grow(enumeration, nlargest(width, through, key=REVENUE), width, is_second=True):
                pass
    return list(enumeration.found.values())


def _leaves_terminal(begun: PartialRoute) -> bool:
    """Whether the first arm leaves the token over track that ends there."""
    arm = begun.one
    while arm is not None and arm[0] is not None:
        arm = arm[0]
    return arm is not None and arm[1][3].starts_terminal


def _grow(
    enumeration: Enumeration, begun: Iterable[PartialRoute], width: int, is_second: bool
) -> Iterator[PartialRoute]:
    layer = list(begun)
    while layer:
        longer: dict[tuple[int, int], PartialRoute] = {}
        for route in layer:
            for link in route.further or ():
                after = _lengthen(enumeration, route, link, is_second)
                if after is not None:
                    longer.setdefault((after.taken, link[4]), after)
        layer = nlargest(width, longer.values(), key=REVENUE)
        yield from layer


def _lengthen(enumeration: Enumeration, route: PartialRoute, link: Link, is_second: bool) -> PartialRoute | None:
    uses, adds, beyond, _, _ = link
    packed = route.packed + adds
    if route.taken & uses or packed & enumeration.profile.guard:
        return None
    one, other = (route.one, (route.other, link)) if is_second else ((route.one, link), None)
    revenue = enumeration.record(one, other, route.taken | uses, packed)
    return PartialRoute(max(revenue, route.revenue), route.taken | uses, packed, one, other, beyond)


def shorten_train(train: TrainSpec, problem: RouteProblem) -> TrainSpec:
    """The train for short routes only, all stops of which count: they are found all over the board in little time."""
    kinds = frozenset(worth.kind for worth in problem.values.values())
    return replace(train, limits=(*train.limits, Limit(SHORT, kinds)), optional=frozenset())


def select_promising(columns: list[RouteColumn]) -> list[RouteColumn]:
    """The columns that earn most, in total and for the track they take."""
    if len(columns) <= KEPT:
        return columns
    best = max(columns, key=REVENUE).revenue
    longest = max(column.mask.bit_count() for column in columns[:KEPT])
    kept: dict[tuple[int, int], RouteColumn] = {}
    for price in (0.0, best / longest):
        for column in nlargest(KEPT // 2, columns, key=lambda one: one.revenue - price * one.mask.bit_count()):
            kept[column.mask, column.taken] = column
    return list(kept.values())

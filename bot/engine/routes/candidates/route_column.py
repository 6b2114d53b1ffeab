"""A route as it is listed: two arms of links from a token, and what the choice between routes sees of it."""

from __future__ import annotations

from typing import Any, NamedTuple

from bot.engine.routes.revenue import Route, TrainSpec

from .chains import Chain

Link = tuple[int, int, Any, Chain, int]
"""The track that the route must not have used yet, what it adds, the links onward (None where routes end), the chain,
the number of the stop it leads to (-1 where no route of the train ends)."""

Trail = tuple[Any, Link] | None
"""Last first."""


class RouteColumn(NamedTuple):
    """A route as the selection sees it: what it earns, what it uses up and visits, its two arms."""

    revenue: int
    mask: int
    taken: int
    one: Trail
    other: Trail


IDLE = RouteColumn(0, 0, 0, None, None)


def chains_of(one: Trail, other: Trail) -> list[Chain]:
    """The chains of both arms as one way, from the far end of the first arm."""
    backwards: list[Chain] = []
    while one is not None:
        one, link = one
        backwards.append(link[3].reverse())
    forwards: list[Chain] = []
    while other is not None:
        other, link = other
        forwards.append(link[3])
    return [*backwards, *reversed(forwards)]


def route_of(one: Trail, other: Trail, train: TrainSpec) -> Route:
    return route_along(chains_of(one, other), train)


def route_along(chains: list[Chain], train: TrainSpec) -> Route:
    if not chains:
        return Route(train.id, (), (), frozenset(), frozenset())
    return Route(
        train.id,
        (chains[0].start, *(chain.end for chain in chains)),
        tuple(chain.spaces for chain in chains),
        frozenset(side for chain in chains for side in chain.sides),
        frozenset(number for chain in chains for number in chain.segments),
        sum(chain.gauge_changes for chain in chains),
    )

"""All routes of a kind of train, each once: depth first in two arms from each of the company's tokens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..track import Side, Stop
from .chains import Chain, chains_from, undominated
from .model import Route, RouteProblem, TrainSpec

Trail = tuple["Trail", "Link"] | None
"""The links of an arm, last first."""


class OutOfTime(Exception):
    """The deadline has passed."""


@dataclass(frozen=True)
class Link:
    """A chain with what the search needs of its far stop."""

    chain: Chain
    mask: int
    gauge: int
    stop: int
    bit: int
    counts: int
    value: int
    tags: int
    starts_terminal: bool
    ends_here: bool


@dataclass(frozen=True)
class Column:
    """A route as the selection sees it: what it earns, what it uses up, how to build it."""

    revenue: int
    mask: int
    links: tuple[Chain, ...]


@dataclass
class Board:
    """The chains around every stop within reach, and the numbers that stand for stops, tags and track."""

    problem: RouteProblem
    bits: dict[Side | int, int] = field(default_factory=dict)
    chains: dict[Stop, list[Chain]] = field(default_factory=dict)
    numbers: dict[Stop, int] = field(default_factory=dict)
    stop_bits: dict[Stop, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        group_bits: dict[str, int] = {}
        queue = sorted(self.problem.own)
        for stop in queue:
            if stop in self.numbers:
                continue
            number = self.numbers[stop] = len(self.numbers)
            group = self.problem.values[stop].group
            self.stop_bits[stop] = group_bits.setdefault(group, 1 << number) if group else 1 << number
            self.chains[stop] = chains_from(self.problem.graph, stop, self.bits)
            if stop not in self.problem.blocked:
                queue += [chain.end for chain in self.chains[stop]]

    def tag_weight(self, stop: Stop) -> int:
        """One number that adds up how many stops carry each bonus's tag."""
        tags = self.problem.values[stop].tags
        return sum(64**index for index, bonus in enumerate(self.problem.bonuses) if bonus.tag in tags)

    def bonus_of(self, weight: int, memory: dict[int, int]) -> int:
        """The bonuses of a route with these tags."""
        if weight not in memory:
            total = 0
            for index, bonus in enumerate(self.problem.bonuses):
                count = weight // 64**index % 64
                total += max((money for number, money in bonus.by_count.items() if number <= count), default=0)
            memory[weight] = total
        return memory[weight]


def links_for(board: Board, train: TrainSpec) -> dict[int, list[Link]]:
    """The links out of every stop, as this kind of train sees them."""
    problem = board.problem
    table: dict[int, list[Link]] = {}
    for stop, chains in board.chains.items():
        links = []
        for chain in chains:
            if chain.end not in board.numbers:
                continue
            worth = problem.values[chain.end]
            links.append(
                Link(
                    chain,
                    chain.mask,
                    0 if train.ignores_gauge else chain.gauge_changes,
                    board.numbers[chain.end],
                    board.stop_bits[chain.end],
                    int(worth.kind in train.counted),
                    worth.revenue,
                    board.tag_weight(chain.end) if train.earns_bonuses else 0,
                    chain.starts_terminal,
                    chain.ends_terminal or chain.end in problem.blocked,
                )
            )
        table[board.numbers[stop]] = links
    return table


def columns(board: Board, train: TrainSpec, check_time: Callable[[], None]) -> list[Column]:
    """Every route of the train, the best for each set of track, highest revenue first.

    :raises OutOfTime: from `check_time`.
    """
    if train.runs_to:
        return _destination_columns(board, train, check_time)
    search = _Search(board, train, check_time)
    for number, token in enumerate(sorted(board.problem.own)):
        search.from_token(token, sum(board.stop_bits[other] for other in sorted(board.problem.own)[:number]))
    return sorted(search.found.values(), key=lambda column: (-column.revenue, column.mask))


class _Search:
    """The depth-first search of one kind of train."""

    def __init__(self, board: Board, train: TrainSpec, check_time: Callable[[], None]) -> None:
        self.board = board
        self.links = links_for(board, train)
        self.reach = 10**6 if train.reach is None else train.reach
        self.free_gauge = train.free_gauge_changes
        self.train = train
        self.check_time = check_time
        self.found: dict[int, Column] = {}
        self.bonus_memory: dict[int, int] = {}
        self.visits = 0

    def from_token(self, token: Stop, forbidden: int) -> None:
        """All routes through this token that visit none of the forbidden stops."""
        board, worth = self.board, self.board.problem.values[token]
        self.forbidden = forbidden
        self.start = board.numbers[token]
        if board.stop_bits[token] & forbidden:
            return
        used = int(worth.kind in self.train.counted)
        tags = board.tag_weight(token) if self.train.earns_bonuses else 0
        self._first_arm(self.start, None, -1, 0, board.stop_bits[token], used, 0, worth.revenue, tags, False)

    def _first_arm(
        self,
        at: int,
        trail: Trail,
        first: int,
        mask: int,
        visited: int,
        used: int,
        gauge: int,
        value: int,
        tags: int,
        ends_here: bool,
    ) -> None:
        if trail is not None:
            self._record(trail, None, mask, value, tags)
            if not self.links[self.start][first].starts_terminal:
                self._second_arm(self.start, trail, None, first, mask, visited, used, gauge, value, tags)
            if ends_here:
                return
        for index, link in enumerate(self.links[at]):
            if self._may_add(link, mask, visited, used, gauge) and not (link.starts_terminal and trail is not None):
                self._first_arm(
                    link.stop,
                    (trail, link) if trail is not None else (None, link),
                    first if trail is not None else index,
                    mask | link.mask,
                    visited | link.bit,
                    used + link.counts,
                    gauge + link.gauge,
                    value + link.value,
                    tags + link.tags,
                    link.ends_here,
                )

    def _second_arm(
        self,
        at: int,
        one: Trail,
        other: Trail,
        first: int,
        mask: int,
        visited: int,
        used: int,
        gauge: int,
        value: int,
        tags: int,
    ) -> None:
        for index, link in enumerate(self.links[at]):
            if other is None and index <= first or link.starts_terminal:
                continue
            if not self._may_add(link, mask, visited, used, gauge):
                continue
            trail: Trail = (other, link)
            new = (
                mask | link.mask,
                visited | link.bit,
                used + link.counts,
                gauge + link.gauge,
                value + link.value,
                tags + link.tags,
            )
            self._record(one, trail, new[0], new[4], new[5])
            if not link.ends_here:
                self._second_arm(link.stop, one, trail, first, *new)

    def _may_add(self, link: Link, mask: int, visited: int, used: int, gauge: int) -> bool:
        if mask & link.mask or (visited | self.forbidden) & link.bit:
            return False
        return used + link.counts + max(0, gauge + link.gauge - self.free_gauge) <= self.reach

    def _record(self, one: Trail, other: Trail, mask: int, value: int, tags: int) -> None:
        self.visits += 1
        if not self.visits & 1023:
            self.check_time()
        revenue = value + self.board.bonus_of(tags, self.bonus_memory)
        known = self.found.get(mask)
        if known is None or known.revenue < revenue:
            self.found[mask] = Column(revenue, mask, _in_order(one, other))


def _in_order(one: Trail, other: Trail) -> tuple[Chain, ...]:
    """The chains of both arms as one way, from the far end of the first arm."""
    backwards: list[Chain] = []
    while one is not None:
        one, link = one
        backwards.append(link.chain.reversed())
    forwards: list[Chain] = []
    while other is not None:
        other, link = other
        forwards.append(link.chain)
    return (*backwards, *reversed(forwards))


def _destination_columns(board: Board, train: TrainSpec, check_time: Callable[[], None]) -> list[Column]:
    """Ways from each own token to the destination; of those with the same revenue only the ones that use least track."""
    links = links_for(board, train)
    goals = {
        number for stop, number in board.numbers.items() if train.runs_to in board.problem.values[stop].tags
    }
    stops = {number: stop for stop, number in board.numbers.items()}
    found: list[Column] = []
    visits = 0

    def explore(at: int, chains: tuple[Chain, ...], mask: int, visited: int, value: int) -> None:
        nonlocal visits
        visits += 1
        if not visits & 1023:
            check_time()
        for link in links[at]:
            if mask & link.mask or visited & link.bit or (chains and link.starts_terminal):
                continue
            if link.stop in goals:
                revenue = value + board.problem.values[stops[link.stop]].revenue
                _keep_least(found, Column(revenue, mask | link.mask, (*chains, link.chain)))
            elif not link.ends_here:
                explore(link.stop, (*chains, link.chain), mask | link.mask, visited | link.bit, value)

    for token in sorted(board.problem.own):
        number = board.numbers[token]
        if number not in goals:
            explore(number, (), 0, board.stop_bits[token], board.problem.values[token].revenue)
    return sorted(found, key=lambda column: (-column.revenue, column.mask))


def _keep_least(found: list[Column], column: Column) -> None:
    """Add a column unless one that earns as much uses a part of its track."""
    if any(other.revenue >= column.revenue and other.mask & column.mask == other.mask for other in found):
        return
    found[:] = [
        other for other in found if not (column.revenue >= other.revenue and column.mask & other.mask == column.mask)
    ]
    found.append(column)


def route_of(column: Column, train: TrainSpec) -> Route:
    """The column as a route, without its revenue parts."""
    if not column.links:
        return Route(train.id, (), (), frozenset(), frozenset())
    stops = (column.links[0].start, *(chain.end for chain in column.links))
    return Route(
        train.id,
        stops,
        tuple(chain.spaces for chain in column.links),
        frozenset(side for chain in column.links for side in chain.sides),
        frozenset(number for chain in column.links for number in chain.segments),
        sum(chain.gauge_changes for chain in column.links),
    )


__all__ = ["Board", "Column", "OutOfTime", "columns", "route_of", "undominated"]

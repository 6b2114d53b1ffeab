"""Trains that earn a whole network and not a route (1820 §15.3.4): a reachable set, no search for paths.

Such a train starts at one own token and earns every stop that track joins to it. It may use its own track again and
again, so only the track that other trains use stands in its way. Stops of some kinds ("spiked", ports) pay as many
times as separate lines lead from pieces of track of off-board stops ("spikes") to own tokens of the network.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from bot.engine import HexId
from bot.engine.board import Side, Stop

from .model import Route, RouteProblem, TrainSpec
from .stop_values import stop_payments

Track = Side | int
"""A crossing, or the number of a piece of track."""

Link = tuple[int, ...]
"""Pieces of track from one stop to another without a stop between."""


@dataclass
class Reach:
    """The network of one token: for each stop the stop before it and the link between."""

    station: Stop
    before: dict[Stop, tuple[Stop, Link]] = field(default_factory=dict)

    @property
    def stops(self) -> tuple[Stop, ...]:
        return (self.station, *self.before)


@dataclass(frozen=True)
class FloodNetwork:
    """The run of a train that floods: stops, the links that join them, the lines from spikes to own tokens."""

    stops: tuple[Stop, ...]
    links: tuple[tuple[Stop, Link, Stop], ...]
    lines: tuple[tuple[Stop, Link, Stop], ...]
    spikes: int


class FloodRevenue:
    """The networks of one train on a board, without track that is `taken` or not `among` the pieces named."""

    def __init__(
        self,
        problem: RouteProblem,
        train: TrainSpec,
        taken: Iterable[Track] = (),
        among: frozenset[int] | None = None,
        check_time: Callable[[], None] = lambda: None,
    ) -> None:
        self.problem, self.train, self.graph = problem, train, problem.graph
        self.taken, self.among, self.check_time = frozenset(taken), among, check_time

    def is_free(self, number: int) -> bool:
        if number in self.taken or (self.among is not None and number not in self.among):
            return False
        return self.taken.isdisjoint(self.graph.segments[number].ends)

    # -- what is joined -----------------------------------------------------------------------------------

    def reach(self, station: Stop) -> Reach:
        """Everything that track joins to the token on this stop.

        A stop that terminal track has reached may be reached again by track that leads on.
        """
        found = Reach(station)
        queue, dead_ends = [station], set[Stop]()
        for stop in queue:
            for link, end in self._links(stop, stop == station):
                is_terminal = self.graph.segments[link[-1]].is_terminal
                is_known = end == station or (end in found.before and (is_terminal or end not in dead_ends))
                if is_known or not self._may_enter(stop, end):
                    continue
                found.before.pop(end, None)
                found.before[end] = (stop, link)
                if is_terminal:
                    dead_ends.add(end)
                    continue
                dead_ends.discard(end)
                if not self.problem.ends_at(end):
                    queue.append(end)
        return found

    def _may_enter(self, here: Stop, there: Stop) -> bool:
        worth = self.problem.values.get(there)
        if worth is None or worth.kind in self.train.closed:
            return False
        return worth.only_from is None or here in worth.only_from

    def _links(self, stop: Stop, is_station: bool) -> Iterator[tuple[Link, Stop]]:
        """Links from a stop to others, one for each piece of track at which such a link ends."""
        segments = self.graph.segments
        starts = [number for number in self.graph.segments_at.get(stop, ()) if self.is_free(number)]
        queue: list[tuple[Link, Stop | Side]] = [
            ((number,), self.graph.other_end(number, stop))
            for number in starts
            if is_station or not segments[number].is_terminal
        ]
        seen = {(link[-1], end) for link, end in queue}
        for link, end in queue:
            if isinstance(end, Stop):
                yield link, end
                continue
            for number in self.graph.next_segments(link[-1], end):
                state = (number, self.graph.other_end(number, end))
                if state not in seen and self.is_free(number):
                    seen.add(state)
                    queue.append(((*link, number), state[1]))

    # -- lines from spikes ----------------------------------------------------------------------------------

    def lines(self, reach: Reach) -> list[tuple[Stop, Link, Stop]]:
        """As many separate lines from spikes to own tokens of the network as there can be."""
        if not self.train.spiked or not any(self._kind(stop) in self.train.spiked for stop in reach.stops):
            return []
        return SpikeLines(self, reach).most_lines()

    def _kind(self, stop: Stop) -> str:
        return self.problem.values[stop].kind

    # -- the best lines -------------------------------------------------------------------------------------

    def network(self, station: Stop) -> FloodNetwork:
        reach = self.reach(station)
        lines = self.lines(reach)
        links = tuple((before, link, stop) for stop, (before, link) in reach.before.items())
        return FloodNetwork(reach.stops, links, tuple(lines), len(lines))

    def best_network(self) -> tuple[int, FloodNetwork | None]:
        """The network that earns most, the first token's if equal; nothing without a token."""
        best: tuple[int, FloodNetwork | None] = (0, None)
        seen: set[frozenset[Stop]] = set()
        for station in sorted(stop for stop in self.problem.own if stop in self.problem.values):
            if self._kind(station) in self.train.closed:
                continue
            self.check_time()
            network = self.network(station)
            stops = frozenset(network.stops)
            if stops in seen or len(stops) < 2:
                continue
            seen.add(stops)
            money = sum(money for _, money in flood_parts(self.problem, self.train, network.stops, network.spikes))
            if best[1] is None or money > best[0]:
                best = (money, network)
        return best


class SpikeLines:
    """The most separate lines from spikes to own tokens.

    Spikes are taken one after the other; a bound, the flow that is possible if a crossing could be used in both
    directions at once, nearly always says at once that no other choice is better.
    """

    def __init__(self, flooding: FloodRevenue, reach: Reach) -> None:
        self.flooding, self.problem, self.graph = flooding, flooding.problem, flooding.graph
        self.homes = {stop for stop in reach.stops if stop in self.problem.own}
        self.spikes = [
            (stop, number)
            for stop in sorted(reach.stops)
            if self.problem.values[stop].kind in flooding.train.spikes and stop not in self.homes
            for number in self.graph.segments_at.get(stop, ())
            if flooding.is_free(number)
        ]
        self.best: list[tuple[Stop, Link, Stop]] = []

    def most_lines(self) -> list[tuple[Stop, Link, Stop]]:
        self.ceiling = self._flow(0, frozenset())
        self._search(0, frozenset(), [])
        return self.best

    def _search(self, index: int, used: frozenset[Track], lines: list[tuple[Stop, Link, Stop]]) -> None:
        self.flooding.check_time()
        if len(lines) > len(self.best):
            self.best = list(lines)
        if index == len(self.spikes):
            return
        most = self._flow(index, used) if lines else self.ceiling
        if len(lines) + most <= len(self.best):
            return
        stop, number = self.spikes[index]
        for line, home in self._ways(stop, number, used):
            self._search(index + 1, used | self._track(line), [*lines, (stop, line, home)])
            if len(lines) + most <= len(self.best) or len(self.best) == self.ceiling:
                return
        self._search(index + 1, used, lines)

    def _track(self, line: Link) -> frozenset[Track]:
        segments = self.graph.segments
        return frozenset(line) | {end for number in line for end in segments[number].ends if isinstance(end, Side)}

    def _is_free(self, number: int, used: frozenset[Track]) -> bool:
        return (
            number not in used and self.flooding.is_free(number) and used.isdisjoint(self.graph.segments[number].ends)
        )

    def _ways(self, spike: Stop, number: int, used: frozenset[Track]) -> Iterator[tuple[Link, Stop]]:
        """Lines from a spike to the first own token on their way, none using track twice; short lines first."""
        if not self._is_free(number, used):
            return
        queue: list[tuple[Link, Stop | Side, frozenset[Track]]] = [
            ((number,), self.graph.other_end(number, spike), self._track((number,)))
        ]
        for line, end, own in queue:
            if end in self.homes:
                assert isinstance(end, Stop)
                yield line, end
                continue
            for following in self._next_segments(line[-1], end):
                if self._is_free(following, used) and following not in own:
                    there = self.graph.other_end(following, end)
                    if there not in own or isinstance(there, Stop):
                        queue.append(((*line, following), there, own | self._track((following,))))

    def _next_segments(self, number: int, end: Stop | Side) -> list[int]:
        """The pieces of track after one, not through stops at which lines end."""
        if isinstance(end, Stop):
            worth = self.problem.values.get(end)
            if worth is None or worth.kind in self.flooding.train.closed or self.problem.ends_at(end):
                return []
            if self.graph.segments[number].is_terminal:
                return []
        return [other for other in self.graph.next_segments(number, end) if not self._is_dead_end(other, end)]

    def _is_dead_end(self, number: int, end: Stop | Side) -> bool:
        return isinstance(end, Stop) and self.graph.segments[number].is_terminal

    def _flow(self, index: int, used: frozenset[Track]) -> int:
        """A number that the lines for the spikes from `index` on never exceed.

        It is the flow that is possible if each crossing could be used once in each direction.
        """
        room: dict[Node, dict[Node, int]] = {}
        queue: list[Node] = []

        def lead(here: Node, number: int, start: Stop | Side) -> None:
            """Room for any number of lines over a piece of track."""
            end = self.graph.other_end(number, start)
            there: Node = (end, self.graph.segments[number].hex) if isinstance(end, Side) else (end, "")
            if end in self.homes:
                there = HOMES
            elif there not in room:
                queue.append(there)
            _widen(room, here, there, WIDE)

        for stop, number in self.spikes[index:]:
            if self._is_free(number, used):
                _widen(room, SPIKES, (stop, str(number)), 1)
                lead((stop, str(number)), number, stop)
        for node in queue:
            end, hex_id = node
            way = node
            if isinstance(end, Side):
                way = (end, f"{hex_id} crossed")
                _widen(room, node, way, 1)
            for number in self.graph.segments_at[end]:
                if self._leads_on(number, end, hex_id) and self._is_free(number, used):
                    lead(way, number, end)
        return _most_flow(room)

    def _leads_on(self, number: int, end: Stop | Side, came_from: str) -> bool:
        if isinstance(end, Side):
            return self.graph.segments[number].hex != came_from
        return not self.graph.segments[number].is_terminal and end in self.problem.values and not self._stops_at(end)

    def _stops_at(self, stop: Stop) -> bool:
        return self.problem.ends_at(stop) or self._kind(stop) in self.flooding.train.closed

    def _kind(self, stop: Stop) -> str:
        return self.problem.values[stop].kind


Node = tuple[Stop | Side, str]
"""A stop, or a crossing with the space that lines come from."""

SPIKES: Node = (Stop(HexId(""), "spikes"), "")
HOMES: Node = (Stop(HexId(""), "homes"), "")
WIDE = 1 << 20


def _widen(room: dict[Node, dict[Node, int]], one: Node, other: Node, width: int) -> None:
    room.setdefault(one, {})[other] = width
    room.setdefault(other, {}).setdefault(one, 0)


def _most_flow(room: dict[Node, dict[Node, int]]) -> int:
    """The greatest flow from the spikes to the homes; `room` is used up."""
    flow = 0
    while SPIKES in room:
        came: dict[Node, Node] = {SPIKES: SPIKES}
        queue = [SPIKES]
        for node in queue:
            for other, width in room[node].items():
                if width and other not in came:
                    came[other] = node
                    queue.append(other)
        if HOMES not in came:
            break
        node = HOMES
        while node != SPIKES:
            room[came[node]][node] -= 1
            room[node][came[node]] += 1
            node = came[node]
        flow += 1
    return flow


# -- as routes ------------------------------------------------------------------------------------------


def flood_parts(
    problem: RouteProblem, train: TrainSpec, stops: Sequence[Stop], spikes: int
) -> tuple[tuple[str, int], ...]:
    """The revenue of a network in named parts: each spiked stop pays once for each spike, at least once."""
    paid = [stop for stop in stops if problem.values[stop].kind not in train.unpaid]
    pays = dict(stop_payments(problem, paid, train.scale))
    times = max(1, spikes)
    parts = {"stops": sum(money for stop, money in pays.items() if problem.values[stop].kind not in train.spiked)}
    for kind in sorted(train.spiked):
        money = times * sum(money for stop, money in pays.items() if problem.values[stop].kind == kind)
        if money:
            parts[f"{kind} x {times}" if times > 1 else kind] = money
    if train.base:
        parts["base"] = train.base
    return tuple((name, train.multiplier * money) for name, money in parts.items())


def flood_route(problem: RouteProblem, train: TrainSpec, network: FloodNetwork) -> Route:
    """The network as a route: the station first, `branches` the links in words, all track that is used."""
    segments = problem.graph.segments
    links = [*network.links, *network.lines]
    used = frozenset(number for _, link, _ in links for number in link)
    sides = frozenset(end for number in used for end in segments[number].ends if isinstance(end, Side))
    branches = tuple(dict.fromkeys(_words(problem, start, link) for start, link, _ in links))
    return Route(train.id, network.stops, (), sides, used, branches=branches)


def _words(problem: RouteProblem, start: Stop, link: Link) -> tuple[str, ...]:
    """The stops of a link and the spaces between them."""
    here: Stop | Side = start
    words = [f"{start.hex}.{start.node}"]
    for number in link:
        there = problem.graph.other_end(number, here)
        if isinstance(there, Stop):
            words.append(f"{there.hex}.{there.node}")
        elif isinstance(here, Side):
            words.append(problem.graph.segments[number].hex)
        here = there
    return tuple(words)


def network_over(problem: RouteProblem, train: TrainSpec, route: Route) -> FloodNetwork:
    """The stops that the track of a route joins to its first stop."""
    return FloodRevenue(problem, train, among=route.segments).network(route.stops[0])

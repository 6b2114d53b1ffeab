"""Best routes as one programme in whole numbers, for boards with more routes than can be listed.

Every train gets a variable for each link that it may use, for each stop that it visits, that it counts and at which its
route ends. Rows say what a route is; a closed round apart from the route, which they allow, is forbidden when it turns
up. Trains whose routes are all listed choose among these instead, which says more exactly what they may earn together.
The routes that come out are scored by the one revenue function, so the programme can at worst fail to prove.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import floor, gcd, inf

from bot.engine import HexId
from bot.engine.board import Side, Stop
from bot.engine.routes.candidates import RouteColumn, SearchBoard, route_along, route_of
from bot.engine.routes.revenue import Route, RouteProblem, TrackBonus, TrainSpec
from bot.engine.routes.revenue.score import score

from .conflict_masks import bits_of
from .earnings import Variables, earnings
from .links import Node, RouteLink, chain_links, chains_over, clusters, segment_links
from .milp import FEASIBLE, LinearProgram, Term

ROUNDS = 40
"""How often closed rounds are forbidden before whole numbers are asked for."""

UNBOUNDED = 1 << 30

NEAR = 0.98
"""The share of the bound that is nearly all of it."""

NONE: Mapping[tuple[object, ...], Sequence[RouteColumn]] = {}

COARSE = 0.05
"""The part of the bound that may be missing from whole numbers as long as closed rounds turn up."""

SHARES = (0.3, 0.5, 0.7, 0.9, 0.99)
"""The least use of links, of parts of routes, that are looked at for closed rounds."""


def can_model(problem: RouteProblem, by_pieces: bool = False) -> bool:
    """Whether the programme's sum, over chains or over single pieces of track, is exactly what routes earn."""
    if by_pieces and any(worth.only_from is not None for worth in problem.values.values()):
        return False
    running = [train for train in problem.trains if not train.gathers]
    if any(train.floods for train in running) or (problem.joint and any(train.earns_bonuses for train in running)):
        return False
    has_track = any(isinstance(bonus, TrackBonus) for bonus in problem.bonuses)
    return not any(train.distance_pay and train.unpaid and has_track for train in running)


@dataclass
class ListedRoutes:
    """Trains alike, a variable for each of their routes, and which of these are over each piece of track."""

    trains: list[TrainSpec]
    columns: dict[int, RouteColumn]
    over: dict[int, list[int]]


class IlpModel:
    """The search for the best routes of all trains that run. `best` and `bound` are there at any time. `listed` are all
    routes of some kinds of train, over chains."""

    def __init__(
        self,
        board: SearchBoard,
        by_pieces: bool = False,
        listed: Mapping[tuple[object, ...], Sequence[RouteColumn]] = NONE,
    ) -> None:
        self.board, self.problem = board, board.problem
        self.linear = LinearProgram()
        bits = board.contraction.bits
        self.links = segment_links(self.problem, bits) if by_pieces else chain_links(board)
        self.links_at: dict[tuple[Side, HexId], list[int]] = {}
        for number, link in enumerate(self.links):
            for node in (link.one, link.other):
                if isinstance(node, Side):
                    self.links_at.setdefault((node, self._hex_of(link)), []).append(number)
        self.best: list[Route] = []
        self.best_sum = 0
        self.bound: float = inf
        self.rounds = 0
        self.is_solved = False
        self.is_relaxed = False
        running = [train for train in self.problem.trains if not train.gathers]
        self.trains = [self._train(train) for train in running if train.kind not in listed]
        self.listed = [
            self._add_listed_routes([train for train in running if train.kind == kind], columns)
            for kind, columns in listed.items()
        ]
        self._separate_track()
        self._order_alike()
        self.step = self._step()

    def _hex_of(self, link: RouteLink) -> HexId:
        return self.problem.graph.segments[link.segments[0]].hex

    # -- the rows -----------------------------------------------------------------------------------------

    def _may_use(self, train: TrainSpec, link: RouteLink) -> bool:
        for here, there in ((link.one, link.other), (link.other, link.one)):
            worth = self.problem.values[here] if isinstance(here, Stop) else None
            if worth is not None and worth.kind in train.closed:
                return False
            if worth is not None and worth.only_from is not None and there not in worth.only_from:
                return False
        return True

    def _train(self, train: TrainSpec) -> Variables:
        add = self.linear.variable
        links = {number: add() for number, link in enumerate(self.links) if self._may_use(train, link)}
        nodes = {node for number in links for node in (self.links[number].one, self.links[number].other)}
        stops = sorted(node for node in nodes if isinstance(node, Stop))
        runs = add(train.base * train.multiplier if not train.runs_to else 0)
        visits, ends = {stop: add() for stop in stops}, {stop: add() for stop in stops}
        mine = Variables(train, runs, links, visits, {}, ends)
        self._way(mine)
        if train.runs_to:
            self._destination(mine)
            return mine
        self._add_counted_stops(mine)
        self._limits(mine)
        earnings(self.linear, self.problem, self.links, mine)
        return mine

    def _add_listed_routes(self, trains: list[TrainSpec], columns: Sequence[RouteColumn]) -> ListedRoutes:
        choice = {self.linear.variable(column.revenue): column for column in columns if column.one is not None}
        self.linear.add_upper_bound(len(trains), [(variable, 1) for variable in choice])
        over: dict[int, list[int]] = {}
        for variable, column in choice.items():
            for bit in bits_of(column.mask):
                over.setdefault(bit, []).append(variable)
        return ListedRoutes(trains, choice, over)

    def _way(self, mine: Variables) -> None:
        """One line from end to end: a stop visited has two links, one at an end."""
        linear, problem = self.linear, self.problem
        at: dict[Node, list[int]] = {}
        for number, variable in mine.links.items():
            link = self.links[number]
            for node, is_terminal in ((link.one, link.one_is_terminal), (link.other, link.other_is_terminal)):
                at.setdefault(node, []).append(variable)
                if is_terminal and isinstance(node, Stop):
                    linear.add_upper_bound(0, [(variable, 1), (mine.ends[node], -1)])
        for node in at:
            if isinstance(node, Side):
                linear.keep_at_zero(self._links_over(mine, node, node.a, 1) + self._links_over(mine, node, node.b, -1))
        linear.keep_at_zero([*((end, 1) for end in mine.ends.values()), (mine.runs, -2)])
        groups: dict[str, list[int]] = {}
        for stop, visit in mine.visits.items():
            linear.keep_at_zero([*((link, 1) for link in at[stop]), (visit, -2), (mine.ends[stop], 1)])
            linear.add_upper_bound(0, [(mine.ends[stop], 1), (visit, -1)])
            linear.add_upper_bound(0, [(visit, 1), (mine.runs, -1)])
            if problem.ends_at(stop):
                linear.add_upper_bound(0, [(visit, 1), (mine.ends[stop], -1)])
            groups.setdefault(problem.group_of(stop), []).append(visit)
        for group, members in groups.items():
            if group:
                linear.add_upper_bound(1, [(visit, 1) for visit in members])
        own = [(mine.visits[stop], 1.0) for stop in mine.visits if stop in problem.own]
        linear.keep_above_zero([*own, (mine.runs, -1)])
        needed = [(visit, 1.0) for stop, visit in mine.visits.items() if problem.values[stop].kind in mine.train.needs]
        if mine.train.needs and not mine.train.runs_to:
            linear.keep_above_zero([*needed, (mine.runs, -2)])

    def _links_over(self, mine: Variables, crossing: Side, space: HexId, factor: float) -> list[Term]:
        return [
            (mine.links[number], factor) for number in self.links_at.get((crossing, space), ()) if number in mine.links
        ]

    def _destination(self, mine: Variables) -> None:
        """From an own token to a stop with the tag; the two ends earn."""
        add, values, train = self.linear.variable, self.problem.values, mine.train
        starts, goals = [], []
        for stop, end in mine.ends.items():
            money = values[stop].pay(train.scale) * train.multiplier
            terms: list[Term] = [(end, -1)]
            if stop in self.problem.own:
                starts.append(add(money))
                terms.append((starts[-1], 1))
            if train.runs_to in values[stop].tags:
                goals.append(add(money))
                terms.append((goals[-1], 1))
            self.linear.keep_at_zero(terms)
        for variables in (starts, goals):
            self.linear.keep_at_zero([*((variable, 1) for variable in variables), (mine.runs, -1)])

    def _add_counted_stops(self, mine: Variables) -> None:
        """Which stops count: all that are paid, unless their kind is optional."""
        linear, train = self.linear, mine.train
        for stop, visit in mine.visits.items():
            kind = self.problem.values[stop].kind
            if kind in train.unpaid:
                continue
            mine.counts[stop] = visit
            if kind in train.optional:
                mine.counts[stop] = linear.variable()
                linear.add_upper_bound(0, [(mine.counts[stop], 1), (visit, -1)])
                if train.counts_ends:
                    linear.add_upper_bound(0, [(mine.ends[stop], 1), (mine.counts[stop], -1)])
        if train.optional and train.counts_token:
            own = [(count, 1.0) for stop, count in mine.counts.items() if stop in self.problem.own]
            linear.keep_above_zero([*own, (mine.runs, -1)])

    def _limits(self, mine: Variables) -> None:
        for limit in mine.train.all_limits:
            terms: list[Term] = []
            for stop, visit in mine.visits.items():
                kind = self.problem.values[stop].kind
                if kind in limit.kinds:
                    used = visit if kind not in mine.train.optional else mine.counts.get(stop)
                    terms += [(used, 1)] if used is not None else []
            for number, variable in mine.links.items():
                link = self.links[number]
                length = link.gauge_changes * limit.gauge_changes + link.spaces * limit.spaces
                terms.append((variable, length))
            terms.append((mine.runs, int(limit.spaces)))
            self.linear.add_upper_bound(limit.most, terms)

    # -- several trains -------------------------------------------------------------------------------------

    def _separate_track(self) -> None:
        """No track used twice: by one route, or by two trains of a track set; trains may share some crossings."""
        bits = self.board.contraction.bits
        shared = {bits[end] for end in self.problem.shared if end in bits}
        for bit in bits.values():
            users = [number for number, link in enumerate(self.links) if link.mask >> bit & 1]
            sets: dict[str, list[Term]] = {}
            for place, mine in enumerate(self.trains):
                name = f"{place}" if bit in shared else f"of {mine.train.track}"
                sets.setdefault(name, []).extend((mine.links[n], 1) for n in users if n in mine.links)
            for some in self.listed if bit not in shared else ():
                ways = some.over.get(bit, ())
                sets.setdefault(f"of {some.trains[0].track}", []).extend((variable, 1) for variable in ways)
            for terms in sets.values():
                if len(terms) > 1:
                    self.linear.add_upper_bound(1, terms)

    def _order_alike(self) -> None:
        """The first of trains alike has the higher stops, so that no choice is looked at twice."""
        for number, later in enumerate(self.trains):
            earlier = next((one for one in self.trains[:number][::-1] if one.train.kind == later.train.kind), None)
            if earlier is not None and earlier.visits:
                worth = self.problem.values
                terms = [(visit, worth[stop].revenue) for stop, visit in earlier.visits.items()]
                terms += [(visit, -worth[stop].revenue) for stop, visit in later.visits.items()]
                self.linear.keep_above_zero(terms)

    def _step(self) -> int:
        """A number that all sums are multiples of."""
        return max(1, gcd(*(int(worth) for worth in self.linear.worth)))

    # -- solving --------------------------------------------------------------------------------------------

    @property
    def ceiling(self) -> int:
        """The bound as a sum of money; more than any company earns as long as there is none."""
        return int(min(self.bound, UNBOUNDED))

    def is_near(self, found: int) -> bool:
        """Whether nearly all of the bound has been found: then stopping would only mean to begin anew."""
        return max(found, self.best_sum) >= NEAR * self.ceiling

    def run(self, seconds: float, left: Callable[[], float], found: int = 0) -> bool:
        """Solve, at most for the given seconds of the solver unless the proof is near, and as long as any are `left`;
        whether it is proven that no routes earn more than the best, or than is `found` already.

        When the time is over the best and the bound are what was found; it may be run again. `is_solved` means that
        more time would not help.
        """
        if not (self.trains or self.listed) or not self.links:
            self.bound, self.is_solved = 0, True
            return True
        until = self.linear.spent + seconds

        def spare() -> float:
            return left() if self.is_near(found) else min(until - self.linear.spent, left())

        return self._relax(spare, found) and (self.bound <= found or self._solve(spare, found))

    def _relax(self, spare: Callable[[], float], found: int) -> bool:
        """Forbid rounds of parts of routes; whether time is left."""
        rounds = 0 if self.is_relaxed else ROUNDS
        for _ in range(rounds):
            solution = self.linear.solve_relaxed(spare())
            if not solution.is_best:
                return False
            self._lower(solution.bound)
            if self.bound <= found:
                return True
            if not self._forbid_rounds(solution.values, SHARES):
                break
        self.is_relaxed = True
        return True

    def _solve(self, spare: Callable[[], float], found: int) -> bool:
        final = self.step - 0.5
        gap = max(final, self.bound * COARSE)
        while spare() > 0:
            self.rounds += 1
            solution = self.linear.solve_whole(gap, spare(), max(found, self.best_sum) + final)
            self._lower(solution.bound)
            if solution.values:
                self._improve(solution.values)
            if max(found, self.best_sum) >= self.bound:
                self.is_solved = True
                return True
            if solution.values and self._forbid_rounds(solution.values, (0.5,)):
                continue
            if gap == final:
                self.is_solved = solution.is_best
                return False
            gap = final
        return False

    def _lower(self, bound: float) -> None:
        if bound < inf:
            self.bound = min(self.bound, self.step * floor(bound / self.step + FEASIBLE))

    def _improve(self, values: Sequence[float]) -> None:
        routes = [route for mine in self.trains if (route := self._route(mine, values)) is not None]
        for some in self.listed:
            chosen = [column for variable, column in some.columns.items() if values[variable] > 0.5]
            routes += [route_of(one.one, one.other, train) for one, train in zip(chosen, some.trains, strict=False)]
        earned = score(self.problem, routes).revenue
        if earned > self.best_sum:
            self.best, self.best_sum = routes, earned

    def _route(self, mine: Variables, values: Sequence[float]) -> Route | None:
        """The line from end to end, without closed rounds apart from it."""
        used = [self.links[number] for number, variable in mine.links.items() if values[variable] > 0.5]
        ends = [stop for stop, variable in mine.ends.items() if values[variable] > 0.5]
        if len(ends) != 2:
            return None
        here: Node = ends[0]
        way: list[RouteLink] = []
        while here != ends[1]:
            link = next((link for link in used if self._leads_on(way[-1:], link, here)), None)
            if link is None:
                return None
            used.remove(link)
            way.append(link)
            here = link.far_end(here)
        chains = chains_over(self.board.contraction, ends[0], way)
        if not self.problem.own.intersection([ends[0], *(chain.end for chain in chains)]):
            return None
        return route_along(chains, mine.train)

    def _leads_on(self, before: Sequence[RouteLink], link: RouteLink, here: Node) -> bool:
        """Whether a link goes on from here, at a crossing into the next space."""
        if here not in (link.one, link.other):
            return False
        return isinstance(here, Stop) or self._hex_of(link) != self._hex_of(before[0])

    def _forbid_rounds(self, values: Sequence[float], shares: Sequence[float]) -> bool:
        """Rows against sets of stops that are visited though no route leads out of them or ends there."""
        added = False
        for mine in self.trains:
            for stops in set(self._clusters(mine, values, shares)):
                added = self._forbid(mine, stops, values) or added
        return added

    def _clusters(self, mine: Variables, values: Sequence[float], shares: Sequence[float]) -> Iterator[frozenset[Node]]:
        used = [(self.links[n], values[variable]) for n, variable in mine.links.items() if values[variable] > FEASIBLE]
        for share in (FEASIBLE, *shares):
            yield from clusters(link for link, value in used if value >= share)

    def _forbid(self, mine: Variables, nodes: frozenset[Node], values: Sequence[float]) -> bool:
        """Each stop of the set is visited only if the route leads out of the set, or ends in it, twice."""
        out: list[Term] = [(mine.ends[node], 1) for node in nodes if isinstance(node, Stop)]
        for number, variable in mine.links.items():
            link = self.links[number]
            if (link.one in nodes) != (link.other in nodes):
                out.append((variable, 1))
        leading = sum(values[variable] for variable, _ in out)
        visits = [self._visit(mine, node) for node in sorted(nodes, key=str)]
        hidden = [visit for visit in visits if sum(-values[n] * factor for n, factor in visit) > leading + 1e-4]
        for visit in hidden[:4]:
            self.linear.keep_above_zero([*out, *visit])
        return bool(hidden)

    def _visit(self, mine: Variables, node: Node) -> list[Term]:
        return [(mine.visits[node], -2)] if isinstance(node, Stop) else self._links_over(mine, node, node.a, -2)

"""What a company can reach: stops, crossings, track (1848 §7.4.1, §7.7.4).

A walk uses no crossing and no stop twice, and so no piece of track either; it never turns back at a junction. A search
that forgets where it has been reaches a little more than such walks do: round a loop and back. So there are three
searches over the graph's points: shortest walks that repeat nothing (certain), walks that may repeat themselves (all that
could be), and, where these differ, an exact one.

The exact one is Edmonds' search for alternating paths: pairs of points are the matched edges, and a walk that uses no
pair twice is an alternating path. Loops of odd length ("blossoms") are shrunk to one point, which tells that they can be
run in either direction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from bot.engine.ids import HexId

from .track import Points, Side, Stop, TrackGraph

UNSEEN, OUTER, INNER, USED = 0, 1, 2, 3


@dataclass(frozen=True)
class Network:
    """Everything within reach: stops, crossings, and the numbers of the segments that lead on from them.

    `arrivals` are the crossings with the space that is reached by them, `blocked` the stops that let nothing through
    although they are no termini.
    """

    stops: frozenset[Stop]
    sides: frozenset[Side]
    segments: frozenset[int]
    arrivals: frozenset[tuple[Side, HexId]]
    blocked: frozenset[Stop] = field(default=frozenset(), compare=False)

    @cached_property
    def spaces(self) -> frozenset[HexId]:
        """The spaces that walks come to, or begin at: on no other does it depend what lies there."""
        return frozenset([space for _, space in self.arrivals] + [stop.hex for stop in self.stops])


def network(
    graph: TrackGraph,
    sources: Iterable[Stop],
    blocked: Iterable[Stop] = (),
    apart: Sequence[frozenset[Stop]] | None = None,
) -> Network:
    """What can be reached from these stops. A blocked stop or a terminus is reached but not passed. Of the stops of each
    group in `apart` a walk visits one at most; without it, of those of the graph's own groups."""
    starts = list(dict.fromkeys(sources))
    found = _Found(graph, _closed(graph, blocked), graph.apart if apart is None else apart)
    for start in starts:
        found.add_walks_from(start)
    reached = graph.points.reached
    # The first point of a crossing is the one within its space `a`.
    arrivals = [(end, (end.a, end.b)[point & 1]) for point in found.crossed if isinstance(end := reached[point], Side)]
    stops = found.stops_among(found.crossed).union(starts)
    return Network(
        stops,
        frozenset(end for end, _ in arrivals),
        frozenset(found.segments),
        frozenset(arrivals),
        stops.intersection(blocked),
    )


class _Found:
    """What has been found so far: the points that walks cross to and the segments that lead on.

    `told` are the points crossed to of which all segments that lead on are known: walks that could only come to these
    are not looked for any more.
    """

    def __init__(self, graph: TrackGraph, closed: frozenset[int], apart: Sequence[frozenset[Stop]]) -> None:
        self.graph, self.points, self.closed, self.apart = graph, graph.points, closed, apart
        self.uses, self.arrivals = _grouped(graph.points, apart)
        self.crossed: set[int] = set()
        self.told: set[int] = set()
        self.segments: set[int] = set()

    def stops_among(self, crossed: set[int]) -> frozenset[Stop]:
        """The stops that walks come to which cross to these points."""
        reached = self.points.reached
        return frozenset(end for point in crossed if isinstance(end := reached[point], Stop))

    def _not_with(self, start: Stop) -> frozenset[Stop]:
        """The stops that a walk from this one does not visit."""
        return frozenset().union(*(group - {start} for group in self.apart if start in group))

    def _beginning(self, start: Stop, avoided: frozenset[Stop]) -> tuple[list[int], list[int]]:
        """The first ways of walks from a stop, and the points that they do not come to."""
        of_stop, beside = self.points.of_stop, self.points.beside
        ways = [way for point in of_stop.get(start, [])[:-1] for way in beside[point]]
        return ways, [point for stop in (start, *avoided) for point in of_stop.get(stop, [])]

    def add_walks_from(
        self, start: Stop, avoided: frozenset[Stop] = frozenset(), within: set[int] | None = None
    ) -> None:
        """Add what walks from one stop come to which do not come back to it and keep away from some stops. What they
        cross to is known to lie `within` some points.

        Where it is not certain that walks may come to all the same although they visit one stop of each group, all but
        one of a group are avoided, each way in turn."""
        points, closed = self.points, self.closed
        avoided |= self._not_with(start)
        ways, barred = self._beginning(start, avoided)
        self.segments.update(number for point in points.of_stop.get(start, [])[:-1] for number in points.leading[point])
        could_be = _loose_reach(points, closed, ways, barred)
        if within is not None:
            could_be &= within
        if could_be <= self.told:
            return
        left_out = frozenset(number for stop in avoided for number in self.graph.at.get(stop, ()))
        found = _certain_reach(points, self.uses, closed, ways, barred)
        self._add(found, left_out)
        more = could_be - found
        if more <= self.told or (more.isdisjoint(self.arrivals) and _says_the_same(points, found, could_be)):
            return
        found = _Blossoms(points, closed, ways, barred).outer()
        if found <= self.told:
            return
        reached = {points.reached[point] for point in found}
        for group in self.apart:
            together = group & reached
            if len(together) > 1:
                for kept in sorted(together):
                    self.add_walks_from(start, avoided | (group - {kept}), found)
                return
        self._add(found, left_out)

    def _add(self, found: set[int], left_out: frozenset[int]) -> None:
        """Add these points and the segments that lead on from there, but for some."""
        leading = self.points.leading
        self.crossed |= found
        self.told |= {point for point in found if left_out.isdisjoint(leading[point])} if left_out else found
        self.segments.update(number for point in found for number in leading[point] if number not in left_out)


def _closed(graph: TrackGraph, blocked: Iterable[Stop]) -> frozenset[int]:
    """The points that a walk may cross to but does not leave: within stops that let nothing through."""
    of_stop = graph.points.of_stop
    return graph.final.union(outer + 1 for stop in blocked for outer in of_stop.get(stop, [])[:-1])


def _grouped(points: Points, apart: Sequence[frozenset[Stop]]) -> tuple[list[int], frozenset[int]]:
    """What crossing to each point uses up, with a bit more for each group that the stop there is in; the points that
    cross to such stops."""
    if not apart:
        return points.uses, frozenset()
    uses, arrivals = points.uses.copy(), set()
    for number, group in enumerate(apart, len(uses)):
        for point in (outer + 1 for stop in group for outer in points.of_stop.get(stop, [])[:-1]):
            uses[point] |= 1 << number
            arrivals.add(point)
    return uses, frozenset(arrivals)


def _certain_reach(
    points: Points, uses: list[int], closed: frozenset[int], ways: list[int], barred: list[int]
) -> set[int]:
    """The points that shortest walks cross to which use nothing twice, and nothing that is barred."""
    onward = points.onward
    reached: set[int] = set()
    before = sum(1 << (pair >> 1) for pair in barred)
    queue = [(way, before) for way in ways]
    for way, used in queue:
        point = way ^ 1
        if point in reached or used & uses[point]:
            continue
        reached.add(point)
        if point not in closed:
            used |= uses[point]
            queue += [(following, used) for following in onward[point]]
    return reached


def _loose_reach(points: Points, closed: frozenset[int], ways: list[int], barred: list[int]) -> set[int]:
    """The points that walks cross to which may repeat themselves, but do not come to what is barred."""
    onward = points.onward
    reached = {point for pair in barred for point in (pair, pair + 1)}
    queue = list(ways)
    for way in queue:
        point = way ^ 1
        if point not in reached:
            reached.add(point)
            if point not in closed:
                queue += onward[point]
    return reached.difference(point for pair in barred for point in (pair, pair + 1))


def _says_the_same(points: Points, found: set[int], could_be: set[int]) -> bool:
    """Whether both sets of points, the first within the second, mean the same stops, crossings and segments."""
    more = could_be - found
    if not more:
        return True
    reached, leading = points.reached, points.leading
    ends = {None, *(reached[point] for point in found)}
    segments = {number for point in found for number in leading[point]}
    return all(reached[point] in ends and segments.issuperset(leading[point]) for point in more)


class _Blossoms:
    """One run of Edmonds' search. A point is outer when a walk has crossed to it, inner when it was crossed from.

    `base` leads from a point towards the outer point that its blossom was shrunk to, `came_from` from an inner point to
    the outer one whose track led there.
    """

    def __init__(self, points: Points, closed: frozenset[int], ways: list[int], barred: list[int]) -> None:
        size = len(points.beside)
        self.root = size
        self.beside = [*points.beside, ways]
        self.closed = closed
        self.mark = bytearray(size + 2)
        for pair in barred:
            self.mark[pair] = self.mark[pair + 1] = USED
        self.mark[self.root] = OUTER
        self.base = list(range(size + 2))
        self.came_from = [self.root] * (size + 2)
        self.queue = [self.root]

    def outer(self) -> set[int]:
        """Run the search."""
        mark, base_of = self.mark, self.base_of
        for point in self.queue:
            if point in self.closed:
                continue
            for way in self.beside[point]:
                if mark[way] == UNSEEN:
                    mark[way], mark[way ^ 1] = INNER, OUTER
                    self.came_from[way] = point
                    self.queue.append(way ^ 1)
                elif mark[way] == OUTER and base_of(point) != base_of(way):
                    self.shrink(base_of(point), base_of(way))
        return {point for point in self.queue if point != self.root}

    def base_of(self, point: int) -> int:
        """The outer point that stands for the point's blossom, or the point itself."""
        base = self.base
        while base[point] != point:
            base[point] = point = base[base[point]]
        return point

    def shrink(self, first: int, second: int) -> None:
        """Two outer points that stand for themselves, or for blossoms, are beside each other: make one of the loop through
        both."""
        upward = {first}
        point = first
        while point != self.root:
            point = self.base_of(self.came_from[point ^ 1])
            upward.add(point)
        meeting = second
        while meeting not in upward:
            meeting = self.base_of(self.came_from[meeting ^ 1])
        for point in (first, second):
            while point != meeting:
                inner = point ^ 1
                above = self.base_of(self.came_from[inner])
                self.base[point] = self.base[inner] = meeting
                self.mark[inner] = OUTER
                self.queue.append(inner)
                point = above

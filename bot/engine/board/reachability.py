"""The reach of a company: stops, crossings, track (1848 §7.4.1, §7.7.4).

A walk uses no crossing and no stop twice, and so no piece of track either; it never turns back at a junction. The search
is Edmonds' for alternating paths, over the graph's points: their pairs are the matched edges, and a walk that uses no
pair twice is an alternating path. Loops of odd length ("blossoms") are shrunk to one point, which tells that they can be
run in either direction.

Such a search can go on: where track is added, only what is new must be looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count

from bot.engine.ids import HexId

from .track import Change, Points, Side, Stop, TrackGraph

UNSEEN, OUTER, INNER, USED = 0, 1, 2, 3
ROOT = 0
"""The point at which walks begin."""

NUMBERS = count()
"""One for each network that is asked for its number."""


@dataclass(frozen=True)
class Network:
    """Everything within reach: stops, crossings, and the numbers of the segments that lead on from them.

    `arrivals` are the crossings with the space that is reached by them, `blocked` the stops that let nothing through
    although they are no termini.
    """

    stops: frozenset[Stop]
    segments: frozenset[int]
    arrivals: frozenset[tuple[Side, HexId]]
    blocked: frozenset[Stop] = field(default=frozenset(), compare=False)

    @cached_property
    def number(self) -> int:
        """No other that was found in this process has it."""
        return next(NUMBERS)

    @cached_property
    def crossings(self) -> frozenset[Side]:
        return frozenset([crossing for crossing, _ in self.arrivals])

    @cached_property
    def hexes(self) -> frozenset[HexId]:
        """The spaces that walks come to. On no other space anything of it depends."""
        return frozenset([space for _, space in self.arrivals]).union([stop.hex for stop in self.stops])

    @cached_property
    def arrivals_by_hex(self) -> dict[HexId, frozenset[Stop | Side]]:
        """The points of walks on each hex: crossings into it, and stops."""
        found: dict[HexId, set[Stop | Side]] = {}
        for crossing, space in self.arrivals:
            found.setdefault(space, set()).add(crossing)
        for stop in self.stops:
            found.setdefault(stop.hex, set()).add(stop)
        return {space: frozenset(ends) for space, ends in found.items()}


class Reachability:
    """All that walks from one of some stops come to which keep away from the others, and from those `avoided`. One that is
    made never changes.

    Every point that a walk comes to past another of the `starts` is also reached by a walk from there: one search is
    enough for all of them. A point is outer when a walk has crossed to it, inner when it was crossed from; all track of
    `outer` has been looked at, except that of the `closed`, which walks do not leave. `base` leads from a point towards
    the outer point that its blossom was shrunk to, `came_from` from an inner point to the outer point whose track led
    there. `waiting` are outer points where track has been added since.
    """

    def __init__(
        self, points: Points, starts: frozenset[Stop], avoided: frozenset[Stop], closed: frozenset[int]
    ) -> None:
        self.starts, self.avoided, self.closed = starts, avoided, closed
        self.mark = bytearray([OUTER, USED])
        self.base, self.came_from = [ROOT, 1], [ROOT, ROOT]
        self.outer: frozenset[int] = frozenset()
        self.waiting: frozenset[int] = frozenset([ROOT])
        self._search(points)

    def with_change(self, change: Change, changed: Collection[HexId]) -> Reachability | None:
        """The same where the track of some spaces has changed; None if too much of it is gone."""
        mark = self.mark
        for point in change.lost:
            if point < len(mark) and (mark[point] or mark[point ^ 1]):
                return None
        waiting = change.grown & self.outer
        for start in self.starts:
            if start.hex in changed:
                waiting.add(ROOT)
        if waiting <= self.waiting:
            return self
        walks = copy(self)
        walks.waiting = self.waiting | waiting
        return walks

    def is_compatible(self, avoided: frozenset[Stop], closed: frozenset[int]) -> bool:
        """Whether these walks keep away from these stops, and leave no closed point."""
        return self.avoided == avoided and self.outer.isdisjoint(closed - self.closed)

    def resume(self, points: Points, closed: frozenset[int]) -> Reachability:
        """The points that they come to now, where they `fit`."""
        waiting = self.waiting | (self.outer & (self.closed - closed))
        if closed == self.closed and not waiting:
            return self
        walks = self._copy() if waiting else copy(self)
        walks.closed, walks.waiting = closed, waiting
        if waiting:
            walks._search(points)
        return walks

    def with_entry(self, points: Points, stops: Collection[Stop]) -> Reachability:
        """The same where some stops are no longer avoided."""
        walks = self._copy()
        walks.avoided = self.avoided.difference(stops)
        walks.waiting = self.waiting.union(*(self._entry_points(points, stop) for stop in stops))
        for point in [point for stop in stops for point in points.of_stop.get(stop, ()) if point < len(walks.mark)]:
            walks.mark[point] = walks.mark[point + 1] = UNSEEN
        walks._search(points)
        return walks

    def _entry_points(self, points: Points, stop: Stop) -> Iterator[int]:
        own = self._start_points(points)
        for outer in points.of_stop.get(stop, ()):
            for point in points.beside[outer]:
                if point in own:
                    yield ROOT
                elif point in self.outer and point not in self.closed:
                    yield point

    def _start_points(self, points: Points) -> list[int]:
        return [point for start in sorted(self.starts) for point in points.of_stop.get(start, ())]

    def _copy(self) -> Reachability:
        walks = copy(self)
        walks.mark, walks.base, walks.came_from = self.mark[:], self.base[:], self.came_from[:]
        return walks

    def _search(self, points: Points) -> None:
        old, new = len(self.mark), len(points.beside)
        self.mark.extend(bytes(new - old))
        self.base.extend(range(old, new))
        self.came_from.extend([ROOT] * (new - old))
        for stop in (*self.starts, *self.avoided):
            for point in points.of_stop.get(stop, ()):
                self.mark[point] = self.mark[point + 1] = USED
        self.queue = sorted(self.waiting)
        self._look_at_all(points)
        self.outer = self.outer.union(self.queue)
        self.waiting = frozenset()

    def _look_at_all(self, points: Points) -> None:
        mark, beside, base, base_of = self.mark, points.beside, self.base, self._base_of
        came_from, queue, closed = self.came_from, self.queue, self.closed
        first = [way for point in self._start_points(points) for way in beside[point]]
        for point in queue:
            if point in closed:
                continue
            for way in beside[point] or (() if point else first):
                if mark[way] == UNSEEN:
                    mark[way], mark[way ^ 1] = INNER, OUTER
                    came_from[way] = point
                    queue.append(way ^ 1)
                elif mark[way] == OUTER and base[point] != base[way]:
                    one, other = base[point], base[way]
                    if base[one] != one or base[other] != other:
                        one, other = base_of(one), base_of(other)
                    if one != other:
                        self._shrink(one, other)

    def _base_of(self, point: int) -> int:
        """The outer point that stands for the point's blossom, or the point itself."""
        base = self.base
        while base[point] != point:
            base[point] = point = base[base[point]]
        return point

    def _shrink(self, first: int, second: int) -> None:
        """Two outer points that stand for themselves, or for blossoms, are beside each other: make one of the loop through
        both."""
        meeting = self._find_meeting(first, second)
        for point in (first, second):
            while point != meeting:
                inner = point ^ 1
                above = self._base_of(self.came_from[inner])
                self.base[point] = self.base[inner] = meeting
                self.mark[inner] = OUTER
                self.queue.append(inner)
                point = above

    def _find_meeting(self, one: int, other: int) -> int:
        """The point where the ways back to the root meet, from both in turns."""
        passed: set[int] = set()
        base, came_from = self.base, self.came_from
        while one not in passed:
            passed.add(one)
            if one != ROOT:
                one = base[came_from[one ^ 1]]
                if base[one] != one:
                    one = self._base_of(one)
            if other != ROOT or one == ROOT:
                one, other = other, one
        return one


Find = Callable[[frozenset[Stop], frozenset[Stop]], Reachability]
"""The walks from some stops that keep away from some others."""


class _Found:
    """The points that walks have come to so far, and the segments that lead on from there; `apart` are the segments at
    each stop of the groups, with the points from which they lead."""

    def __init__(self, graph: TrackGraph, groups: Sequence[frozenset[Stop]]) -> None:
        self.points = graph.points
        self.apart = {
            stop: (self.points.points_around(stop), frozenset(graph.segments_at.get(stop, ())))
            for group in groups
            for stop in group
        }
        self.at_apart = frozenset().union(*(segments for _, segments in self.apart.values()))
        self.crossed: frozenset[int] = frozenset()
        self.stops: set[Stop | None] = {None}
        self.arrivals: set[tuple[Side, HexId] | None] = {None}
        self.segments: set[int] = set()

    def add(self, walks: Reachability) -> None:
        """The points that these walks come to."""
        new = walks.outer - self.crossed if self.crossed else walks.outer
        self.crossed |= new
        self.stops.update(map(self.points.stops.__getitem__, new))
        self.arrivals.update(map(self.points.arrivals.__getitem__, new))
        if self.apart:
            self.segments |= self._segments_towards(new) - self.at_apart
            self.segments |= self._group_segments(walks)
        else:
            self.segments.update(*map(self.points.leading.__getitem__, new))

    def holds(self, walks: Reachability) -> bool:
        """Whether these walks, and those that keep away from more, come to nothing else. Stops, arrivals and what leads to the
        stops of the groups tell it: all other track leads on from a stop or from where one arrives."""
        if not self.crossed:
            return False
        new = walks.outer - self.crossed
        return (
            self.stops.issuperset(map(self.points.stops.__getitem__, new))
            and self.arrivals.issuperset(map(self.points.arrivals.__getitem__, new))
            and self.segments >= self._group_segments(walks)
        )

    def _segments_towards(self, points: Collection[int]) -> set[int]:
        return set().union(*map(self.points.leading.__getitem__, points))

    def _group_segments(self, walks: Reachability) -> set[int]:
        """The segments at stops of the groups, except those at stops that the walks avoid."""
        found, avoided = set[int](), set[int]()
        for stop, (around, segments) in self.apart.items():
            if stop in walks.avoided:
                avoided |= segments
            else:
                found |= self._segments_towards(walks.outer & around) & segments
        return found - avoided


def network(
    graph: TrackGraph,
    sources: Iterable[Stop],
    blocked: Iterable[Stop] = (),
    apart: Sequence[frozenset[Stop]] | None = None,
    find: Find | None = None,
) -> Network:
    """The part of the board that can be reached from these stops. A blocked stop or a terminus is reached but not
    passed. A walk visits at most one of the stops of each group in `apart`; without it, of the graph's own groups.
    Where walks are kept, `find` gives them."""
    points, groups = graph.points, graph.exclusive_groups if apart is None else apart
    closed = frozenset(blocked)
    find = find or fresh_search(points, closed)
    starts, grouped = frozenset(sources), frozenset().union(*groups)
    found = _Found(graph, groups)
    found.segments.update(*(points.leading[point] for start in starts for point in points.of_stop.get(start, ())))
    for begun in (starts - grouped, *(frozenset([start]) for start in sorted(starts & grouped))):
        if begun:
            _walk(begun, closed, groups, find, found)
    stops = frozenset(filter(None, found.stops)).union(starts)
    return Network(stops, frozenset(found.segments), frozenset(filter(None, found.arrivals)), stops & closed)


def fresh_search(points: Points, blocked: Iterable[Stop]) -> Find:
    closed = closed_points(points, blocked)
    return lambda starts, avoided: Reachability(points, starts, avoided, closed)


def closed_points(points: Points, blocked: Iterable[Stop]) -> frozenset[int]:
    """The points that a walk may cross to but does not leave: within stops that let nothing through."""
    of_stop = points.of_stop
    return frozenset([outer + 1 for stop in blocked for outer in of_stop.get(stop, ())])


def _walk(
    starts: frozenset[Stop], blocked: frozenset[Stop], groups: Sequence[frozenset[Stop]], find: Find, found: _Found
) -> None:
    """Adds the walks from some stops that visit one stop of each group. If they could visit several since they go on
    from some of these, all are avoided; then the walks go on through one of those, each way in turn, and once through
    all others."""
    points = found.points
    own = frozenset().union(*(group - starts for group in groups if not group.isdisjoint(starts)))
    every = find(starts, own)
    if found.holds(every):
        return
    others = [group for group in groups if group.isdisjoint(starts)]
    undecided = [group for group, _, _ in _multi_stop_groups(points, blocked, every, others)]
    if undecided:
        _walk_apart(blocked, find(starts, own.union(*undecided)), every, undecided, found)
    else:
        found.add(every)


def _multi_stop_groups(
    points: Points, blocked: frozenset[Stop], walks: Reachability, groups: Sequence[frozenset[Stop]]
) -> list[tuple[frozenset[Stop], set[Stop], set[Stop]]]:
    """The groups of which walks visit several stops, with those from which they go on, and the others."""
    found = []
    for group in groups:
        visited = {stop for stop in group if not walks.outer.isdisjoint(_inner_points(points, stop))}
        passed = {stop for stop in visited if stop not in blocked and points.leads_on(stop)}
        if len(visited) > 1 and passed:
            found.append((group, passed, visited - passed))
    return found


def _walk_apart(
    blocked: frozenset[Stop], none: Reachability, every: Reachability, groups: Sequence[frozenset[Stop]], found: _Found
) -> None:
    """Adds those between the walks through `none` of the groups and through `every` stop of them."""
    points, undecided = found.points, _multi_stop_groups(found.points, blocked, every, groups)
    if not undecided:
        found.add(every)
        return
    (first, passed, others), *later = undecided
    left = [group for group, _, _ in later]
    free = frozenset().union(*groups).difference(first, *left)
    for entered in (*({stop} for stop in sorted(passed)), others):
        if entered and not found.holds(every):
            fewer = none.with_entry(points, free | entered)
            more = fewer.with_entry(points, frozenset().union(*left)) if left else fewer
            if not found.holds(more):
                _walk_apart(blocked, fewer, more, left, found)


def _inner_points(points: Points, stop: Stop) -> list[int]:
    return [outer + 1 for outer in points.of_stop.get(stop, ())]

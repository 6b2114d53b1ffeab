"""The parts that the programme chooses from: chains, or single pieces of track if there are too many chains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bot.engine.board import Side, Stop, TrackGraph
from bot.engine.routes.candidates import SearchBoard
from bot.engine.routes.candidates.chains import Chain, Contraction
from bot.engine.routes.revenue import RouteProblem, TrackBonus

Node = Stop | Side


@dataclass(frozen=True)
class RouteLink:
    """Track between two nodes. A crossing's space, change of gauge and bit belong to the link in its first space, so
    that they are counted once."""

    one: Node
    other: Node
    segments: tuple[int, ...]
    sides: tuple[Side, ...]
    mask: int
    spaces: int
    gauge_changes: int
    marks: int
    one_is_terminal: bool
    other_is_terminal: bool

    def far_end(self, node: Node) -> Node:
        return self.other if node == self.one else self.one


def chain_links(board: SearchBoard) -> list[RouteLink]:
    """Every chain once, in one direction."""
    found: dict[object, RouteLink] = {}
    for chains in board.chains.values():
        for chain in chains:
            key = (chain.mask, frozenset((chain.start, chain.end)), chain.marks)
            if key not in found:
                found[key] = RouteLink(
                    chain.start,
                    chain.end,
                    chain.segments,
                    chain.sides,
                    chain.mask,
                    len(chain.sides),
                    chain.gauge_changes,
                    chain.marks,
                    chain.starts_terminal,
                    chain.ends_terminal,
                )
    return list(found.values())


def segment_links(problem: RouteProblem, bits: dict[Side | int, int]) -> list[RouteLink]:
    """Every piece of track that could be reached from an own token. `bits` are added to."""
    graph = problem.graph
    specials = [bonus.segments for bonus in problem.bonuses if isinstance(bonus, TrackBonus)]
    queue: list[Node] = [stop for stop in sorted(problem.own) if stop in problem.values]
    seen: set[Node] = set(queue)
    used: dict[int, None] = {}
    for node in queue:
        for number in graph.segments_at.get(node, ()):
            end = graph.other_end(number, node)
            if end == node or (isinstance(end, Stop) and end not in problem.values):
                continue
            used[number] = None
            if end not in seen:
                seen.add(end)
                queue.append(end)
    return [_segment_link(graph, number, bits, specials) for number in used]


def _segment_link(
    graph: TrackGraph, number: int, bits: dict[Side | int, int], specials: Sequence[frozenset[int]]
) -> RouteLink:
    segment = graph.segments[number]
    one, other = segment.ends
    firsts = [end for end in segment.ends if isinstance(end, Side) and end.a == segment.hex]
    mask = sum(1 << bits.setdefault(end, len(bits)) for end in firsts)
    if isinstance(one, Stop) and isinstance(other, Stop):
        mask = 1 << bits.setdefault(number, len(bits))
    return RouteLink(
        one,
        other,
        (number,),
        (),
        mask,
        len(firsts),
        sum(end in graph.gauge_sides for end in firsts),
        sum(1 << place for place, special in enumerate(specials) if number in special),
        segment.is_terminal and isinstance(one, Stop),
        segment.is_terminal and isinstance(other, Stop),
    )


def chains_over(contraction: Contraction, start: Stop, way: Sequence[RouteLink]) -> list[Chain]:
    """A way over links as chains from stop to stop."""
    chains: list[Chain] = []
    here: Node = start
    begun, segments, sides = start, list[int](), list[Side]()
    for link in way:
        forward = link.one == here
        segments += link.segments if forward else link.segments[::-1]
        sides += link.sides if forward else link.sides[::-1]
        here = link.far_end(here)
        if isinstance(here, Side):
            sides.append(here)
        else:
            chains.append(contraction.chain(begun, here, tuple(segments), tuple(sides)))
            begun, segments, sides = here, [], []
    return chains


def clusters(links: Iterable[RouteLink]) -> Iterator[frozenset[Node]]:
    """The nodes that these links join, each set of those that lead to one another."""
    beside: dict[Node, list[Node]] = {}
    for link in links:
        beside.setdefault(link.one, []).append(link.other)
        beside.setdefault(link.other, []).append(link.one)
    left = dict.fromkeys(beside)
    while left:
        queue = [next(iter(left))]
        del left[queue[0]]
        for node in queue:
            for other in beside[node]:
                if other in left:
                    del left[other]
                    queue.append(other)
        yield frozenset(queue)

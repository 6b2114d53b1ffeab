"""Boards written as lines for tests: `A1.c0 = A2 = A3.c0` is track from a stop on A1 over A2 to a stop on A3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.engine.board.track import Segment, Side, Stop, StopInfo, TrackGraph, side
from bot.engine.ids import HexId
from bot.engine.routes.revenue.model import RouteBonus, RouteProblem, StopValue, TrainSpec

KINDS = {"c": "city", "t": "town", "o": "offboard", "p": "port"}


def stop(word: str) -> Stop:
    """`A1.c0`"""
    hex_id, node = word.split(".")
    return Stop(HexId(hex_id), node)


def track(*lines: str, gauge: Sequence[str] = (), terminal: Sequence[str] = ()) -> TrackGraph:
    """The lines as a graph. `gauge` names crossings (`A1-A2`), `terminal` stops whose track ends there."""
    segments: dict[tuple[str, frozenset[Stop | Side]], Segment] = {}
    stops: dict[Stop, StopInfo] = {}
    for line in lines:
        words = [word.strip() for word in line.split("=")]
        hexes = [HexId(word.split(".")[0]) for word in words]
        for index, (word, hex_id) in enumerate(zip(words, hexes, strict=True)):
            ends: list[Stop | Side] = [
                side(hex_id, hexes[other]) for other in (index - 1, index + 1) if 0 <= other < len(hexes)
            ]
            if "." in word:
                here = stop(word)
                kind = KINDS[here.node[0]]
                stops[here] = StopInfo(kind, hex_id, kind in ("offboard", "port"))
                pieces: list[tuple[Stop | Side, Stop | Side]] = [(here, end) for end in ends]
            else:
                pieces = [(ends[0], ends[1])]
            for piece in pieces:
                segments.setdefault((hex_id, frozenset(piece)), Segment(hex_id, piece, word in terminal))
    crossings = [HexId(name) for pair in gauge for name in pair.split("-")]
    sides = frozenset(side(one, other) for one, other in zip(crossings[::2], crossings[1::2], strict=True))
    return TrackGraph(dict(enumerate(segments.values())), stops, sides)


def problem(
    graph: TrackGraph,
    trains: Sequence[TrainSpec],
    revenue: Mapping[str, int],
    own: Sequence[str],
    blocked: Sequence[str] = (),
    bonuses: Sequence[RouteBonus] = (),
    more: Mapping[str, StopValue] | None = None,
) -> RouteProblem:
    """A problem on the graph; every stop is worth 10 unless `revenue` or `more` says otherwise."""
    values = {
        here: StopValue(info.kind, revenue.get(f"{here.hex}.{here.node}", 10)) for here, info in graph.stops.items()
    }
    values.update({stop(name): value for name, value in (more or {}).items()})
    return RouteProblem(
        graph,
        values,
        frozenset(stop(word) for word in own),
        frozenset(stop(word) for word in blocked),
        tuple(trains),
        tuple(bonuses),
    )

"""Large boards full of track, harder than any real one."""

from __future__ import annotations

import random

from bot.engine.board.track import Segment, Side, Stop, StopInfo, TrackGraph, side
from bot.engine.ids import HexId
from bot.engine.routes.revenue.model import RouteProblem, StopValue, TrainSpec

STEPS = ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1))


def dense_problem(
    trains: tuple[TrainSpec, ...], width: int = 8, height: int = 8, every: int = 3, tokens: int = 4, seed: int = 1
) -> RouteProblem:
    """A rectangle of hexes; each `every`-th is a city that joins all its sides, the others carry four pieces of track."""
    chance = random.Random(seed)
    names = {
        (2 * column + row % 2, row): HexId(f"{chr(65 + row)}{2 * column + row % 2}")
        for row in range(height)
        for column in range(width)
    }
    stops: dict[Stop, StopInfo] = {}
    segments: list[Segment] = []
    for number, ((x, y), hex_id) in enumerate(names.items()):
        edges: list[Side] = [side(hex_id, names[x + dx, y + dy]) for dx, dy in STEPS if (x + dx, y + dy) in names]
        if number % every == 0:
            stop = Stop(hex_id, "c0")
            stops[stop] = StopInfo("city", hex_id)
            segments += [Segment(hex_id, (stop, edge)) for edge in edges]
        else:
            pairs = [(one, other) for one in edges for other in edges if one < other]
            segments += [Segment(hex_id, pair) for pair in chance.sample(pairs, min(4, len(pairs)))]
    values = {stop: StopValue("city", chance.choice([20, 30, 40, 50, 60]), at=None) for stop in sorted(stops)}
    own = frozenset(chance.sample(sorted(stops), tokens))
    blocked = frozenset(stop for stop in stops if stop not in own and chance.random() < 0.15)
    return RouteProblem(TrackGraph(dict(enumerate(segments)), stops, frozenset()), values, own, blocked, trains)

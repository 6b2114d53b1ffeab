"""Boards as they look late in a game on the largest maps: cities, towns, off-board places, brown track between."""

from __future__ import annotations

import random

from bot.engine.board.track import Segment, Side, Stop, StopInfo, TrackGraph, side
from bot.engine.ids import HexId
from bot.engine.routes.revenue.model import PairBonus, RouteProblem, StopValue, TrainSpec

STEPS = ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1))
PAIRS = [(0, 3), (1, 4), (2, 5), (0, 2), (1, 3), (2, 4), (3, 5), (4, 0), (5, 1)]
"""Straight and gently curved track by the edges that it joins."""


class LateBoard:
    """A rectangle of spaces. `open_share` of all sides carry track; a plain space has the pieces that join them."""

    def __init__(self, seed: int, width: int = 16, height: int = 14, open_share: float = 0.62) -> None:
        self.random = chance = random.Random(seed)
        self.names = {
            (2 * column + row % 2, row): HexId(f"{chr(65 + row)}{2 * column + row % 2}")
            for row in range(height)
            for column in range(width)
        }
        self.stops: dict[Stop, StopInfo] = {}
        self.values: dict[Stop, StopValue] = {}
        self.segments: list[Segment] = []
        crossings = sorted({edge for place in self.names for edge in self._edges(place).values()})
        self.open = {edge for edge in crossings if chance.random() < open_share}
        for place in self.names:
            self._lay(place)
        self.graph = TrackGraph(dict(enumerate(self.segments)), self.stops, frozenset())

    def _edges(self, place: tuple[int, int]) -> dict[int, Side]:
        beside = {number: (place[0] + dx, place[1] + dy) for number, (dx, dy) in enumerate(STEPS)}
        return {n: side(self.names[place], self.names[other]) for n, other in beside.items() if other in self.names}

    def _lay(self, place: tuple[int, int]) -> None:
        hex_id, chance = self.names[place], self.random
        edges = {number: edge for number, edge in self._edges(place).items() if edge in self.open}
        is_border = len(self._edges(place)) < 5
        kind = chance.choices(["city", "town", "offboard", ""], [16, 12, 30 if is_border else 0, 62])[0]
        if kind:
            stop = Stop(hex_id, f"{kind[0]}0")
            self.stops[stop] = StopInfo(kind, hex_id, kind == "offboard")
            money = {"city": [30, 40, 50, 60], "town": [10, 20], "offboard": [30, 50, 70]}[kind]
            tags = frozenset({"west" if place[0] < 14 else "east", "red" if kind == "offboard" else "place"})
            self.values[stop] = StopValue(kind, chance.choice(money), tags=tags)
            self.segments += [Segment(hex_id, (stop, edge)) for edge in edges.values()]
            return
        fitting = [pair for pair in PAIRS if pair[0] in edges and pair[1] in edges]
        for one, other in chance.sample(fitting, min(len(fitting), chance.choice([1, 2, 2, 3]))):
            self.segments.append(Segment(hex_id, (edges[one], edges[other])))

    def problem(self, trains: tuple[TrainSpec, ...], tokens: int = 6) -> RouteProblem:
        """A company with tokens on cities that hang together where possible; others block some."""
        chance = self.random
        cities = sorted(stop for stop, info in self.stops.items() if info.kind == "city")
        own = set(chance.sample(cities, tokens))
        blocked = {stop for stop in cities if stop not in own and chance.random() < 0.25}
        bonuses = (PairBonus("border", "west", "east", 30), PairBonus("red", "red", "place", 20))
        return RouteProblem(self.graph, self.values, frozenset(own), frozenset(blocked), trains, bonuses)

"""Trains that take what the others leave: they run to a destination, or flood.

Such trains are not enumerated. For given track that other trains use each of them offers its best; where the offers of
two use the same track, one of the two does without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from math import gcd
from typing import Protocol

from bot.engine.board import Side
from bot.engine.routes.candidates import EnumerationTimeout
from bot.engine.routes.revenue import Route, RouteProblem, TrainSpec
from bot.engine.routes.revenue.area_revenue import FloodRevenue, Track, flood_parts, flood_route


@dataclass(frozen=True)
class ResidualOffer:
    """The revenue of a train, over which track; no route if it stays at home."""

    money: int
    track: frozenset[Track]
    route: Route | None


STAYS_HOME = ResidualOffer(0, frozenset(), None)


class ResidualFinder(Protocol):
    """One train that takes what is left. `most` is never below what it earns; all offers are multiples of `step`."""

    train: TrainSpec
    most: int
    step: int

    def offer(self, taken: frozenset[Track]) -> ResidualOffer:
        """The best run without this track.

        :raises EnumerationTimeout: as its `check_time`.
        """
        ...


class FloodTrain:
    def __init__(self, problem: RouteProblem, train: TrainSpec, check_time: Callable[[], None]) -> None:
        self.problem, self.train, self.check_time = problem, train, check_time
        stops = [stop for stop, worth in problem.values.items() if worth.kind not in train.closed]
        spikes = sum(
            len(problem.graph.segments_at.get(stop, ())) for stop in stops if problem.values[stop].kind in train.spikes
        )
        self.most = sum(money for _, money in flood_parts(problem, train, stops, spikes))
        self.step = train.multiplier * gcd(train.base, *(problem.values[stop].pay(train.scale) for stop in stops))
        with suppress(EnumerationTimeout):
            self.most = self.offer(frozenset()).money

    def offer(self, taken: frozenset[Track]) -> ResidualOffer:
        money, network = FloodRevenue(self.problem, self.train, taken, check_time=self.check_time).best_network()
        if network is None:
            return STAYS_HOME
        route = flood_route(self.problem, self.train, network)
        return ResidualOffer(money, route.sides | route.segments, route)


class ResidualTrains:
    """All trains of a company that take what is left.

    Two of them with the same `track` set use no track twice, except `shared` crossings.
    """

    def __init__(self, problem: RouteProblem, finders: list[ResidualFinder]) -> None:
        self.problem = problem
        self.finders = finders
        self.most = sum(finder.most for finder in finders)
        self.has_given_up = False
        self.memory: dict[tuple[int, frozenset[Track]], ResidualOffer] = {}

    def solve(self, taken: Iterable[frozenset[Track]]) -> tuple[int, list[Route]]:
        """The most that they earn together, each without the track taken from it, and their routes.

        When the time is over it is what has been found, and `has_given_up` is set.
        """
        self.found: tuple[int, list[ResidualOffer]] = (-1, [])
        forbidden = list(taken)
        self._run_sequentially(forbidden)
        if len(self.finders) > 1:
            self._search(forbidden)
        return self.found[0], [offer.route for offer in self.found[1] if offer.route is not None]

    def _offer(self, number: int, taken: frozenset[Track]) -> ResidualOffer:
        key = (number, taken)
        if key not in self.memory:
            try:
                self.memory[key] = self.finders[number].offer(taken)
            except EnumerationTimeout:
                self.has_given_up = True
                return STAYS_HOME
        return self.memory[key]

    def _run_sequentially(self, forbidden: list[frozenset[Track]]) -> None:
        used: dict[str, frozenset[Track]] = {}
        offers = []
        for number, finder in enumerate(self.finders):
            before = used.get(finder.train.track, frozenset())
            offers.append(self._offer(number, forbidden[number] | before))
            used[finder.train.track] = before | self._exclusive_track(offers[-1])
        self._keep(offers)

    def _keep(self, offers: list[ResidualOffer]) -> None:
        total = sum(offer.money for offer in offers)
        if total > self.found[0]:
            self.found = (total, offers)

    def _search(self, forbidden: list[frozenset[Track]]) -> None:
        """All ways to divide the track about which two trains quarrel."""
        offers = [self._offer(number, taken) for number, taken in enumerate(forbidden)]
        if self.has_given_up or sum(offer.money for offer in offers) <= self.found[0]:
            return
        clash = self._clash(offers)
        if clash is None:
            self._keep(offers)
            return
        for number in clash[:2]:
            without = list(forbidden)
            without[number] |= {clash[2]}
            self._search(without)

    def _clash(self, offers: list[ResidualOffer]) -> tuple[int, int, Track] | None:
        """Two trains and what both would use, a crossing if possible: pieces of track at crossings are not
        distinguished."""
        for number, offer in enumerate(offers):
            for other in range(number):
                if self.finders[other].train.track == self.finders[number].train.track:
                    both = self._exclusive_track(offer) & self._exclusive_track(offers[other])
                    if both:
                        return other, number, min(both, key=lambda piece: (not isinstance(piece, Side), str(piece)))
        return None

    def _exclusive_track(self, offer: ResidualOffer) -> frozenset[Track]:
        shared, segments = self.problem.shared, self.problem.graph.segments
        if not shared:
            return offer.track
        return frozenset(
            piece
            for piece in offer.track
            if (piece not in shared if isinstance(piece, Side) else shared.isdisjoint(segments[piece].ends))
        )

"""Which stops of a route count, for trains that may pass stops without counting them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import sub

from bot.engine.board import Stop

from .model import Limit, PairBonus, Route, RouteProblem, TrainSpec
from .stop_values import bonus_money

Room = tuple[int, ...]
"""The rest of each limit."""

Parts = tuple[tuple[str, int], ...]
"""The revenue of a route, in named parts."""

Earnings = Callable[[tuple[Stop, ...]], Parts]
"""The revenue of a route that counts these stops."""


def highest_count(
    problem: RouteProblem, train: TrainSpec, route: Route, earnings: Earnings
) -> tuple[tuple[Stop, ...], Parts] | None:
    """The stops to count for the highest revenue, with that revenue; None if the train cannot count what it must."""
    return CountedStops(problem, train, route, earnings).best_choice()


def total(parts: Parts) -> int:
    return sum(money for _, money in parts)


def limit_usage(limit: Limit, kinds: Sequence[str], route: Route) -> int:
    used = sum([kind in limit.kinds for kind in kinds])
    used += route.gauge_changes if limit.gauge_changes else 0
    return used + (len(route.sides) + 1 if limit.spaces else 0)


class CountedStops:
    """The choice of counted stops of one route.

    Stops that bonuses cannot tell apart are taken highest first, so only their number is chosen. A choice is given up
    as soon as the highest remaining stops and all bonuses could not make it better than the best.
    """

    def __init__(self, problem: RouteProblem, train: TrainSpec, route: Route, earnings: Earnings) -> None:
        self.problem, self.train, self.route, self.earnings = problem, train, route, earnings
        self.revenue = {stop: problem.values[stop].pay(train.scale) for stop in route.stops}
        self.limits = train.all_limits
        kinds = {problem.values[stop].kind for stop in route.stops}
        takes = {kind: tuple(kind in limit.kinds for limit in self.limits) for kind in kinds}
        self.takes = {stop: takes[problem.values[stop].kind] for stop in route.stops}
        self.bonuses = problem.bonuses_of(train)
        self.most_bonuses = sum(
            max(0, bonus_money(problem, bonus, route.stops, route.segments)) for bonus in self.bonuses
        )
        self.fixed = total(earnings(()))
        self.found: tuple[tuple[Stop, ...], Parts] | None = None
        self.found_worth = -1

    def best_choice(self) -> tuple[tuple[Stop, ...], Parts] | None:
        stops, optional = self.route.stops, self.train.optional
        kind = {stop: self.problem.values[stop].kind for stop in stops}
        paid = [stop for stop in stops if kind[stop] not in self.train.unpaid]
        ends = {stops[0], stops[-1]} if self.train.counts_ends else set()
        forced = [stop for stop in paid if kind[stop] not in optional or stop in ends]
        free = [stop for stop in paid if stop not in forced]
        if not self.train.counts_token or self.problem.own.intersection(forced):
            self._search(forced, free)
            return self.found
        for alike in self._group_alike([stop for stop in free if stop in self.problem.own], is_special=False):
            self._search([*forced, alike[0]], [stop for stop in free if stop != alike[0]])
        return self.found

    def _search(self, forced: list[Stop], free: list[Stop]) -> None:
        kinds = [self.problem.values[stop].kind for stop in forced]
        room = tuple(limit.most - limit_usage(limit, kinds, self.route) for limit in self.limits)
        if room and min(room) < 0:
            return
        self.special = self._group_alike(free)
        known = {stop for stops in self.special for stop in stops}
        self.others = self._sort_by_revenue(stop for stop in free if stop not in known)
        self.after = [
            self._sort_by_revenue([*self.others, *(stop for stops in self.special[index:] for stop in stops)])
            for index in range(len(self.special) + 1)
        ]
        self._choose(0, list(forced), room, sum(self.revenue[stop] for stop in forced))

    def _sort_by_revenue(self, stops: Iterable[Stop]) -> list[Stop]:
        return sorted(stops, key=lambda stop: (-self.revenue[stop], stop))

    def _choose(self, index: int, counted: list[Stop], room: Room, money: int) -> None:
        dearest, full = self._fill(self.after[index], room)
        if (money + dearest + self.most_bonuses) * self.train.multiplier + self.fixed <= self.found_worth:
            return
        if index == 0 or index == len(self.special):
            self._keep([*counted, *full])
        if index == len(self.special):
            return
        stops = self.special[index]
        rooms, moneys = [room], [money]
        for stop in stops:
            rooms.append(self._remaining_room(rooms[-1], stop))
            moneys.append(moneys[-1] + self.revenue[stop])
            if rooms[-1] and min(rooms[-1]) < 0:
                rooms.pop()
                break
        for number in range(len(rooms) - 1, -1, -1):
            self._choose(index + 1, [*counted, *stops[:number]], rooms[number], moneys[number])

    def _fill(self, stops: list[Stop], room: Room) -> tuple[int, list[Stop]]:
        """The highest of these stops that fit, and their revenue."""
        money, full = 0, []
        for stop in stops:
            less = self._remaining_room(room, stop)
            if not less or min(less) >= 0:
                room = less
                money += self.revenue[stop]
                full.append(stop)
        return money if self.train.has_nested_limits else sum(self.revenue[stop] for stop in stops), full

    def _remaining_room(self, room: Room, stop: Stop) -> Room:
        return tuple(map(sub, room, self.takes[stop]))

    def _keep(self, counted: list[Stop]) -> None:
        chosen = set(counted)
        stops = tuple(stop for stop in self.route.stops if stop in chosen)
        parts = self.earnings(stops)
        if total(parts) > self.found_worth:
            self.found, self.found_worth = (stops, parts), total(parts)

    def _group_alike(self, stops: Sequence[Stop], is_special: bool = True) -> list[list[Stop]]:
        """The stops that bonuses or shared places know, grouped if they differ only in revenue, highest first; all stops
        unless only special stops are asked for.
        """
        tags = self.problem.tags if self.train.earns_bonuses else frozenset()
        values = self.problem.values
        places = [values[stop].place for stop in self.route.stops]
        classes: dict[object, list[Stop]] = {}
        for stop in self._sort_by_revenue(stops):
            worth = values[stop]
            printed = tuple(bonus.by_stop.get(stop, 0) for bonus in self.bonuses if isinstance(bonus, PairBonus))
            place = worth.place if worth.place and places.count(worth.place) > 1 else ""
            if worth.tags & tags or place or not is_special:
                classes.setdefault((worth.tags & tags, printed, place and stop, worth.kind), []).append(stop)
        return list(classes.values())

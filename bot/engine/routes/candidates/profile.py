"""How one kind of train sees the board: everything that adds up along a route packed into one integer.

From the low end: the money of the stops; numbers that bonuses and corrections ask for; one field a limit with a guard
bit that is set as soon as the limit is exceeded. Adding a link to a route is one addition, checking all limits one
`and`. Track, stops and groups of stops that a route has used are bits of another integer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from bot.engine.board import Stop
from bot.engine.routes.revenue import (
    Limit,
    PairBonus,
    Route,
    RouteBonus,
    RouteProblem,
    SetBonus,
    TrackBonus,
    TrainSpec,
    best_count,
    hex_distance,
)

from .chains import Chain, Contraction

VALUE_BITS = 24
"""Bits for the money of one route."""

VALUE_MASK = (1 << VALUE_BITS) - 1

COUNT_BITS = 7
"""Bits for a number of stops or chains."""

FIELD = (1 << COUNT_BITS) - 1

ILLEGAL = -1 << 40
"""The value of `TrainProfile.extras` for a route that may not be run."""

ClassKey = tuple[str, tuple[tuple[bool, bool, int | None], ...], int]
"""The view of bonuses of a stop: its place if it shares it, for each pair bonus whether it is the first stop, whether
the second, and what it adds, and its revenue if it shares its place."""


@dataclass
class SearchBoard:
    """The chains around every stop within reach, and the bits that stand for stops, groups and track."""

    problem: RouteProblem
    contraction: Contraction
    chains: dict[Stop, list[Chain]] = field(default_factory=dict)
    stops: dict[Stop, int] = field(default_factory=dict)
    taken: dict[Stop, int] = field(default_factory=dict)
    track_bits: int = 0

    def __post_init__(self) -> None:
        values = self.problem.values
        queue = sorted(stop for stop in self.problem.own if stop in values)
        for stop in queue:
            if stop in self.stops:
                continue
            self.stops[stop] = len(self.stops)
            self.chains[stop] = []
            if not self.problem.ends_at(stop) or stop in self.problem.own:
                self.chains[stop] = [chain for chain in self.contraction.chains_from(stop) if chain.end in values]
                queue += [chain.end for chain in self.chains[stop]]
        self.track_bits = len(self.contraction.bits)
        self._number_bits()

    def _number_bits(self) -> None:
        groups: dict[str, int] = {}
        for stop, number in self.stops.items():
            bits = 1 << self.track_bits + number
            group = self.problem.group_of(stop)
            if group:
                bits |= 1 << self.track_bits + len(self.stops) + groups.setdefault(group, len(groups))
            self.taken[stop] = bits

    def bonuses(self) -> tuple[RouteBonus, ...]:
        """The problem's bonuses that can be earned here: no pair with a stop out of reach."""
        if not self.contraction.is_complete:
            return self.problem.bonuses
        tags = frozenset().union(*(self.problem.values[stop].tags for stop in self.stops))
        return tuple(
            bonus
            for bonus in self.problem.bonuses
            if not isinstance(bonus, PairBonus) or {bonus.one, bonus.other} <= tags
        )

    def distance(self, stop: Stop) -> int:
        """The sum of the distances to all other stops, in chains."""
        away = {stop: 0}
        queue = [stop]
        for here in queue:
            for chain in self.chains[here]:
                if chain.end not in away:
                    away[chain.end] = away[here] + 1
                    queue.append(chain.end)
        return sum(away.values())

    def visited_stops(self, taken: int) -> int:
        return (taken >> self.track_bits) & ((1 << len(self.stops)) - 1)


def build_search_board(problem: RouteProblem, may_contract: Callable[[], bool] = lambda: True) -> SearchBoard:
    """The board of a problem, which loses the bonuses that cannot be earned there."""
    marks = tuple(bonus.segments for bonus in problem.bonuses if isinstance(bonus, TrackBonus))
    board = SearchBoard(problem, Contraction(problem.graph, marks, may_contract))
    board.problem = replace(problem, bonuses=board.bonuses())
    return board


class TrainProfile:
    """A kind of train on a board.

    Bonuses see a route through a few numbers only, the `tags` of the packed integer. Routes alike in these earn the same
    beyond the plain sum of their stops, so one of them is scored and the difference remembered.
    """

    def __init__(self, board: SearchBoard, train: TrainSpec) -> None:
        self.board = board
        self.problem = board.problem
        self.train = train
        self.size = VALUE_BITS
        self.bonuses = self.problem.bonuses_of(self.train)
        self.pairs = [bonus for bonus in self.bonuses if isinstance(bonus, PairBonus)]
        self.counters = [(bonus, self._field()) for bonus in self.bonuses if isinstance(bonus, SetBonus | TrackBonus)]
        self.stops_at = self._field() if self._asks_stops() else 0
        self.needed_at = self._field() if train.needs else 0
        self.double_places = self._double_places()
        self.classes: dict[ClassKey, int] = {}
        self.class_of = {stop: self._class_of(stop) for stop in board.stops}
        kinds = {self.problem.values[stop].kind for stop in board.stops}
        self.counts_at_most = self._most_counted() if kinds <= train.optional else 0
        self.has_places = any(place for place, _, _ in self.classes)
        self.class_mask = sum(FIELD << at for at in self.classes.values())
        self.paid: dict[int, int] = {}
        self.tag_mask = (1 << self.size - VALUE_BITS) - 1
        self.tags_besides_stops = self.tag_mask & ~(self.class_mask >> VALUE_BITS)
        self.within: dict[int, int] = {}
        self.guard, self.start = 0, 0
        self.limits = [(limit, self._limit(limit.most, int(limit.spaces))) for limit in self._useful_limits()]

    # -- fields -----------------------------------------------------------------------------------------

    def _field(self, bits: int = COUNT_BITS) -> int:
        at, self.size = self.size, self.size + bits
        return at

    def _asks_stops(self) -> bool:
        return any(isinstance(bonus, TrackBonus) and bonus.per_stop for bonus in self.bonuses)

    def _double_places(self) -> set[str]:
        """Places of which one route might visit two stops: those of one group exclude each other."""
        groups: dict[str, set[Stop | str]] = {}
        for stop in self.board.stops:
            worth = self.problem.values[stop]
            groups.setdefault(worth.place, set()).add(self.problem.group_of(stop) or stop)
        return {place for place, some in groups.items() if place and len(some) > 1}

    def _class_of(self, stop: Stop) -> int:
        """The field that counts stops which bonuses treat alike, 0 if plain sums are enough."""
        worth = self.problem.values[stop]
        place = worth.place if worth.place in self.double_places else ""
        in_pairs = tuple(
            (bonus.one in worth.tags, bonus.other in worth.tags, bonus.by_stop.get(stop)) for bonus in self.pairs
        )
        if not place and not any(one or other for one, other, _ in in_pairs):
            return 0
        key: ClassKey = (place, in_pairs, worth.pay(self.train.scale) if place else 0)
        if key not in self.classes:
            self.classes[key] = self._field()
        return self.classes[key]

    def _useful_limits(self) -> list[Limit]:
        """Limits that no other limit implies on this board."""
        limits = self.train.all_limits
        if self.problem.graph.gauge_sides:
            return list(limits)
        return [limit for limit in limits if not limit.gauge_changes or limit.spaces or not self._is_implied(limit)]

    def _is_implied(self, limit: Limit) -> bool:
        others = (other for other in self.train.all_limits if not other.gauge_changes)
        return any(other.kinds >= limit.kinds and other.most <= limit.most for other in others)

    def _limit(self, most: int, used: int) -> int:
        bits = max(most, 64).bit_length()
        at = self._field(bits + 1)
        self.guard |= 1 << at + bits
        self.start += (1 << at) * ((1 << bits) - 1 - most + used)
        return at

    # -- weights ----------------------------------------------------------------------------------------

    def value(self, stop: Stop) -> int:
        worth = self.problem.values[stop]
        return 0 if worth.kind in self.train.unpaid else worth.pay(self.train.scale)

    def stop_weight(self, stop: Stop) -> int:
        worth, train = self.problem.values[stop], self.train
        weight = self._tag_weight(stop) if worth.kind not in train.unpaid else 0
        if self.needed_at:
            weight += (worth.kind in train.needs) << self.needed_at
        if worth.kind not in train.optional:
            weight += sum((worth.kind in limit.kinds) << at for limit, at in self.limits)
        return weight

    def _tag_weight(self, stop: Stop) -> int:
        weight = self.problem.values[stop].pay(self.train.scale) + self.bonus_class(stop)
        if self.stops_at:
            weight += 1 << self.stops_at
        return weight

    def bonus_class(self, stop: Stop) -> int:
        """The view of bonuses of the stop beyond its revenue."""
        tags = self.problem.values[stop].tags
        sets = sum((isinstance(bonus, SetBonus) and bonus.tag in tags) << at for bonus, at in self.counters)
        return sets + (1 << self.class_of[stop] if self.class_of[stop] else 0)

    @cached_property
    def has_penalties(self) -> bool:
        return any(min([bonus.money, *bonus.by_stop.values()]) < 0 for bonus in self.pairs)

    def pairs_no_less(self, one: int, other: int) -> bool:
        """Whether pair bonuses see in stops of one class all that they see in those of another (0: they see nothing)."""
        if one == other:
            return True
        keys = {at: key for key, at in self.classes.items()}
        places = [keys[at][0] for at in (one, other) if at]
        if any(places) or self.has_penalties:
            return False
        nothing = ((False, False, None),) * len(self.pairs)
        seen, wanted = (keys[at][1] if at else nothing for at in (one, other))
        return all(
            is_one >= wants_one and is_other >= wants_other and (money or 0) >= (wants_money or 0)
            for (is_one, is_other, money), (wants_one, wants_other, wants_money) in zip(seen, wanted, strict=True)
        )

    def pairs_with_itself(self, one: int) -> bool:
        """Whether two stops of this class (0: pair bonuses see nothing in them) may make a pair."""
        keys = {at: key for key, at in self.classes.items()}
        return bool(one) and any(is_one and is_other for is_one, is_other, _ in keys[one][1])

    def chain_weight(self, chain: Chain) -> int:
        weight = 0
        for limit, at in self.limits:
            weight += (chain.gauge_changes << at) if limit.gauge_changes else 0
            weight += (len(chain.sides) << at) if limit.spaces else 0
        marks = chain.marks
        for bonus, at in self.counters:
            if isinstance(bonus, TrackBonus):
                weight += (marks & 1) << at
                marks >>= 1
        return weight

    def distances(self) -> list[list[int]]:
        """The pay for distance of a route between each two stops, by their numbers."""
        places = [self.problem.values[stop].at or (0, 0) for stop in self.board.stops]
        pay = self.train.distance_pay
        return [[pay * hex_distance(one, other) for other in places] for one in places]

    def normalise(self, packed: int) -> int:
        """The tags without differences that no bonus sees but pairs: how often special track is used, counts beyond the
        limit."""
        for bonus, at in self.counters:
            if isinstance(bonus, TrackBonus):
                packed = self._clamp(packed, at, 1)
        if not self.has_places:
            packed &= ~self.class_mask
        if self.needed_at:
            packed = self._clamp(packed, self.needed_at, 2)
        if self.stops_at and self.counts_at_most:
            packed = self._clamp(packed, self.stops_at, self.counts_at_most)
        return packed

    @staticmethod
    def _clamp(packed: int, at: int, most: int) -> int:
        count = packed >> at & FIELD
        return packed - (max(0, count - most) << at)

    def exact_revenue(self, route: Route) -> int:
        """The revenue of the route before the multiplier, `ILLEGAL` if it may not be run."""
        if self.train.needs:
            kinds = [self.problem.values[stop].kind for stop in route.stops]
            if sum(kind in self.train.needs for kind in kinds) < 2:
                return ILLEGAL
        best = best_count(self.problem, self.train, route)
        return sum(money for _, money in best[1]) // self.train.multiplier if best else ILLEGAL

    # -- bounds -----------------------------------------------------------------------------------------

    def ceiling(self, stops: Iterable[Stop] | None = None) -> int:
        """An upper bound for the revenue of the train's routes: the highest stops that its limits allow."""
        known = list(self.board.stops if stops is None else stops)
        totals = [sum(map(self.value, known))]
        for limit in self.train.all_limits:
            values = [
                (self.value(stop), self.problem.values[stop].kind in limit.kinds or limit.spaces) for stop in known
            ]
            inside = sorted((value for value, is_limited in values if is_limited), reverse=True)
            totals.append(sum(inside[: limit.most]) + sum(value for value, is_limited in values if not is_limited))
        return (min(totals) + self.most_extras()) * self.train.multiplier

    def most_extras(self) -> int:
        """An upper bound for a route's revenue beyond the sum of its stops."""
        total = self.train.base
        for bonus in self.bonuses:
            if isinstance(bonus, SetBonus):
                total += max([0, *bonus.by_count.values()])
            elif isinstance(bonus, PairBonus):
                total += max(0, bonus.money) + 2 * max([0, *bonus.by_stop.values()])
            elif not self._marks_nothing(bonus):
                total += self._most_of_track(bonus)
        return total + self.most_for_distance

    def extras_within(self, tags: int) -> int:
        """The same for routes with these tags, without bonuses that they cannot earn."""
        known = self.within.get(tags)
        if known is None:
            known = self.within[tags] = self._extras_within(tags)
        return known

    def pair_bonus_total(self, tags: int) -> int:
        """The pay for pairs of a route with these tags that counts all its stops; nothing where only the highest stop of a place
        pays, which must be scored.
        """
        return 0 if self.has_places else self._most_of_pairs(tags)

    def _most_of_pairs(self, tags: int) -> int:
        """A sum that pairs do not exceed for a route with these tags, and that they reach where all its stops pay."""
        seen = tags & self.class_mask
        if seen not in self.paid:
            stops = [(key, number) for key, at in self.classes.items() if (number := seen >> at & FIELD)]
            self.paid[seen] = sum(self._most_of_pair(index, bonus, stops) for index, bonus in enumerate(self.pairs))
        return self.paid[seen]

    def _extras_within(self, tags: int) -> int:
        total = self.train.base
        for bonus, at in self.counters:
            number = tags >> at & FIELD
            if isinstance(bonus, SetBonus):
                total += max((money for least, money in bonus.by_count.items() if least <= number), default=0)
            elif number:
                total += self._most_of_track(bonus)
        return total + self._most_of_pairs(tags) + self.most_for_distance

    def _most_of_track(self, bonus: TrackBonus) -> int:
        return max(0, bonus.money) + max(0, bonus.per_stop) * self._most_counted()

    @staticmethod
    def _most_of_pair(index: int, bonus: PairBonus, seen: Sequence[tuple[ClassKey, int]]) -> int:
        """The maximum that a pair among the given numbers of stops of these classes pays."""
        ones = [
            (at, number, pairs[index][2] or 0) for at, ((_, pairs, _), number) in enumerate(seen) if pairs[index][0]
        ]
        others = [(at, pairs[index][2] or 0) for at, ((_, pairs, _), _) in enumerate(seen) if pairs[index][1]]
        pays = (one + other for at, number, one in ones for its, other in others if number > 1 or at != its)
        return max((bonus.money + more for more in pays), default=0)

    @cached_property
    def most_for_distance(self) -> int:
        """An upper bound for a route's pay for the distance between its ends."""
        if not self.train.distance_pay:
            return 0
        is_complete = self.board.contraction.is_complete
        stops = self.board.stops if is_complete else self.problem.values
        places = sorted({self.problem.values[stop].at or (0, 0) for stop in stops})
        longest = max((hex_distance(one, other) for one in places for other in places), default=0)
        return self.train.distance_pay * longest

    def _marks_nothing(self, bonus: TrackBonus) -> bool:
        if not self.board.contraction.is_complete:
            return False
        return not any(
            not bonus.segments.isdisjoint(chain.segments) for some in self.board.chains.values() for chain in some
        )

    def _most_counted(self) -> int:
        kinds = {self.problem.values[stop].kind for stop in self.board.stops}
        most = [limit.most for limit in self.train.all_limits if kinds <= limit.kinds or limit.spaces]
        return min([len(self.board.stops if self.board.contraction.is_complete else self.problem.values), *most])

"""How one kind of train sees the board: everything that adds up along a route packed into one integer.

From the low end: the money of the stops; numbers that bonuses and corrections ask for; one field a limit with a guard
bit that is set as soon as the limit is exceeded. Adding a link to a route is one addition, checking all limits one
`and`. Track, stops and groups of stops that a route has used are bits of another integer.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..track import Stop
from .chains import Chain, Contraction
from .model import PairBonus, RouteProblem, SetBonus, TrackBonus, TrainSpec

VALUE_BITS = 24
"""Room for the money of one route."""

COUNT_BITS = 7
"""Room for a number of stops or chains."""

ILLEGAL = -1
UNCERTAIN = -2
"""What `Profile.extras` says when the route must be scored exactly."""


@dataclass
class Board:
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
            group = self.problem.values[stop].group
            if group:
                bits |= 1 << self.track_bits + len(self.stops) + groups.setdefault(group, len(groups))
            self.taken[stop] = bits

    def visited(self, taken: int) -> int:
        """The stop bits of a route, without its track and groups."""
        return (taken >> self.track_bits) & ((1 << len(self.stops)) - 1)


class Profile:
    """A kind of train on a board."""

    def __init__(self, board: Board, train: TrainSpec) -> None:
        self.board = board
        self.problem = board.problem
        self.train = train
        self.size = VALUE_BITS
        self.bonuses = [self._room(bonus) for bonus in self.problem.bonuses] if train.earns_bonuses else []
        self.stops_at = self._field() if self._asks_stops() else 0
        self.needed_at = self._field() if train.needs else 0
        self.places = {place: self._field() for place in self._double_places()}
        self.memory: dict[int, int] = {}
        self.tag_mask = (1 << self.size - VALUE_BITS) - 1
        self.guard, self.start = 0, 0
        self.limits = [(limit, self._limit(limit.most, int(limit.spaces))) for limit in train.all_limits]

    # -- fields -----------------------------------------------------------------------------------------

    def _field(self, bits: int = COUNT_BITS) -> int:
        at, self.size = self.size, self.size + bits
        return at

    def _room(self, bonus: SetBonus | PairBonus | TrackBonus) -> tuple[SetBonus | PairBonus | TrackBonus, int, int]:
        return bonus, self._field(), self._field() if isinstance(bonus, PairBonus) else 0

    def _asks_stops(self) -> bool:
        return any(isinstance(bonus, TrackBonus) and bonus.per_stop for bonus, _, _ in self.bonuses)

    def _double_places(self) -> list[str]:
        places = [self.problem.values[stop].place for stop in self.board.stops]
        return sorted({place for place in places if place and places.count(place) > 1})

    def _limit(self, most: int, used: int) -> int:
        bits = max(most, 64).bit_length()
        at = self._field(bits + 1)
        self.guard |= 1 << at + bits
        self.start += (1 << at) * ((1 << bits) - 1 - most + used)
        return at

    # -- weights ----------------------------------------------------------------------------------------

    def stop_weight(self, stop: Stop) -> int:
        """What visiting the stop adds."""
        worth, train = self.problem.values[stop], self.train
        weight = 0 if worth.kind in train.unpaid else worth.revenue
        for bonus, at, other_at in self.bonuses:
            if isinstance(bonus, SetBonus):
                weight += (bonus.tag in worth.tags) << at
            elif isinstance(bonus, PairBonus):
                weight += ((bonus.one in worth.tags) << at) + ((bonus.other in worth.tags) << other_at)
        if self.stops_at:
            weight += 1 << self.stops_at
        if self.needed_at:
            weight += (worth.kind in train.needs) << self.needed_at
        if worth.place in self.places:
            weight += 1 << self.places[worth.place]
        if worth.kind not in train.optional:
            weight += sum((worth.kind in limit.kinds) << at for limit, at in self.limits)
        return weight

    def chain_weight(self, chain: Chain) -> int:
        """What running over the chain adds."""
        weight = 0
        for limit, at in self.limits:
            weight += (chain.gauge_changes << at) if limit.gauge_changes else 0
            weight += (len(chain.sides) << at) if limit.spaces else 0
        marks = chain.marks
        for bonus, at, _ in self.bonuses:
            if isinstance(bonus, TrackBonus):
                weight += (marks & 1) << at
                marks >>= 1
        return weight

    # -- money ------------------------------------------------------------------------------------------

    def extras(self, tags: int) -> int:
        """The bonuses of a route with these numbers, `ILLEGAL` or `UNCERTAIN`."""
        if tags not in self.memory:
            self.memory[tags] = self._extras(tags << VALUE_BITS)
        return self.memory[tags]

    def _extras(self, packed: int) -> int:
        def count(at: int) -> int:
            return packed >> at & (1 << COUNT_BITS) - 1

        if self.needed_at and count(self.needed_at) < 2:
            return ILLEGAL
        if self.train.optional or self.train.distance_pay or any(count(at) > 1 for at in self.places.values()):
            return UNCERTAIN
        total = self.train.base
        for bonus, at, other_at in self.bonuses:
            if isinstance(bonus, SetBonus):
                total += max((money for number, money in bonus.by_count.items() if number <= count(at)), default=0)
            elif isinstance(bonus, TrackBonus):
                total += (bonus.money + bonus.per_stop * count(self.stops_at)) if count(at) else 0
            elif count(at) and count(other_at):
                return UNCERTAIN
        return total

    def most_extras(self) -> int:
        """More than the bonuses of any route can be."""
        total = self.train.base
        for bonus, _, _ in self.bonuses:
            if isinstance(bonus, SetBonus):
                total += max([0, *bonus.by_count.values()])
            elif isinstance(bonus, PairBonus):
                total += max(0, bonus.money) + 2 * max([0, *bonus.by_stop.values()])
            else:
                total += max(0, bonus.money) + max(0, bonus.per_stop) * len(self.board.stops)
        if self.train.distance_pay:
            total += self.train.distance_pay * self._width()
        return total

    def _width(self) -> int:
        places = [worth.at for worth in self.problem.values.values() if worth.at]
        spans = [max(at[axis] for at in places) - min(at[axis] for at in places) for axis in (0, 1)] if places else [0]
        return sum(spans)

"""The routes of a kind of train that earn enough, by pairs of arms: each arm from a token is listed once, and only arms that may earn
enough together are joined."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations_with_replacement
from operator import add, itemgetter
from typing import TYPE_CHECKING, NamedTuple

from bot.engine.board import Stop

from .profile import VALUE_MASK, TrainProfile
from .route_column import Link, Trail

if TYPE_CHECKING:
    from .enumeration import Enumeration

NOTHING = -1 << 40
"""The value of arms that do not exist."""

LISTED, LOOKED_AT = 32, 8
"""Number of arms between two notes of the work; how many pairs of arms take about as long as one route."""

Arm = tuple[int, int, Link, int, int, Trail]
"""The pay of the stops beyond the token; its place in the order of the depth-first search; its first link; the track and the sum,
both with the token's; its links."""

VALUE, ORDER = itemgetter(0), itemgetter(1)


class ArmGroup:
    """Arms that end at one stop that pays and visit the same tagged stops, by the room they take; highest first."""

    def __init__(self, end: int, tagged: int, by_room: dict[int, list[Arm]], room: int) -> None:
        self.end, self.tagged, self.by_room = end, tagged, by_room
        self.best: list[int] = []
        """The value of the best arm that takes at most each number of places."""
        most = NOTHING
        for taken in range(room + 1):
            most = max(most, by_room[taken][0][0] if taken in by_room else NOTHING)
            self.best.append(most)


class Candidate(NamedTuple):
    """A route that earns enough. Its key is its place in the order of the depth-first search."""

    key: tuple[int, int]
    revenue: int
    taken: int
    one: Trail
    other: Trail


def paying_limit(profile: TrainProfile) -> tuple[int, int] | None:
    """The place and the mask of the narrowest limit that all stops count towards that pay; None where there is none, or the train
    chooses its stops."""
    paying = {profile.problem.values[stop].kind for stop in profile.board.stops if profile.value(stop) > 0}
    limits = [(limit.most, at) for limit, at in profile.limits if paying <= limit.kinds]
    if not limits or profile.train.optional:
        return None
    most, at = min(limits)
    return at, (1 << max(most, 64).bit_length()) - 1


class ArmPairs:
    """The routes from one token that earn more than the enumeration's floor; of one that `wants_one` only the best.

    Which of several best routes is taken, and their order, are those of the depth-first search.
    """

    def __init__(self, enumeration: Enumeration, token: Stop, forbidden: int) -> None:
        assert enumeration.limit is not None
        self.enumeration = enumeration
        self.at, self.mask = enumeration.limit
        self.token = token
        self.taken, self.packed = enumeration.begin(token, forbidden)
        self.own = enumeration.token
        self.room = ~self.packed >> self.at & self.mask
        self.extras = enumeration.all_extras - enumeration.profile.most_for_distance
        self.least = enumeration.floor + 1
        self.found: list[Candidate] = []

    def run(self) -> None:
        """Keep the routes in the enumeration.

        :raises EnumerationTimeout: from its `check_time`; those that were joined until then are kept.
        """
        enumeration = self.enumeration
        if self.packed & enumeration.profile.guard:
            return
        try:
            self._join(self._groups())
        finally:
            for _, revenue, taken, one, other in sorted(self.found, key=VALUE):
                enumeration.keep(revenue, taken, one, other)

    def _groups(self) -> list[ArmGroup]:
        """The arms that another may join. Each is tried without another at once."""
        is_open = not self.enumeration.board.problem.ends_at(self.token)
        through: dict[tuple[int, int], dict[int, list[Arm]]] = {}
        for (end, tagged, room, may_pair), arms in self._arms(is_open).items():
            arms.sort(key=VALUE, reverse=True)
            self._try_alone(arms, self._at_most(0, end, self.own, tagged))
            if may_pair:
                through.setdefault((end, tagged), {})[room] = arms
        return [ArmGroup(end, tagged, by_room, self.room) for (end, tagged), by_room in through.items()]

    def _arms(self, is_open: bool) -> dict[tuple[int, int, int, bool], list[Arm]]:
        """The arms by the last stop that pays, the tagged stops, the room taken, and whether another may go on from the token."""
        enumeration = self.enumeration
        guard, is_ignored, tags = enumeration.profile.guard, enumeration.is_ignored, enumeration.tagged
        forbidden, packed_before, at, mask = enumeration.forbidden, self.packed, self.at, self.mask
        places, pays_distance = mask - self.room, enumeration.distances is not None
        found: dict[tuple[int, int, int, bool], list[Arm]] = {}
        count = 0

        def go_on(
            links: Iterable[Link], root: Link, may_pair: bool, taken: int, packed: int, trail: Trail, end: int
        ) -> None:
            nonlocal count
            for link in links:
                uses, adds, beyond, _, last = link
                if taken & uses:
                    continue
                total = packed + adds
                if total & guard:
                    continue
                used, arm, paid = taken | uses, (trail, link), end
                if last >= 0:
                    if pays_distance and not is_ignored[last]:
                        paid = last
                    count += 1
                    if not count % LISTED:
                        enumeration.note_work(LISTED)
                    key = paid, (used ^ forbidden) & tags, (total >> at & mask) - places, may_pair
                    one = (total - packed_before & VALUE_MASK, count, root, used, total, arm)
                    if key in found:
                        found[key].append(one)
                    else:
                        found[key] = [one]
                if beyond is not None:
                    go_on(beyond, root, may_pair, used, total, arm, paid)

        try:
            for link in enumeration.roots[self.token]:
                go_on([link], link, is_open and not link[3].starts_terminal, self.taken, self.packed, None, self.own)
        finally:
            # A function that calls itself is a cycle, and would keep all arms until cyclic garbage is collected.
            go_on = None  # type: ignore[assignment]
        return found

    def _at_most(self, value: int, one: int, other: int, tagged: int) -> int:
        """The maximum that a route earns whose arms pay this, end at these stops that pay and visit these tagged stops."""
        enumeration = self.enumeration
        total = (self.packed & VALUE_MASK) + value + self.extras + enumeration.far[one][other]
        return total * enumeration.multiplier + enumeration.single_bonus(tagged)

    def _least_value(self, at_most: int) -> int:
        """The least pay of the stops of arms that could earn `at_most` besides."""
        return -((at_most - self.least) // self.enumeration.multiplier)

    def _try_alone(self, arms: Sequence[Arm], at_most: int) -> None:
        for arm in arms:
            if arm[0] < self._least_value(at_most):
                return
            self._try(arm, None)

    def _join(self, groups: Sequence[ArmGroup]) -> None:
        for at_most, one, other in sorted(self._promising_groups(groups), key=VALUE, reverse=True):
            if at_most < self.least:
                return
            besides = self._at_most(0, one.end, other.end, one.tagged | other.tagged)
            for room, arms in one.by_room.items():
                for space, others in other.by_room.items():
                    if room + space <= self.room:
                        self._join_arms(arms, others, besides, one is other)

    def _promising_groups(self, groups: Sequence[ArmGroup]) -> Iterator[tuple[int, ArmGroup, ArmGroup]]:
        for one, other in combinations_with_replacement(groups, 2):
            best = max(map(add, one.best, reversed(other.best)))
            at_most = self._at_most(best, one.end, other.end, one.tagged | other.tagged)
            if at_most >= self.least:
                yield at_most, one, other

    def _join_arms(self, arms: Sequence[Arm], others: Sequence[Arm], besides: int, is_same: bool) -> None:
        """Try the pairs that may earn enough, where both arms could earn `besides` beyond what their stops pay."""
        guard, packed, taken = self.enumeration.profile.guard, self.packed, self.taken
        highest = others[0][0]
        for arm in arms:
            value, order, root, uses, adds, _ = arm
            least = self._least_value(besides) - value
            if highest < least:
                return
            uses ^= taken
            adds -= packed
            looked_at = 0
            for other in others:
                if other[0] < least:
                    break
                looked_at += 1
                if not (
                    other[3] & uses or other[4] + adds & guard or other[2] is root or (is_same and other[1] < order)
                ):
                    self._try(arm, other)
            self.enumeration.note_work(looked_at // LOOKED_AT)

    def _try(self, arm: Arm, other: Arm | None) -> None:
        """Note the route if it earns enough."""
        one, second = (arm, other) if other is None else sorted((arm, other), key=ORDER)
        taken, packed, key, trail = one[3], one[4], (one[1], 0), None
        if second is not None:
            taken, packed = taken | second[3], packed + second[4] - self.packed
            key, trail = (one[1], second[1]), second[5]
        revenue = self.enumeration.revenue(one[5], trail, taken, packed)
        if revenue < self.least:
            return
        found = Candidate(key, revenue, taken, one[5], trail)
        if not self.enumeration.wants_one:
            self.found.append(found)
        elif not self.found or revenue > self.found[0].revenue or key < self.found[0].key:
            self.found, self.least = [found], revenue

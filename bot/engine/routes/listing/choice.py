"""Trains that choose which stops count: the quick sum of the dearest ones, where nothing but money matters.

A route's stops are counted by what they are worth, in further fields of the packed integer; routes with equal counts
have the same dearest stops, so each combination is worked out once.
"""

from __future__ import annotations

from typing import NamedTuple

from bot.engine.map.track import Stop

from .profile import COUNT_BITS, FIELD, VALUE_BITS, VALUE_MASK, Profile

UNKNOWN = -1
"""What `Choice.plain` says when bonuses might make another choice better."""


class Worth(NamedTuple):
    """All that the choice asks of a stop."""

    money: int
    is_own: bool
    is_optional: bool
    is_limited: bool
    seen_as: tuple[int, ...] = ()


class Choice:
    """The stops that a route of a train with optional stops counts.

    Quick only where one limit covers all optional kinds, and no stop that bonuses know could be left out.
    """

    def __init__(self, profile: Profile) -> None:
        self.profile, self.train = profile, profile.train
        limits = [limit for limit, _ in profile.limits if limit.kinds & self.train.optional]
        self.is_quick = len(limits) == 1 and limits[0].kinds >= self.train.optional and not self.train.unpaid
        self.is_quick = self.is_quick and not any(limit.spaces or limit.gauge_changes for limit in limits)
        # Where a bonus asks how many stops count, that must follow from how many there are.
        self.is_quick = self.is_quick and not (profile.stops_at and not profile.counts_at_most)
        self.most = limits[0].most if limits else 0
        kinds = limits[0].kinds if limits else frozenset()
        stops = profile.board.stops
        self.worths = [self._worth(stop, kinds) for stop in stops]
        self.classes = sorted(set(self.worths), key=lambda worth: (-worth.money, not worth.is_own, worth))
        self.at = {worth: COUNT_BITS * number for number, worth in enumerate(self.classes)}
        self.ones = [1 << self.at[worth] for worth in self.worths]
        self.specials = [profile.is_special(stop) for stop in stops]
        self.memory: dict[tuple[int, bool, int], int] = {}
        self.rivals = [self._rivals(worth) for worth in self.worths]
        self.idle: dict[tuple[int, int], bool] = {}
        self.better = {worth: self._better(worth) for worth in self.classes}
        self.useful: dict[int, int] = {}
        self.tags = profile.tags_besides_stops << VALUE_BITS

    def _worth(self, stop: Stop, kinds: frozenset[str]) -> Worth:
        kind = self.profile.problem.values[stop].kind
        is_own = self.train.counts_token and stop in self.profile.problem.own
        tags = self.profile.problem.values[stop].tags
        sets = [number for number, bonus in enumerate(self.profile.bonuses) if getattr(bonus, "tag", None) in tags]
        seen_as = (self.profile.class_of[stop], *sets)
        return Worth(self.profile.value(stop), is_own, kind in self.train.optional, kind in kinds, seen_as)

    def weight(self, stop: Stop) -> int:
        """What visiting the stop adds to the packed integer."""
        return self.ones[self.profile.board.stops[stop]] << self.profile.size

    def _rivals(self, worth: Worth) -> list[int]:
        """Where the stops are counted that might always count in place of one of this worth."""
        return [self.at[other] for other in self.classes if self._replaces(other, worth)]

    def _better(self, worth: Worth) -> list[int]:
        """Where the stops of other worths are counted that might always count in place of one of this; of two worths
        that might each count for the other only the first is better."""
        before = self.classes.index(worth)
        return [
            self.at[other]
            for number, other in enumerate(self.classes)
            if other != worth and self._replaces(other, worth) and (number < before or not self._replaces(worth, other))
        ]

    def _replaces(self, other: Worth, worth: Worth) -> bool:
        """Whether it is never worse to count the other stop."""
        if other.is_optional and other.is_limited and worth.is_optional and worth.is_limited:
            (group, *sets), (its_group, *its_sets) = other.seen_as, worth.seen_as
            is_as_dear = other.money >= worth.money and other.is_own >= worth.is_own and sets == its_sets
            return is_as_dear and self.profile.pairs_no_less(group, its_group)
        return False

    def counts_never(self, stop: int, packed: int) -> bool:
        """Whether the route, however it grows beyond its other end, has others to count in place of this stop of its.

        Where ends must count, one of them becomes the end instead, and the other end is still to come.
        """
        counts = packed >> self.profile.size
        key = (stop, counts)
        known = self.idle.get(key)
        if known is None:
            rivals = sum(counts >> at & FIELD for at in self.rivals[stop])
            known = self.idle[key] = self.is_quick and rivals > self.most - self.train.counts_ends
        return known

    def replaces(self, other: int, stop: int) -> bool:
        """Whether it is never worse to count the other stop than this one."""
        return self.at[self.worths[other]] in self.rivals[stop]

    def signature(self, first: int, last: int, packed: int) -> object:
        """Routes with the same signature earn the same; None if nothing is known."""
        if self.train.distance_pay:
            return None
        ends = (self.worths[first], self.worths[last]) if self.train.counts_ends else None
        if not self.is_quick:
            return packed >> VALUE_BITS, ends and (min(ends), max(ends))
        counts = packed >> self.profile.size
        useful = self.useful.get(counts)
        if useful is None:
            useful = self.useful[counts] = self._useful(counts)
        return useful, packed & self.tags, ends and (min(ends), max(ends))

    def _useful(self, counts: int) -> int:
        """The counts without stops for which there are always others to count."""
        useful = 0
        for worth, rivals in self.better.items():
            at = self.at[worth]
            number = counts >> at & FIELD
            if worth.is_optional and worth.is_limited:
                number = max(0, min(number, self.most - sum(counts >> rival & FIELD for rival in rivals)))
            useful |= number << at
        return useful

    def plain(self, first: int, last: int, packed: int) -> int:
        """The money of the stops that count, `UNKNOWN` if the route must be scored exactly."""
        if not self.is_quick:
            return UNKNOWN
        specials = packed >> self.profile.specials_at & FIELD
        counts = packed >> self.profile.size
        if not self.train.counts_ends:
            return UNKNOWN if specials else self._remembered(counts, False, self.most, 0)
        if specials - self.specials[first] - self.specials[last]:
            return UNKNOWN
        one, other = self.worths[first], self.worths[last]
        counts -= self.ones[first] + self.ones[last]
        room = self.most - one.is_limited - other.is_limited
        return self._remembered(counts, one.is_own or other.is_own, room, one.money + other.money)

    def ceiling(self, packed: int) -> int:
        """The money of the dearest stops that there is room for, whichever must count; that of all where that is not
        known."""
        counts = packed >> self.profile.size
        dearest = self._remembered(counts, True, self.most, 0) if self.is_quick else UNKNOWN
        return dearest if dearest >= 0 else packed & VALUE_MASK

    def _remembered(self, counts: int, has_token: bool, room: int, ends: int) -> int:
        key = (counts, has_token, room)
        known = self.memory.get(key)
        if known is None:
            known = self.memory[key] = self._dearest(counts, has_token or not self.train.counts_token, room)
        return known + ends if known >= 0 else UNKNOWN

    def _dearest(self, counts: int, has_token: bool, room: int) -> int:
        """The money of all that must count and the dearest others for which there is room."""
        numbers = [(worth, counts >> self.at[worth] & FIELD) for worth in self.classes]
        forced = [(worth, number) for worth, number in numbers if not worth.is_optional and number]
        room -= sum(number for worth, number in forced if worth.is_limited)
        if room < 0:
            return UNKNOWN
        total = sum(worth.money * number for worth, number in forced)
        free = [worth for worth, number in numbers if worth.is_optional for _ in range(number)]
        counted = free[:room]
        has_token = has_token or any(worth.is_own for worth, _ in forced) or any(worth.is_own for worth in counted)
        if not has_token:
            tokens = [worth for worth in free if worth.is_own]
            if not tokens or not counted:
                return UNKNOWN
            counted = [*counted[:-1], tokens[0]]
        return total + sum(worth.money for worth in counted)

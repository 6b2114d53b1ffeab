"""Trains that choose which stops count: the quick sum of the best stops, where nothing but money matters.

A route's stops are counted by what they are worth, in further fields of the packed integer; routes with equal counts
have the same best stops, so each combination is worked out once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bot.engine.board import Stop
from bot.engine.routes.revenue import Limit, TrackBonus

from .profile import COUNT_BITS, FIELD, VALUE_BITS, VALUE_MASK, TrainProfile

UNKNOWN = -1
"""Returned by `plain_revenue` when bonuses might make another choice better."""


class StopWorth(NamedTuple):
    money: int
    is_own: bool
    is_optional: bool
    is_limited: bool
    seen_as: tuple[int, ...] = ()


class StopChoice:
    """The stops that a route of a train with optional stops counts.

    Quick only where one limit covers all optional kinds, and the highest stops earn all bonuses that others could.
    """

    def __init__(self, profile: TrainProfile) -> None:
        self.profile, self.train = profile, profile.train
        limits = [limit for limit, _ in profile.limits if limit.kinds & self.train.optional]
        self.is_quick = self._is_quick_with(limits)
        self.most = limits[0].most if limits else 0
        kinds = limits[0].kinds if limits else frozenset()
        stops = profile.board.stops
        self.worths = [self._worth(stop, kinds) for stop in stops]
        self.classes = sorted(set(self.worths), key=lambda worth: (-worth.money, not worth.is_own, worth))
        self.at = {worth: COUNT_BITS * number for number, worth in enumerate(self.classes)}
        self.ones = [1 << self.at[worth] for worth in self.worths]
        self.seen = {worth: profile.bonus_class(stop) for worth, stop in zip(self.worths, stops, strict=True)}
        self.sums: dict[tuple[int, int], int] = {}
        self.ceilings: dict[int, int] = {}
        rivals = {worth: [other for other in self.classes if self._replaces(other, worth)] for worth in self.classes}
        self.rivals = [self._fields(rivals[worth]) for worth in self.worths]
        self.as_dear = [self._fields(self._equally_high_worths(worth, rivals[worth])) for worth in self.worths]
        self.needed = [self._rivals_needed(rivals[worth]) for worth in self.worths]
        self.enough = self.most - (self.train.counts_ends or self._loses_nothing_without_an_end())
        self.idle: list[dict[int, bool]] = [{} for _ in stops]
        self.better = {worth: self._fields(self._better_worths(worth, rivals)) for worth in self.classes}
        self.useful: dict[int, int] = {}
        self.tags = profile.tags_besides_stops << VALUE_BITS

    def _is_quick_with(self, limits: Sequence[Limit]) -> bool:
        if len(limits) != 1 or self.train.unpaid or not limits[0].kinds >= self.train.optional:
            return False
        # If a bonus asks how many stops count, that must follow from how many there are.
        follows = not self.profile.stops_at or bool(self.profile.counts_at_most)
        return follows and not (limits[0].spaces or limits[0].gauge_changes)

    def _worth(self, stop: Stop, kinds: frozenset[str]) -> StopWorth:
        kind = self.profile.problem.values[stop].kind
        is_own = self.train.counts_token and stop in self.profile.problem.own
        tags = self.profile.problem.values[stop].tags
        sets = [number for number, bonus in enumerate(self.profile.bonuses) if getattr(bonus, "tag", None) in tags]
        seen_as = (self.profile.class_of[stop], *sets)
        return StopWorth(self.profile.value(stop), is_own, kind in self.train.optional, kind in kinds, seen_as)

    def weight(self, stop: Stop) -> int:
        return self.ones[self.profile.board.stops[stop]] << self.profile.size

    def _fields(self, worths: Iterable[StopWorth]) -> int:
        return sum(FIELD << self.at[worth] for worth in worths)

    def _better_worths(self, worth: StopWorth, rivals: Mapping[StopWorth, list[StopWorth]]) -> list[StopWorth]:
        """The worths of stops that might always count in place of one of this; of two worths that might each count for the
        other only the first is better."""
        return [
            other
            for other in rivals[worth]
            if other != worth and (self.at[other] < self.at[worth] or worth not in rivals[other])
        ]

    def _replaces(self, other: StopWorth, worth: StopWorth) -> bool:
        return self._is_as_high(other, worth) and self.profile.pairs_no_less(other.seen_as[0], worth.seen_as[0])

    def _is_as_high(self, other: StopWorth, worth: StopWorth) -> bool:
        """Whether counting the other stop loses nothing but what pairs pay."""
        if other.is_optional and other.is_limited and worth.is_optional and worth.is_limited:
            is_as_dear = other.money >= worth.money and other.is_own >= worth.is_own
            return is_as_dear and other.seen_as[1:] == worth.seen_as[1:]
        return False

    def _loses_nothing_without_an_end(self) -> bool:
        """Whether each route earns as much without a last stop that does not take the place of another which might count."""
        marks_track = any(isinstance(bonus, TrackBonus) for bonus in self.profile.bonuses)
        return not marks_track and all(worth.is_limited and worth.is_optional for worth in self.classes)

    def _equally_high_worths(self, worth: StopWorth, rivals: list[StopWorth]) -> list[StopWorth]:
        """The worths of stops that may count in place of one of this beside a rival of it that counts, too. Where ends must
        count they might be lost with the end."""
        if self.profile.has_penalties or self.profile.has_places or self.train.counts_ends:
            return rivals
        return [other for other in self.classes if self._is_as_high(other, worth)]

    def _rivals_needed(self, rivals: list[StopWorth]) -> int:
        """How many rivals of a stop bring, if they count, all that pairs pay with it: one of them may be the very stop that
        it makes a pair with."""
        return 1 + any(self.profile.pairs_with_itself(rival.seen_as[0]) for rival in rivals)

    def counts_never(self, stop: int, packed: int) -> bool:
        """Whether the route, however it grows beyond its other end, has others to count in place of this stop of its.

        The other end is still to come, and counts, too: without it a route would earn as much. If ends must count, a
        rival becomes the end instead.
        """
        counts = packed >> self.profile.size
        idle = self.idle[stop]
        known = idle.get(counts)
        if known is None:
            known = idle[counts] = self.is_quick and self._has_others(stop, counts)
        return known

    def _has_others(self, stop: int, counts: int) -> bool:
        """Whether among these there are others for all that count with the stop, and rivals of it that are enough for
        pairs. The stop is among them."""
        rivals, as_dear = _total(counts & self.rivals[stop]), _total(counts & self.as_dear[stop])
        return rivals > min(self.needed[stop], self.enough) and as_dear > self.enough

    def replaces(self, other: int, stop: int) -> bool:
        return bool(self.ones[other] & self.rivals[stop])

    def signature(self, first: int, last: int, packed: int) -> object:
        """Routes with the same signature earn the same; None if nothing is known."""
        if self.train.distance_pay:
            return None
        ends = (self.worths[first], self.worths[last]) if self.train.counts_ends else None
        if not self.is_quick:
            return packed >> VALUE_BITS, ends and (min(ends), max(ends))
        return self._useful_counts(packed >> self.profile.size), packed & self.tags, ends and (min(ends), max(ends))

    def _useful_counts(self, counts: int) -> int:
        """The counts without stops for which there are always others to count."""
        known = self.useful.get(counts)
        if known is None:
            known = 0
            for worth, better in self.better.items():
                at = self.at[worth]
                number = counts >> at & FIELD
                if number and worth.is_optional and worth.is_limited:
                    number = max(0, min(number, self.most - _total(counts & better)))
                known |= number << at
            self.useful[counts] = known
        return known

    def plain_revenue(self, first: int, last: int, packed: int) -> int:
        """The money of the stops that count, `UNKNOWN` if the route must be scored exactly."""
        if not self.is_quick:
            return UNKNOWN
        counts, at_ends = packed >> self.profile.size, 0
        if self.train.counts_ends:
            at_ends = self.ones[first] + self.ones[last]
            counts -= at_ends
        useful = self._useful_counts(counts)
        known = self.sums.get((useful, at_ends))
        if known is None:
            ends = [self.worths[first], self.worths[last]] if at_ends else []
            known = self.sums[useful, at_ends] = self._sum(ends, self._expand_counts(useful))
        return known

    def _sum(self, ends: list[StopWorth], others: list[StopWorth]) -> int:
        """The money of the ends, which count, and of those others that do."""
        counted = self._highest_stops(
            others, any(end.is_own for end in ends), self.most - sum(end.is_limited for end in ends)
        )
        if counted is None or (any(map(self.seen.get, others)) and not self._earns_all(ends, others, counted)):
            return UNKNOWN
        return sum(worth.money for worth in (*ends, *counted))

    def _earns_all(self, ends: list[StopWorth], others: list[StopWorth], counted: list[StopWorth]) -> bool:
        """Whether those that count earn the bonuses that all together would."""
        if self.profile.has_penalties or self.profile.has_places:
            return False
        most, sure = (sum(map(self.seen.__getitem__, (*ends, *some))) for some in (others, counted))
        return self.profile.extras_within(sure) == self.profile.extras_within(most)

    def ceiling(self, packed: int) -> int:
        """The money of the highest stops there is room for; of all stops where that is not known."""
        counts = packed >> self.profile.size
        known = self.ceilings.get(counts)
        if known is None:
            counted = self._highest_stops(self._expand_counts(counts), True, self.most) if self.is_quick else None
            known = UNKNOWN if counted is None else sum(worth.money for worth in counted)
            self.ceilings[counts] = known
        return known if known >= 0 else packed & VALUE_MASK

    def _expand_counts(self, counts: int) -> list[StopWorth]:
        """The counted worths one after another, highest first."""
        found: list[StopWorth] = []
        while counts:
            number = ((counts & -counts).bit_length() - 1) // COUNT_BITS
            some = counts & FIELD << number * COUNT_BITS
            found += [self.classes[number]] * (some >> number * COUNT_BITS)
            counts ^= some
        return found

    def _highest_stops(self, stops: list[StopWorth], has_token: bool, room: int) -> list[StopWorth] | None:
        """All stops that must count and the highest others for which there is room; None if they do not fit."""
        forced = [worth for worth in stops if not worth.is_optional]
        room -= sum(worth.is_limited for worth in forced)
        if room < 0:
            return None
        free = [worth for worth in stops if worth.is_optional]
        counted = free[:room]
        if self.train.counts_token and not has_token and not any(worth.is_own for worth in (*forced, *counted)):
            tokens = [worth for worth in free if worth.is_own]
            if not tokens or not counted:
                return None
            counted = [*counted[:-1], tokens[0]]
        return [*forced, *counted]


def _total(counts: int) -> int:
    """The number of stops counted in all fields: the remainder by a full field is the sum of the fields."""
    return counts % FIELD

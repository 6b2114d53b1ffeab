"""Trains that choose which stops count: the quick sum of the dearest ones, where nothing but money matters."""

from __future__ import annotations

from typing import Any

from .chains import Chain
from .profile import COUNT_BITS, Profile

Link = tuple[int, int, Any, Chain, int]
"""What the route must not have used yet, what it adds, the links onward (None where routes end), the chain, the number
of the stop it leads to (-1 where no route of the train ends)."""

Trail = tuple[Any, Link] | None
"""The links of an arm, last first."""

UNKNOWN = -1
"""What `Choice.plain` says when bonuses might make another choice better."""


class Choice:
    """The stops that a route of a train with optional stops counts.

    Quick only where one limit covers all optional kinds, and no stop that bonuses know could be left out.
    """

    def __init__(self, profile: Profile) -> None:
        problem, train, board = profile.problem, profile.train, profile.board
        limits = [limit for limit, _ in profile.limits if limit.kinds & train.optional]
        self.is_quick = len(limits) == 1 and limits[0].kinds >= train.optional and not train.unpaid
        self.is_quick = self.is_quick and not any(limit.spaces or limit.gauge_changes for limit in limits)
        self.most = limits[0].most if limits else 0
        self.counts_ends, self.counts_token = train.counts_ends, train.counts_token
        self.token = 0
        self.specials_at, self.mask = profile.specials_at, (1 << COUNT_BITS) - 1
        self.specials = [profile.is_special(stop) for stop in board.stops]
        kinds = limits[0].kinds if limits else frozenset()
        self.limited = [problem.values[stop].kind in kinds for stop in board.stops]
        self.optional = [problem.values[stop].kind in train.optional for stop in board.stops]
        self.codes = [2 * profile.value(stop) + (stop in problem.own) for stop in board.stops]
        if not self.counts_token:
            self.codes = [code & ~1 for code in self.codes]

    def plain(self, one: Trail, other: Trail, packed: int) -> int:
        """The money of the stops that count, `UNKNOWN` if the route must be scored exactly."""
        if not self.is_quick:
            return UNKNOWN
        first = one[1][4]  # type: ignore[index]
        last = other[1][4] if other is not None else self.token
        specials = packed >> self.specials_at & self.mask
        if self.counts_ends:
            specials -= self.specials[first] + self.specials[last]
        if specials:
            return UNKNOWN
        return self._dearest(first, last, self._between(one, other))

    def _between(self, one: Trail, other: Trail) -> list[int]:
        """The numbers of the stops between the ends."""
        numbers = [self.token] if other is not None else []
        for arm in (one, other):
            trail: Any = arm[0] if arm is not None else None
            while trail is not None:
                numbers.append(trail[1][4])
                trail = trail[0]
        return numbers

    def _dearest(self, first: int, last: int, between: list[int]) -> int:
        codes, optional, room = self.codes, self.optional, self.most
        forced: list[int] = []
        free: list[int] = []
        if self.counts_ends:
            forced += [codes[first], codes[last]]
            room -= self.limited[first] + self.limited[last]
        else:
            between += [first, last]
        for number in between:
            if optional[number]:
                free.append(codes[number])
            else:
                forced.append(codes[number])
                room -= self.limited[number]
        free.sort(reverse=True)
        counted = free[:room] if room > 0 else []
        if room < 0:
            return UNKNOWN
        total = sum(code >> 1 for code in forced) + sum(code >> 1 for code in counted)
        if self.counts_token and not any(code & 1 for code in forced) and not any(code & 1 for code in counted):
            return self._with_token(total, free, counted)
        return total

    @staticmethod
    def _with_token(total: int, free: list[int], counted: list[int]) -> int:
        """The sum when the cheapest counted stop gives way to the dearest own token."""
        tokens = [code for code in free if code & 1]
        if not tokens or not counted:
            return UNKNOWN
        return total - (counted[-1] >> 1) + (tokens[0] >> 1)

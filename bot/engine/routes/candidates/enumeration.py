"""All routes of a kind of train, each once: depth first in two arms from each of the company's tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any

from bot.engine.board import Stop
from bot.engine.routes.revenue import TrainSpec

from .arm_pairs import ArmPairs, paying_limit
from .profile import FIELD, ILLEGAL, VALUE_BITS, VALUE_MASK, SearchBoard, TrainProfile
from .route_column import Link, RouteColumn, Trail, route_of
from .stop_choice import StopChoice

WORK, SCORING = 512, 64
"""Number of routes between two looks at the clock; the cost of scoring a route, in routes."""

HIGH_FLOOR = 0.7
"""The part of the highest revenue above which routes are few enough to be found by pairs of arms."""


class EnumerationTimeout(Exception):
    """The deadline has passed."""


class _Enough(Exception):
    """No better route can exist."""


class Enumeration:
    """The depth-first search of one kind of train. `found` is complete when `run` has returned.

    If it `wants_one`, only routes better than all found before are kept. `alone` is what a route that visits one of
    the `tagged` stops earns of the bonuses that several routes may earn together.
    """

    def __init__(
        self,
        board: SearchBoard,
        train: TrainSpec,
        check_time: Callable[[], None],
        tagged: int = 0,
        alone: Callable[[int], int] = lambda taken: 0,
        is_only: bool = False,
    ) -> None:
        self.board = board
        self.train = train
        self.profile = TrainProfile(board, train)
        self.check_time = check_time
        self.found: dict[int, RouteColumn] = {}
        self.choice = StopChoice(self.profile) if train.optional else None
        self.ones = self.choice.ones if self.choice is not None else []
        self.work = 0
        self.scored: dict[object, int] = {}
        self.earned: dict[object, int] = {}
        self.wants_one, self.tagged, self.alone = False, tagged, alone
        self.pairs_arms = False
        joint = board.problem.joint if train.earns_bonuses else ()
        self.joint_tags = {tag for bonus in joint for tag in (bonus.one, bonus.other)}
        self.keeps_ends = bool(joint) and not is_only
        self.forbidden = 0
        self.token = self.token_number = -1
        self.memory: dict[int, int] = {}
        self.extras: dict[int, int] = {}
        self.alone_of: dict[int, int] = {}
        self.floor, self.enough = -1, 1 << 40
        # One route that counts all its stops is not looked at where these and its bonuses earn no more than that.
        self.wanted = 2 * ILLEGAL
        self.most_alone = sum(max(0, bonus.money) for bonus in joint) if tagged else 0
        self.distances = self.profile.distances() if train.distance_pay else None
        self.multiplier, self.counts_ends = train.multiplier, train.counts_ends
        # Most long routes of a train that chooses earn nothing by their last stops, and only use up track.
        self.drops_longer = self.choice is not None and not (
            train.unpaid or train.distance_pay or self.tagged or self.keeps_ends
        )
        self.all_extras = self.profile.most_extras()
        self.tags = self.profile.tag_mask << VALUE_BITS
        self.track = (1 << board.track_bits) - 1
        self.distinct = self.track | (((1 << len(board.stops)) - 1) << board.track_bits if joint else 0)
        self.is_ignored = [board.problem.values[stop].kind in train.unpaid for stop in board.stops]
        self.far = self._distances_at_most()
        # If two other stops are needed stops, nothing is lost without an end that is only needed.
        self.is_spare = [self._is_only_needed(stop) for stop in board.stops]
        self.needs_more = 3 << self.profile.needed_at
        self.needed = FIELD << self.profile.needed_at
        self.limit = paying_limit(self.profile)
        self._make_links()

    def restart(self, wants_one: bool = False) -> Enumeration:
        """The same search from the beginning; with `wants_one` for a single route."""
        other = copy(self)
        other.work, other.wants_one = 0, wants_one
        other.pairs_arms = wants_one and self.limit is not None
        # Without facts of routes alike: scoring counts as work, and the number of looks at the clock bounds all of it.
        other.found, other.scored, other.earned, other.memory, other.extras = {}, {}, {}, {}, {}
        return other

    def _make_links(self) -> None:
        """`onward` are the links after a stop within a route, `roots` those at a token where a route may begin."""
        board, problem, train = self.board, self.board.problem, self.train
        weights = {stop: self._stop_weight(stop) for stop in board.stops}
        self.onward: dict[Stop, list[Link]] = {stop: [] for stop in board.stops}
        self.roots: dict[Stop, list[Link]] = {stop: [] for stop in board.stops}
        for stop, chains in board.chains.items():
            for chain in chains:
                worth = problem.values[chain.end]
                if worth.kind in train.closed or (worth.only_from is not None and stop not in worth.only_from):
                    continue
                ends = chain.ends_terminal or problem.ends_at(chain.end)
                link: Link = (
                    chain.mask | board.taken[chain.end],
                    weights[chain.end] + self.profile.chain_weight(chain),
                    None if ends else self.onward[chain.end],
                    chain,
                    self._end_number(chain.end, chain.marks),
                )
                self.roots[stop].append(link)
                if not chain.starts_terminal:
                    self.onward[stop].append(link)

    def _stop_weight(self, stop: Stop) -> int:
        return self.profile.stop_weight(stop) + (self.choice.weight(stop) if self.choice is not None else 0)

    def raise_floor(self, floor: int, highest: int) -> None:
        """Look only for routes that earn more than the floor; the highest is known to earn `highest`."""
        self.floor, self.wanted = floor, floor // self.multiplier
        self.pairs_arms = self.limit is not None and floor > HIGH_FLOOR * highest

    def run(self, used: int = 0) -> None:
        """Search from every token for routes that do without the `used` track.

        :raises EnumerationTimeout: from `check_time`; `found` holds the routes found until then.
        """
        self.keep_off(used)
        earlier = used
        stops = ((1 << len(self.board.stops)) - 1) << self.board.track_bits
        try:
            for token in self._tokens():
                if self.board.problem.values[token].kind not in self.train.closed:
                    if self.pairs_arms:
                        ArmPairs(self, token, earlier).run()
                    else:
                        self._from_token(token, earlier)
                earlier |= self.board.taken[token] & stops
        except _Enough:
            pass

    def _tokens(self) -> list[Stop]:
        """The company's tokens in the order in which their routes are listed.

        If longer routes may be dropped, those in the middle come first: from there both arms soon have enough stops
        that pay, while an arm from the edge of the map wanders all over it.
        """
        tokens = sorted(token for token in self.board.problem.own if token in self.board.stops)
        return sorted(tokens, key=self.board.distance) if self.drops_longer else tokens

    def _from_token(self, token: Stop, forbidden: int) -> None:
        ends = self.board.problem.ends_at(token)
        taken, packed = self.begin(token, forbidden)
        if packed & self.profile.guard:
            return
        after = 0
        with self._walker(self.onward[token]) as extend:
            for link in self.roots[token]:
                terminal = link[3].starts_terminal
                after += not terminal
                total = packed + link[1]
                if taken & link[0] or total & self.profile.guard:
                    continue
                root = -1 if terminal or ends else after
                extend(link[2], root, taken | link[0], total, (None, link), link[4])

    def begin(self, token: Stop, forbidden: int) -> tuple[int, int]:
        """Turn to routes from this token: what only the token uses up, the forbidden included, and adds up to."""
        self.forbidden = forbidden
        self.token, self.token_number = self.board.stops[token], self._end_number(token)
        return self.board.taken[token] | forbidden, self.profile.start + self._stop_weight(token)

    def keep_off(self, used: int) -> None:
        """Leave this track out of what routes use up: it is forbidden to all of them."""
        self.track &= ~used
        self.distinct &= ~used

    @contextmanager
    def _walker(self, onward: list[Link]) -> Iterator[Callable[[Any, int, int, int, Trail, int], None]]:
        """The two arms as one function: it records a first arm, grows second arms from the token's links `onward`
        after the arm's own number (none if that is negative), and grows the first arm."""
        guard, record = self.profile.guard, self.record
        counts_never = self.choice.counts_never if self.choice is not None else None
        drops_longer, memory, tags, extras = self.drops_longer, self.memory, self.tags, self.all_extras
        tagged, most_alone = self.tagged, self.most_alone

        def extend(further: Any, root: int, taken: int, packed: int, trail: Trail, first: int) -> None:
            if first >= 0:
                record(trail, None, taken, packed)
                if 0 <= root < len(onward):
                    end = self._spare_end(trail) if drops_longer else -1
                    second_arm(onward[root:], taken, packed, trail, None, end, self.far[first])
            for link in further or ():
                uses, adds, beyond, _, last = link
                if taken & uses:
                    continue
                total = packed + adds
                if not total & guard:
                    extend(beyond, root, taken | uses, total, (trail, link), last)

        def second_arm(
            links: list[Link], taken: int, packed: int, one: Trail, other: Trail, end: int, far: list[int]
        ) -> None:
            if end >= 0 and counts_never(end, packed):  # type: ignore[misc]
                return
            for link in links:
                uses, adds, beyond, _, last = link
                if taken & uses:
                    continue
                total = packed + adds
                if total & guard:
                    continue
                used, trail = taken | uses, (other, link)
                if last >= 0:
                    at_most = (total & VALUE_MASK) + far[last] + memory.get(total & tags, extras)
                    if at_most > self.wanted or (used & tagged and at_most + most_alone > self.wanted):
                        record(one, trail, used, total)
                if beyond is not None:
                    second_arm(beyond, used, total, one, trail, end, far)

        try:
            yield extend
        finally:
            # A function that calls itself is a cycle, and would keep all routes until cyclic garbage is collected.
            extend = second_arm = None  # type: ignore[assignment]

    def _distances_at_most(self) -> list[list[int]]:
        """The maximum that a route between each two stops earns for distance: it is paid for between stops that the
        train does not ignore."""
        numbers, most = range(len(self.board.stops)), self.profile.most_for_distance
        if self.distances is None:
            return [[0] * len(numbers)] * len(numbers)
        return [
            [
                most if self.is_ignored[one] or self.is_ignored[other] else self.distances[one][other]
                for other in numbers
            ]
            for one in numbers
        ]

    def _spare_end(self, arm: Trail) -> int:
        """The number of the arm's last stop if a route without it would lose nothing once there are enough others to
        count; -1 if it might lose something.

        If ends must count, it ends at the next stop that counts instead, or at the first that is worth as much.
        """
        assert self.choice is not None and arm is not None
        last = arm[1][4]
        while arm is not None:
            arm, (_, _, _, chain, _) = arm
            if chain.marks:
                return -1
            if not self.train.counts_ends or self.choice.replaces(self._end_of(arm), last):
                return last
        return -1

    def _end_of(self, arm: Trail) -> int:
        """The number of the arm's last stop: the token's where there is no arm."""
        return self.token_number if arm is None else arm[1][4]

    def _end_number(self, stop: Stop, marks: int = 0) -> int:
        """The stop's number, -1 if a route that ends there might as well end before."""
        is_useful = marks or not self._is_only_needed(stop) or self.board.problem.values[stop].kind in self.train.needs
        return self.board.stops[stop] if is_useful else -1

    def _is_only_needed(self, stop: Stop) -> bool:
        """Whether a route that ends there earns nothing by it: it is at most one of the two stops that a route needs."""
        worth = self.board.problem.values[stop]
        return worth.kind in self.train.unpaid and not (self.keeps_ends or worth.tags & self.joint_tags)

    def _has_spare_end(self, one: Trail, other: Trail, packed: int) -> bool:
        """Whether the route earns as much without an end that is only needed."""
        if packed & self.needed < self.needs_more:
            return False
        return any(arm is not None and self.is_spare[arm[1][4]] and not arm[1][3].marks for arm in (one, other))

    def record(self, one: Trail, other: Trail, taken: int, packed: int) -> int:
        """Keep the route if it is the best over its track; what it earns, less than nothing if it may not be run."""
        self.note_work(1)
        revenue = self.revenue(one, other, taken, packed)
        if revenue > self.floor and not (self.drops_longer and self._may_be_shorter(one, other, packed, revenue)):
            self.keep(revenue, taken, one, other)
        return revenue

    def note_work(self, routes: int) -> None:
        """Look at the clock if enough routes were looked at."""
        self.work += routes
        if self.work > WORK:
            self.work = 0
            self.check_time()

    def revenue(self, one: Trail, other: Trail, taken: int, packed: int) -> int:
        """The revenue of the route, less than nothing if it may not be run."""
        first = one[1][4]  # type: ignore[index]
        last = other[1][4] if other is not None else self.token_number
        if first < 0 or last < 0:
            return ILLEGAL
        if (self.is_spare[first] or self.is_spare[last]) and self._has_spare_end(one, other, packed):
            return ILLEGAL
        if self.choice is not None:
            key = self._key(first, last, packed) if self.counts_ends else packed >> VALUE_BITS
            revenue = self.earned.get(key)
            if revenue is None:
                revenue = self._choice_revenue(one, other, first, last, packed)
        else:
            plain = packed & VALUE_MASK
            if self.distances is not None:
                if self.is_ignored[first] or self.is_ignored[last]:
                    first, last = self._paid_ends(one, other)
                plain += self.distances[first][last]
            revenue = (plain + self._memoised_extra(one, other, packed, plain)) * self.multiplier
        if taken & self.tagged:
            revenue += self.single_bonus((taken ^ self.forbidden) & self.tagged)
        return revenue

    def single_bonus(self, tagged: int) -> int:
        """The pay of a route for joint bonuses, if it visits these tagged stops."""
        if tagged not in self.alone_of:
            self.alone_of[tagged] = self.alone(tagged)
        return self.alone_of[tagged]

    def _key(self, first: int, last: int, packed: int) -> object:
        """Routes of a train that chooses its stops earn the same, besides their own revenue, if this is the same."""
        sums = packed >> VALUE_BITS
        return (sums, self.ones[first] + self.ones[last]) if self.train.counts_ends else sums

    def _choice_revenue(self, one: Trail, other: Trail, first: int, last: int, packed: int) -> int:
        """The revenue of the stops that it is best to count; the floor, if nobody needs to know."""
        choice = self.choice
        assert choice is not None
        if self.floor > 0 and not self.tagged and self._ceiling(packed) <= self.floor:
            return self.floor
        plain = choice.plain_revenue(first, last, packed)
        if plain >= 0:
            revenue = (plain + self._memoised_extra(one, other, packed, plain)) * self.multiplier
        else:
            signature = choice.signature(first, last, packed)
            known = self.scored.get(signature) if signature is not None else None
            if known is None:
                self.work += SCORING
                known = self.profile.exact_revenue(route_of(one, other, self.train))
                if signature is not None:
                    self.scored[signature] = known
            revenue = known * self.multiplier
        if self.distances is None:
            self.earned[self._key(first, last, packed)] = revenue
        return revenue

    def _memoised_extra(self, one: Trail, other: Trail, packed: int, plain: int) -> int:
        key = packed & self.tags
        extra = self.memory.get(key)
        if extra is None:
            extra = self.memory[key] = self._extra(key, one, other, plain)
        return extra

    def _may_be_shorter(self, one: Trail, other: Trail, packed: int, revenue: int) -> bool:
        """Whether the route without its first or without its last stop is known to earn as much."""
        assert one is not None
        earned, (rest, link) = self.earned, one
        if other is None and rest is None:
            return False
        if not self.counts_ends:
            # As `_key` has it: to call it takes longer than all else here.
            return earned.get(packed - link[1] >> VALUE_BITS, ILLEGAL) >= revenue or (
                other is not None and earned.get(packed - other[1][1] >> VALUE_BITS, ILLEGAL) >= revenue
            )
        last = other[1][4] if other is not None else self.token_number
        if earned.get(self._key(self._end_of(rest), last, packed - link[1]), ILLEGAL) >= revenue:
            return True
        if other is None:
            return False
        first, (rest, link) = link[4], other
        return earned.get(self._key(first, self._end_of(rest), packed - link[1]), ILLEGAL) >= revenue

    def _ceiling(self, packed: int) -> int:
        """An upper bound for a route that chooses its stops."""
        assert self.choice is not None
        at_most = ((packed & VALUE_MASK) + self.all_extras) * self.multiplier
        if at_most <= self.floor:
            return at_most
        most = self.profile.extras_within(packed & self.tags)
        return (self.choice.ceiling(packed) + most) * self.multiplier

    def keep(self, revenue: int, taken: int, one: Trail, other: Trail) -> None:
        mask = taken & self.distinct
        known = self.found.get(mask)
        if known is None or known.revenue < revenue:
            self.found[mask] = RouteColumn(revenue, taken & self.track, taken ^ self.forbidden, one, other)
            if self.wants_one:
                self.floor = revenue
                if self.choice is None:
                    self.wanted = revenue // self.multiplier
                if revenue >= self.enough:
                    raise _Enough

    def _extra(self, key: int, one: Trail, other: Trail, plain: int) -> int:
        """The revenue of the route beyond the plain sum: what pairs pay, and the rest as remembered of a route alike,
        or as found by scoring this route."""
        normal, pairs = self.profile.normalise(key), self.profile.pair_bonus_total(key)
        if normal not in self.extras:
            earned = self.profile.exact_revenue(route_of(one, other, self.train))
            self.extras[normal] = earned - plain - pairs if earned != ILLEGAL else ILLEGAL
        extra = self.extras[normal]
        return extra + pairs if extra != ILLEGAL else ILLEGAL

    def _paid_ends(self, one: Trail, other: Trail) -> tuple[int, int]:
        """The first and the last stop of the route that the train does not ignore; one stop twice, if it ignores all."""
        first, last = self._paid_end(one), self._paid_end(other)
        at_token = -1 if self.is_ignored[self.token] else self.token
        if first < 0:
            first = at_token if at_token >= 0 else self._paid_end(other, is_far=False)
        if last < 0:
            last = at_token if at_token >= 0 else self._paid_end(one, is_far=False)
        return (first, last) if first >= 0 else (self.token, self.token)

    def _paid_end(self, arm: Trail, is_far: bool = True) -> int:
        """The number of the last stop of the arm that the train does not ignore, or of the first; -1 if there is none."""
        found = -1
        while arm is not None:
            arm, link = arm
            if link[4] >= 0 and not self.is_ignored[link[4]]:
                found = link[4]
                if is_far:
                    break
        return found

"""The route search's own picture of a company: track, stops with values, trains and bonuses as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property

from bot.engine import HexId
from bot.engine.board import Side, Stop, TrackGraph


class RouteError(Exception):
    """A route that does not exist or may not be run; the message is for the player."""


class SharedTrackError(RouteError):
    """A route over track that another train uses."""


@dataclass(frozen=True)
class StopValue:
    """The worth of a stop to a train now.

    Of the stops of one `group` a route visits at most one (an off-board place of several spaces). Of several counted
    stops of one `place` only the highest pays. `tags` put it into the sets that bonuses count. `at` are doubled
    coordinates, needed by trains with `distance_pay`. `scales` are its revenues for trains of another `scale`. A stop with `only_from` is entered from one of these stops only.
    Which stops are termini, and which a way over the board never joins, says the graph.
    """

    kind: str
    revenue: int
    group: str = ""
    tags: frozenset[str] = frozenset()
    place: str = ""
    at: tuple[int, int] | None = None
    only_from: frozenset[Stop] | None = None
    scales: tuple[tuple[str, int], ...] = ()

    def pay(self, scale: str) -> int:
        """The revenue for trains of that scale."""
        return dict(self.scales).get(scale, self.revenue) if scale else self.revenue


@dataclass(frozen=True)
class Limit:
    """A maximum: of counted stops of some kinds, and on request of gauge changes and hexes (each time a hex is run
    over, the first included).
    """

    most: int
    kinds: frozenset[str] = frozenset()
    gauge_changes: bool = False
    spaces: bool = False


@dataclass(frozen=True)
class TrainSpec:
    """A train as data.

    `reach` is how many stops of the `counted` kinds a route may have, None for any number. Each crossing of a gauge
    border counts as such a stop beyond `free_gauge_changes`, unless `ignores_gauge`. `limits` hold besides. A train
    with `runs_to` runs from an own token to a stop with that tag and earns only those two stops, over any stops
    between. Stops of `closed` kinds are never visited, those of `unpaid` kinds earn nothing and do not count as an
    end for `distance_pay` (money for each space of distance between the ends); the search knows them beside `needs`
    only. Stops of `optional` kinds may be passed without counting them; with `counts_ends` both ends count, with
    `counts_token` one of the own tokens. A route needs two stops, two of the kinds `needs` if any are given.
    Everything is paid `multiplier` times. A train that `gathers` runs nowhere: it earns `base` and that many stops
    with own tokens, other gathering trains of the company other stops. Trains of different `track` sets may use the
    same track. A train that `floods` earns everything that track joins to one own token, each stop once, without
    bonuses; only the track of other trains stands in its way. Its stops of `spiked` kinds pay as many times, at least
    once, as separate lines lead from pieces of track of stops of the kinds `spikes` to own tokens that it joins (1820
    §15.3.4). A train of a `scale` earns the revenues that stops have for it. A train earns no bonus that it
    `forgoes`, by name.
    """

    id: str
    name: str
    reach: int | None
    counted: frozenset[str] = frozenset({"city", "offboard"})
    free_gauge_changes: int = 0
    ignores_gauge: bool = False
    runs_to: str = ""
    earns_bonuses: bool = True
    limits: tuple[Limit, ...] = ()
    closed: frozenset[str] = frozenset()
    unpaid: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()
    counts_ends: bool = False
    counts_token: bool = False
    needs: frozenset[str] = frozenset()
    distance_pay: int = 0
    multiplier: int = 1
    gathers: int = 0
    base: int = 0
    track: str = ""
    floods: bool = False
    spikes: frozenset[str] = frozenset()
    spiked: frozenset[str] = frozenset()
    scale: str = ""
    forgoes: frozenset[str] = frozenset()

    @cached_property
    def kind(self) -> tuple[object, ...]:
        """Equal for trains that are alike to the search."""
        names = (field.name for field in fields(self) if field.name not in ("id", "name"))
        return tuple(_plain_value(getattr(self, name)) for name in names)

    @cached_property
    def all_limits(self) -> tuple[Limit, ...]:
        """`limits` and what `reach` means: N stops, and N with gauge changes beyond the free changes (1848 §8.2.3)."""
        if self.reach is None:
            return self.limits
        limits = (Limit(self.reach, self.counted), *self.limits)
        if self.ignores_gauge:
            return limits
        return (Limit(self.reach + self.free_gauge_changes, self.counted, gauge_changes=True), *limits)

    @cached_property
    def has_nested_limits(self) -> bool:
        """Whether of each two limits one holds for all stops of the other, or for none."""
        limits = [limit.kinds for limit in self.all_limits]
        return all(one <= other or other <= one or not one & other for one in limits for other in limits)


def _plain_value(value: object) -> object:
    return tuple(sorted(value)) if isinstance(value, frozenset) else value


@dataclass(frozen=True)
class SetBonus:
    """A route that counts several stops with the tag earns extra: `by_count` numbers of such stops to money."""

    name: str
    tag: str
    by_count: Mapping[int, int]


@dataclass(frozen=True)
class PairBonus:
    """A route that counts a stop with each of two tags (two different stops) earns `money` and the amounts of the two in
    `by_stop`, the highest where there is a choice. Of the routes of a company only the highest is paid a bonus that comes
    `once`.
    """

    name: str
    one: str
    other: str
    money: int = 0
    by_stop: Mapping[Stop, int] = field(default_factory=dict)
    once: bool = False


@dataclass(frozen=True)
class TrackBonus:
    """A route over one or more of these segments earns `money` once and `per_stop` for each counted stop."""

    name: str
    segments: frozenset[int]
    money: int = 0
    per_stop: int = 0


@dataclass(frozen=True)
class JointBonus:
    """Routes that together visit stops with both tags earn money, each set of routes that meet once.

    A single route may be such a set. Routes meet where both visit a stop that is not a terminus. How the routes are
    divided into sets is for the company to choose.
    """

    name: str
    one: str
    other: str
    money: int


RouteBonus = SetBonus | PairBonus | TrackBonus


@dataclass(frozen=True, eq=False)
class RouteProblem:
    """Everything the search needs. `own` are stops with the company's tokens; `blocked` end a route.

    A stop without a value cannot be visited. Several trains may use the `shared` crossings.
    """

    graph: TrackGraph
    values: Mapping[Stop, StopValue]
    own: frozenset[Stop]
    blocked: frozenset[Stop]
    trains: tuple[TrainSpec, ...]
    bonuses: tuple[RouteBonus, ...] = ()
    joint: tuple[JointBonus, ...] = ()
    shared: frozenset[Side] = frozenset()

    @cached_property
    def tags(self) -> frozenset[str]:
        """The tags that bonuses of single routes use."""
        known: set[str] = set()
        for bonus in self.bonuses:
            if isinstance(bonus, SetBonus):
                known.add(bonus.tag)
            elif isinstance(bonus, PairBonus):
                known.update((bonus.one, bonus.other))
        return frozenset(known)

    def bonuses_of(self, train: TrainSpec) -> tuple[RouteBonus, ...]:
        """The bonuses that a route of the train may earn; no `TrackBonus` is forgone."""
        if not train.earns_bonuses:
            return ()
        if not train.forgoes:
            return self.bonuses
        return tuple(bonus for bonus in self.bonuses if bonus.name not in train.forgoes)

    @cached_property
    def bonuses_once(self) -> tuple[PairBonus, ...]:
        return tuple(bonus for bonus in self.bonuses if isinstance(bonus, PairBonus) and bonus.once)

    def train(self, number: str) -> TrainSpec:
        """:raises RouteError: the company has no train with this card number."""
        for train in self.trains:
            if train.id == number:
                return train
        raise RouteError(f"There is no train {number}.")

    def ends_at(self, stop: Stop) -> bool:
        return stop in self.blocked or stop in self.graph.termini

    def group_of(self, stop: Stop) -> str:
        """The group of stops of which a route visits at most one, if the stop is in any."""
        return self.values[stop].group or self.graph.stops[stop].group


@dataclass(frozen=True)
class Route:
    """A train's way: its stops in order, the spaces between each two of them, the track it uses.

    `pays` are the stops that pay with what each pays before the train's multiplier. The first stop of a train that
    floods is its station, and `branches` are the links of its network in words.
    """

    train: str
    stops: tuple[Stop, ...]
    between: tuple[tuple[HexId, ...], ...]
    sides: frozenset[Side]
    segments: frozenset[int]
    gauge_changes: int = 0
    revenue: int = 0
    parts: tuple[tuple[str, int], ...] = ()
    pays: tuple[tuple[Stop, int], ...] = ()
    branches: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class RouteSet:
    """Routes with their revenue. `bound` is a sum that no set of routes exceeds; `proven` when it is reached.

    `joint` are the parts earned by several routes together, on top of the routes' own revenues.
    """

    routes: tuple[Route, ...]
    revenue: int
    bound: int
    proven: bool
    seconds: float = 0.0
    examined: int = field(default=0, compare=False)
    joint: tuple[tuple[str, int], ...] = ()

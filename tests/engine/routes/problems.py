"""Recorded route problems (`route-problems/*.jsonl.gz` of the shared material) as problems of the search.

For tests only: built from the facts, without any state of the engine.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from bot.engine.board.track import Segment, Side, Stop, StopInfo, TrackGraph, side
from bot.engine.ids import HexId
from bot.engine.routes.revenue.model import (
    JointBonus,
    Limit,
    PairBonus,
    Route,
    RouteBonus,
    RouteProblem,
    SetBonus,
    StopValue,
    TrackBonus,
    TrainSpec,
)

Json = dict[str, Any]

K_CITIES = ("D1", "B19", "F17", "H11", "G6")
LARGE = frozenset({"city", "offboard"})


def instances(shared: Path, title: str) -> Iterator[Json]:
    """The recorded run_routes actions of a title."""
    with gzip.open(shared / "route-problems" / f"{title}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


@cache
def facts(shared: Path, title: str, name: str) -> Any:
    """One file of the facts."""
    return json.loads((shared / "facts" / title / f"{name}.json").read_text(encoding="utf-8"))


class Converter:
    """One instance made into a problem."""

    def __init__(self, shared: Path, instance: Json) -> None:
        self.title: str = instance["title"]
        self.instance = instance
        self.shared = shared
        layouts = facts(shared, self.title, "map")["layouts"]
        layout = next(layout for layout in layouts if layout["id"] == instance["layout"])
        self.hexes: dict[str, Json] = {space["hex"]: space for space in layout["hexes"]}
        self.tiles: dict[str, Json] = {tile["id"]: tile for tile in facts(shared, self.title, "tiles")["tiles"]}
        self.colours: list[str] = instance["phase"]["colors"]
        self.segments: list[Segment] = []
        self.narrow: set[int] = set()
        self.dual: dict[str, set[int]] = {}
        self.stops: dict[Stop, StopInfo] = {}
        self.values: dict[Stop, StopValue] = {}
        self.gauge: set[Side] = set()
        self.own: set[Stop] = set()
        self.blocked: set[Stop] = set()
        for hex_id, place in instance["board"].items():
            self._add(hex_id, place)
        self.graph = TrackGraph(dict(enumerate(self.segments)), self.stops, frozenset(self.gauge))

    # -- the board --------------------------------------------------------------------------------------

    def _geometry(self, hex_id: str, place: Json) -> tuple[Json, int]:
        rotation = place.get("rot", 0)
        if "altered" in place:
            return place["altered"], rotation
        if place["tile"] == "preprinted":
            return self.hexes[hex_id], 0
        return self.tiles[place["tile"]], rotation

    def _add(self, hex_id: str, place: Json) -> None:
        geometry, rotation = self._geometry(hex_id, place)
        space = self.hexes[hex_id]
        neighbours: Any = place.get("neighbors", space.get("neighbors", {}))
        borders = {border["edge"]: border.get("type") for border in space.get("borders", ())}
        for path in geometry.get("paths", ()):
            ends: list[Stop | Side] = []
            for end in path["ends"]:
                if isinstance(end, str):
                    ends.append(Stop(HexId(hex_id), end))
                    continue
                edge = (int(end) + rotation) % 6
                if str(edge) in neighbours:
                    ends.append(side(HexId(hex_id), HexId(neighbours[str(edge)])))
                    if self.title == "1848" and borders.get(edge) == "mountain":
                        self.gauge.add(ends[-1])  # type: ignore[arg-type]
            if len(ends) == 2:
                if path.get("track") == "narrow":
                    self.narrow.add(len(self.segments))
                if path.get("track") == "dual":
                    self.dual.setdefault(hex_id, set()).add(len(self.segments))
                self.segments.append(Segment(HexId(hex_id), (ends[0], ends[1]), bool(path.get("terminal"))))
        self._add_stops(hex_id, place, geometry)

    def _add_stops(self, hex_id: str, place: Json, geometry: Json) -> None:
        company = self.instance["company"]["id"]
        cities = [node for node in geometry.get("nodes", ()) if node["kind"] == "city"]
        for node in geometry.get("nodes", ()):
            stop = Stop(HexId(hex_id), node["id"])
            self.stops[stop] = StopInfo(
                node["kind"], self.hexes[hex_id].get("name") or hex_id, node["kind"] == "offboard"
            )
            self.values[stop] = self._value(hex_id, node, geometry)
        for number, city in enumerate(place.get("cities", ())):
            tokens = [token for token in city.get("tokens", [None]) + city.get("extra", [])]
            stop = Stop(HexId(hex_id), cities[number]["id"])
            if company in [str(token).split("/")[0] for token in tokens]:
                self.own.add(stop)
            elif None not in tokens and not any(str(token).endswith("/neutral") for token in tokens):
                self.blocked.add(stop)

    def _revenue(self, node: Json) -> int:
        revenue = node.get("revenue", 0)
        if isinstance(revenue, int):
            return revenue
        known = [colour for colour in self.colours if colour in revenue]
        return int(revenue[known[-1]]) if known else 0

    def _value(self, hex_id: str, node: Json, geometry: Json) -> StopValue:
        space = self.hexes[hex_id]
        revenue, kind = self._revenue(node), node["kind"]
        at = (space["x"], space["y"])
        if self.title == "1848":
            ghan = hex_id in ("A4", "A6")
            tags = {"K"} if hex_id in K_CITIES else {"Alice Springs"} if ghan else set()
            return StopValue(kind, revenue, "Alice Springs" if ghan else "", frozenset(tags), at=at)
        if self.title == "1844":
            groups = node.get("groups", [])
            if kind == "offboard" and geometry.get("color", space.get("color")) != "red":
                kind = "mountain"
            names = [group for group in groups if len(group) > 1]
            tags = {group for group in groups if len(group) == 1}
            return StopValue(
                kind,
                revenue,
                names[0] if names else "",
                frozenset(tags),
                at=at,
            )
        tags = {compass for compass, hexes in self.compass().items() if hex_id in hexes}
        tags |= {hex_id}
        return StopValue(kind, revenue, "", frozenset(tags), hex_id, at)

    def compass(self) -> dict[str, list[str]]:
        """18GB: the off-board places of each point of the compass."""
        players = self.instance["players"]
        scenario = {2: "2NS", 4: "4Std"}.get(players, str(players))
        return facts(self.shared, "18GB", "companies")["scenarios"][scenario]["compass-hexes"]  # type: ignore[no-any-return]

    # -- trains and bonuses -----------------------------------------------------------------------------

    def problem(self) -> RouteProblem:
        """The whole problem."""
        trains = tuple(train_of(self.title, train) for train in self.instance.get("trains", ()))
        bonuses, joint = self._bonuses()
        return RouteProblem(
            self.graph, self.values, frozenset(self.own), frozenset(self.blocked), trains, bonuses, joint
        )

    def _bonuses(self) -> tuple[tuple[RouteBonus, ...], tuple[JointBonus, ...]]:
        if self.title == "1848":
            return (SetBonus("K-K", "K", {2: 50, 3: 100, 4: 150, 5: 200}),), ()
        if self.title == "1844":
            printed = {}
            for stop in self.values:
                for other in self.hexes.values():
                    icons = [icon["name"] for icon in other.get("icons", ()) if icon["name"].startswith("bonus_")]
                    if icons and self._same_place(stop.hex, other):
                        printed[stop] = int(icons[0].split("_")[1])
            pairs = (PairBonus("N-S", "N", "S", 0, printed), PairBonus("E-W", "E", "W", 0, printed))
            return (TrackBonus("tunnel", frozenset(self.narrow), 0, 10), *pairs), ()
        return self._bonuses_18gb()

    def _same_place(self, hex_id: str, other: Json) -> bool:
        def names(space: Json) -> set[str]:
            return {group for node in space.get("nodes", ()) for group in node.get("groups", ()) if len(group) > 1}

        return hex_id == other["hex"] or bool(names(self.hexes[hex_id]) & names(other))

    def _bonuses_18gb(self) -> tuple[tuple[RouteBonus, ...], tuple[JointBonus, ...]]:
        tunnels = {"I4": ("FT", 40), "C22": ("S", 30)}
        bonuses: list[RouteBonus] = [
            TrackBonus(*tunnels[hex_id][:1], frozenset(numbers), tunnels[hex_id][1])
            for hex_id, numbers in self.dual.items()
        ]
        for private in self.instance["company"].get("owner_privates", ()):
            if private.get("value", 0) == 0:
                bonuses += [
                    SetBonus(private["sym"], hex_id, {1: bonus["amount"]})
                    for bonus in private.get("hex_bonus", ())
                    for hex_id in bonus["hexes"]
                ]
        joint = tuple(
            JointBonus(name, one, other, self._revenue(self.hexes[hex_id]["nodes"][0]))
            for name, one, other, hex_id in (("NS", "N", "S", "C8"), ("EW", "E", "W", "C10"))
        )
        return tuple(bonuses), joint

    # -- recorded runs ----------------------------------------------------------------------------------

    def recorded(self) -> list[Route]:
        """The routes that were run, over the recorded track."""
        return [self._route(route) for route in self.instance["run"]["routes"] if route.get("track")]

    def _route(self, route: Json) -> Route:
        numbers = [self._segment(piece) for piece in route["track"]]
        stops: list[Stop] = []
        between: list[list[HexId]] = []
        for _number, piece in zip(numbers, route["track"], strict=True):
            for end in piece[1:3]:
                if isinstance(end, str):
                    stop = Stop(HexId(piece[0]), end)
                    if not stops or stops[-1] != stop:
                        stops.append(stop)
                        between.append([])
        sides = {end for number in numbers for end in self.segments[number].ends if isinstance(end, Side)}
        return Route(route["train"], tuple(stops), (), frozenset(sides), frozenset(numbers), len(sides & self.gauge))

    def _segment(self, piece: list[Any]) -> int:
        hex_id, *ends = piece
        neighbours = self.instance["board"][hex_id].get("neighbors", self.hexes[hex_id].get("neighbors", {}))
        wanted = {
            Stop(HexId(hex_id), end) if isinstance(end, str) else side(HexId(hex_id), HexId(neighbours[str(end)]))
            for end in ends[:2]
        }
        return next(n for n, s in enumerate(self.segments) if s.hex == hex_id and set(s.ends) == wanted)


def train_of(title: str, train: Json) -> TrainSpec:
    """A recorded train as data."""
    number, name = train["id"], train["name"]
    if title == "1848":
        if name == "2E":
            return TrainSpec(number, name, None, ignores_gauge=True, runs_to="Alice Springs", earns_bonuses=False)
        if name == "D":
            return TrainSpec(number, name, None, ignores_gauge=True)
        return TrainSpec(number, name, int(name.rstrip("+")), free_gauge_changes=int(name.endswith("+")))
    if title == "1844":
        size = int(name.rstrip("HE"))
        everything = frozenset({"city", "town", "offboard", "mountain"})
        if name.endswith("H"):
            return TrainSpec(number, name, None, limits=(Limit(size, spaces=True),), closed=frozenset({"offboard"}))
        if name.endswith("E"):
            return TrainSpec(number, name, size, everything, optional=everything, counts_ends=True, counts_token=True)
        return TrainSpec(number, name, size, everything)
    if name.endswith("X"):
        unpaid = frozenset({"town"})
        return TrainSpec(number, name, int(name[:-1]), unpaid=unpaid, distance_pay=10, needs=LARGE)
    cities, towns = (int(part) for part in name.split("+"))
    return TrainSpec(number, name, cities, limits=(Limit(cities + towns, LARGE | {"town"}),))

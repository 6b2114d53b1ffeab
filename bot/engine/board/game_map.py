"""A title's map as an immutable value, and its notation.

One space a line, or several that are alike: name, colour, attributes, then what is printed on it as on tiles
(`bot.engine.board.tile_notation`):

    B3 B5 white
    B7 white desert:40 gauge@4,5
    D1 red "Perth" 'K' city:20,40,60,80 | 4-c0! 5-c0! 3-c0!
    C11 white "Kirkcaldy" home:EPD wall@0,5 'Y' city:0
    I4 blue open river:50 'FT' | 1-2

`desert:40` is terrain with its cost, `water|mountain:40` two of one cost, `cost:40` a cost without terrain, `later:K` a label that the space has from green on, `later:O/gray` the only label that it has
in that colour, `home:GA/0,GC/1` the companies
whose home it is (and in which city), `kept:MC` and `private:SD` private companies for which a city is kept or which
keep the space closed, `goal:AB` companies whose destination it is, `plus:C5` a space whose value is added to its own.
`open` hexes take tiles although their colour says otherwise, `fixed` hexes do not.

Features along edges are written kind, cost if any, edges: `gauge@4,5` a change of gauge, `water=80@0` a cost on joining
track across the edge (also `mountain`, `barrier`, `cost`), `province@3` an inner frontier, `wall@2` an edge that
nothing crosses, `joint@1` a line that is not drawn since both spaces are one area, `stub@5` a triangle that track must
point at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from bot.engine.ids import CompanyId, HexId, TileId, as_company

from .hexes import PLACE, Layout, opposite
from .tile_notation import naming_line, parse_print
from .tiles import COLOURS, Tile

CLOSED = ("red", "gray", "blue")
"""Colours of spaces that take no tiles, and where track leads only if it comes to meet it."""

TERRAINS = ("desert", "mountain", "river", "water", "hill", "swamp", "lake")
ALONG_EDGES = ("gauge", "water", "mountain", "barrier", "cost", "province", "wall", "joint", "stub")

KIND = "|".join(TERRAINS)
ATTRIBUTE = re.compile(r"^(?P<key>later|home|kept|private|goal|plus):(?P<value>[^\s:]+)$")
TERRAIN = re.compile(rf"^(?P<kinds>cost|(?:{KIND})(?:\|(?:{KIND}))*):(?P<cost>\d+)$")
SIDE = re.compile(rf"^(?P<kind>{'|'.join(ALONG_EDGES)})(?:=(?P<cost>\d+))?@(?P<edges>[0-5](?:,[0-5])*)$")
NAME = re.compile(r'"([^"]*)"')


class SideMark(NamedTuple):
    """A mark along an edge of a hex: its kind and the cost of crossing it."""

    edge: int
    kind: str
    cost: int = 0


class Home(NamedTuple):
    """A company's home, in a city by number where the space has several."""

    company: CompanyId
    city: int | None = None


@dataclass(frozen=True)
class MapHex:
    """A map hex. `printed` is its own track and stops."""

    id: HexId
    colour: str
    printed: Tile
    name: str = ""
    cost: int = 0
    terrains: tuple[str, ...] = ()
    sides: tuple[SideMark, ...] = ()
    later_label: str = ""
    later_colour: str = ""
    homes: tuple[Home, ...] = ()
    kept_for: tuple[str, ...] = ()
    privates: tuple[str, ...] = ()
    goals: tuple[CompanyId, ...] = ()
    plus: str = ""
    is_open: bool = False
    is_fixed: bool = False

    @cached_property
    def is_buildable(self) -> bool:
        return not self.is_fixed and (self.is_open or self.colour not in CLOSED)

    def labels_on(self, colour: str) -> frozenset[str]:
        """The labels that a tile of this colour must carry here."""
        printed, later = frozenset(self.printed.labels), frozenset({self.later_label} - {""})
        if self.later_colour:
            return later if colour == self.later_colour else printed
        return printed | (later if colour != COLOURS[0] else frozenset())

    def is_later_label_due(self, tile: Tile) -> bool:
        """Whether the label that comes later is not on this tile of the hex yet."""
        is_due = tile.colour != self.later_colour if self.later_colour else not tile.labels
        return bool(self.later_label) and is_due

    @property
    def is_desert(self) -> bool:
        return "desert" in self.terrains

    def edges_with(self, kind: str) -> frozenset[int]:
        return frozenset(side.edge for side in self.sides if side.kind == kind)

    @cached_property
    def borders(self) -> frozenset[int]:
        """The edges with a change of gauge (1848 §7.6)."""
        return self.edges_with("gauge")

    @cached_property
    def walls(self) -> frozenset[int]:
        return self.edges_with("wall")

    @cached_property
    def stubs(self) -> frozenset[int]:
        """The edges with a triangle that new track must point at (18BF)."""
        return self.edges_with("stub")

    def side_cost(self, edge: int) -> int:
        """The cost of joining track across the edge."""
        return sum(side.cost for side in self.sides if side.edge == edge)


@dataclass(frozen=True, eq=False)
class GameMap:
    """All hexes of a map by name, in printed order."""

    layout: Layout
    hexes: dict[HexId, MapHex]

    @cached_property
    def hexes_by_coordinates(self) -> dict[tuple[int, int], HexId]:
        return {self.layout.coordinates(name): name for name in self.hexes}

    @cached_property
    def buildable_hexes(self) -> tuple[HexId, ...]:
        """In printed order."""
        return tuple(name for name, space in self.hexes.items() if space.is_buildable)

    def goals_of(self, company: CompanyId) -> list[HexId]:
        """The company's destinations, in printed order."""
        return [name for name, space in self.hexes.items() if company in space.goals]

    @cached_property
    def numbers(self) -> dict[HexId, int]:
        """The hexes, numbered in printed order."""
        return {name: number for number, name in enumerate(self.hexes)}

    @cached_property
    def neighbours(self) -> dict[HexId, tuple[HexId | None, ...]]:
        """For each space the neighbour at each edge, walls or not; None off the map."""
        table = {}
        for name in self.hexes:
            x, y = self.layout.coordinates(name)
            table[name] = tuple(self.hexes_by_coordinates.get((x + dx, y + dy)) for dx, dy in self.layout.offsets)
        return table

    @cached_property
    def _open_neighbours(self) -> dict[HexId, tuple[HexId | None, ...]]:
        return {
            name: tuple(
                None if other is None or edge in space.walls or opposite(edge) in self.hexes[other].walls else other
                for edge, other in enumerate(self.neighbours[name])
            )
            for name, space in self.hexes.items()
        }

    def neighbour(self, hex_id: HexId, edge: int) -> HexId | None:
        """The hex across an edge, or None off the map or behind a wall."""
        return self._open_neighbours[hex_id][edge]

    def neighbours_across(self, hex_id: HexId, edges: Iterable[int]) -> list[HexId]:
        """In the order of the edges."""
        return [other for edge in sorted(edges) if (other := self.neighbours[hex_id][edge])]

    @cached_property
    def fixed_edges(self) -> dict[HexId, tuple[frozenset[int], tuple[tuple[int, HexId], ...]]]:
        """For each space its edges towards spaces to build on, and its other edges with the space across each."""
        table = {}
        for name, joined in self._open_neighbours.items():
            across = [(edge, other) for edge, other in enumerate(joined) if other]
            towards = frozenset(edge for edge, other in across if self.hexes[other].is_buildable)
            table[name] = (towards, tuple((edge, other) for edge, other in across if edge not in towards))
        return table

    def is_border(self, hex_id: HexId, edge: int) -> bool:
        return edge in self.hexes[hex_id].borders

    def side_cost(self, hex_id: HexId, edge: int) -> int:
        """The cost of joining track across the edge, whichever of the two hexes carries the mark."""
        other = self.neighbours[hex_id][edge]
        there = self.hexes[other].side_cost(opposite(edge)) if other else 0
        return max(self.hexes[hex_id].side_cost(edge), there)

    def scenario_map(self, without: str, instead: str = "") -> GameMap:
        """The map of another scenario: some spaces fall away, some are printed otherwise."""
        gone = set(without.split())
        changed = {space.id: space for space in _parse_hexes(instead)}
        kept = {name: changed.get(name, space) for name, space in self.hexes.items() if name not in gone}
        return GameMap(self.layout, kept)


def parse_map(text: str, layout: Layout) -> GameMap:
    """Read a map.

    :raises ValueError: a line is not in the notation, or a space is there twice.
    """
    spaces = list(_parse_hexes(text))
    hexes = {space.id: space for space in spaces}
    if len(hexes) != len(spaces):
        (name, *_) = [space.id for space in spaces if space is not hexes[space.id]]
        raise ValueError(f"the space {name} is there twice")
    return GameMap(layout, hexes)


def _parse_hexes(text: str) -> Iterator[MapHex]:
    for line in text.splitlines():
        words = line.split("#")[0].strip()
        if words:
            with naming_line(words):
                yield from [*parse_line(words)]


def parse_line(line: str) -> Iterator[MapHex]:
    """Read the space of a line, or all of several that are alike: `B3 B5 white`.

    :raises ValueError: the line is not in the notation.
    """
    places = list(takewhile(PLACE.match, line.split()))
    *_, rest = line.split(maxsplit=len(places))
    if not places or rest == places[-1]:
        raise ValueError(f"{line} is no space and its colour")
    yield from (parse_hex(f"{place} {rest}") for place in places)


def parse_hex(line: str) -> MapHex:
    """Read one space.

    :raises ValueError: the line is not in the notation.
    """
    name = NAME.search(line)
    words = NAME.sub("", line).split()
    hex_id, colour = HexId(words[0]), words[1]
    attributes: dict[str, str] = {}
    terrains: tuple[str, ...] = ()
    cost = 0
    sides: list[SideMark] = []
    flags: set[str] = set()
    rest = words[2:]
    while rest:
        word = rest[0]
        if word in ("open", "fixed"):
            flags.add(word)
        elif side := SIDE.match(word):
            sides += [SideMark(int(edge), side["kind"], int(side["cost"] or 0)) for edge in side["edges"].split(",")]
        elif not cost and (ground := TERRAIN.match(word)):
            terrains = tuple(kind for kind in ground["kinds"].split("|") if kind in TERRAINS)
            cost = int(ground["cost"])
        elif (found := ATTRIBUTE.match(word)) and found["key"] not in attributes:
            attributes[found["key"]] = found["value"]
        else:
            break
        rest.pop(0)
    labels, icons, nodes, paths, *_ = parse_print(" ".join(rest))
    return MapHex(
        hex_id,
        colour,
        Tile(TileId(hex_id), colour, 1, nodes, paths, labels, icons),
        name[1] if name else "",
        cost,
        terrains,
        tuple(sides),
        *_parse_later(attributes.get("later", "")),
        tuple(_parse_home(word) for word in _list(attributes, "home")),
        _list(attributes, "kept"),
        _list(attributes, "private"),
        tuple(as_company(word) for word in _list(attributes, "goal")),
        attributes.get("plus", ""),
        "open" in flags,
        "fixed" in flags,
    )


def _list(attributes: dict[str, str], key: str) -> tuple[str, ...]:
    return tuple(attributes[key].split(",")) if key in attributes else ()


def _parse_later(word: str) -> tuple[str, str]:
    label, _, colour = word.partition("/")
    return label, colour


def _parse_home(word: str) -> Home:
    company, _, city = word.partition("/")
    return Home(as_company(company), int(city) if city else None)

"""A title's map as an immutable value, and its notation.

One space a line: name, colour, then attributes, then the printed stops and track as on tiles:

    B5 white
    B7 white desert:40 border:4,5
    D1 red "Perth" 'K' city:20,40,60,80 | 4-c0! 5-c0! 3-c0!

`desert:40` terrain with its cost, `border:4,5` gauge borders at these edges, `wall:4` edges that cannot be crossed,
`later:K` a label that the space has from green on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from .hexes import Layout, opposite
from .ids import HexId, TileId
from .tiles import Tile, parse_geometry

BUILDABLE = "white"
"""The colour of spaces that carry no print and take tiles."""

ATTRIBUTE = re.compile(r"^(border|wall|later|[a-z]+):(\S+)$")
NAME = re.compile(r'"([^"]*)"')


@dataclass(frozen=True)
class MapHex:
    """A map space. `printed` is its own track and stops; spaces of other colours than white are never built on."""

    id: HexId
    colour: str
    printed: Tile
    name: str = ""
    cost: int = 0
    terrain: str = ""
    borders: frozenset[int] = frozenset()
    walls: frozenset[int] = frozenset()
    later_label: str = ""

    @property
    def is_buildable(self) -> bool:
        """Whether tiles are laid here."""
        return self.colour == BUILDABLE

    @property
    def is_desert(self) -> bool:
        """Whether the terrain is desert."""
        return self.terrain == "desert"


@dataclass(frozen=True, eq=False)
class GameMap:
    """All spaces of a map by name, in printed order."""

    layout: Layout
    hexes: dict[HexId, MapHex]

    @cached_property
    def by_place(self) -> dict[tuple[int, int], HexId]:
        """Spaces by coordinates."""
        return {self.layout.place(name): name for name in self.hexes}

    @cached_property
    def beside(self) -> dict[HexId, tuple[HexId | None, ...]]:
        """For each space the neighbour at each edge, walls or not; None off the map."""
        table = {}
        for name in self.hexes:
            x, y = self.layout.place(name)
            table[name] = tuple(self.by_place.get((x + dx, y + dy)) for dx, dy in self.layout.offsets)
        return table

    def neighbour(self, hex_id: HexId, edge: int) -> HexId | None:
        """The space across an edge, or None off the map or behind a wall."""
        other = self.beside[hex_id][edge]
        if other is None or edge in self.hexes[hex_id].walls or opposite(edge) in self.hexes[other].walls:
            return None
        return other

    def is_border(self, hex_id: HexId, edge: int) -> bool:
        """Whether a gauge border runs along the edge."""
        return edge in self.hexes[hex_id].borders


def parse_map(text: str, layout: Layout) -> GameMap:
    """Read a map.

    :raises ValueError: a line is not in the notation.
    """
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    hexes = [_parse_hex(line) for line in lines if line]
    return GameMap(layout, {space.id: space for space in hexes})


def _parse_hex(line: str) -> MapHex:
    found = NAME.search(line)
    words = NAME.sub("", line).split()
    hex_id, colour = HexId(words[0]), words[1]
    stops_first = next(
        (index for index, word in enumerate(words) if index > 1 and not _is_attribute(word)), len(words)
    )
    attributes: dict[str, str] = {}
    for word in words[2:stops_first]:
        match = ATTRIBUTE.match(word)
        if match:
            attributes[match[1]] = match[2]
    labels, nodes, paths = parse_geometry(" ".join(words[stops_first:]))
    printed = Tile(TileId(hex_id), colour, 1, nodes, paths, labels)
    terrain = next((key for key in attributes if key not in ("border", "wall", "later")), "")
    return MapHex(
        hex_id,
        colour,
        printed,
        found[1] if found else "",
        int(attributes[terrain]) if terrain else 0,
        terrain,
        _edges(attributes.get("border", "")),
        _edges(attributes.get("wall", "")),
        attributes.get("later", ""),
    )


def _is_attribute(word: str) -> bool:
    return bool(ATTRIBUTE.match(word)) and not re.match(r"^(city|town|offboard):", word)


def _edges(text: str) -> frozenset[int]:
    return frozenset(int(edge) for edge in text.split(",") if edge)

"""Track tiles as immutable values, and their notation.

One tile a line: number, colour, count, then labels, stops and track:

    57 yellow x4 city:20 | 0-c0 c0-3
    1 yellow x1 town:10 town:10 | 1-t0 t0-3 0-t1 t1-4
    240 brown x2 'K' city:60/3 | 0-c0 1-c0
    A offboard:10,20,40,60 | 5-o0! 0-o0!

`city:60/3` is a city of value 60 with three slots; values that grow with the phase are written in the order yellow,
green, brown, gray, separated by commas. A track ends at an edge (a number) or a stop (`c0`, `t1`, `o0`). `!` after a
track marks its end (nothing runs through it), `~` narrow track, `*` after the count unlimited tiles.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from .ids import TileId

COLOURS = ("yellow", "green", "brown", "gray")
"""Tile colours in the order in which they become available; other colours are never upgraded."""

End = int | str
"""An end of a piece of track: an edge number or the name of a stop of the same tile."""

KINDS = {"c": "city", "t": "town", "o": "offboard"}


@dataclass(frozen=True)
class Node:
    """A stop: `kind` is city, town or offboard; `revenue` one value, or one a colour."""

    id: str
    kind: str
    revenue: tuple[int, ...]
    slots: int = 0

    def value_in(self, colours: tuple[str, ...]) -> int:
        """The value when these tile colours are in play."""
        if len(self.revenue) == 1:
            return self.revenue[0]
        reached = [COLOURS.index(colour) for colour in colours if colour in COLOURS]
        return self.revenue[min(max(reached), len(self.revenue) - 1)] if reached else 0


@dataclass(frozen=True)
class Path:
    """A piece of track between two ends. `lanes` numbers parallel track at each end: (width, index)."""

    a: End
    b: End
    is_terminal: bool = False
    is_narrow: bool = False
    lanes: tuple[tuple[int, int], tuple[int, int]] | None = None

    def rotated(self, rotation: int) -> Path:
        """The same track after turning the tile clockwise."""
        return replace(self, a=_turn(self.a, rotation), b=_turn(self.b, rotation))

    @property
    def edges(self) -> tuple[int, ...]:
        """The edges it touches."""
        return tuple(end for end in (self.a, self.b) if isinstance(end, int))


def _turn(end: End, rotation: int) -> End:
    return (end + rotation) % 6 if isinstance(end, int) else end


@dataclass(frozen=True)
class Tile:
    """A tile as printed (or a map space's own print). `count` is None for an unlimited supply."""

    id: TileId
    colour: str
    count: int | None
    nodes: tuple[Node, ...]
    paths: tuple[Path, ...]
    labels: tuple[str, ...] = ()

    def rotated(self, rotation: int) -> Tile:
        """The tile turned clockwise."""
        return _rotated(self, rotation % 6)

    @cached_property
    def cities(self) -> tuple[Node, ...]:
        """Its cities in printed order: city number 0 is the first."""
        return tuple(node for node in self.nodes if node.slots)

    @cached_property
    def exits(self) -> frozenset[int]:
        """The edges its track touches."""
        return frozenset(edge for path in self.paths for edge in path.edges)

    def node(self, name: str) -> Node:
        """The stop of that name.

        :raises KeyError: the tile has none.
        """
        for node in self.nodes:
            if node.id == name:
                return node
        raise KeyError(name)

    def exits_of(self, name: str) -> frozenset[int]:
        """The edges that a stop is joined to directly."""
        return frozenset(edge for path in self.paths if name in (path.a, path.b) for edge in path.edges)

    def counts(self) -> tuple[int, int, int]:
        """Numbers of cities, towns, offboards: what may not be exchanged by an upgrade."""
        kinds = [node.kind for node in self.nodes]
        return kinds.count("city"), kinds.count("town"), kinds.count("offboard")

    def text(self) -> str:
        """The tile in its notation."""
        count = "x*" if self.count is None else f"x{self.count}"
        return f"{self.id} {self.colour} {count} {print_geometry(self.labels, self.nodes, self.paths)}".rstrip(" |")


@lru_cache(maxsize=4096)
def _rotated(tile: Tile, rotation: int) -> Tile:
    if rotation == 0:
        return tile
    return replace(tile, paths=tuple(path.rotated(rotation) for path in tile.paths))


# -- notation -----------------------------------------------------------------------------------------

STOP = re.compile(r"^(city|town|offboard):([\d,]+)(?:/(\d+))?$")
TRACK = re.compile(r"^([cto]?\d+)(?:\((\d+)\.(\d+)\))?-([cto]?\d+)(?:\((\d+)\.(\d+)\))?([!~]*)$")


def parse_geometry(text: str) -> tuple[tuple[str, ...], tuple[Node, ...], tuple[Path, ...]]:
    """Read labels, stops and track.

    :raises ValueError: a word is neither.
    """
    stops_text, _, track_text = text.partition("|")
    labels: list[str] = []
    nodes: list[Node] = []
    numbers = {"city": 0, "town": 0, "offboard": 0}
    for word in stops_text.split():
        if word.startswith("'") and word.endswith("'"):
            labels.append(word[1:-1])
            continue
        found = STOP.match(word)
        if not found:
            raise ValueError(f"not a stop: {word}")
        kind, values, slots = found[1], tuple(int(v) for v in found[2].split(",")), found[3]
        name = f"{kind[0]}{numbers[kind]}"
        numbers[kind] += 1
        nodes.append(Node(name, kind, values, int(slots) if slots else (1 if kind == "city" else 0)))
    return tuple(labels), tuple(nodes), tuple(_parse_path(word) for word in track_text.split())


def _parse_path(word: str) -> Path:
    found = TRACK.match(word)
    if not found:
        raise ValueError(f"not a piece of track: {word}")
    a, width_a, lane_a, b, width_b, lane_b, marks = found.groups()
    lanes = None
    if width_a or width_b:
        lanes = ((int(width_a or 1), int(lane_a or 0)), (int(width_b or 1), int(lane_b or 0)))
    return Path(_end(a), _end(b), "!" in marks, "~" in marks, lanes)


def _end(word: str) -> End:
    return int(word) if word.isdigit() else word


def print_geometry(labels: tuple[str, ...], nodes: tuple[Node, ...], paths: tuple[Path, ...]) -> str:
    """The inverse of `parse_geometry`."""
    words = [f"'{label}'" for label in labels]
    for node in nodes:
        slots = f"/{node.slots}" if node.slots > 1 else ""
        words.append(f"{node.kind}:{','.join(str(value) for value in node.revenue)}{slots}")
    return f"{' '.join(words)} | {' '.join(_print_path(path) for path in paths)}".strip()


def _print_path(path: Path) -> str:
    lane_a = lane_b = ""
    if path.lanes:
        lane_a, lane_b = (f"({width}.{index})" if width > 1 else "" for width, index in path.lanes)
    marks = ("!" if path.is_terminal else "") + ("~" if path.is_narrow else "")
    return f"{path.a}{lane_a}-{path.b}{lane_b}{marks}"


def parse_tile(line: str) -> Tile:
    """Read one tile.

    :raises ValueError: the line is not in the notation.
    """
    name, colour, count, *rest = line.split(maxsplit=3)
    if not count.startswith("x"):
        raise ValueError(f"no count of tiles in: {line}")
    labels, nodes, paths = parse_geometry(rest[0] if rest else "")
    return Tile(TileId(name), colour, None if count == "x*" else int(count[1:]), nodes, paths, labels)


def parse_tiles(text: str) -> dict[TileId, Tile]:
    """Read a tile sheet: a tile a line, `#` begins a remark."""
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    tiles = [parse_tile(line) for line in lines if line]
    return {tile.id: tile for tile in tiles}

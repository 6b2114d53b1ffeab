"""Track tiles as immutable values. Their notation is read and printed by `bot.engine.board.tile_notation`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from bot.engine.ids import TileId

COLOURS = ("yellow", "green", "brown", "gray")
"""Tile colours in the order in which they become available; other colours are never upgraded."""

End = int | str
"""An end of a piece of track: an edge number or the name of a stop of the same tile."""


@dataclass(frozen=True)
class Node:
    """A stop, of the `kind` city, town, offboard, or junction: that has no value, track only meets there. `revenue` is one
    value, or one a colour: those of `colours`, or of `COLOURS` where that is empty.

    `groups` names the areas that the stop is a part of, `place` where it is drawn when it is not between its exits (an
    edge, or the corner between two), `is_hidden` that its value is not printed there.
    """

    id: str
    kind: str
    revenue: tuple[int, ...]
    slots: int = 0
    colours: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    place: float | None = None
    is_hidden: bool = False

    def value_in(self, colours: tuple[str, ...]) -> int:
        """The value when these tile colours are in play: that of the last of its own colours among them."""
        if len(self.revenue) == 1:
            return self.revenue[0]
        value = 0
        for colour, revenue in zip(self.colours or COLOURS, self.revenue, strict=False):
            if colour in colours:
                value = revenue
        return value

    def rotate(self, rotation: int) -> Node:
        """The same stop after turning the tile clockwise."""
        return self if self.place is None else replace(self, place=(self.place + rotation) % 6)


@dataclass(frozen=True)
class Path:
    """A piece of track between two ends. `lanes` numbers parallel track at each end: (width, index).

    `mark` is "dual" for the track of an estuary crossing, "shared" for track that several trains of a company may use,
    "future" for track that is not there yet, "drawn" for a line that is no track at all (a ferry).
    """

    a: End
    b: End
    is_terminal: bool = False
    is_narrow: bool = False
    lanes: tuple[tuple[int, int], tuple[int, int]] | None = None
    mark: str = ""

    def rotate(self, rotation: int) -> Path:
        """The same track after turning the tile clockwise."""
        return replace(self, a=_turn(self.a, rotation), b=_turn(self.b, rotation))

    @property
    def is_track(self) -> bool:
        return self.mark not in ("future", "drawn")

    @property
    def edges(self) -> tuple[int, ...]:
        return tuple(end for end in (self.a, self.b) if isinstance(end, int))

    @cached_property
    def lane_ends(self) -> frozenset[tuple[End, int]]:
        (_, lane_a), (_, lane_b) = self.lanes or ((1, 0), (1, 0))
        return frozenset(((self.a, lane_a), (self.b, lane_b)))


def _turn(end: End, rotation: int) -> End:
    return (end + rotation) % 6 if isinstance(end, int) else end


@dataclass(frozen=True)
class Tile:
    """A tile as printed (or a map space's own print). `count` is None for an unlimited supply.

    Track that is only drawn, or not there yet, is among `paths` but gives no exits. `turn` is how far it has been
    turned from its print. Its upgrade costs `cost`; one that `is_last` is never upgraded; a tile of a `private` is laid only
    by its power.
    """

    id: TileId
    colour: str
    count: int | None
    nodes: tuple[Node, ...]
    paths: tuple[Path, ...]
    labels: tuple[str, ...] = ()
    icons: tuple[str, ...] = ()
    is_hidden: bool = False
    turn: int = 0
    cost: int = 0
    private: str = ""
    is_last: bool = False

    def __hash__(self) -> int:
        return hash((self.id, self.turn))

    def rotate(self, rotation: int) -> Tile:
        """The tile turned clockwise."""
        return self.rotations[rotation % 6]

    @cached_property
    def rotations(self) -> tuple[Tile, ...]:
        """The tile in each of its six rotations."""
        return (self, *(self._turn_by(rotation) for rotation in range(1, 6)))

    def _turn_by(self, rotation: int) -> Tile:
        return replace(
            self,
            nodes=tuple(node.rotate(rotation) for node in self.nodes),
            paths=tuple(path.rotate(rotation) for path in self.paths),
            turn=(self.turn + rotation) % 6,
        )

    @cached_property
    def cities(self) -> tuple[Node, ...]:
        """Its cities in printed order: city number 0 is the first."""
        return tuple(node for node in self.nodes if node.slots)

    @cached_property
    def exits(self) -> frozenset[int]:
        return frozenset(edge for path in self.paths if path.is_track for edge in path.edges)

    @cached_property
    def shape(self) -> frozenset[tuple[frozenset[tuple[End, int]], bool, bool, str]]:
        """Its track as a value that does not depend on the order of paths and ends."""
        return frozenset((path.lane_ends, path.is_terminal, path.is_narrow, path.mark) for path in self.paths)

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
        return self._exits_by_node.get(name, frozenset())

    @cached_property
    def _exits_by_node(self) -> dict[str, frozenset[int]]:
        return {
            node.id: frozenset(
                edge for path in self.paths if path.is_track and node.id in (path.a, path.b) for edge in path.edges
            )
            for node in self.nodes
        }

    def counts(self) -> tuple[int, int, int]:
        """Numbers of cities, towns, offboards: what may not be exchanged by an upgrade."""
        kinds = [node.kind for node in self.nodes]
        return kinds.count("city"), kinds.count("town"), kinds.count("offboard")


def find_tiles(tiles: Iterable[Tile], names: str, called: Callable[[str], str]) -> list[Tile]:
    """Those of these tiles that have one of the numbers or colours, of which `called` gives the reader's words; all that are not
    hidden where none is named."""
    wanted = set(names.lower().replace(",", " ").split())
    return [
        tile
        for tile in tiles
        if (not wanted and not tile.is_hidden) or wanted & {tile.colour, called(tile.colour), tile.id.lower()}
    ]

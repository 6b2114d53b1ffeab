"""The tiles that may replace the present tile of a hex, computed from geometry (1848 §7.5, 1844 "Upgrading track
tiles").

A new tile follows in colour, has stops of the same kinds and the labels that the space demands, keeps all track, and
runs only to edges where track may lead. Supply, phase and reach are asked elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import permutations, product

from bot.engine.ids import HexId

from .game_map import GameMap
from .hexes import opposite
from .tiles import Node, Tile

Following = Mapping[str, str]

FOLLOWING: Following = {"white": "yellow", "yellow": "green", "green": "brown", "brown": "gray"}

ALL_EDGES = frozenset(range(6))


def open_exits(game_map: GameMap, tile_at: Callable[[HexId], Tile], hex_id: HexId) -> frozenset[int]:
    """The edges where track may lead: to a hex that takes tiles, or to track that comes to meet it."""
    towards, fixed = game_map.fixed_edges[hex_id]
    if not fixed:
        return towards
    return towards.union([edge for edge, other in fixed if opposite(edge) in tile_at(other).exits])


@lru_cache(maxsize=16384)
def has_same_kinds(old: Tile, new: Tile) -> bool:
    """Whether plain track, towns and cities keep their kind; cities of one hex may be joined or become more."""
    old_cities, *old_others = old.counts()
    new_cities, *new_others = new.counts()
    return bool(old_cities) == bool(new_cities) and old_others == new_others


@lru_cache(maxsize=65536)
def legal_rotations(
    old: Tile,
    new: Tile,
    exits: frozenset[int] = ALL_EDGES,
    needed_exits: frozenset[int] = frozenset(),
    loose_labels: frozenset[str] = frozenset(),
) -> tuple[int, ...]:
    """All rotations of the new tile that keep the old track and run only to these edges, and to all that are needed.

    Needed are the triangles at edges in 18BF (§10.4). With one of the loose labels the old exits need only be exits
    again, to any stop (1820's Manchester).
    """
    is_loose = not loose_labels.isdisjoint(new.labels)
    found = []
    for rotation in range(6):
        turned = new.rotate(rotation)
        keeps = old.exits <= turned.exits if is_loose else keeps_track(old, turned)
        if needed_exits <= turned.exits <= exits and keeps:
            found.append(rotation)
    return tuple(found)


@lru_cache(maxsize=16384)
def distinct_rotations(tile: Tile, rotations: Sequence[int]) -> tuple[int, ...]:
    """The first of the rotations that look alike, stop by stop."""
    found = {tile.rotate(rotation).shape: rotation for rotation in sorted(rotations, reverse=True)}
    return tuple(sorted(found.values()))


@lru_cache(maxsize=16384)
def keeps_track(old: Tile, new: Tile) -> bool:
    """Whether every piece of the old track is still there, stops and all (1848 §7.5.3). Both tiles as laid."""
    successors = stop_successors(old, new)
    if successors is None:
        return False
    tracks = {(frozenset((path.a, path.b)), path.is_narrow) for path in new.paths if path.is_track}
    return all(
        (frozenset((successors.get(str(path.a), path.a), successors.get(str(path.b), path.b))), path.is_narrow)
        in tracks
        for path in old.paths
        if path.is_track
    )


@lru_cache(maxsize=16384)
def stop_successors(old: Tile, new: Tile) -> dict[str, str] | None:
    """The stop of the new tile that continues each stop of the old tile; None if some stop's track would be cut off.

    Each stop goes to a different stop, unless there are fewer than before: then several may become one.
    """
    found: dict[str, str] = {}
    for kind in dict.fromkeys(node.kind for node in old.nodes):
        befores = [node for node in old.nodes if node.kind == kind]
        afters = [node for node in new.nodes if node.kind == kind]
        matching = _match(old, new, befores, afters)
        if matching is None:
            return None
        found.update(matching)
    return found


def _match(old: Tile, new: Tile, befores: list[Node], afters: list[Node]) -> dict[str, str] | None:
    """The first way to continue all these stops, in printed order; stops with track choose before those without."""
    befores = sorted(befores, key=lambda node: not old.exits_of(node.id))
    count = len(befores)
    ways = permutations(afters, count) if count <= len(afters) else product(afters, repeat=count)
    for way in ways:
        if all(old.exits_of(b.id) <= new.exits_of(a.id) for b, a in zip(befores, way, strict=True)):
            return {b.id: a.id for b, a in zip(befores, way, strict=True)}
    return None


def city_successors(old: Tile, new: Tile) -> dict[int, int] | None:
    """For each city of the old tile, by number, the city of the new tile that takes its tokens."""
    successors = stop_successors(old, new)
    if successors is None:
        return None
    numbers = {node.id: number for number, node in enumerate(new.cities)}
    return {number: numbers[successors[node.id]] for number, node in enumerate(old.cities)}

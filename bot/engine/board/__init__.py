"""The ground: spaces, tiles, what may replace what, track as a graph, and who reaches what."""

from .board_rules import BoardRules
from .game_map import GameMap, MapHex, SideMark, parse_map
from .hexes import Layout, opposite
from .reachability import Network
from .tile_notation import parse_tiles
from .tiles import COLOURS, Node, Path, Tile, find_tiles
from .track import Segment, Side, Stop, TrackGraph
from .track_index import TrackIndex
from .upgrades import FOLLOWING, city_successors, distinct_rotations, legal_rotations, open_exits

__all__ = [
    "COLOURS",
    "FOLLOWING",
    "BoardRules",
    "GameMap",
    "Layout",
    "MapHex",
    "Network",
    "Node",
    "Path",
    "Segment",
    "Side",
    "SideMark",
    "Stop",
    "Tile",
    "TrackGraph",
    "TrackIndex",
    "city_successors",
    "distinct_rotations",
    "find_tiles",
    "legal_rotations",
    "open_exits",
    "opposite",
    "parse_map",
    "parse_tiles",
]

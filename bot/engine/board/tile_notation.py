"""The notation of track tiles, as text that people read and edit.

One tile a line: number, colour, count, then labels, icons and stops, a bar, and the track:

    57 yellow x4 city:20 | 0-c0 c0-3
    1 yellow x1 town:10 town:10 | 1-t0 t0-3 0-t1 t1-4
    240 gray x2 'K' city:80/3 | 0-c0 1-c0 2-c0 3-c0
    G02 yellow x3 'XX' city:30 city:0@3.5 | 0-c0 c0-2

Stops: `city:60/3` is a city of value 60 with three slots; values that grow with the phase are separated by commas in
the order yellow, green, brown, gray, or name their colours (`offboard:yellow=10,blue=20,gray=30`); values in brackets
`(20,40)` count but are not printed; `[Milano,S]` are the areas that it is a part of; `@3.5` is where it is drawn, an
edge or the corner between two; `junction` is a stop without value.

Track ends at an edge (a number) or a stop (`c0` is the first city, `t1` the second town, `o0`, `j0`). Marks after it:
`!` its end (nothing runs through), `~` narrow, `=` the crossing of an estuary, `&` shared by several trains of a company,
`?` not built yet, `%` drawn only.
`0(2.1)-3` uses the second of two parallel lanes at edge 0.

`x*` is an unlimited count, `'K'` a label, `*anchor` an icon (`ICONS`, or with a number `*bonus_20`), `hidden` a tile that is
not shown in the supply, `last` one that is never upgraded, `cost:80` what its upgrade costs, `private:MF` the private whose
power lays it.

Tiles that many titles share (`standard.py`) have only number and count, any number of them in a line:

    7x4 8x9 9x12 57x*
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

from bot.engine.ids import TileId

from .standard_tiles import STANDARD
from .tiles import End, Node, Path, Tile

STOP = re.compile(
    r"^(?P<kind>city|town|offboard|junction)(?::(?P<values>\(?[a-z=\d,]+\)?))?"
    r"(?:/(?P<slots>\d+))?(?:\[(?P<groups>[^\]]+)\])?(?:@(?P<place>[\d.]+))?$"
)
TRACK = re.compile(r"^([ctoj]?\d+)(?:\((\d+)\.(\d+)\))?-([ctoj]?\d+)(?:\((\d+)\.(\d+)\))?([!~=&?%]*)$")
COUNT = re.compile(r"x(\d+|\*)")
COUNTED = re.compile(r"^(\w+)x(\d+|\*)$")
ICONS = ("north", "east", "south", "west", "anchor", "port")
NUMBERED_ICON = re.compile(r"^[a-z]+_\d+$")
MARKS = {"=": "dual", "&": "shared", "?": "future", "%": "drawn"}


@contextmanager
def naming_line(line: str) -> Iterator[None]:
    """Errors within name the line that is read."""
    try:
        yield
    except ValueError as error:
        raise ValueError(str(error) if line in str(error) else f"{error}, in the line: {line}") from error


class PrintedHex(NamedTuple):
    labels: tuple[str, ...]
    icons: tuple[str, ...]
    nodes: tuple[Node, ...]
    paths: tuple[Path, ...]
    is_hidden: bool
    cost: int
    private: str
    is_last: bool


def parse_print(text: str) -> PrintedHex:
    """Read labels, icons, stops and track.

    :raises ValueError: a word is not valid, or track ends at a stop that is not there.
    """
    stops_text, _, track_text = text.partition("|")
    labels: list[str] = []
    icons: list[str] = []
    nodes: list[Node] = []
    flags: set[str] = set()
    cost, private = 0, ""
    for word in stops_text.split():
        if word.startswith("'") and word.endswith("'"):
            labels.append(word[1:-1])
        elif word.startswith("*"):
            icons.append(_parse_icon(word[1:]))
        elif word in ("hidden", "last"):
            flags.add(word)
        elif word.startswith("cost:"):
            cost = int(word.removeprefix("cost:"))
        elif word.startswith("private:"):
            private = word.removeprefix("private:")
        else:
            nodes.append(_parse_stop(word, nodes))
    paths = tuple(_parse_path(word) for word in track_text.split())
    names = {node.id for node in nodes}
    for path in paths:
        for end in (path.a, path.b):
            if isinstance(end, str) and end not in names:
                raise ValueError(f"there is no stop {end} in: {text}")
    return PrintedHex(
        tuple(labels), tuple(icons), tuple(nodes), paths, "hidden" in flags, cost, private, "last" in flags
    )


def _parse_icon(name: str) -> str:
    """:raises ValueError: no picture draws such an icon."""
    if name not in ICONS and not NUMBERED_ICON.match(name):
        raise ValueError(f"no icon is called {name}; there are: {', '.join(ICONS)}, bonus_20, plus_20")
    return name


def _parse_stop(word: str, before: list[Node]) -> Node:
    found = STOP.match(word)
    if not found or (found["values"] is None) != (found["kind"] == "junction"):
        raise ValueError(f"not a stop: {word}")
    kind, text = found["kind"], found["values"] or ""
    colours, revenue = _parse_values(text.strip("()"))
    return Node(
        f"{kind[0]}{sum(node.kind == kind for node in before)}",
        kind,
        revenue,
        int(found["slots"] or (1 if kind == "city" else 0)),
        colours,
        tuple(found["groups"].split(",")) if found["groups"] else (),
        float(found["place"]) if found["place"] else None,
        text.startswith("("),
    )


def _parse_values(text: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    words = [word.rpartition("=") for word in text.split(",") if word]
    colours = tuple(colour for colour, _, _ in words if colour)
    if colours and len(colours) != len(words):
        raise ValueError(f"only some values name their colour: {text}")
    return colours, tuple(int(value) for _, _, value in words)


def _parse_path(word: str) -> Path:
    found = TRACK.match(word)
    if not found:
        raise ValueError(f"not a piece of track: {word}")
    a, width_a, lane_a, b, width_b, lane_b, marks = found.groups()
    lanes = None
    if width_a or width_b:
        lanes = ((int(width_a or 1), int(lane_a or 0)), (int(width_b or 1), int(lane_b or 0)))
    mark = next((MARKS[sign] for sign in marks if sign in MARKS), "")
    return Path(_parse_end(a), _parse_end(b), "!" in marks, "~" in marks, lanes, mark)


def _parse_end(word: str) -> End:
    if not word.isdigit():
        return word
    if int(word) > 5:
        raise ValueError(f"a space has the edges 0 to 5, not {word}")
    return int(word)


def parse_tile(line: str) -> Tile:
    """Read one tile.

    :raises ValueError: the line is not in the notation.
    """
    name, colour, count, *rest = [*line.split(maxsplit=3), "", "", ""]
    if not COUNT.fullmatch(count):
        raise ValueError(f"no count of tiles in: {line}")
    labels, icons, nodes, paths, is_hidden, cost, private, is_last = parse_print(rest[0] if rest else "")
    number = _parse_count(count[1:])
    return Tile(TileId(name), colour, number, nodes, paths, labels, icons, is_hidden, 0, cost, private, is_last)


def parse_tiles(text: str) -> dict[TileId, Tile]:
    """Read a tile sheet: a tile a line, or any number of standard tiles with their counts; `#` begins a remark.

    :raises ValueError: a line is not in the notation, or a tile is there twice.
    """
    tiles: dict[TileId, Tile] = {}
    for line in text.splitlines():
        with naming_line(line.strip()):
            found = [*_parse_line(line.split("#")[0].strip())]
        for tile in found:
            if tile.id in tiles:
                raise ValueError(f"tile {tile.id} is there twice")
            tiles[tile.id] = tile
    return tiles


def _parse_line(line: str) -> Iterator[Tile]:
    counted = [COUNTED.match(word) for word in line.split()]
    if not all(counted):
        yield parse_tile(line)
        return
    for found in counted:
        if found and found[1] not in STANDARD_TILES:
            raise ValueError(
                f"tile {found[1]} is not a standard number, so its line has a colour, stops and track: {line}"
            )
        if found:
            yield replace(STANDARD_TILES[TileId(found[1])], count=_parse_count(found[2]))


def _parse_count(text: str) -> int | None:
    return None if text == "*" else int(text)


STANDARD_TILES = {tile.id: tile for tile in map(parse_tile, STANDARD.strip().splitlines())}

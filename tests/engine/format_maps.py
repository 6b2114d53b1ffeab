"""Spaces and tiles in the notation, as `parse_line` and `parse_tile` read them; `make format` writes maps and sheets so."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path as File

from bot.engine.board.game_map import MapHex, parse_line
from bot.engine.board.tile_notation import MARKS, parse_tile
from bot.engine.board.tiles import COLOURS, Node, Path, Tile

TITLES = File(__file__).parents[2] / "bot" / "titles"
NOTED = re.compile(rf"^( +)((?:\w+ )+(?:{'|'.join((*COLOURS, 'white', 'red'))})\b[^#\n]*?)( *#.*)?$", re.M)
"""A line of a map or a sheet: a space or a tile, and its colour. Standard tiles are only counted there."""


def print_hex(space: MapHex) -> str:
    """A space in the notation: the inverse of `parse_line`."""
    words = [space.id, space.colour]
    words += [f'"{space.name}"'] if space.name else []
    words += [word for word, is_so in (("open", space.is_open), ("fixed", space.is_fixed)) if is_so]
    words += [f"{'|'.join(space.terrains) or 'cost'}:{space.cost}"] if space.cost else []
    homes = [f"{home.company}" if home.city is None else f"{home.company}/{home.city}" for home in space.homes]
    lists = {"home": homes, "kept": space.kept_for, "private": space.privates, "goal": space.goals}
    words += [f"{key}:{','.join(values)}" for key, values in lists.items() if values]
    later = "/".join(word for word in (space.later_label, space.later_colour) if word)
    words += [f"{key}:{value}" for key, value in (("plus", space.plus), ("later", later)) if value]
    for kind, cost in dict.fromkeys((side.kind, side.cost) for side in space.sides):
        edges = [str(side.edge) for side in space.sides if (side.kind, side.cost) == (kind, cost)]
        words.append(f"{kind}{f'={cost}' if cost else ''}@{','.join(edges)}")
    printed = space.printed
    words.append(print_print(printed.labels, printed.icons, printed.nodes, printed.paths))
    return " ".join(word for word in words if word)


def print_print(labels: Iterable[str], icons: Iterable[str], nodes: Iterable[Node], paths: Iterable[Path]) -> str:
    """The inverse of `parse_print`."""
    words = [f"'{label}'" for label in labels] + [f"*{icon}" for icon in icons]
    words += [print_stop(node) for node in nodes]
    track = [print_path(path) for path in paths]
    return " ".join([*words, "|", *track] if track else words)


def print_stop(node: Node) -> str:
    """A stop in the notation."""
    values = ",".join(
        f"{node.colours[place]}={value}" if node.colours else str(value) for place, value in enumerate(node.revenue)
    )
    if node.is_hidden:
        values = f"({values})"
    slots = f"/{node.slots}" if node.slots > 1 else ""
    groups = f"[{','.join(node.groups)}]" if node.groups else ""
    place = "" if node.place is None else f"@{node.place:g}"
    return f"{node.kind}{':' if values else ''}{values}{slots}{groups}{place}"


def print_path(path: Path) -> str:
    """A piece of track in the notation."""
    lane_a = lane_b = ""
    if path.lanes:
        lane_a, lane_b = (f"({width}.{index})" if width > 1 else "" for width, index in path.lanes)
    marks = ("!" if path.is_terminal else "") + ("~" if path.is_narrow else "")
    marks += "".join(sign for sign, mark in MARKS.items() if mark == path.mark)
    return f"{path.a}{lane_a}-{path.b}{lane_b}{marks}"


def print_tile(tile: Tile) -> str:
    """A tile in the notation: the inverse of `parse_tile`."""
    count = "x*" if tile.count is None else f"x{tile.count}"
    hidden = "hidden" if tile.is_hidden else ""
    printed = print_print(tile.labels, tile.icons, tile.nodes, tile.paths)
    own = [f"{key}:{value}" for key, value in (("cost", tile.cost), ("private", tile.private)) if value]
    words = (tile.id, tile.colour, count, hidden, *own, printed)
    return " ".join(word for word in words if word)


def print_line(spaces: Iterable[MapHex]) -> str:
    """Spaces that are alike in one line."""
    *others, last = spaces
    return " ".join([*(space.id for space in others), print_hex(last)])


# -- make format -----------------------------------------------------------------------------------------


def formatted(module: str, is_map: bool) -> str:
    """The source of a map or a tile sheet with its spaces or tiles as they print.

    :raises ValueError: a line is not in the notation.
    """

    def printed(line: re.Match[str]) -> str:
        margin, noted, remark = line.groups("")
        return margin + (print_line(parse_line(noted)) if is_map else print_tile(parse_tile(noted))) + remark

    return NOTED.sub(printed, module)


def main() -> int:
    """Write the maps and sheets of all titles as they print."""
    for name in ("map", "tiles"):
        for file in sorted(TITLES.glob(f"*/{name}.py")):
            before = file.read_text(encoding="utf-8")
            after = formatted(before, is_map=name == "map")
            if after != before:
                file.write_text(after, encoding="utf-8")
                print(f"{file.relative_to(TITLES)} written anew")
    return 0


if __name__ == "__main__":
    sys.exit(main())

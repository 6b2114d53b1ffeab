"""Tiles and their notation; the sheets of all titles against the printed tiles."""

import json
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.board.standard_tiles import STANDARD
from bot.engine.board.tile_notation import ICONS, parse_tile, parse_tiles
from bot.engine.board.tiles import COLOURS, Node, Path, Tile
from bot.engine.ids import TileId
from bot.titles import registry
from tests.engine.format_maps import formatted, print_tile

TITLES = {title: f"t{title.lower()}" for title in registry.TITLES}
SHEETS = {title: import_module(f"bot.titles.{folder}.tiles").TILES for title, folder in TITLES.items()}
ALL_TILES = [tile for sheet in SHEETS.values() for tile in sheet.values()]
WITH_FACTS = sorted({*TITLES} - {"1820", "1830"})
"""Whose printed sheets stand in the facts in one form: 1820's have another (see below), of 1830 there are none."""
LONDON = ("BF9", "BF10", "BF11")


def test_a_city_tile():
    tile = parse_tile("14 green x3 city:30/2 | 0-c0 1-c0 3-c0 4-c0")
    assert (tile.id, tile.colour, tile.count) == ("14", "green", 3)
    assert tile.nodes == (Node("c0", "city", (30,), 2),)
    assert tile.exits == tile.exits_of("c0") == {0, 1, 3, 4}


def test_values_by_phase_in_the_usual_order():
    node = parse_tile("A4 red x1 offboard:10,20,40,60 | 5-o0!").nodes[0]
    assert [node.value_in(COLOURS[:count]) for count in range(5)] == [0, 10, 20, 40, 60]


def test_values_by_named_colours():
    node = parse_tile("K22 red x1 offboard:yellow=10,blue=20,gray=30 | 0-o0").nodes[0]
    assert node.value_in(("yellow", "green")) == 10
    assert node.value_in(("yellow", "green", "blue", "brown")) == 20
    assert node.value_in(("yellow", "green", "blue", "brown", "gray")) == 30


def test_marks_of_track():
    tile = parse_tile("Z purple x* hidden 'L' *anchor town:0[A,B]@4 | 0-t0! 1-4~ 2-3= 0-2? 3-5% 1(2.1)-5")
    assert tile.count is None and tile.is_hidden and tile.labels == ("L",) and tile.icons == ("anchor",)
    assert tile.nodes[0].groups == ("A", "B") and tile.nodes[0].place == 4
    assert [(path.is_terminal, path.is_narrow, path.mark) for path in tile.paths[:5]] == [
        (True, False, ""),
        (False, True, ""),
        (False, False, "dual"),
        (False, False, "future"),
        (False, False, "drawn"),
    ]
    assert tile.paths[5].lanes == ((2, 1), (1, 0))
    assert tile.exits == {0, 1, 2, 3, 4, 5}
    assert not any(path.is_track for path in tile.paths[3:5])


def test_turning_moves_track_and_places():
    tile = parse_tile("66 brown x1 'OO' city:50 city:50@1.5 | 0-c0 c0-3 1-c1 c1-2").rotate(5)
    assert tile.exits_of("c0") == {5, 2} and tile.exits_of("c1") == {0, 1}
    assert tile.nodes[1].place == 0.5
    assert tile.rotate(1) == tile.rotate(7) == SHEETS["1844"]["66"].rotate(0).rotate(6)


def test_shape_does_not_depend_on_order():
    one, other = parse_tile("9 yellow x1 | 0-3"), parse_tile("9 yellow x1 | 3-0")
    assert one != other and one.shape == other.shape == one.rotate(3).shape


@pytest.mark.parametrize(
    "line",
    [
        "57 yellow 4 city:20 | 0-c0",
        "57 yellow x4 village:20 | 0-c0",
        "57 yellow x4 city:20 | 0-c1",
        "57 yellow x4 city:20 | 0-7",
        "57 yellow x4 city | 0-c0",
        "57 yellow x4 city:yellow=10,20 | 0-c0",
    ],
)
def test_what_is_not_in_the_notation_is_refused(line):
    with pytest.raises(ValueError):
        parse_tile(line)


def test_a_tile_is_not_there_twice():
    with pytest.raises(ValueError, match="twice"):
        parse_tiles("7 yellow x1 | 0-1\n7 yellow x2 | 0-1")


@pytest.mark.parametrize("tile", ALL_TILES, ids=lambda tile: tile.id)
def test_every_tile_reads_back(tile):
    assert parse_tile(print_tile(tile)) == tile


def test_sheets_are_written_as_they_print():
    for title, folder in TITLES.items():
        module = import_module(f"bot.titles.{folder}.tiles")
        with open(module.__file__, encoding="utf-8") as source:
            text = source.read()
        assert formatted(text, is_map=False) == text, "make format puts it in order"
        lines = {line.strip() for line in text.splitlines()}
        counted = {word for line in lines for word in line.split()}
        missing = [
            print_tile(tile)
            for tile in SHEETS[title].values()
            if print_tile(tile) not in lines and f"{tile.id}x{tile.count or '*'}" not in counted
        ]
        assert not missing, title


def test_make_format_puts_what_is_written_of_a_tile_in_order():
    assert formatted("    X1 green x2 *port 'K' city:30 | 0-c0\n    7x4\n", is_map=False) == (
        "    X1 green x2 'K' *port city:30 | 0-c0\n    7x4\n"
    )


def test_standard_tiles_are_counted_by_their_numbers():
    assert [print_tile(tile) for tile in parse_tiles(STANDARD).values()] == STANDARD.strip().replace(
        "    ", ""
    ).splitlines()
    sheet = parse_tiles("9x3 57x*  # many\n900 yellow x1 | 0-1\n7x2")
    assert [(tile.id, tile.count) for tile in sheet.values()] == [("9", 3), ("57", None), ("900", 1), ("7", 2)]
    assert sheet[TileId("9")].shape == parse_tile("9 yellow x1 | 0-3").shape
    with pytest.raises(ValueError, match="900 is not a standard number, so its line has"):
        parse_tiles("7x1 900x1")
    with pytest.raises(ValueError, match="twice"):
        parse_tiles("7x1 8x1 7x1")


@st.composite
def tiles(draw):
    nodes = []
    for kind, slots in draw(
        st.lists(st.sampled_from([("city", 1), ("city", 3), ("town", 0), ("offboard", 0)]), max_size=4)
    ):
        name = f"{kind[0]}{sum(node.kind == kind for node in nodes)}"
        colours = draw(st.sampled_from([(), ("yellow", "blue")]))
        values = draw(st.tuples(*[st.integers(0, 200)] * (len(colours) or draw(st.sampled_from([1, 4])))))
        groups = draw(st.sampled_from([(), ("A",), ("A", "B")]))
        place = draw(st.sampled_from([None, 0.0, 3.5]))
        nodes.append(Node(name, kind, values, slots, colours, groups, place, draw(st.booleans())))
    ends = st.one_of(st.integers(0, 5), *([st.sampled_from([node.id for node in nodes])] if nodes else []))
    marks = st.sampled_from(["", "dual", "future", "drawn", "shared"])
    lanes = st.sampled_from([None, ((2, 1), (1, 0)), ((2, 0), (2, 1))])
    paths = st.builds(Path, ends, ends, st.booleans(), st.booleans(), lanes, marks)
    words = st.lists(st.sampled_from(["K", "OO", "B?"]), max_size=2).map(tuple)
    count = draw(st.none() | st.integers(0, 20))
    printed = tuple(draw(st.lists(paths, max_size=5)))
    icons = draw(st.lists(st.sampled_from([*ICONS, "bonus_20"]), max_size=2).map(tuple))
    own = draw(st.sampled_from([(0, ""), (80, ""), (0, "MF"), (40, "MF")]))
    return Tile("X1", "green", count, tuple(nodes), printed, draw(words), icons, draw(st.booleans()), 0, *own)


@given(tiles())
def test_any_tile_reads_back(tile):
    assert parse_tile(print_tile(tile)) == tile


@given(tiles(), st.integers(0, 11), st.integers(0, 11))
def test_turning_twice_is_turning_once(tile, one, other):
    assert tile.rotate(one).rotate(other) == tile.rotate(one + other)


# -- against the printed tiles ------------------------------------------------------------------------


def node_facts(node):
    revenue = node["revenue"]
    by_colour = revenue if isinstance(revenue, dict) else {"all": revenue}
    place = node.get("loc")
    return (
        node["id"],
        node.get("kind", node.get("type")),
        by_colour,
        node.get("slots", 0),
        tuple(node.get("groups", ())),
    ), (None if place is None else float(place))


def node_of(node):
    colours = node.colours or COLOURS
    by_colour = dict(zip(colours, node.revenue, strict=False)) if len(node.revenue) > 1 else {"all": node.revenue[0]}
    return (node.id, node.kind, by_colour, node.slots, node.groups), node.place


def path_facts(path):
    return path["ends"], "terminal" in path, path.get("track", "broad")


def path_of(path):
    return [path.a, path.b], path.is_terminal, "narrow" if path.is_narrow else path.mark or "broad"


@pytest.mark.shared
@pytest.mark.parametrize("title", WITH_FACTS)
def test_the_sheet_is_that_of_the_box(shared, title):
    facts = json.loads((shared / "facts" / title / "tiles.json").read_text())["tiles"]
    assert sorted(fact["id"] for fact in facts) == sorted(SHEETS[title])
    for fact in facts:
        tile = SHEETS[title][fact["id"]]
        assert (tile.colour, tile.count) == (fact["color"], None if fact["count"] == "unlimited" else fact["count"])
        assert tile.labels == (("London",) if tile.id in LONDON else tuple(fact.get("labels", ())))
        assert tile.icons == tuple(icon["name"] for icon in fact.get("icons", ()))
        assert tile.is_hidden == fact.get("hidden", False)
        if tile.id in LONDON:
            assert tile.exits == {0, 1, 2, 3, 4, 5} and {node.revenue for node in tile.nodes} == {
                (fact["nodes"][0]["revenue"],)
            }
            continue
        for node, expected in zip(map(node_of, tile.nodes), map(node_facts, fact.get("nodes", ())), strict=True):
            assert node[0] == expected[0]
            assert node[1] in (None, expected[1]), "without a place the drawing finds it"
        assert [path_of(path) for path in tile.paths] == [path_facts(path) for path in fact.get("paths", ())]


@pytest.mark.shared
def test_the_sheet_of_1820(shared):
    facts = json.loads((shared / "facts" / "1820" / "tiles.json").read_text())["tiles"]
    assert list(facts) == list(SHEETS["1820"])
    for name, fact in facts.items():
        tile = SHEETS["1820"][name]
        count = None if name in ("7", "8", "9") else fact["quantity"]  # 1820 §12.1: these are unlimited
        assert (tile.colour, tile.count) == (fact["colour"], count)
        assert tile.labels == ((fact["label"],) if fact["label"] else ())
        assert [node_of(node) for node in tile.nodes] == [node_facts(node) for node in fact["nodes"]]
        assert [[path.a, path.b] for path in tile.paths] == fact["paths"]

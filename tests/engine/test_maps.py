"""Maps and their notation; the maps of all titles against the printed ones."""

import json
import re
from importlib import import_module

import pytest

from bot.engine.board.game_map import Home, SideMark, parse_hex, parse_line, parse_map
from bot.engine.board.hexes import Layout, opposite
from bot.engine.board.tiles import COLOURS
from bot.engine.board.upgrades import open_exits
from bot.titles import registry
from bot.titles.t18gb import map as gb
from tests.engine.format_maps import formatted, print_hex

TITLES = {title: f"t{title.lower()}" for title in registry.TITLES}
MODULES = {title: import_module(f"bot.titles.{folder}.map") for title, folder in TITLES.items()}
MAPS = {title: module.MAP for title, module in MODULES.items()}
PLANS = {
    ("1848", 0): MAPS["1848"],
    ("18GB", 0): gb.MAP,
    ("18GB", 1): gb.MAP_NORTH_SOUTH,
    ("18GB", 2): gb.MAP_EAST_WEST,
    ("1844", 0): MAPS["1844"],
    ("18BF", 0): MAPS["18BF"],
}
NAMES = {("1844", "D25"): "Appenzell"}
"""Towns whose names the facts misspell."""

NO_SPACES = {
    "18GB": {"C8", "C10"},
    "18BF": set(["K27", "K29", "L26", "L28", "L30", "M27", "M29", "G28", "I28", "J6", "L6"]),
}
"""What the facts draw as spaces: boxes for bonuses, and 18BF's enlarged London."""

EVERY_SPACE = [
    space for game_map in (*MAPS.values(), gb.MAP_NORTH_SOUTH, gb.MAP_EAST_WEST) for space in game_map.hexes.values()
]
POINTY = Layout(is_flat=False, letter_is_x=False)


def test_a_space_with_everything():
    line = (
        'U13 white "Bristol" open river:20 home:BE,LR/1 kept:MC private:SD goal:AB plus:C5 later:K '
        "water=80@1,2 wall@5 'Y' *north city:0 | 0-c0"
    )
    space = parse_hex(line)
    assert (space.name, space.terrains, space.cost, space.later_label) == ("Bristol", ("river",), 20, "K")
    assert space.homes == (Home("BE"), Home("LR", 1))
    assert space.sides == (SideMark(1, "water", 80), SideMark(2, "water", 80), SideMark(5, "wall"))
    assert space.side_cost(1) == 80 and space.side_cost(5) == 0 and space.walls == {5}
    assert (space.kept_for, space.privates, space.goals, space.plus) == (("MC",), ("SD",), ("AB",), "C5")
    assert space.printed.labels == ("Y",) and space.printed.exits == {0}
    assert print_hex(space) == line


@pytest.mark.parametrize(
    "line", ["B3 white jungle:40", "B3 white water@7", "B3 white desert:40 hill:30 desert:20", "B3 white 1-2"]
)
def test_what_is_not_in_the_notation_is_refused(line):
    with pytest.raises(ValueError):
        parse_hex(line)


def test_an_unknown_icon_is_refused_with_the_known_icons():
    with pytest.raises(ValueError, match=r"no icon is called ship; there are: north, .*anchor, port, bonus_20"):
        parse_hex("B3 blue *ship")


@pytest.mark.parametrize(
    ("word", "terrains"),
    [
        ("water|mountain:80", ("water", "mountain")),
        ("cost:80", ()),
        ("hill:80", ("hill",)),
        ("swamp|lake:80", ("swamp", "lake")),
    ],
)
def test_a_cost_has_any_number_of_terrains(word, terrains):
    space = parse_hex(f"B3 white {word} city:0")
    assert (space.cost, space.terrains, print_hex(space)) == (80, terrains, f"B3 white {word} city:0")


def test_a_space_is_not_there_twice():
    with pytest.raises(ValueError, match="twice"):
        parse_map("B3 white\nB3 white", POINTY)


@pytest.mark.parametrize(
    ("line", "is_buildable"),
    [
        ("A1 white", True),
        ("A1 yellow", True),
        ("A1 red", False),
        ("A1 blue", False),
        ("A1 blue open", True),
        ("A1 white fixed", False),
    ],
)
def test_where_tiles_are_laid(line, is_buildable):
    assert parse_hex(line).is_buildable is is_buildable


def test_a_wall_stands_on_both_sides():
    game_map = parse_map("A1 white wall@4\nA3 white\nA5 white", POINTY)
    assert game_map.neighbour("A1", 4) is None and game_map.neighbour("A3", 1) is None
    assert game_map.neighbour("A3", 4) == "A5"
    assert game_map.neighbours["A3"] == (None, "A1", None, None, "A5", None)


def test_an_edge_costs_the_same_from_both_sides():
    game_map = parse_map("A1 white water=80@4\nA3 white", POINTY)
    assert game_map.side_cost("A1", 4) == game_map.side_cost("A3", 1) == 80
    assert game_map.side_cost("A1", 1) == 0


def ways_out(game_map, name):
    """For each edge where track may lead while no tiles lie the space across."""
    exits = open_exits(game_map, lambda other: game_map.hexes[other].printed, name)
    return {edge: game_map.neighbour(name, edge) for edge in exits}


def test_spaces_that_are_alike_share_a_line():
    together = parse_map("A1 white\nA3 A5 white hill:40 city:0", POINTY)
    apart = parse_map("A1 white\nA3 white hill:40 city:0\nA5 white hill:40 city:0", POINTY)
    assert list(together.hexes.items()) == list(apart.hexes.items())
    with pytest.raises(ValueError, match="A1 A3 is no space and its colour"):
        parse_map("A1 A3", POINTY)
    with pytest.raises(ValueError, match="white is no space"):
        parse_map("white", POINTY)


def test_track_leads_into_closed_spaces_only_where_it_is_met():
    game_map = parse_map("A1 gray | 4-0\nA3 white\nA5 red offboard:20 | 4-o0", POINTY)
    assert ways_out(game_map, "A3") == {1: "A1"}


def test_a_varied_map():
    game_map = parse_map("A1 white\nA3 white\nA5 white", POINTY).scenario_map(
        without="A1", instead='A5 red "End" offboard:10'
    )
    assert list(game_map.hexes) == ["A3", "A5"] and game_map.hexes["A5"].name == "End"
    assert game_map.neighbour("A3", 1) is None


@pytest.mark.parametrize("space", EVERY_SPACE, ids=lambda space: space.id)
def test_every_space_reads_back(space):
    assert parse_hex(print_hex(space)) == space


def test_make_format_puts_what_is_written_of_a_space_in_order():
    source = 'MAP = parse_map(\n    """\n    A1 white water@5 home:VR "End" city:0  # far away\n    A3 A5 white\n    """\n)\n'
    expected = source.replace('water@5 home:VR "End" city', '"End" home:VR water@5 city')
    assert formatted(source, is_map=True) == expected == formatted(expected, is_map=True)
    with pytest.raises(ValueError):
        formatted("    A1 white watr@5\n", is_map=True)


@pytest.mark.parametrize("title", TITLES)
def test_maps_are_written_as_they_print(title):
    with open(MODULES[title].__file__, encoding="utf-8") as source:
        text = source.read()
    assert formatted(text, is_map=True) == text, "make format puts it in order"
    lines = (line.split("#")[0] for line in text.splitlines() if re.match(r" +(?:[A-Za-z]\d+ )+[a-z]+\b", line))
    written = {print_hex(space) for line in lines for space in parse_line(line)}
    printed = {
        print_hex(space) for key, game_map in PLANS.items() if key[0] == title for space in game_map.hexes.values()
    }
    printed |= {print_hex(space) for space in MAPS[title].hexes.values()}
    assert written == printed


@pytest.mark.parametrize("title", TITLES)
def test_printed_track_of_neighbours_meets_or_ends_at_open_land(title):
    """What is printed on one space and crosses into a closed one is met there, so nothing ends at a blank wall."""
    game_map = MAPS[title]
    dead = {
        (name, edge)
        for name, space in game_map.hexes.items()
        for edge in space.printed.exits
        if (other := game_map.neighbour(name, edge)) is not None
        and not game_map.hexes[other].is_buildable
        and opposite(edge) not in game_map.hexes[other].printed.exits
    }
    assert not dead


# -- against the printed maps -------------------------------------------------------------------------


def plans(shared, title):
    return json.loads((shared / "facts" / title / "map.json").read_text())["layouts"]


def kinds_of_edges(fact):
    names = {"mountain": "mountain", "water": "water", "province": "province", "impassable": "wall", None: "joint"}
    return [SideMark(side["edge"], names[side.get("type")], side.get("cost", 0)) for side in fact.get("borders", ())]


def stop_facts(node):
    revenue = node.get("revenue", ())
    values = tuple(revenue.values()) if isinstance(revenue, dict) else (revenue,) if node["kind"] != "junction" else ()
    colours = tuple(revenue) if isinstance(revenue, dict) and tuple(revenue) != COLOURS else ()
    return (
        node["id"],
        node["kind"],
        values,
        colours,
        node.get("slots", 0),
        tuple(node.get("groups", ())),
        node.get("hide", False),
    )


def stop_of(node):
    return node.id, node.kind, node.revenue, node.colours, node.slots, node.groups, node.is_hidden


def track_facts(fact):
    real = [
        (path["ends"], "terminal" in path and "ignore" not in path, "drawn" if "ignore" in path else "")
        for path in fact.get("paths", ())
    ]
    return real + [(path["ends"], False, "future") for path in fact.get("future_paths", ())]


def check_edges(title, space, fact):
    if title == "1848":  # the borders called mountains are changes of gauge (§7.6); that between two areas is not drawn
        expected = {side["edge"] for side in fact.get("borders", ()) if side.get("type") == "mountain"}
        assert space.borders == expected
    else:
        marks = [side for side in space.sides if side.kind != "stub"]
        assert sorted(marks) == sorted(kinds_of_edges(fact))
    assert space.stubs == {stub["edge"] for stub in fact.get("stubs", ())}


def check_space(title, space, fact):
    name = NAMES.get((title, space.id), fact.get("name", ""))
    assert (space.id, space.colour, space.name) == (fact["hex"], fact["color"], name)
    cost = fact.get("upgrade_costs", [{"cost": 0}])[0]
    assert (space.cost, [*space.terrains]) == (cost["cost"], cost.get("terrains", []))
    assert space.later_label == fact.get("future_label", {}).get("label", "")
    check_edges(title, space, fact)
    if (title, space.id) == ("18BF", "U23"):
        assert space.printed.exits == set(range(6)) and {node.revenue for node in space.printed.nodes} == {(40,)}
        return
    assert space.printed.labels == tuple(fact.get("labels", ()))
    assert space.printed.icons == tuple(icon["name"] for icon in fact.get("icons", ()))
    assert [stop_of(node) for node in space.printed.nodes] == [stop_facts(node) for node in fact.get("nodes", ())]
    track = [([path.a, path.b], path.is_terminal, path.mark) for path in space.printed.paths]
    assert track == track_facts(fact)
    assert space.goals == tuple(fact.get("destination_of", ()))
    assert space.privates == tuple(fact.get("blocked_by_private", ()))
    if title != "1848":  # there a company's noun knows its home
        homes = tuple(Home(home["corporation"], home.get("city_index")) for home in fact.get("home_of", ()))
        assert space.homes == homes


@pytest.mark.shared
@pytest.mark.parametrize(("title", "number"), PLANS)
def test_the_map_is_that_of_the_box(shared, title, number):
    facts = [fact for fact in plans(shared, title)[number]["hexes"] if fact["hex"] not in NO_SPACES.get(title, ())]
    game_map = PLANS[title, number]
    assert list(game_map.hexes) == [fact["hex"] for fact in facts]
    for fact in facts:
        check_space(title, game_map.hexes[fact["hex"]], fact)


@pytest.mark.shared
@pytest.mark.parametrize(("title", "number"), PLANS)
def test_neighbours_are_those_of_the_facts(shared, title, number):
    """The facts count ferry lines that are only drawn (18BF) as track, and join the spaces around London to its ring."""
    game_map, gone = PLANS[title, number], NO_SPACES.get(title, set())
    drawn = {
        (name, edge)
        for name, space in game_map.hexes.items()
        for path in space.printed.paths
        if path.mark == "drawn"
        for edge in path.edges
    }
    for fact in plans(shared, title)[number]["hexes"]:
        name = fact["hex"]
        if name in gone or (title, name) == ("18BF", "U23"):
            continue
        expected = {int(edge): other for edge, other in fact.get("neighbors", {}).items() if other not in gone}
        by_ferry = {edge for edge, other in expected.items() if (other, opposite(edge)) in drawn}
        ours = {edge: other for edge, other in ways_out(game_map, name).items() if (title, other) != ("18BF", "U23")}
        assert ours == {edge: other for edge, other in expected.items() if edge not in by_ferry or edge in ours}, name


@pytest.mark.shared
def test_the_map_of_1820(shared):
    facts = json.loads((shared / "facts" / "1820" / "map.json").read_text())["hexes"]
    game_map = MAPS["1820"]
    colours = {"gray": "gray", "offboard": "red", "port": "blue", "city": "white", "rural": "white"}
    assert list(game_map.hexes) == list(facts)
    for name, fact in facts.items():
        space = game_map.hexes[name]
        assert (space.colour, space.name) == (colours[fact["kind"]], " & ".join(fact.get("names", ())))
        assert ("|".join(space.terrains), space.cost) == (fact.get("terrain", ""), fact.get("terrain_cost", 0))
        assert space.printed.labels == ((fact["label"],) if "label" in fact else ())
        assert {str(e): other for e, other in enumerate(game_map.neighbours[name]) if other} == fact["neighbours"]
        assert len(space.printed.cities) == fact.get(
            "separate_cities", len([n for n in fact.get("nodes", ()) if n.get("slots")])
        )
        exits = {end for track in fact.get("tracks", ()) for end in track if isinstance(end, int)} | set(
            fact.get("spikes", ())
        )
        assert space.printed.exits == exits
        if "rule" in fact.get("revenue", ()):
            assert (space.plus, space.printed.nodes[0].revenue) == ("C5", (20,))
        elif "revenue" in fact:
            assert {node.revenue for node in space.printed.nodes} == {tuple(fact["revenue"].values())}


@pytest.mark.shared
def test_the_barriers_of_1820(shared):
    facts = json.loads((shared / "facts" / "1820" / "map.json").read_text())
    expected = {(name, edge, 80) for barrier in facts["barriers"] for name, edge in barrier["edges"].items()}
    found = {
        (space.id, side.edge, side.cost)
        for space in MAPS["1820"].hexes.values()
        for side in space.sides
        if side.kind == "barrier"
    }
    assert found == expected
    assert {side.edge: side.cost for side in MAPS["1820"].hexes["M13"].sides} == {0: 40, 1: 40, 2: 40, 3: 40, 5: 40}

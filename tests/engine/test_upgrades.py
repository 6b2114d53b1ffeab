"""Upgrades computed from geometry, held against the printed tables."""

import json
from dataclasses import replace
from importlib import import_module

import pytest

from bot.engine.board.board_rules import BoardRules
from bot.engine.board.game_map import GameMap, parse_hex, parse_map
from bot.engine.board.hexes import Layout
from bot.engine.board.tile_notation import parse_tile
from bot.engine.board.upgrades import (
    FOLLOWING,
    city_successors,
    distinct_rotations,
    has_same_kinds,
    keeps_track,
    legal_rotations,
    open_exits,
)
from bot.engine.ids import TileId
from bot.engine.state.board import Board, PlacedTile
from bot.titles import registry

TITLES = {title: f"t{title.lower()}" for title in registry.TITLES}
SHEETS = {title: import_module(f"bot.titles.{folder}.tiles").TILES for title, folder in TITLES.items()}
MAPS = {title: import_module(f"bot.titles.{folder}.map").MAP for title, folder in TITLES.items()}
WITH_FACTS = sorted({*TITLES} - {"1820", "1830"})
"""Whose printed upgrades stand in the facts in one form: 1820's have another (see below), of 1830 there are none."""
ESTUARIES = {**FOLLOWING, "blue": "blue"}
MANCHESTER = frozenset("M")


def upgrades(title, tile, labels=(), later="", loose_labels=frozenset()):
    """What may be laid on this tile as it lies on a space with these labels, each with its rotations."""
    bare = next(space for space in MAPS[title].hexes.values() if space.is_buildable)
    space = replace(bare, printed=replace(bare.printed, labels=tuple(labels)), later_label=later)
    board = Board(tiles={space.id: PlacedTile(TileId(tile), 0)})
    return upgrades_of(
        BoardRules(GameMap(MAPS[title].layout, {space.id: space}), SHEETS[title], FOLLOWING, loose_labels),
        space.id,
        board,
    )


def upgrades_of(land, hex_id, board):
    """The tiles that may come next on a space, as far as they can be turned; its edges and triangles aside."""
    old = land.tile_at(board, hex_id)
    found = {
        tile: legal_rotations(old, land.tiles[tile], loose_labels=land.loose_labels)
        for tile in land.possible_upgrades(board, hex_id)
    }
    return {tile: rotations for tile, rotations in found.items() if rotations}


def test_green_plain_track_keeps_the_yellow():
    """1848, tile manifest."""
    assert list(upgrades("1848", "9")) == ["18", "19", "20", "23", "24", "26", "27"]


@pytest.mark.parametrize(("tile", "expected"), [("57", "236 237"), ("5", "236 237 238"), ("6", "236 237 238")])
def test_a_K_space_takes_only_K_tiles_from_green_on(tile, expected):
    """1848, tile manifest: 238 upgrades tiles 5 and 6 only."""
    assert list(upgrades("1848", tile, (), "K")) == expected.split()
    assert list(upgrades("1848", tile)) == ["14", "15"]


def test_a_K_space_takes_any_yellow_city():
    assert list(upgrades_of(BoardRules(MAPS["1848"], SHEETS["1848"]), "F17", Board())) == ["5", "6", "57"]


def test_towns_and_cities_are_not_exchanged():
    """1848 §7.5.3."""
    town, city, plain = (parse_tile(f"1 green x1 {stops}") for stops in ("town:10", "city:20", ""))
    assert not has_same_kinds(town, city) and not has_same_kinds(plain, town) and not has_same_kinds(city, plain)


def test_two_cities_may_become_one():
    """18GB: OO tiles become one city of two places; both companies' tokens go there."""
    old, new = SHEETS["18GB"]["G21"], SHEETS["18GB"]["G30"].rotate(0)
    assert keeps_track(old, new)
    assert city_successors(old, new) == {0: 0, 1: 0}


def test_tokens_follow_their_exits():
    old = parse_tile("A green x1 city:40 city:40 | 0-c0 2-c1")
    new = parse_tile("B brown x1 city:50 city:50 | 2-c0 c0-5 0-c1 c1-3")
    assert city_successors(old, new) == {0: 1, 1: 0}


def test_a_city_without_track_takes_what_is_left():
    old = parse_tile("A yellow x1 city:40 city:40 | 0-c1")
    new = parse_tile("B green x1 city:50 city:50 | 0-c0 c0-3 1-c1")
    assert city_successors(old, new) == {0: 1, 1: 0}


def test_track_that_would_be_cut_off_is_kept():
    old, new = parse_tile("9 yellow x1 | 0-3"), parse_tile("16 green x1 | 0-2 1-3")
    assert legal_rotations(old, new) == ()
    assert (
        city_successors(parse_tile("A yellow x1 city:20 | 0-c0 c0-3"), parse_tile("B green x1 city:20 | 0-c0 1-c0"))
        is None
    )


def test_narrow_track_is_not_broad_track():
    assert not keeps_track(parse_tile("A purple x1 | 0-3~"), parse_tile("B purple x1 | 0-3"))


def test_rotations_that_look_alike_are_named_once():
    straight = SHEETS["1848"]["9"]
    assert distinct_rotations(straight, range(6)) == (0, 1, 2)
    assert distinct_rotations(SHEETS["1848"]["8"], range(6)) == (0, 1, 2, 3, 4, 5)


def test_track_leads_only_where_it_may_go_on():
    """1848 §7.4: not off the map, not into a wall, into closed spaces only where track comes to meet it."""
    game_map = parse_map(
        "A3 gray | 0-4\nA5 gray | 4-5\nB2 white\nB4 white wall@1\nB6 white\nC3 blue | 1-4\nC5 red offboard:10 | 2-o0",
        Layout(is_flat=False, letter_is_x=False),
    )
    exits = open_exits(game_map, lambda hex_id: game_map.hexes[hex_id].printed, "B4")
    assert exits == {4, 5}


def test_exits_restrict_rotations():
    space, tile = parse_hex("B4 white").printed, SHEETS["1848"]["8"]
    assert legal_rotations(space, tile, frozenset({1, 3, 5})) == (1, 3, 5)


def test_yellow_track_must_point_at_triangles():
    """18BF §10.4: C5 has a triangle at its lower right side."""
    space, straight = MAPS["18BF"].hexes["C5"], SHEETS["18BF"]["4"]
    assert space.stubs == {5}
    assert legal_rotations(space.printed, straight, needed_exits=space.stubs) == (2, 5)


# -- against the printed tables -----------------------------------------------------------------------


@pytest.mark.shared
@pytest.mark.parametrize("title", WITH_FACTS)
def test_upgrades_are_those_of_the_facts(shared, title):
    """The facts name an estuary tile as its own successor; labels that a space has only later are not in them."""
    for fact in json.loads((shared / "facts" / title / "tiles.json").read_text())["tiles"]:
        tile = SHEETS[title][fact["id"]]
        assert set(upgrades(title, tile.id, tile.labels)) == set(fact["upgrades_to"]) - {tile.id}, tile.id


@pytest.mark.shared
@pytest.mark.parametrize("title", WITH_FACTS)
def test_first_tiles_are_those_of_the_facts(shared, title):
    """Not in geometry: mountain railways are laid over their space (1844), London is one space here (18BF)."""
    expected = {}
    for group in json.loads((shared / "facts" / title / "tiles.json").read_text())["first_lays"]:
        expected |= {space: set(group["tiles"]) for space in group["hexes"] if "XM1" not in group["tiles"]}
    expected.pop("L28", None)
    own = {tile.id for tile in SHEETS[title].values() if tile.private}  # laid by the power of a private alone
    expected = {space: tiles - own for space, tiles in expected.items()}
    land = BoardRules(MAPS[title], SHEETS[title], ESTUARIES)
    ours = {
        space.id: set(upgrades_of(land, space.id, Board())) for space in land.map.hexes.values() if space.is_buildable
    }
    assert {space: found for space, found in ours.items() if found} == expected


@pytest.mark.shared
def test_upgrades_of_1820(shared):
    """1820's table gives every legal rotation; in Manchester only the edges must stay."""
    facts = json.loads((shared / "facts" / "1820" / "upgrades.json").read_text())
    sheet = SHEETS["1820"]
    for name, expected in facts["upgrades"].items():
        found = upgrades("1820", name, sheet[name].labels, loose_labels=MANCHESTER)
        assert {tile: list(rotations) for tile, rotations in found.items()} == expected, name
    for name, expected in facts["gas_light_small_to_big"].items():
        found = upgrades("1820", name, ("B",))
        assert {tile: list(rotations) for tile, rotations in found.items()} == expected, name

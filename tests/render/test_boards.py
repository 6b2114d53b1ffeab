"""The maps and tile sheets of all titles as printed: every fact is drawn, nothing lies on anything else."""

from __future__ import annotations

import importlib
import io
import os
from collections.abc import Collection
from dataclasses import replace
from itertools import combinations, product
from math import hypot
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.engine.board.board_rules import BoardRules
from bot.engine.board.game_map import GameMap, parse_hex
from bot.engine.board.tile_notation import parse_tile
from bot.engine.board.tiles import Tile
from bot.engine.ids import HexId, Owner, TileId, as_company
from bot.engine.play.board_style import BoardStyle, Marker, SideBox, TokenStyle
from bot.engine.play.title import CompanySpec
from bot.engine.state.board import Board, PlacedTile
from bot.render.hexes.hex_sprite import land_sprite, top_sprite
from bot.render.hexes.hexagon import Hexagon, samples
from bot.render.hexes.stops import places, slots, track_line
from bot.render.hexes.tokens import token
from bot.render.painting.painter import Painter, rasterise
from bot.render.scenes.map import canvas_for, edge_names, hex_sprites, side_boxes, title_bar
from bot.render.scenes.tiles import blank_hex, tiles_scene
from bot.render.shapes.colours import RIMS
from bot.render.shapes.hex_view import Badge, BoardView, HexView, TokenDrawing, _faces
from bot.render.shapes.scene import Circle, Rect, Scene, Text
from bot.render.shapes.text_metrics import width_of
from bot.titles.registry import TITLES
from tests.families import few

REFERENCES = Path(__file__).with_name("references")
MEAN_DIFFERENCE = 3.0
FOLDERS = [f"t{title.lower()}" for title in TITLES]
MAPS = [(folder, "MAP") for folder in FOLDERS] + [("t18gb", "MAP_NORTH_SOUTH"), ("t18gb", "MAP_EAST_WEST")]


def printed(folder: str, name: str = "MAP") -> GameMap:
    """A map of a title."""
    found: GameMap = getattr(importlib.import_module(f"bot.titles.{folder}.map"), name)
    return found


def sheet(folder: str) -> dict[TileId, Tile]:
    """A title's tiles."""
    found: dict[TileId, Tile] = importlib.import_module(f"bot.titles.{folder}.tiles").TILES
    return found


def look_of(folder: str) -> BoardStyle:
    """What a title gives for its pictures, if it gives anything."""
    try:
        found: BoardStyle = importlib.import_module(f"bot.titles.{folder}.board_style").LOOK
    except ImportError:
        return BoardStyle()
    return BoardStyle(zones=found.zones, insets=found.insets, notes=found.notes, faces=found.faces)


def view(folder: str, name: str = "MAP", board: Board | None = None) -> BoardView:
    """A title's map without a game."""
    return BoardView(BoardRules(printed(folder, name), sheet(folder)), board or Board(), look_of(folder))


def board_scene(view: BoardView, name: str, around: Collection[HexId] = ()) -> Scene:
    """A map without a game: what is printed in the box."""
    canvas = canvas_for(view, around)
    placed = [*edge_names(view, canvas), *hex_sprites(view, canvas), *side_boxes(view, canvas, not around)]
    placed.append(title_bar(name, f"{len(canvas.shown)} spaces", canvas))
    return Scene("board", canvas.width, canvas.height, f"Map of {name}.", (), tuple(placed))


def on(scene: Scene, hex_id: HexId) -> list[Text]:
    """The words on a space."""
    sprite = next(placed.sprite for placed in scene.placed if placed.sprite.key.startswith(f"top {hex_id} "))
    return [shape for shape in sprite.shapes if isinstance(shape, Text)]


@pytest.mark.parametrize(("folder", "name"), MAPS)
def test_every_printed_fact_of_a_map_is_drawn(folder: str, name: str) -> None:
    seen = view(folder, name)
    scene = board_scene(seen, folder)
    for space in seen.land.map.hexes.values():
        words = on(scene, space.id)
        texts = [word.text for word in words]
        joined = " ".join(word.text for word in words if word.role == "name").replace("\u00a0", " ").replace("/ ", "/")
        assert joined == space.name
        if space.cost:
            assert str(space.cost) in texts
        for side in space.sides:
            if side.cost:
                assert str(side.cost) in [word.text for word in words if word.role == "side cost"]
        for label in space.printed.labels:
            assert label in texts or label == space.name
        for private in space.privates:
            assert f"×{private}" in texts
        assert set(space.kept_for) <= set(texts)
        assert {f"►{company}" for company in space.goals} <= set(texts)
        signs = {sign for word in words if word.role in ("home", "home name") for sign in word.text.split("/")}
        assert {home.company for home in space.homes} <= signs
        for node in space.printed.nodes:
            if len(node.revenue) > 1 and not node.is_hidden:
                values = [word.text for word in words if word.role == "phase value"]
                assert {str(value) for value in node.revenue} <= set(values)


@pytest.mark.parametrize(("folder", "name"), MAPS)
def test_words_stay_on_their_space(folder: str, name: str) -> None:
    seen = view(folder, name)
    hexagon = Hexagon(66.0, seen.land.map.layout.is_flat)
    for hex_id in seen.land.map.hexes:
        for shape in top_sprite(hexagon, seen.hex_view(hex_id)).shapes:
            if isinstance(shape, Text) and shape.role != "side cost":
                x, y = shape.at
                assert hexagon.holds((x, y - shape.size * 0.36), -0.02), (hex_id, shape)


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_tile_has_all_its_track_and_its_stops_apart(folder: str) -> None:
    is_flat = printed(folder).layout.is_flat
    hexagon = Hexagon(100.0, is_flat)
    for tile in sheet(folder).values():
        for path in tile.paths:
            line = track_line(hexagon, tile, path)
            for end, point in ((path.a, line[0]), (path.b, line[-1])):
                if isinstance(end, int):
                    either = [hexagon.middle(end)]
                else:
                    either = [places(hexagon, tile)[end], *(hexagon.middle(edge, 0.5) for edge in path.edges)]
                # A line may be told from either of its ends.
                ends = (point, line[0], line[-1])
                assert min(hypot(x - a, y - b) for x, y in ends for a, b in either) < 0.5, tile.id
        radius, lie = slots(hexagon, tile)
        middles = [place for each in lie.values() for place in each]
        assert all(hypot(a - x, b - y) > 1.7 * radius for (a, b), (x, y) in combinations(middles, 2)), tile.id
        assert all(hexagon.holds(place, 0.0) for place in middles), tile.id
        drawn = land_sprite(hexagon, HexView(blank_hex(tile), tile, True)).shapes
        lines = [shape for shape in drawn if shape.role in ("track", "tunnel", "ferry", "track future", "arrow")]
        assert len(lines) == len(tile.paths), tile.id


def touches(word: Text, points: Collection[tuple[float, float]], width: float) -> bool:
    """Whether track of that width through these points runs under a line of text."""
    half, high = width_of(word.text, word.size, word.bold, word.condensed) / 2, word.size * 0.36
    x, y = word.at[0], word.at[1] - high
    return any(abs(px - x) < half + width / 2 and abs(py - y) < high + width / 2 for px, py in points)


@pytest.mark.parametrize("folder", few(FOLDERS, 0))
def test_no_letter_of_a_name_or_label_stands_on_track(folder: str) -> None:
    """Where there is no room beside the track they have a ground of their own: on tiles with labels, and with much track."""
    seen, checked = view(folder), 0
    hexagon = Hexagon(100.0, seen.land.map.layout.is_flat)
    labels = {hex_id: {*one.printed.labels, one.later_label} - {""} for hex_id, one in seen.land.map.hexes.items()}
    for tile in seen.land.tiles.values():
        fits = [one for one in labels if labels[one] & set(tile.labels)] if tile.labels else []
        named = [one for one in labels if len(seen.land.map.hexes[one].name) > 10 and not labels[one]]
        wanted = fits[:2] or (named[:1] if len(tile.exits) > 3 and not tile.labels else [])
        for hex_id, rotation in product(wanted, range(6)):
            turned = tile.rotate(rotation)
            shapes = top_sprite(hexagon, HexView(seen.land.map.hexes[hex_id], turned, True)).shapes
            points = [point for path in turned.paths for point in samples(track_line(hexagon, turned, path), 30)]
            for word in shapes:
                if not isinstance(word, Text) or word.role not in ("name", "label") or not touches(word, points, 10):
                    continue
                x, y, checked = word.at[0], word.at[1] - word.size * 0.36, checked + 1
                grounds = [one for one in shapes if isinstance(one, Rect) and one.role == f"{word.role} ground"]
                assert any(
                    one.corner[0] < x < one.corner[0] + one.size[0] and one.corner[1] < y < one.corner[1] + one.size[1]
                    for one in grounds
                ), (tile.id, hex_id, rotation, word.text)
    assert checked


def test_a_name_hides_no_track_between_two_cities() -> None:
    """`Orange & Bathurst` covered the crossing of 1848's 67."""
    seen = view("t1848")
    hexagon, space = Hexagon(100.0, seen.land.map.layout.is_flat), seen.land.map.hexes[HexId(Owner("F15"))]
    roles = {
        tile: {shape.role for shape in top_sprite(hexagon, HexView(space, seen.land.tiles[TileId(tile)], True)).shapes}
        for tile in ("59", "67")
    }
    assert "name" in roles["59"] and "name" not in roles["67"] and "label" in roles["67"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_city_stands_on_track_that_is_not_its_own(folder: str) -> None:
    hexagon = Hexagon(100.0, printed(folder).layout.is_flat)
    for tile in sheet(folder).values():
        if len(tile.cities) > 3:
            continue
        for city in tile.cities:
            cx, cy = places(hexagon, tile)[city.id]
            for path in tile.paths:
                if city.id not in (path.a, path.b):
                    line = samples(track_line(hexagon, tile, path), 15)
                    assert min(hypot(cx - x, cy - y) for x, y in line) > 18, (tile.id, path)


@pytest.mark.parametrize(("folder", "name"), MAPS)
def test_values_off_the_board_stay_on_their_space(folder: str, name: str) -> None:
    seen = view(folder, name)
    hexagon = Hexagon(66.0, seen.land.map.layout.is_flat)
    for space in seen.land.map.hexes.values():
        if any(node.kind == "offboard" for node in space.printed.nodes):
            for shape in top_sprite(hexagon, seen.hex_view(space.id)).shapes:
                if isinstance(shape, Rect) and shape.role == "phase value ground":
                    (x, y), (width, height) = shape.corner, shape.size
                    for corner in ((x, y), (x + width, y), (x, y + height), (x + width, y + height)):
                        assert hexagon.holds(corner, -0.06), (space.id, corner)


def test_costs_on_the_edges_of_a_ring_of_cities_cover_none_of_its_tokens() -> None:
    hexagon = Hexagon(139.0, False)
    shapes = top_sprite(hexagon, view("t1820").hex_view(HexId("M13"))).shapes
    cities = [shape for shape in shapes if isinstance(shape, Circle) and shape.role == "slot"]
    costs = [shape for shape in shapes if isinstance(shape, Rect) and shape.role == "side cost ground"]
    assert len(cities) == 6
    assert len(costs) == 5
    for cost, city in product(costs, cities):
        (left, top), (width, height) = cost.corner, cost.size
        x, y = city.centre
        beside = hypot(max(left - x, 0, x - left - width), max(top - y, 0, y - top - height))
        assert beside > city.radius, (cost, city)


def test_an_inset_says_its_name_and_coordinates_above_it_and_not_again_on_its_track() -> None:
    scene = board_scene(view("t1820"), "1820")
    shown = [placed.sprite for placed in scene.placed if placed.sprite.key.startswith("top M13 ")]
    told = [[shape.text for shape in one.shapes if isinstance(shape, Text)].count("London") for one in shown]
    assert told == [1, 0]
    assert "M13 London" in scene.texts("inset")


@pytest.mark.parametrize("rim", range(len(RIMS)))
@pytest.mark.parametrize("sign", ["LNE", "GSWR", "SR"])
def test_initials_do_not_run_into_the_rim(rim: int, sign: str) -> None:
    shapes = token(TokenDrawing(sign, "#9a9ab8", "#000000", rim), (50, 50), 40)
    drawn = [
        rasterise(tuple(shape for shape in shapes if shape.role == role), 0, 0, 100, 100).getchannel("A")
        for role in ("token rim", "initials")
    ]
    both = ImageChops.darker(*drawn).getextrema()
    assert both[1] < 60


def test_a_city_of_twelve_slots_is_a_ring_and_is_drawn_again_larger() -> None:
    seen = view("t18bf")
    hexagon = Hexagon(100.0, False)
    radius, lie = slots(hexagon, seen.land.map.hexes[HexId("U23")].printed)
    assert [len(places) for places in lie.values()] == [2] * 6
    assert radius < 20
    scene = board_scene(seen, "18BF")
    assert "U23 London" in scene.texts("inset")
    larger = max(p.sprite.half_width for p in scene.placed if p.sprite.key.startswith("top U23 "))
    assert larger > 2 * 66


def test_bonuses_by_phase_stand_beside_the_map_with_the_present_one_framed() -> None:
    """18BF §10.6: England-Scotland 10/20/30/40, England-Wales 10/20/20/30, London-red 20 then 30, mines 50 then 60."""
    scene = board_scene(view("t18bf"), "18BF")
    assert scene.texts("note") == ["London–red", "England–Scotland", "England–Wales", "Mine (G-trains)"]
    assert scene.texts("note value") == [
        "20",
        "20",
        "30",
        "30",
        "10",
        "20",
        "30",
        "40",
        "10",
        "20",
        "20",
        "30",
        "0",
        "0",
        "50",
        "60",
    ]


def test_scenarios_show_their_own_area() -> None:
    spaces = {name: len(printed("t18gb", name).hexes) for folder, name in MAPS if folder == "t18gb"}
    for name, number in spaces.items():
        scene = board_scene(view("t18gb", name), "18GB")
        assert sum(placed.sprite.key.startswith("top ") for placed in scene.placed) == number


def test_costs_on_an_edge_go_when_track_runs_across() -> None:
    board = Board()
    edges = view("t18bf", board=board)
    one, other = HexId("C9"), HexId("D8")
    assert edges.land.map.neighbours[one][0] == other
    assert on(board_scene(edges, "", [one]), one)[0].text == "80"
    board.tiles[one] = PlacedTile(TileId("9"), 0)
    assert "80" in [word.text for word in on(board_scene(edges, "", [one]), one)]
    board.tiles[other] = PlacedTile(TileId("4"), 0)
    costs = [word.text for word in on(board_scene(edges, "", [one]), one) if word.role == "side cost"]
    assert costs == ["80"]
    assert edges.hex_view(one).crossed == {0}


def test_an_upgrade_that_costs_and_two_terrains_of_one_cost_are_drawn() -> None:
    space = parse_hex("F15 white water|mountain:80 city:0")
    tile = parse_tile("438 yellow x1 cost:40 city:40 | 0-c0 2-c0")
    hexagon = Hexagon(100.0, True)
    bare = top_sprite(hexagon, HexView(space, space.printed, False)).shapes
    assert [shape.text for shape in bare if shape.role == "terrain cost" and isinstance(shape, Text)] == ["80"]
    assert {type(shape).__name__ for shape in bare if shape.role == "terrain"} == {"Curve", "Polygon"}
    laid = top_sprite(hexagon, HexView(space, tile, True)).shapes
    assert [shape.text for shape in laid if shape.role == "terrain cost" and isinstance(shape, Text)] == ["40"]


def test_tokens_reservations_homes_and_marks_are_told_apart() -> None:
    london, sign = HexId("U13"), as_company("BE")
    board = Board()
    assert "BE" in [word.text for word in on(board_scene(view("t18bf"), ""), london) if word.role == "home"]
    board.reserve(london, 0, sign)
    assert "BE" in [
        word.text for word in on(board_scene(view("t18bf", board=board), ""), london) if word.role == "initials"
    ]
    board.place_token(london, 0, sign)
    face = TokenDrawing("BE", "#ffed00", "#000000", 2)
    marked = BoardView(
        view("t18bf").land, board, faces={sign: face}, badges={london: (Badge("mark", "F1", "#0a4d8c", "#ffffff"),)}
    )
    shapes = top_sprite(Hexagon(66.0, False), marked.hex_view(london)).shapes
    roles = {shape.role for shape in shapes}
    assert {"token", "token rim", "mark", "mark name"} <= roles
    assert "kept" not in roles


def test_tokens_beyond_the_slots_lie_at_the_rim() -> None:
    board = Board()
    for sign in ("A", "B"):
        board.place_token(HexId("U13"), 0, as_company(sign))
    shapes = top_sprite(Hexagon(66.0, False), view("t18bf", board=board).hex_view(HexId("U13"))).shapes
    assert [shape.text for shape in shapes if isinstance(shape, Text) and shape.role == "initials"] == ["A", "B"]


def test_forty_companies_are_told_apart_by_sign_and_by_colour_with_rim() -> None:
    nouns = tuple(importlib.import_module("bot.titles.t18bf.components").COMPANIES.values())
    faces = _faces(nouns, ())
    assert len(faces) == 40
    assert len({(face.colour, face.rim) for face in faces.values()}) == 40


def test_tokens_may_have_two_halves_and_stripes_and_long_signs_stand_in_two_lines() -> None:
    noun = CompanySpec(as_company("WM&CQR"), "", "", (), (), (), "#8c1717", "#ffffff")
    faces = _faces((noun,), ((noun.id, TokenStyle("#000000", "#ffffff", "")),))
    board = Board()
    board.place_token(HexId("U13"), 0, noun.id)
    shapes = top_sprite(
        Hexagon(66.0, False), BoardView(view("t18bf").land, board, faces=faces).hex_view(HexId("U13"))
    ).shapes
    assert {"token half", "token stripe", "token band"} <= {shape.role for shape in shapes}
    assert [shape.text for shape in shapes if isinstance(shape, Text) and shape.role == "initials"] == ["WM&", "CQR"]


def test_a_tunnel_lies_beneath_the_track() -> None:
    land = view("t1844").land
    hex_id = HexId("H21")
    beneath = land.tiles[TileId("X79")].rotate(1)
    board = Board({hex_id: PlacedTile(TileId("OP2"), 0)})
    seen = BoardView(land, board, beneath={hex_id: (beneath,)}).hex_view(hex_id)
    roles = [shape.role for shape in land_sprite(Hexagon(66.0, False), seen).shapes]
    assert roles.index("tunnel track") < roles.index("track")


def test_the_sheet_counts_what_is_left() -> None:
    tiles = list(sheet("t18gb").values())
    left = {tile.id: 0 if tile.id == "G02" else tile.count for tile in tiles}
    scene = tiles_scene("18GB", tiles, left, True)
    counts = scene.texts("count")
    assert "G02  ×0" in counts
    assert "9  ×∞" in counts
    assert len(counts) == len(tiles)
    assert sum(shape.role == "gone" for shape in scene.over) == 1


def test_a_tile_of_which_none_is_left_is_pale_and_can_be_told() -> None:
    tiles = list(sheet("t18gb").values())[:1]
    some, none = (tiles_scene("18GB", tiles, {tiles[0].id: number}, True) for number in (3, 0))
    here, gone, bare = (Painter().pixels(scene) for scene in (some, none, replace(none, placed=())))
    place = (20, 100, 110, 160)
    darkest = [one.crop(place).convert("L").getextrema()[0] for one in (here, gone, bare)]
    assert darkest[0] < darkest[1] - 60
    assert darkest[1] < darkest[2] - 40


def test_a_note_and_a_mark_are_plain_values() -> None:
    assert SideBox("Mine", (50, 60)).colours == ()
    assert Marker(HexId("A1"), "F1").company is None


CROPS = {"t18gb": "I4 G4", "t1844": "H17 I4", "t18bf": "U23 D6", "t1820": "M13 C5", "t1830": "E11 G19"}


@pytest.mark.parametrize("folder", CROPS)
def test_boards_look_as_they_did(folder: str) -> None:
    scene = board_scene(view(folder), folder, [HexId(word) for word in CROPS[folder].split()])
    png = Painter().paint(scene).png
    small = Image.open(io.BytesIO(png)).convert("RGB")
    small = small.resize((small.width // 2, small.height // 2))
    path = REFERENCES / f"board-{folder}.png"
    if os.environ.get("SIGNALBOX_REFERENCES") == "write":
        small.quantize(64).save(path)
    stored = Image.open(path).convert("RGB")
    assert small.size == stored.size
    assert max(ImageStat.Stat(ImageChops.difference(small, stored)).mean) < MEAN_DIFFERENCE

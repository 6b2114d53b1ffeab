"""What titles add to their pictures: charts, lobby lines, markers. Every kind of picture of every title can be drawn."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from math import dist

import pytest

from bot.ai.fuzzer import RandomGame
from bot.engine.ids import HexId, as_company, as_private, seat
from bot.engine.notation.text import format_action
from bot.engine.play.game import Game
from bot.engine.state.actions import LayTile
from bot.i18n import use_language
from bot.render.catalogue import scene_of
from bot.render.scenes.choice import CHOICE_SIDE
from bot.render.scenes.tables import is_under_way
from bot.render.shapes.hex_view import faces_of, view_of
from bot.render.shapes.scene import Rect, Text
from bot.titles.registry import TITLES


def game_of(title: str, moves: int = 150) -> Game:
    """A random game after so many moves."""
    table = RandomGame(TITLES[title], 3, 11, {}, None)
    for number, _ in enumerate(table.moves()):
        if number >= moves:
            break
    return table.game


@pytest.fixture(scope="module", params=list(TITLES))
def game(request: pytest.FixtureRequest) -> Game:
    """A game of every title."""
    return game_of(request.param)


def test_all_pictures_of_a_title_are_drawn_with_alt_text(game: Game) -> None:
    company = next(iter(game.state.companies))
    name = game.state.players[0].name
    for kind, subject in (("map", ""), ("market", ""), ("company", company), ("player", name), ("tiles", "green")):
        scene = scene_of(game, kind, subject=subject)
        assert 20 < len(scene.alt) <= 1024
        assert scene.texts()
    changed = [hex_id for hex_id in game.board_rules.map.hexes if hex_id in game.state.board.tiles][:2]
    crop = scene_of(game, "crop", changed)
    assert max(crop.width, crop.height) < 2000


PHONE, LEAST = 550, 11
HEADINGS = {"title", "trains", "inset", "chart name", "chart row", "line", "legend", "colour", "count"}
"""Roles of what heads a picture or a part of it, and of lines of text: the question above a map is as long as it is."""


def test_headings_are_legible_on_a_phone(game: Game) -> None:
    """550 pixels wide, also where the market's heading is long and a route has a wide map."""
    company = next(company.id for company in game.state.companies.values() if company.floated)
    for code in ("en", "de"):
        with use_language(code):
            scenes = [scene_of(game, kind, subject=company if kind == "routes" else "") for kind in PICTURED]
        for scene in scenes:
            shapes = [*scene.base, *(shape for placed in scene.placed for shape in placed.sprite.shapes), *scene.over]
            words = [shape for shape in shapes if isinstance(shape, Text)]
            heads = [one for one in words if one.role in HEADINGS or (one.role == "table" and one.bold)]
            small = {one.text: one.size * PHONE / scene.width for one in heads if one.text}
            assert heads and {text: size for text, size in small.items() if size < LEAST - 0.6} == {}, scene.name


PICTURED = ("map", "market", "routes", "tiles")


def test_companies_are_found_by_their_sign_in_any_case(game: Game) -> None:
    for company in (next(iter(game.state.companies)), *(sign for sign in game.state.companies if not sign.isupper())):
        for sign in (company, company.lower(), company.upper()):
            assert scene_of(game, "company", subject=sign).texts()


def test_every_token_on_the_board_is_drawn(game: Game) -> None:
    scene = scene_of(game, "map")
    once = {placed.sprite.key: placed.sprite for placed in scene.placed if placed.sprite.half_width < 100}
    drawn = sum(shape.role == "token" for sprite in once.values() for shape in sprite.shapes)
    on_board = sum(len(city) for cities in game.state.board.tokens.values() for city in cities)
    assert drawn == on_board


def test_tokens_of_a_title_are_told_apart(game: Game) -> None:
    faces = faces_of(game.title).values()
    assert len({(face.colour, face.rim, face.halves) for face in faces}) == len(faces)
    assert len({face.sign for face in faces}) == len(faces)


def test_market_zones_have_grounds_of_their_own(game: Game) -> None:
    shapes = (shape for placed in scene_of(game, "market").placed for shape in placed.sprite.shapes)
    legend = [shape for shape in shapes if isinstance(shape, Rect) and shape.role == "legend"]
    assert len({shape.fill for shape in legend}) == len(legend)


def test_1820_shows_the_cost_of_business_with_its_marker_and_the_lobby_line() -> None:
    """Figure 10.1: 17 columns and the end; in column 9 a 2+ costs 400 and loans 20 percent."""
    game = game_of("1820", 0)
    game.state.special.column = 8
    from bot.titles.t1820.state import LobbyMarker

    game.state.special.lobbies = [LobbyMarker(110, seat(1)), LobbyMarker(155, seat(2))]
    scene = scene_of(game, "market")
    values = scene.texts("chart value")
    assert values[:18] == [*(str(number) for number in range(1, 18)), "END"]
    rows = scene.texts("chart row")
    column = {row: values[18 + 17 * index + 8] for index, row in enumerate(rows[1:])}
    assert column["2+ costs"] == "400"
    assert column["Interest %"] == "20"
    assert scene.texts("line")[0] == f"Lobby: £155 {game.state.name(seat(2))}, £110 {game.state.name(seat(1))}"
    frame = [s for placed in scene.placed for s in placed.sprite.shapes if s.role == "chart marker"]
    assert len(frame) == 2


def test_1844_shows_who_stands_on_mountains_and_whether_it_pays() -> None:
    game = game_of("1844", 0)
    record = game.state.special
    record.mountains = {as_private("B1"): HexId("F19"), as_private("B2"): HexId("L23")}
    record.active = [as_private("B1")]
    record.waiting = []
    view = view_of(game)
    assert [badge.text for badge in view.hex_view(HexId("F19")).badges] == ["B1✓"]
    assert [badge.text for badge in view.hex_view(HexId("L23")).badges] == ["B2"]
    assert not [badge for badge in view.hex_view(HexId("H13")).badges if badge.kind == "goal"]


def test_18bf_shows_what_everybody_may_know() -> None:
    """18BF §7.2, §9.4: private railways with their lowest bids, the batches of minors; §10.6: bonuses beside the map."""
    game = game_of("18BF", 0)
    lines = list(map(str, game.title.look.lines(game)))
    *_, railways, now, second, late = lines
    assert " ".join(scene_of(game, "market").texts("line")) == " ".join(lines)
    assert railways.startswith("Private railways, in order: P") and railways.count("from £") == 7
    start, then, last = game.state.special.batches
    assert now == f"Minors, when these are sold: {', '.join(start)}"
    assert second == f"From the second stock round: {', '.join(then)}"
    assert late == f"From phase 3: {', '.join(last)}"
    assert {note.name: note.values for note in game.title.look.notes} == {
        "London–red": (20, 20, 30, 30),
        "England–Scotland": (10, 20, 30, 40),
        "England–Wales": (10, 20, 20, 30),
        "Mine (G-trains)": (0, 0, 50, 60),
    }
    assert game.title.look.insets == ("U23",)


def words(game: Game, role: str) -> list[str]:
    """All words of a role on the map."""
    shapes = (shape for placed in scene_of(game, "map").placed for shape in placed.sprite.shapes)
    return [shape.text for shape in shapes if isinstance(shape, Text) and shape.role == role]


def test_private_companies_that_have_closed_leave_the_map(game: Game) -> None:
    names = set(words(game, "private name"))
    for private in game.state.privates.values():
        private.closed = True
    assert words(game, "private name") == []
    assert all(name.startswith("×") for name in names)


def test_a_company_whose_tokens_lie_elsewhere_than_at_its_home_has_begun() -> None:
    """British Rail takes places on the map long before it is a company; 18GB's tokens wait at home."""
    game = Game.new(TITLES["1820"], ["Ann", "Bob"], seed=1)
    rail = game.company(as_company("BR"))
    assert not is_under_way(game, rail)
    game.state.board.tokens[HexId("M15")] = [[rail.id]]
    assert is_under_way(game, rail)
    british = Game.new(TITLES["18GB"], ["Ann", "Bob", "Cid"], seed=1)
    assert british.state.board.tokens and not any(map(partial(is_under_way, british), british.state.companies.values()))


def test_moves_to_choose_from_lie_apart_however_large_their_pieces_of_the_map_are() -> None:
    """Spaces inside the map have more around them than those at its edge: such pieces share rows and columns."""
    game = game_of("18GB")
    one_each: dict[HexId, str] = {}
    while (
        len({sum(map(bool, game.board_rules.map.neighbours[hex_id])) for hex_id in one_each}) < 2 or len(one_each) < 5
    ):
        game.apply(game.legal_actions()[0])
        one_each = {move.hex: format_action(move) for move in game.legal_actions() if isinstance(move, LayTile)}
    scene = scene_of(game, "choices", subject="\n".join(one_each.values()))
    centres = [placed.at for placed in scene.placed if placed.sprite.key.startswith("land ")]
    assert min(dist(one, other) for one, other in combinations(centres, 2)) > CHOICE_SIDE * 1.7
    assert all(0 < x < scene.width and 0 < y < scene.height for x, y in centres)
    assert min(words.size for words in scene.over if isinstance(words, Text)) * 550 / scene.width > 11
    with use_language("de"):
        assert scene_of(game, "choices", subject=next(iter(one_each.values()))).alt.startswith("Mögliche Spielzüge")

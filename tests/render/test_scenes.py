"""Pictures as scenes: what is on them, that it is legible, and that painting them gives the same pixels."""

from __future__ import annotations

import io
from itertools import combinations
from math import dist

import pytest
from PIL import Image

from bot.engine.ids import HexId, as_company, seat
from bot.engine.notation.text import format_action
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import stack_key
from bot.engine.refusals import IllegalMove
from bot.engine.state.actions import LayTile, Pass, RunRoutes
from bot.engine.state.state import LastRun
from bot.i18n import use_language
from bot.process_pool import run
from bot.render.catalogue import scene_of
from bot.render.painting.painter import MOST_SPRITE_BYTES, Painter
from bot.render.scenes.market import PRICE, Grid
from bot.render.scenes.sheet import VALUE_LEFT
from bot.render.shapes.colours import choose_text_colour, contrast, lighten
from bot.render.shapes.hex_view import faces_of
from bot.render.shapes.scene import Circle, PlacedSprite, Scene, Text
from bot.render.shapes.text_metrics import width_of
from bot.render.worker import Renderer
from bot.titles.registry import TITLES
from tests.rearrangement import rearrange
from tests.titles.builders_1848 import new_game, operating, reach_phase, started
from tests.titles.positions import lay, token


def position() -> Game:
    """VR in phase 3 with a little network, a train, and SAR's token at Geelong."""
    game = new_game()
    started(game, "VR", {"@1": 4, "@2": 1})
    started(game, "SAR", {"@2": 4}, director="@2", par=80)
    reach_phase(game, "3")
    lay(game, ("57", "H11", 1), ("57", "H9", 1), ("57", "H7", 1))
    operating(game, "VR", ("2",), step=3)
    token(game, "SAR", "H9")
    return game


def test_every_space_is_on_the_map() -> None:
    game = position()
    scene = scene_of(game, "map")
    for layer in ("land ", "top "):
        spaces = [placed for placed in scene.placed if placed.sprite.key.startswith(layer)]
        assert len(spaces) == len(game.board_rules.map.hexes)


def test_tokens_show_initials_and_homes_those_they_are_kept_for() -> None:
    texts = scene_of(position(), "map").texts("initials")
    assert texts.count("VR") == 1
    assert texts.count("SAR") == 2
    assert "NSW" in texts


def test_the_frame_says_where_the_game_stands_and_who_is_asked() -> None:
    scene = scene_of(position(), "map")
    assert "Operating round 2.1 of 2.2, phase 3" in scene.texts("title")[0]
    assert scene.texts("question")[0].startswith("Ann (VR)")


@pytest.mark.parametrize("title", TITLES)
def test_every_space_names_its_coordinates(title: str) -> None:
    game = Game.new(TITLES[title], ["Ann", "Bob", "Cid"], {}, 1)
    shown = scene_of(game, "map").texts("space")
    assert set(shown) == set(game.board_rules.map.hexes)


def test_homes_have_a_pale_form_of_the_colour_of_their_company() -> None:
    game = new_game()
    grounds = {
        shape.fill
        for placed in scene_of(game, "map").placed
        for shape in placed.sprite.shapes
        if isinstance(shape, Circle) and shape.role in ("kept", "home ground")
    }
    board = game.state.board
    at_home = {
        as_company(sign)
        for space in game.board_rules.map.hexes
        for city in range(3)
        for sign in board.reservations_in(space, city)
    }
    assert at_home
    assert {lighten(game.title.companies[company].colour) for company in at_home} <= grounds


def test_values_by_phase_mark_the_present_one() -> None:
    scene = scene_of(position(), "map")
    assert {"10", "20", "40", "60"} <= set(scene.texts("phase value"))


def test_gauge_changes_are_marked_where_track_crosses_a_border() -> None:
    scene = scene_of(position(), "map")
    marks = [s for placed in scene.placed for s in placed.sprite.shapes if s.role == "gauge change"]
    assert len(marks) == 2


@pytest.mark.parametrize("kind", ["map", "crop", "news", "choices"])
def test_what_changed_is_outlined_beneath_words_costs_and_tokens(kind: str) -> None:
    game = position()
    if kind == "choices":
        game.frame.at = 1
        choices = "\n".join(format_action(move) for move in game.legal_actions() if isinstance(move, LayTile))
        scene = scene_of(game, kind, subject=choices)
    else:
        scene = scene_of(game, kind, [HexId("H9")])
    keys = [placed.sprite.key.split(":")[0].split(" ")[0] for placed in scene.placed]
    outlined = [place for place, key in enumerate(keys) if key == "outline"]
    assert outlined
    assert all("top" in keys[place:] and "land" in keys[:place] for place in outlined)
    assert len(outlined) == 1 or kind == "choices"


def test_routes_are_drawn_with_a_legend_of_parts() -> None:
    scene = scene_of(position(), "routes")
    assert any(shape.role == "route" for placed in scene.placed for shape in placed.sprite.shapes)
    assert any("= 40" in text and "(40 stops)" not in text for text in scene.texts("legend"))


def test_routes_of_a_move_are_drawn_as_they_are() -> None:
    """And not searched for again: nothing is drawn of a run of nothing."""
    from bot.service.views.routes import routes_with_picture

    _, shown = routes_with_picture(position(), "VR")  # type: ignore[arg-type]
    assert scene_of(position(), "routes", subject=shown) == scene_of(position(), "routes", subject="VR")
    idle = scene_of(position(), "routes", subject="VR\nVR run nothing")
    assert not any(shape.role == "route" for placed in idle.placed for shape in placed.sprite.shapes)


def test_a_crop_shows_larger_spaces() -> None:
    whole, crop = scene_of(position(), "map"), scene_of(position(), "crop", subject="H9")
    side = {scene.name: scene.placed[0].sprite.half_width for scene in (whole, crop)}
    assert side["map"] * 3**0.5 >= 110
    assert side["crop"] * 3**0.5 >= 180
    assert sum(placed.sprite.key.startswith("top ") for placed in crop.placed) < 10


def test_the_market_shows_prices_markers_players_and_companies() -> None:
    scene = scene_of(position(), "market")
    assert {"450", "100", "340"} <= set(scene.texts("price"))
    assert {"VR", "SAR", "BOE"} <= set(scene.texts("marker initials"))
    table = scene.texts("table")
    assert any("Ann" in text for text in table)
    assert any("VR 60*" in text for text in table)


def markers_of(scene: Scene) -> list[PlacedSprite]:
    return [placed for placed in scene.placed if ":marker:" in placed.sprite.key]


@pytest.mark.parametrize("others", [(), ("NSW",), ("NSW", "QR", "WA", "FT")])
def test_markers_in_one_cell_lie_in_the_order_of_the_stack_and_hide_neither_each_other_nor_the_price(
    others: tuple[str, ...],
) -> None:
    game = position()
    for sign in others:
        started(game, sign, {"@2": 4}, director="@2", par=100)
    scene = scene_of(game, "market")
    stack = game.state.stacks[stack_key(game.company(as_company("VR")).position or (0, 0))]
    found = {placed.sprite.key.split(":")[2]: placed for placed in markers_of(scene)}
    together = [found[sign] for sign in stack]
    assert len(together) == 1 + len(others)
    radius = [placed.sprite.half_width - 2 for placed in together]
    for (one, first), (other, second) in combinations(zip(together, radius, strict=True), 2):
        assert dist(one.at, other.at) >= first + second
    lie = [(placed.at[1], placed.at[0]) for placed in together]
    assert lie == sorted(lie)
    _, top, _ = Grid(game).cell(game.company(as_company("VR")).position or (0, 0))
    assert min(placed.at[1] - half for placed, half in zip(together, radius, strict=True)) >= top + PRICE - 1


def test_companies_stand_in_operating_order_with_the_one_in_turn_marked_and_what_it_earned_last() -> None:
    game = position()
    started(game, "NSW", {"@2": 4}, director="@2", par=100)
    order = [
        sign for text in scene_of(game, "market").texts("table") if (sign := text.split(" ")[0]) in game.state.companies
    ]
    assert order[-4:] == ["VR", "NSW", "SAR", "BOE"]
    assert "VR ◀" in scene_of(game, "market").texts("table")
    while game.open_steps() and RunRoutes not in game.step.verbs:
        game.apply(Pass(by=next(iter(game.players_to_act()))))
    best = next(action for action in game.legal_actions() if isinstance(action, RunRoutes))
    game.apply(best)
    last = game.company(as_company("VR")).last_run
    assert last is not None and last.revenue > 0
    assert f"£{last.revenue}" in scene_of(game, "market").texts("table")
    assert any(
        text.startswith(f"£{last.revenue} (OR 2.1): 2: ")
        for text in scene_of(game, "company", subject="VR").texts("value")
    )


@pytest.mark.parametrize("kind", ["map", "market", "routes"])
def test_alt_text_carries_facts_in_at_most_1024_characters(kind: str) -> None:
    alt = scene_of(position(), kind).alt
    assert 20 < len(alt) <= 1024
    assert "VR" in alt or "40" in alt


def test_the_alt_text_of_the_market_has_what_its_tables_have() -> None:
    alt = scene_of(position(), "market").alt
    assert "\nAnn (priority): £" in alt and " VR 60*" in alt
    assert "VR: £1000; trains 2; unsold 30%; 2 tokens left; Ann." in alt


def test_the_alt_text_of_a_crop_has_what_lies_there_and_that_of_choices_where_their_track_leads() -> None:
    game = position()
    crop = scene_of(game, "crop", subject="H7").alt
    assert "H7 57/1" in crop and "SAR tokens: H9" in crop and "H11" not in crop
    operating(game, "VR", ("2",), step=0)
    lay = next(action for action in game.legal_actions() if isinstance(action, LayTile))
    with use_language("de"):
        assert "(nach " in scene_of(game, "choices", subject=format_action(lay)).alt


def test_the_alt_text_of_routes_says_whose_they_are_by_what_kind_of_train_and_why_they_pay_so() -> None:
    alt = scene_of(position(), "routes", subject="VR").alt
    assert alt.startswith("VR: Routes, £40 in all.") and "\n2: H" in alt
    assert scene_of(position(), "routes", subject="VR").texts("question") == ["VR: Routes, £40 in all."]


@pytest.mark.parametrize("language", ["en", "de"])
def test_labels_of_a_sheet_end_before_what_they_tell_begins(language: str) -> None:
    with use_language(language):
        for scene in (scene_of(position(), "company", subject="VR"), scene_of(position(), "player", subject="Ann")):
            for shape in (one for one in scene.base if isinstance(one, Text) and one.role == "label"):
                assert shape.at[0] + width_of(shape.text, shape.size, bold=True) < VALUE_LEFT


def test_a_sheet_names_loans_where_a_company_has_some_and_shares_by_their_percentage_where_names_are_too_long() -> None:
    game = position()
    assert "Loans" not in scene_of(game, "company", subject="VR").texts("label")
    game.company(as_company("SAR")).loans = 1
    game.state.players[1].name = "Bartholomew of Birmingham"
    sheet = scene_of(game, "company", subject="VR")
    assert "Loans" in sheet.texts("label") and "10%" in sheet.texts("share words")


def test_signs_of_companies_are_the_same_in_every_language() -> None:
    """18GB: MR is a company, and a merger round elsewhere."""
    game = Game.new(TITLES["18GB"], ["Ann", "Bob", "Cid"], {}, 1)
    rearrange(game, game.company(as_company("MR")).certificates[0], owner=seat(1))
    with use_language("de"):
        assert "MR" in scene_of(game, "player", subject="Ann").texts("label")


def test_unknown_pictures_and_subjects_are_refused() -> None:
    with pytest.raises(IllegalMove):
        scene_of(position(), "photograph")
    with pytest.raises(IllegalMove):
        scene_of(position(), "crop", subject="Z99")


def test_company_colours_have_contrast_and_differ_in_colour_or_ring() -> None:
    faces = list(faces_of(TITLES["1848"]).values())
    assert all(contrast(face.colour, face.text_colour) >= 3.5 for face in faces)
    assert len({(face.colour, face.rim) for face in faces}) == len(faces)
    assert choose_text_colour("#ffffff") == "#000000"


def test_painting_is_deterministic_small_and_bounded() -> None:
    game = position()
    painter = Painter()
    first = painter.paint(scene_of(game, "map"))
    again = Painter().paint(scene_of(game, "map"))
    one, other = (Image.open(io.BytesIO(picture.png)).convert("RGB") for picture in (first, again))
    assert one.tobytes() == other.tobytes()
    market = painter.paint(scene_of(game, "market"))
    assert len(first.png) + len(market.png) < 350_000
    assert 0 < painter._sprites.size <= MOST_SPRITE_BYTES


def test_a_token_is_painted_in_its_companys_colour() -> None:
    scene = scene_of(position(), "map")
    picture = Image.open(io.BytesIO(Painter().paint(scene).png)).convert("RGB")
    home = next(p for p in scene.placed if p.sprite.key.startswith("top H11 "))
    x, y = home.at
    around = {picture.getpixel((round(x) + dx, round(y) - 12)) for dx in range(-12, 13, 2)}
    assert any(abs(r - 255) < 30 and abs(g - 230) < 30 and b < 60 for r, g, b in around)  # type: ignore[misc]


async def test_the_studio_paints_in_another_process_and_recovers_when_it_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    import os
    import signal

    from bot.render import worker

    studio = Renderer()
    game = position()
    try:
        picture = await studio.picture(game, "market")
        assert picture.png.startswith(b"\x89PNG")
        assert studio._pool is not None
        for process in list(studio._pool._processes.values()):
            os.kill(process.pid or 0, signal.SIGKILL)
        assert (await studio.picture(game, "market")).png == picture.png
        with monkeypatch.context() as patched:
            patched.setattr(worker, "SECONDS", 0.0)
            with pytest.raises(worker.PictureFailed, match="TimeoutError"):
                await studio.picture(game, "market")
        assert (await studio.picture(game, "market")).png == picture.png
    finally:
        studio.close()


async def test_where_no_process_can_be_started_the_picture_fails_and_the_next_one_is_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from bot.render import worker

    def refuse(*arguments: object) -> None:
        raise ConnectionRefusedError("no server")

    studio = Renderer()
    try:
        with monkeypatch.context() as patched:
            patched.setattr(worker.ProcessPoolExecutor, "submit", refuse)
            with pytest.raises(worker.PictureFailed, match="BrokenProcessPool"):
                await studio.picture(position(), "market")
        assert (await studio.picture(position(), "market")).png.startswith(b"\x89PNG")
    finally:
        studio.close()


def spaces_known() -> int:
    """How many kinds of spaces this process has painted."""
    from bot.render import worker

    if not worker._painter.cache_info().currsize:
        return 0
    return sum(key.startswith("land ") for key in worker._painter()._sprites._images)


async def test_painters_that_are_warm_know_the_maps_before_anybody_asks() -> None:
    studio = Renderer()
    try:
        await studio.warm(["1848"])
        assert studio._pool is not None
        assert await run(studio._pool, spaces_known) > 5
    finally:
        studio.close()


def test_sheets_of_companies_and_players() -> None:
    game = position()
    company = scene_of(game, "company", subject="vr")
    assert "£1000" in company.texts("value")
    assert company.texts("value").count("H11 Melbourne") == 2, "its home, and its token"
    nob = scene_of(Game.new(TITLES["1844"], ["Ann", "Bob", "Cid"], seed=1), "company", subject="NOB")
    assert dict(zip(nob.texts("label"), nob.texts("value"), strict=False))["Target"] == "D15 Aarau"
    game.state.board.place_token(HexId("H9"), 0, as_company("SAR"))
    assert "2×H9 Geelong" in scene_of(game, "company", subject="SAR").texts("value")
    player = scene_of(game, "player", subject="Ann")
    assert any("60% at £100, director" in text for text in player.texts("value"))
    assert "60%" in player.alt
    game.company(as_company("VR")).last_run = LastRun("1.1", 80, ())
    player = scene_of(game, "player", subject="Ann")
    assert "last run £80" in player.texts("earned") and "60% at £100, director; last run £80" in player.alt
    game.company(as_company("VR")).position = None
    assert "60%, director" in scene_of(game, "player", subject="Ann").texts("value"), "no price, none told"
    with pytest.raises(IllegalMove):
        scene_of(game, "player", subject="Zoe")

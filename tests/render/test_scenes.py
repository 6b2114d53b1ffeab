"""Pictures as scenes: what is on them, that it is legible, and that painting them gives the same pixels."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from bot.engine.ids import HexId
from bot.engine.play.game import Game
from bot.engine.refusals import NotAllowed
from bot.engine.titles.registry import TITLES
from bot.render import scene_of
from bot.render.painting.paint import MOST_SPRITE_BYTES, Painter
from bot.render.shapes.colours import contrast, readable_on
from bot.render.shapes.seen import faces_of
from bot.render.worker import Studio
from tests.engine.titles.australia import new_game, operating, reach_phase, started
from tests.engine.titles.positions import lay, token


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
        assert len(spaces) == len(game.land.map.hexes)


def test_tokens_show_initials_and_homes_those_they_are_kept_for() -> None:
    texts = scene_of(position(), "map").texts("initials")
    assert texts.count("VR") == 1
    assert texts.count("SAR") == 2
    assert "NSW" in texts


def test_the_frame_says_where_the_game_stands_and_who_is_asked() -> None:
    scene = scene_of(position(), "map")
    assert "Operating round 2.1 of 2.2, phase 3" in scene.texts("title")[0]
    assert scene.texts("question")[0].startswith("Ann (VR)")


def test_values_by_phase_mark_the_present_one() -> None:
    scene = scene_of(position(), "map")
    assert {"10", "20", "40", "60"} <= set(scene.texts("phase value"))


def test_gauge_changes_are_marked_where_track_crosses_a_border() -> None:
    scene = scene_of(position(), "map")
    marks = [s for placed in scene.placed for s in placed.sprite.shapes if s.role == "gauge change"]
    assert len(marks) == 2


def test_the_last_move_is_outlined() -> None:
    scene = scene_of(position(), "map", [HexId("H9")])
    assert sum(placed.sprite.key.startswith("outline") for placed in scene.placed) == 1


def test_routes_are_drawn_with_a_legend_of_parts() -> None:
    scene = scene_of(position(), "routes")
    assert any(shape.role == "route" for placed in scene.placed for shape in placed.sprite.shapes)
    assert any("= 40 (40 stops)" in text for text in scene.texts("legend"))


def test_routes_of_a_move_are_drawn_as_they_are() -> None:
    """And not searched for again: nothing is drawn of a run of nothing."""
    from bot.tables.texts.routes import routes_shown

    _, shown = routes_shown(position(), "VR")  # type: ignore[arg-type]
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


def test_markers_in_one_cell_lie_in_the_order_of_the_stack() -> None:
    game = position()
    started(game, "NSW", {"@2": 4}, director="@2", par=100)
    scene = scene_of(game, "market")
    markers = [placed for placed in scene.placed if placed.sprite.key.endswith(("marker:VR", "marker:NSW"))]
    assert [placed.sprite.key.rsplit(":")[-1] for placed in markers] == ["NSW", "VR"]
    assert markers[0].at[0] > markers[1].at[0]


@pytest.mark.parametrize("kind", ["map", "market", "routes"])
def test_alt_text_carries_facts_in_at_most_1024_characters(kind: str) -> None:
    alt = scene_of(position(), kind).alt
    assert 20 < len(alt) <= 1024
    assert "VR" in alt or "40" in alt


def test_unknown_pictures_and_subjects_are_refused() -> None:
    with pytest.raises(NotAllowed):
        scene_of(position(), "photograph")
    with pytest.raises(NotAllowed):
        scene_of(position(), "crop", subject="Z99")


def test_company_colours_have_contrast_and_differ_in_colour_or_ring() -> None:
    faces = list(faces_of(TITLES["1848"]).values())
    assert all(contrast(face.colour, face.text_colour) >= 3.5 for face in faces)
    assert len({(face.colour, face.rim) for face in faces}) == len(faces)
    assert readable_on("#ffffff") == "#000000"


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

    studio = Studio()
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

    studio = Studio()
    try:
        with monkeypatch.context() as patched:
            patched.setattr(worker.ProcessPoolExecutor, "submit", refuse)
            with pytest.raises(worker.PictureFailed, match="BrokenProcessPool"):
                await studio.picture(position(), "market")
        assert (await studio.picture(position(), "market")).png.startswith(b"\x89PNG")
    finally:
        studio.close()


def test_sheets_of_companies_and_players() -> None:
    game = position()
    company = scene_of(game, "company", subject="vr")
    assert "£1000" in company.texts("value")
    assert "H11 Melbourne" in company.texts("value")
    player = scene_of(game, "player", subject="Ann")
    assert any("60% at £100, director" in text for text in player.texts("value"))
    assert "60%" in player.alt
    with pytest.raises(NotAllowed):
        scene_of(game, "player", subject="Zoe")

"""What changed far apart is shown in panels, each large enough for a phone."""

from __future__ import annotations

import pytest

from bot.engine.ids import HexId, Owner
from bot.engine.play.game import Game
from bot.i18n import use_language
from bot.render.catalogue import scene_of
from bot.render.scenes.panels import HIGHEST, MOST_PANELS, WIDEST, groups
from bot.render.shapes.hex_view import view_of
from bot.render.shapes.scene import Scene, Text
from bot.render.shapes.text_metrics import width_of
from bot.titles.registry import TITLES, title_folders

PHONE = 550
LEAST = 11.0
"""Revenues and initials are at least so high there."""

FACTS = {"value", "phase value", "initials", "note value", "choice"}


def spaces(*names: str) -> list[HexId]:
    return [HexId(Owner(name)) for name in names]


def beginning(title: str) -> Game:
    return Game.new(TITLES[title], ["Ann", "Bob", "Cid"], seed=1)


def smallest(scene: Scene) -> float:
    """The height of the smallest fact on a phone."""
    shapes = [shape for placed in scene.placed for shape in placed.sprite.shapes]
    return min(shape.size for shape in shapes if isinstance(shape, Text) and shape.role in FACTS) * PHONE / scene.width


def outlined(scene: Scene) -> list[tuple[float, float]]:
    return [placed.at for placed in scene.placed if placed.sprite.key.startswith("outline:")]


@pytest.mark.parametrize(
    ("title", "changed"),
    [(title, place.record.trial.crops) for title, place in title_folders().items() if place.record.trial.crops],
)
def test_far_apart_each_panel_is_legible_at_550_pixels(title: str, changed: tuple[str, ...]) -> None:
    scene = scene_of(beginning(title), "news", spaces(*changed))
    assert scene.width <= WIDEST and scene.height <= MOST_PANELS * HIGHEST + 100
    places = outlined(scene)
    assert len(places) == len(changed)
    assert all(0 < x < scene.width and 0 < y < scene.height for x, y in places)


def test_1820_and_18bf_londons_values_are_legible_in_its_inset() -> None:
    for title, space in (("18BF", "U21"), ("1820", "M11")):
        scene = scene_of(beginning(title), "news", spaces(space))
        inset = [p.sprite for p in scene.placed if p.sprite.key.startswith("top") and " 154 " in p.sprite.key]
        assert len(inset) == 1
        facts = [shape for shape in inset[0].shapes if isinstance(shape, Text) and shape.role in FACTS]
        assert facts and min(shape.size for shape in facts) * PHONE / scene.width >= LEAST


def test_the_latest_change_stands_first_and_scattered_news_are_left_out() -> None:
    game = beginning("18BF")
    changed = spaces("D6", "P18", "U21", "V26", "K19", "S5")
    parted = groups(view_of(game), changed)
    assert parted[0][0] == "S5" and sorted(space for group in parted for space in group) == sorted(changed)
    assert len(parted) > MOST_PANELS
    news, whole = scene_of(game, "news", changed), scene_of(game, "crop", changed)
    assert len(outlined(news)) == sum(map(len, parted[:MOST_PANELS])) < len(outlined(whole)) == len(changed)
    assert news.width <= WIDEST < whole.width
    assert smallest(news) >= LEAST
    assert "S5" in news.alt and "D6" in news.alt


def test_close_together_it_is_one_picture() -> None:
    game = beginning("1848")
    assert scene_of(game, "news", spaces("E4", "D5")) == scene_of(game, "crop", spaces("E4", "D5"))


@pytest.mark.parametrize("title", TITLES)
def test_what_the_markets_zones_mean_is_legible_and_within_the_picture(title: str) -> None:
    for language in ("en", "de"):
        with use_language(language):
            scene = scene_of(beginning(title), "market")
        shapes = [shape for placed in scene.placed for shape in placed.sprite.shapes]
        legend = [shape for shape in shapes if isinstance(shape, Text) and shape.role == "legend"]
        assert legend and all(shape.size * PHONE / scene.width >= LEAST - 0.1 for shape in legend)
        ends = [shape.at[0] + width_of(shape.text, shape.size) for shape in legend]
        assert max(ends) <= scene.width

"""A few pictures against stored ones, with a small tolerance for other versions of Cairo.

`SIGNALBOX_REFERENCES=write` draws them anew; look at them before committing.
"""

from __future__ import annotations

import io
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.render.catalogue import scene_of
from bot.render.painting import painter
from bot.render.painting.cairo_direct import can_draw
from bot.render.painting.font_runs import has_glyph, pieces
from bot.render.painting.painter import FONTS, Painter, _paint_sprite, rasterise
from bot.render.painting.private_folder import private_folder
from bot.render.painting.sprite_files import SpriteFiles
from bot.render.painting.svg import FAMILY
from bot.render.shapes.scene import Circle, Curve, Polygon, Rect, Shape, Text
from bot.render.shapes.text_metrics import width_of
from tests.render.test_scenes import position

REFERENCES = Path(__file__).with_name("references")
MEAN_DIFFERENCE = 3.0
"""Of 255, over all pixels and channels."""


@pytest.mark.parametrize(("kind", "subject"), [("crop", "H9"), ("market", ""), ("company", "VR"), ("routes", "VR")])
def test_pictures_look_as_they_did(kind: str, subject: str) -> None:
    png = Painter().paint(scene_of(position(), kind, subject=subject)).png
    path = REFERENCES / f"{kind}.png"
    if os.environ.get("SIGNALBOX_REFERENCES") == "write":
        path.write_bytes(png)
    ours, stored = (Image.open(io.BytesIO(data)).convert("RGB") for data in (png, path.read_bytes()))
    assert ours.size == stored.size
    difference = ImageStat.Stat(ImageChops.difference(ours, stored)).mean
    assert max(difference) < MEAN_DIFFERENCE


def test_another_position_looks_different() -> None:
    game = position()
    game.state.board.tokens.clear()
    png = Painter().paint(scene_of(game, "crop", subject="H9")).png
    ours, stored = (
        Image.open(io.BytesIO(data)).convert("RGB") for data in (png, (REFERENCES / "crop.png").read_bytes())
    )
    assert ImageChops.difference(ours, stored).getbbox() is not None


SHAPES = {
    "words": (Text("", (4, 40), "Zürich & Bern", 22, "#0a5fb0", "start"),),
    "bold words in the middle": (Text("", (100, 40), "1844", 30, bold=True, condensed=True),),
    "words at the end with a halo": (
        Rect("", (0, 0), (200, 80), "#333333"),
        Text("", (196, 40), "£120", 24, anchor="end", halo="#ffffff"),
    ),
    "boxes": (Rect("", (10, 10), (60, 50), "#8ccf6b", "#141414", 3, 8), Rect("", (90, 10), (80, 50), "#ffe14d")),
    "circles": (
        Circle("", (50, 40), 30, "#e88a7d", "#141414", 3),
        Circle("", (130, 40), 25, "none", "#0a5fb0", 6, "13.09 13.09"),
    ),
    "polygons": (Polygon("", ((10, 70), (60, 10), (110, 70)), "#c9b3dc", "#7a1fa0", 4),),
}


@pytest.mark.parametrize("shapes", SHAPES.values(), ids=SHAPES)
def test_cairo_and_svg_draw_the_same(shapes: tuple[Shape, ...]) -> None:
    assert can_draw(shapes)
    ours = rasterise(shapes, 0, 0, 200, 80)
    by_svg = rasterise((*shapes, Curve("", "M0 0", "none", 0)), 0, 0, 200, 80)
    assert ours.getbbox() is not None
    assert max(ImageStat.Stat(ImageChops.difference(ours, by_svg)).mean) < 2 * MEAN_DIFFERENCE


def test_curves_are_left_to_svg() -> None:
    assert not can_draw((Curve("", "M0 0L10 10", "#141414", 3),))


@pytest.mark.parametrize("whose", ["nobody's", "one's own", "another's", "open to others", "a link", "a file"])
def test_a_folder_that_others_could_have_made_is_not_written_in(
    whose: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, victim = tmp_path / "fonts", tmp_path / "victim"
    victim.mkdir(0o700)
    if whose == "a link":
        path.symlink_to(victim)
    elif whose == "a file":
        path.touch()
    elif whose != "nobody's":
        path.mkdir(0o700)
        path.chmod(0o770 if whose == "open to others" else 0o700)
    owner = os.geteuid()
    if whose == "another's":
        monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    made = private_folder(path)
    assert (made == path) == (whose in ("nobody's", "one's own")) and made != victim
    assert stat.S_IMODE(made.lstat().st_mode) == 0o700 and made.is_dir() and not made.is_symlink()


@pytest.mark.parametrize(
    ("name", "drawn_as"),
    [
        ("Ann", ["Ann"]),
        ("Müller £", ["Müller £"]),
        ("Дмитрий Ωμέγα", ["Дмитрий Ωμέγα"]),
        ("▶ 山田太郎 ★", ["▶ ", "山田太郎", " ★"]),
        ("김철수", ["김철수"]),
        ("王小明", ["王小明"]),
        ("שלום דוד!", ["דוד םולש!"]),
        ("\u2068שלום\u2069 £5", ["םולש £5"]),
        ("محمد", ["\ufeaa\ufee4\ufea4\ufee3"]),
        ("สมชาย", ["SMCSY"]),
        ("राम", ["RAM"]),
        ("龘龘", ["\ufffd\ufffd"]),
    ],
)
def test_a_name_is_drawn_in_letters_that_the_fonts_have(name: str, drawn_as: list[str]) -> None:
    for bold in (False, True):
        found = pieces(name, FAMILY, bold)
        assert [text for _, text in found] == drawn_as
        assert all(has_glyph(family, bold, letter) for family, text in found for letter in text)


@pytest.mark.parametrize(
    "beside", [(), (Curve("track", "M 0 0 L 1 1", "#000000", 1),)], ids=["straight", "beside a curve"]
)
def test_no_box_stands_for_a_name(beside: tuple[Shape, ...]) -> None:
    """Every letter is another picture; of a font that lacks them all, they are the same box."""
    seen = set()
    for letter in "山田김太王小":
        words = Text("name", (0, 30), letter, 30, anchor="start")
        seen.add(rasterise((*beside, words), 0, 0, 40, 40).tobytes())
    assert len(seen) == 6


def test_wide_letters_are_measured_as_they_are_drawn() -> None:
    words = Text("name", (0, 40), "山田太郎김철수", 40, anchor="start")
    box = rasterise((words,), 0, 0, 400, 60).getbbox()
    assert box and abs(box[2] - width_of(words.text, 40)) < 8


LOADED = """
import sys; from pathlib import Path; started = []
sys.addaudithook(lambda event, arguments: started.append(event) if event in ("subprocess.Popen", "os.system") else None)
from bot.render.painting.cairo_library import load_cairo
load_cairo(Path(sys.argv[1]))
import cairocffi
print("pycparser" in sys.modules, started, len(cairocffi.ImageSurface(cairocffi.FORMAT_A8, 9, 9).get_data()) > 80)
"""


def test_cairos_declarations_are_read_by_the_first_process_alone(tmp_path: Path) -> None:
    def read_anew() -> bool:
        code = [sys.executable, "-c", LOADED, str(tmp_path)]
        parsed, started, works = subprocess.run(code, capture_output=True, text=True, check=True).stdout.split()
        assert started == "[]" and works == "True"
        return parsed == "True"

    assert [read_anew(), read_anew()] == [True, False]
    (tables,) = tmp_path.iterdir()
    tables.write_bytes(tables.read_bytes()[:-9])
    assert [read_anew(), read_anew()] == [True, False]


def test_sprites_are_painted_once_for_all_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = scene_of(position(), "map")
    files = SpriteFiles(tmp_path / "sprites", FONTS)
    first = Painter(files=files).paint(scene).png
    painted: list[str] = []
    monkeypatch.setattr(painter, "_paint_sprite", lambda sprite: painted.append(sprite.key) or _paint_sprite(sprite))
    assert Painter(files=SpriteFiles(files.folder, FONTS)).paint(scene).png == first
    assert {key for key in painted} == {one.sprite.key for one in scene.placed if one.sprite.is_strip}
    damaged = sorted(files.folder.iterdir())[:4]
    shorter, moved = damaged[2].read_bytes()[:-1], bytearray(damaged[3].read_bytes())
    moved[11] ^= 0x80  # the sign of its corner
    for path, data in zip(damaged, (b"", b"123", shorter, moved), strict=True):
        path.write_bytes(data)
    painted.clear()
    assert Painter(files=files).paint(scene).png == first
    assert len(painted) >= 4
    other = SpriteFiles(files.folder, FONTS)
    other.painted_by = "a later version"
    assert not any(other.find(one.sprite) for one in scene.placed)


def test_few_sprites_are_kept_on_disk(tmp_path: Path) -> None:
    files = SpriteFiles(tmp_path / "sprites", FONTS, most=10)
    Painter(files=files).paint(scene_of(position(), "map"))
    assert 5 <= len([*files.folder.iterdir()]) <= 10
    (tmp_path / "closed").touch()
    assert Painter(files=SpriteFiles(tmp_path / "closed", FONTS)).paint(scene_of(position(), "market")).png

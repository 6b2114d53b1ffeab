"""A few pictures against stored ones, with a small tolerance for other versions of Cairo.

`SIGNALBOX_REFERENCES=write` draws them anew; look at them before committing.
"""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.render import scene_of
from bot.render.paint import Painter

from .test_scenes import position

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

"""`bot run` that paints nothing: every picture is one pixel. Who sees a picture is tested here, not what is on it."""

from __future__ import annotations

from typing import Any

from bot.cli.main import main
from bot.render.painting.picture import Picture
from bot.render.worker import Renderer

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000a49444154789c63000100000500010d0a2db4"
    "0000000049454e44ae426082"
)


async def warm(self: Renderer, titles: object) -> None:
    """Nothing to begin."""


async def picture(self: Renderer, *what: Any) -> Picture:
    """A pixel, called as the picture would be."""
    kind = next(one for one in what if isinstance(one, str))
    return Picture(f"{kind}.png", PIXEL, "A pixel")


if __name__ == "__main__":
    Renderer.picture = Renderer.history_picture = picture  # type: ignore[method-assign, assignment]
    Renderer.warm = warm  # type: ignore[method-assign]
    raise SystemExit(main(["run"]))

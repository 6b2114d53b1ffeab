"""The fonts without which nothing is painted."""

from __future__ import annotations

from bot.assets import asset_folder

NEEDED = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansCondensed-Bold.ttf")


def missing_fonts() -> list[str]:
    """The fonts that are not installed; all of them if the program was installed without the font folder."""
    try:
        folder = asset_folder("fonts")
    except FileNotFoundError:
        return list(NEEDED)
    return [name for name in NEEDED if not (folder / name).is_file()]

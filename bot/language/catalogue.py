"""Messages of one language, found by their English text: a sentence with named gaps, `{by} buys {company} for {price}.`"""

from __future__ import annotations

import re
from functools import cache

from bot.assets import asset_folder

from . import po

FOLDER = asset_folder("language")
GAP = re.compile(r"\{(\w*)\}")


@cache
def catalogue(language: str) -> dict[str, str]:
    """All translations that come with the program.

    :raises OSError: there are none for that language.
    """
    entries = po.read((FOLDER / f"{language}.po").read_text(encoding="utf-8"))
    return {entry.message: entry.translation for entry in entries if entry.message and entry.translation}

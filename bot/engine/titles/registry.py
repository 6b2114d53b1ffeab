"""The titles that can be played, by the number on the box."""

from __future__ import annotations

from bot.engine.logs18xx.dialect import Dialect
from bot.engine.play.title import Title

from .t18bf.editions import FIRST as FIRST_OF_18BF
from .t18bf.title import TITLE as BIG_FOUR
from .t18gb.logs.dialect import GreatBritain
from .t18gb.title import FIRST as FIRST_OF_18GB
from .t18gb.title import TITLE as GREAT_BRITAIN
from .t1820.editions import FIRST as FIRST_OF_1820
from .t1820.editions import SECOND as SECOND_OF_1820
from .t1820.title import TITLE as RAILWAYS_OF_1820
from .t1830.logs.dialect import RobberBarons
from .t1830.title import TITLE as ROBBER_BARONS
from .t1844.logs.dialect import Switzerland
from .t1844.title import FIRST as FIRST_OF_1844
from .t1844.title import TITLE as SWITZERLAND
from .t1848.logs.dialect import Australia
from .t1848.title import FIRST as FIRST_OF_1848
from .t1848.title import TITLE as AUSTRALIA

TITLES: dict[str, Title] = {
    title.id: title for title in (AUSTRALIA, GREAT_BRITAIN, SWITZERLAND, BIG_FOUR, RAILWAYS_OF_1820, ROBBER_BARONS)
}

EDITIONS: dict[tuple[str, int], Title] = {
    (title.id, title.version): title
    for title in (FIRST_OF_18BF, FIRST_OF_1820, SECOND_OF_1820, FIRST_OF_1844, FIRST_OF_1848, FIRST_OF_18GB)
}
"""Older versions of the rules, by title and version, for games that were begun by them."""

DIALECTS: dict[str, Dialect] = {
    "1848": Australia(),
    "1844": Switzerland(),
    "18GB": GreatBritain(),
    "1830": RobberBarons(),
}
"""How each title's logs from 18xx.games are read."""

VERSIONS: dict[tuple[str, int], Title] = {**EDITIONS, **{(title.id, title.version): title for title in TITLES.values()}}
"""Every version of the rules of every title."""


def versions_of(title: str) -> tuple[Title, ...]:
    """A title in every version of its rules, the oldest first."""
    found = [edition for (name, _), edition in VERSIONS.items() if name == title]
    return tuple(sorted(found, key=lambda edition: edition.version))


def edition(title: str, version: int | None) -> Title:
    """A title in that version of its rules, in the newest where none is named."""
    return TITLES[title] if version is None else VERSIONS[title, version]

"""1861: the values of its rules."""

from __future__ import annotations

from bot.engine import as_company
from bot.engine.board import BoardRules
from bot.titles.merging import COLUMN, GRID, Merging, build_title

from . import components as box
from .map import MAP
from .tiles import TILES

VALUES = Merging(
    id="1861",
    currency="₽",
    companies=box.COMPANIES,
    privates=box.PRIVATES,
    land=BoardRules(MAP, TILES),
    market=GRID,
    markets=box.MARKETS,
    late_minors=box.LATE_MINORS,
    bonus=(box.EKATERINBURG, frozenset({box.MOSCOW})),
    helped=box.HELPED,
    national=box.NATIONAL,
    promised=(box.ST_PETERSBURG, box.MOSCOW),
    begins_at=None,
    closed=box.CLOSED,
    gray_from="6",
    first=as_company("N"),
    spaces_a_loan=1,
    operates=True,
    hurries=True,
)

TITLE = build_title(VALUES, "1861 The Railways of the Russian Empire", {"column": COLUMN})

"""1867: the values of its rules."""

from __future__ import annotations

from bot.engine import HexId
from bot.engine.board import BoardRules
from bot.titles.merging import COLUMN, GRID, Merging, build_title

from . import components as box
from .map import MAP
from .tiles import TILES

VALUES = Merging(
    id="1867",
    currency="$",
    companies=box.COMPANIES,
    privates=box.PRIVATES,
    land=BoardRules(MAP, TILES),
    market=COLUMN,
    markets=box.MARKETS,
    late_minors=box.LATE_MINORS,
    bonus=(box.TIMMINS, frozenset({box.TORONTO, box.MONTREAL, box.QUEBEC})),
    helped=box.HELPED,
    national=box.NATIONAL,
    promised=(box.MONTREAL,),
    begins_at=(box.TORONTO, 0),
    closed=frozenset({HexId("M13")}),
    kept=((box.TIMMINS, 0), (box.MONTREAL, 2)),
)

TITLE = build_title(VALUES, "1867 The Railways of Canada", {"grid": GRID})

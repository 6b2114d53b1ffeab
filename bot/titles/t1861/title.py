"""1861: the values of its rules."""

from __future__ import annotations

from bot.engine import as_company
from bot.engine.board import BoardRules
from bot.engine.play.interpretations import RULES_OPTION
from bot.titles.merging import COLUMN, GRID, LOOK, Merging, build_title

from . import components as box
from .interpretations import interpretation_flags
from .map import MAP
from .tiles import TILES

VALUES = Merging(
    id="1861",
    currency="₽",
    companies=box.COMPANIES,
    privates=box.PRIVATES,
    land=BoardRules(MAP, TILES),
    market=GRID,
    look=LOOK,
    options=(RULES_OPTION, box.MARKETS),
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
    trades_freely=lambda game: interpretation_flags(game).trades_without_consent,
    merges_freely=lambda game: interpretation_flags(game).merges_without_consent,
    asks_every_minor=lambda game: interpretation_flags(game).asks_every_minor,
    lends_for_minors=lambda game: interpretation_flags(game).breaks_bank_by_auctions,
)

TITLE = build_title(VALUES, "1861 The Railways of the Russian Empire", {"column": COLUMN})

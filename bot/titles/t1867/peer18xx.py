"""How this title's games of 18xx.games are read."""

from bot.titles.merging.peer18xx import MergingDialect

DIALECT = MergingDialect(prints={}, optional_rules={"grid_market": {"variant": "grid"}})

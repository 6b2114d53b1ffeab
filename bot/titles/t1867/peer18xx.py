"""How this title's games of 18xx.games are read."""

from bot.titles.merging.peer18xx import MergingDialect

DIALECT = MergingDialect(
    prints={"F8": 1, "E13": 2, "E15": 3, "C17": 4, "I15": 5, "N12": 6, "D16": 1, "O7": 2},
    optional_rules={"grid_market": {"variant": "grid"}},
)

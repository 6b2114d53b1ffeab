"""How this title's games of 18xx.games are read."""

from bot.titles.merging.peer18xx import MergingDialect

DIALECT = MergingDialect(
    prints={"H18": 1, "I13": 2, "I19": 3, "K17": 4, "L12": 5, "P8": 6, "M7": 1, "D20": 1, "M19": 2, "N10": 3},
    optional_rules={"column_market": {"variant": "column"}},
)

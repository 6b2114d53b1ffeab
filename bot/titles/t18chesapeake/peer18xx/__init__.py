"""How this title's games of 18xx.games are read."""

from bot.titles.classic.peer18xx import ClassicDialect

from ..title import VALUES

DIALECT = ClassicDialect(VALUES, prints={}, optional_rules={})

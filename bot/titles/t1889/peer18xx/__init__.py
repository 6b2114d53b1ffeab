"""How this title's games of 18xx.games are read."""

from bot.titles.classic.peer18xx import ClassicDialect

from ..components import BEGINNERS, BEGINNING
from ..title import VALUES

DIALECT = ClassicDialect(
    VALUES,
    prints={},
    optional_rules={"beginner_game": {BEGINNING.name: "dealt"}},
    private_names={**{sign: sign.removesuffix("b") for sign in BEGINNERS}, "TEb": "TR", "TE": "TR"},
)

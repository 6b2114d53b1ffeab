"""The numbers of computer players for the titles of the family."""

from __future__ import annotations

from bot.ai.title_parameters import TitleAi, TitleParameters

PARAMETERS = TitleParameters(
    sets=8,
    tempo=0.85,
    stop=32,
    rises=(0, 4),
    floats={"2": 20},
    private=6,
    most="5",
    reserve=100,
    start=190,
    fear=0.1,
    lent=0.0,
)

WEIGHTS = {"convert": 10, "merge": 6, "redeem": 2}

AI = TitleAi(parameters=PARAMETERS, verb_weights=WEIGHTS)

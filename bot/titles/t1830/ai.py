"""The numbers of computer players."""

from __future__ import annotations

from bot.ai.title_parameters import TitleAi, TitleParameters
from bot.engine import POOL

PARAMETERS = TitleParameters(
    sets=8,
    tempo=0.9,
    stop=36,
    rises=(0,),
    floats={"2": 60},
    private=6,
    most="5",
    kept=960,
    paid={"SV": 20, "CS": 50, "DH": 75, "MH": 125, "CA": 210, "BO": 222},
    closes="5",
    start=90,
    fear=1.0,
    feeds=POOL,
    extras={"MH": 40, "CA": 60, "BO": 60},
)

AI = TitleAi(parameters=PARAMETERS, taste=4)

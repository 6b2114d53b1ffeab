"""The numbers of computer players."""

from __future__ import annotations

from bot.ai.title_parameters import TitleAi, TitleParameters
from bot.engine import POOL

PARAMETERS = TitleParameters(
    sets=8,
    tempo=1.3,
    stop=36,
    rises=(0,),
    floats={"2": 60},
    private=6,
    most="5",
    kept=960,
    paid={"D&R": 20, "C-P": 50, "B&S": 62, "C&OC": 89, "B&OR": 124, "CV": 202},
    closes="5",
    start=82,
    fear=1.0,
    feeds=POOL,
    extras={"B&OR": 110, "CV": 120},
)

AI = TitleAi(parameters=PARAMETERS)

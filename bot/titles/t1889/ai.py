"""The numbers of computer players."""

from __future__ import annotations

from bot.ai.title_parameters import TitleAi, TitleParameters
from bot.engine import POOL

PARAMETERS = TitleParameters(
    sets=8,
    tempo=0.9,
    stop=32,
    rises=(0,),
    floats={"2": 50},
    private=6,
    most="5",
    reserve=200,
    paid={"TE": 43, "MF": 48, "ER": 43, "SMR": 58, "DR": 63, "SIR": 83, "UTF": 152},
    closes="5",
    start=75,
    fear=1.0,
    feeds=POOL,
    extras={"MF": 10, "ER": 10, "SMR": 20, "DR": 30, "UTF": 40},
)

AI = TitleAi(parameters=PARAMETERS, taste=4)

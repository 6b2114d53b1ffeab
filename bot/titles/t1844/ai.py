"""The numbers of computer players."""

from __future__ import annotations

from bot.ai.title_parameters import TitleAi, TitleParameters

PARAMETERS = TitleParameters(
    sets=9,
    tempo=1.0,
    stop=32,
    rises=(0,),
    floats={"1": 50, "regional": 60},
    capital={"pre-SBB": 2, "historical": 5, "regional": 5},
    private=7,
    most="5",
    reserve=250,
    paid={"P1": 22, "P2": 72, "P3": 108, "P4": 130, "P5": 158, "P6": 192, "P7": 138},
    closes="5",
    start=91,
    fear=0.8,
    sight=5.0,
    later={"repay": -100.0},
    extras={"P5": 60, "P6": 150, "P7": 115},
)


AI = TitleAi(parameters=PARAMETERS)

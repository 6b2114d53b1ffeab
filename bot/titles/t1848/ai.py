"""The numbers of computer players."""

from __future__ import annotations

from bot.ai.title_parameters import TitleAi, TitleParameters

PARAMETERS = TitleParameters(
    sets=9,
    tempo=0.85,
    stop=36,
    rises=(0,),
    floats={"2": 60},
    private=7,
    most="5",
    reserve=300,
    paid={"P1": 20, "P2": 62, "P3": 90, "P4": 152, "P5": 145, "P6": 207},
    closes="5",
    start=85,
    fear=0.1,
    bank=90,
    lent=0.0,
    extras={"P6": 120},
    waits={"COM": "6"},
    borrows=100,
)


AI = TitleAi(parameters=PARAMETERS, taste=2)

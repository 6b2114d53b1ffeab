"""The numbers of computer players."""

from __future__ import annotations

from bot.ai.title_parameters import TitleAi, TitleParameters
from bot.engine import IPO

PARAMETERS = TitleParameters(
    sets=8,
    tempo=1.1,
    stop=34,
    rises=(0, 2, 3, 4),
    floats={"2+1": 40, "3+1": 60},
    private=6,
    most="5+2",
    reserve=150,
    start=86,
    fear=0.1,
    idle=0.5,
    feeds=IPO,
    lent=1.0,
    is_last_train_the_end=True,
    do_presidents_pay=True,
    later={"convert": 80.0},
)


AI = TitleAi(parameters=PARAMETERS)

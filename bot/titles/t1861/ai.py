"""The numbers of computer players: those of the family, and what people pay for the privates (means of recorded games)."""

from __future__ import annotations

from dataclasses import replace

from bot.titles.merging import ai as family

PARAMETERS = replace(family.PARAMETERS, paid={"TSR": 28, "BSS": 45, "MYR": 67, "MRR": 77, "WVR": 92})

AI = replace(family.AI, parameters=PARAMETERS)

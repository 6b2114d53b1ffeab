"""The numbers of computer players: those of the family, and what people pay for the privates (means of recorded games)."""

from __future__ import annotations

from dataclasses import replace

from bot.titles.merging import ai as family

PARAMETERS = replace(family.PARAMETERS, paid={"C&SL": 30, "NFB": 45, "MB": 65, "QB": 86, "SCT": 97})

AI = replace(family.AI, parameters=PARAMETERS)

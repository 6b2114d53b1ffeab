"""Older versions of the rules, for games that were begun by them: `box/readings.py` asks for the version."""

from __future__ import annotations

from dataclasses import replace

from .box.nouns import COMPANIES_OPTION, MAP_OPTION, RULES_OPTION
from .title import TITLE

FIRST = replace(TITLE, version=1, options=(RULES_OPTION, MAP_OPTION, COMPANIES_OPTION))

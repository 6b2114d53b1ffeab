"""Older versions of the rules, for games that were begun by them: `box/readings.py` asks for the version."""

from __future__ import annotations

from dataclasses import replace

from .title import TITLE

FIRST = replace(TITLE, version=1)

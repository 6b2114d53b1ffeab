"""The titles that can be played, by the number on the box."""

from __future__ import annotations

from ..logs18xx.replay import Dialect
from ..title import Title
from .t1844.logs import Switzerland
from .t1844.title import TITLE as SWITZERLAND
from .t1848.logs import Australia
from .t1848.title import TITLE as AUSTRALIA

TITLES: dict[str, Title] = {title.id: title for title in (AUSTRALIA, SWITZERLAND)}

DIALECTS: dict[str, Dialect] = {"1848": Australia(), "1844": Switzerland()}
"""How each title's logs from 18xx.games are read."""

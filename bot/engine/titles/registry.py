"""The titles that can be played, by the number on the box."""

from __future__ import annotations

from ..title import Title
from .t1848.title import TITLE as AUSTRALIA

TITLES: dict[str, Title] = {title.id: title for title in (AUSTRALIA,)}

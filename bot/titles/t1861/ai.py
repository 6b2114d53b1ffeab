"""The numbers of computer players: those of the family."""

from __future__ import annotations

from bot.titles.merging.ai import AI

__all__ = ["AI"]

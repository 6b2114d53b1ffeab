"""How games of the family's titles on 18xx.games are read and written."""

from .dialect import MergingDialect

__all__ = ["MergingDialect"]

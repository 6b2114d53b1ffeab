"""How this title's games of 18xx.games are read."""

from .dialect import DIALECT as DIALECT

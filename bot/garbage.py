"""When Python looks for cyclic garbage. A leaf, since every command needs it at once."""

from __future__ import annotations

import gc

YOUNG = 10_000
"""Garbage collection threshold, instead of 700: a move makes thousands of objects, and hardly any cycles."""


def tune_gc() -> None:
    """Let the collector of cyclic garbage look seldom in this process, and never at what exists by now.

    It took a twentieth of the time of a random game. In a helper it would also write to all the memory that it shares with the others.
    """
    gc.freeze()
    gc.set_threshold(YOUNG)

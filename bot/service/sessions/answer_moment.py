"""When an answer was given, where a door knows it better than the moment of its handling: Discord stamps every interaction.

In a game with a clock such an answer counts from there, so that a slow line or a busy bot costs nobody time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime

LONGEST_LATENCY = 3.0
"""Seconds that an answer may be older than its handling; with more, or less than nothing, the clocks of the two machines
differ, and the moment of the handling counts.
"""

_GIVEN: ContextVar[float] = ContextVar("given", default=0.0)


@contextmanager
def answered_at(moment: datetime) -> Iterator[None]:
    """Note for a block of code that it answers an act of this moment."""
    before = _GIVEN.set(moment.timestamp())
    try:
        yield
    finally:
        _GIVEN.reset(before)


def answer_latency(now: float) -> float:
    """The seconds that have passed since what is handled now was answered; 0 where nobody knows."""
    late = now - _GIVEN.get()
    return late if 0.0 < late <= LONGEST_LATENCY else 0.0

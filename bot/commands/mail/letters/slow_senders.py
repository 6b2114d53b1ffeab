"""Which letters wait: those of a share (`bounds.share_of`) whose letters took long to be read."""

from __future__ import annotations

import time

COSTLY = 0.25
"""Seconds of work from which on a letter counts as one that was made to be slow."""

MOST_COSTLY, SPAN = 3, 3600.0
"""So many such letters of a share are read in so many seconds; the next ones wait, unread."""

MOST_SHARES = 1000


class SlowSenders:
    """Slow letters, by share. Nobody waits for those of others."""

    def __init__(self) -> None:
        self._slow: dict[str, list[float]] = {}

    def note(self, share: str, seconds: float) -> None:
        """A letter of that share took so many seconds of work."""
        if seconds >= COSTLY:
            self._slow[share] = [*self._slow.pop(share, [])[1 - MOST_COSTLY :], time.monotonic()]
            while len(self._slow) > MOST_SHARES:
                self._slow.pop(next(iter(self._slow)))

    def wait(self, share: str) -> float:
        """In how many seconds the next letter of that share may be read."""
        slow = self._slow.get(share, [])
        return max(0.0, slow[0] + SPAN - time.monotonic()) if len(slow) == MOST_COSTLY else 0.0

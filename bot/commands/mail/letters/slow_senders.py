"""Which letters wait: those of a share (`bounds.share_of`) whose letters took long to be read."""

from __future__ import annotations

import time

COSTLY = 0.25
"""Seconds of work from which on a letter counts as made to be slow."""

MOST_COSTLY, SPAN = 3, 3600.0
"""Number of such letters of a share that are read within that many seconds; the next letters wait, unread."""

MOST_SHARES = 1000


class SlowSenders:
    """Slow letters, by share. Nobody waits for those of others."""

    def __init__(self) -> None:
        self._slow: dict[str, list[float]] = {}

    def note(self, share: str, seconds: float) -> None:
        if seconds >= COSTLY:
            self._slow[share] = [*self._slow.pop(share, [])[1 - MOST_COSTLY :], time.monotonic()]
            while len(self._slow) > MOST_SHARES:
                self._slow.pop(next(iter(self._slow)))

    def remaining_wait(self, share: str) -> float:
        """Seconds until the next letter of that share may be read."""
        slow = self._slow.get(share, [])
        return max(0.0, slow[0] + SPAN - time.monotonic()) if len(slow) == MOST_COSTLY else 0.0

"""Whose letters wait: those of a sender whose letters took long to be read."""

from __future__ import annotations

import time

COSTLY = 0.25
"""Seconds of work from which on a letter counts as one that was made to be slow."""

MOST_COSTLY, SPAN = 3, 3600.0
"""So many such letters of a sender are read in so many seconds; the next ones wait, unread."""

MOST_SENDERS = 1000


class Shares:
    """Slow letters, by sender. Nobody waits for those of others."""

    def __init__(self) -> None:
        self._slow: dict[str, list[float]] = {}

    def note(self, sender: str, seconds: float) -> None:
        """A letter of that sender took so many seconds of work."""
        if seconds >= COSTLY:
            self._slow[sender] = [*self._slow.pop(sender, [])[1 - MOST_COSTLY :], time.monotonic()]
            while len(self._slow) > MOST_SENDERS:
                self._slow.pop(next(iter(self._slow)))

    def wait(self, sender: str) -> float:
        """In how many seconds the next letter of that sender may be read."""
        slow = self._slow.get(sender, [])
        return max(0.0, slow[0] + SPAN - time.monotonic()) if len(slow) == MOST_COSTLY else 0.0

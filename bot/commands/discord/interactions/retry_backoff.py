"""When a game that cannot be posted is tried again."""

from __future__ import annotations

import time
from collections.abc import Callable

FIRST_WAIT, LONGEST_WAIT = 300.0, 6 * 3600.0
"""Seconds until a place is tried again: refusals are counted, and too many of them get a bot banned."""


class PlaceBackoff:
    """When games that cannot be posted are tried again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.changes = 0
        self._until: dict[int, tuple[float, float]] = {}

    def waiting(self) -> set[int]:
        """The games that are not to be tried now."""
        now = self.clock()
        return {game for game, (until, _) in self._until.items() if until > now}

    def seconds(self) -> float | None:
        """Until the next game that waits may be tried again; None where none waits."""
        now = self.clock()
        return min((until - now for until, _ in self._until.values() if until > now), default=None)

    def after(self, game: int, changes: int) -> bool:
        """It did not work once more; `changes` were known when it was begun.

        Returns whether that counts: what was begun before the last change says nothing about the present, and may be
        tried again at once.
        """
        if changes != self.changes:
            return False
        _, last = self._until.get(game, (0.0, FIRST_WAIT / 2))
        wait = min(last * 2, LONGEST_WAIT)
        self._until[game] = (self.clock() + wait, wait)
        return True

    def forget(self, game: int) -> None:
        """It works."""
        self._until.pop(game, None)

    def hope(self) -> None:
        """Something has changed in a server: everything may be tried again."""
        self.changes += 1
        self._until.clear()

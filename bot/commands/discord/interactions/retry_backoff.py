"""When a game that cannot be posted is tried again."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

FIRST_WAIT, LONGEST_WAIT = 300.0, 6 * 3600.0
"""Seconds until a place is tried again: refusals are counted, and too many of them get a bot banned."""


LEAST_WAIT = 10.0
"""Seconds between two tries at a place, whatever changes in its server meanwhile."""


@dataclass(frozen=True)
class Wait:
    """A game in a server was `tried`, and waits `until` then; `seconds` is the length of such a wait."""

    guild: str
    tried: float
    until: float
    seconds: float


class PlaceBackoff:
    """When games that cannot be posted are tried again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._changes: Counter[str] = Counter()
        self._waits: dict[int, Wait] = {}

    def changes(self, guild: str) -> int:
        """The number of changes in a server until now."""
        return self._changes[guild]

    def waiting(self) -> set[int]:
        """The games that are not to be tried now."""
        now = self.clock()
        return {game for game, wait in self._waits.items() if wait.until > now}

    def seconds(self) -> float | None:
        """Until the next game that waits may be tried again; None where none waits."""
        now = self.clock()
        return min((wait.until - now for wait in self._waits.values() if wait.until > now), default=None)

    def after(self, game: int, guild: str, changes: int) -> bool:
        """It did not work once more; `changes` in the server were known when it was begun.

        Returns whether that counts: what was begun before the last change says nothing about the present.
        """
        if changes != self._changes[guild]:
            return False
        last = self._waits[game].seconds if game in self._waits else FIRST_WAIT / 2
        seconds, now = min(last * 2, LONGEST_WAIT), self.clock()
        self._waits[game] = Wait(guild, now, now + seconds, seconds)
        return True

    def forget(self, game: int) -> None:
        """It works, or is to be tried somewhere else."""
        self._waits.pop(game, None)

    def hope(self, guild: str) -> None:
        """Something has changed in a server: its games may be tried again, none of them twice in a moment."""
        self._changes[guild] += 1
        for game, wait in self._waits.items():
            if wait.guild == guild:
                until = min(wait.until, wait.tried + LEAST_WAIT)
                self._waits[game] = Wait(guild, wait.tried, until, FIRST_WAIT / 2)

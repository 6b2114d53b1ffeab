"""When a game that cannot be posted is tried again."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from bot.engine import GameId

FIRST_WAIT, LONGEST_WAIT = 300.0, 6 * 3600.0
"""Seconds until a place is tried again: Discord counts refusals, and too many get a bot banned."""


LEAST_WAIT = 10.0
"""Seconds between two tries at a place, even if its server changes meanwhile."""


@dataclass(frozen=True)
class PlaceWait:
    """A game in a server was `tried`, and waits `until` then; `seconds` is the length of such a wait."""

    guild: str
    tried: float
    until: float
    seconds: float


class PlaceBackoff:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._changes: Counter[str] = Counter()
        self._waits: dict[GameId, PlaceWait] = {}

    def changes(self, guild: str) -> int:
        """The number of changes in a server until now."""
        return self._changes[guild]

    def waiting(self) -> set[GameId]:
        """The games that must not be tried now."""
        now = self.clock()
        return {game for game, wait in self._waits.items() if wait.until > now}

    def seconds(self) -> float | None:
        """Seconds until the next waiting game may be tried again; None where none waits."""
        now = self.clock()
        return min((wait.until - now for wait in self._waits.values() if wait.until > now), default=None)

    def after(self, game_id: GameId, guild: str, changes: int) -> bool:
        """Note another failure; `changes` were known when the attempt began.

        Returns whether the failure counts: an attempt begun before the last change says nothing about the
        present, and may be repeated at once.
        """
        if changes != self._changes[guild]:
            return False
        last = self._waits[game_id].seconds if game_id in self._waits else FIRST_WAIT / 2
        seconds, now = min(last * 2, LONGEST_WAIT), self.clock()
        self._waits[game_id] = PlaceWait(guild, now, now + seconds, seconds)
        return True

    def forget(self, game_id: GameId) -> None:
        self._waits.pop(game_id, None)

    def hope(self, guild: str) -> None:
        """Something has changed in a server: every game may be tried again."""
        self._changes[guild] += 1
        for game, wait in self._waits.items():
            if wait.guild == guild:
                until = min(wait.until, wait.tried + LEAST_WAIT)
                self._waits[game] = PlaceWait(guild, wait.tried, until, FIRST_WAIT / 2)

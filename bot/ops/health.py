"""How a bot is: what those ask who watch over it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Health:
    """How the bot is. It is `well` when a restart would not help: the database answers and somebody posts."""

    database: str
    is_posting: bool
    gateway: str
    outbox: int
    oldest_seconds: float
    in_hand: int
    set_aside: int = 0
    """Rows that were given up after several tries: `signalbox doctor` names them."""
    stuck_games: int = 0
    """How many of these are games that Discord does not take."""

    @property
    def is_healthy(self) -> bool:
        """An outage of Discord is no reason to restart."""
        return self.database == "ok" and self.is_posting

    @property
    def is_ready(self) -> bool:
        return self.is_healthy and self.gateway == "ready"


HealthCheck = Callable[[], Awaitable[Health]]

"""What a stored record is: its kinds and statuses, by the words that databases hold."""

from __future__ import annotations

from enum import StrEnum


class GameStatus(StrEnum):
    """Where a game is on its way from the lobby to its end."""

    LOBBY = "lobby"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"

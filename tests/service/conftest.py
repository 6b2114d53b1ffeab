"""A database in a folder of its own, tables with a clock that the test sets, a toy game under way."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.service.game_service import GameService
from bot.service.sessions.rights import Actor
from bot.store import Server, Store
from tests.service.toy_title import TITLES

ANN, BOB, CID, EVE = "discord:1", "discord:2", "discord:3", "discord:666"


def there(person: str) -> Actor:
    """Somebody who asks where the game is played."""
    return Actor(person, is_there=True)


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.time = datetime(2026, 6, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def advance(self, **how: float) -> datetime:
        """Let time pass; returns the new time."""
        self.time += timedelta(**how)
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def store(place: Path | Server) -> AsyncIterator[Store]:
    opened = await Store.open(place, patience=0.2)
    yield opened
    await opened.close()


@pytest.fixture
def tables(store: Store, clock: Clock) -> GameService:
    return GameService(store, TITLES, clock)


@pytest.fixture
async def game_id(tables: GameService) -> int:
    """Ann, Bob and Cid play the toy; Ann moderates and is in turn."""
    number = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob"), (CID, "Cid")])
    await tables.lobby.start(number, ANN, "list")
    return number


async def total(tables: GameService, game_id: int) -> int:
    """The toy's total."""
    table = await tables.desk.table(game_id)
    assert table.game is not None
    found: int = table.game.state.special.total
    return found

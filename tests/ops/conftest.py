"""A data folder with two open games of 1848 and one that is over."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.ops.backups import Backups
from bot.service.game_service import GameService
from bot.store import Store
from bot.titles.registry import TITLES
from tests.blank_database import write_blank

ANN, BOB, CID = "discord:1", "discord:2", "discord:3"
PEOPLE = [(ANN, "Ann"), (BOB, "Bob"), (CID, "Cid")]


async def begin(tables: GameService, moves: str = "buy P1; buy P2") -> int:
    """A game in which Ann and Bob have bought."""
    game = await tables.lobby.create("1848", ANN, PEOPLE, {}, 7)
    await tables.lobby.start(game, ANN, "list")
    for person, move in zip((ANN, BOB, CID), moves.split("; "), strict=False):
        await tables.moves.submit(game, person, move)
    return game


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proofs are made at the priority of everything else: on a busy machine a gentle one would not come to its turn."""
    monkeypatch.setattr("bot.ops.backups.GENTLE", 0)


@pytest.fixture
async def tables(tmp_path: Path) -> AsyncIterator[GameService]:
    """The tables of a new data folder."""
    write_blank(tmp_path / "data" / "signalbox.db")
    store = await Store.open(tmp_path / "data" / "signalbox.db", patience=0.2)
    yield GameService(store, TITLES)
    await store.close()


@pytest.fixture
def backups(tmp_path: Path) -> Backups:
    """Its backups."""
    return Backups(tmp_path / "data" / "signalbox.db", tmp_path / "backups")

"""The bot in `examples/` plays whole games through the API."""

from __future__ import annotations

import asyncio
import random
import runpy
from pathlib import Path

import pytest

from bot.commands.web.server import BoardServer
from bot.ops.rate_limit import RateLimiter
from bot.service.game_service import GameService
from bot.store import GameStatus, LinkKind
from bot.titles.registry import TITLES
from tests.service.conftest import ANN, BOB

BOT = Path(__file__).resolve().parents[2] / "examples" / "bot.py"
SHORT = "1889"


def test_it_has_at_most_fifty_lines() -> None:
    assert len(BOT.read_text().splitlines()) <= 50


@pytest.mark.parametrize(
    "title", [title if title == SHORT else pytest.param(title, marks=pytest.mark.soak) for title in TITLES]
)
async def test_it_plays_a_whole_game(tables: GameService, board: BoardServer, title: str) -> None:
    """Two programs: the one plays two seats, the other the rest."""
    board.programs.pace = RateLimiter(0)
    names = ["Ann", "Bob", "Cid"][: max(3, TITLES[title].players.start)]
    seats = [(BOB if name == "Bob" else ANN, name) for name in names]
    game_id = await tables.lobby.create(title, ANN, seats, {}, 7)
    await tables.lobby.start(game_id, ANN, "list")
    play = runpy.run_path(str(BOT))["play"]
    tokens = [await tables.links.make(game_id, person, LinkKind.PROGRAM) for person in (ANN, BOB)]
    addresses = [board.link_address(LinkKind.PROGRAM, token) for token in tokens]
    await asyncio.gather(
        *(asyncio.to_thread(play, address, random.Random(seed)) for seed, address in enumerate(addresses))
    )
    table = await tables.desk.table(game_id)
    assert table.record.status == GameStatus.FINISHED
    records = await tables.queries.moves_after(game_id, 0)
    assert {record.person for record in records if record.text} >= {ANN, BOB}

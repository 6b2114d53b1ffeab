"""Games of 18xx.games in the middle of play go on here: imported, moved on, taken back, exported in both forms, cloned."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.service.game_service import GameService
from bot.service.imports.file_io import encode_game_file, write_18xx
from bot.service.imports.formats import import_file
from bot.service.parser.suggestions import legal_texts
from bot.store import Server, Store
from bot.titles.registry import TITLES
from bot.untrusted_input import InvalidFile

pytestmark = pytest.mark.shared

GAMES = ("1848/101", "1844/160062", "18GB/18gb-3p")
ANN = "discord:1"


@pytest_asyncio.fixture
async def tables(place: Path | Server) -> AsyncIterator[GameService]:
    store = await Store.open(place)
    yield GameService(store, TITLES)
    await store.close()


def half(shared: Path, name: str) -> dict[str, Any]:
    """A stored game as it was after half of its actions."""
    found: dict[str, Any] = json.loads((shared / "peer-games" / f"{name}.json").read_bytes())
    found["actions"] = found["actions"][: len(found["actions"]) // 2]
    return found | {"status": "active", "result": {}, "acting": [], "round": None, "turn": None}


async def bring(tables: GameService, content: dict[str, Any]) -> int:
    return await tables.transfer.import_game(import_file(json.dumps(content).encode(), "half.json").course, ANN)


@pytest.mark.parametrize("name", GAMES)
async def test_a_game_goes_on_and_leads_back(tables: GameService, shared: Path, name: str) -> None:
    number = await bring(tables, half(shared, name))
    _, before = await tables.desk.require_started(number)
    played = await tables.moves.submit(number, ANN, legal_texts(before)[-1])
    assert played.version > 0 and played.question
    await tables.moves.undo(number, ANN)
    _, after = await tables.desk.require_started(number)
    assert after.encode() == before.encode()
    course = await tables.queries.game_file(number)
    for form in (encode_game_file(course), write_18xx(course).content):
        _, again = await tables.desk.require_started(await bring(tables, json.loads(form)))
        assert again.encode() == before.encode()
    _, copy = await tables.desk.require_started(await tables.transfer.clone(number, ANN))
    assert copy.encode() == before.encode()


def test_an_action_that_our_rules_refuse_is_named(shared: Path) -> None:
    content = half(shared, GAMES[0])
    lay = next(action for action in content["actions"] if action["type"] == "lay_tile")
    lay["hex"] = "B3"
    with pytest.raises(InvalidFile, match=rf"half.json: action \d+ \(id {lay['id']}\): .* is refused: .*\(1848 §"):
        import_file(json.dumps(content).encode(), "half.json")

"""Messages at a table: who may write, how much, and that they go with the person."""

from __future__ import annotations

import json

import pytest

from bot.engine import GameId
from bot.engine.refusals import IllegalMove
from bot.service.features.talk import LONGEST_TALK, MOST_AN_HOUR
from bot.service.game_service import GameService
from bot.store import Store
from bot.titles.registry import TITLES
from tests.service.conftest import ANN, BOB, CID, Clock


@pytest.fixture
async def tables(store: Store, clock: Clock) -> GameService:
    return GameService(store, TITLES, clock)


@pytest.fixture
async def game_id(tables: GameService) -> GameId:
    number = await tables.lobby.create("1848", ANN, [(ANN, "Ann"), (BOB, "Bob"), (CID, "Cid")], {}, 7)
    await tables.lobby.start(number, ANN, "list")
    return number


async def test_what_is_said_is_kept_and_told_once(tables: GameService, game_id: GameId) -> None:
    await tables.talk.say(game_id, BOB, "I {pass}\nnow\x00")
    await tables.talk.say(game_id, ANN, "Fine")
    assert await tables.talk.latest(game_id, CID, 9) == ["Bob: I {pass} now", "Ann: Fine"]
    assert await tables.talk.latest(game_id, CID, 1) == ["Ann: Fine"]
    told = [str(line) for notice in await tables.desk.store.outbox.list_waiting() for line in notice.lines]
    assert [line for line in told if "Fine" in line] == ["@1: Fine"]


async def test_only_people_of_the_table_say_something_and_not_too_much(
    tables: GameService, game_id: GameId, clock: Clock
) -> None:
    for text in ("", " \n", "x" * (LONGEST_TALK + 1)):
        with pytest.raises(IllegalMove, match="1 to 500"):
            await tables.talk.say(game_id, BOB, text)
    for asker in ("discord:999", ""):
        with pytest.raises(IllegalMove, match="Only players"):
            await tables.talk.say(game_id, asker, "Hello")  # type: ignore[arg-type]
    with pytest.raises(IllegalMove, match="not played here"):
        await tables.talk.latest(game_id, "discord:999", 9)  # type: ignore[arg-type]
    for number in range(MOST_AN_HOUR):
        await tables.talk.say(game_id, BOB, str(number))
    with pytest.raises(IllegalMove, match="20 messages in an hour"):
        await tables.talk.say(game_id, BOB, "more")
    await tables.talk.say(game_id, ANN, "Enough")
    clock.advance(hours=2)
    await tables.talk.say(game_id, BOB, "more")


async def test_it_is_exported_and_erased_with_the_person(tables: GameService, game_id: GameId) -> None:
    await tables.talk.say(game_id, BOB, "My secret")
    await tables.talk.say(game_id, ANN, "Mine")
    assert "My secret" in json.dumps(json.loads(await tables.privacy.personal_data(BOB))["talk"])
    await tables.privacy.forget_person(BOB)
    assert await tables.talk.latest(game_id, CID, 9) == ["Ann: Mine"]
    told = [str(line) for notice in await tables.desk.store.outbox.list_waiting() for line in notice.lines]
    assert not [line for line in told if "secret" in line] and "A message was deleted." in told


@pytest.mark.parametrize("text", ["Hello.", "שלום @2!", "ask @3"])
async def test_what_somebody_has_said_is_found_again(tables: GameService, game_id: GameId, text: str) -> None:
    await tables.talk.say(game_id, ANN, text)
    assert await tables.talk.has_said(game_id, ANN, text, 0.0)
    assert not await tables.talk.has_said(game_id, ANN, f"{text}?", 0.0)
    assert not await tables.talk.has_said(game_id, BOB, text, 0.0)

"""A game always has a place, or says where to give it one: ends at bad moments, games from elsewhere."""

from __future__ import annotations

import asyncio
import json

import pytest

from tests.discord_double.fixtures import double as double
from tests.families import few
from tests.reliability.conftest import haste as haste
from tests.reliability.conftest import table as table
from tests.reliability.table import Table

GAME = json.dumps(
    {"format": "signalbox 1", "title": "1848", "players": ["Ann", "Bob", "Cid"], "moves": ["@1 buy P1 for 30"]}
)


@pytest.mark.parametrize("is_opened", few([False, True], 0), ids=["before the thread", "after it"])
async def test_a_kill_between_an_import_and_its_thread_costs_nothing(table: Table, is_opened: bool) -> None:
    double = table.double
    route = f"POST /channels/{double.channel.id}/threads"
    if is_opened:
        double.faults.slow("POST /channels/*/messages", 30)
        double.faults.lose_answer(route)
    else:
        double.faults.slow(route, 30)
    asking = asyncio.create_task(double.ann.slash("game import", double.channel, file=("game.json", GAME.encode())))
    await table.wait(lambda: double.count(r"POST .*/threads"), "the thread is asked for")
    await table.bot.restart(kill=True)
    double.faults.pending.clear()
    await table.wait(lambda: double.threads and table.boards(), "the board in the thread")
    asking.cancel()
    double.interactions.abandon()
    await double.idle()
    assert len(double.threads) == 1
    assert len(table.boards("was imported")) == 1
    assert "Bob" in (await double.bob.slash("status", table.thread)).text


@pytest.mark.whole
async def test_a_game_without_a_place_asks_its_moderator_for_one(table: Table) -> None:
    await table.open()
    await table.double.idle()
    table.write("DELETE FROM places")
    table.write(
        "INSERT INTO outbox (game, number, kind, lines, created_at) VALUES (1, 0, 'told', '[[\"said\", \"Hello.\", []]]', 1.0)"
    )
    await table.bot.restart(kill=True)
    direct = await table.double.wait_message(lambda: table.double.ann.dm, "it has no channel")
    assert "/moderate here" in direct.content
    new = table.double.add_channel("elsewhere")
    assert "continues here" in (await table.double.ann.slash("moderate here", new, game=1)).text
    table.home = new
    await table.wait(lambda: table.boards("Hello."), "what had to wait")

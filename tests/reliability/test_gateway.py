"""The connection to the gateway, which fails by itself or brings what nobody can read: the bot stays, and says why it ends if it does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.discord_double.double import Double
from tests.discord_double.gateway import SILENT
from tests.families import few
from tests.reliability.table import BLANK_BOT, Table


@pytest.mark.parametrize("code", few([503, 4000, 4003], 0))
async def test_a_first_connection_that_fails_is_tried_again_after_ever_longer_pauses(
    double: Double, tmp_path: Path, code: int
) -> None:
    double.gateway.refuse(code)
    bot = await double.launch(BLANK_BOT, data=tmp_path, wait=False)
    for seconds in (0, 1, 2):
        await bot.logged(f"the gateway is connected again in {seconds} s")
    double.gateway.accept()
    await double.until(lambda: bot.readies, 30, "the bot")
    await Table(double, bot, tmp_path).open()


@pytest.mark.parametrize(("code", "sentence"), [(4004, "refused the token"), (4011, "wants this bot to have shards")])
async def test_a_bot_that_discord_does_not_want_ends_with_a_sentence(
    double: Double, tmp_path: Path, code: int, sentence: str
) -> None:
    double.expect(f"ended by itself with code 1|{sentence}")
    double.gateway.refuse(code)
    bot = await double.launch(BLANK_BOT, data=tmp_path, wait=False)
    await double.until(lambda: not bot.is_running, 30, "its end")
    assert "Traceback" not in bot.tail() and sentence in bot.tail()


async def test_an_event_that_nobody_can_read_is_left_out(table: Table) -> None:
    double = table.double
    await table.open()
    double.expect("cannot be parsed|Traceback")
    for event in ("MESSAGE_CREATE", "GUILD_CREATE", "INTERACTION_CREATE", "THREAD_UPDATE"):
        double.gateway.garble(event)
        await table.bot.logged(f"an event {event} cannot be parsed")
    await table.moved(0)
    assert len(double.gateway.connections) == 1


async def test_a_beginning_that_nobody_can_read_costs_a_new_connection(table: Table) -> None:
    double = table.double
    await table.open()
    double.gateway.garble("READY")
    await table.bot.logged("the gateway is connected again in 0 s")
    await double.until(lambda: double.gateway.live, 30, "the gateway")
    await table.moved(0)


@pytest.mark.parametrize(("answer", "most"), few([(4009, 1), (4000, 5), (SILENT, 1)], 0))
async def test_a_session_that_cannot_be_resumed_is_given_up(
    double: Double, tmp_path: Path, answer: int, most: int
) -> None:
    bot = await double.launch(
        BLANK_BOT, data=tmp_path, environment={"SIGNALBOX_DOUBLE_GREETING": "2", "SIGNALBOX_DOUBLE_PAUSE": "0.1"}
    )
    table = Table(double, bot, tmp_path)
    await table.open()
    double.gateway.resumes_with = answer
    double.gateway.drop()
    await double.until(lambda: double.gateway.live, 60, "a new session")
    began = [connection.began for connection in double.gateway.connections]
    assert began == ["identify", *["resume in vain"] * len(began[1:-1]), "identify"]
    assert 1 <= len(began) - 2 <= most
    await table.moved(0)


async def test_a_move_of_which_discord_tells_twice_is_made_once(table: Table) -> None:
    double = table.double
    await table.open()
    await double.idle()
    dispatch = double.gateway.dispatch

    def twice(event: str, data: Any, intent: int = 0) -> None:
        for _ in range(2 if event == "INTERACTION_CREATE" else 1):
            dispatch(event, data, intent)

    double.gateway.dispatch = twice  # type: ignore[method-assign]
    await double.ann.slash("move", table.thread, move="buy P1")
    await table.bot.logged("an interaction arrived twice")
    await double.idle()
    assert table.moves() == ["@1 buy P1 for 30"]
    assert not [call for call in double.calls if call.status >= 400]

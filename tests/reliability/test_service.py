"""The bot as a service: health, metrics, log lines, rates, scheduled backups, its end."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import random
import re
import socket
import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.commands.discord.bot import Signalbox
from bot.commands.discord.run import CLOSING_SECONDS
from bot.main import SIDE_SERVICES
from bot.ops.loop_lag import freeze_gc
from bot.ops.settings import Settings
from bot.service.game_service import GameService
from bot.store import Store
from bot.titles.registry import TITLES
from tests.discord_double.double import Double
from tests.discord_double.server import TOKEN
from tests.reliability.table import PATIENCE, Table
from tests.store.postgres_cluster import kept_from_writing


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


async def get(port: int, path: str) -> tuple[int, str]:
    """Status and text of an address of the endpoint."""
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}{path}") as answer:
        return answer.status, await answer.text()


def values(text: str) -> dict[str, float]:
    """The samples of a page of metrics, summed over their labels."""
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found[sample.name] = found.get(sample.name, 0.0) + sample.value
    return found


async def test_health_and_metrics_tell_how_the_bot_is(double: Double, tmp_path: Path) -> None:
    port = free_port()
    bot = await double.launch(data=tmp_path / "data", environment={"SIGNALBOX_PORT": str(port)})
    table = Table(double, bot, tmp_path / "data")
    await table.open()
    await table.moved(0)
    await double.bob.slash("move", table.thread, move="buy nonsense")
    while (health := json.loads((await get(port, "/health"))[1]))["outbox"]:
        await asyncio.sleep(0.05)
    await double.idle()
    status, text = await get(port, "/health")
    health = json.loads(text)
    assert (status, health["ok"], health["database"], health["outbox"]) == (200, True, "ok", 0)
    assert (await get(port, "/ready"))[0] == 200
    assert (health["set_aside"], health["stuck_games"]) == (0, 0)
    with closing(sqlite3.connect(tmp_path / "data" / "signalbox.db")) as database, database:
        columns = "queue, key, tries, error, first_at, last_at, set_aside_at, reported_at"
        database.execute(f"INSERT INTO failures ({columns}) VALUES ('outbox', '9', 3, 'no', 1, 1, 1, 1)")
        database.execute(f"INSERT INTO failures ({columns}) VALUES ('mail', '7', 5, 'no', 1, 1, 1, 1)")
    health = json.loads((await get(port, "/health"))[1])
    assert (health["set_aside"], health["stuck_games"]) == (2, 1)
    status, text = await get(port, "/metrics")
    found = values(text)
    assert found["signalbox_moves_total"] == 1
    assert found["signalbox_refusals_total"] == 1
    assert found["signalbox_gateway_ready"] == 1
    assert found["signalbox_outbox_notices"] == 0
    assert found["signalbox_picture_seconds_count"] >= 2
    assert found["signalbox_save_seconds_count"] > 4
    assert found["signalbox_event_loop_lag_seconds_count"] > 1
    assert (await get(port, "/else"))[0] == 404
    with pytest.raises(OSError), socket.create_connection((own_address(), port), 1):
        pass


def own_address() -> str:
    """This machine's address on its network; another loopback address where it has none."""
    try:
        found = socket.gethostbyname(socket.gethostname())
    except OSError:
        found = "127.0.0.2"
    return found if found != "127.0.0.1" else "127.0.0.2"


async def test_an_outage_of_discord_is_not_ready_but_well(double: Double, tmp_path: Path) -> None:
    port = free_port()
    await double.launch(data=tmp_path / "data", environment={"SIGNALBOX_PORT": str(port)})
    double.go_down()
    for _ in range(100):
        if (await get(port, "/ready"))[0] == 503:
            break
        await asyncio.sleep(0.05)
    status, text = await get(port, "/ready")
    assert (status, json.loads(text)["gateway"]) == (503, "connecting")
    assert (await get(port, "/health"))[0] == 200


@pytest.mark.whole
async def test_json_lines_without_the_token_even_when_everything_is_logged(double: Double, tmp_path: Path) -> None:
    program = tmp_path / "chatty.py"
    program.write_text(
        "import logging, bot.ops.logs as logs\n"
        "set_up = logs.set_up\n"
        "logs.set_up = lambda form, secrets: set_up(form, secrets, logging.DEBUG)\n"
        "from bot.cli.main import main\n"
        "if __name__ == '__main__':\n"
        "    raise SystemExit(main(['run']))\n"
    )
    bot = await double.launch(str(program), data=tmp_path / "data", environment={"SIGNALBOX_LOG": "json"})
    table = Table(double, bot, tmp_path / "data")
    await table.open()
    await table.moved(0)
    await double.idle()
    await bot.terminate()
    lines = [json.loads(line) for line in bot.lines]
    assert {"DEBUG", "INFO"} <= {line["level"] for line in lines}
    assert any(line.get("game") == 1 and line["message"] == "saved" for line in lines)
    everything = "\n".join(bot.lines)
    secrets = [TOKEN, *(interaction.token for interaction in double.interactions.all)]
    assert len(secrets) > 4
    assert [secret for secret in secrets if secret in everything] == []


async def test_somebody_too_fast_is_asked_to_wait_and_others_are_not(double: Double, tmp_path: Path) -> None:
    bot = await double.launch(data=tmp_path / "data", environment={"SIGNALBOX_RATE": "1"})
    table = Table(double, bot, tmp_path / "data")
    await table.open()
    answers = [(await double.dora.slash("status", table.thread)).text for _ in range(32)]
    assert "OR" in answers[0] or "P1" in answers[0]
    assert "please wait" in answers[-1]
    assert not any("please wait" in answer for answer in answers[:29])
    await table.moved(0)


async def test_a_scheduled_backup_is_made_when_one_is_due(
    double: Double, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = Settings.from_env({"SIGNALBOX_DATA": str(tmp_path), "SIGNALBOX_RATE": "0"})
    store = await Store.open(tmp_path / "signalbox.db")
    client = Signalbox(GameService(store, TITLES), settings, SIDE_SERVICES)
    async with double.in_process(client):
        jobs = {job.func.__name__: job.trigger.interval.total_seconds() for job in client.scheduler.get_jobs()}
        assert jobs["back_up"] == 300
        await client.back_up()
        await client.back_up()
        assert len(client.backups.names()) == 1
        client.backups.names()[0].unlink()
        client.backups.database = tmp_path / "none.db"
        double.expect("log: ERROR .*No backup was made")
        with caplog.at_level(logging.ERROR):
            await client.back_up()
    await store.close()


# -- the end ------------------------------------------------------------------------------------------


async def test_a_search_for_reminders_comes_to_its_end_and_no_other_begins(double: Double, tmp_path: Path) -> None:
    settings = Settings.from_env({"SIGNALBOX_DATA": str(tmp_path), "SIGNALBOX_RATE": "0"})
    store = await Store.open(tmp_path / "signalbox.db")
    client = Signalbox(GameService(store, TITLES), settings, SIDE_SERVICES)
    begun, ended = 0, 0

    async def slow() -> None:
        nonlocal begun, ended
        begun += 1
        await asyncio.sleep(0.3)
        ended += 1

    async with double.in_process(client):
        await double.idle()
        client.tables.reminders.sweep = slow  # type: ignore[method-assign, assignment]
        client.scheduler.get_jobs()[0].modify(next_run_time=datetime.now(UTC))
        while not begun:
            await asyncio.sleep(0.01)
        await client.close()
        assert (begun, ended) == (1, 1)
        await client.sweep()
        assert (begun, ended) == (1, 1)
    await store.close()


@pytest.mark.whole
async def test_whoever_is_in_is_answered_before_the_end(table: Table) -> None:
    await table.open()
    await table.double.idle()
    with kept_from_writing(table.place):
        moving = asyncio.create_task(table.move(0))
        await asyncio.sleep(0.5)
        ending = asyncio.create_task(table.bot.terminate())
        await asyncio.sleep(0.3)
        late = await table.people[1].slash("status", table.thread)
        assert "is restarting" in late.text
    assert "buys P1" in (await moving).text
    assert await ending == 0
    await table.bot.start()
    await table.wait(lambda: table.boards("buys P1"), "the board")
    assert len(table.boards("buys P1")) == 1


@pytest.mark.whole
async def test_an_end_in_mid_post_is_quick_and_the_post_is_made_once(table: Table) -> None:
    await table.open()
    await table.double.idle()
    seconds = 120.0
    table.double.faults.slow("POST /channels/*/messages", seconds, times=1)
    await table.move(0)
    await asyncio.sleep(0.2)
    began = time.monotonic()
    assert await table.bot.terminate() == 0
    assert time.monotonic() - began < seconds, "it does not wait for Discord"
    assert CLOSING_SECONDS < 10, "the promise of docs/reference/operations.md"
    table.double.faults.pending.clear()
    await table.bot.start()
    await table.wait(lambda: table.pings(table.double.bob) and table.boards("buys P1"), "the question and the record")
    assert len(table.boards("buys P1")) == len(table.pings(table.double.bob)) == 1


@pytest.mark.whole
async def test_a_refusal_of_a_written_move_is_said_before_the_end(table: Table) -> None:
    await table.open()
    await table.double.idle()
    bob = table.double.bob
    table.double.faults.slow("POST /channels/*/messages", 1.0)
    await bob.say(table.thread, "buy P1", mention_bot=True)
    await table.wait(lambda: not table.double.faults.pending, "the refusal is on its way")
    assert await table.bot.terminate() == 0
    assert [message for message in bob.dm.messages if "Ann" in message.content]


@pytest.mark.parametrize("seed", range(6))
async def test_stopped_at_any_moment_of_its_start_it_ends_well(double: Double, tmp_path: Path, seed: int) -> None:
    bot = await double.launch(data=tmp_path / "data", wait=False)
    await bot.logged("INFO", PATIENCE)
    await asyncio.sleep(random.Random(seed).random() * 0.3)
    assert await bot.terminate() == 0
    assert not [line for line in bot.lines if re.search("never retrieved|Unclosed|never awaited|Traceback", line)]


async def test_two_bots_do_not_share_a_data_folder(table: Table) -> None:
    double = table.double
    second = await double.launch(data=table.data, wait=False)
    double.expect("bot: ended by itself with code 1")
    assert await second.logged("Another bot runs in this data folder", PATIENCE)
    await second.finish()
    await table.open()


@pytest.mark.whole
async def test_a_bot_that_starts_during_an_outage_waits_for_its_end(double: Double, tmp_path: Path) -> None:
    double.is_down = True
    bot = await double.launch(data=tmp_path / "data", wait=False)
    await bot.logged("Discord cannot be reached", 60)
    double.come_back()
    await double.until(lambda: bot.readies, 30, "ready")


def test_the_collector_of_garbage_passes_over_what_was_there_at_the_start() -> None:
    before = gc.get_freeze_count()
    try:
        freeze_gc()
        assert gc.get_freeze_count() > before + len(TITLES)
        assert len(gc.get_objects()) < gc.get_freeze_count()
    finally:
        gc.unfreeze()

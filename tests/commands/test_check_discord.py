"""`signalbox run --check` says what Discord would refuse, and changes nothing there."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from bot.commands.discord.discord_errors import PERMISSIONS
from bot.interpreter import interpreter_line
from tests.commands.discord_table import Table
from tests.commands.discord_table import table as table
from tests.discord_double.double import Double
from tests.discord_double.fixtures import double as double
from tests.discord_double.launcher import BOOT
from tests.discord_double.nursery import REPOSITORY
from tests.discord_double.server import TOKEN


async def checked(double: Double, data: Path, **environment: str) -> tuple[int, str]:
    """Exit code and all that is printed."""
    everything = {**os.environ, "SIGNALBOX_DOUBLE": double.url, "SIGNALBOX_DATA": str(data), "DISCORD_TOKEN": TOKEN}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(BOOT), "-m", "bot", "run", "--check"),
        cwd=REPOSITORY,
        env=everything | environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    printed, _ = await process.communicate()
    return process.returncode or 0, printed.decode()


async def test_all_is_well(double: Double, tmp_path: Path) -> None:
    code, said = await checked(double, tmp_path / "data")
    assert code == 0, said
    assert "server 'Railway Club': games can be opened in 1 of 1 channels" in said and "all is well" in said
    assert interpreter_line() in said
    assert not (tmp_path / "data").exists(), "nothing is made"
    assert not [message for channel in double.world.channels.values() for message in channel.history], "nothing is said"


async def test_what_a_channel_lacks(double: Double, tmp_path: Path) -> None:
    double.forbid(double.add_channel("quiet"), "attach_files", "send_messages_in_threads")
    double.forbid(double.add_channel("secret"), "view_channel")
    code, said = await checked(double, tmp_path)
    assert code == 0, said
    assert "games can be opened in 1 of 3 channels" in said
    assert "#quiet lacks " in said and {"Attach Files", "Send Messages in Threads"} <= set(
        said.partition("#quiet lacks ")[2].splitlines()[0].split(", ")
    )
    assert "secret" not in said, "a channel from which the bot is kept is nobody's mistake"


@pytest.mark.whole
async def test_a_server_where_no_game_can_be_opened(double: Double, tmp_path: Path) -> None:
    double.forbid(double.channel, "create_public_threads")
    code, said = await checked(double, tmp_path)
    assert code == 1 and "in 0 of 1 channels" in said and "something is missing" in said


@pytest.mark.whole
async def test_in_a_forum_a_game_is_a_post(double: Double, tmp_path: Path) -> None:
    double.forbid(double.channel, "create_public_threads")
    forum = double.add_forum("18xx")
    double.forbid(forum, "create_public_threads")
    code, said = await checked(double, tmp_path)
    assert code == 0 and "in 1 of 2 channels" in said and "#18xx" not in said
    double.forbid(forum, "send_messages")
    code, said = await checked(double, tmp_path)
    assert code == 1 and "in 0 of 2 channels" in said and "#18xx lacks Create Posts" in said


@pytest.mark.whole
async def test_a_game_that_cannot_go_on(table: Table, tmp_path: Path) -> None:
    await table.open()
    data = Path(table.bot.environment["SIGNALBOX_DATA"])
    await table.bot.terminate()
    table.double.add_channel("another")
    assert "game 1" not in (await checked(table.double, data))[1]
    table.double.forbid(table.double.channel, "embed_links")
    code, said = await checked(table.double, data)
    assert code == 1 and "game 1 in #games lacks Embed Links" in said
    table.double.forbid(table.double.channel, "view_channel")
    assert "game 1: its channel cannot be seen" in (await checked(table.double, data))[1]
    del table.double.world.channels[table.thread.id]
    table.double.expect("404 10003")
    code, said = await checked(table.double, data)
    assert code == 1 and "game 1: its channel is gone; type /moderate here" in said


@pytest.mark.whole
async def test_token_and_intents(double: Double, tmp_path: Path) -> None:
    double.gateway.grants_content = False
    code, said = await checked(double, tmp_path, DISCORD_MESSAGE_CONTENT="1")
    assert code == 1 and "message content intent" in said
    assert [line.partition(" ")[0] for line in said.splitlines()] == ["Python", "signalbox:"], said
    double.expect("401")
    code, said = await checked(double, tmp_path, DISCORD_TOKEN="none")
    assert code == 1 and "refused the token" in said
    code, said = await checked(double, tmp_path, DISCORD_TOKEN="")
    assert code == 2 and "DISCORD_TOKEN is not set" in said
    code, said = await checked(double, tmp_path, SIGNALBOX_DOUBLE="http://127.0.0.1:9")
    assert code == 1 and "cannot be reached" in said


def test_every_permission_has_its_name_in_readme() -> None:
    readme = " ".join((REPOSITORY / "README.md").read_text().replace("*", "").split())
    assert ", ".join(PERMISSIONS.values()) in readme

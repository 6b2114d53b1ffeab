"""Games that are brought here through Discord's double: what goes wrong with one is told to whoever brought it, and harms
nobody else."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from tests.discord_double.double import Double
from tests.discord_double.launcher import BotProcess
from tests.discord_double.user import Reply, ScriptedUser
from tests.reliability.hostile import own, text
from tests.reliability.table import Table

STAYS = """
from bot.service.registry import file_commands
from bot.cli.main import main
from tests.service.failing_imports import read_or_stay

if __name__ == "__main__":
    file_commands.read_file = read_or_stay
    raise SystemExit(main(["run"]))
"""
"""The bot, whose porter never ends with a file that holds a path, but writes its process's number there."""


async def brings(person: ScriptedUser, double: Double, content: bytes) -> Reply:
    """Import a file."""
    return await person.slash("game import", double.channel, file=("game.json", content))


async def staying(double: Double, folder: Path) -> BotProcess:
    """The bot that stays where it is told to."""
    program = folder / "stays.py"
    program.write_text(STAYS)
    return await double.launch(str(program), data=folder / "data")


async def begun(path: Path) -> int:
    """The number of the porter's process."""
    while not path.exists():
        await asyncio.sleep(0.02)
    return int(path.read_text())


@pytest.mark.whole
async def test_the_death_of_the_process_costs_one_import(double: Double, tmp_path: Path) -> None:
    table = Table(double, await staying(double, tmp_path), tmp_path / "data")
    here = tmp_path / "begun"
    hers = asyncio.create_task(brings(double.ann, double, bytes(here)))
    number = await begun(here)
    his = asyncio.create_task(brings(double.bob, double, text(own())))
    os.kill(number, signal.SIGKILL)
    assert "process that replayed that game died" in (await hers).text
    assert "continues after 0 moves" in (await his).text
    assert "continues after 0 moves" in (await brings(double.ann, double, text(own()))).text
    assert len(table.rows("SELECT * FROM games")) == 2


@pytest.mark.whole
async def test_a_person_has_two_files_there_and_a_server_six(double: Double, tmp_path: Path) -> None:
    await staying(double, tmp_path)
    people = (double.ann, double.bob, double.cid)
    here = tmp_path / "begun"
    jobs = {asyncio.create_task(brings(double.ann, double, bytes(here)))}
    number = await begun(here)
    jobs |= {asyncio.create_task(brings(who, double, text(own()))) for who in (*people, *people, *people[1:])}
    refused: set[asyncio.Task[Reply]] = set()
    while len(refused) < 3:
        done, jobs = await asyncio.wait(jobs, return_when=asyncio.FIRST_COMPLETED)
        refused |= done
    assert ["2 of your files" in (await reply).text for reply in refused] == [True] * 3
    assert "6 files from this server" in (await brings(double.dora, double, text(own()))).text
    os.kill(number, signal.SIGKILL)
    texts = [(await reply).text for reply in jobs]
    assert sorted("continues after 0 moves" in text for text in texts) == [False] + [True] * 5


async def test_a_file_is_fetched_when_its_turn_has_come(double: Double, tmp_path: Path) -> None:
    await staying(double, tmp_path)
    here = tmp_path / "begun"
    first = asyncio.create_task(brings(double.ann, double, bytes(here)))
    number = await begun(here)
    jobs = [asyncio.create_task(brings(double.bob, double, text(own()))) for _ in range(3)]
    [refused], waiting = await asyncio.wait(jobs, return_when=asyncio.FIRST_COMPLETED)
    assert "2 of your files" in (await refused).text
    double.world.files.clear()
    os.kill(number, signal.SIGKILL)
    assert "died" in (await first).text
    assert ["Discord did not deliver that file" in (await job).text for job in waiting] == [True] * 2


@pytest.mark.whole
async def test_sigterm_sends_away_whoever_waits(double: Double, tmp_path: Path) -> None:
    bot = await staying(double, tmp_path)
    here = tmp_path / "begun"
    jobs = [asyncio.create_task(brings(double.ann, double, bytes(here)))]
    number = await begun(here)
    jobs += [asyncio.create_task(brings(who, double, text(own()))) for who in (double.bob, double.cid)]
    await double.until(lambda: len(double.interactions.waiting()) == 3, 30)
    assert await bot.terminate() == 0
    assert ["is restarting" in (await job).text for job in jobs] == [True] * 3
    assert not Path(f"/proc/{number}").exists()
    assert Table(double, bot, tmp_path / "data").rows("SELECT * FROM games") == []

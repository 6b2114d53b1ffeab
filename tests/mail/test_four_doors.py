"""A whole game of 1848 by four people: Ann in Discord, Bob and Cid by mail, Dan at a terminal; from the invitation to the final
scores, through Discord's double and real mail servers."""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from email.message import EmailMessage
from itertools import takewhile
from pathlib import Path

import pytest
import pytest_asyncio

from bot.ai.fuzzer import RandomGame
from bot.engine.ids import seat
from bot.engine.notation.text import parse_action
from bot.engine.play.game import Game
from bot.titles.registry import TITLES
from tests.discord_double.double import Double
from tests.discord_double.fixtures import double as double
from tests.mail.conftest import BOB, CID, OWN, words
from tests.mail.servers import ABSENT, Client, MailServers, are_here
from tests.mail.test_servers import answered, new, servers

pytestmark = [
    pytest.mark.mail,
    pytest.mark.skipif(not are_here(), reason=ABSENT),
]

TITLE, SEED, SECONDS = TITLES["1848"], 38, 60.0
NAMES = ("Ann", "Bob", "Cid", "Dan")


def script() -> list[tuple[int, str]]:
    """A short game of chance: whose seat, and the text."""
    played = RandomGame(TITLE, len(NAMES), SEED, is_audited=False)
    for _ in played.moves():
        pass
    game = Game.new(TITLE, NAMES, {}, SEED)
    moves: list[tuple[int, str]] = []
    for text in played.texts:
        action = parse_action(TITLE, text)
        decider = game.controller_of(action.by)
        moves.append((next(number for number in range(1, 5) if seat(number) == decider), text))
        game.apply(action)
    assert game.state.finished
    return moves


class Terminal:
    """Somebody at a terminal on the bot's machine."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.lines: list[str] = []

    @classmethod
    async def begin(cls, folder: Path) -> Terminal:
        """The program, with a pipe."""
        environment = {**os.environ, "SIGNALBOX_DATA": str(folder), "SIGNALBOX_WEB": "0"}
        return cls(
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bot", "console"),
                env=environment,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
        )

    async def type(self, line: str, until: str) -> None:
        """Type a line, and read until a line holds that."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{line}\n".encode())
        async with asyncio.timeout(SECONDS):
            while line := (await self.process.stdout.readline()).decode():
                self.lines.append(line)
                if until in line:
                    return
        raise AssertionError("".join(self.lines[-20:]))

    async def end(self) -> None:
        """Leave."""
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()


@pytest_asyncio.fixture
async def terminal(tmp_path: Path, double: Double) -> AsyncIterator[Terminal]:
    (tmp_path / "data").mkdir()
    opened = await Terminal.begin(tmp_path / "data")
    yield opened
    await opened.end()


def version(folder: Path) -> int:
    """How far the game is."""
    with closing(sqlite3.connect(folder / "signalbox.db", timeout=10)) as database:
        return int(database.execute("SELECT version FROM games WHERE id = 1").fetchone()[0])


def made(folder: Path) -> list[str]:
    """Every move that was made."""
    with closing(sqlite3.connect(folder / "signalbox.db", timeout=10)) as database:
        return [text for (text,) in database.execute("SELECT text FROM moves WHERE kind = 'move' ORDER BY number")]


async def asked(client: Client, record: int) -> EmailMessage:
    """The first mail of somebody that was written after this record."""
    while True:
        mail = await new(client)
        found = re.search(r"\+1-(\d+)-", str(mail["Reply-To"]))
        if found and int(found[1]) >= record:
            return mail


async def test_a_game_of_four_people_at_three_doors(
    double: Double, terminal: Terminal, servers: MailServers, tmp_path: Path
) -> None:
    folder = tmp_path / "data"
    await double.launch(data=folder, environment=dict(servers.environment(OWN)))
    ann, clients = double.ann, {2: servers.client(BOB), 3: servers.client(CID)}
    await ann.slash("game new", double.channel, title="1848")
    code = re.search(r"[\w-]{20,}", (await ann.slash("game invite", double.channel, game=1)).text)
    assert code is not None
    last = {}
    for number, client in clients.items():
        client.write("hello", OWN)
        last[number] = await answered(client, await new(client), f"join 1 {code[0]} {NAMES[number - 1]}")
        assert f"{NAMES[number - 1]} is in game" in words(last[number])
    await terminal.type(f"join 1 {code[0]} Dan", "In: ")
    await ann.slash("game start", double.channel, order="list")
    await terminal.type("open 1", "Game 1:")
    thread = double.threads[-1]

    moves = script()
    while (done := len(made(folder))) < len(moves):
        # What nobody could do otherwise has been done for him.
        who = moves[done][0]
        texts = [text for _, text in takewhile(lambda move, who=who: move[0] == who, moves[done:])]
        before = version(folder)
        if who == 1:
            await ann.slash("move", thread, move="; ".join(texts))
        elif who == 4:
            await terminal.type("; ".join(texts), "  ")
        else:
            clients[who].answer(await asked(clients[who], before), "\n".join(texts))
        async with asyncio.timeout(SECONDS):
            while len(made(folder)) < done + len(texts):
                await asyncio.sleep(0.05)

    for client in clients.values():
        over = await asked(client, version(folder))
        assert "The game is over." in words(over) and "final report" in words(over)
    await double.until(lambda: any("final report" in one.text for one in thread.messages), SECONDS, "the report")
    assert made(folder) == [text for _, text in moves]


__all__ = ["Iterator", "servers"]

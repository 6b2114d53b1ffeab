"""Tables with a game of 1848 under way, and its board pages, asked as a browser asks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientResponse, ClientSession, CookieJar, DummyCookieJar

from bot.commands.web.server import BoardServer
from bot.service.game_service import GameService
from bot.store import Store
from bot.titles.registry import TITLES
from tests.blank_database import write_blank
from tests.service.conftest import ANN, BOB, CID, Clock

OWN = {"X-Signalbox": "1"}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def tables(tmp_path: Path, clock: Clock) -> AsyncIterator[GameService]:
    write_blank(tmp_path / "signalbox.db")
    store = await Store.open(tmp_path / "signalbox.db")
    yield GameService(store, TITLES, clock)
    await store.close()


@pytest.fixture
async def game_id(tables: GameService) -> int:
    """Ann, Bob and Cid; Ann moderates, Bob is asked."""
    number = await tables.lobby.create("1848", ANN, [(ANN, "Ann"), (BOB, "Bob"), (CID, "Cid")], {}, 7)
    await tables.lobby.start(number, ANN, "list")
    await tables.moves.submit(number, ANN, "buy P1")
    return number


@pytest.fixture
async def board(tables: GameService) -> AsyncIterator[BoardServer]:
    opened = BoardServer(tables)
    await opened.open()
    yield opened
    await opened.close()


OPENING = ["buy P2", "buy P3", "buy P4", "buy P5", "buy P6"]
STOCK = ["par VR 90", "par NSW 80", "buy CAR", "buy CAR", "buy CAR", "buy CAR", "pass", "pass", "pass"]


async def play_all(tables: GameService, game_id: int, texts: list[str]) -> None:
    """Each by whoever is asked."""
    for text in texts:
        table, current = await tables.desk.require_started(game_id)
        person = table.seats[int(current.players_to_act()[0][1:]) - 1].person
        await tables.moves.submit(game_id, person, text)


class Browser:
    """Asks the pages; `holds` keeps cookies as a browser does."""

    def __init__(self, board: BoardServer, holds: bool = True) -> None:
        self.board = board
        self.session = ClientSession(cookie_jar=CookieJar(unsafe=True) if holds else DummyCookieJar())

    def url(self, path: str) -> str:
        """The address of a page."""
        return path if "://" in path else f"http://127.0.0.1:{self.board.address.port}{path}"

    async def get(self, path: str, **headers: str) -> tuple[int, str]:
        """Status and text of a page."""
        answer = await self.ask("GET", path, headers=headers)
        return answer.status, await answer.text()

    async def post(self, path: str, data: Any, headers: dict[str, str] | None = None) -> tuple[int, str]:
        """The same for a change that the page itself asks for."""
        own = {**OWN, "Origin": self.board.address.origin} if headers is None else headers
        answer = await self.ask("POST", path, json=data, headers=own)
        return answer.status, await answer.text()

    async def ask(self, method: str, path: str, **more: Any) -> ClientResponse:
        """Any request."""
        return await self.session.request(method, self.url(path), **more)

    async def enter(self, address: str) -> tuple[int, str]:
        """Follow a personal link, as its page does."""
        return await self.post("/enter", {"token": address.partition("#")[2]})


@pytest.fixture
async def browser(board: BoardServer) -> AsyncIterator[Browser]:
    found = Browser(board)
    yield found
    await found.session.close()


@pytest.fixture
async def look(tables: GameService, board: BoardServer, game_id: int) -> str:
    """The address of a look link."""
    return board.doors.look_address(await tables.links.make(game_id, ANN))


async def events(browser: Browser, path: str) -> tuple[asyncio.Queue[str], asyncio.Task[None]]:
    """What a stream says, until it ends (an empty line)."""
    said: asyncio.Queue[str] = asyncio.Queue()

    async def read() -> None:
        answer = await browser.ask("GET", f"{path}stream")
        async for line in answer.content:
            if line.startswith(b"data: "):
                said.put_nowait(line.decode().strip())
        said.put_nowait("")

    return said, asyncio.create_task(read())

"""The board page: its weight, how soon it is there, how soon many see a move that another program makes.

The pages are served by a process of its own (`python -m bot.bench.web_page FOLDER`); the moves and the browsers are here.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, ClientTimeout, TCPConnector

from bot.engine import GameId
from bot.service.game_service import GameService
from bot.store import Store
from bot.threads import run_in_thread
from bot.titles.registry import TITLES

from .fixtures import PERSON, open_game

SPECTATORS, MOVES = 300, 60
"""How many look on at once, and how many moves one of them watches."""

A_LINK = 100

FILES = re.compile(r'(?:src|href)="(/static/[^"]+)"')
FONTS = re.compile(r"url\([\"']?([^\"')]+\.woff2)")
PACKED = {"Accept-Encoding": "gzip"}


def board(title: str, texts: Sequence[str], quick: bool) -> dict[str, Any]:
    """All that `bench` says of the board page; `texts` are the moves of a game of four."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measure(Path(folder), title, texts, 15 if quick else MOVES, 50 if quick else SPECTATORS))


async def _measure(folder: Path, title: str, texts: Sequence[str], moves: int, spectators: int) -> dict[str, Any]:
    async with await Store.open(folder / "bench.db") as store:
        tables = GameService(store, TITLES)
        game = await open_game(tables, title)
        half = len(texts) // 2
        await tables.moves.submit_texts(game, PERSON, list(texts[:half]))
        async with page_server(folder) as (port, finish), _browser(port) as browser:
            report = await _page(browser, f"/b/{await tables.links.make(game, PERSON)}/")
            report |= {"tiles_ms_p95": await _tiles(browser, tables, game)}
            token = await tables.links.make(game, PERSON)
            rest = iter(texts[half:])
            lone = [await _update_seconds(browser, token, 1, tables, game, next(rest)) for _ in range(moves)]
            lone_times = sorted(seconds for (seconds,) in lone)
            crowd = await _update_seconds(browser, token, spectators, tables, game, next(rest))
            served = await finish()
        return report | {
            "move_to_spectator_ms_p50": _milliseconds(lone_times[len(lone_times) // 2]),
            "move_to_spectator_ms_p95": _milliseconds(lone_times[int(len(lone_times) * 0.95)]),
            "spectators": spectators,
            "spectators_served_ms": _milliseconds(max(crowd)),
            **served,
        }


def _milliseconds(seconds: float) -> float:
    return round(1000 * seconds, 1)


@asynccontextmanager
async def _browser(port: int) -> AsyncIterator[ClientSession]:
    connector, patience = TCPConnector(limit=0), ClientTimeout(total=120)
    async with ClientSession(
        f"http://127.0.0.1:{port}", connector=connector, timeout=patience, headers=PACKED, auto_decompress=False
    ) as session:
        yield session


# -- what is measured ---------------------------------------------------------------------------------


async def _page(browser: ClientSession, path: str) -> dict[str, Any]:
    """The first look, that of others, and the weight of all that a browser loads, packed as it comes."""
    times, weight = [], 0
    for _ in range(10):
        began = time.perf_counter()
        page = await _load(browser, path)
        files = FILES.findall(gzip.decompress(page).decode())
        parts = await asyncio.gather(*(_load(browser, name) for name in files))
        styles = [
            gzip.decompress(part).decode() for name, part in zip(files, parts, strict=True) if name.endswith(".css")
        ]
        fonts = [name for style in styles for name in FONTS.findall(style)]
        there = next((name.rpartition("/")[0] for name in files if name.endswith(".css")), "")
        parts += await asyncio.gather(*(_load(browser, f"{there}/{name.rpartition('/')[2]}") for name in fonts))
        times.append(time.perf_counter() - began)
        weight = len(page) + sum(map(len, parts))
    return {
        "page_kb_packed": round(weight / 1024, 1),
        "page_first_ms": _milliseconds(times[0]),
        "page_load_ms": _milliseconds(sorted(times[1:])[4]),
    }


async def _tiles(browser: ClientSession, tables: GameService, game_id: GameId) -> float:
    """From the click on a space to what can be laid there: every space once, a hundred of them by each link, since nobody
    is drawn more at once than that."""
    table, position = await tables.desk.require_started(game_id)
    times, token = [], ""
    for number, hex_id in enumerate(position.board_rules.map.hexes):
        if number % A_LINK == 0:
            token = await tables.links.make(game_id, PERSON)
        began = time.perf_counter()
        await _load(browser, f"/b/{token}/space/{hex_id}?version={table.record.version}")
        times.append(time.perf_counter() - began)
    return _milliseconds(sorted(times)[int(len(times) * 0.95)])


async def _update_seconds(
    browser: ClientSession, token: str, number: int, tables: GameService, game_id: GameId, text: str
) -> list[float]:
    """Seconds from a move's beginning, here, until each watcher has the new board."""
    looking = asyncio.Event()
    waiting = number

    async def look() -> float:
        nonlocal waiting
        async with browser.get(f"/b/{token}/stream") as stream:
            first = ""
            async for line in stream.content:
                if not line.startswith(b"data: "):
                    continue
                stamp = line.decode()
                if not first:
                    first, waiting = stamp, waiting - 1
                    if not waiting:
                        looking.set()
                elif stamp != first:
                    await _load(browser, f"/b/{token}/board")
                    return time.perf_counter()
        raise RuntimeError("the stream has ended")

    watching = [asyncio.create_task(look()) for _ in range(number)]
    await looking.wait()
    await asyncio.sleep(0.1)
    began = time.perf_counter()
    await tables.moves.submit(game_id, PERSON, text)
    return [await task - began for task in watching]


async def _load(browser: ClientSession, path: str) -> bytes:
    async with browser.get(path) as answer:
        answer.raise_for_status()
        return await answer.read()


# -- the server ---------------------------------------------------------------------------------------


@asynccontextmanager
async def page_server(folder: Path) -> AsyncIterator[tuple[int, Any]]:
    """A process that serves the pages: its port, and how it is ended and says how it went."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot.bench.web_page", str(folder)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None and process.stdout is not None
    reading, writing = process.stdout, process.stdin

    async def finish() -> dict[str, Any]:
        writing.close()
        found: dict[str, Any] = json.loads(await reading.readline())
        return found

    try:
        yield int(await reading.readline()), finish
    finally:
        writing.close()
        await process.wait()


async def serve(folder: Path) -> None:
    """Serve as the bot does until standard input ends; then print how long the loop was ever away, how much it
    worked in that time (others had the processor for the rest), and the memory."""
    from bot.commands.web.server import BoardServer
    from bot.ops.loop_lag import freeze_gc

    store = await Store.open(folder / "bench.db")
    pages = BoardServer(GameService(store, TITLES))
    await pages.open()
    freeze_gc()
    print(pages.address.port, flush=True)
    ending = asyncio.create_task(run_in_thread(sys.stdin.read))
    longest = most = 0.0
    while not ending.done():
        began, worked = time.perf_counter(), time.thread_time()
        await asyncio.sleep(0.002)
        longest = max(longest, time.perf_counter() - began - 0.002)
        most = max(most, time.thread_time() - worked)
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    report = {
        "server_loop_block_ms_max": _milliseconds(longest),
        "server_loop_work_ms_max": _milliseconds(most),
        "server_rss_mb": round(resident, 1),
    }
    print(json.dumps(report))
    await pages.close()
    await store.close()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))

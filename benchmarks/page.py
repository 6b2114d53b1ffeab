"""`signalbox bench --page`: the board page as a phone sees it, in Chromium on a slow line (4G of 1.6 Mbit/s, 150 ms) with a
processor four times slower: what a first visit loads, when it paints, when a choice can be tapped, how much it shifts."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from playwright.async_api import Browser, BrowserContext, Page, async_playwright

from bot.bench.fixtures import PERSON, open_game, random_moves
from bot.bench.web_page import page_server
from bot.cli.games import progress_bar
from bot.ops.settings import InvalidSetting
from bot.service.features.board_links import link_address
from bot.service.game_service import GameService
from bot.store import LinkKind, Store
from bot.titles.registry import TITLES

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SLOW_LINE = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 94_000}
"""Bytes a second, and milliseconds a round trip."""

SLOWER = 4
VISITS = {True: 1, False: 5}
"""Number of first visits to each title's page, quick and full."""

LONGEST_MS = 60_000
WATCH = """
globalThis.seen = {usable: 0, shift: 0, largest: 0};
new PerformanceObserver(list => { for (const one of list.getEntries()) if (!one.hadRecentInput) seen.shift += one.value; })
  .observe({type: "layout-shift", buffered: true});
new PerformanceObserver(list => { for (const one of list.getEntries()) seen.largest = one.startTime; })
  .observe({type: "largest-contentful-paint", buffered: true});
const look = setInterval(() => {
  const choice = document.querySelector("#act button:not([disabled])");
  const [visit] = performance.getEntriesByType("navigation");
  if (!choice || !choice.offsetParent || !visit.domContentLoadedEventEnd || !performance.getEntriesByType("paint").length) return;
  seen.usable = performance.now();
  clearInterval(look);
}, 20);
"""
"""A choice can be tapped as soon as one has been painted and the scripts have run."""

FOUND = """({...seen, first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0})"""


def find_chromium() -> str | None:
    """The program: `SIGNALBOX_CHROMIUM`, else whatever this machine has."""
    return os.environ.get("SIGNALBOX_CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), None)


def page(quick: bool) -> dict[str, Any]:
    """Medians by title. :raises InvalidSetting: there is no Chromium here."""
    program = find_chromium()
    if program is None:
        raise InvalidSetting("--page needs Chromium; SIGNALBOX_CHROMIUM names it where it has another name.")
    titles = [*TITLES][:1] if quick else [*TITLES]
    return {
        title: asyncio.run(_measure(program, title, VISITS[quick]))
        for title in progress_bar(titles, "titles", len(titles))
    }


async def _measure(program: str, title: str, visits: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(Path(folder) / "bench.db")
        tables = GameService(store, TITLES)
        game = await open_game(tables, title)
        texts = random_moves(title)
        await tables.moves.submit_texts(game, PERSON, list(texts[: len(texts) // 2]))
        token = await tables.links.make(game, PERSON, LinkKind.PLAY)
        async with page_server(Path(folder)) as (port, finish), async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            origin = f"http://127.0.0.1:{port}"
            entered = await browser.new_context(**PHONE)
            await (await entered.new_page()).goto(link_address(origin, LinkKind.PLAY, token), wait_until="networkidle")
            found = [await _visit(browser, entered, f"{origin}/g/{game}/") for _ in range(visits)]
            await browser.close()
            await finish()
        await store.close()
    return {name: round(median(one[name] for one in found), 3) for name in found[0]}


async def _visit(browser: Browser, entered: BrowserContext, address: str) -> dict[str, float]:
    """A first visit with the rights of a browser that has entered before, and nothing else of it."""
    context = await browser.new_context(**PHONE, storage_state=await entered.storage_state())
    page = await context.new_page()
    await page.add_init_script(WATCH)
    sizes = await _slow_down(page)
    await page.goto(address, wait_until="load", timeout=LONGEST_MS)
    found: dict[str, float] = {}
    while not found.get("usable"):
        await page.wait_for_timeout(100)
        found = await page.evaluate(FOUND)
    await page.wait_for_timeout(1000)
    found = await page.evaluate(FOUND)
    await context.close()
    return {
        "first_visit_kb": sum(sizes) / 1024,
        "first_paint_ms": found["first"],
        "largest_paint_ms": found["largest"],
        "usable_ms": found["usable"],
        "layout_shift": found["shift"],
    }


async def _slow_down(page: Page) -> Sequence[int]:
    """Make line and processor slow; returns the sizes of what is loaded, as they come."""
    sizes: list[int] = []
    session = await page.context.new_cdp_session(page)
    session.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    await session.send("Network.enable")
    await session.send("Network.emulateNetworkConditions", SLOW_LINE)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return sizes

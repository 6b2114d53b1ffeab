"""Debian's Chromium, driven by Playwright: one for all tests of a process, a fresh profile for each page."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Error, Page, async_playwright

from benchmarks.page import find_chromium as chromium

ABSENT = "LOUD: there is no Chromium here, no page was opened in a browser (tests/web/chromium.sh installs Debian's)"
FONTS = Path(__file__).with_name("fonts.conf")
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1440, "height": 900}
IN_VIEW = """(where => { const pane = document.getElementById("pan").getBoundingClientRect();
  return [...document.querySelectorAll(where)].filter(hit => { const box = hit.getBoundingClientRect();
    return box.left > pane.left && box.right < pane.right && box.top > pane.top && box.bottom < pane.bottom - 60; })
    .map(hit => hit.dataset.hex); })"""
"""The hexes of a selector that are in view on the map, and not below its buttons."""

BLOCKED = "Service Worker registration blocked by Playwright"
"""Said by each page, since `opened` blocks it."""

PATIENCE = 90_000.0
"""Milliseconds for whatever a test waits for in a page, on a machine that does much else."""


@dataclass
class Opened:
    """A page in the browser, with all that its console has said, and every host that was asked."""

    page: Page
    said: list[str] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)

    async def until(self, what: str, seconds: float = 20.0) -> Any:
        """Wait until an expression is true in the page. (The strict policy forbids Playwright's own way.)"""
        last = None
        for _ in range(int(seconds / 0.05)):
            try:
                if last := await self.page.evaluate(what):
                    return last
            except Error as error:
                # Between two pages there is nothing to be asked.
                last = str(error)
            await self.page.wait_for_timeout(50)
        raise AssertionError(f"{what} is {last!r}; the console said {self.said}")

    async def text(self, where: str) -> str:
        """What stands there, as soon as it does."""
        return await self.page.locator(where).first.inner_text()

    async def beside(self, address: str, **how: Any) -> Opened:
        """Another page, as somebody else opens it: nothing but the program is shared."""
        assert self.page.context.browser is not None
        return await _loaded(self.page.context.browser, address, how)


@asynccontextmanager
async def opened(address: str, **how: Any) -> AsyncIterator[Opened]:
    """A page at that address, loaded. `how` says what else the browser is: its size, language, colours."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox"], env={**os.environ, "FONTCONFIG_FILE": str(FONTS)}
        )
        try:
            yield await _loaded(browser, address, how)
        finally:
            await browser.close()


async def _loaded(browser: Browser, address: str, how: dict[str, Any]) -> Opened:
    # What a service worker asks for cannot be held up by a test.
    usual = {"viewport": DESK, "locale": "en-GB", "service_workers": "block"}
    page = await (await browser.new_context(**{**usual, **how})).new_page()
    found = Opened(page)
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda message: None if message.text == BLOCKED else found.said.append(message.text))
    page.on("pageerror", lambda error: found.said.append(str(error)))
    page.on("request", lambda request: found.hosts.add(request.url.split("/")[2]))
    await page.goto(address)
    await page.wait_for_load_state("load")
    return found

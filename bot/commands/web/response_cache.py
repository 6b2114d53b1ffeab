"""Boards as they are sent: each is written once for everybody who sees the same, packed once, and kept for a while."""

from __future__ import annotations

import asyncio
import gzip
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bot.i18n import current_language, tr
from bot.threads import run_in_thread

from .coalesce import FairScheduler, Turns

HERE = Path(__file__).parent
STATIC = HERE / "static"
PACKING = 9
TYPED_SCRIPT = "// @ts-check"
COMMENTS = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*(?:[^*]|\*(?!/))*\*/)[ \t]*\n", re.M)
MOST_KEPT = 24 * 2**20
STYLE_SHEET, STYLES = "board.css", ("tokens", "base", "layout", "map", "move", "tables", "print")
AT_ONCE = 2
"""Maximum number of boards that are drawn at the same time, off the event loop."""


@dataclass(frozen=True)
class CachedResponse:
    text: bytes
    packed: bytes

    @classmethod
    def of(cls, text: str) -> CachedResponse:
        return cls(text.encode(), gzip.compress(text.encode(), PACKING, mtime=0))


@cache
def templates() -> Environment:
    """The templates, which escape every value, unless it was drawn here."""
    found = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals |= {"say": tr, "language": current_language, "asset": asset}
    return found


def asset(name: str) -> str:
    """The address of a static file. It changes with any of them, since scripts name each other beside themselves."""
    return f"/static/{static_digest()}/{name}"


@cache
def static_digest() -> str:
    found = blake2b(digest_size=6)
    for path in sorted(STATIC.iterdir()):
        found.update(path.read_bytes())
    return found.hexdigest()


def static_text(name: str) -> str:
    """A static file; the style sheet is put together from its parts, and our scripts come without lines of comments."""
    parts = [f"{part}.css" for part in STYLES] if name == STYLE_SHEET else [name]
    text = "\n".join((STATIC / part).read_text(encoding="utf-8") for part in parts)
    return COMMENTS.sub("", text) if text.startswith(TYPED_SCRIPT) else text


def render_template(name: str, **values: Any) -> str:
    return templates().get_template(name).render(**values)


class PendingResponse:
    """A response that is being built or waits for that: for whom, and the result."""

    def __init__(self) -> None:
        self.outcome: asyncio.Future[CachedResponse] = asyncio.get_running_loop().create_future()
        self.tasks: dict[Hashable, asyncio.Task[None]] = {}
        self.is_begun = False


class ResponseCache:
    """Builds responses, each once however many callers wait for it; the least recently used are dropped when there
    are too many bytes.
    """

    def __init__(self, turnstile: FairScheduler, most: int = MOST_KEPT) -> None:
        self.turnstile, self.most = turnstile, most
        self.size = 0
        self._kept: OrderedDict[Hashable, CachedResponse] = OrderedDict()
        self._under_way: dict[Hashable, PendingResponse] = {}
        self._turns = Turns(AT_ONCE)

    def has(self, key: Hashable) -> bool:
        """Whether that response costs nothing now: cached, or under way."""
        return key in self._kept or key in self._under_way

    async def get_or_build(
        self, key: Hashable, prepare: Callable[[], Awaitable[Callable[[], str]]], who: Hashable = None
    ) -> CachedResponse:
        """The response for that key: cached, under way, or built now. It is built as soon as it is the turn of any
        caller (`who`) that wants it. `prepare` runs on the event loop, its result in a thread.
        """
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        making = self._under_way.setdefault(key, PendingResponse())
        if who not in making.tasks:
            making.tasks[who] = asyncio.create_task(self._make(key, prepare, who, making))
        # A caller that goes away leaves the result to the others.
        sheet = await asyncio.shield(making.outcome)
        await self.turnstile.wait_turn()
        return sheet

    async def _make(
        self, key: Hashable, prepare: Callable[[], Awaitable[Callable[[], str]]], who: Hashable, making: PendingResponse
    ) -> None:
        async with self._turns.turn(who):
            if making.is_begun:
                return
            making.is_begun = True
            try:
                write = await prepare()
                sheet = await run_in_thread(lambda: CachedResponse.of(write()))
            except Exception as error:
                making.outcome.set_exception(error)
                return
            finally:
                del self._under_way[key]
            making.outcome.set_result(sheet)
            self._kept[key] = sheet
            self.size += len(sheet.text) + len(sheet.packed)
            while self.size > self.most and len(self._kept) > 1:
                _, gone = self._kept.popitem(last=False)
                self.size -= len(gone.text) + len(gone.packed)

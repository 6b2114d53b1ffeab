"""The cost of a start: the time until a console can be typed into, and the bot's memory at rest. Each in a process of
its own, that has loaded nothing for other measures."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

from bot.engine import PersonId

HEAVY = (
    *("numpy", "highspy", "PIL", "cairosvg", "cairocffi", "bot.render.catalogue"),
    *("imapclient", "aiosmtplib", "bot.commands.mail.service"),
    *("aiohttp.web", "bot.commands.web", "bot.ai.policy", "psycopg", "alembic", "sqlalchemy.orm"),
)
"""Modules that a bot at rest does not need and loads on first use: painting and solving (mostly in other processes),
mail, board page, metrics, computer players, database servers, upgrades of old databases; and SQLAlchemy's mapper, which
it never uses."""

GAMES = 10


def start(texts: Mapping[str, Sequence[str]], repeats: int = 3) -> dict[str, Any]:
    """Seconds until the console answers and milliseconds of `--help` and of the first pictures, each the least of several; memory with open games of these titles at these moves, and what
    heavy packages are loaded."""
    rest = subprocess.run(
        [sys.executable, "-m", "bot.bench.start"],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
    )
    ready = min(console_seconds() for _ in range(repeats))
    helped = min(help_seconds() for _ in range(2 * repeats))
    title = next(iter(texts))
    painted = min(first_pictures_seconds(title, texts[title]) for _ in range(repeats))
    return {
        "console_ready_s": round(ready, 3),
        "help_ms": round(helped * 1000, 1),
        "first_pictures_ms": round(painted * 1000, 1),
        **json.loads(rest.stdout),
    }


def console_seconds() -> float:
    """From process start to the first line, with cached byte code."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        console = subprocess.Popen(
            [sys.executable, "-m", "bot", "console"],
            env={**os.environ, "SIGNALBOX_DATA": folder, "PYTHONDONTWRITEBYTECODE": ""},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        with console:
            if console.stdout is None or not console.stdout.readline():
                raise RuntimeError("the console says nothing")
            seconds = time.perf_counter() - began
            console.communicate(b"quit\n")
        return seconds


def help_seconds() -> float:
    """From process start to the end of `signalbox --help`, with cached byte code."""
    began = time.perf_counter()
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    subprocess.run([sys.executable, "-m", "bot", "--help"], env=environment, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


FIRST_PICTURES = """
import json, sys, time
from bot.engine.notation.text import parse_action
from bot.engine.play.game import Game
from bot.titles.registry import TITLES
title, names, texts = json.load(sys.stdin)
game = Game.new(TITLES[title], names)
for text in texts:
    game.apply(parse_action(game.title, text))
began = time.perf_counter()
from bot.render.catalogue import scene_of
from bot.render.painting.painter import Painter
painter = Painter()
for kind in ("map", "market"):
    painter.paint(scene_of(game, kind))
print(time.perf_counter() - began)
"""


def first_pictures_seconds(title: str, texts: Sequence[str]) -> float:
    """From a position to its map and market in a process that has painted nothing, nor loaded what paints."""
    from .fixtures import NAMES

    given = json.dumps([title, NAMES, texts])
    code = [sys.executable, "-c", FIRST_PICTURES]
    return float(subprocess.run(code, input=given, stdout=subprocess.PIPE, text=True, check=True).stdout)


def loaded_heavy_packages() -> list[str]:
    return [name for name in HEAVY if name in sys.modules]


async def memory_at_rest(texts: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    import bot.commands.discord.run
    from bot.service.game_service import GameService
    from bot.store import Store
    from bot.titles.registry import TITLES

    from .fixtures import open_game

    assert bot.commands.discord.run
    with tempfile.TemporaryDirectory() as folder:
        store = await Store.open(Path(folder) / "bench.db")
        tables = GameService(store, TITLES)
        for place, title in zip(range(GAMES), cycle(texts)):
            person = PersonId(str(place))
            game = await open_game(tables, title, person)
            await tables.moves.submit_texts(game, person, texts[title])
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        megabytes = round(pages * os.sysconf("SC_PAGE_SIZE") / 2**20, 1)
        await store.close()
    return {f"rss_mb_{GAMES}_at_rest": megabytes, "heavy_loaded_at_rest": loaded_heavy_packages()}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(memory_at_rest(json.load(sys.stdin)))))

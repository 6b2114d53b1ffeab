"""The whole lesson as a newcomer reads it in a terminal of 80 by 24 letters: each step's own line is typed."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console as Terminal

from bot.commands.terminal.commands import Console
from bot.commands.terminal.console import execute_safely
from bot.commands.terminal.terminal_screen import TerminalScreen
from bot.render.worker import Renderer
from bot.service.features.lessons import lesson_of
from bot.service.game_service import GameService
from bot.store import Store
from bot.titles.registry import OLDER_VERSIONS, TITLES
from tests.blank_database import write_blank

TITLE = "1889"
PATH = Path(__file__).parent / "lesson.txt"
COLUMNS, LINES = 80, 24
PROMPT = "> "


class WrittenScreen(TerminalScreen):
    """A terminal that writes into a text, without waiting."""

    pace = 0.0

    def __init__(self) -> None:
        super().__init__({})
        self.text = io.StringIO()
        self.terminal = Terminal(
            file=self.text, width=COLUMNS, height=LINES, highlight=False, markup=False, soft_wrap=True
        )


def lines_of_lesson() -> list[str]:
    lesson = lesson_of(TITLE)
    assert lesson is not None
    return ["lesson", *(line for step in lesson.steps for line in step.line)]


async def typed(lines: list[str], data: Path) -> str:
    """The screen after these lines."""
    write_blank(data / "signalbox.db")
    store, studio, screen = await Store.open(data / "signalbox.db"), Renderer(), WrittenScreen()
    console = Console(GameService(store, TITLES, editions=OLDER_VERSIONS), data, screen, studio)
    try:
        for line in lines:
            screen.text.write(f"{PROMPT}{line}\n")
            await execute_safely(console, line)
    finally:
        console.porter.close()
        studio.close()
        await store.close()
    return "\n".join(line.rstrip() for line in screen.text.getvalue().splitlines()) + "\n"


def write() -> str:
    """Write the transcript anew; returns what became of it."""
    before = PATH.read_text(encoding="utf-8") if PATH.exists() else ""
    with TemporaryDirectory() as folder:
        after = asyncio.run(typed(lines_of_lesson(), Path(folder)))
    PATH.write_text(after, encoding="utf-8")
    return "as it was" if after == before else "written anew"

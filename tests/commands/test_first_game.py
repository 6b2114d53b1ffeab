"""docs/tutorial/first-game.md is what a newcomer reads in the terminal: its lines are typed again, and its answers compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.commands.terminal.commands import Console
from bot.commands.terminal.console import execute_safely
from bot.commands.terminal.terminal_screen import TerminalScreen
from bot.render.worker import Renderer
from bot.service.game_service import GameService
from bot.store import Store
from bot.titles.registry import OLDER_VERSIONS, TITLES
from tests.blank_database import write_blank

PAGE = Path(__file__).parents[2] / "docs" / "tutorial" / "first-game.md"
PROMPT = "> "


async def typed(lines: list[str], data: Path) -> None:
    """Type lines into a console of 80 by 24 letters."""
    write_blank(data / "signalbox.db")
    store, studio = await Store.open(data / "signalbox.db"), Renderer()
    console = Console(GameService(store, TITLES, editions=OLDER_VERSIONS), data, TerminalScreen({}), studio)
    try:
        for line in lines:
            print(f"{PROMPT}{line}")
            await execute_safely(console, line)
    finally:
        console.porter.close()
        studio.close()
        await store.close()


async def test_the_transcript_is_what_the_program_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    blocks = PAGE.read_text(encoding="utf-8").split("```")[1::2]
    session = "".join(block.partition("\n")[2] for block in blocks)
    lines = [line.removeprefix(PROMPT) for line in session.splitlines() if line.startswith(PROMPT)]
    assert len(lines) > 15
    await typed(lines, tmp_path)
    said = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert said == [line.rstrip() for line in session.splitlines()]

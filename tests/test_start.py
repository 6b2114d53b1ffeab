"""What is loaded at the start: nothing that paints or solves, and no database where none is looked at."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize("module", ["bot.commands.discord.run", "bot.commands.terminal.console"])
def test_what_paints_and_solves_is_not_loaded_at_the_start(module: str) -> None:
    code = f"import {module}, bot.bench.start; print(bot.bench.start.loaded_heavy_packages())"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"


@pytest.mark.parametrize("module", ["bot.cli.games", "bot.cli.selfplay", "bot.cli.tournament"])
def test_commands_about_games_load_no_database(module: str) -> None:
    code = f"import sys, bot.cli.main, {module}; print('sqlalchemy' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "False\n"

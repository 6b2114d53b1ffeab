"""What is loaded at the start: nothing that paints or solves, and no database where none is looked at."""

from __future__ import annotations

import subprocess
import sys


def test_what_paints_and_solves_is_not_loaded_at_the_start() -> None:
    modules = "bot.commands.discord.run, bot.commands.terminal.console"
    code = f"import {modules}, bot.bench.start; print(bot.bench.start.loaded_heavy_packages())"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"


def test_commands_about_games_load_no_database() -> None:
    modules = "bot.cli.games, bot.cli.selfplay, bot.cli.tournament"
    code = f"import sys, bot.cli.main, {modules}; print('sqlalchemy' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "False\n"


def test_commands_about_one_game_load_no_event_loop_and_no_terminal() -> None:
    """Only a command that plays with several processes, or shows a bar, needs them."""
    code = "import sys, bot.cli.main, bot.cli.games; print(*{'asyncio', 'multiprocessing', 'rich', 'numpy'} & {*sys.modules})"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "\n"


def test_help_imports_hardly_anything() -> None:
    known = [
        sys.executable,
        "-c",
        "import argparse, gc, locale, pathlib, shutil, sys, textwrap, typing; print(*sys.modules)",
    ]
    plain = subprocess.run(known, capture_output=True, text=True, check=True).stdout.split()
    shown = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))"
    code = f"{shown}; sys.argv[1:] = ['--help']; import bot.__main__; bot.__main__.main()"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "--help" in found.stdout
    assert {*found.stderr.split()} - {*plain, "atexit"} == {
        *("bot", "bot.__main__", "bot.cli", "bot.cli.main", "bot.garbage"),
    }


def test_the_console_begins_with_few_modules() -> None:
    """Its first line waits for nothing that reads keys, paints tables or searches routes."""
    code = "import sys, bot.cli.main, bot.main, bot.commands.terminal.console; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"prompt_toolkit", "rich", "openskill", "bot.engine.routes.search"}.isdisjoint(loaded)
    assert len(loaded) <= 720, "some 230 more with those"

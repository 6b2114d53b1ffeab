"""The command line. Exit codes: 0 all is well, 1 something differs or failed, 2 wrong use or an unreadable file."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

WRONG_USE = 2


def data_folder() -> Path:
    """Where database and pictures lie: `SIGNALBOX_DATA`, else `./data`."""
    return Path(os.environ.get("SIGNALBOX_DATA") or "data")


def main(argv: Sequence[str]) -> int:
    """Run one command; returns the exit code."""
    parser = build_parser()
    arguments = parser.parse_args(argv)
    if not getattr(arguments, "run", None):
        parser.print_help()
        return WRONG_USE
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    from bot.cli_files import BadFile
    from bot.engine.refusals import Refusal
    from bot.store import StoreError

    try:
        return int(arguments.run(arguments))
    except BadFile as error:
        print(f"signalbox: {error}", file=sys.stderr)
        return WRONG_USE
    except Refusal as refusal:
        print(f"signalbox: {refusal}", file=sys.stderr)
        return WRONG_USE
    except StoreError as error:
        print(f"signalbox: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except KeyboardInterrupt:
        return 130


def build_parser() -> argparse.ArgumentParser:
    """All commands with their help."""
    parser = argparse.ArgumentParser(prog="signalbox", description="18xx railway games by post in Discord.")
    commands = parser.add_subparsers(title="commands")

    def command(name: str, what: str, example: str) -> argparse.ArgumentParser:
        return commands.add_parser(
            name,
            help=what,
            description=what,
            epilog=f"example: signalbox {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    run = command("run", "Start the bot (with DISCORD_TOKEN) or the table in this terminal.", "run")
    run.set_defaults(run=_run)
    console = command("console", "The table in this terminal; also takes moves on standard input.", "console")
    console.set_defaults(run=_console)

    replay = command("replay", "Replay games and compare the results.", "replay game.json --trace game.trace.jsonl.gz")
    replay.add_argument("files", nargs="+", metavar="FILE", type=Path)
    replay.add_argument("--trace", type=Path, help="compare every state with this trace (one file only)")
    replay.add_argument("--json", action="store_true", help="print one JSON object")
    replay.set_defaults(run=_later("cli_games", "replay"))

    render = command("render", "Draw a position of a game.", "render game.json --at 120 --out pictures")
    render.add_argument("file", metavar="FILE", type=Path)
    render.add_argument("--at", type=int, help="before this action, counted from 1 (default: the end)")
    render.add_argument("--out", type=Path, required=True, metavar="DIR")
    render.set_defaults(run=_later("cli_games", "render"))

    routes = command("routes", "The best routes before an action.", "routes game.json --at 115")
    routes.add_argument("file", metavar="FILE", type=Path)
    routes.add_argument("--at", type=int, required=True, help="before this action, counted from 1")
    routes.add_argument("--json", action="store_true")
    routes.set_defaults(run=_later("cli_games", "routes"))

    selfplay = command("selfplay", "Play random legal games under all audits.", "selfplay 1848 --players 4 --seed 7")
    selfplay.add_argument("title")
    selfplay.add_argument("--players", type=int, required=True)
    selfplay.add_argument("--seed", type=int, required=True)
    selfplay.add_argument("--games", type=int, default=1, help="this many games, seeds counting up")
    selfplay.add_argument("--json", action="store_true")
    selfplay.set_defaults(run=_later("cli_games", "selfplay"))

    export = command("export", "Write a game of this machine as JSON.", "export 3 --out game.json")
    export.add_argument("game", type=int)
    export.add_argument("--out", type=Path, metavar="FILE", help="default: standard output")
    export.add_argument("--form", choices=("signalbox", "18xx"), default="signalbox")
    export.set_defaults(run=_later("cli_games", "export"))

    import_ = command("import", "Continue a game from JSON (ours or 18xx.games') here.", "import game.json")
    import_.add_argument("file", metavar="FILE", type=Path)
    import_.set_defaults(run=_later("cli_games", "import_game"))

    bench = command("bench", "Measure speeds on this machine.", "bench --quick --json")
    bench.add_argument("--json", action="store_true")
    bench.add_argument("--quick", action="store_true", help="end within 45 s")
    bench.set_defaults(run=_later("cli_bench", "bench"))

    doctor = command("doctor", "Check the database and replay every game in it.", "doctor")
    doctor.set_defaults(run=_later("cli_games", "doctor"))
    return parser


def _later(module: str, function: str):  # type: ignore[no-untyped-def]
    """A command whose module is imported only when it runs."""

    def run(arguments: argparse.Namespace) -> int:
        from importlib import import_module

        return int(getattr(import_module(f"bot.{module}"), function)(arguments))

    return run


def _run(arguments: argparse.Namespace) -> int:
    token = os.environ.get("DISCORD_TOKEN", "").strip()
    if not token:
        return _console(arguments)
    from bot.commands.bot import run_bot

    logging.getLogger().setLevel(logging.INFO)
    return asyncio.run(run_bot(token, data_folder()))


def _console(arguments: argparse.Namespace) -> int:
    from bot.commands.console import run_console

    return asyncio.run(run_console(data_folder()))

"""The command line. Exit codes: 0 all is well, 1 something differs or failed, 2 wrong use or an unreadable file."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bot.garbage import tune_gc

if TYPE_CHECKING:
    from bot.ops.settings import Settings
    from bot.store import Server

WRONG_USE = 2

PROJECT = Path(__file__).resolve().parents[2]

TITLE_HELP = "the number of a title; a wrong one gets the list"
ONE_GAME = "a game of 18xx.games or our own"


def settings() -> Settings:
    """The settings of the environment.

    :raises InvalidSetting: a value is not valid.
    """
    from bot.ops.settings import Settings

    return Settings.from_env()


def data_folder() -> Path:
    """`SIGNALBOX_DATA`, else `./data`."""
    return settings().data


class NotFound(Exception):
    """Something that a command looks at does not exist; the text says what and where. Nothing is made."""


def present_database() -> Path | Server:
    """The database of this machine or its server, for commands that look at what there is.

    :raises NotFound: there is none.
    :raises OSError: one may not look.
    """
    path = settings().database
    if not isinstance(path, Path):
        return path
    try:
        path.stat()
    except FileNotFoundError as error:
        raise NotFound(f"there is no database {path}; SIGNALBOX_DATA names the folder with the database") from error
    return path


def main(argv: Sequence[str]) -> int:
    parser = build_parser()
    arguments = parser.parse_args(argv)
    if not getattr(arguments, "run", None):
        parser.print_help()
        return WRONG_USE
    tune_gc()
    import logging

    from bot.ops.settings import InvalidSetting

    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    from bot.engine import Rejected
    from bot.untrusted_input import InvalidFile

    try:
        return int(arguments.run(arguments))
    except KeyboardInterrupt:
        return 130
    except (InvalidFile, InvalidSetting, NotFound) as error:
        print(f"signalbox: {error}", file=sys.stderr)
        return WRONG_USE
    except Rejected as refusal:
        print(f"signalbox: {refusal}", file=sys.stderr)
        return WRONG_USE
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except OSError as error:
        print(f"signalbox: {error.filename or 'a file'} cannot be used: {error.strerror}", file=sys.stderr)
        return 1
    except expected_errors() as error:
        print(f"signalbox: {error}", file=sys.stderr)
        return 1


def expected_errors() -> tuple[type[Exception], ...]:
    """Other errors of commands: loaded only after a failure, since most commands need no database library, and it
    takes longer to load than they do.
    """
    from bot.engine.play import FaultyTitle
    from bot.jobs.job_types import JobFailed
    from bot.store import StoreError

    return StoreError, JobFailed, FaultyTitle


class Argument(NamedTuple):
    """An argument of a command, as `argparse` takes it."""

    names: tuple[str, ...]
    facts: Mapping[str, Any]


class OneOf(NamedTuple):
    """Arguments that exclude each other."""

    arguments: Sequence[Argument]
    is_required: bool = False


def arg(*names: str, **facts: Any) -> Argument:
    return Argument(names, facts)


class CommandLine(NamedTuple):
    """A command: its name (of a tool also its group's, before it), what runs it, its help, a line as an example."""

    name: str
    run: Callable[[argparse.Namespace], int]
    help: str
    example: str
    arguments: Sequence[Argument | OneOf] = ()


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="signalbox",
        description="18xx railway games by post: in Discord, by mail, in a terminal.",
        epilog="signalbox COMMAND --help shows an example of each. SIGNALBOX_DATA names the folder of the games (./data).",
    )
    groups = {"": parser.add_subparsers(title="commands", metavar="COMMAND")}
    for one in command_lines():
        group, _, name = one.name.rpartition(" ")
        if group not in groups:
            within = groups[""].add_parser(group, help=GROUPS[group], description=GROUPS[group])
            groups[group] = within.add_subparsers(dest="tool", required=True, metavar="TOOL")
        command = groups[group].add_parser(
            name,
            help=one.help,
            description=one.help,
            epilog=f"example: signalbox {one.example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.set_defaults(run=one.run)
        for argument in one.arguments:
            place: argparse._ActionsContainer = command
            if isinstance(argument, OneOf):
                place = command.add_mutually_exclusive_group(required=argument.is_required)
            for each in argument.arguments if isinstance(argument, OneOf) else (argument,):
                place.add_argument(*each.names, **each.facts)
    return parser


GROUPS = {"title": "Check a title, or make a new title."}

AS_JSON = arg("--json", action="store_true", help="print one JSON object")
GAME_FILES = arg("files", nargs="+", metavar="FILE", type=Path, help="games of 18xx.games or our own, many at once")


def command_lines() -> Sequence[CommandLine]:
    """Every command, in the order of the help."""
    jobs = arg(
        "--jobs",
        type=_positive_int,
        default=os.cpu_count() or 1,
        metavar="N",
        help="processes that play (as many as there are cores)",
    )
    return (
        CommandLine(
            "run",
            _run,
            "Start the bot: for Discord (DISCORD_TOKEN), mail (SIGNALBOX_IMAP ...), or both; else as console.",
            "run --check",
            (
                arg(
                    "--check",
                    action="store_true",
                    help="only try token, intents and permissions, and say what is missing",
                ),
            ),
        ),
        CommandLine(
            "smoke",
            _lazy("bot.cli.smoke", "smoke"),
            "Try on a real server, with DISCORD_TOKEN, all that the bot does there; what it makes it takes away again.",
            "smoke --guild 123456789012345678 --unattended",
            (
                arg("--guild", type=_discord_id, required=True, metavar="ID", help="a server for tests"),
                arg(
                    "--channel",
                    type=_discord_id,
                    metavar="ID",
                    help="in this text channel (default: the first that fits)",
                ),
                arg("--forum", type=_discord_id, metavar="ID", help="in this forum (default: likewise)"),
                arg("--unattended", action="store_true", help="leave out what somebody has to press or to type"),
                arg(
                    "--wait",
                    type=_positive_int,
                    default=120,
                    metavar="SECONDS",
                    help="how long to wait for somebody who presses and types (120)",
                ),
                arg(
                    "--out",
                    type=Path,
                    metavar="FILE",
                    help="where requests and answers go (default: smoke-TIME.json here)",
                ),
            ),
        ),
        CommandLine(
            "console",
            _console,
            "The table in this terminal; also takes moves on standard input.",
            "console --strict < moves.txt",
            (arg("--strict", action="store_true", help="stop at the first line that is refused, with exit code 1"),),
        ),
        CommandLine(
            "commands",
            _lazy("bot.cli.commands", "commands"),
            "All commands of Discord, terminal, mail and page, in a table.",
            "commands --json",
            (
                OneOf(
                    (
                        AS_JSON,
                        arg("--markdown", action="store_true", help="print the page of the documentation"),
                        arg("--glossary", action="store_true", help="print the glossary of the documentation"),
                        arg(
                            "--openapi", action="store_true", help="print the OpenAPI document of the API for programs"
                        ),
                    )
                ),
            ),
        ),
        CommandLine(
            "replay",
            _lazy("bot.cli.games", "replay"),
            "Replay games and compare the results.",
            "replay game.json --trace game.trace.jsonl.gz",
            (
                GAME_FILES,
                arg("--trace", type=Path, help="compare every state with this trace (one file only)"),
                AS_JSON,
            ),
        ),
        CommandLine(
            "render",
            _lazy("bot.cli.games", "render"),
            "Draw a position of a game.",
            "render game.json --at 120 --out pictures",
            (
                arg("file", metavar="FILE", type=Path, help=ONE_GAME),
                arg(
                    "--at",
                    type=_positive_int,
                    metavar="N",
                    help="before this action, counted from 1 (default: the end)",
                ),
                arg("--out", type=Path, required=True, metavar="DIR", help="where the pictures go"),
            ),
        ),
        CommandLine(
            "routes",
            _lazy("bot.cli.games", "routes"),
            "The best routes before an action.",
            "routes game.json --at 115",
            (
                arg("file", metavar="FILE", type=Path, help=ONE_GAME),
                arg("--at", type=_positive_int, required=True, metavar="N", help="before this action, counted from 1"),
                AS_JSON,
            ),
        ),
        CommandLine(
            "selfplay",
            _lazy("bot.cli.selfplay", "selfplay"),
            "Play random legal games under all audits.",
            "selfplay 1848 --players 4 --seed 7",
            (
                arg("title", metavar="TITLE", help=TITLE_HELP),
                arg("--players", type=_positive_int, required=True, metavar="N", help="how many play"),
                arg("--seed", type=int, required=True, metavar="S", help="the same seed plays the same game"),
                arg("--games", type=_positive_int, default=1, metavar="K", help="this many games, seeds counting up"),
                arg(
                    "--option",
                    type=_option,
                    action="append",
                    default=[],
                    metavar="NAME=CHOICE",
                    help="an option of the title",
                ),
                arg(
                    "--temper",
                    choices=("reckless", "builder", "hoarder", "banker", "surveyor"),
                    help="default: the first four in turn",
                ),
                jobs,
                _workers("let them play"),
                arg("--out", type=Path, metavar="DIR", help="write every game there"),
                AS_JSON,
            ),
        ),
        CommandLine(
            "agreement",
            _lazy("bot.cli.agreement", "agreement"),
            "How often a computer player would make the moves that people made.",
            "agreement games/*.json --strength strong",
            (
                GAME_FILES,
                arg(
                    "--strength",
                    choices=("learner", "steady", "strong", "club"),
                    default="club",
                    help="who is compared (club)",
                ),
                jobs,
                _workers("let them compare"),
                arg("--json", action="store_true", help="print one JSON object; several titles in `titles`"),
            ),
        ),
        CommandLine(
            "review",
            _lazy("bot.cli.review", "review"),
            "Everybody's chances in a game from round to round, and the turns that changed them.",
            "review game.json --seat @2",
            (
                arg("game", metavar="GAME|FILE", help="a game's number here, or a file of ours or of 18xx.games"),
                arg("--seat", metavar="@N", default="", help="only what changed this seat's chance"),
                arg("--most", type=_positive_int, default=8, metavar="N", help="maximum number of turns (8)"),
                AS_JSON,
            ),
        ),
        CommandLine(
            "dump",
            _lazy("bot.cli.dump", "dump"),
            "All games that were played to their end here, a line of JSON each, without any person.",
            "dump --title 1848 --out games.jsonl",
            (
                arg("--title", default="", metavar="TITLE", help="only games of this title"),
                arg("--out", type=Path, metavar="FILE", help="where they go (standard output)"),
            ),
        ),
        CommandLine(
            "ban",
            _lazy("bot.cli.ban", "ban"),
            "Keep a person out of open tables, seasons and messages; without a person, list the bans.",
            "ban 123456789012345678",
            (
                arg(
                    "person", nargs="?", default="", metavar="PERSON", help="their Discord id or confirmed mail address"
                ),
                arg("--lift", action="store_true", help="lift the ban"),
            ),
        ),
        CommandLine(
            "records",
            _lazy("bot.cli.records", "records"),
            "Compute the figures and ratings of finished games that are still due, or all of them again.",
            "records --rebuild",
            (
                OneOf(
                    (
                        arg("--rebuild", action="store_true", help="compute everything again from the moves"),
                        arg("--ratings", action="store_true", help="compute only the ratings again, from the figures"),
                    )
                ),
            ),
        ),
        CommandLine(
            "simulate",
            _lazy("bot.cli.simulate", "simulate"),
            "Simulated people open tables, play, drop out and substitute; how long tables take to fill, and which end.",
            "simulate --people 20 --days 30",
            (
                arg("--people", type=_positive_int, default=200, metavar="N", help="how many people (200)"),
                arg("--days", type=_positive_int, default=120, metavar="N", help="simulated days (120)"),
                arg("--drop-outs", type=int, default=10, metavar="P", help="people of 100 who drop out (10)"),
                arg("--seed", type=int, default=1, metavar="S", help="the same seed simulates the same people"),
                arg("--seeds", type=_positive_int, default=1, metavar="K", help="this many seeds, counting up"),
                AS_JSON,
            ),
        ),
        CommandLine(
            "tournament",
            _lazy("bot.cli.tournament", "tournament"),
            "Let computer players play against each other and against chance.",
            "tournament 1848 --seats strong,steady,random --games 9",
            (
                arg("title", metavar="TITLE", help=TITLE_HELP),
                arg(
                    "--seats",
                    required=True,
                    metavar="NAMES",
                    help="learner, steady, strong, club or random, one a seat; they rotate",
                ),
                arg("--games", type=_positive_int, default=3, metavar="N", help="this many games, seeds counting up"),
                arg("--seed", type=int, default=1, metavar="S", help="the same seed plays the same games"),
                arg(
                    "--moves", type=_positive_int, default=20_000, metavar="N", help="stop games after this many moves"
                ),
                arg(
                    "--against",
                    metavar="COMMIT",
                    default="",
                    help="all seats but the first are played by the code of that commit",
                ),
                arg("--varied", action="store_true", help="draw moves of the auction from each seat's best three"),
                jobs,
                _workers("let them play"),
                arg("--out", type=Path, metavar="DIR", help="write every game there"),
                AS_JSON,
            ),
        ),
        CommandLine(
            "title check",
            _lazy("bot.cli.title_check", "check"),
            "what a title has, and what it still lacks",
            "title check 1848 --games 30",
            (
                arg("title", metavar="TITLE", help=TITLE_HELP),
                arg(
                    "--games",
                    type=_number,
                    default=12,
                    metavar="K",
                    help="random games for each number of players (12); 0: only what shows without playing",
                ),
                arg("--stored", type=Path, metavar="DIR", help="a folder of stored games of 18xx.games"),
                arg(
                    "--peer",
                    default=os.getenv("PEER", ""),
                    metavar="CHECKOUT",
                    help="18xx.games' program (default: PEER)",
                ),
                arg(
                    "--out",
                    type=Path,
                    default=Path("title-check"),
                    metavar="DIR",
                    help="where the sheet of pictures goes",
                ),
                jobs,
                _workers("let them play"),
            ),
        ),
        CommandLine(
            "title new",
            _lazy("bot.cli.title_new", "new"),
            "the folder of a new title, from facts about its box",
            "title new 1822 --like TITLE --facts facts/1822",
            (
                arg("title", metavar="NUMBER", help="the number on the box, like 1822"),
                arg("--like", required=True, metavar="TITLE", help="a title whose family and values it has"),
                arg(
                    "--facts",
                    type=Path,
                    metavar="DIR",
                    help="map, tiles, market, companies and trains as JSON (docs: adding a title)",
                ),
                arg("--name", default="", help="the full name; default: the number"),
                arg(
                    "--into", type=Path, default=PROJECT / "bot" / "titles", metavar="DIR", help="where the folder goes"
                ),
            ),
        ),
        CommandLine(
            "export",
            _lazy("bot.cli.store", "export"),
            "Write a game of this machine, or of a file, as JSON.",
            "export 3 --out game.json",
            (
                arg("game", metavar="GAME", help="the game's number, or a file of either form"),
                arg("--out", type=Path, metavar="FILE", help="default: standard output"),
                arg("--form", choices=("signalbox", "18xx"), default="signalbox", help="ours or 18xx.games'"),
            ),
        ),
        CommandLine(
            "import",
            _lazy("bot.cli.store", "import_game"),
            "Continue a game from JSON (ours or 18xx.games') here.",
            "import game.json",
            (arg("file", metavar="FILE", type=Path, help=ONE_GAME),),
        ),
        CommandLine(
            "bench",
            _lazy("bot.bench.suite", "bench"),
            "Measure speeds on this machine.",
            "bench --quick --json",
            (
                AS_JSON,
                arg("--quick", action="store_true", help="end within a minute"),
                arg(
                    "--load",
                    type=_positive_int,
                    metavar="SECONDS",
                    help="only this: play in many open games for this time",
                ),
                arg("--games", type=_positive_int, default=2000, metavar="N", help="open games under load (2000)"),
                arg("--rate", type=_positive_int, default=20, metavar="N", help="moves a second under load (20)"),
                arg(
                    "--compare",
                    type=Path,
                    nargs=2,
                    metavar=("OLD", "NEW"),
                    help="only this: measure two checkouts in turns",
                ),
                arg(
                    "--page", action="store_true", help="only this: the board page in Chromium as a slow phone sees it"
                ),
                arg(
                    "--database",
                    metavar="URL",
                    help="only this: saved moves of 1, 2 and 4 processes, in a file and on this server",
                ),
            ),
        ),
        CommandLine(
            "mail",
            _mail,
            "Try the mailbox that the environment names, or say what the bot would do with a mail.",
            "mail --explain letter.eml --json",
            (
                OneOf(
                    (
                        arg("--check", action="store_true", help="log in at both servers; nothing is sent"),
                        arg(
                            "--explain",
                            metavar="FILE",
                            type=Path,
                            help="what would be done with this mail; nothing is done",
                        ),
                    ),
                    is_required=True,
                ),
                arg("--json", action="store_true", help="print one JSON object (with --explain)"),
            ),
        ),
        CommandLine(
            "health",
            _lazy("bot.cli.health", "health"),
            "Ask the running bot how it is (SIGNALBOX_PORT); exit 0 when it is well.",
            "health",
            (arg("--ready", action="store_true", help="also Discord must be connected"),),
        ),
        CommandLine(
            "backup",
            _lazy("bot.cli.backup", "backup"),
            "Copy the database while it is in use, and prove the copy.",
            "backup --out friday.db",
            (
                arg("--out", type=Path, metavar="FILE", help="a new file (default: one more in the folder of backups)"),
                arg("--no-replay", action="store_true", help="look at the file only, replay no games"),
                arg("--list", action="store_true", help="show the backups that there are"),
                AS_JSON,
            ),
        ),
        CommandLine(
            "restore",
            _lazy("bot.cli.backup", "restore"),
            "Put a backup in the place of the database, which is kept under another name. The bot must be stopped.",
            "restore data/backups/signalbox-20260601T120000Z.db",
            (
                arg("file", metavar="FILE", type=Path, nargs="?", help="default: the newest backup"),
                AS_JSON,
            ),
        ),
        CommandLine(
            "move-database",
            _lazy("bot.cli.move_database", "move_database"),
            "Carry all games into another, empty database, and replay every game there. The bot must be stopped.",
            "move-database --to postgresql://signalbox@db.example.org/signalbox",
            (
                arg("--to", required=True, metavar="WHERE", help="a server's address, a new file, or its folder"),
                arg("--from", dest="source", metavar="WHERE", help="default: the database of this environment"),
                AS_JSON,
            ),
        ),
        CommandLine(
            "doctor",
            _lazy("bot.cli.store", "doctor"),
            "Check the database and replay every game in it.",
            "doctor --repair",
            (
                arg(
                    "--repair",
                    action="store_true",
                    help="mend what can be mended, from the log; the bot must be stopped",
                ),
                _workers("let them replay the games"),
                AS_JSON,
            ),
        ),
        CommandLine(
            "worker",
            _lazy("bot.cli.worker", "worker"),
            "Do work that may wait, for the bots and commands of a PostgreSQL server, until SIGTERM; exit 1 when it is away.",
            "worker --jobs 2 --only selfplay,tournament",
            (
                arg("--prepare", action="store_true", help="only make the queue on the server, once for each release"),
                arg(
                    "--jobs",
                    type=_positive_int,
                    default=1,
                    metavar="N",
                    help="this many at once, each in a process (1)",
                ),
                arg(
                    "--only",
                    metavar="KINDS",
                    help="leave all others: doctor, proof, selfplay, timelapse, tournament (default: all)",
                ),
                arg("--with", dest="module", metavar="MODULE", help="a module whose KINDS are taken too"),
                arg("--once", action="store_true", help="end when there is nothing to do"),
            ),
        ),
    )


def _workers(what: str) -> Argument:
    return arg("--workers", action="store_true", help=f"{what}: the workers of SIGNALBOX_DATABASE_URL")


def _positive_int(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or int(text[:10]) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 up")
    return int(text[:10])


def _number(text: str) -> int:
    return 0 if text == "0" else _positive_int(text)


def _discord_id(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 15 <= len(text) <= 20:
        raise argparse.ArgumentTypeError(f"{text!r} is no id: in Discord, switch on the developer mode and copy one")
    return int(text)


def _option(text: str) -> tuple[str, str]:
    name, equals, choice = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form NAME=CHOICE")
    return name, choice


def _lazy(module: str, function: str):  # type: ignore[no-untyped-def]
    """Imports the command's module only when it runs."""

    def run(arguments: argparse.Namespace) -> int:
        from importlib import import_module

        is_done_here = not getattr(arguments, "workers", False)
        if is_done_here and getattr(arguments, "jobs", 1) > 1 and getattr(arguments, "games", 2) > 1:
            from bot.process_pool import preload

            preload(module)
        return int(getattr(import_module(module), function)(arguments))

    return run


def _run(arguments: argparse.Namespace) -> int:
    import asyncio

    from bot.ops.settings import InvalidSetting

    token = os.environ.get("DISCORD_TOKEN", "").strip()
    if arguments.check:
        from .check_discord import check

        return check(token)
    chosen = settings()
    if not token and chosen.mail is None:
        return _console(arguments)
    if not token and chosen.shards is not None:
        raise InvalidSetting("SIGNALBOX_SHARDS needs DISCORD_TOKEN: a bot that plays only by mail serves no shards.")
    from bot.ops.logs import set_up

    set_up(chosen.log_form, [token, *chosen.secret_values])
    adopt_data_folder(chosen)
    if token:
        from bot.main import run_discord

        return asyncio.run(run_discord(token, chosen))
    from bot.main import run_mail

    return asyncio.run(run_mail(chosen))


def _mail(arguments: argparse.Namespace) -> int:
    if arguments.explain is not None:
        from bot.process_pool import preload

        from .mail import explain

        preload("bot.commands.mail.reader")
        return explain(arguments.explain, arguments.json)
    from bot.commands.mail.check_servers import check

    return check(arguments)


def _console(arguments: argparse.Namespace) -> int:
    import asyncio

    from bot.main import run_console

    chosen = settings()
    adopt_data_folder(chosen)
    is_strict = getattr(arguments, "strict", False)
    return asyncio.run(run_console(chosen, is_strict))


def adopt_data_folder(chosen: Settings) -> None:
    """Take ownership of the data and make it private, before the tables are opened for long."""
    from bot.ops.privileges import drop_privileges_to
    from bot.store import tighten

    drop_privileges_to(chosen.data)
    tighten(chosen.data, chosen.backups)

"""The table in a terminal: the same games, moves and pictures as in Discord, on the same kind of database.

A person types with completion, or lines come from a pipe: `printf 'new 1848 Ann Bob Cid\\nmap\\n' | signalbox console`.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import AsyncIterator, Collection
from pathlib import Path

from bot.i18n import set_reader_language
from bot.ops.side_services import BoardPages, SideServices
from bot.ops.steady_clock import boottime_clock
from bot.render.worker import Renderer
from bot.service.game_service import GameService
from bot.store import Server, Store
from bot.threads import run_in_thread
from bot.titles.registry import OLDER_VERSIONS, TITLES

from .commands import Console
from .local_web_board import LocalWebBoard
from .request import PERSON
from .screen import Screen

__all__ = ["PERSON", "Console", "run_console"]

log = logging.getLogger("signalbox.console")

WELCOME = (
    "Signalbox: 18xx by post. New to 18xx? Type lesson: you learn it by playing. A solo game: new 1848 me computer "
    "computer. All else: help."
)
FAULT = "This is a bug in the program, not in your move; nothing was saved. Please report what the log says."


async def run_console(
    data: Path,
    is_strict: bool = False,
    web: int | None = 0,
    web_address: str = "",
    server: Server | None = None,
    beside: SideServices | None = None,
    offered: Collection[str] | None = None,
) -> int:
    """Read commands from the terminal or from standard input until `quit` or the end.

    Returns the exit code: 0, or 1 after an internal error. Refused lines are not errors, unless `is_strict`: then
    the first refusal ends the session with 1, so that a script knows how far it got. The board pages are served
    at the port `web` (0: not at all; None: at a free port, if somebody sits at the terminal). The games are in
    the data folder, or on a server. New games can be opened of the `offered` titles; None: of all.

    :raises StoreError: the database cannot be opened.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    store = await Store.open(server or data / "signalbox.db")
    studio = Renderer()
    tables = GameService(store, TITLES, editions=OLDER_VERSIONS, offered=offered, steady=boottime_clock)
    console = Console(tables, data, terminal_screen() if is_terminal else Screen(), studio)
    try:
        console.tables.computers.begin()
        await console.tables.keeper.begin()
        set_reader_language(await console.tables.languages.chosen_language(PERSON))
        console.screen.say(WELCOME)
        if beside is not None and is_board_wanted(web, is_terminal):
            await open_board(console, beside.board(console.tables, web or 0, web_address, None, False))
        await execute_safely(console, None)
        await console.tables.computers.wake()
        async for line in lines_of_terminal(console) if is_terminal else piped_lines(console):
            await execute_safely(console, line)
            if console.done or (is_strict and console.refusals):
                break
        if is_terminal:
            console.screen.say("Everything is saved; the next start continues here.")
    finally:
        if console.board is not None:
            await console.board.close()
        await console.tables.keeper.close()
        console.porter.close()
        console.tables.computers.close()
        studio.close()
        await store.close()
    return 1 if console.faults or (is_strict and console.refusals) else 0


async def execute_safely(console: Console, line: str | None) -> None:
    """Obey a line (or return to the last game); an internal error is logged and does not end the session."""
    try:
        if line is None:
            await console.resume()
        else:
            await console.execute(line)
        await console.tell_board()
    except BrokenPipeError:
        raise
    except Exception:
        log.exception("console: %s", line)
        console.faults += 1
        console.screen.say(FAULT)


def is_board_wanted(web: int | None, is_terminal: bool) -> bool:
    return is_terminal if web is None else web > 0


async def open_board(console: Console, pages: BoardPages) -> None:
    """Serve the board pages; the session goes on without them if that fails."""
    board = LocalWebBoard(console.tables, pages)
    try:
        await board.open()
    except OSError as error:
        console.screen.say("The browser board could not start: {error}.", error.strerror or "")
    else:
        console.board = board


# -- a pipe -------------------------------------------------------------------------------------------


async def piped_lines(console: Console) -> AsyncIterator[str]:
    """Lines of standard input, each shown before it is obeyed; invalid bytes become question marks."""
    stream = getattr(sys.stdin, "buffer", None)
    while True:
        raw: bytes | str = await run_in_thread(stream.readline if stream else sys.stdin.readline)
        if not raw:
            return
        line = (raw.decode(errors="replace") if isinstance(raw, bytes) else raw).strip()
        if line:
            console.screen.echo(line[:200])
            yield line


# -- a person: what reads and paints there is loaded last -----------------------------------------------


def terminal_screen() -> Screen:
    from .terminal_screen import TerminalScreen

    return TerminalScreen()


def lines_of_terminal(console: Console) -> AsyncIterator[str]:
    from .prompt import typed_lines

    return typed_lines(console)

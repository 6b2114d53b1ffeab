"""The table in a terminal: the same games, moves and pictures as in Discord, on an embedded database."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.patch_stdout import patch_stdout

from bot.engine.game import Game
from bot.engine.ids import CompanyId, Owner
from bot.engine.narration import question
from bot.engine.refusals import NotAllowed, Refusal
from bot.engine.titles.registry import TITLES
from bot.render.worker import PictureFailed, Studio
from bot.store import Store, StoreError
from bot.tables import panel
from bot.tables.reading import help_lines, suggest
from bot.tables.tables import Tables

PERSON = "console"
WELCOME = "Signalbox: 18xx by post. Type help; for a new game: new 1848 Ann Bob Cid."
COMMANDS = {
    "new": "new 1848 Ann Bob Cid [seed=7] [rules=rulebook]   begin a game at this screen",
    "games": "games                        all games here",
    "open": "open 2                       go to game 2",
    "help": "help                         what can be done now",
    "status": "status                       players, companies, whose turn",
    "map": "map [G10 | VR]               the map as a picture and in words",
    "market": "market                       the stock market as a picture and in words",
    "company": "company VR                   one company",
    "player": "player Ann                   one player",
    "trains": "trains                       trains left",
    "tiles": "tiles                        tiles left",
    "log": "log                          what happened last",
    "routes": "routes [VR]                  best routes, with a picture",
    "undo": "undo                         take the last move back",
    "rewind": "rewind 12                    go back to record 12",
    "quit": "quit                         leave; the game stays",
}


class Console:
    """A session at a terminal: one person who moves for every seat."""

    def __init__(self, tables: Tables, data: Path, say: Callable[[str], None]) -> None:
        self.tables = tables
        self.data = data
        self.say = say
        self.studio = Studio()
        self.game: int | None = None
        self.done = False

    async def resume(self) -> None:
        """Go to the newest game that is not over."""
        for record in await self.tables.store.games_of(PERSON):
            if record.status == "running":
                self.game = record.id
                self.say(f"Back at game {record.id} ({record.title}).")
                self.say(question(await self.position()))
                return

    async def position(self) -> Game:
        """The open game.

        :raises NotAllowed: none is open.
        """
        if self.game is None:
            raise NotAllowed("No game is open. Begin one with: new 1848 Ann Bob Cid.")
        table = await self.tables.table(self.game)
        if table.game is None:
            raise NotAllowed("This game has not begun.")
        return table.game

    async def obey(self, line: str) -> None:
        """Do what a line says; a refusal is shown and changes nothing."""
        line = line.strip()
        if not line or line.startswith("#"):
            return
        word, _, rest = line.partition(" ")
        command = self.commands().get(word.lower())
        try:
            if command and not (word.lower() in ("new",) and not rest):
                await command(rest.strip())
            else:
                await self.move(line)
        except Refusal as refusal:
            self.say(f"No: {refusal}")
            for option in refusal.instead:
                self.say(f"    {option}")
        except (StoreError, PictureFailed) as error:
            self.say(f"No: {error}")

    def commands(self) -> dict[str, Callable[[str], Awaitable[None]]]:
        """Every command by its word."""
        return {
            "new": self.new,
            "games": self.games,
            "open": self.open,
            "help": self.help,
            "status": self.status,
            "map": self.map,
            "market": self.market,
            "company": self.company,
            "player": self.player,
            "trains": self.trains,
            "tiles": self.tiles,
            "log": self.log,
            "routes": self.routes,
            "undo": self.undo,
            "rewind": self.rewind,
            "quit": self.quit,
            "exit": self.quit,
        }

    async def move(self, line: str) -> None:
        """A move in the open game."""
        await self.position()
        played = await self.tables.play(int(self.game or 0), PERSON, line)
        for sentence in played.lines:
            self.say(f"  {sentence}")
        self.say(played.question)

    # -- commands -----------------------------------------------------------------------------------

    async def new(self, rest: str) -> None:
        """Begin a game with everybody at this screen."""
        try:
            words = shlex.split(rest)
        except ValueError as error:
            raise NotAllowed("A quotation mark is missing.") from error
        options = dict(word.split("=", 1) for word in words if "=" in word)
        title, *names = [word for word in words if "=" not in word]
        seed = options.pop("seed", None)
        if seed is not None and not seed.isdecimal():
            raise NotAllowed("A seed is a number.")
        known = self.tables.title(title)
        if len(names) not in known.players:
            span = f"{known.players.start} to {known.players.stop - 1}"
            raise NotAllowed(f"{known.name} is for {span} players, not {len(names)}.")
        game = await self.tables.create(
            title, PERSON, [(PERSON, name) for name in names], options, int(seed) if seed else None
        )
        await self.tables.start(game, PERSON, "list")
        self.game = game
        self.say(f"Game {game}: {known.name} with {', '.join(names)}.")
        self.say(question(await self.position()))

    async def games(self, rest: str) -> None:
        """All games."""
        records = await self.tables.store.games_of(PERSON)
        for record in records:
            table = await self.tables.table(record.id)
            here = "*" if record.id == self.game else " "
            asked = question(table.game) if table.game else "in the lobby"
            self.say(f"{here} {record.id}: {record.title}, {record.status}. {asked}")
        if not records:
            self.say("There are no games yet.")

    async def open(self, rest: str) -> None:
        """Go to another game."""
        if not rest.isdecimal():
            raise NotAllowed("Which game? For example: open 2.")
        await self.tables.table(int(rest))
        self.game = int(rest)
        self.say(question(await self.position()))

    async def help(self, rest: str) -> None:
        """What can be done now, then the commands."""
        if self.game is not None:
            game = await self.position()
            self.say(question(game))
            self.say("\n".join(help_lines(game)))
        self.say("Commands:")
        self.say("\n".join(f"    {text}" for text in COMMANDS.values()))

    async def status(self, rest: str) -> None:
        """Everything in words."""
        self.say(panel.status_text(await self.position()))

    async def map(self, rest: str) -> None:
        """The map."""
        game = await self.position()
        await self.show(game, "crop" if rest else "map", rest)
        if not rest:
            self.say(panel.map_text(game))

    async def market(self, rest: str) -> None:
        """The market."""
        game = await self.position()
        await self.show(game, "market", "")
        self.say(panel.market_text(game))

    async def company(self, rest: str) -> None:
        """One company."""
        self.say(panel.company_text(await self.position(), rest))

    async def player(self, rest: str) -> None:
        """One player."""
        self.say(panel.player_text(await self.position(), rest))

    async def trains(self, rest: str) -> None:
        """Trains left."""
        self.say(panel.trains_left(await self.position()))

    async def tiles(self, rest: str) -> None:
        """Tiles left."""
        self.say(panel.tiles_text(await self.position()))

    async def log(self, rest: str) -> None:
        """The latest records."""
        await self.position()
        for record in await self.tables.history(int(self.game or 0)):
            self.say(f"{record.number}. {record.text or record.kind}")
            for sentence in record.lines:
                self.say(f"      {sentence}")

    async def routes(self, rest: str) -> None:
        """Best routes."""
        game = await self.position()
        company = CompanyId(Owner((rest or str(game.frame.entity)).upper()))
        if company not in game.state.companies:
            raise NotAllowed("Routes of which company? For example: routes VR.")
        self.say(panel.routes_text(game, company))
        await self.show(game, "routes", company)

    async def undo(self, rest: str) -> None:
        """Take the last move back."""
        await self.position()
        played = await self.tables.undo(int(self.game or 0), PERSON)
        self.say(" ".join(played.lines))
        self.say(played.question)

    async def rewind(self, rest: str) -> None:
        """Go back further."""
        await self.position()
        if not rest.isdecimal():
            raise NotAllowed("To which record? For example: rewind 12 (log shows the numbers).")
        played = await self.tables.rewind(int(self.game or 0), PERSON, int(rest))
        self.say(" ".join(played.lines))
        self.say(played.question)

    async def quit(self, rest: str) -> None:
        """Leave."""
        self.done = True

    async def show(self, game: Game, kind: str, subject: str) -> None:
        """Write a picture into the data folder and say where it is."""
        picture = await self.studio.picture(game, kind, (), subject)
        folder = self.data / "pictures"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"game-{self.game}-{picture.name}"
        path.write_bytes(picture.png)
        self.say(f"Picture: {path}")


class LegalMoves(Completer):
    """Completion from the list of legal moves."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.moves: list[str] = []

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> list[Completion]:  # type: ignore[override]
        """Everything that begins with what has been typed."""
        typed = document.text_before_cursor.lower()
        choices = [*self.moves, *COMMANDS]
        return [Completion(choice, -len(typed)) for choice in choices if choice.lower().startswith(typed)]


async def run_console(data: Path) -> int:
    """Read commands from the terminal or from standard input until `quit` or the end; returns the exit code."""
    store = await Store.open(data / "signalbox.db")
    console = Console(Tables(store, TITLES), data, print)
    try:
        print(WELCOME)
        await console.resume()
        if sys.stdin.isatty():
            await _talk(console)
        else:
            await _listen(console)
    finally:
        console.studio.close()
        await store.close()
    return 0


async def _talk(console: Console) -> None:
    """A person types."""
    completer = LegalMoves(console)
    session: PromptSession[str] = PromptSession(completer=completer, complete_while_typing=True)
    while not console.done:
        try:
            if console.game is not None:
                completer.moves = suggest(await console.position(), "", 400)
            with patch_stdout():
                await console.obey(await session.prompt_async("> "))
        except (EOFError, KeyboardInterrupt):
            return


async def _listen(console: Console) -> None:
    """Lines come from a pipe."""
    while not console.done:
        line = await asyncio.to_thread(sys.stdin.readline)
        if not line:
            return
        if line.strip():
            print(f"> {line.strip()}")
        await console.obey(line)

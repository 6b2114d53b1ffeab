"""The console's commands: one method each; everything else is a move."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

from bot.engine import CompanyId, GameId, HexId
from bot.engine.message import join_or
from bot.engine.notation.messages import question
from bot.engine.notation.verb import closest_names, near_words
from bot.engine.play.game import Game
from bot.engine.play.title import Title
from bot.engine.refusals import AmbiguousMove, IllegalMove, NotYourTurn, ParseError, Rejected, StalePosition
from bot.i18n import tr
from bot.render.worker import PictureFailed
from bot.service.imports.file_io import encode_game_file, write_18xx
from bot.service.parser.moves import begins_move, verb_meant, would_be_legal
from bot.service.parser.suggestions import INTRODUCTION, help_text
from bot.service.parser.vocabulary import strip_accents, towns, verb_of_word, with_names
from bot.service.sessions.computer_seats import parse_people
from bot.service.views import position_text
from bot.service.views.routes import routes_with_picture
from bot.service.views.turn_text import table_text
from bot.store import StoreError

from . import session_commands
from .help_topics import THINGS, find_command, german_commands, help_about
from .session import PERSON, Session
from .session_commands import MORE, lobby_command, parse_new

COMMANDS = {
    "new": "new 1848 Ann Bob Cid [--seed 7] [rules=rulebook]   begin a game at this screen; new 1848 me computer computer",
    "games": "games                        all games here",
    "open": "open 2                       go to game 2",
    "help": "help [2 | commands | lay | P1]   your moves now; all commands; about a move, command or item",
    "status": "status                       players, companies, whose turn",
    "map": "map [G10 | VR | words]       the map, or a part of it, as a picture; in words",
    "market": "market                       the stock market as a picture and in words",
    "company": "company VR, private P1, train 3+   what it is, has and does",
    "player": "player Ann                   a player",
    "trains": "trains                       trains left, with their prices",
    "tiles": "tiles [green] [57]           tiles left, all or by colour and number",
    "log": "log [40]                     the last log entries",
    "routes": "routes [VR]                  best routes, with a picture",
    "undo": "undo [3]                     take the last move back, or the last three",
    "rewind": "rewind 12                    go back to log entry 12",
    "export": "export FILE [18xx]           write the game as JSON for Signalbox or 18xx.games",
    **MORE,
    "quit": "quit                         leave; the game stays",
}

LOG_LENGTH = 20
NEAR = 0.7
"""Similarity to a command from which on a word counts as a mistyped command."""


class Console(Session):
    # -- obeying ------------------------------------------------------------------------------------

    async def execute(self, line: str) -> None:
        """Obey a line; a refusal is shown and changes nothing."""
        line = line.strip()
        if not line or line.startswith("#"):
            return
        word, _, rest = line.partition(" ")
        word = find_command(word)
        command = None if await self.is_move(word, rest) else self.commands().get(word)
        try:
            if not await lobby_command(self, word, rest.strip()):
                await (command(rest.strip()) if command else self.move(line))
            await self.wait_for_computers(None)
        except Rejected as refusal:
            self.refusals += 1
            self.screen.show_error(refusal)
            options = await self._suggestions(refusal, None if command else line)
            self.screen.say("\n".join(options)) if options else None
        except (StoreError, PictureFailed) as error:
            self.refusals += 1
            self.screen.show_error(error)

    async def is_move(self, word: str, rest: str) -> bool:
        """Whether `lobby 500` funds a lobby in a game with such (1820 §6.5), and opens none; whether `ferry F1 H2`
        means more than information about F1.
        """
        if word == "ferry":
            return len(rest.split()) != 1
        if word != "lobby" or not rest.split() or rest.split()[0] in self.tables.desk.titles:
            return False
        game = await self.find_position()
        return game is not None and verb_of_word(game.title, word) != word

    async def _suggestions(self, refusal: Rejected, line: str | None) -> list[str]:
        options: Sequence[str] = refusal.instead
        if not options and line and not isinstance(refusal, NotYourTurn | StalePosition):
            game = await self.find_position()
            is_move = game is not None and begins_move(game, line.replace(":", " ").split()[0])
            options = would_be_legal(game, line) if game and is_move else ()
        if not options:
            return []
        heading = "Choose one:" if isinstance(refusal, AmbiguousMove) else "Legal would be:"
        return [tr(heading), *(f"    {option}" for option in options)]

    def commands(self) -> dict[str, Callable[[str], Awaitable[None]]]:
        return {
            "new": self.new,
            "games": self.games,
            "open": self.open,
            **dict.fromkeys(("help", "?"), self.help),
            "commands": lambda rest: self.help(f"commands {rest}".strip()),
            "status": self.status,
            "map": self.map,
            "market": self.market,
            **dict.fromkeys(THINGS, self.company),
            "player": self.player,
            "trains": self.trains,
            "tiles": self.tiles,
            "log": self.log,
            "routes": self.routes,
            "undo": self.undo,
            "rewind": self.rewind,
            "export": self.export,
            "quit": self.quit,
            "exit": self.quit,
            **{word: partial(command, self) for word, command in session_commands.COMMANDS.items()},
        }

    async def move(self, line: str) -> None:
        game = await self.position()
        first = line.replace(":", " ").split()[0]
        meant = closest_names(first, [*COMMANDS, *THINGS, *german_commands()], 2, NEAR)
        if meant and not begins_move(game, first) and not verb_meant(game, first):
            raise ParseError(
                "There is no command or move called {first}; perhaps {meant}.", "", first[:40], join_or(meant)
            )
        played = await self.tables.moves.submit(self.open_number(), PERSON, line)
        self.screen.say("\n".join(f"  {sentence}" for sentence in played.lines))
        await self.wait_for_computers(played.version)
        self.show_table(await self.position())

    async def wait_for_computers(self, since: int | None) -> None:
        """Wait for computer players of the open game, and report their moves since an entry, or from now on."""
        if self.number is None or not self.tables.computers.is_at_work(self.number):
            return
        if since is None:
            since = (await self.tables.desk.table(self.number)).record.version
        with self.screen.spinner("The computer players are thinking."):
            await self.tables.computers.wait_idle(self.number)
        for entry in await self.tables.queries.log_since(self.number, since):
            self.screen.say("\n".join(f"  {sentence}" for sentence in entry.tr_lines))

    def show_table(self, game: Game) -> None:
        """Show the state: the question, the cash of the players asked and of the company in turn; a terminal shows
        more.
        """
        told = [tr(question(game))] if game.state.finished else table_text(game, game.players_to_act()).split("\n")
        self.screen.table(game, "\n".join([told[0], *(f"  {line}" for line in told[1:])]))

    # -- games --------------------------------------------------------------------------------------

    async def new(self, rest: str) -> None:
        """Begin a game with all players at this screen, seated in the order of their names."""
        title_name, names, options, seed = parse_new(rest)
        title = self.tables.desk.title(title_name)
        check_players(title, names)
        seats = parse_people(names, PERSON)
        names = [name for _, name in seats]
        number = await self.tables.lobby.create(title_name, PERSON, seats, options, seed)
        await self.tables.lobby.start(number, PERSON, "list")
        self.enter(number)
        self.screen.say("Game {number}: {name} with {names}.", number, title.name, ", ".join(names))
        await self.wait_for_computers(0)
        await self.tell_board()
        asked = tr(question(await self.position()))
        hint = tr("help lists your moves; turn, map, market and status show the position.")
        self.screen.table(await self.position(), f"{asked}\n{hint}")

    async def games(self, rest: str) -> None:
        found = await self.tables.queries.games_of(PERSON, with_finished=True)
        for status in sorted(found, key=lambda status: status.record.id):
            here = "*" if status.record.id == self.number else " "
            names = ", ".join(seat.name for seat in status.seats)
            asked, state = tr(status.question or "in the lobby"), tr(status.record.status)
            self.screen.write(f"{here} {status.record.id}: {status.record.title} ({names}), {state}. {asked}")
        if not found:
            self.screen.say("There are no games yet. Start a game with: new 1848 Ann Bob Cid.")

    async def open(self, rest: str) -> None:
        if not rest.isdecimal() or len(rest) > 9:
            raise IllegalMove("Which game? For example: open 2 (games lists them).")
        if (await self.tables.desk.table(GameId(int(rest)))).record.status == "lobby":
            self.enter(GameId(int(rest)))
            await session_commands.show_lobby(self, GameId(int(rest)))
            return
        _, game = await self.tables.desk.require_started(GameId(int(rest)))
        self.enter(GameId(int(rest)))
        self.screen.say("Game {number}: {name}. {question}", rest, game.title.name, question(game))

    async def export(self, rest: str) -> None:
        """Write the game in Signalbox's own format, which `import` reads, or in that of 18xx.games."""
        if not rest:
            raise IllegalMove("To which file? For example: export game.json.")
        course = await self.tables.queries.game_file(self.open_number())
        name, _, form = rest.rpartition(" ")
        if name and form == "18xx":
            content, rest = write_18xx(course), name.strip()
        else:
            content = encode_game_file(course)
        path = Path(rest).expanduser()
        try:
            with path.open("xb") as file:
                file.write(content)
        except FileExistsError as error:
            raise IllegalMove("{path} exists already; choose another name.", "", str(path)) from error
        except OSError as error:
            raise IllegalMove("{path} cannot be written: {error}.", "", str(path), str(error.strerror)) from error
        self.screen.write(f"{tr('Written:')} {path}")

    async def quit(self, rest: str) -> None:
        self.done = True

    # -- taking back --------------------------------------------------------------------------------

    async def undo(self, rest: str) -> None:
        if rest and not (rest.isdecimal() and len(rest) < 6):
            raise IllegalMove("How many moves? For example: undo 3.")
        played = await self.tables.moves.undo(self.open_number(), PERSON, int(rest or 1))
        self.screen.say("\n".join([*played.lines, tr(played.question)]))

    async def rewind(self, rest: str) -> None:
        """Go back further, or forward to what was undone."""
        if not rest.isdecimal() or len(rest) > 9:
            raise IllegalMove("To which log entry? For example: rewind 12 (log shows the numbers).")
        played = await self.tables.moderation.rewind(self.open_number(), PERSON, int(rest))
        self.screen.say("\n".join([*played.lines, tr(played.question)]))

    # -- looking ------------------------------------------------------------------------------------

    async def help(self, rest: str) -> None:
        """Show the legal moves, then the commands, page by page; or the usage of a single command."""
        about, _, number = rest.rpartition(" ")
        if not number.isdecimal() or len(number) > 3:
            about, number = rest, "1"
        is_list = find_command(about) == "commands"
        if about and not is_list:
            await help_about(self, about.split()[0], COMMANDS)
            return
        commands = "\n".join([tr("Commands:"), *(f"    {tr(text)}" for text in COMMANDS.values())])
        game = None if is_list else await self.find_position()
        now = [tr(help_text(game))] if game is not None else [] if is_list else [tr(INTRODUCTION)]
        self.screen.pages("\n".join([*now, commands]), int(number), f"{about} " if about else "")

    async def status(self, rest: str) -> None:
        self.screen.status(await self.position())

    async def map(self, rest: str) -> None:
        """The map, or the part around hexes or a company's tokens."""
        game = await self.position()
        if rest.lower() in ("words", "worte"):
            self.screen.say(position_text.map_text(game))
            return
        spaces = find_hexes(game, rest)
        await self.show(game, "crop" if rest else "map", " ".join(spaces))
        words = position_text.map_text(game, spaces if rest else None)
        self.screen.say(words) if rest else self.screen.map_words(words)

    async def market(self, rest: str) -> None:
        game = await self.position()
        await self.show(game, "market", "")
        self.screen.say(position_text.market_text(game))

    async def company(self, rest: str) -> None:
        self.screen.say(position_text.thing_text(await self.position(), rest))

    async def player(self, rest: str) -> None:
        self.screen.say(position_text.player_text(await self.position(), rest))

    async def trains(self, rest: str) -> None:
        self.screen.say(position_text.trains_text(await self.position()))

    async def tiles(self, rest: str) -> None:
        self.screen.say(position_text.tiles_text(await self.position(), rest))

    async def log(self, rest: str) -> None:
        """The latest log entries; undone entries are marked."""
        if rest and not (rest.isdecimal() and len(rest) < 6):
            raise IllegalMove("How many log entries? For example: log 40.")
        entries, game = await self.tables.queries.log_since(self.open_number()), await self.position()
        for entry in entries[-int(rest or LOG_LENGTH) :]:
            back = tr(" (taken back)") if entry.is_undone else ""
            text = with_names(game, entry.record.text) or entry.record.kind
            self.screen.write(f"{entry.record.number}. {text}{back}")
            for sentence in entry.tr_lines:
                self.screen.say(f"      {sentence}")

    async def routes(self, rest: str) -> None:
        """Best routes of a company, by default of the company in turn."""
        game = await self.position()
        entity = game.frame.entity if game.state.flow else None
        if not rest and entity not in game.state.companies:
            example = next((sign for sign in game.state.companies if game.title.companies[sign].tokens), "")
            raise IllegalMove("Routes of which company? For example: routes {example}.", "", example)
        company = position_text.require_company(game, rest or str(entity))
        text, shown = routes_with_picture(game, company)
        self.screen.say(text)
        if game.state.trains_of(company):
            await self.show(game, "routes", shown)

    async def show(self, game: Game, kind: str, subject: str) -> None:
        """Write a picture into the data folder; the text version follows also when that fails."""
        try:
            self.keep(await self.studio.picture(game, kind, (), subject))
        except PictureFailed as error:
            self.screen.say("No picture: {reason}", error.said)


# -- reading commands ---------------------------------------------------------------------------------


def check_players(title: Title, names: Sequence[str]) -> None:
    """Refuse a number of players that does not fit.

    :raises IllegalMove: with the numbers that do.
    """
    if len(names) not in title.players:
        least, most = title.players.start, title.players.stop - 1
        raise IllegalMove(
            "{title} is for {least} to {most} players, not {number}.", "", title.name, least, most, len(names)
        )


def find_hexes(game: Game, rest: str) -> list[HexId]:
    """The hexes of a map command: named hexes, or the hexes with a company's tokens (or its home).

    :raises IllegalMove: there is no such space or company.
    """
    known = {hex_id.lower(): hex_id for hex_id in game.board_rules.map.hexes} | dict(towns(game.board_rules))
    words = [rest.lower()] if strip_accents(rest.lower()) in known else rest.replace(",", " ").split()
    if all(strip_accents(word.lower()) in known for word in words):
        return [known[strip_accents(word.lower())] for word in words]
    wrong = next(word for word in words if strip_accents(word.lower()) not in known)
    if position_text.find_company(game, rest) is None:
        names = [*dict.fromkeys(known.values()), *game.title.companies]
        raise IllegalMove("There is no hex or company {name}{suggestions}.", "", wrong, near_words(wrong, names))
    company: CompanyId = position_text.require_company(game, rest)
    tokens = list(dict.fromkeys(hex_id for hex_id, _ in game.state.board.cities_of(company)))
    spaces = tokens or list(game.title.companies[company].home)
    if not spaces:
        raise IllegalMove("{company} has no place on the map.", "", company)
    return spaces

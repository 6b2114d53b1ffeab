"""The console: each line is a command of the registry or a move, and its answer is shown on the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bot.engine import GameId, HexId, join_or
from bot.engine.notation.fields import closest_names
from bot.engine.notation.messages import question
from bot.engine.play.game import Game
from bot.engine.refusals import AmbiguousMove, IllegalMove, NotYourTurn, OffCourse, ParseError, Rejected, StalePosition
from bot.engine.state.actions import LayTile
from bot.i18n import tr
from bot.render.picture_kinds import HistoryOf, PictureKind, PictureOf
from bot.render.worker import PictureFailed
from bot.service.parser.moves import begins_move, verb_meant, would_be_legal
from bot.service.parser.suggestions import legal_options, with_notes
from bot.service.registry.command import Command, Door, NamedFile, Reply
from bot.service.registry.command_line import Line, find_line, spellings, values_of
from bot.service.registry.help import german_commands
from bot.service.sessions import MoveResult, is_lesson
from bot.service.views.clock_text import times_line
from bot.service.views.turn_text import table_text
from bot.store import GameStatus, StoreError, make_folder, write_file
from bot.threads import run_in_thread

from .request import PERSON, TerminalRequest
from .session import Session

if TYPE_CHECKING:
    from bot.render.scenes.character_map import MapCell

NEAR = 0.7
"""Similarity to a command from which on a word counts as a mistyped command."""

IN_WORDS = ("company", "player", "tiles")
"""Pictures that a terminal shows only in words."""

TAUGHT = ("lesson", "puzzle")
"""Commands that show the table with a task."""

QUIT = ("quit", "exit", "ende", "schluss", "beenden")
KEYS_WANTED = "?"
"""Shows the keys, and what can be done now."""


class Console(Session):
    seen: int | None = None
    """The log entry whose board was shown last; None where it was the present board."""

    def line_of_history(self, step: int) -> str:
        """The line that shows the board one log entry before (-1) or after (1) the board that was shown last."""
        return " ".join(["history", *([] if self.seen is None else [str(max(self.seen + step, 0))])])

    async def execute(self, line: str) -> None:
        """Obey a line; a refusal is shown and changes nothing."""
        line = line.strip()
        if not line or line.startswith("#"):
            return
        self.screen.begin()
        found: Line | None = None
        try:
            if line == KEYS_WANTED:
                self.screen.keys()
            if line.lower() in QUIT:
                self.done = True
                return
            table = await self.find_table()
            self.address_reader(table)
            is_lobby = table is not None and table.record.status == GameStatus.LOBBY
            found = find_line(line, Door.TERMINAL, table.game if table else None, is_lobby)
            await (self.run(found) if found else self.move(line))
            await self.wait_for_computers(None)
        except Rejected as refusal:
            await self._refuse(refusal, None if found else line)
        except (StoreError, PictureFailed) as error:
            self.refusals += 1
            self.screen.show_error(error)

    async def _refuse(self, refusal: Rejected, move: str | None) -> None:
        self.refusals += 1
        self.screen.show_error(refusal)
        options: Sequence[str] = refusal.instead
        if not options and move and not isinstance(refusal, NotYourTurn | OffCourse | StalePosition):
            game = await self.find_position()
            is_move = game is not None and begins_move(game, move.replace(":", " ").split()[0])
            options = would_be_legal(game, move) if game and is_move else ()
        if isinstance(refusal, OffCourse):
            self.screen.say("lesson repeats your task; lesson hint shows what to type.")
        if options:
            position = await self.find_position()
            options = with_notes(position, options) if position is not None else options
            heading = "Choose one:" if isinstance(refusal, AmbiguousMove) else "Legal moves, for example:"
            self.screen.say("\n".join([tr(heading), *(f"    {option}" for option in options)]))

    # -- commands -----------------------------------------------------------------------------------

    async def run(self, line: Line) -> None:
        """Run a command and show its answer."""
        request = TerminalRequest(self)
        values = await values_of(line, request)
        with self.screen.spinner("One moment."):
            reply = await line.command.run(request, **values)
        if reply.refusal is not None:
            raise reply.refusal
        self.seen = entry_shown(values.get("record"), reply) if line.command.name == "history" else None
        if reply.opened is not None and reply.opened != self.number:
            self.enter(reply.opened)
            self.address_reader(await self.find_table())
        if isinstance(reply.subject, MoveResult):
            await self.show_played(reply.subject)
        elif request.page:
            text = "\n".join(map(tr, reply.lines))
            self.screen.pages(text, request.page, f"{request.about} " if request.about else "")
        else:
            await self.show(request, line.command, reply)

    async def show(self, request: TerminalRequest, command: Command, reply: Reply) -> None:
        """Pictures first, then words; a game that has just begun is shown whole."""
        for picture in reply.pictures:
            if picture.kind not in IN_WORDS and command.name != "history":
                await self.show_picture(picture)
        shown = next((part for part in reply.pictures if isinstance(part, PictureOf)), None)
        lines = [tr(line) for line in reply.lines]
        if reply.follow_ups and command.name not in TAUGHT:
            typed = (request.spell(one.command, **one.values) for one in reply.follow_ups)
            lines.append(tr("Next: {commands}.", "; ".join(typed)))
        text = "\n".join(lines)
        if command.name in TAUGHT and reply.follow_ups:
            await self.wait_for_computers(None)
            await self.show_table(await self.position(), tr(question(await self.position())))
        elif command.name == "status":
            self.screen.status(await self.position())
            for line in lines[1:]:
                self.screen.say(line)
        elif shown is not None and shown.kind in (PictureKind.MAP, PictureKind.CROP):
            if command.name == "history":
                self.screen.say(text)
            await self.show_map(shown, text)
        elif text:
            self.screen.say(text)
        for file in reply.files:
            self.write(file)
        if command.name == "new":
            await self.wait_for_computers(0)
            await self.tell_board()
            asked = tr(question(await self.position()))
            hint = tr("help lists your moves; turn, map, market and status show the position.")
            await self.show_table(await self.position(), f"{asked}\n{hint}")

    async def show_picture(self, picture: PictureOf | HistoryOf) -> None:
        """Write a picture into the data folder; the words follow also when that fails."""
        try:
            self.keep(await self.studio.paint(picture))
        except PictureFailed as error:
            self.screen.say("No picture: {reason}", error.said)

    def write(self, file: NamedFile) -> None:
        """Write a file: where somebody has named it, if there is none; others into the data folder.

        :raises IllegalMove: it cannot be written.
        """
        path = Path(file.name).expanduser() if file.is_named else self.data / "files" / file.name
        try:
            if file.is_named:
                with path.open("xb") as opened:
                    opened.write(file.content)
            else:
                make_folder(path.parent)
                write_file(path, file.content)
        except FileExistsError as error:
            raise IllegalMove("{path} exists already; choose another name.", "", str(path)) from error
        except OSError as error:
            raise IllegalMove("{path} cannot be written: {error}.", "", str(path), str(error.strerror)) from error
        self.screen.write(f"{tr('Written:')} {path}")

    # -- moves --------------------------------------------------------------------------------------

    async def move(self, line: str) -> None:
        game = await self.position()
        first = line.replace(":", " ").split()[0]
        known = {text.split()[0] for text in spellings(Door.TERMINAL)}
        if first.lower() in known and not begins_move(game, first):
            raise IllegalMove("This game has begun.")
        meant = closest_names(first, [*sorted(known), *german_commands()], 2, NEAR)
        if meant and not begins_move(game, first) and not verb_meant(game, first):
            raise ParseError(
                "There is no command or move called {first}; perhaps {meant}.", "", first[:40], join_or(meant)
            )
        await self.show_played(await self.tables.moves.submit(self.open_number(), TerminalRequest(self).person, line))

    async def show_played(self, played: MoveResult) -> None:
        """Show what moves did, then what computer players answered, then the table."""
        self.screen.say("\n".join(f"  {sentence}" for sentence in self.screen.own_events(played.lines)))
        await self.wait_for_computers(played.version)
        offers = await self.offers(played.game)
        self.screen.keep_room(len(offers))
        game = await self.position()
        told = [tr(question(game))] if game.state.finished else table_text(game, game.players_to_act()).split("\n")
        await self.show_table(game, "\n".join([told[0], *(f"  {line}" for line in told[1:])]))
        for line in offers:
            self.screen.say(line)

    async def offers(self, game_id: GameId) -> list[str]:
        """Lines to type for plans that people often want next, where the game waits for others."""
        request = TerminalRequest(self)
        return [
            f"  {tr(offer.label)}: {request.spell('plan', order=offer.plan)}"
            for offer in await self.tables.plans.offers(game_id, request.person)
        ]

    async def wait_for_computers(self, since: int | None) -> None:
        """Wait for computer players of the open game, and report their moves since an entry, or from now on."""
        if self.number is None or not self.tables.computers.is_at_work(self.number):
            return
        if since is None:
            since = (await self.tables.desk.table(self.number)).record.version
        with self.screen.spinner("The computer players are thinking."):
            await self.tables.computers.wait_idle(self.number)
        is_taught = is_lesson((await self.tables.desk.table(self.number)).seats)
        for line in self.screen.events(
            [entry.tr_lines for entry in await self.tables.queries.log_since(self.number, since)], is_taught
        ):
            self.screen.say(f"  {line}")
            if is_taught:
                await asyncio.sleep(self.screen.pace)

    async def show_table(self, game: Game, otherwise: str) -> None:
        """Show the state: `otherwise`, on a terminal more, and the map beside it in a wide window."""
        columns, table = self.screen.columns_beside, await self.find_table()
        beside = await run_in_thread(_map_of, game.copy(), columns) if columns else ()
        if table is not None and (times := await self.tables.clocks.seat_times(table)):
            self.screen.say(times_line(times))
        own = table.seats_of(PERSON) if table else ()
        task = await self.tables.lessons.task(table) if table is not None else None
        below = [tr(line) for line in task.lines] if task is not None else []
        wanted = self.tables.lessons.wanted_move(game, task)
        await run_in_thread(self.screen.table, game, otherwise, beside, own, below, wanted)

    async def show_map(self, shown: PictureOf, words: str) -> None:
        """The map in characters; what is around some hexes is said in words too."""
        around = [HexId(part) for part in shown.subject.split()]
        cells = await run_in_thread(_map_of, shown.game.copy(), self.screen.columns, around, is_cut=True)
        self.screen.map(cells, words, is_told=bool(around))


def entry_shown(record: int | None, reply: Reply) -> int | None:
    """The log entry that an answer of `history` shows: the entry that was typed, else the entry before the last."""
    offered = [int(one.values["record"]) for one in reply.follow_ups]
    return offered[-1] - 1 if record is None and offered else record


def _map_of(game: Game, columns: int, around: Collection[HexId] = (), *, is_cut: bool = False) -> list[list[MapCell]]:
    """The map in characters, with the hexes in bold where track can be laid now."""
    from bot.render.scenes.character_map import character_map

    lays = {action.hex for action in legal_options(game).values() if isinstance(action, LayTile)}
    return character_map(game, columns, lays, around, is_cut=is_cut)

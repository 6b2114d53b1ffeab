"""A game in a thread of Discord's double, and what its players do there."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest_asyncio

from bot.engine.games.game_record import GameRecordFile, build_game_record
from bot.engine.notation.text import format_action
from bot.engine.play.game import Game
from bot.service.imports.file_io import encode_game_file
from bot.service.parser.moves import parse_moves
from bot.titles.registry import TITLES
from tests.discord_double.double import Double
from tests.discord_double.fixtures import double as double
from tests.discord_double.launcher import BotProcess
from tests.discord_double.model import COMPONENTS_V2, SELECTS, Channel, PostedMessage, walk_components
from tests.discord_double.user import Reply, ScriptedUser

PATIENCE = 60.0


class Table:
    """A game with Ann, Bob and Cid (or others) in a thread."""

    def __init__(self, double: Double, bot: BotProcess, people: Sequence[ScriptedUser] = ()) -> None:
        self.double = double
        self.bot = bot
        self.people = tuple(people) or (double.ann, double.bob, double.cid)

    @property
    def thread(self) -> Channel:
        """The game's thread."""
        return self.double.threads[0]

    def posts(self) -> list[PostedMessage]:
        """What the bot posted in the thread for all."""
        bot = self.double.world.bot
        return [m for m in self.thread.messages if m.author is bot and not m.ephemeral and not m.interaction]

    def boards(self) -> list[PostedMessage]:
        """The records of the game, oldest first."""
        return [message for message in self.posts() if message.flags & COMPONENTS_V2]

    def told(self) -> int:
        """How often the records have been written: every change counts."""
        return sum(1 + message.edits for message in self.boards())

    def pings(self) -> list[PostedMessage]:
        """Posts that ask a player."""
        return [message for message in self.posts() if message.content.startswith("<@")]

    def asked_at(self) -> int:
        """After which record the newest question was asked, as it stands now; -1 where nobody is asked."""
        ids = [button.custom_id or "" for post in self.pings()[-1:] for button in post.buttons]
        return next((int(name.rpartition(":")[2]) for name in ids if ":turn:" in name), -1)

    async def open(self, title: str = "1848", **options: str) -> None:
        """Lobby and start, seats in the order of joining."""
        first, second, *others = self.people
        lobby = await first.slash("game new", self.double.channel, title=title, **options)
        assert title in lobby.text
        await second.click(lobby.message, "Join")
        for person in others:
            await person.slash("game join", self.double.channel)
        await self.wait(lambda: second.name in lobby.text, "the lobby with its players")
        assert "begun" in (await first.slash("game start", self.double.channel, order="list")).text
        await self.wait(lambda: self.double.threads and self.pings() and self.boards(), "the first question and record")

    async def wait(self, look, what: str):  # type: ignore[no-untyped-def]
        """Wait until something is so."""
        return await self.double.until(look, PATIENCE, what)

    async def settled(self) -> None:
        """Wait until everything that is saved is posted."""
        path = Path(self.bot.environment["SIGNALBOX_DATA"]) / "signalbox.db"

        def is_posted() -> bool:
            with closing(sqlite3.connect(path)) as database:
                return not database.execute("SELECT 1 FROM outbox WHERE posted_at IS NULL").fetchall()

        await self.wait(is_posted, "an empty outbox")

    def turn(self) -> tuple[ScriptedUser, PostedMessage]:
        """Who is asked, and the message with the buttons."""
        asked = self.pings()[-1]
        return next(person for person in self.people if asked.content.startswith(person.mention)), asked

    async def use(
        self, person: ScriptedUser, source: Reply | PostedMessage, *chosen: str, label: str = "", **form: str
    ) -> Reply:
        """Press a button (`label`), choose from a menu, or send a form; wait until the panel shows what comes of it."""
        message = source.message if isinstance(source, Reply) and not form else source
        panel = message if isinstance(message, PostedMessage) else message.interaction.message
        edits = panel.edits if panel is not None else 0
        if label:
            assert isinstance(message, PostedMessage)
            reply = await person.click(message, label)
        elif chosen:
            assert isinstance(message, PostedMessage)
            reply = await person.select(message, *chosen, menu=menu_with(message, chosen[0]))
        else:
            assert isinstance(source, Reply)
            reply = await person.submit_modal(source, form)
        if panel is not None and panel.ephemeral:
            await self.wait(lambda: panel.edits > edits, f"what comes of {label or chosen or form}")
        return reply

    async def move(self, text: str, way: str = "slash", asks: bool = True) -> Reply | None:
        """The player in turn moves; the record tells it, and somebody is asked."""
        person, ping = self.turn()
        told, asked = self.told(), self.asked_at()
        reply = None
        if way == "click":
            reply = await person.click(ping, text)
        elif way == "say":
            await person.say(self.thread, text, mention_bot=True)
        else:
            reply = await person.slash("move", self.thread, move=text)
            assert reply.ephemeral
        await self.wait(lambda: self.told() > told, f"the record after {text}")
        if asks:
            await self.wait(lambda: self.asked_at() > asked, f"a question after {text}")
        return reply


def menu_with(message: PostedMessage, label: str) -> str | None:
    """The menu of a message that has an option called so, if there are several menus."""
    menus = [part for part in walk_components(message.components) if part["type"] in SELECTS]
    found = [menu for menu in menus if label in [option["label"] for option in menu["options"]]]
    return str(found[0]["custom_id"]) if len(menus) > 1 and found else None


@pytest_asyncio.fixture
async def table(double: Double, tmp_path: Path) -> AsyncIterator[Table]:
    """A running bot without the message content intent; the double's teardown is the judge."""
    yield Table(double, await double.launch(data=tmp_path))


AUCTION = (
    ("buy P1 for 30", "click"),
    ("buy p2", "say"),
    ("buy P3 for 110", "slash"),
    ("buy P4 for 170", "click"),
    ("buy p5", "say"),
    ("buy P6", "slash"),
)
STOCK = ("par VR 90", "par NSW 80", "buy CAR", "buy CAR", "buy CAR", "buy CAR", "pass", "pass")


TO_FIRST_TURN = (*(text for text, _ in AUCTION), *STOCK, "pass")
"""1848 until CAR, Cid's, is asked for its track."""

TO_SECOND_TURN = (*TO_FIRST_TURN, "lay 57 E4 1", "buy 2", "pass", "pass", "pass", "pass")
"""Until it is asked again, with a train and track."""


async def bring(table: Table, course: GameRecordFile) -> None:
    """A game of three that was played elsewhere, imported by Ann, who gives Bob and Cid their seats."""
    ann, *others = table.people
    reply = await ann.slash("game import", table.double.channel, file=("game.json", encode_game_file(course)))
    assert "continues after" in reply.text, reply.text
    await table.wait(lambda: table.double.threads and table.pings() and table.boards(), "the first question and record")
    for seat, person in enumerate(others, 2):
        assert "has seat" in (await ann.slash("moderate replace", table.thread, seat=seat, member=person)).text


@cache
def played(title: str, moves: Sequence[str]) -> GameRecordFile:
    """A game of Ann, Bob and Cid with these moves, as they are typed."""
    game, texts = Game.new(TITLES[title], ["Ann", "Bob", "Cid"]), []
    for typed in moves:
        for action in parse_moves(game.copy(), typed, game.players_to_act()):
            game.apply(action)
            texts.append(format_action(action))
    return build_game_record(game, texts)


async def to_operating_round(table: Table, moves: Sequence[str] = TO_FIRST_TURN) -> ScriptedUser:
    """A game of 1848 in which a company is asked for its track; who directs it."""
    await bring(table, played("1848", moves))
    asked = table.people[2]
    await table.wait(
        lambda: (
            [ping.mentions for ping in table.pings()] == [[asked.account]] and "lay track" in table.pings()[0].content
        ),
        "the company's turn",
    )
    await table.settled()
    return asked

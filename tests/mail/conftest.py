"""A post office without servers: letters are handed to it, and what it sends is kept."""

from __future__ import annotations

import re
import sqlite3
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage, Message
from email.policy import default
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bot.commands.mail.gateway import MailGateway
from bot.commands.mail.reader import MailReader
from bot.commands.mail.signatures import AddressSigner
from bot.ops.rate_limit import RateLimiter
from bot.ops.settings import MailServer, MailSettings
from bot.render.painting.picture import Picture
from bot.render.worker import Renderer
from bot.service.game_service import GameService
from bot.store import Store, write_file
from bot.titles.registry import TITLES
from tests.service.conftest import Clock
from tests.service.conftest import clock as clock
from tests.service.conftest import store as store

OWN = "games@club.example"
ANN, BOB, CID = "ann@home.example", "bob@work.example", "cid@far.example"
IDLE: list[ProcessPoolExecutor] = []
"""Processes that read letters: all post offices of the tests share them."""
KEY = bytes(range(32))
"""The secret of every post office of the tests: what one has sent can be answered at another."""

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010100000000376ef9240000000a49444154789c63680000008200817"
    "7cd72b60000000049454e44ae426082"
)


def settings() -> MailSettings:
    """A mailbox that nobody serves."""
    server = MailServer("127.0.0.1", 1, OWN, True)
    return MailSettings(OWN, server, "INBOX", server, "a password", "mx.club.example")


class PaintsNothing:
    """A studio whose pictures are one point."""

    painted = 0

    async def picture(self, game: object, kind: str, *more: object) -> Picture:
        """A picture of that kind."""
        self.painted += 1
        return Picture(f"{kind}.png", PIXEL, f"The {kind} in words.")

    async def history_picture(self, kind: str, course: object) -> Picture:
        """A picture of a game's course."""
        return Picture(f"{kind}.{'gif' if kind == 'timelapse' else 'png'}", PIXEL, f"The {kind} in words.")

    paint = Renderer.paint


@dataclass
class Outbox:
    """Where mails are handed in; `refuses` says how the next ones are not taken."""

    mails: list[EmailMessage] = field(default_factory=list)
    refuses: list[Exception] = field(default_factory=list)

    async def open(self) -> None:
        """It is open."""

    async def close(self) -> None:
        """It stays."""

    async def send(self, mail: EmailMessage, to: str) -> None:
        """Keep a mail as it would arrive."""
        if self.refuses and (error := self.refuses.pop(0)) is not None:
            raise error
        self.mails.append(message_from_bytes(bytes(mail), policy=default))  # type: ignore[arg-type]


def letter(text: str, sender: str = ANN, to: str = OWN, **headers: str) -> bytes:
    """A letter of plain text, as a server hands it over."""
    mail = EmailMessage()
    mail["From"], mail["To"] = sender, to
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(text)
    return bytes(mail)


class Begun(NamedTuple):
    """What stands once a game has begun by mail."""

    database: sqlite3.Connection
    mails: tuple[EmailMessage, ...]
    letters: int
    game: int


BEGUN: list[Begun] = []
"""At most one: the letters that begin a game are exchanged once in a process; later tests begin with a copy."""


@dataclass
class Post:
    """The post office, and everybody who writes to it."""

    office: MailGateway
    tables: GameService
    outbox: Outbox
    clock: Clock
    folder: Path
    count: int = 0

    async def write(self, text: str, sender: str = ANN, to: str | None = None, **headers: str) -> str:
        """Somebody writes: to that address, else he answers the last mail that he was sent, else to the bot."""
        self.count += 1
        headers.setdefault("Message_ID", f"<{self.count}@home.example>")
        return await self.office.receive(letter(text, sender, to or self.reply_to(sender), **headers))

    def reply_to(self, who: str) -> str:
        """The address at which somebody answers his last mail."""
        last = [mail for mail in self.outbox.mails if mail["To"] == who]
        return str(last[-1]["Reply-To"]) if last else OWN

    async def post(self) -> list[EmailMessage]:
        """Send what waits; the mails that were new."""
        before = len(self.outbox.mails)
        await self.office.sender.flush()
        return self.outbox.mails[before:]

    async def ask(self, text: str, sender: str = ANN, to: str | None = None, **headers: str) -> str:
        """Somebody writes; the words of the one mail that he is answered."""
        assert await self.write(text, sender, to, **headers) in ("answered", "welcomed")
        mails = [mail for mail in await self.post() if mail["To"] == sender]
        assert len(mails) == 1, [words(mail) for mail in mails]
        return words(mails[0])

    async def come(self, sender: str) -> None:
        """Somebody writes for the first time, and is answered how he can prove who he is."""
        assert "Was it you?" in await self.ask("hello", sender, OWN)

    async def game(self) -> int:
        """A game of 1848 that Ann has opened, Bob and Cid have joined, begun; everything by mail."""
        file = self.folder / "signalbox.db"
        if self.count or not file.exists():
            return await self._begin()
        if not BEGUN:
            game = await self._begin()
            copy = sqlite3.connect(":memory:")
            with closing(sqlite3.connect(file)) as database:
                database.backup(copy)
            BEGUN.append(Begun(copy, tuple(self.outbox.mails), self.count, game))
            return game
        with closing(sqlite3.connect(file)) as database:
            BEGUN[0].database.backup(database)
        self.outbox.mails += BEGUN[0].mails
        self.count = BEGUN[0].letters
        return BEGUN[0].game

    async def _begin(self) -> int:
        for who in (ANN, BOB, CID):
            await self.come(who)
        found = re.search(r"join (\d+) (\S+) NAME", await self.ask("new 1848 Ann"))
        assert found is not None
        for who, name in ((BOB, "Bob"), (CID, "Cid")):
            assert f"{name} is in game" in await self.ask(f"join {found[1]} {found[2]} {name}", who)
        assert await self.write("start list") == "answered"
        await self.post()
        return int(found[1])

    def last(self, who: str) -> str:
        """The words of the last mail to somebody."""
        return words([mail for mail in self.outbox.mails if mail["To"] == who][-1])


def words(mail: Message) -> str:
    """The plain text of a mail."""
    part: Any = mail
    return str(part.get_body(("plain",)).get_content())


def page(mail: Message) -> str:
    """The page of a mail."""
    part: Any = mail
    return str(part.get_body(("html",)).get_content())


def office_of(store: Store, clock: Clock, folder: Path, outbox: Outbox) -> MailGateway:
    """A post office at these tables."""
    tables = GameService(store, TITLES, clock)
    office = MailGateway(
        tables,
        settings(),
        AddressSigner.load_or_create(folder),
        PaintsNothing(),  # type: ignore[arg-type]
        RateLimiter(0),
        "https://board.club.example",
        outbox,  # type: ignore[arg-type]
        MailReader(OWN, settings().authority, IDLE),
    )
    return office


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters are read at the priority of everything else: on a busy machine a new process would not be ready in time."""
    monkeypatch.setattr("bot.commands.mail.reader.NICENESS", 0)
    monkeypatch.setattr("bot.commands.mail.reader.LONGEST", 120.0)


@pytest.fixture
def post(store: Store, clock: Clock, tmp_path: Path) -> Post:
    write_file(tmp_path / "mail.key", KEY)
    outbox = Outbox()
    office = office_of(store, clock, tmp_path, outbox)
    for limit in (office.strangers, office.domains, office.others):
        limit.clock = lambda: clock.time.timestamp()
    return Post(office, office.tables, outbox, clock, tmp_path)

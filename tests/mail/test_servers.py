"""With real servers: Debian's dovecot and exim, with TLS and passwords, all on loopback. Down, slow, full, a wrong
password, killed in the middle; and the bot as an operator begins it."""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from bot.commands.mail.imap import Mailbox
from bot.commands.mail.service import MailService
from bot.ops.rate_limit import RateLimiter
from bot.ops.settings import Settings
from bot.service.game_service import GameService
from bot.store import Store
from bot.titles.registry import TITLES
from tests.blank_database import write_blank
from tests.mail.conftest import ANN, BOB, CID, OWN, PaintsNothing, words
from tests.mail.servers import ABSENT, Client, MailServers, are_here, free_port
from tests.reliability.test_crashes import script

pytestmark = pytest.mark.skipif(not are_here(), reason=ABSENT)

SECONDS = 40.0


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Iterator[MailServers]:
    running = MailServers()
    monkeypatch.setenv("SSL_CERT_FILE", str(running.certificate))
    try:
        running.begin()
        yield running
    finally:
        running.end()


async def new(client: Client) -> EmailMessage:
    """The next mail that somebody is sent."""
    return await asyncio.to_thread(client.new, SECONDS)


async def answered(client: Client, mail: EmailMessage, text: str) -> EmailMessage:
    """What somebody is answered; what was sent before may come first."""
    letter = await asyncio.to_thread(client.answer, mail, text)
    while str((found := await new(client))["In-Reply-To"]) != letter:
        pass
    return found


async def opened(clients: Mapping[str, Client]) -> dict[str, EmailMessage]:
    """A game that Ann opens and the others join, from the first letter on; the last mail of each."""
    ann, *others = clients.values()
    last: dict[str, EmailMessage] = {}
    for client in clients.values():
        client.write("hello", OWN)
        last[client.address] = await new(client)
    last[ann.address] = await answered(ann, last[ann.address], "new 1848 Ann")
    found = re.search(r"join \d+ \S+", words(last[ann.address]))
    assert found is not None
    for client, name in zip(others, ("Bob", "Cid"), strict=True):
        last[client.address] = await answered(client, last[client.address], f"{found[0]} {name}")
        last[ann.address] = await new(ann)
    ann.answer(last[ann.address], "start list")
    return {address: await new(client) for address, client in clients.items()}


# -- inside the test ----------------------------------------------------------------------------------------


@asynccontextmanager
async def running(
    servers: MailServers, folder: Path, is_wrapped: bool = True, **changed: Any
) -> AsyncIterator[GameService]:
    """Mail as the program runs it, without pictures."""
    settings = Settings.from_env({"SIGNALBOX_DATA": str(folder), **servers.environment(OWN, is_wrapped)})
    assert settings.mail is not None
    settings = replace(settings, mail=replace(settings.mail, **changed))
    if not (folder / "signalbox.db").exists():
        write_blank(folder / "signalbox.db")
    store = await Store.open(folder / "signalbox.db")
    tables = GameService(store, TITLES)
    service = MailService(tables, settings, PaintsNothing(), RateLimiter(0))  # type: ignore[arg-type]
    service.begin()
    try:
        yield tables
    finally:
        await service.close()
        await store.close()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers that cannot be used are tried again soon."""
    monkeypatch.setattr("bot.commands.mail.sender.LONGEST_RETRY", 0.5)
    monkeypatch.setattr("bot.commands.mail.service.LONGEST_RETRY", 0.5)


async def heard(client: Client, text: str) -> EmailMessage:
    """The first new mail that says so; what was sent before may come first."""
    while text not in words(mail := await new(client)):
        pass
    return mail


@pytest.mark.parametrize(
    "is_wrapped", [True, pytest.param(False, marks=pytest.mark.mail)], ids=["TLS at once", "STARTTLS"]
)
async def test_a_game_begins_by_mail_alone_and_every_mail_has_its_thread(
    servers: MailServers, tmp_path: Path, is_wrapped: bool
) -> None:
    clients = {address: servers.client(address) for address in (ANN, BOB, CID)}
    async with running(servers, tmp_path, is_wrapped) as tables:
        last = await opened(clients)
        assert "    buy P1 for 30" in words(last[ANN])
        clients[ANN].answer(last[ANN], "buy P1")
        told = await heard(clients[ANN], "Ann buys P1")
        assert told["Subject"] == last[ANN]["Subject"]
        root = str(last[ANN]["References"]).split()[0]
        assert str(told["References"]).startswith(root) and told["In-Reply-To"] != root
        await heard(clients[BOB], "Ann buys P1")
        assert (await tables.desk.table(1)).record.version == 1


@pytest.mark.mail
async def test_servers_that_are_down_slow_or_full_lose_nothing(
    servers: MailServers, tmp_path: Path, patient: None, caplog: pytest.LogCaptureFixture
) -> None:
    clients = {address: servers.client(address) for address in (ANN, BOB, CID)}
    async with running(servers, tmp_path) as tables:
        last = await opened(clients)
        servers.end_smtp()
        clients[ANN].answer(last[ANN], "buy P1")
        await until(lambda: rows(tmp_path, "SELECT count(*) FROM moves WHERE kind = 'move'") == [(1,)])
        servers.submission.be("slow")
        servers.submission.be("full")
        servers.begin_smtp()
        await until(lambda: "a mail is not taken now (452)" in caplog.text)
        servers.submission.be("full", False)
        await heard(clients[ANN], "Ann buys P1")
        turn = await heard(clients[BOB], "Ann buys P1")
        servers.end_imap()
        servers.submission.be("slow", False)
        servers.begin_imap()
        assert "Bob buys P2" in words(await answered(clients[BOB], turn, "buy P2"))
        assert (await tables.desk.table(1)).record.version == 2


@pytest.mark.mail
async def test_a_mailbox_without_idle_is_looked_at_every_so_often(
    servers: MailServers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("imapclient.IMAPClient.has_capability", lambda client, name: False)
    client = servers.client(ANN)
    async with running(servers, tmp_path, poll=1):
        client.write("hello", OWN)
        assert "Was it you?" in words(await new(client))


async def test_a_letter_that_comes_while_another_is_dealt_with_is_not_waited_for(servers: MailServers) -> None:
    settings = Settings.from_env(servers.environment(OWN)).mail
    assert settings is not None
    client, is_over = servers.client(ANN), threading.Event()
    client.write("first", OWN)
    mailbox = await asyncio.to_thread(Mailbox.open, settings)
    (first,) = mailbox.list_unread()
    client.write("second", OWN)
    mailbox.mark(first)
    try:
        async with asyncio.timeout(5):
            await asyncio.to_thread(mailbox.wait, is_over.is_set)
    finally:
        is_over.set()
    assert len(mailbox.list_unread()) == 1
    mailbox.close()


@pytest.mark.mail
async def test_a_wrong_password_is_named_and_nothing_is_lost(
    servers: MailServers, tmp_path: Path, patient: None, caplog: pytest.LogCaptureFixture
) -> None:
    client = servers.client(ANN)
    client.write("hello", OWN)
    async with running(servers, tmp_path, password="wrong"):
        await until(lambda: "letters wait" in caplog.text)
    assert "the server refuses user or password" in caplog.text and "wrong" not in caplog.text
    assert ANN not in caplog.text and OWN not in caplog.text
    async with running(servers, tmp_path):
        assert "Was it you?" in words(await new(client))


@pytest.mark.mail
def test_the_operator_is_told_what_is_wrong(servers: MailServers) -> None:
    def check(**changed: str) -> tuple[int, str]:
        environment = {**os.environ, **servers.environment(OWN), **changed}
        done = subprocess.run(
            [sys.executable, "-m", "bot", "mail", "--check"],
            env=environment,
            capture_output=True,
            text=True,
            timeout=90,
        )
        assert OWN not in done.stdout + done.stderr and servers.password not in done.stdout + done.stderr
        return done.returncode, done.stdout + done.stderr

    code, told = check()
    assert code == 0 and "user and password are taken" in told
    code, told = check(SIGNALBOX_MAIL_PASSWORD="wrong")
    assert code == 1 and told.count("the server refuses user or password") == 2
    code, told = check(SSL_CERT_FILE="/nowhere")
    assert code == 1 and told.count("certificate is not believed") == 2
    code, told = check(SIGNALBOX_SMTP="smtp://127.0.0.1:1")
    assert code == 1 and "SIGNALBOX_SMTP: 127.0.0.1:1" in told
    assert check(**servers.environment(OWN, is_wrapped=False))[0] == 0, "STARTTLS"
    assert check(SIGNALBOX_IMAP="")[0] == 2 and check(SIGNALBOX_SMTP="http://x")[0] == 2


# -- as an operator begins it ---------------------------------------------------------------------------------


class Bot:
    """`signalbox run` for mail alone. It is killed with the test."""

    def __init__(self, servers: MailServers, folder: Path) -> None:
        self.environment = {
            **os.environ,
            **servers.environment(OWN),
            "SIGNALBOX_DATA": str(folder),
            "SIGNALBOX_BACKUP_HOURS": "0",
            "SIGNALBOX_RATE": "0",
            "DISCORD_TOKEN": "",
        }
        self.folder = folder
        self.log = folder / "bot.log"
        self._process: subprocess.Popen[bytes] | None = None

    def begin(self) -> None:
        """Run."""
        self.folder.mkdir(exist_ok=True)
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "bot", "run"], env=self.environment, stderr=log, stdout=log
            )

    def end(self, number: int = signal.SIGTERM, seconds: float = 15.0) -> int:
        """Be ended; the exit code."""
        assert self._process is not None
        self._process.send_signal(number)
        return self._process.wait(seconds)

    def kill(self) -> None:
        """End, however it is."""
        if self._process is not None and self._process.poll() is None:
            self.end(signal.SIGKILL)


@pytest.fixture
def bot(servers: MailServers, tmp_path: Path) -> Iterator[Bot]:
    made = Bot(servers, tmp_path / "data")
    yield made
    made.kill()


@pytest.mark.parametrize(
    "kills", [pytest.param(5, marks=pytest.mark.mail), pytest.param(50, marks=pytest.mark.soak)], ids=["five", "fifty"]
)
async def test_killed_in_the_middle_it_makes_every_move_once(servers: MailServers, bot: Bot, kills: int) -> None:
    clients = {address: servers.client(address) for address in (ANN, BOB, CID)}
    seats = dict(enumerate(clients.values(), 1))
    folder, chance, moves = bot.folder, random.Random(7), script(1, 200)
    bot.begin()
    mails = {address: [mail] for address, mail in (await opened(clients)).items()}
    for _ in range(kills):
        done = len(made(folder))
        who = seats[moves[done][0]]
        version = rows(folder, "SELECT version FROM games")[0][0]
        while f"+1-{version}-" not in str(mails[who.address][-1]["Reply-To"]):
            mails[who.address].append(await new(who))
        who.answer(mails[who.address][-1], moves[done][1])
        await asyncio.sleep(chance.uniform(0.0, 1.5))
        bot.end(signal.SIGKILL)
        bot.begin()
        await until(lambda done=done: len(made(folder)) > done)
    await until(lambda: rows(folder, "SELECT count(*) FROM mails WHERE sent_at IS NULL") == [(0,)])
    assert "Bank £" in words(await answered(clients[ANN], mails[ANN][-1], "status")), (
        "it runs, before it is told to end"
    )
    assert bot.end() == 0
    assert made(folder) == [text for _, text in moves[: len(made(folder))]] and len(made(folder)) >= kills
    for client in clients.values():
        named = [mail["Message-ID"] for mail in client.mails()]
        assert len(named) - len(set(named)) <= kills, "a mail that was sent again is the same mail"
    assert not re.search(r"\w@\w+\.", bot.log.read_text())


@pytest.mark.mail
async def test_alone_it_says_how_it_is(servers: MailServers, bot: Bot) -> None:
    bot.environment["SIGNALBOX_PORT"] = str(free_port())
    servers.end_imap()
    bot.begin()

    async def health(*words: str) -> tuple[int, str]:
        asked = [sys.executable, "-m", "bot", "health", *words]
        done = await asyncio.to_thread(subprocess.run, asked, env=bot.environment, capture_output=True, text=True)
        return done.returncode, done.stdout

    async with asyncio.timeout(SECONDS):
        while (await health())[0]:
            await asyncio.sleep(0.2)
    assert (await health("--ready"))[0] == 1, "a mailbox that is away is no reason to begin anew"
    servers.begin_imap()
    async with asyncio.timeout(SECONDS):
        while (await health("--ready"))[0]:
            await asyncio.sleep(0.2)
    assert bot.end() == 0


@pytest.mark.mail
@pytest.mark.parametrize("since", ["the beginning", "later"])
async def test_a_mailbox_that_does_not_answer_does_not_hold_up_the_end(
    servers: MailServers, bot: Bot, since: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        if since == "the beginning":
            bot.environment["SIGNALBOX_IMAP"] = f"imaps://127.0.0.1:{silent.getsockname()[1]}"
        bot.begin()
        await until(lambda: bot.log.exists() and "ready" in bot.log.read_text())
        if since == "later":
            await until(lambda: "the mailbox is open" in bot.log.read_text())
            servers.hang_imap()
        assert bot.end(seconds=5.0) == 0


def made(folder: Path) -> list[str]:
    """Every move that was made."""
    return [text for (text,) in rows(folder, "SELECT text FROM moves WHERE kind = 'move' ORDER BY number")]


async def until(look: Any) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(SECONDS):
        while not look():
            await asyncio.sleep(0.05)


def rows(folder: Path, query: str) -> list[Any]:
    """What the database says."""
    with closing(sqlite3.connect(folder / "signalbox.db", timeout=SECONDS)) as database:
        return database.execute(query).fetchall()

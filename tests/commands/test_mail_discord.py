"""Mail for people who play in Discord: their address, what they are sent, and that they are reminded once over all doors."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.service.game_service import GameService
from bot.store import Store
from bot.titles.registry import TITLES
from tests.discord_double.double import Double
from tests.discord_double.fixtures import double as double
from tests.reliability.conftest import haste as haste
from tests.reliability.conftest import table as table
from tests.reliability.table import Table

MAILBOX = {
    "SIGNALBOX_MAIL_ADDRESS": "games@club.example",
    "SIGNALBOX_IMAP": "imaps://127.0.0.1:1",
    "SIGNALBOX_SMTP": "smtps://127.0.0.1:1",
    "SIGNALBOX_MAIL_PASSWORD": "a password",
}
"""Nobody listens there: whatever would be sent waits."""


@pytest.mark.whole
async def test_without_a_mailbox_it_is_said(table: Table) -> None:
    await table.open()
    ann, *_ = table.people
    for command, options in (("mail address", {"address": "ann@home.example"}), ("mail send", {"what": "turns"})):
        assert "This bot sends no mail." in (await ann.slash(command, table.thread, **options)).text
    assert table.rows("SELECT address FROM people WHERE address != ''") == []


async def test_an_address_is_asked_first_and_can_be_forgotten(double: Double, tmp_path: object) -> None:
    table = await with_mail(double, tmp_path)
    await table.open()
    ann, bob, _ = table.people
    assert "Mail cannot be sent" in (await ann.slash("mail address", table.thread, address="nowhere")).text
    assert "on its way" in (await ann.slash("mail address", table.thread, address="Ann@Home.example")).text
    assert "a short time ago" in (await ann.slash("mail address", table.thread, address="eve@far.example")).text
    assert "a short time ago" in (await bob.slash("mail address", table.thread, address="ann@home.example")).text
    refused = await ann.slash("mail send", table.thread, what="turns")
    assert "no confirmed address" in refused.text
    assert table.rows("SELECT kind, sent_at FROM mails WHERE kind != 'counted'") == [("welcome", None)]
    kept = await ann.slash("privacy export", double.channel)
    assert b"ann@home.example" in kept.files[0].data
    assert "deleted" in (await ann.slash("mail forget", table.thread)).text
    assert table.rows("SELECT address FROM people WHERE address != ''") == []
    assert not [line for bot in double.bots for line in bot.lines if re.search(r"\w@(home|far|club)\.", line)]


@pytest.mark.whole
async def test_who_is_reminded_by_mail_is_not_reminded_here_too(double: Double, tmp_path: object) -> None:
    table = await with_mail(double, tmp_path)
    await table.open()
    ann, *_ = table.people
    await ann.slash("mail address", table.thread, address="ann@home.example")
    table.write("UPDATE people SET mail = 'reminders', address = asked")
    assert "not here" in (await ann.slash("mail send", table.thread, what="reminders")).text
    await table.bot.terminate()
    before = len(table.pings(ann))
    long_ago = datetime.now(UTC).timestamp() - 2 * 86400
    table.write(f"UPDATE clocks SET since = {long_ago}, due_at = {long_ago}")
    await table.bot.start()
    await table.wait(lambda: table.rows("SELECT reference FROM outbox WHERE kind = 'reminder' AND posted_at"), "it")
    assert table.rows("SELECT reference FROM outbox WHERE kind = 'reminder'") == [("mailed",)]
    assert table.rows("SELECT count(*) FROM mails WHERE kind = 'reminder'") == [(1,)]
    assert len(table.pings(ann)) == before
    assert not [ping for ping in table.pings(ann) if "Reminder" in ping.text and ping.text.count("Reminder") > 1]


@pytest.mark.whole
async def test_who_plays_in_a_game_that_was_opened_by_mail_is_told_directly(double: Double, tmp_path: Path) -> None:
    bot = await double.launch(data=tmp_path / "data")
    ann, bob = double.ann, double.bob
    store = await Store.open(tmp_path / "data" / "signalbox.db")
    tables = GameService(store, TITLES)
    game = await tables.lobby.create("1848", "mail:dan")
    code = await tables.lobby.invite(game, "mail:dan")
    for user in (ann, bob):
        joined = await user.slash("game join", double.channel, game=game, name=user.name, invitation=code)
        assert "is in game 1" in joined.text
    await tables.lobby.join(game, "mail:dan", "Dan", code)
    bob.refuse_dms()
    await tables.lobby.start(game, "mail:dan", "list")
    await bot.restart()

    asked = await double.wait_message(lambda: ann.dm, ann.mention)
    assert "Game 1: 1848 Australia" in asked.content
    assert any("1848 Australia begins." in one.text for one in ann.dm.messages)
    assert "Ann buys P1" in (await ann.click(asked, "buy P1 for 30")).text
    await double.until(lambda: asked.id not in [one.id for one in ann.dm.messages], 30.0, "the question goes")
    assert not double.threads and not [one for one in double.channel.messages if "buy" in one.text.lower()]

    late = f"UPDATE clocks SET since = {datetime.now(UTC).timestamp() - 2 * 86400}, due_at = 1"
    for _ in range(2):
        Table(double, bot, tmp_path / "data").write(late)
        await bot.restart()
        await double.wait_message(lambda: ann.dm, "Bob gets no direct messages")
        await double.idle()
    assert len([one for one in ann.dm.messages if "Bob gets no direct messages" in one.text]) == 1

    await tables.moves.submit(game, f"discord:{bob.id}", "buy P2")
    await tables.moves.submit(game, "mail:dan", "buy P3")
    await bot.restart()
    again = await double.wait_message(lambda: ann.dm, "Dan buys P3")
    assert "You have £810" in (await ann.click(again, "My turn")).text
    await tables.votes.start_poll(game, "mail:dan", "end")
    await bot.restart()
    question = await double.wait_message(lambda: ann.dm, "end the game")
    await ann.click(question, "Agree")
    assert 1 in [answer.seat for answer in await store.questions.answers(1)]
    await tables.moderation.set_status(game, "mail:dan", "finished", "enough")
    await bot.restart()
    assert await double.wait_message(lambda: ann.dm, "current standings")
    await store.close()


async def with_mail(double: Double, tmp_path: object) -> Table:
    """A bot with a mailbox."""
    folder = tmp_path / "data"  # type: ignore[operator]
    return Table(double, await double.launch(data=folder, environment=MAILBOX), folder)

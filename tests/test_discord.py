"""The whole journey in Discord, through the double with both oracles on: lobby, auction, first operating round."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.commands.discord_table import AUCTION, PATIENCE, Table
from tests.commands.discord_table import table as table
from tests.discord_double.fixtures import double as double


async def test_lobby_to_first_operating_round_by_buttons_text_and_commands(table: Table) -> None:
    await table.open()
    first = table.boards()[0]
    assert [file.filename for file in first.attachments] == ["map.png"]
    assert all(20 < len(file.alt or "") <= 1024 for file in first.attachments)
    assert all(file.data.startswith(b"\x89PNG") for file in first.attachments)
    for text, way in AUCTION:
        await table.move(text, way)
    for text in ("par VR 90", "par NSW 80", "buy CAR", "buy CAR", "buy CAR", "buy CAR", "pass", "pass"):
        await table.move(text)
    await table.move("pass", asks=False)
    await table.move("CAR: lay 57 E4 to F5; buy 2; pass", "say")
    await table.wait(lambda: any("CAR buys a 2 train" in board.text for board in table.boards()), "the record")
    await table.wait(lambda: table.pings() and "buy or sell shares" in table.turn()[1].text.lower(), "the next turn")
    person, _ = table.turn()
    choices = [choice.value for choice in await person.autocomplete("move", table.thread, "move", "buy")]
    assert choices
    assert all(choice.startswith("buy") for choice in choices)


async def test_each_ping_mentions_one_player_and_no_board_mentions_anybody(table: Table) -> None:
    await table.open()
    await table.move("buy P1 for 30", "click")
    await table.wait(lambda: [[user.name for user in m.mentions] for m in table.pings()] == [["Bob"]], "one question")
    assert all(not message.mentions for message in table.boards())


@pytest.mark.whole
async def test_refusals_reach_their_author_alone_and_change_nothing(table: Table) -> None:
    await table.open()
    ann, bob, _ = table.people
    boards = table.told()
    for person, move, piece in (
        (bob, "buy P1", ann.name),
        (ann, "lay 57 H11 2", "possible"),
        (ann, "x" * 3000, "2"),
        (ann, "buy", "buy"),
        (ann, "\N{STEAM LOCOMOTIVE}", ""),
        (table.double.dora, "buy P1", "seat"),
    ):
        reply = await person.slash("move", table.thread, move=move)
        assert reply.ephemeral
        assert piece.lower() in reply.text.lower()
    await bob.say(table.thread, "buy P1", mention_bot=True)
    direct = await table.double.wait_message(bob.dm, re.compile(ann.name), timeout=PATIENCE)
    assert ann.name in direct.content
    assert table.told() == boards


async def test_direct_messages_refused_fall_back_to_the_thread(table: Table) -> None:
    await table.open()
    bob = table.people[1]
    bob.refuse_dms()
    said = await bob.say(table.thread, "buy P1", mention_bot=True)
    await table.wait(lambda: [m for m in table.posts() if m.reply_to is said], "the answer in the thread")


async def test_chat_is_left_alone(table: Table) -> None:
    await table.open()
    count = len(table.posts())
    await table.people[0].say(table.thread, "good luck everybody")
    await table.double.idle()
    assert len(table.posts()) == count


async def test_a_stale_button_does_nothing(table: Table) -> None:
    await table.open()
    ann, ping = table.turn()
    old = await ann.click(ping, "My turn")
    await table.move("buy P1 for 30", "click")
    await table.double.idle()
    boards = table.told()
    reply = await table.use(ann, old, label="buy P2 for 70")
    assert "moved on" in reply.text
    await table.double.idle()
    assert table.told() == boards


@pytest.mark.whole
async def test_kill_and_restart_in_mid_turn(table: Table) -> None:
    await table.open()
    await table.move("buy P1 for 30", "click")
    await table.double.idle()
    await table.bot.restart(kill=True)
    await table.move("buy P2 for 70", "click")
    assert len(table.boards()) == 1 and "buys P2" in table.boards()[0].text
    await table.wait(lambda: [ping.mentions[0].name for ping in table.pings()] == ["Cid"], "Cid's question alone")
    assert table.double.count("PUT .*/commands$") == 1


@pytest.mark.whole
async def test_killed_between_commit_and_post_everything_is_posted_once(table: Table) -> None:
    await table.open()
    await table.double.idle()
    ann, _ = table.turn()
    table.double.faults.slow("POST /channels/*/messages", 1.0, times=2)
    await ann.slash("move", table.thread, move="buy P1 for 30")
    await table.bot.restart(kill=True)
    await table.wait(lambda: [ping.mentions[0].name for ping in table.pings()] == ["Bob"], "Bob's question alone")
    await asyncio.sleep(1.5)
    assert [board.text.count("buys P1") for board in table.boards()] == [1]
    assert len(table.pings()) == 1


@pytest.mark.whole
async def test_a_dropped_gateway_is_resumed_and_an_ended_session_begun_anew(table: Table) -> None:
    await table.open()
    table.double.gateway.drop()
    await table.wait(lambda: table.double.gateway.live, "a resume")
    await table.move("buy P1 for 30")
    table.double.gateway.invalidate()
    await asyncio.sleep(0.2)
    await table.wait(lambda: table.double.gateway.live, "a new session")
    await table.move("buy P2 for 70")


@pytest.mark.whole
async def test_rate_limits_and_server_errors_lose_nothing(table: Table) -> None:
    await table.open()
    table.double.faults.rate_limit("POST /channels/*/messages")
    table.double.faults.fail("POST /channels/*/messages", 502)
    await table.move("buy P1 for 30")
    await table.move("buy P2 for 70")
    assert len(table.boards()) == 1


@pytest.mark.whole
async def test_everything_can_be_looked_at(table: Table) -> None:
    await table.open()
    ann = table.people[0]
    for command, options, pictures in (
        ("map", {}, ["map.png"]),
        ("map", {"around": "G10"}, ["crop.png"]),
        ("market", {}, ["market.png"]),
        ("status", {}, []),
        ("tiles", {}, ["tiles.png"]),
        ("log", {}, []),
        ("help", {}, []),
        ("games", {}, []),
        ("export", {}, ["game-1.json"]),
        ("company", {"name": "vr"}, ["company.png"]),
        ("player", {"name": "ann"}, ["player.png"]),
        ("player", {}, ["player.png"]),
        ("routes", {"company": "VR"}, []),
    ):
        reply = await ann.slash(command, table.thread, **options)
        assert reply.text, command
        assert [file.filename for file in reply.files] == pictures
    assert "no company" in (await ann.slash("routes", table.thread, company="XX")).text.lower()


@pytest.mark.whole
async def test_undo_rewind_and_moderation(table: Table) -> None:
    await table.open()
    ann, bob, _ = table.people
    await table.move("buy P1 for 30")
    assert "takes back" in (await ann.slash("undo", table.thread)).text
    assert "moderator" in (await bob.slash("moderate rewind", table.thread, record=0)).text.lower()
    await ann.slash("moderate status", table.thread, status="paused")
    assert "paused" in (await ann.slash("move", table.thread, move="buy P1")).text
    await ann.slash("moderate status", table.thread, status="running")
    assert "acts for" in (await ann.slash("moderate act", table.thread, move="buy P1")).text


@pytest.mark.whole
async def test_a_reminder_that_fell_due_while_the_bot_was_away_is_sent_once(table: Table, tmp_path: Path) -> None:
    await table.open()
    await table.double.idle()
    await table.bot.terminate()
    with closing(sqlite3.connect(tmp_path / "signalbox.db")) as database, database:
        assert database.execute("update clocks set due_at = 1, since = since - 86400").rowcount == 1
    await table.bot.start()
    await table.wait(lambda: [ping for ping in table.pings() if "Reminder" in ping.content], "the reminder")
    await table.double.idle()
    await table.bot.restart(kill=True)
    await table.double.idle()
    reminders = [ping for ping in table.pings() if "Reminder" in ping.content]
    assert [ping.content.startswith(table.people[0].mention) for ping in reminders] == [True]
    assert "no seat" in (await table.double.dora.click(reminders[0], "Remind me tomorrow")).text
    assert "no reminders" in (await table.double.ann.click(reminders[0], "Remind me tomorrow")).text
    await table.double.ann.click(reminders[0], "buy P1 for 30")


async def test_sigterm_closes_cleanly_and_the_token_is_in_no_log(table: Table) -> None:
    await table.open()
    assert await table.bot.terminate() == 0
    assert "token" not in "".join(table.bot.lines).replace("static token", "").replace("DISCORD_TOKEN", "").lower()

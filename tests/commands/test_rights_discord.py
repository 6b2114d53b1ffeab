"""Nobody takes a table that is not his: places, roles, lobbies, in Discord. docs/reference/security.md says who may do what."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.engine import PersonId
from bot.store import LobbyScope
from bot.store.bans import digest_of_person
from tests.commands.discord_table import Table
from tests.commands.discord_table import table as table
from tests.discord_double.double import Double
from tests.discord_double.fixtures import double as double
from tests.discord_double.model import Channel
from tests.discord_double.user import Reply, ScriptedUser
from tests.reliability.forged_clicks import send, send_form


async def second_game(table: Table, channel: Channel, *people: ScriptedUser) -> None:
    """A game of 1848 that the first of these opens in a channel, seats in the order of joining."""
    first, *others = people
    lobby = await first.slash("game new", channel, title="1848")
    for person in others:
        await person.click(lobby.message, "Join")
    threads = len(table.double.threads)
    assert "begun" in (await first.slash("game start", channel, game=2)).text
    await table.wait(lambda: len(table.double.threads) > threads, "the second thread")


@pytest.mark.whole
async def test_nobody_takes_the_place_of_a_game_under_way(table: Table) -> None:
    await table.open()
    eve = table.double.dora
    elsewhere = table.double.add_channel("elsewhere")
    bob, cid = table.people[1:]
    await second_game(table, elsewhere, eve, bob, cid)
    refused = await eve.slash("moderate here", table.double.threads[0], game=2)
    assert "Game 1 is played there" in refused.text
    assert "Ann" in (await eve.slash("status", table.double.threads[0])).text
    await table.move("buy P1")


async def test_not_even_who_may_manage_threads_there(table: Table) -> None:
    await table.open()
    ann, bob, cid = table.people
    await second_game(table, table.double.add_channel("elsewhere"), ann, bob, cid)
    assert "Game 1 is played there" in (await ann.slash("moderate here", table.double.threads[0], game=2)).text


async def test_rights_by_role_end_with_the_role(table: Table) -> None:
    dora = table.double.dora
    # The server is Ann's, the game is Bob's.
    table.people = (table.double.bob, table.double.cid, table.double.ann)
    await table.open()
    table.double.guild.moderators.add(dora.id)
    assert "fast" in (await dora.slash("moderate pace", table.thread, pace="fast")).text
    preview = await dora.slash("moderate rewind", table.thread, record=0)
    handed = await dora.slash("moderate handover", table.thread, member=dora)
    assert "only make another player the moderator" in handed.text
    table.double.guild.moderators.remove(dora.id)
    for reply in (
        await dora.slash("moderate status", table.thread, status="paused"),
        await dora.click(preview, "Go back to 0"),
        await dora.slash("moderate cash", table.thread, owner="Bob", amount=1, reason="mine"),
        await dora.slash("moderate replace", table.thread, seat=1, member=dora),
        await dora.slash("moderate act", table.thread, move="Bob: pass"),
        await dora.slash("moderate pace", table.thread, pace="slow"),
        await dora.slash("language game", table.thread, language="de"),
    ):
        assert "Only the moderator" in reply.text
    _, theirs = table.double.add_guild("Dora's")
    assert "Only the moderator" in (await dora.slash("moderate here", theirs, game=1)).text


async def test_a_role_gives_no_rights_among_strangers_to_whom_the_operator_has_banned(table: Table) -> None:
    dora = table.double.dora
    table.people = (table.double.bob, table.double.cid, table.double.ann)
    await table.open()
    table.double.guild.moderators.add(dora.id)
    banned = (digest_of_person(PersonId(f"discord:{dora.id}")), 1.0, "")
    opened = (1, LobbyScope.EVERYBODY, "", "", 0, 1.0)
    with closing(sqlite3.connect(Path(table.bot.environment["SIGNALBOX_DATA"]) / "signalbox.db")) as database:
        with database:
            database.execute("INSERT INTO bans (digest, since, mailbox) VALUES (?, ?, ?)", banned)
        assert "fast" in (await dora.slash("moderate pace", table.thread, pace="fast")).text
        with database:
            database.execute(f"INSERT INTO openings VALUES ({', '.join('?' * len(opened))})", opened)
    assert "Only the moderator" in (await dora.slash("moderate pace", table.thread, pace="slow")).text
    _, theirs = table.double.add_guild("Dora's")
    assert "Only the moderator" in (await dora.slash("moderate here", theirs, game=1)).text
    assert "Bob" in (await dora.slash("status", table.thread)).text


async def test_a_role_in_another_server_is_none_here(table: Table) -> None:
    await table.open()
    guild, theirs = table.double.add_guild("Dora's")
    guild.moderators.add(table.double.dora.id)
    assert "Only the moderator" in (await table.double.dora.slash("moderate here", theirs, game=1)).text
    assert "No game" in (await table.double.dora.slash("moderate status", theirs, status="paused")).text


@pytest.mark.whole
async def test_a_game_moves_to_another_server_with_rights_at_both_ends_and_says_so(table: Table) -> None:
    table.people = (table.double.bob, table.double.cid, table.double.ann)
    bob = table.double.bob
    await table.open()
    await table.double.idle()
    guild, theirs = table.double.add_guild("Other Club")
    assert "manage threads" in (await bob.slash("moderate here", theirs, game=1)).text
    guild.moderators.add(bob.id)
    old = table.thread
    assert "continues here" in (await bob.slash("moderate here", theirs, game=1)).text
    said = await table.double.wait_message(old, "moves game 1 to another channel")
    assert str(theirs.id) in said.content and "Bob" in said.content


@pytest.mark.whole
async def test_who_has_left_the_server_does_not_take_the_game_with_him(table: Table) -> None:
    table.people = (table.double.bob, table.double.cid, table.double.ann)
    bob = table.double.bob
    await table.open()
    await table.double.idle()
    guild, theirs = table.double.add_guild("Bob's")
    guild.moderators.add(bob.id)
    table.double.remove_user(bob)
    table.double.expect("404 10007")
    assert "Only the moderator" in (await bob.slash("moderate here", theirs, game=1)).text


async def test_a_lobby_hides_no_game_where_threads_may_not_be_opened(table: Table) -> None:
    table.double.forbid(table.double.channel, "create_public_threads")
    ann, bob, cid = table.people
    channel = table.double.channel
    lobby = await ann.slash("game new", channel, title="1848")
    await bob.click(lobby.message, "Join")
    await cid.click(lobby.message, "Join")
    await ann.slash("game start", channel, order="list")
    eve = table.double.dora
    other = await eve.slash("game new", channel, title="1848")
    await bob.click(other.message, "Join")
    await cid.click(other.message, "Join")
    assert "Ann" in (await bob.slash("status", channel)).text
    refused = await eve.slash("game start", channel)
    assert "Game 1 is played there" in refused.text
    assert "buys P1" in (await ann.slash("move", channel, move="buy P1")).text


async def test_a_lobby_is_joined_from_its_own_server_or_by_invitation(double: Double, table: Table) -> None:
    ann, bob, cid = table.people
    await ann.slash("game new", double.channel, title="1848")
    _, theirs = double.add_guild("Strangers")
    elsewhere = double.add_channel("elsewhere")
    assert "another server" in (await cid.slash("game join", theirs, game=1)).text
    assert "is in game 1" in (await bob.slash("game join", elsewhere, game=1)).text
    assert "Only the opener" in (await bob.slash("game invite", double.channel)).text
    code = invitation(await ann.slash("game invite", double.channel))
    assert "another server" in (await cid.slash("game join", theirs, game=1, invitation=code[:-1] + "x")).text
    assert "is in game 1" in (await cid.slash("game join", theirs, game=1, invitation=code)).text
    newer = invitation(await ann.slash("game invite", double.channel))
    assert "another server" in (await double.dora.slash("game join", theirs, game=1, invitation=code)).text
    assert "is in game 1" in (await double.dora.slash("game join", theirs, game=1, invitation=newer)).text


@pytest.mark.whole
async def test_everybody_takes_one_seat_unless_the_opener_allows_more(double: Double, table: Table) -> None:
    ann, bob, _ = table.people
    await ann.slash("game new", double.channel, title="1848")
    await bob.slash("game join", double.channel)
    assert "one person can take 1 seat" in (await bob.slash("game join", double.channel, name="Robert")).text
    assert "Anna is in" in (await ann.slash("game join", double.channel, name="Anna")).text
    other = double.add_channel("other")
    await ann.slash("game new", other, title="1848", seats=2)
    await bob.slash("game join", other)
    assert "Robert is in" in (await bob.slash("game join", other, name="Robert")).text
    assert "one person can take 2 seats" in (await bob.slash("game join", other, name="Rob")).text


@pytest.mark.whole
async def test_a_panel_shows_a_game_to_nobody_who_is_elsewhere(table: Table) -> None:
    await table.open()
    await table.double.idle()
    ann, dora = table.people[0], table.double.dora
    old = table.boards()[-1]
    guild, theirs = table.double.add_guild("Other Club")
    guild.moderators.add(ann.id)
    await ann.slash("moderate here", theirs, game=1)
    refused = await dora.click(old, "Market")
    assert "not played here" in refused.text and not refused.message.attachments
    assert (await ann.click(old, "Market")).message.attachments


@pytest.mark.whole
async def test_several_games_below_a_channel_are_not_confused(table: Table) -> None:
    await table.open()
    bob, dora = table.people[1], table.double.dora
    eve, fay = table.double.add_user("Eve"), table.double.add_user("Fay")
    await second_game(table, table.double.channel, dora, eve, fay)
    assert "Ann" in (await bob.slash("status", table.double.channel)).text
    assert "Eve" in (await fay.slash("status", table.double.channel)).text
    stranger = table.double.add_user("Gus")
    assert "Several games" in (await stranger.slash("status", table.double.channel)).text


async def test_a_form_tells_nothing_to_who_is_elsewhere(table: Table) -> None:
    await table.open()
    _, theirs = table.double.add_guild("Strangers")
    for custom_id in ("sum:1:0:par:", "move:1:0:buy:"):
        refused = await send_form(table.double, table.double.dora, theirs, custom_id, "sum", "90")
        assert "not played here" in refused.text and "Ann" not in refused.text


async def test_an_opener_who_has_left_opens_no_door_from_elsewhere(table: Table) -> None:
    _, theirs = table.double.add_guild("Bob's")
    bob = table.double.bob
    await bob.slash("game new", table.double.channel, title="1848")
    assert "invitation:" in (await bob.slash("game invite", theirs, game=1)).text
    table.double.remove_user(bob)
    table.double.expect("404 10007")
    assert "Only the opener" in (await bob.slash("game invite", theirs, game=1)).text
    assert "Only the moderator" in (await bob.slash("game start", theirs, game=1)).text


@pytest.mark.whole
async def test_who_is_not_in_the_server_is_not_named(table: Table) -> None:
    await table.open()
    stranger = table.double.add_user("Gus", is_member=False)
    refused = await table.people[0].slash("moderate replace", table.thread, seat=2, member=stranger)
    assert "only name people on this server" in refused.text


@pytest.mark.whole
async def test_a_member_without_a_seat_is_told_what_happened(table: Table) -> None:
    await table.open()
    await table.move("buy P1")
    told = await table.double.dora.click(table.boards()[-1], "What happened?")
    assert "Ann buys P1" in told.text


@pytest.mark.whole
async def test_a_moderator_by_role_may_ask_the_table(table: Table) -> None:
    await table.open()
    dora = table.double.dora
    assert "Only players of this game" in (await dora.slash("vote end", table.thread)).text
    table.double.guild.moderators.add(dora.id)
    assert "asks to end the game" in (await dora.slash("vote end", table.thread)).text


@pytest.mark.whole
async def test_a_decision_is_told_to_nobody_who_is_not_asked(table: Table) -> None:
    await table.open()
    ann, bob, _ = table.people
    await ann.slash("vote end", table.thread)
    await bob.click(await bob.slash("vote list", table.thread), "Refuse")
    stranger = await send(table.double, table.double.dora, table.posts()[-1], "qa:1:yes")
    assert stranger.text == "You have no vote here."


def invitation(reply: Reply) -> str:
    """The code in an answer."""
    return reply.text.split("invitation:")[1].split("`")[0]

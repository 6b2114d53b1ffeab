"""Open tables between two servers: who finds a lobby, how it shows who joins, and who hears of it."""

from __future__ import annotations

from tests.commands.discord_table import Table
from tests.commands.discord_table import table as table
from tests.discord_double.fixtures import double as double


async def test_a_lobby_is_found_joined_and_shown_from_another_server(table: Table) -> None:
    ann, bob, cid = table.people
    home, (_, theirs) = table.double.channel, table.double.add_guild("Next Door")
    lobby = await ann.slash("game new", home, title="1848")
    refused = await bob.slash("game join", theirs, game=1)
    assert "not open to you" in refused.text
    assert "No such table is open" in (await bob.slash("tables list", theirs)).text
    assert "next table for 1848" in (await cid.slash("tables tell", theirs, title="1848")).text
    assert "may manage a server" in (await cid.slash("tables share", theirs, choice=True)).text
    assert "shares its tables" in (await ann.slash("tables share", theirs, choice=True)).text
    said = (await ann.slash("game open", home, reach="everybody", note="Calm and friendly")).text
    assert "nobody's name" in said and "moderate vouch" in said
    listed = (await bob.slash("tables list", theirs)).text
    assert "1848" in listed and "Calm" not in listed and "Ann" not in listed
    assert "may manage threads" in (await bob.slash("moderate vouch", home, game=1)).text
    assert "Calm" in (await ann.slash("moderate vouch", home, game=1)).text, "whose server it is"
    assert "Calm" in (await bob.slash("tables list", theirs)).text

    def called() -> list[str]:
        channels = table.double.world.channels.values()
        return [m.text for channel in channels for m in channel.messages if "A table for 1848" in m.text]

    await table.wait(called, "Cid hears of it")
    assert len(called()) == 1
    assert "is in game 1" in (await bob.slash("game join", theirs, game=1)).text
    await table.wait(lambda: "Bob" in lobby.text, "the lobby's message in the other server")
    assert "changes no rating" in (await ann.slash("game rating", home, choice="unrated")).text
    await table.wait(lambda: "no rating" in lobby.text, "the lobby's message with the choice")
    assert "will no longer meet" in (await ann.slash("tables block", home, member=bob)).text
    await table.wait(lambda: "Bob" not in lobby.text, "the lobby's message without Bob")
    assert "You cannot join this game" in (await bob.slash("game join", theirs, game=1)).text


async def test_a_seat_that_is_left_finds_a_volunteer(table: Table) -> None:
    await table.open()
    ann, bob, cid = table.people
    dora = table.double.dora
    assert "not over yet" in (await ann.slash("rematch", table.thread)).text
    assert "less than 14 days ago" in (await bob.slash("vote moderator", table.thread, seat=3)).text
    assert "You will hear when a seat" in (await dora.slash("substitute on", table.double.channel, titles="1848")).text
    assert "No seat is offered" in (await dora.slash("substitute list", table.double.channel)).text
    assert "You have left" in (await bob.slash("game leave", table.thread, sure=True)).text

    def called() -> list[str]:
        channels = table.double.world.channels.values()
        return [m.text for channel in channels for m in channel.messages if "A seat in a game of 1848" in m.text]

    await table.wait(called, "Dora hears of the seat")
    listed = await dora.slash("substitute list", table.double.channel)
    assert "1: 1848" in listed.text and "seat 2" in listed.text and "Ann" not in listed.text
    asked = await dora.slash("substitute take", table.double.channel, game=1, name="Dora")
    assert "would take over the seat of Bob" in asked.text
    for voter in (ann, cid):
        assert "Dora" in (await voter.slash("vote yes", table.thread)).text
    await table.wait(lambda: [m for m in table.posts() if "Dora takes over" in m.text], "the log says who plays on")
    told = await dora.slash("substitute brief", table.thread)
    assert "Dora" in told.text and "Latest log entries" in told.text

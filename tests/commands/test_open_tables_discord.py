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
    assert "next table of 1848" in (await cid.slash("tables tell", theirs, title="1848")).text
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
        return [m.text for channel in channels for m in channel.messages if "A table of 1848" in m.text]

    await table.wait(called, "Cid hears of it")
    assert len(called()) == 1
    assert "is in game 1" in (await bob.slash("game join", theirs, game=1)).text
    await table.wait(lambda: "Bob" in lobby.text, "the lobby's message in the other server")
    assert "changes no rating" in (await ann.slash("game rating", home, choice="unrated")).text
    await table.wait(lambda: "no rating" in lobby.text, "the lobby's message with the choice")
    assert "do not meet" in (await ann.slash("tables block", home, member=bob)).text
    await table.wait(lambda: "Bob" not in lobby.text, "the lobby's message without Bob")
    assert "You cannot join this game" in (await bob.slash("game join", theirs, game=1)).text

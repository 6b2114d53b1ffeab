"""`/try`, `/whatif` and `/clock` in Discord."""

from __future__ import annotations

import pytest

from tests.commands.discord_table import Table
from tests.commands.discord_table import table as table
from tests.discord_double.fixtures import double as double


async def test_trying_shows_and_changes_nothing_and_a_sandbox_can_be_made_real(table: Table) -> None:
    await table.open()
    ann, bob, _ = table.people
    boards = table.told()
    tried = await bob.slash("try", table.thread, move="Ann buy P1; Bob buy P2")
    assert tried.ephemeral and "Ann buys P1" in tried.text and "Bob buys P2" in tried.text
    assert await bob.autocomplete("try", table.thread, "move", "reduce")
    shown = await ann.slash("whatif move", table.thread, move="buy P1; Bob buy P2")
    assert shown.ephemeral
    assert "buy P3" in str([c.value for c in await ann.autocomplete("whatif move", table.thread, "move", "buy P3")])
    back = await table.use(ann, shown, label="Take back the last move")
    assert "P2" not in back.text
    assert table.told() == boards
    made = await table.use(ann, back, label="Make these moves")
    assert "Ann buys P1" in made.text
    await table.wait(lambda: table.told() > boards, "the board")
    assert "empty" in (await ann.slash("whatif show", table.thread)).text


@pytest.mark.whole
async def test_clocks_are_everybodys_own(table: Table) -> None:
    await table.open()
    ann = table.people[0]
    for command, options, piece in (
        ("clock snooze", {"hours": 12}, "no reminders"),
        ("clock mute", {}, "No more reminders"),
        ("clock mute", {"muted": False}, "reminders again"),
        ("clock away", {"days": 3}, "Away until"),
        ("clock away", {"days": 0}, "Welcome back"),
        ("clock quiet", {"zone": "Europe/Berlin", "begin": 22, "end": 7}, "in 1 game and"),
        ("clock quiet", {"zone": "Moon", "begin": 22, "end": 7}, "no time zone"),
        ("game quiet", {"zone": "Europe/Berlin", "begin": 23, "end": 6}, "from 23:00 to 6:00"),
        ("clock times", {}, "Nobody has moved"),
    ):
        reply = await ann.slash(command, table.thread, **options)
        assert reply.ephemeral and piece in reply.text
    assert "no seat" in (await table.double.dora.slash("clock snooze", table.thread)).text


@pytest.mark.whole
async def test_a_seat_is_given_up_in_the_lobby_and_a_person_is_forgotten(table: Table) -> None:
    ann, bob, cid = table.people
    await ann.slash("game new", table.double.channel, title="1848")
    await bob.slash("game join", table.double.channel)
    await cid.slash("game join", table.double.channel)
    assert "left" in (await cid.slash("game leave", table.double.channel)).text
    kept = await bob.slash("privacy export", table.double.channel)
    assert kept.ephemeral and bob.name.encode() in kept.files[0].data
    assert "forget me" in (await bob.slash("privacy erase", table.double.channel, confirm="yes")).text
    forgotten = (await bob.slash("privacy erase", table.double.channel, confirm="forget me")).text
    assert "erased, in 1 game" in forgotten and "stay until the operator deletes them" in forgotten
    assert bob.name.encode() not in (await bob.slash("privacy export", table.double.channel)).files[0].data

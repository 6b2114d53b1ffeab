"""A season on a Discord server: opened by a manager, entered with a button, its tables in threads of their own."""

from __future__ import annotations

import pytest

from tests.discord_double.fixtures import double as double
from tests.reliability.conftest import haste as haste
from tests.reliability.conftest import table as table
from tests.reliability.table import Table


@pytest.mark.parametrize("haste", [{"SIGNALBOX_DOUBLE_SWEEP": "1"}])
async def test_a_season_opens_its_tables_in_threads_and_asks_who_begins(table: Table) -> None:
    ann, bob, cid = table.people
    channel = table.double.channel
    assert "may manage a server" in (await bob.slash("season open", channel, title="1848")).text
    opened = await ann.slash("season open", channel, title="1848", size=3, rounds=2, days=1, name="Spring")
    assert "Season 1, Spring: 1848 Australia, 3 players a table; sign-up, 0 in it" in opened.text
    for person in (ann, bob, cid):
        assert "is in season Spring" in (await person.click(opened, "Enter")).text
    assert "not open" not in (await bob.slash("season show", channel)).text
    table.write("UPDATE seasons SET draws_at = 1")
    await table.wait(lambda: len(table.double.threads) == 1, "the table's thread")
    thread = table.double.threads[0]
    await table.wait(lambda: any("<@" in post.text for post in thread.messages), "the first question")
    await table.wait(
        lambda: any("Season Spring: round 1 of 2, table 1 of 1." in post.text for post in thread.messages), "its table"
    )
    shown = (await cid.slash("season show", channel)).text
    assert "round 1 of 2" in shown and "Table 1, game 1: " in shown
    assert "is cancelled" in (await ann.slash("season cancel", channel)).text
    await table.wait(lambda: any("The season is cancelled." in post.text for post in thread.messages), "the news")

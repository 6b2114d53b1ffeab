"""What somebody is told in Discord who does not know the bot, or what a thing is for."""

from __future__ import annotations

import re

from tests.commands.discord_table import PATIENCE, Table
from tests.commands.discord_table import table as table
from tests.discord_double.fixtures import double as double


async def test_the_bot_introduces_itself_and_things_explain_themselves(table: Table) -> None:
    double, ann = table.double, table.people[0]
    introduced = await ann.slash("help", double.channel)
    assert introduced.ephemeral and introduced.text.startswith("Signalbox plays 18xx")
    assert "Begin: `/game new`" in introduced.text and "docs/" not in introduced.text, "in the words of Discord"
    assert len(introduced.text.splitlines()) == 6

    direct_help = await ann.slash("help", ann.dm)
    assert direct_help.text.startswith("Signalbox plays 18xx"), "anywhere"

    await table.open()
    record = table.boards()[0].text
    assert "P4 The Ghan: income £20; once £100 off a 2E train" in record and "P1 £30, P2 £70" in record
    told = await ann.slash("company", table.thread, name="p4")
    assert told.text.startswith("P4 The Ghan: income £20; once £100 off a 2E train (1848 §4.5)")
    choices = await ann.autocomplete("company", table.thread, "name", "ghan")
    assert [choice.value for choice in choices] == ["P4"]
    helped = await ann.slash("help", table.thread)
    assert "buy P2 for 70  — Oodnadatta Railway: income £10; once a yellow tile" in helped.text

    boards = len(table.boards())
    await ann.say(table.thread, "hello, how do you work?", mention_bot=True)
    direct = await double.wait_message(ann.dm, re.compile("Signalbox plays"), timeout=PATIENCE)
    assert "no move called" not in direct.content and len(table.boards()) == boards

"""A game with a clock in Discord: what the lobby, the record and the question show, and what the running bot does at zero."""

from __future__ import annotations

import re

from tests.commands.discord_table import Table
from tests.commands.discord_table import table as table
from tests.discord_double.fixtures import double as double

COUNTED_DOWN = r"<t:\d+:R>"
"""A moment that Discord shows as the time until then."""


async def test_the_record_and_the_question_count_down_without_being_edited(table: Table) -> None:
    ann = table.double.ann
    lobby = await ann.slash("game new", table.double.channel, title="1848", clock="daily")
    assert "Clock daily (a game of about 3 weeks): 5 d for the game" in lobby.text
    await table.double.bob.click(lobby.message, "Join")
    await table.double.cid.slash("game join", table.double.channel)
    await ann.slash("game start", table.double.channel, order="list")
    await table.wait(lambda: table.double.threads and table.pings() and table.boards(), "the first question")
    record, ping = table.boards()[-1], table.pings()[-1]
    assert re.search(rf"Time: Ann {COUNTED_DOWN} · Bob 5 d · Cid 5 d", record.text), record.text
    assert re.search(rf"Your time runs out {COUNTED_DOWN}. At zero a computer player moves for you", ping.content)
    await table.move("buy P1")
    assert re.search(rf"Time: Ann 5 d · Bob {COUNTED_DOWN} · Cid 5 d", table.boards()[-1].text)
    shown = await ann.slash("clock budget", table.thread)
    assert shown.ephemeral and "you begin with 5 d" in shown.text and "while the game waited for you" in shown.text


async def test_the_running_bot_passes_for_a_player_whose_time_is_up(table: Table) -> None:
    ann = table.double.ann
    await ann.slash("game new", table.double.channel, title="1848")
    await table.double.bob.slash("game join", table.double.channel)
    await table.double.cid.slash("game join", table.double.channel)
    chosen = await ann.slash(
        "game clock", table.double.channel, clock="blitz", numbers="start=2s most=2s stock=0s company=0s answer=0s"
    )
    assert "Clock own" in chosen.text
    await ann.slash("game start", table.double.channel, order="list")
    await table.wait(lambda: table.double.threads and table.boards(), "the record")
    await table.wait(
        lambda: any("The time of Ann is up" in board.text for board in table.boards()), "what happens at zero"
    )

"""The lesson in Discord: in a private thread, asked by pings, refused and taught there."""

from __future__ import annotations

import pytest

from tests.commands.discord_table import Table
from tests.commands.discord_table import table as table
from tests.discord_double.double import Double
from tests.discord_double.fixtures import double as double

PRIVATE_THREAD = 12


async def test_a_lesson_is_played_in_a_private_thread(double: Double, table: Table) -> None:
    table.people = (double.cid,)
    opened = await double.cid.slash("lesson", double.channel)
    assert "Your lesson is in <#" in opened.text and "Lesson, 1 of 23:" in opened.text and opened.ephemeral
    await table.wait(lambda: double.threads and double.threads[-1].messages, "the thread of the lesson")
    lesson = double.threads[-1]
    await table.wait(lambda: lesson.is_open_to(double.cid.account), "the learner in the thread")
    assert not lesson.is_open_to(double.bob.account)
    assert lesson.type == PRIVATE_THREAD and lesson.name.startswith("1889")

    def pings() -> list[str]:
        return [post.text for post in lesson.messages if post.content.startswith(double.cid.mention)]

    await table.wait(lambda: pings() and "Start KO, whose home Takamatsu" in pings()[-1], "the first task")
    refused = await double.cid.slash("move", lesson, move="par KO 100")
    assert "five shares cost more than your ¥380" in refused.text
    hint = await double.cid.slash("lesson", lesson, part="hint")
    assert hint.text == "Type: par KO 75"
    made = await double.cid.slash("move", lesson, move="par KO 75")
    assert "You are the president of KO" in made.text
    await table.wait(lambda: "Lesson, 2 of 23:" in pings()[-1], "the second task")


@pytest.mark.parametrize("status", [403, 503])
async def test_a_learner_who_cannot_be_added_is_asked_all_the_same(double: Double, table: Table, status: int) -> None:
    """A mention lets them see the thread."""
    double.faults.fail("PUT /channels/{channel}/thread-members/{user}", status, 99)
    await double.cid.slash("lesson", double.channel)
    await table.wait(lambda: double.threads and double.threads[-1].messages, "the thread of the lesson")
    lesson = double.threads[-1]
    await table.wait(lambda: any("Lesson, 1 of 23:" in post.text for post in lesson.messages), "the first task")

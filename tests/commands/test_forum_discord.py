"""A game as a post of a forum with the tags that the forum has; in a text channel its thread hangs on the lobby's message."""

from __future__ import annotations

from tests.commands.discord_table import Table
from tests.commands.discord_table import table as table
from tests.discord_double.fixtures import double as double


async def test_a_game_is_a_post_whose_tags_follow_it(table: Table) -> None:
    ann, bob, cid = table.people
    forum = table.double.add_forum("18xx", "Help", "1848", "recruiting", "Playing", "Finished")
    opened = await ann.slash("game new", table.double.channel, title="1848", forum=forum)
    post = table.thread
    assert opened.ephemeral and f"<#{post.id}>" in opened.text
    assert f"<#{forum.id}> has no tags called Paused; I post without them." in opened.text
    assert post.parent is forum and post.name == "1848 Australia #1" and post.tag_names == ["1848", "recruiting"]
    card = post.history[post.id]
    assert "**Game 1: 1848 Australia**" in card.text
    await bob.click(card, "Join")
    await cid.slash("game join", post)
    await ann.slash("game start", post, order="list")
    await table.wait(lambda: table.pings() and post.tag_names == ["1848", "Playing"], "it is played in its post")
    await table.wait(lambda: not card.buttons and "In: Ann, Bob, Cid" in card.text, "the lobby closes")
    post.applied.append(next(iter(forum.tags)))
    table.double.gateway.dispatch("THREAD_UPDATE", table.double.payloads.channel(post), 1)
    await table.move("buy P1")
    await ann.slash("moderate status", post, status="paused")
    await table.wait(lambda: "Paused in" in card.text, "the card tells it")
    await table.wait(lambda: post.tag_names == ["1848", "Help"], "a tag that is somebody else's stays")
    await ann.slash("moderate status", post, status="running")
    await table.wait(lambda: post.tag_names == ["1848", "Playing", "Help"], "it goes on")
    await ann.slash("moderate status", post, status="finished")
    await table.wait(lambda: post.tag_names == ["1848", "Finished", "Help"], "it is over")
    assert not table.double.channel.messages, "nothing is told elsewhere"


async def test_typed_in_a_post_it_opens_another_one_and_a_forum_without_tags_does(table: Table) -> None:
    ann = table.people[0]
    forum = table.double.add_forum("plain")
    await ann.slash("game new", table.double.channel, title="1848", forum=forum)
    again = await ann.slash("game new", table.thread, title="1820")
    assert "no tags called 1820, Recruiting, Playing, Paused, Finished" in again.text
    assert [(post.name, post.parent, post.applied) for post in table.double.threads] == [
        ("1848 Australia #1", forum, []),
        ("1820 #2", forum, []),
    ]


async def test_what_a_forum_does_not_allow_is_said_and_opens_no_game(table: Table) -> None:
    ann = table.people[0]
    strict = table.double.add_forum("strict", "Off topic", needs_tag=True)
    refused = await ann.slash("game new", table.double.channel, title="1848", forum=strict)
    assert "need a tag, and it has none for this game: 1848 Australia, Recruiting" in refused.text
    closed = table.double.add_forum("closed", "Playing")
    table.double.forbid(closed, "send_messages")
    refused = await ann.slash("game new", table.double.channel, title="1848", forum=closed)
    assert "I need *Create Posts* there" in refused.text
    assert not table.double.threads and "You are in no game" in (await ann.slash("games", table.double.channel)).text


async def test_in_a_text_channel_the_thread_hangs_on_the_lobbys_message(table: Table) -> None:
    await table.open()
    card = next(message for message in table.double.channel.messages if "**Game 1" in message.text)
    assert table.thread.id == card.id and table.thread.parent is table.double.channel
    assert [message.id for message in table.double.channel.messages] == [card.id], "no notice beside it"


async def test_without_the_lobbys_message_the_thread_stands_alone(table: Table) -> None:
    ann, bob, cid = table.people
    lobby = await ann.slash("game new", table.double.channel, title="1848")
    for person in (bob, cid):
        await person.slash("game join", table.double.channel)
    table.double.messages.delete(lobby.message)
    table.double.expect("404 10008")
    await ann.slash("game start", table.double.channel, order="list")
    await table.wait(lambda: table.double.threads and table.pings() and table.boards(), "the first question and record")
    assert table.thread.id != lobby.message.id

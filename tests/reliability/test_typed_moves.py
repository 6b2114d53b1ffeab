"""Written moves: each gets a sign; those from while the bot was away are made when it is back, and none is made twice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.commands.discord.slash.messages import LAST_SEEN
from tests.discord_double.model import PostedMessage
from tests.discord_double.user import ScriptedUser
from tests.reliability.table import AUCTION, Table


def signs(message: PostedMessage) -> list[str]:
    """What the bot has answered a message with."""
    return list(message.reactions)


async def test_a_written_move_gets_a_sign_where_reactions_are_allowed(table: Table) -> None:
    double = table.double
    await table.open()
    made = await double.ann.say(table.thread, AUCTION[0], mention_bot=True)
    await table.wait(lambda: signs(made) == ["✅"], "the sign")
    refused = await double.cid.say(table.thread, AUCTION[2], mention_bot=True)
    await table.wait(lambda: signs(refused) == ["⚠️"], "the other sign")
    assert signs(await double.bob.say(table.thread, "well played")) == []
    double.forbid(double.channel, "add_reactions")
    silent = await double.bob.say(table.thread, AUCTION[1], mention_bot=True)
    await table.wait(lambda: table.boards("buys P2"), "the board")
    await double.idle()
    assert signs(silent) == []
    assert not [call for call in double.calls if call.status == 403]


async def test_moves_that_were_written_while_the_bot_was_away_are_made_by_those_who_were_asked(table: Table) -> None:
    double = table.double
    await table.open()
    await double.idle()
    await table.bot.kill()
    made = await double.ann.say(table.thread, AUCTION[0], mention_bot=True)
    others = [
        await double.ann.say(table.thread, "see you tomorrow", mention_bot=True),
        await double.bob.say(table.thread, AUCTION[1], mention_bot=True),
    ]
    await table.bot.start()
    await table.wait(lambda: table.boards("buys P1") and signs(made) == ["✅"], "Ann's move")
    await table.wait(lambda: table.pings(double.bob), "Bob's question")
    assert table.moves() == ["@1 buy P1 for 30"]
    assert [signs(message) for message in others] == [[], []]


async def test_what_was_written_while_the_gateway_was_away_is_made_in_order(table: Table) -> None:
    double = table.double
    await table.open()
    await double.idle()
    double.gateway.refuse(503)
    double.gateway.drop()
    double.gateway.invalidate()
    made = await double.ann.say(table.thread, AUCTION[0], mention_bot=True)
    double.gateway.accept()
    await double.until(lambda: double.gateway.live, 60, "the gateway")
    await table.wait(lambda: signs(made) == ["✅"], "Ann's move")
    await table.wait(lambda: table.pings(double.bob), "Bob's question")


async def test_no_message_is_obeyed_twice(table: Table) -> None:
    double = table.double
    await table.open()
    first = await double.ann.say(table.thread, AUCTION[0], mention_bot=True)
    await table.wait(lambda: signs(first) == ["✅"], "the sign")
    double.gateway.dispatch_message("MESSAGE_CREATE", first)
    for number in (1, 2):
        await table.moved(number)
    await table.wait(lambda: table.pings(double.ann), "Ann's next question")
    await table.bot.kill()
    # By a clock that was wrong she has been asked since before her first move.
    table.write("UPDATE clocks SET since = 1")
    await table.bot.start()
    second = await double.ann.say(table.thread, AUCTION[3], mention_bot=True)
    await table.wait(lambda: signs(second) == ["✅"], "the next move")
    assert signs(first) == ["✅"]
    assert len(table.moves()) == 4


@pytest.mark.whole
async def test_where_nothing_can_be_read_the_bot_says_once_that_it_was_away(table: Table) -> None:
    double = table.double
    await table.open()
    await double.idle()
    double.forbid(double.channel, "read_message_history")
    await table.bot.kill()
    await double.ann.say(table.thread, AUCTION[0])
    (table.data / LAST_SEEN).write_text((datetime.now(UTC) - timedelta(hours=1)).isoformat())
    await table.bot.start()
    await table.wait(lambda: table.boards("please write it again"), "the sentence")
    await double.idle()
    await table.moved(0)
    assert len(table.boards("please write it again")) == 1


@pytest.mark.parametrize("haste", [{"SIGNALBOX_DOUBLE_SWEEP": "2", "SIGNALBOX_DOUBLE_PAUSE": "0.5"}], ids=["hasty"])
async def test_what_the_bot_posted_while_it_was_deaf_hides_no_written_move(table: Table) -> None:
    double = table.double
    await table.open()
    await double.idle()
    double.gateway.refuse(503)
    double.gateway.drop()
    double.gateway.invalidate()
    made = await double.ann.say(table.thread, AUCTION[0], mention_bot=True)
    # It is not connected, and posts all the same.
    table.write("UPDATE clocks SET due_at = 1, since = since - 86400")
    await table.wait(lambda: [ping for ping in table.pings(double.ann) if "Reminder" in ping.text], "the reminder")
    double.gateway.accept()
    await double.until(lambda: double.gateway.live, 60, "the gateway")
    await table.wait(lambda: signs(made) == ["✅"], "Ann's move")


@pytest.mark.whole
async def test_a_move_that_cannot_be_read_now_is_not_lost_by_a_later_message(table: Table) -> None:
    double = table.double
    await table.open()
    await double.idle()
    await table.bot.kill()
    made = await double.ann.say(table.thread, AUCTION[0], mention_bot=True)
    double.faults.fail("GET /channels/*/messages", 503, 2)
    await table.bot.start()
    await table.bot.logged("what was written is not read")
    await double.cid.say(table.thread, AUCTION[2], mention_bot=True)
    await table.wait(lambda: not double.faults.pending, "a second look")
    await table.wait(lambda: signs(made) == ["✅"], "Ann's move")


@pytest.mark.whole
async def test_where_reading_is_refused_it_is_not_tried_for_ever(table: Table) -> None:
    double = table.double
    await table.open()
    await double.idle()
    await table.bot.kill()
    await double.ann.say(table.thread, AUCTION[0])
    refused = double.faults.fail("GET /channels/*/messages", 403, 3, 50001)
    (table.data / LAST_SEEN).write_text((datetime.now(UTC) - timedelta(hours=1)).isoformat())
    await table.bot.start()
    await table.wait(lambda: table.boards("please write it again"), "the sentence")
    await table.moved(0)
    assert refused.times == 2


async def test_what_no_person_has_written_is_no_move(table: Table) -> None:
    double = table.double
    await table.open()
    await double.idle()
    tell = double.gateway.payloads.message_event
    content = {"type": 0, "content": AUCTION[0], "timestamp": "2026-01-01T00:00:00+00:00", "edited_timestamp": None}
    content |= {"embeds": [], "attachments": [], "mentions": [], "mention_roles": [], "components": [], "flags": 0}
    forwarded = {
        "content": "",
        "message_reference": {"type": 1, "message_id": "1", "channel_id": str(table.thread.id)},
        "message_snapshots": [{"message": content}],
    }
    program = {"author": double.gateway.payloads.user(double.world.bot) | {"id": "78", "username": "echo"}}
    for other in ({"type": 4}, {"webhook_id": "77"}, forwarded, program):
        double.gateway.payloads.message_event = lambda message, other=other: tell(message) | other  # type: ignore[method-assign, misc]
        told = await double.ann.say(table.thread, AUCTION[0], mention_bot=True)
        await double.idle()
        assert signs(told) == []
    double.gateway.payloads.message_event = tell  # type: ignore[method-assign]
    await table.moved(0)
    assert len(table.moves()) == 1


async def test_a_quoted_move_and_a_move_that_is_edited_in_are_not_made(table: Table) -> None:
    double = table.double
    await table.open()
    quoting = await double.ann.say(table.thread, f"> {AUCTION[0]}\nI would not do that", mention_bot=True)
    await double.idle()
    chat = await double.ann.say(table.thread, "hello", reply_to=quoting)
    double.ann.edit(chat, AUCTION[0])
    await double.idle()
    assert signs(quoting) == signs(chat) == [] and table.moves() == []


async def test_a_direct_message_is_a_move_in_its_authors_game(table: Table) -> None:
    double = table.double
    ann, dora = double.ann, double.dora

    def told(person: ScriptedUser, piece: str) -> bool:
        return any(piece in message.text for message in person.dm.messages)

    await table.open()
    made = await ann.say(ann.dm, AUCTION[0])
    await table.wait(lambda: signs(made) == ["✅"], "the sign")
    assert table.moves() == ["@1 buy P1 for 30"]
    (channel,) = table.rows("SELECT channel FROM posts WHERE slot = 'heard'")
    assert channel == ("",), "her direct channel would name her"
    assert "Bob" in (await ann.slash("status", ann.dm)).text
    refused = await ann.say(ann.dm, AUCTION[1])
    await table.wait(lambda: signs(refused) == ["⚠️"], "the other sign")
    await ann.say(ann.dm, "good morning")
    await dora.say(dora.dm, "buy P2")
    for person in (ann, dora):
        await table.wait(lambda person=person: told(person, "Signalbox plays 18xx"), "what the bot is")
    await table.open()
    made = await ann.say(ann.dm, AUCTION[0])
    await table.wait(lambda: signs(made) == ["✅"], "the sign in the game that waits for her")
    await ann.say(ann.dm, "pass")
    await table.wait(lambda: told(ann, "Several of your games could be meant: "), "the question which game")
    assert len(table.moves()) == 2


async def test_a_flood_of_direct_messages_is_slowed_where_several_games_could_be_meant(table: Table) -> None:
    ann = table.double.ann
    await table.open()
    await ann.say(ann.dm, AUCTION[0])
    await table.wait(lambda: table.moves() == ["@1 buy P1 for 30"], "her move")
    await table.open()
    await ann.say(ann.dm, AUCTION[0])
    await table.wait(lambda: len(table.moves()) == 2, "her move in the game that waits for her")
    await table.bot.kill()
    table.bot.environment["SIGNALBOX_RATE"] = "1"
    await table.bot.start()
    for _ in range(40):
        await ann.say(ann.dm, "pass")

    def limits() -> int:
        return sum("That was a lot at once" in one.text for one in ann.dm.messages)

    await table.wait(lambda: limits() > 0, "the limit")
    await table.double.idle()
    assert limits() == 1, "a flood is answered once"


@pytest.mark.whole
async def test_a_direct_message_that_cannot_be_taken_now_is_answered(table: Table) -> None:
    double = table.double
    await table.open()
    await double.idle()
    await table.bot.kill()
    await double.bob.say(table.thread, "good luck", mention_bot=True)
    double.faults.fail("GET /channels/*/messages", 503, 100)
    await table.bot.start()
    made = await double.ann.say(double.ann.dm, AUCTION[0])
    told = "write your move again"
    await table.wait(lambda: any(told in one.text for one in double.ann.dm.messages), "the sentence")
    assert signs(made) == ["⚠️"]
    double.faults.lift()
    await double.ann.say(double.ann.dm, AUCTION[0])
    await table.wait(lambda: table.moves() == ["@1 buy P1 for 30"], "her move")

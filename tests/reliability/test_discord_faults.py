"""Every row of the list of what Discord does to a bot on a bad day: the game goes on, and says once what it needs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from bot.commands.discord.interactions.retry_backoff import FIRST_WAIT, LEAST_WAIT, LONGEST_WAIT, PlaceBackoff
from bot.commands.discord.message_slots import AGAIN
from tests.discord_double import boot
from tests.discord_double.double import Double
from tests.discord_double.faults import FOREVER
from tests.discord_double.user import Unanswered
from tests.families import few
from tests.reliability.table import Table


@pytest.mark.parametrize("is_session_lost", few([False, True], 1))
async def test_an_outage_of_everything(table: Table, is_session_lost: bool) -> None:
    await table.open()
    await table.moved(0)
    await table.double.idle()
    table.double.go_down()
    await table.bot.logged("the gateway is connected again in")
    table.double.come_back(is_session_lost)
    await table.double.until(lambda: table.double.gateway.live, 60, "the gateway")
    await table.moved(1)
    assert len(table.boards("buys P1")) == 1
    assert "ERROR" not in "".join(table.bot.lines)


async def test_what_was_saved_before_an_outage_is_posted_after_it(table: Table) -> None:
    await table.open()
    await table.double.idle()
    table.double.faults.fail("POST /channels/*/messages", 503)
    await table.move(0)
    await table.bot.logged("Discord is down, posting waits")
    await table.double.until(lambda: table.boards("buys P1"), 40, "the board")
    await table.wait(lambda: table.pings(table.double.bob), "Bob's question")
    assert len(table.boards("buys P1")) == 1
    assert len(table.pings(table.double.bob)) == 1


async def outage(table: Table, seconds: float) -> None:
    """An outage in the middle of a post, so long that Discord forgets nonces, tokens and the session, and that a
    reminder falls due. Afterwards everything is told once, or marked where Discord cannot tell."""
    await table.open()
    await table.double.idle()
    table.double.faults.lose_answer("POST /channels/*/messages")
    await table.move(0)
    await table.wait(lambda: table.boards("buys P1"), "the board whose answer is lost")
    table.double.go_down()
    await asyncio.sleep(seconds)
    table.double.forget_nonces()
    table.double.expire_tokens()
    table.write("UPDATE clocks SET due_at = 1")
    table.double.come_back()
    await table.double.until(lambda: table.double.gateway.live, 600, "the gateway")
    await table.double.until(
        lambda: any("Reminder" in ping.text for ping in table.pings(table.double.bob)), 120, "Bob's reminder"
    )
    await table.double.until(lambda: len(table.pings()) == 1, 120, "nothing but the reminder")
    assert len(table.boards("buys P1")) == 1 and not table.boards("buys P1")[0].text.startswith(AGAIN)
    assert table.rows("SELECT count(*) FROM outbox WHERE kind = 'reminder'") == [(1,)]
    await table.moved(1)
    assert table.moves() == ["@1 buy P1 for 30", "@2 buy P2 for 70"]


@pytest.mark.whole
async def test_where_discord_is_down_when_it_is_looked_through_nothing_is_sent_again(table: Table) -> None:
    await table.open()
    await table.double.idle()
    table.double.faults.lose_answer("POST /channels/*/messages")
    table.double.faults.fail("GET /channels/*/messages", 503)
    await table.move(0)
    await table.bot.logged("Discord is down, posting waits")
    table.double.forget_nonces()
    await table.wait(lambda: not table.double.faults.pending, "a look at what is there")
    waiting = "SELECT count(*) FROM outbox WHERE posted_at IS NULL"
    await table.wait(lambda: table.rows(waiting) == [(0,)], "all to be told")
    assert [post.text for post in table.posts() if post.text.startswith(AGAIN)] == []
    assert len(table.boards("buys P1")) == len(table.pings()) == 1


@pytest.mark.whole
async def test_an_outage_that_makes_discord_forget(table: Table) -> None:
    await outage(table, 0.5)


@pytest.mark.soak
async def test_an_outage_of_ten_minutes(table: Table, record_property: Callable[[str, object], None]) -> None:
    await outage(table, 600)
    record_property("figure", f"after 10 minutes without Discord the bot uses {table.bot.resident_mb():.0f} MB")


async def test_a_removed_thread_goes_on_in_its_channel(table: Table) -> None:
    await table.open()
    await table.double.idle()
    table.double.delete_channel(table.thread)
    table.home = table.double.channel
    table.double.expect("404 10003", optional=True)
    reply = await table.double.ann.slash("moderate here", table.double.channel, game=1)
    assert "continues here" in reply.text
    await table.moved(0)


async def test_a_thread_that_vanishes_unheard_is_noticed_by_the_next_post(table: Table) -> None:
    await table.open()
    await table.double.idle()
    old, real = table.thread, table.double.world.channels
    table.double.faults.fail(f"PATCH /channels/{old.id}/messages/*", 404, code=10003)
    await table.double.ann.slash("move", old, move="buy P1")
    table.home = table.double.channel
    await table.wait(lambda: table.boards("buys P1"), "the board in the channel")
    assert len([post for post in table.posts() if "was removed. The game continues here" in post.content]) == 1
    assert real
    await table.moved(1)


@pytest.mark.parametrize("is_heard", few([True, False], 0))
async def test_a_removed_post_is_opened_anew_as_the_card(table: Table, is_heard: bool) -> None:
    double = table.double
    await table.open(double.add_forum("18xx", "Playing"))
    old = table.thread
    await table.wait(lambda: "Played in" in old.history[old.id].text, "the card")
    await double.idle()
    if not is_heard:
        double.faults.fail(f"PATCH /channels/{old.id}/messages/*", 404, code=10003)
        await table.move(0)
        await double.wait_message(double.ann.dm, "the channel is gone")
    double.delete_channel(old)
    double.expect("404 10003", optional=True)
    if is_heard:
        # The next that there is to tell is a reminder, which the bot looks for when it is connected anew.
        table.write("UPDATE clocks SET due_at = 1")
        double.gateway.invalidate()
        double.gateway.drop()
    await table.wait(lambda: double.threads and table.pings(), "the question in a new post")
    assert table.thread is not old
    assert table.thread.name == old.name and table.thread.tag_names == ["Playing"]
    card = table.thread.history[table.thread.id]
    await table.moved(int(not is_heard))
    await table.wait(lambda: f"Played in <#{table.thread.id}>" in card.text and not card.buttons, "the card")


@pytest.mark.parametrize("is_post", few([False, True], 0))
async def test_a_locked_thread_is_told_once_and_goes_on_when_it_is_opened(table: Table, is_post: bool) -> None:
    home = table.double.add_forum("18xx") if is_post else table.double.channel
    table.double.forbid(home, "manage_threads")
    await table.open(home if is_post else None)
    await table.double.idle()
    table.double.lock(table.thread)
    await table.move(0)
    await table.double.wait_message(table.double.ann.dm, "the thread is archived and locked")
    await table.move(1)
    await table.double.idle()
    assert len([message for message in table.double.ann.dm.messages if "cannot post" in message.content]) == 1
    table.double.lock(table.thread, False)
    await table.wait(lambda: table.pings(table.double.cid) == table.pings() != [], "Cid's question alone")
    assert len(table.boards("buys P1")) == len(table.boards("buys P2")) == 1
    await table.moved(2)


async def test_a_lobby_whose_post_is_locked_is_joined_all_the_same(double: Double, table: Table) -> None:
    forum = double.add_forum("18xx")
    double.forbid(forum, "manage_threads")
    await double.ann.slash("game new", double.channel, title="1848", forum=forum)
    double.lock(table.thread)
    assert "is in game 1" in (await double.bob.slash("game join", double.channel, game=1)).text
    card = table.thread.history[table.thread.id]
    assert "Bob" not in card.text
    double.lock(table.thread, False)
    double.archive(table.thread)
    await double.cid.slash("game join", table.thread)
    await table.wait(lambda: "In: Ann, Bob, Cid" in card.text, "the card")


@pytest.mark.parametrize("is_post", few([False, True], 1))
async def test_lost_permissions_are_told_once_and_what_happened_is_posted_when_they_are_back(
    table: Table, is_post: bool
) -> None:
    home = table.double.add_forum("18xx") if is_post else table.double.channel
    await table.open(home if is_post else None)
    await table.double.idle()
    table.double.forbid(home, "send_messages", "send_messages_in_threads")
    await table.move(0)
    told = await table.double.wait_message(table.double.ann.dm, "cannot post it in")
    assert "Send Messages in Threads" in told.content
    await table.move(1)
    await table.bot.restart(kill=True)
    await table.double.idle()
    await table.move(2)
    # A record that stands may be edited all the same; nothing new can be posted.
    assert not table.pings(table.double.bob)
    table.double.allow(home)
    await table.wait(lambda: table.boards("buys P3"), "the board")
    assert len(table.boards("buys P1")) == 1
    assert len([message for message in table.double.ann.dm.messages if "cannot post" in message.content]) == 1
    await table.moved(3)


@pytest.mark.whole
async def test_a_role_of_the_bot_that_comes_back_is_noticed(table: Table) -> None:
    double = table.double
    await table.open()
    await double.idle()
    for route in ("POST /channels/*/messages", "PATCH /channels/*/messages/*"):
        double.faults.fail(route, 403, FOREVER, 50013, when=lambda call: call.number("channel") == table.thread.id)
    await table.move(0)
    await double.wait_message(double.ann.dm, "cannot post it in")
    double.faults.lift()
    await asyncio.sleep(boot.LEAST_WAIT + 0.5)
    member = double.payloads.member(double.guild, double.world.bot) | {"guild_id": str(double.guild.id)}
    double.gateway.dispatch("GUILD_MEMBER_UPDATE", member)
    await table.wait(lambda: table.boards("buys P1"), "the board")


@pytest.mark.whole
async def test_permissions_that_come_back_while_a_refusal_is_on_its_way(table: Table) -> None:
    await table.open()
    await table.double.idle()
    route, faults = f"POST /channels/{table.thread.id}/messages", table.double.faults
    faults.fail(route, 403, code=50013, delay=2.0)
    await table.move(0)
    await table.wait(lambda: not faults.pending, "the question, not yet refused")
    table.double.allow(table.double.channel)
    await table.wait(lambda: table.pings(table.double.bob), "the question")
    assert not [message for message in table.double.ann.dm.messages if "cannot post" in message.content]


@pytest.mark.whole
async def test_a_game_that_is_moved_while_a_refusal_is_on_its_way_stays_where_it_was_moved_to(table: Table) -> None:
    await table.open()
    await table.double.idle()
    table.double.faults.fail(f"POST /channels/{table.thread.id}/messages", 404, code=10003, delay=2.0)
    await table.move(0)
    await table.wait(lambda: not table.double.faults.pending, "the post, not yet refused")
    new = table.double.add_channel("elsewhere")
    reply = await table.double.ann.slash("moderate here", new, game=1)
    assert "continues here" in reply.text
    table.home = new
    await table.wait(
        lambda: table.boards("Bob: buy") and table.pings(table.double.bob), "where it stands, and Bob's question"
    )
    await table.moved(1)
    assert table.rows("SELECT channel, thread FROM places") == [(str(new.id), None)]


async def test_a_server_that_removes_the_bot_and_takes_it_back(table: Table) -> None:
    await table.open()
    await table.double.idle()
    guild = table.double.guild
    table.double.remove_bot(guild)
    table.double.expect("403 50278|404 10003", optional=True)
    assert table.rows("SELECT status FROM games") == [("running",)]
    await table.wait(lambda: table.rows("SELECT trouble FROM places") == [("server",)], "the game without its server")
    await table.double.idle()
    guild.members[table.double.world.bot.id] = guild.members[table.double.ann.id]
    table.double.gateway.dispatch("GUILD_CREATE", table.double.payloads.guild(guild), 1)
    await table.wait(lambda: table.rows("SELECT trouble FROM places") == [(None,)], "the game in its channel again")
    await table.moved(0)


async def test_a_game_whose_server_is_gone_goes_on_directly_and_then_in_another_server(table: Table) -> None:
    await table.open()
    double = table.double
    guild, other = double.guild, double.add_guild("Next Door")[1]
    double.gateway.dispatch("GUILD_DELETE", {"id": str(guild.id), "unavailable": True}, 1)
    await double.idle()
    assert table.rows("SELECT trouble FROM places") == [(None,)], "an outage of Discord is no removal"
    double.gateway.dispatch("GUILD_CREATE", double.payloads.guild(guild), 1)
    double.remove_bot(guild)
    double.expect("404 10003", optional=True)
    for person in table.people:
        told = await double.wait_message(lambda person=person: person.dm, "no longer in the server")
        assert "/moderate here game:1" in told.text
    assert table.rows("SELECT trouble, count(*) FROM places GROUP BY trouble") == [("server", 1)]
    asked = await double.wait_message(lambda: double.ann.dm, "You have £")
    assert "Game 1: 1848" in asked.text
    pressed = next(button.label for button in asked.buttons if button.label.startswith("buy P1"))
    await double.ann.click(asked, pressed)
    await double.wait_message(lambda: double.bob.dm, "You have £")
    assert table.moves() == ["@1 buy P1 for 30"]
    refused = (await double.bob.slash("moderate here", other, game=1)).text
    assert "Only the moderator" in refused
    assert "continues here" in (await double.ann.slash("moderate here", other, game=1)).text
    table.home = other
    await table.wait(lambda: table.pings(double.bob), "Bob's question in the other server")
    await table.moved(1)


@pytest.mark.whole
async def test_a_lobby_whose_message_is_deleted_goes_on(double: Double, table: Table) -> None:
    lobby = await double.ann.slash("game new", double.channel, title="1848")
    double.messages.delete(lobby.message)
    double.expect("404 10008")
    await double.bob.slash("game join", double.channel)
    reply = await double.cid.slash("game join", double.channel)
    assert "is in game 1" in reply.text
    assert "begun" in (await double.ann.slash("game start", double.channel, order="list")).text


@pytest.mark.whole
async def test_a_lobby_message_that_vanishes_while_it_is_edited(double: Double, table: Table) -> None:
    lobby = await double.ann.slash("game new", double.channel, title="1848")
    double.faults.fail("PATCH /channels/*/messages/*", 404, code=10008)
    double.faults.fail("PATCH /webhooks/*", 404, code=10008)
    double.expect("still thinking|unanswered", optional=True)
    with pytest.raises(Unanswered):
        await double.bob.click(lobby.message, "Join", wait=1)
    assert table.rows("SELECT count(*) FROM seats") == [(2,)]


@pytest.mark.parametrize("is_post", few([False, True], 1))
async def test_an_archived_thread_comes_back_with_the_next_post(table: Table, is_post: bool) -> None:
    await table.open(table.double.add_forum("18xx") if is_post else None)
    await table.double.idle()
    table.double.archive(table.thread)
    await table.moved(0)


@pytest.mark.parametrize("code", few([10062, 40060], 0))
@pytest.mark.whole
async def test_an_interaction_that_is_too_old_is_no_error_and_the_move_counts(table: Table, code: int) -> None:
    await table.open()
    await table.double.idle()
    table.double.interactions.deadline = 1.0
    table.double.faults.fail("POST /interactions/*", 404 if code == 10062 else 400, code=code)
    table.double.expect("unanswered|10015", optional=True)
    with pytest.raises(AssertionError):
        await table.move(0, wait=4)
    await table.wait(lambda: table.boards("buys P1"), "the board")
    assert table.moves() == ["@1 buy P1 for 30"]


async def test_a_player_who_left_the_server_keeps_his_seat_and_is_asked_in_the_thread(table: Table) -> None:
    await table.open()
    table.double.remove_user(table.double.bob)
    await table.moved(0)
    await table.wait(lambda: table.pings(table.double.bob), "Bob's question")
    reply = await table.double.ann.slash("moderate replace", table.thread, seat=2, member=table.double.dora)
    assert "Dora" in reply.text


@pytest.mark.whole
async def test_a_global_rate_limit_delays_and_loses_nothing(table: Table) -> None:
    await table.open()
    table.double.faults.rate_limit("POST /channels/*/messages", 0.3, times=2, is_global=True)
    await table.moved(0)
    await table.moved(1)


async def test_a_lost_answer_of_a_post_is_not_posted_twice(table: Table) -> None:
    await table.open()
    await table.double.idle()
    table.double.faults.lose_answer("POST /channels/*/messages")
    await table.move(0)
    await table.double.until(lambda: table.pings(table.double.bob), 40, "Bob's question")
    await table.wait(lambda: len(table.pings()) == 1, "no other question")
    await table.double.idle()
    assert len(table.pings(table.double.bob)) == 1 and len(table.boards("buys P1")) == 1


@pytest.mark.whole
async def test_a_question_that_an_older_release_had_begun_to_post_says_that_it_may_be_there_twice(table: Table) -> None:
    await table.open()
    await table.double.idle()
    await table.bot.terminate()
    table.write(
        "INSERT INTO outbox (game, number, kind, seat, lines, created_at, reference) "
        "VALUES (1, 0, 'turn', 1, '[]', 1.0, 'nonce 99')"
    )
    await table.bot.start()
    await table.wait(lambda: [ping.text.startswith(AGAIN) for ping in table.pings()] == [True], "the question")


def test_places_that_do_not_work_are_tried_ever_more_rarely() -> None:
    now = 0.0
    patience = PlaceBackoff(lambda: now)
    assert patience.seconds() is None
    waits = []
    for _ in range(10):
        assert patience.after(7, "1", patience.changes("1"))
        began = now
        assert patience.seconds() == pytest.approx(min(FIRST_WAIT * 2 ** len(waits), LONGEST_WAIT))
        while 7 in patience.waiting():
            now += 1.0
        waits.append(now - began)
    assert waits[:3] == [FIRST_WAIT, FIRST_WAIT * 2, FIRST_WAIT * 4]
    assert waits[-1] == LONGEST_WAIT
    assert patience.seconds() is None
    patience.after(7, "1", patience.changes("1"))
    patience.forget(7)
    assert patience.waiting() == set()


def test_what_changes_in_a_server_gives_hope_to_its_own_games_and_not_at_every_moment() -> None:
    now = 0.0
    patience = PlaceBackoff(lambda: now)
    patience.after(7, "1", patience.changes("1"))
    patience.after(8, "2", patience.changes("2"))
    for moment in range(1, int(LEAST_WAIT)):
        now = float(moment)
        patience.hope("1")
        assert patience.waiting() == {7, 8}
    now = LEAST_WAIT
    assert patience.waiting() == {8}
    now = FIRST_WAIT - 1
    patience.after(7, "1", patience.changes("1"))
    now += LEAST_WAIT
    patience.hope("1")
    assert patience.waiting() == set()


def test_a_refusal_of_what_was_begun_before_the_last_change_does_not_count() -> None:
    patience = PlaceBackoff(lambda: 0.0)
    before = patience.changes("1")
    patience.hope("1")
    assert not patience.after(7, "1", before)
    assert patience.waiting() == set()
    patience.hope("2")
    assert patience.after(7, "1", patience.changes("1"))
    assert patience.waiting() == {7}

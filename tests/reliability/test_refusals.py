"""What Discord refuses silences no game: whoever is in turn is asked, what is refused is said more plainly, somebody hears of it."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import discord
import pytest

from bot.commands.discord.bot import add_commands
from bot.commands.discord.interactions import failure_kinds, with_permission_check
from bot.commands.discord.interactions.failure_kinds import FailureKind, failure_kind_of, send_first_accepted
from bot.commands.discord.interactions.responses import respond
from bot.commands.discord.message_slots import AGAIN, NO_BUTTONS, NO_WORDS
from bot.commands.discord.slash.command_tree import EVERYWHERE
from bot.commands.discord.tree import Tree, refused_field
from bot.engine import GameId, PersonId
from bot.ops.rate_limit import RateLimiter
from bot.service.game_service import GameService
from bot.service.sessions.at_work import MOST_AT_WORK
from bot.store import Store
from bot.titles.registry import TITLES
from tests.discord_double.double import Double
from tests.discord_double.faults import FOREVER, Fault
from tests.families import few
from tests.reliability.table import BLANK_BOT, Table

INVALID_FORM = 50035

WAITING = "SELECT count(*) FROM outbox WHERE posted_at IS NULL"


@pytest.mark.parametrize(
    ("status", "code", "via", "verdict"),
    [
        (401, 0, True, FailureKind.DOWN),
        (403, 0, False, FailureKind.DOWN),
        (404, 0, True, FailureKind.DOWN),
        (429, 0, False, FailureKind.DOWN),
        (500, 0, True, FailureKind.DOWN),
        (503, 50013, True, FailureKind.DOWN),
        (403, 40333, True, FailureKind.DOWN),
        (429, 0, True, FailureKind.LATER),
        (429, 30046, False, FailureKind.LATER),
        (400, 0, True, FailureKind.REFUSED),
        (413, 0, False, FailureKind.REFUSED),
        (400, INVALID_FORM, True, FailureKind.REFUSED),
        (403, 50007, True, FailureKind.REFUSED),
        (403, 50013, True, FailureKind.CLOSED),
        (404, 10003, True, FailureKind.CLOSED),
        (400, 160006, True, FailureKind.CLOSED),
    ],
)
def test_an_answer_without_a_code_says_nothing_about_what_was_asked_for(
    status: int, code: int, via: bool, verdict: FailureKind
) -> None:
    response: Any = SimpleNamespace(status=status, reason="", headers={"Via": "1.1 google"} if via else {})
    assert failure_kind_of(discord.HTTPException(response, {"code": code, "message": ""})) is verdict
    if not code:
        assert failure_kind_of(discord.HTTPException(response, "<html>")) is verdict


def test_what_is_no_answer_is_an_outage() -> None:
    assert failure_kind_of(TimeoutError()) is failure_kind_of(ConnectionResetError()) is FailureKind.DOWN


async def test_a_record_that_is_refused_is_told_in_plain_words_and_everybody_is_asked(table: Table) -> None:
    await table.open()
    await table.double.idle()
    faults = table.double.faults
    # Neither the record that stands may be changed, nor a new one be sent as a record.
    faults.fail(f"PATCH /channels/{table.thread.id}/messages/*", 400, times=99, code=INVALID_FORM)
    old = table.boards()[0]
    await table.move(0)
    await table.wait(lambda: table.pings(table.double.bob), "Bob's question")
    await table.wait(lambda: table.boards("buys P1") and old.deleted, "a new record")
    faults.pending.clear()
    faults.fail(f"PATCH /channels/{table.thread.id}/messages/*", 400, times=2, code=INVALID_FORM, delay=1.0)
    await table.move(1)
    await table.wait(lambda: table.pings(table.double.cid), "Cid's question")
    faults.fail(f"POST /channels/{table.thread.id}/messages", 400, times=2, code=INVALID_FORM)
    await table.wait(lambda: NO_BUTTONS in "".join(one.text for one in table.boards("buys P2")), "plain words")
    (plain,) = table.boards("buys P2")
    assert not plain.buttons and not plain.attachments
    await table.wait(lambda: table.pings(table.double.cid), "Cid's question")
    assert table.rows("SELECT count(*) FROM failures") == [(0,)]


@pytest.mark.parametrize("what", few(["buttons", "words"], 1))
async def test_a_question_that_is_refused_is_asked_more_plainly(table: Table, what: str) -> None:
    await table.open()
    await table.double.idle()
    many = {"buttons": 1, "words": 2}[what]
    table.double.faults.fail(f"POST /channels/{table.thread.id}/messages", 400, times=many, code=INVALID_FORM)
    await table.move(0)
    await table.wait(lambda: table.pings(table.double.bob), "Bob's question")
    (asked,) = table.pings(table.double.bob)
    assert asked.mentions == [table.double.bob.account]
    assert not asked.buttons
    assert (NO_BUTTONS in asked.text) == (what == "buttons")
    assert asked.text.endswith(NO_WORDS.format(game=1)) == (what == "words")


async def test_after_some_refusals_the_game_goes_on_and_its_moderator_hears_of_it_once(table: Table) -> None:
    double = table.double
    await table.open()
    await double.idle()
    double.expect("is set aside after 3 tries")
    double.faults.fail(f"PATCH /channels/{table.thread.id}/messages/*", 400, times=999, code=INVALID_FORM)
    double.faults.fail(f"POST /channels/{table.thread.id}/messages", 400, times=999, code=INVALID_FORM)
    await table.move(0)
    await double.wait_message(double.ann.dm, "Game 1 in")
    await table.wait(
        lambda: table.rows("SELECT count(*) FROM outbox WHERE posted_at IS NULL") == [(0,)], "no more tries"
    )
    assert table.rows("SELECT queue, key, game, set_aside_at IS NOT NULL FROM failures") == [("outbox", "1", 1, 1)]
    await table.move(1)
    await table.wait(lambda: table.rows("SELECT count(*) FROM outbox WHERE posted_at IS NULL") == [(0,)], "none either")
    double.faults.pending.clear()
    await table.move(2)
    await table.wait(lambda: table.pings(double.ann), "it works again")
    for piece in ("buys P1", "buys P2", "buys P3"):
        await table.wait(partial(table.boards, piece), piece)
        assert len(table.boards(piece)) == 1
    await table.wait(lambda: table.rows("SELECT count(*) FROM failures") == [(0,)], "forgotten")
    assert len([message for message in double.ann.dm.messages if "is stuck" in message.content]) == 1


@pytest.mark.whole
async def test_a_moderator_without_direct_messages_hears_of_it_in_the_channel(table: Table) -> None:
    double = table.double
    await table.open()
    await double.idle()
    double.ann.account.takes_dms = False
    double.expect("403 50007")
    double.expect("is set aside after 3 tries")
    double.faults.fail(f"POST /channels/{table.thread.id}/messages", 400, times=9, code=INVALID_FORM)
    await table.move(0)
    told = await double.wait_message(table.thread, "Game 1 in")
    assert told.mentions == [double.ann.account] and "is stuck" in told.content


@pytest.mark.parametrize("code", few([160006, 30033], 0))
async def test_where_no_thread_can_be_opened_the_game_is_played_in_the_channel(table: Table, code: int) -> None:
    double = table.double
    double.faults.fail("POST /channels/*/threads", 400, times=9, code=code)
    double.faults.fail("POST /channels/*/messages/*/threads", 400, times=9, code=code)
    table.home = double.channel
    await table.open()
    assert len(table.boards("as many open threads as Discord allows")) == 1
    await table.moved(0)


async def test_where_no_post_can_be_opened_that_is_said_at_once(table: Table) -> None:
    double = table.double
    forum = double.add_forum("18xx")
    double.faults.fail("POST /channels/*/threads", 400, times=9, code=160006)
    reply = await double.ann.slash("game new", double.channel, title="1848", forum=forum)
    assert "as many open threads as Discord allows" in reply.text


@pytest.mark.parametrize(("status", "form"), few([(401, "json"), (403, "html"), (404, "html"), (429, "html")], 2))
async def test_an_answer_without_a_code_says_nothing_of_a_place_or_a_message(
    table: Table, status: int, form: Literal["json", "html"]
) -> None:
    double = table.double
    await table.open()
    await double.idle()
    for route in ("POST /channels/*/messages", "PATCH /channels/*/messages/*"):
        double.faults.fail(route, status, form=form)
    await table.moved(0)
    await table.wait(lambda: table.pings(double.bob), "Bob's question")
    assert table.pings(double.bob)[0].buttons and table.boards("buys P1")[0].buttons
    assert not [message for message in (double.ann.dm.messages if double.ann.dm else []) if "Game 1" in message.content]
    assert table.rows("SELECT trouble FROM places") == [(None,)]


@pytest.mark.whole
async def test_a_question_that_was_lost_and_deleted_is_asked_anew(table: Table) -> None:
    double = table.double
    await table.open()
    await double.idle()
    double.expect("404 10008")
    double.faults.lose_answer(f"POST /channels/{table.thread.id}/messages")
    double.faults.fail(f"GET /channels/{table.thread.id}/messages", 503)
    await table.move(0)
    lost = await table.wait(lambda: table.pings(double.bob), "Bob's question")
    double.messages.delete(lost[0])
    await table.wait(lambda: [one for one in table.pings(double.bob) if not one.deleted], "another question")
    await table.moved(1)


async def test_where_the_bot_is_not_no_command_is_obeyed() -> None:
    said: list[str] = []

    async def nothing(person: str) -> str:
        return ""

    async def answer(text: str, ephemeral: bool) -> None:
        said.append(text)

    languages = SimpleNamespace(chosen_language=nothing)
    client = SimpleNamespace(
        get_guild=lambda guild: None, is_elsewhere=lambda guild: False, tables=SimpleNamespace(languages=languages)
    )
    interaction: Any = SimpleNamespace(
        type=discord.InteractionType.application_command,
        client=client,
        guild_id=7,
        user=SimpleNamespace(id=1),
        locale="en-US",
        response=SimpleNamespace(send_message=answer),
    )
    tree: Any = None
    assert not await Tree.interaction_check(tree, interaction)
    assert "I am not in this server" in said[0]


async def test_a_button_that_fails_leaves_nobody_waiting() -> None:
    said: list[str] = []

    class Broken:
        async def callback(self, interaction: object) -> None:
            raise ValueError("broken")

    async def answer(content: str) -> None:
        said.append(content)

    item: Any = Broken
    interaction: Any = SimpleNamespace(
        response=SimpleNamespace(is_done=lambda: True), edit_original_response=answer, client=None
    )
    await with_permission_check(item)().callback(interaction)
    assert said == ["Something went wrong; nothing was changed. The error is logged."]


async def test_of_one_persons_requests_few_are_worked_on_at_once() -> None:
    async def nothing(*_: object, **__: object) -> str:
        return ""

    languages = SimpleNamespace(chosen_language=nothing)
    client = SimpleNamespace(doorman=RateLimiter(0), tables=SimpleNamespace(languages=languages))
    at_work, most, go = Counter[int](), Counter[int](), asyncio.Event()

    async def ask(user: int) -> None:
        interaction: Any = SimpleNamespace(
            client=client,
            user=SimpleNamespace(id=user),
            locale="en-US",
            created_at=datetime.now(UTC),
            response=SimpleNamespace(defer=nothing),
        )
        async with respond(interaction):
            at_work[user] += 1
            most[user] = max(most[user], at_work[user])
            await go.wait()
            at_work[user] -= 1

    asked = [asyncio.create_task(ask(user)) for user in [1] * 30 + [2, 3]]
    await asyncio.sleep(0.05)
    assert at_work == {1: MOST_AT_WORK, 2: 1, 3: 1}
    go.set()
    await asyncio.gather(*asked)
    assert most == {1: MOST_AT_WORK, 2: 1, 3: 1}


def test_commands_are_for_servers_and_for_messages_to_the_bot() -> None:
    client = discord.Client(intents=discord.Intents.none())
    tree = Tree(client, allowed_installs=discord.app_commands.AppInstallationType(guild=True, user=False))  # type: ignore[type-var]
    add_commands(tree)
    payload = {command.name: command.to_dict(tree) for command in tree.get_commands()}
    assert {tuple(one["integration_types"]) for one in payload.values()} == {(0,)}
    everywhere = {name for name, one in payload.items() if one["contexts"] == [0, 1]}
    assert everywhere == EVERYWHERE
    assert {name for name, one in payload.items() if one["contexts"] == [0]} == {
        *("rematch", "game", "season", "moderate", "lesson", "puzzle", "follow", "export"),
    }


def test_a_refused_registration_is_told_in_one_short_line() -> None:
    response: Any = SimpleNamespace(status=400, reason="", headers={})
    faults = {"_errors": [{"code": "X", "message": "Must be 100 or fewer in length. " * 20}]}
    errors = {"1": {"options": {"0": {"name": faults, "description": faults}}}}
    error = discord.HTTPException(response, {"code": 50035, "message": "Invalid Form Body", "errors": errors})
    commands: Any = [SimpleNamespace(name="game"), SimpleNamespace(name="move")]
    line = refused_field(error, commands)
    assert line.startswith("400 50035: /move options.0.name: Must be 100") and len(line) < 200
    assert "\n" not in line and "(1/2)" in line


async def test_an_answer_that_is_refused_is_given_without_pictures_and_buttons(table: Table) -> None:
    double = table.double
    await table.open()
    double.faults.fail("PATCH /webhooks/*", 400, code=INVALID_FORM)
    reply = await table.move(0)
    assert "Ann buys P1" in reply.text and not reply.buttons


@pytest.mark.parametrize(("code", "asked"), [(INVALID_FORM, 2), (10008, 1), (50007, 1), (50001, 1), (50013, 1)])
async def test_only_what_is_about_the_words_is_said_more_plainly(code: int, asked: int) -> None:
    response: Any = SimpleNamespace(status=400 if code == INVALID_FORM else 403, reason="", headers={})
    count = 0

    async def refuse() -> None:
        nonlocal count
        count += 1
        raise discord.HTTPException(response, {"code": code, "message": ""})

    with pytest.raises(discord.HTTPException):
        await send_first_accepted([refuse, refuse])
    assert count == asked


async def test_a_request_without_an_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failure_kinds, "ANSWERING_SECONDS", 0.05)
    with pytest.raises(TimeoutError) as silence:
        await asyncio.wait_for(send_first_accepted([partial(asyncio.sleep, 60)]), 5)
    assert failure_kind_of(silence.value) is FailureKind.DOWN


@pytest.mark.whole
async def test_one_servers_limit_on_threads_holds_up_no_other_one(table: Table) -> None:
    double = table.double
    double.faults.slow(f"POST /channels/{double.channel.id}/messages/*", 15.0)
    lobby = await double.ann.slash("game new", double.channel, title="1848")
    for person in (double.bob, double.cid):
        await person.click(lobby.message, "Join")
    waiting = asyncio.create_task(double.ann.slash("game start", double.channel, order="list", wait=60))
    await table.wait(lambda: not double.faults.pending, "a thread that is opened late")
    _, channel = double.add_guild("Another Club")
    other = await double.ann.slash("game new", channel, title="1848")
    for person in (double.bob, double.cid):
        await person.click(other.message, "Join")
    began = time.monotonic()
    assert "begun" in (await double.ann.slash("game start", channel, order="list")).text
    assert time.monotonic() - began < 12 and not waiting.done()
    assert "begun" in (await waiting).text


@pytest.mark.whole
async def test_tags_that_may_not_be_changed_now_keep_nobody_waiting(table: Table) -> None:
    double = table.double
    await table.open(double.add_forum("18xx", "Recruiting", "Playing", "Paused"))
    await double.idle()
    double.faults.slow(f"PATCH /channels/{table.thread.id}", 100.0)
    await double.ann.slash("moderate status", table.thread, status="paused")
    await table.wait(lambda: not double.faults.pending, "the tags")
    await double.ann.slash("moderate status", table.thread, status="running")
    began = time.monotonic()
    await table.moved(0)
    await table.wait(lambda: table.pings(double.bob), "Bob's question")
    assert time.monotonic() - began < 20


@pytest.mark.whole
async def test_a_record_that_is_too_old_to_be_changed_keeps_nobody_waiting(table: Table) -> None:
    double = table.double
    await table.open()
    await double.idle()
    old = table.boards()[0]
    double.faults.add(Fault(f"PATCH /channels/*/messages/{old.id}", FOREVER, 429, 30046, retry_after=20.0))
    table.write("UPDATE posts SET made_at = made_at - 4000")
    await table.move(0)
    await table.wait(lambda: table.pings(double.bob), "Bob's question")
    assert not table.boards("buys P1")
    began = time.monotonic()
    await table.move(1)
    await table.wait(lambda: table.pings(double.cid), "Cid's question")
    assert time.monotonic() - began < 12
    await table.wait(lambda: table.boards("buys P2") and old.deleted, "a new record in its place")
    assert len(table.boards("buys P1")) == 1


@pytest.mark.parametrize("haste", [{"SIGNALBOX_DOUBLE_PATIENCE": "1"}], ids=["hasty"])
@pytest.mark.whole
async def test_a_limit_on_the_whole_bot_ends_though_the_request_that_met_it_was_given_up(table: Table) -> None:
    double = table.double
    await table.open()
    await double.idle()
    # The record may be changed for 4 s; the limit says 5.
    double.faults.rate_limit(f"PATCH /channels/{table.thread.id}/messages/*", 5.0, is_global=True)
    await table.move(0)
    await table.wait(lambda: table.boards("buys P1"), "a new record")
    began = time.monotonic()
    await table.moved(1)
    await table.wait(lambda: table.pings(double.cid), "Cid's question")
    assert time.monotonic() - began < 30
    assert table.rows("SELECT count(*) FROM failures") == [(0,)]


@pytest.mark.whole
async def test_what_goes_wrong_while_the_moderator_is_told_of_one_game_holds_up_no_other_one(table: Table) -> None:
    double = table.double
    await table.open()
    _, channel = double.add_guild("Another Club")
    other = await double.ann.slash("game new", channel, title="1848")
    for person in (double.bob, double.cid):
        await person.click(other.message, "Join")
    await double.ann.slash("game start", channel, order="list")
    there = await table.wait(lambda: double.threads[-1] if double.threads[-1].messages else None, "another game")
    await double.idle()
    closed = table.thread if table.thread is not there else double.threads[0]
    for route in (f"POST /channels/{closed.id}/messages", f"PATCH /channels/{closed.id}/messages/*"):
        double.faults.fail(route, 403, FOREVER, 50001)
    # The line is cut whenever the moderator is to hear of it.
    cut = double.faults.lose_answer("POST /users/@me/channels", FOREVER)
    await double.ann.slash("move", closed, move="buy P1")
    await table.bot.logged("posting will be tried again")
    double.faults.slow(f"POST /channels/{there.id}/messages", 3.0)
    await double.ann.slash("move", there, move="buy P1")
    await table.wait(lambda: [m for m in there.messages if m.text.startswith(double.bob.mention)], "Bob's question")
    double.faults.pending.remove(cut)
    await double.wait_message(double.ann.dm, "Game 1 continues")


async def test_a_server_of_which_discord_has_not_told_yet_holds_up_no_other_one(table: Table) -> None:
    double = table.double
    await table.open()
    thread = table.thread
    _, channel = double.add_guild("Another Club")
    lobby = await double.ann.slash("game new", channel, title="1848")
    for person in (double.bob, double.cid):
        await person.click(lobby.message, "Join")
    await double.ann.slash("game start", channel, order="list")
    there = double.threads[-1] if double.threads[-1] is not thread else double.threads[0]
    await table.wait(lambda: [m for m in there.messages if m.text.startswith(double.ann.mention)], "Ann's question")
    await double.idle()
    await table.bot.kill()
    table.write("UPDATE clocks SET due_at = 1, since = since - 86400")
    double.gateway.unavailable = {double.guild.id}
    written = await double.ann.say(thread, "buy P1", mention_bot=True)
    await table.bot.start()
    await table.wait(lambda: [m for m in there.messages if "Reminder" in m.text], "a reminder elsewhere")
    await double.ann.slash("move", there, move="buy P1")
    await table.wait(lambda: [m for m in there.messages if m.text.startswith(double.bob.mention)], "Bob's question")
    double.gateway.unavailable.clear()
    double.gateway.dispatch("GUILD_CREATE", double.payloads.guild(double.guild), 1)
    await table.wait(lambda: written.reactions, "what was written while the bot was away")
    assert table.rows("SELECT trouble FROM places WHERE trouble IS NOT NULL") == []


async def test_an_answered_question_that_may_not_be_deleted_goes_later(table: Table) -> None:
    double = table.double
    await table.open()
    await double.idle()
    asked = table.pings(double.ann)[0]
    double.faults.fail(f"DELETE /channels/{table.thread.id}/messages/{asked.id}", 400, code=INVALID_FORM)
    await table.moved(0)
    await table.wait(lambda: not double.faults.pending, "a refusal")
    await table.moved(1)
    await table.wait(lambda: asked.deleted, "the question to go")


async def test_a_message_that_may_not_be_deleted_is_kept_in_mind_for_a_day(table: Table) -> None:
    double = table.double
    await table.open()
    await double.idle()
    asked = table.pings(double.ann)[0]
    route = f"DELETE /channels/{table.thread.id}/messages/{asked.id}"
    double.faults.fail(route, 400, FOREVER, code=INVALID_FORM)
    kept = f"SELECT count(*) FROM posts WHERE slot = 'gone:{asked.id}'"
    for number, hours, left in ((0, 0, 1), (1, 23, 1), (2, 2, 0)):
        table.write(f"UPDATE posts SET made_at = made_at - {hours * 3600} WHERE slot LIKE 'gone:%'")
        tried = len(double.calls)
        await table.moved(number)
        await table.wait(lambda: table.rows(WAITING) == [(0,)], "silence")
        assert route in map(str, double.calls[tried:]) and table.rows(kept) == [(left,)]


@pytest.mark.parametrize("haste", [{"SIGNALBOX_DOUBLE_SWEEP": "0.5"}], ids=["hasty"])
async def test_a_message_that_may_not_be_deleted_is_forgotten_where_nothing_follows(table: Table) -> None:
    double = table.double
    await table.open()
    await double.idle()
    asked = table.pings(double.ann)[0]
    double.faults.fail(f"DELETE /channels/{table.thread.id}/messages/{asked.id}", 400, FOREVER, code=INVALID_FORM)
    await table.moved(0)
    await table.wait(lambda: table.rows(WAITING) == [(0,)], "silence")
    kept = "SELECT count(*) FROM posts WHERE slot LIKE 'gone:%'"
    assert table.rows(kept) == [(1,)]
    table.write("UPDATE posts SET made_at = made_at - 90000 WHERE slot LIKE 'gone:%'")
    await table.wait(lambda: table.rows(kept) == [(0,)], "the row to go")


@pytest.mark.parametrize("history", few(["read", "refused", "empty", "refused, and forgotten"], 0, 3))
async def test_a_lost_question_that_was_answered_is_deleted(table: Table, history: str) -> None:
    double = table.double
    await table.open()
    await table.wait(lambda: table.rows(WAITING) == [(0,)], "silence")
    await table.bot.kill()
    table.write("UPDATE posts SET message = NULL, digest = '' WHERE slot = 'ping:1'")
    (lost,) = table.pings(double.ann)
    seen = f"GET /channels/{table.thread.id}/messages"
    if history == "empty":
        double.forbid(double.channel, "read_message_history")
    elif history != "read":
        double.faults.fail(seen, 403, FOREVER, 50001)
    if "forgotten" in history:
        double.forget_nonces()
    await table.bot.start()
    await table.moved(0)
    await table.wait(lambda: table.rows(WAITING) == [(0,)], "silence")
    assert lost.deleted == ("forgotten" not in history)
    assert table.rows("SELECT count(*) FROM posts WHERE slot LIKE 'gone:%'") == [(0,)]
    assert [ping for ping in table.pings() if ping is not lost] == table.pings(double.bob)
    assert not [message for message in table.posts() if message.text == "…"]


@pytest.mark.parametrize("history", few(["read", "refused"], 1))
async def test_a_record_whose_sending_was_cut_off_shows_what_was_saved_meanwhile(table: Table, history: str) -> None:
    """Its row is of an earlier position than the one that is shown now."""
    await table.open()
    await table.wait(lambda: table.rows(WAITING) == [(0,)], "silence")
    await table.bot.kill()
    (cut_off,) = table.boards("1848 Australia begins")
    table.write(
        "UPDATE posts SET message = NULL, digest = '' WHERE slot = 'record:0'",
        "UPDATE outbox SET posted_at = NULL WHERE kind = 'board'",
    )
    if history == "refused":
        table.double.faults.fail(f"GET /channels/{table.thread.id}/messages", 403, FOREVER, 50001)
    store = await Store.open(table.place)
    try:
        await GameService(store, TITLES).moves.submit(GameId(1), PersonId(f"discord:{table.double.ann.id}"), "buy P1")
    finally:
        await store.close()
    await table.bot.start()
    await table.wait(lambda: table.boards("buys P1"), "the move in the record")
    await table.wait(lambda: table.rows(WAITING) == [(0,)], "silence")
    assert table.boards() == [cut_off]


async def test_a_lost_question_goes_when_its_player_is_asked_again(table: Table) -> None:
    double = table.double
    await table.open()
    await table.wait(lambda: table.rows(WAITING) == [(0,)], "silence")
    await table.bot.kill()
    # It was asked at an earlier position, so its buttons are others.
    (lost,) = table.pings(double.ann)
    for part in lost.components:
        for button in part["components"]:
            button["custom_id"] = button["custom_id"].replace("turn:0", "turn:7")
    table.write(
        "UPDATE posts SET message = NULL, digest = '' WHERE slot = 'ping:1'",
        "UPDATE clocks SET due_at = 1, since = since - 86400",
    )
    await table.bot.start()
    await table.wait(lambda: lost.deleted, "the lost question to go")
    assert "Reminder" in table.pings(double.ann)[0].text and len(table.pings()) == 1


async def test_where_nothing_may_be_looked_for_a_message_is_sent_again_under_its_nonce(table: Table) -> None:
    double = table.double
    await table.open()
    await double.idle()
    double.faults.fail(f"GET /channels/{table.thread.id}/messages", 403, FOREVER, 50001)
    double.faults.lose_answer(f"POST /channels/{table.thread.id}/messages")
    await table.moved(0)
    await table.wait(lambda: table.rows("SELECT count(*) FROM posts WHERE message IS NULL") == [(0,)], "an answer")
    (asked,) = table.pings(double.bob)
    assert not asked.text.startswith(AGAIN)
    assert [call.form.get("nonce") for call in double.calls if call.body].count(asked.nonce) == 2


@pytest.mark.whole
async def test_where_nothing_may_be_looked_for_a_lost_question_is_not_asked_twice(table: Table) -> None:
    double = table.double
    await table.open()
    await double.idle()
    faults = double.faults
    faults.fail(f"GET /channels/{table.thread.id}/messages", 403, FOREVER, 50013)
    faults.lose_answer(f"POST /channels/{table.thread.id}/messages")
    is_question = lambda call: "allowed_mentions" in call.body and call.body.get("allowed_mentions", {}).get("users")  # noqa: E731
    again = faults.fail(f"POST /channels/{table.thread.id}/messages", 503, FOREVER, when=is_question)
    await table.move(0)
    await table.wait(lambda: table.pings(double.bob), "Bob's question")
    await table.bot.logged("Discord is down, posting waits")
    # He is asked anew, while it is not known whether he was asked.
    table.write("UPDATE clocks SET due_at = 1, since = since - 86400")
    await table.bot.terminate()
    table.write("UPDATE outbox SET posted_at = 1, reference = 'lost' WHERE kind = 'turn' AND posted_at IS NULL")
    faults.pending.remove(again)
    await table.bot.start()
    await table.wait(lambda: [ping for ping in table.pings(double.bob) if "Reminder" in ping.text], "the reminder")
    await double.idle()
    assert len(table.pings(double.bob)) == 1


@pytest.mark.whole
async def test_what_fails_for_hours_while_discord_works_is_said_more_plainly(double: Double, tmp_path: Path) -> None:
    bot = await double.launch(BLANK_BOT, data=tmp_path, environment={"SIGNALBOX_DOUBLE_PATIENCE": "1"})
    table = Table(double, bot, tmp_path)
    await table.open()
    await double.idle()
    old = table.boards()[0]
    double.faults.fail(f"PATCH /channels/{table.thread.id}/messages/{old.id}", 503, FOREVER)
    await table.move(0)
    await table.wait(lambda: table.pings(double.bob), "Bob's question")
    await table.wait(lambda: table.rows("SELECT key FROM failures") == [("-1",)], "a note of it")
    assert not table.boards("buys P1")
    table.write("UPDATE failures SET first_at = first_at - 7300")
    await table.wait(lambda: table.boards("buys P1"), "a new record")
    await table.wait(lambda: table.rows("SELECT count(*) FROM failures") == [(0,)], "forgotten")
    assert not [message for message in (double.ann.dm.messages if double.ann.dm else []) if "stuck" in message.text]


@pytest.mark.whole
async def test_an_answer_that_is_no_answer_is_an_outage(table: Table) -> None:
    double = table.double
    await table.open()
    await double.idle()
    double.faults.add(Fault(f"POST /channels/{table.thread.id}/messages", 3, 200, form="html"))
    await table.moved(0)
    await table.wait(lambda: table.pings(double.bob), "Bob's question")
    assert table.rows("SELECT count(*) FROM failures WHERE set_aside_at IS NOT NULL") == [(0,)]


@pytest.mark.whole
async def test_who_is_to_mend_a_place_hears_of_it_once_also_after_a_restart(table: Table) -> None:
    double = table.double
    double.ann.account.takes_dms = False
    double.expect("403 50007")
    for route in ("POST /channels/*/threads", "POST /channels/*/messages/*/threads"):
        double.faults.fail(route, 404, FOREVER, code=10003)
    lobby = await double.ann.slash("game new", double.channel, title="1848")
    for person in (double.bob, double.cid):
        await person.click(lobby.message, "Join")
    await double.ann.slash("game start", double.channel, order="list")
    # Ann, who moderates it, takes no direct messages: somebody else hears of it.
    await double.wait_message(double.bob.dm, "Game 1 continues")
    await table.bot.terminate()
    await table.bot.start()
    await table.wait(lambda: table.rows("SELECT tries FROM failures") == [(2,)], "another try")
    await double.idle()
    assert len([message for message in double.bob.dm.messages if "Game 1 continues" in message.text]) == 1

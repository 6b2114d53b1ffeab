"""The emulator of Discord is itself tested, with a small bot that runs on the real discord.py."""

from __future__ import annotations

import asyncio
import io
import os
import subprocess
import sys
from pathlib import Path

import discord
import pytest

from tests.discord_double import sample_bot
from tests.discord_double.client_commands import ClientRefuses
from tests.discord_double.double import Double
from tests.discord_double.errors import ApiError
from tests.discord_double.fixtures import double as double
from tests.discord_double.launcher import BotProcess
from tests.discord_double.limits import check_callback, check_message, check_thread
from tests.discord_double.limits_commands import check_commands, is_command_name
from tests.discord_double.nursery import REPOSITORY, fork
from tests.discord_double.openapi import load_oracle
from tests.discord_double.user import Unanswered

SAMPLE = str(Path(sample_bot.__file__))


async def start(double: Double, **environment: str) -> BotProcess:
    """The sample bot as a process."""
    return await double.launch(SAMPLE, environment=environment)


# -- what users do and see ----------------------------------------------------------------------------


async def test_a_command_is_deferred_then_answered_with_a_picture_and_a_button(double: Double) -> None:
    await start(double)
    reply = await double.ann.slash("game new", double.channel, title="1848", pace="fast play")
    assert reply.text == "1848 for 3, fast" and not reply.ephemeral
    assert [(file.filename, file.alt, file.data) for file in reply.files] == [
        ("map.png", "Map of 1848", sample_bot.PIXEL)
    ]
    assert double.channel.messages == [reply.message]
    counted = await double.bob.click(reply, "count 0")
    assert counted.message is reply.message and reply.text == "count is 1"
    await double.bob.click(reply.message, "count:1")
    assert reply.text == "count is 2"
    with pytest.raises(ClientRefuses):
        await double.bob.click(reply, "count 0")


async def test_completion_and_what_the_client_enforces(double: Double) -> None:
    async with double.in_process(sample_bot.Sample()):
        choices = await double.ann.autocomplete("game new", double.channel, "title", "18B")
        assert [choice.value for choice in choices] == ["18BF"]
        refused = [
            ("game new", {}),
            ("game new", {"title": "1848", "pace": "medium"}),
            ("game new", {"title": "1848", "seats": 8}),
            ("game new", {"title": "1848", "colour": "red"}),
            ("game", {"title": "1848"}),
            ("game old", {}),
            ("gone", {}),
        ]
        for command, options in refused:
            with pytest.raises(ClientRefuses):
                await double.ann.slash(command, double.channel, **options)
        with pytest.raises(ClientRefuses, match="direct messages"):
            await double.ann.slash("game new", double.ann.dm, title="1848")
        with pytest.raises(ClientRefuses):
            await double.ann.say(double.channel, "x" * 2001)


async def test_select_form_and_ephemeral_answers(double: Double) -> None:
    async with double.in_process(sample_bot.Sample()):
        asked = await double.ann.slash("ask", double.channel)
        assert (await double.ann.select(asked, "18GB")).text == "chosen: 18GB"
        form = await double.ann.click(asked, "Write a note")
        assert form.modal["title"] == "A note"
        for fields in ({"Note": ""}, {"Note": "x" * 101}, {"Other": "x"}):
            with pytest.raises(ClientRefuses):
                await double.ann.submit_modal(form, fields)
        noted = await double.ann.submit_modal(form, Note="buy VR")
        assert noted.text == "noted: buy VR" and noted.ephemeral
        assert noted.message not in double.channel.messages
        assert noted.message.is_seen_by(double.ann.account) and not noted.message.is_seen_by(double.bob.account)


async def test_direct_messages_and_their_refusal(double: Double) -> None:
    async with double.in_process(sample_bot.Sample()):
        assert (await double.ann.slash("secret", double.channel)).text == "sent"
        assert [message.content for message in double.ann.dm.messages] == ["psst"]
        double.bob.refuse_dms()
        assert (await double.bob.slash("secret", double.channel)).text == "refused: 50007"
        assert (await double.bob.slash("secret", double.bob.dm)).text == "refused: 50007"


async def test_threads_pings_followups_and_permissions(double: Double) -> None:
    async with double.in_process(sample_bot.Sample()):
        reply = await double.ann.slash("thread", double.channel, name="Game 7", person=double.bob)
        (thread,) = double.threads
        assert thread.name == "Game 7" and reply.text == f"opened <#{thread.id}>"
        welcome = await double.wait_message(thread, "welcome")
        assert double.bob.pings == [welcome] and double.ann.pings == []
        await double.ann.say(thread, "hello", mention_bot=True)
        await double.wait_message(thread, "hello", after=welcome)
        double.forbid(double.channel, "create_public_threads")
        double.expect("log: .*thread")
        double.expect("unanswered: command /thread")
        with pytest.raises(Unanswered):
            await double.ann.slash("thread", double.channel, name="Game 8", wait=0.3)


async def test_text_is_read_only_where_discord_shows_it(double: Double) -> None:
    async with double.in_process(sample_bot.Sample()):
        await double.ann.say(double.channel, "plain")
        blind = await double.wait_message(double.channel, "heard 'nothing'")
        assert blind.reply_to is not None and blind.reply_to.content == "plain" and not double.ann.pings
        await double.ann.say(double.channel, "one", mention_bot=True)
        await double.ann.say(double.channel, "two", reply_to=blind)
        await double.ann.say(double.ann.dm, "three")
        await double.wait_message(double.channel, "one")
        await double.wait_message(double.channel, "two")
        await double.wait_message(double.ann.dm, "three")


@pytest.mark.whole
async def test_text_is_read_everywhere_with_the_intent_and_refused_without_the_grant(double: Double) -> None:
    bot = await start(double, DISCORD_MESSAGE_CONTENT="1")
    await double.ann.say(double.channel, "plain")
    await double.wait_message(double.channel, "plain")
    assert await bot.terminate() == 0
    double.gateway.grants_content = False
    for problem in ("log: Traceback", "bot: ended by itself"):
        double.expect(problem)
    double.expect("log: .*Unclosed client session", optional=True)
    other = await double.launch(SAMPLE, environment={"DISCORD_MESSAGE_CONTENT": "1"}, wait=False)
    await other.logged("PrivilegedIntentsRequired")
    await double.until(lambda: not other.is_running)


async def test_files_go_to_the_bot_and_nobody_is_pinged_by_accident(double: Double) -> None:
    async with double.in_process(sample_bot.Sample()):
        reply = await double.ann.slash("load", double.channel, file=("game.json", b"{}"))
        assert reply.text == "game.json: 2 bytes, @everyone"
        assert not reply.message.pings_everyone and 0 < reply.interaction.seconds < 3
        await double.ann.say(double.channel, "@everyone look", mention_bot=True, files=[("a.png", sample_bot.PIXEL)])
        assert double.channel.messages[-1].pings_everyone
        heard = await double.wait_message(double.channel, "heard")
        assert heard.reply_to is not None and heard.reply_to.attachments[0].content_type == "image/png"


async def test_archived_threads_servers_left_and_people_gone(double: Double) -> None:
    async with double.in_process(sample_bot.Sample()) as client:
        await double.ann.slash("thread", double.channel, name="Game 7")
        (thread,) = double.threads
        welcome = await double.wait_message(thread, "welcome")
        double.archive(thread)
        place = await client.fetch_channel(thread.id)
        assert isinstance(place, discord.Thread) and place.archived
        double.expect("400 50083")
        with pytest.raises(discord.HTTPException):
            await (await place.fetch_message(welcome.id)).edit(content="changed")
        await place.send("awake")
        assert not thread.archived
        double.delete_channel(thread)
        await double.until(lambda: client.get_channel(thread.id) is None)
        with pytest.raises(discord.NotFound):
            await place.send("nobody hears")
        double.expect("404 10003")
        guild, channel = double.add_guild("Other Club")
        await double.until(lambda: len(client.guilds) == 2)
        double.remove_bot(guild)
        await double.until(lambda: len(client.guilds) == 1)
        with pytest.raises(discord.Forbidden):
            await client.fetch_channel(channel.id)
        with pytest.raises(ClientRefuses, match="not in this server"):
            await double.ann.slash("ask", channel)
        double.remove_user(double.dora)
        guild.members.pop(double.dora.id)
        with pytest.raises(discord.Forbidden) as refused:
            await (await client.fetch_user(double.dora.id)).send("hello")
        assert refused.value.code == 50278


async def test_heartbeats_are_acknowledged(double: Double) -> None:
    double.gateway.heartbeat_ms = 100
    async with double.in_process(sample_bot.Sample()) as client:
        await asyncio.sleep(0.3)
        assert 0.01 < client.latency < 0.1


async def test_every_other_route_answers_as_discord_py_and_the_schema_want_it(double: Double) -> None:
    async with double.in_process(sample_bot.Sample()) as client:
        channel = await client.fetch_channel(double.channel.id)
        assert isinstance(channel, discord.TextChannel)
        async with channel.typing():
            message = await channel.send("first", file=discord.File(io.BytesIO(b"1"), "a.txt", description="one"))
        await message.add_reaction("\N{THUMBS UP SIGN}")
        await message.edit(
            content="second", attachments=[message.attachments[0], discord.File(io.BytesIO(b"2"), "b.txt")]
        )
        await message.pin()
        assert [pinned.id async for pinned in channel.pins()] == [message.id]
        fetched = await channel.fetch_message(message.id)
        assert [(file.filename, file.description) for file in fetched.attachments] == [
            ("a.txt", "one"),
            ("b.txt", None),
        ]
        assert fetched.reactions[0].me and fetched.edited_at is not None
        await message.unpin()
        await message.remove_reaction("\N{THUMBS UP SIGN}", client.user)
        history = [each.content async for each in channel.history(limit=10)]
        assert history[-1] == "second"
        thread = await message.create_thread(name="on a message", auto_archive_duration=60)
        assert thread.id == message.id
        private = await channel.create_thread(name="hidden")
        assert private.is_private()
        await private.add_user(discord.Object(double.bob.id))
        assert {member.id for member in await private.fetch_members()} == {client.user.id, double.bob.id}
        await private.edit(archived=True, name="done")
        await thread.leave()
        await thread.join()
        guild = await client.fetch_guild(double.guild.id)
        assert (await guild.fetch_member(double.cid.id)).name == "cid" and len(await guild.fetch_channels()) == 1
        assert len(await guild.active_threads()) == 1
        commands = await client.tree.fetch_commands()
        assert len(await client.tree.sync(guild=guild)) == 0
        await commands[0].delete()
        await message.delete()
        with pytest.raises(discord.NotFound):
            await message.edit(content="gone")
        double.expect("404 10008")


async def test_components_of_the_second_version_and_labels_in_forms(double: Double) -> None:
    async with double.in_process(sample_bot.Sample()):
        reply = await double.ann.slash("layout", double.channel)
        assert reply.text == "Top\nBeside" and [button.label for button in reply.buttons] == ["Open"]
        form = await double.ann.click(reply, "Open")
        with pytest.raises(ClientRefuses):
            await double.ann.submit_modal(form, {"Pace": "never"})
        sent = await double.ann.submit_modal(form, {"Pace": "fast", "Rival": double.bob, "Why": "for fun"})
        assert sent.text == "fast bob for fun" and sent.ephemeral
        await double.until(lambda: sent.followups and sent.followups[0].deleted)
        assert sent.followups[0].text == "and more"


# -- bad days -----------------------------------------------------------------------------------------


async def test_a_dropped_socket_is_resumed_and_what_was_missed_is_replayed(double: Double) -> None:
    await start(double)
    double.gateway.drop()
    reply = await double.ann.slash("game new", double.channel, title="1848")
    assert reply.text == "1848 for 3, slow"
    first, second = double.gateway.connections
    assert (first.began, second.began, second.path) == ("identify", "resume", "/gateway/resume")
    assert second.replayed == 1
    double.gateway.ask_reconnect()
    await double.until(lambda: [each.began for each in double.gateway.connections[2:]] == ["resume"])


async def test_an_invalid_session_is_identified_anew(double: Double) -> None:
    await start(double)
    double.gateway.invalidate()
    await double.until(lambda: [each.began for each in double.gateway.connections] == ["identify", "identify"])
    assert (await double.ann.slash("game new", double.channel, title="1848")).text.startswith("1848")


@pytest.mark.whole
async def test_rate_limits_and_server_errors_are_tried_again(double: Double) -> None:
    async with double.in_process(sample_bot.Sample()):
        double.faults.rate_limit("PATCH /webhooks/*", retry_after=0.05, times=2)
        await double.ann.slash("game new", double.channel, title="1848")
        assert double.count("^PATCH /webhooks/") == 3
        double.faults.fail("POST /channels/*/messages", 502)
        await double.ann.say(double.channel, "again", mention_bot=True)
        await double.wait_message(double.channel, "again")
        await double.idle()
        assert double.count("POST /channels/.*/messages") == 2


@pytest.mark.whole
async def test_more_than_fifty_requests_a_second_are_slowed_down(double: Double) -> None:
    async with double.in_process(sample_bot.Sample()) as client:
        channel = client.get_channel(double.channel.id)
        assert isinstance(channel, discord.TextChannel)
        await asyncio.gather(*(channel.send(str(number)) for number in range(55)))
        assert double.rate_limited and len(double.channel.messages) == 55


async def test_a_lost_answer_has_been_written_and_a_nonce_prevents_the_double(double: Double) -> None:
    async with double.in_process(sample_bot.Sample()) as client:
        channel = client.get_channel(double.channel.id)
        assert isinstance(channel, discord.TextChannel)
        double.faults.lose_answer("POST /channels/*/messages")
        with pytest.raises((discord.DiscordException, OSError, discord.http.aiohttp.ClientError)):
            await channel.send("once", nonce="7")
        assert [message.content for message in double.channel.messages] == ["once"]
        assert (await channel.send("once", nonce="7")).id == double.channel.messages[0].id
        assert len(double.channel.messages) == 1


async def test_unavailable_slow_and_too_late(double: Double) -> None:
    async with double.in_process(sample_bot.Sample()) as client:
        channel = client.get_channel(double.channel.id)
        assert isinstance(channel, discord.TextChannel)
        double.faults.fail("POST /channels/*/messages", 503)
        with pytest.raises(discord.DiscordServerError):
            await channel.send("lost")
        double.faults.slow("POST /channels/*/messages", 0.2)
        before = asyncio.get_running_loop().time()
        await channel.send("late")
        assert asyncio.get_running_loop().time() - before >= 0.2
        double.interactions.deadline = 0.1
        double.faults.slow("POST /interactions/*", 0.3)
        for problem in ("unanswered", "404 10062", "log: .*secret", "404 10015"):
            double.expect(problem, optional=problem in ("404 10015",))
        with pytest.raises(Unanswered, match="did not respond"):
            await double.ann.slash("secret", double.channel)
        await double.until(lambda: any("log:" in problem for problem in double.problems))


@pytest.mark.whole
async def test_killed_and_started_again_old_buttons_still_work(double: Double) -> None:
    bot = await start(double)
    reply = await double.ann.slash("game new", double.channel, title="1848")
    first = bot.pid
    await bot.kill()
    assert double.gateway.live is None
    double.interactions.deadline = 0.1
    double.expect("unanswered: component count 0")
    with pytest.raises(Unanswered):
        await double.ann.click(reply, "count 0")
    double.interactions.deadline = 3.0
    await bot.start()
    assert bot.pid != first and bot.starts == 2 and bot.resident_mb() > 10
    assert (await double.ann.click(reply, "count 0")).text == "count is 1"
    assert len(double.world.commands[None]) == 7 and double.world.commands_created == 7
    await bot.restart()
    assert (await double.ann.click(reply, "count 1")).text == "count is 2"


async def test_tokens_of_interactions_run_out(double: Double) -> None:
    async with double.in_process(sample_bot.Sample()) as client:
        held: list[discord.Interaction] = []
        client.on_interaction = _keeper(held)  # type: ignore[attr-defined]
        await double.ann.slash("ask", double.channel)
        await double.until(lambda: held)
        double.expire_tokens()
        double.expect("401 50027")
        with pytest.raises(discord.HTTPException):
            await held[0].edit_original_response(content="too late")


def _keeper(held: list[discord.Interaction]):  # type: ignore[no-untyped-def]
    async def on_interaction(interaction: discord.Interaction) -> None:
        held.append(interaction)

    return on_interaction


# -- oracles ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "answer", "problem"),
    [
        ("long", "400 50035", "400 50035 POST /interactions"),
        ("twice", "400 40060", "400 40060"),
        ("ids", "400 50035", "custom_id 'same' stands 2 times"),
        ("route", "404 0", "unknown route: GET /no/such/place"),
    ],
)
async def test_the_oracles_catch_what_the_bot_does_wrong(double: Double, how: str, answer: str, problem: str) -> None:
    async with double.in_process(sample_bot.Sample()):
        double.expect(problem)
        reply = await double.ann.slash("wrong", double.channel, how=how)
        await double.until(lambda: reply.text == answer)


async def test_a_completion_of_26_choices_is_refused(double: Double) -> None:
    async with double.in_process(sample_bot.Sample()):
        double.interactions.deadline = 0.5
        double.expect("400 50035 POST /interactions")
        double.expect("unanswered: autocomplete")
        double.expect("log: ", optional=True)
        with pytest.raises(Unanswered):
            await double.ann.autocomplete("game new", double.channel, "title", "many")


async def test_the_verdict_names_every_problem_and_every_expectation_not_met() -> None:
    double = Double()
    await double.start()
    await start(double)
    double.interactions.deadline = 0.5
    with pytest.raises(Unanswered):
        await double.ann.slash("wrong", double.channel, how="log", wait=0.5)
    double.expect("never comes")
    with pytest.raises(AssertionError) as verdict:
        await double.close()
    for part in ("unanswered: command /wrong", "log: Traceback", "provoked", "did not come: never comes"):
        assert part in str(verdict.value)


BUTTON = {"type": 2, "style": 1, "label": "a", "custom_id": "a"}


@pytest.mark.parametrize(
    "body",
    [
        {"content": ""},
        {"content": "x" * 2001},
        {"content": "x", "nonce": "1" * 26},
        {"content": "x", "flags": 64},
        {"embeds": [{"description": "x" * 4097}]},
        {"embeds": [{"description": "x" * 3001}] * 2},
        {"embeds": [{"fields": [{"name": "a", "value": ""}]}]},
        {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        {"content": "x", "components": [{"type": 1, "components": [BUTTON] * 2}]},
        {"content": "x", "components": [{"type": 1, "components": [BUTTON | {"custom_id": str(n)} for n in range(6)]}]},
        {"content": "x", "components": [{"type": 1, "components": [BUTTON | {"custom_id": "x" * 101}]}]},
        {"content": "x", "components": [{"type": 1, "components": [BUTTON | {"label": "x" * 81}]}]},
        {"content": "x", "components": [{"type": 10, "content": "text"}]},
        {"content": "x", "components": [{"type": 1, "components": [{"type": 3, "custom_id": "s", "options": []}]}]},
        {"flags": 1 << 15, "content": "x", "components": [{"type": 10, "content": "text"}]},
        {"flags": 1 << 15, "components": [{"type": 10, "content": "x" * 2001}, {"type": 10, "content": "x" * 2000}]},
        {"content": "x", "attachments": [{"id": 0, "filename": "a.png"}]},
        {"content": "x", "embeds": [{"image": {"url": "attachment://none.png"}}]},
    ],
)
def test_messages_beyond_a_limit(body: dict[str, object]) -> None:
    with pytest.raises(ApiError) as refused:
        check_message(body, [])
    assert refused.value.status == 400


def test_messages_within_the_limits() -> None:
    rows = [{"type": 1, "components": [BUTTON | {"custom_id": f"{row}{n}"} for n in range(5)]} for row in range(5)]
    check_message({"content": "x" * 2000, "components": rows}, [])
    check_message({"flags": 1 << 15, "components": [{"type": 10, "content": "x" * 4000}]}, [])


def test_commands_names_threads_and_forms() -> None:
    assert (
        is_command_name("lay-tile_2")
        and is_command_name("über")
        and not is_command_name("Lay")
        and not is_command_name("a b")
    )
    option = {"type": 3, "name": "a", "description": "a"}
    good = {"name": "move", "description": "a", "options": [option | {"required": True}, option | {"name": "b"}]}
    check_commands([good])
    branches = [{"type": 1, "name": f"n{n}", "description": "a"} for n in range(26)]
    choices = [{"name": str(n), "value": str(n)} for n in range(26)]
    long = [{"type": 3, "name": f"o{n}", "description": "x" * 100, "choices": choices[:25]} for n in range(25)]
    wrong = [
        [good, good],
        [good | {"options": branches}],
        [good | {"options": [option, option | {"name": "b", "required": True}]}],
        [good | {"options": [option | {"choices": choices}]}],
        [good | {"options": [entry | {"choices": [c | {"name": "x" * 90} for c in choices[:25]]} for entry in long]}],
        [good | {"description": ""}],
        [good | {"name": f"c{n}"} for n in range(101)],
    ]
    for commands in wrong:
        with pytest.raises(ApiError):
            check_commands(commands)
    for body in ({"name": ""}, {"name": "x" * 101}, {"name": "x", "auto_archive_duration": 61}):
        with pytest.raises(ApiError):
            check_thread(body)
    field = {"type": 4, "style": 1, "label": "x" * 46, "custom_id": "f"}
    modal = {"custom_id": "m", "title": "t", "components": [{"type": 1, "components": [field]}]}
    for data in (modal, modal | {"title": "x" * 46}, modal | {"components": []}):
        with pytest.raises(ApiError):
            check_callback({"type": 9, "data": data}, [], "command", None)
    with pytest.raises(ApiError):
        check_callback({"type": 9, "data": modal}, [], "modal", None)


HASTY = """
import socket
from multiprocessing import forkserver, get_context, util

util.abstract_sockets_supported = False
context = get_context("forkserver")
context.set_forkserver_preload(["tests.discord_double.steadfast"])
for times in (1, 2):
    process = context.Process(target=int)
    process.start()
    process.join()
    print(process.exitcode)
    hasty = socket.socket(socket.AF_UNIX)
    hasty.connect(forkserver._forkserver._forkserver_address)
    hasty.close()
    forkserver._forkserver.ensure_running = lambda: None
"""


def test_the_server_of_helpers_outlives_a_bot_that_is_killed_while_it_asks_for_one() -> None:
    done = subprocess.run([sys.executable, "-c", HASTY], capture_output=True, text=True, timeout=300, cwd=REPOSITORY)
    assert (done.stdout.split(), done.stderr) == (["0", "0"], "")


ASKING = """
import os
from multiprocessing import resource_tracker

tracker = resource_tracker._resource_tracker
print(os.path.exists(f"/proc/self/fd/{tracker.getfd()}"), tracker._pid)
"""


async def test_a_forked_bot_uses_the_tracker_of_the_nursery_and_does_not_wait_for_its_end(tmp_path: Path) -> None:
    script = tmp_path / "asking.py"
    script.write_text(ASKING)
    forked = await fork([str(script)], os.environ | {"SIGNALBOX_DOUBLE": "http://nowhere"})
    said, errors = await forked.stdout.read(), await forked.stderr.read()
    assert (await forked.wait(), said.decode().split(), errors.decode()) == (0, ["True", "None"], "")


def test_an_absent_openapi_file_is_loudly_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SIGNALBOX_SHARED", str(tmp_path))
    with pytest.warns(UserWarning, match="NO OPENAPI FILE"):
        assert load_oracle.__wrapped__() is None


@pytest.mark.skipif(load_oracle() is None, reason="Discord's OpenAPI file is not beside the project")
def test_the_second_oracle_judges_forms_that_the_first_does_not_know() -> None:
    oracle = load_oracle()
    assert oracle is not None
    oracle.check_request("POST", "/channels/1/messages", {"content": "x", "tts": False})
    for body in ({"content": 7}, {"attachments": [{"id": "x"}]}, {"message_reference": {"message_id": "abc"}}):
        with pytest.raises(ApiError, match="create_message"):
            oracle.check_request("POST", "/channels/1/messages", body)
    with pytest.raises(ApiError, match="not in Discord's"):
        oracle.check_request("POST", "/channels/1/nothing", {})

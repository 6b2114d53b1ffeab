"""What the emulator of Discord does on a bad day, as the real discord.py sees it."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
import pytest_asyncio

from tests.discord_double import sample_bot
from tests.discord_double.buckets import Bucket
from tests.discord_double.client_commands import ClientRefuses
from tests.discord_double.double import Double
from tests.discord_double.fixtures import double as double
from tests.discord_double.gateway import SILENT, Connection
from tests.discord_double.starvation import seconds_between, waits_of
from tests.discord_double.user import Unanswered
from tests.families import few

MESSAGES = "POST /channels/*/messages"


@pytest_asyncio.fixture
async def channel(double: Double) -> AsyncIterator[discord.TextChannel]:
    """The text channel, as a bot inside the test has it."""
    async with double.in_process(sample_bot.Sample()) as client:
        found = client.get_channel(double.channel.id)
        assert isinstance(found, discord.TextChannel)
        yield found


class Picture(discord.ui.LayoutView):
    """A message of the second version with one picture in it."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.add_item(discord.ui.TextDisplay("See:"))
        self.add_item(discord.ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{name}")))


def picture(name: str) -> discord.File:
    """A file for it."""
    return discord.File(io.BytesIO(sample_bot.PIXEL), name)


# -- refusals -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "code", "form", "seen"),
    [
        (400, 50035, "json", "Invalid Form Body"),
        (400, 160006, "json", "Maximum number of active threads"),
        (401, 0, "json", "401"),
        (401, 0, "bare", "401"),
        (403, 50001, "json", "Missing Access"),
        (403, 0, "html", "Access denied"),
        (404, 0, "bare", "404"),
    ],
)
async def test_refusals_with_a_code_without_and_as_a_page(
    double: Double, channel: discord.TextChannel, status: int, code: int, form: Any, seen: str
) -> None:
    double.faults.fail(MESSAGES, status, code=code, form=form)
    with pytest.raises(discord.HTTPException, match=seen) as refused:
        await channel.send("x")
    assert (refused.value.status, refused.value.code) == (status, code)
    assert ("Via" in refused.value.response.headers) == (form != "html")
    assert ("code" in double.calls[-1].answer) == (form == "json")
    assert (await channel.send("y")).content == "y" and len(double.channel.messages) == 1


async def test_only_what_is_meant_is_refused_until_all_is_well_again(
    double: Double, channel: discord.TextChannel
) -> None:
    double.faults.fail(
        "POST /channels/{channel}/messages", 400, float("inf"), 50035, when=lambda call: bool(call.uploads)
    )
    await channel.send("plain")
    for _ in range(2):
        with pytest.raises(discord.HTTPException):
            await channel.send("with a file", file=picture("a.png"))
    double.faults.lift()
    await channel.send("with a file", file=picture("a.png"))


async def test_a_ban_is_a_page_that_discord_did_not_write(double: Double, channel: discord.TextChannel) -> None:
    double.faults.ban()
    with pytest.raises(discord.HTTPException) as refused:
        await channel.send("x")
    assert (refused.value.status, refused.value.code) == (429, 0)
    assert "cloudflare" in refused.value.text.lower() and "Via" not in refused.value.response.headers
    double.faults.lift()
    await channel.send("x")


async def test_a_limit_is_waited_for_where_discord_itself_says_so(double: Double, channel: discord.TextChannel) -> None:
    double.faults.rate_limit(MESSAGES, 0.1)
    await channel.send("later")
    double.faults.rate_limit(MESSAGES, 0.1, has_via=False)
    with pytest.raises(discord.HTTPException, match="429"):
        await channel.send("never")
    assert [message.content for message in double.channel.messages] == ["later"]


@pytest.mark.parametrize("is_heard", [False, True])
async def test_silence_lasts_until_it_is_lifted(double: Double, channel: discord.TextChannel, is_heard: bool) -> None:
    double.faults.silence(MESSAGES, is_heard=is_heard)
    sending = asyncio.create_task(channel.send("x", nonce="7"))
    await double.until(lambda: double.count(MESSAGES.replace("*", ".*")), 10)
    await asyncio.sleep(0.2)
    assert not sending.done() and len(double.channel.messages) == is_heard
    double.faults.lift()
    with pytest.raises(aiohttp.ClientError):
        await sending
    await channel.send("x", nonce="7")
    assert len(double.channel.messages) == 1


# -- limits -------------------------------------------------------------------------------------------


async def test_each_channel_has_a_bucket_of_its_own(double: Double, channel: discord.TextChannel) -> None:
    other_one = double.add_channel("other")
    await double.until(lambda: channel.guild.get_channel(other_one.id), 10)
    other = channel.guild.get_channel(other_one.id)
    assert isinstance(other, discord.TextChannel)
    double.buckets.limit("POST /channels/{channel}/messages", 2, 1.0)
    begun = asyncio.get_running_loop().time()
    await channel.send("1")
    sending = asyncio.create_task(channel.send("2"))
    await other.send("1")
    assert asyncio.get_running_loop().time() - begun < 0.9, "the other channel's limit is not this one's"
    await sending
    await channel.send("3")
    assert asyncio.get_running_loop().time() - begun > 0.9
    async with aiohttp.ClientSession(headers={"Authorization": f"Bot {channel._state.http.token}"}) as session:
        for status in (200, 429):
            answer = await session.post(
                f"{double.url}/api/v10/channels/{channel.id}/messages",
                data='{"content": "4"}',
                headers={"Content-Type": "application/json"},
            )
            told = await answer.json()
            assert (answer.status, answer.headers["X-RateLimit-Remaining"]) == (status, "0")
        assert 0 < told["retry_after"] <= 1 and "code" not in told and answer.headers["X-RateLimit-Scope"] == "user"


def test_a_bucket_counts_each_place_and_begins_anew_after_its_time() -> None:
    time = [10.0]
    bucket = Bucket(2, 5.0, clock=lambda: time[0])
    assert [bucket.wait("a"), bucket.wait("a"), bucket.wait("a"), bucket.wait("b")] == [0, 0, 5, 0]
    time[0] += 3
    assert (bucket.wait("a"), bucket.state("a")) == (2, (2, 2))
    time[0] += 2
    assert (bucket.wait("a"), bucket.state("a")) == (0, (5, 1))


async def test_old_messages_are_edited_seldom(double: Double, channel: discord.TextChannel) -> None:
    message = await channel.send("0")
    double.old_edits = Bucket(1, 0.4)
    for number in range(3):
        await message.edit(content=f"young {number}")
    double.pass_time()
    await message.edit(content="old 1")
    double.expect("429 30046")
    begun = asyncio.get_running_loop().time()
    await message.edit(content="old 2")
    assert asyncio.get_running_loop().time() - begun > 0.2
    assert [call.answer["code"] for call in double.calls if call.status == 429] == [30046]


async def test_a_server_has_so_many_open_threads_and_a_thread_so_many_people(
    double: Double, channel: discord.TextChannel
) -> None:
    double.guild.most_threads, double.guild.most_participants = 1, 1
    forum = channel.guild.get_channel(double.add_forum("18xx").id)
    thread = await channel.create_thread(name="one", type=discord.ChannelType.public_thread)
    message = await channel.send("two")
    await double.until(lambda: len(channel.guild.channels) == 2, 10)
    forum = next(each for each in channel.guild.channels if isinstance(each, discord.ForumChannel))
    for opening in (
        channel.create_thread(name="two", type=discord.ChannelType.public_thread),
        message.create_thread(name="two"),
        forum.create_thread(name="two", content="two"),
    ):
        with pytest.raises(discord.HTTPException) as refused:
            await opening
        assert (refused.value.status, refused.value.code) == (400, 160006)
    with pytest.raises(discord.HTTPException) as refused:
        await thread.add_user(discord.Object(double.bob.id))
    assert (refused.value.status, refused.value.code) == (400, 30033)
    await thread.edit(archived=True)
    await message.create_thread(name="two")
    with pytest.raises(discord.HTTPException, match="160006"):
        await thread.edit(archived=False)
    double.expect("400 160006")
    double.expect("400 30033")


async def test_the_nonce_of_a_message_that_was_deleted_is_not_used_again(
    double: Double, channel: discord.TextChannel
) -> None:
    message = await channel.send("once", nonce="7")
    await message.delete()
    double.expect("404 10008")
    with pytest.raises(discord.NotFound) as refused:
        await channel.send("once", nonce="7")
    assert refused.value.code == 10008 and not double.channel.messages
    double.forget_nonces()
    await channel.send("once", nonce="7")


# -- messages, people ---------------------------------------------------------------------------------


async def test_pictures_in_components_are_no_attachments_and_an_upload_takes_their_place(
    double: Double, channel: discord.TextChannel
) -> None:
    message = await channel.send(view=Picture("a.png"), file=picture("a.png"))
    assert message.attachments == [] and [file.filename for file in double.channel.messages[0].attachments] == ["a.png"]
    await message.edit(view=Picture("b.png"), attachments=[picture("b.png")])
    assert [file.filename for file in double.channel.messages[0].attachments] == ["b.png"]
    plain = await channel.send("plain", file=picture("a.png"))
    assert [file.filename for file in plain.attachments] == ["a.png"]


async def test_everybody_has_their_own_language_and_permissions(double: Double, channel: discord.TextChannel) -> None:
    told: list[tuple[str, str, bool]] = []

    async def on_interaction(interaction: discord.Interaction) -> None:
        told.append(
            (str(interaction.locale), str(interaction.guild_locale), interaction.permissions.manage_threads),
        )

    channel._state._get_client().on_interaction = on_interaction  # type: ignore[attr-defined]
    double.bob.account.locale, double.guild.locale = "de", "fr"
    double.guild.moderators.add(double.cid.id)
    double.forbid_user(double.dora, double.channel, "manage_threads")
    double.guild.moderators.add(double.dora.id)
    for user in (double.ann, double.bob, double.cid, double.dora):
        await user.slash("ask", double.channel)
    assert told == [("en-US", "fr", True), ("de", "fr", False), ("en-US", "fr", True), ("en-US", "fr", False)]
    double.forbid_user(double.bob, double.channel, "send_messages")
    double.forbid_user(double.cid, double.channel, "view_channel")
    double.forbid_user(double.dora, double.channel, "use_application_commands")
    for refused in (
        double.bob.say(double.channel, "x"),
        double.cid.slash("ask", double.channel),
        double.dora.slash("ask", double.channel),
    ):
        with pytest.raises(ClientRefuses):
            await refused
    await double.ann.say(double.channel, "who owns the server may do everything")


# -- the gateway alone --------------------------------------------------------------------------------


@pytest.mark.parametrize("code", few([503, 4000, SILENT], 0))
async def test_the_gateway_fails_alone(double: Double, code: int) -> None:
    bot = await double.launch(str(Path(sample_bot.__file__)))
    double.gateway.refuse(code)
    double.gateway.drop()
    if code == 503:
        double.expect("log: .*(reconnect|Traceback)")
        await bot.logged("reconnect")
    else:
        await double.until(lambda: len(double.gateway.connections) > 1, 10)
    assert not double.gateway.live and double.gateway.connections[1:2] != [Connection("/gateway/resume", "resume")]
    double.gateway.accept()
    if code == SILENT:
        # discord.py gives up after a minute.
        return
    await double.until(lambda: double.gateway.live, 20)
    assert (await double.ann.slash("ask", double.channel)).text


async def test_http_fails_alone(double: Double, channel: discord.TextChannel) -> None:
    double.is_http_down = True
    with pytest.raises(discord.DiscordServerError):
        await channel.send("x")
    assert double.gateway.live and len(double.gateway.connections) == 1
    double.is_http_down = False
    await channel.send("x")


async def test_a_line_that_dies_without_a_word_is_noticed_by_the_heartbeat(double: Double) -> None:
    double.gateway.heartbeat_ms = 100
    await double.launch(str(Path(sample_bot.__file__)), environment={"SIGNALBOX_DOUBLE_HEARTBEAT": "0.5"})
    double.gateway.freeze()
    reply = await double.ann.slash("ask", double.channel)
    assert reply.text and [each.began for each in double.gateway.connections] == ["identify", "resume"]
    assert double.gateway.connections[-1].replayed == 1


async def test_an_event_that_nobody_can_read(double: Double) -> None:
    bot = await double.launch(str(Path(sample_bot.__file__)))
    double.gateway.garble()
    for problem in ("bot: ended by itself", "log: Traceback"):
        double.expect(problem)
    double.expect("log: ", optional=True)
    await double.until(lambda: not bot.is_running)


# -- three seconds ------------------------------------------------------------------------------------


def test_the_kernel_counts_for_how_long_a_thread_had_no_processor(tmp_path: Path) -> None:
    for thread, waited in (("7", 1_500_000_000), ("8", 250_000_000)):
        (tmp_path / "7" / "task" / thread).mkdir(parents=True)
        (tmp_path / "7" / "task" / thread / "schedstat").write_text(f"99 {waited} 3\n")
    after = waits_of([7, 9], tmp_path)
    assert after == {"7": 1.5, "8": 0.25}
    assert seconds_between({"7": 1.0, "6": 5.0}, after) == 0.75
    assert seconds_between(after, after) == 0.0
    assert waits_of([os.getpid()]) or not Path("/proc/self/schedstat").exists()


@pytest.mark.parametrize(
    ("starved", "seconds", "is_answered"), few([(0.0, 3.5, False), (1.0, 3.5, True), (1.0, 4.5, False)], 0, 1)
)
async def test_a_first_answer_has_three_seconds_in_which_the_bot_could_run(
    double: Double, channel: discord.TextChannel, starved: float, seconds: float, is_answered: bool
) -> None:
    told = iter([{"1": 10.0}])
    double.interactions.waits = lambda: next(told, {"1": 10.0 + starved})
    double.faults.slow("POST /interactions/*", seconds)
    if is_answered:
        assert (await double.ann.slash("ask", double.channel)).text
        return
    for problem in ("unanswered: command /ask of Ann within 3.0 s", "404 100(62|15)", "log: "):
        double.expect(problem)
    with pytest.raises(Unanswered, match="did not respond"):
        await double.ann.slash("ask", double.channel)
    await double.until(lambda: any("log:" in problem for problem in double.problems), 10)

"""`signalbox smoke` against the double; and the double against files that it has written on a real server."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.cli.main import main
from bot.commands.discord.smoke.transcript import Cleaner, RecordedRequest, read_body
from tests.discord_double.double import Double
from tests.discord_double.fixtures import double as double
from tests.discord_double.launcher import BotProcess
from tests.discord_double.replay import differences, replay
from tests.discord_double.server import TOKEN
from tests.families import few

RECORDED = Path(__file__).parent / "data" / "smoke"
FILES = [*RECORDED.glob("*.json"), *map(Path, filter(None, os.environ.get("SIGNALBOX_SMOKE", "").split(":")))]


@pytest_asyncio.fixture
async def server(double: Double) -> AsyncIterator[Double]:
    """A server with a channel and a forum."""
    double.world.add_forum(double.guild, "18xx", ["Playing"])
    yield double


async def tried(double: Double, out: Path, *more: str, code: int = 0) -> BotProcess:
    """A trial, under way."""
    double.expect(f"bot: ended by itself with code {code}", optional=True)
    command = ("-m", "bot", "smoke", "--guild", str(double.guild.id), "--out", str(out), *more)
    return await double.launch(*command, wait=False)


async def ended(double: Double, bot: BotProcess) -> str:
    """What it has printed in the end."""
    await double.until(lambda: not bot.is_running, 120, "its end")
    await bot.finish()
    return "\n".join(bot.lines)


def results(printed: str) -> dict[str, str]:
    """What came of each step."""
    found = re.findall(r"^(\w[\w ]{15})(ok|failed|skipped) ", printed, re.MULTILINE)
    return {name.strip(): result for name, result in found}


def is_clean(double: Double) -> bool:
    """Whether nothing is left of a trial."""
    is_gone = not double.threads and not double.world.commands.get(double.guild.id)
    return is_gone and all(not message.content.startswith("Press") for message in double.channel.messages)


async def test_an_operator_tries_everything_and_nothing_is_left(server: Double, tmp_path: Path) -> None:
    out = tmp_path / "smoke.json"
    server.expect("404 10008")
    bot = await tried(server, out)
    thread = await server.until(
        lambda: next((each for each in server.threads if each.parent is server.channel), None), 60
    )
    asked = await server.wait_message(thread, "Press the button")
    pressed = await server.ann.click(asked, "Press me")
    assert pressed.text == "Pressed."
    await bot.logged("Please type")
    offered = await server.ann.autocomplete("signalbox-smoke", thread, "word", "st")
    assert [choice.value for choice in offered] == ["steam", "coal", "rails"]
    reply = await server.ann.slash("signalbox-smoke", thread, word="steam")
    assert reply.ephemeral and [file.filename for file in reply.files] == ["map.png"]
    printed = await ended(server, bot)
    assert set(results(printed).values()) == {"ok"} and len(results(printed)) == 15, printed
    assert "nothing failed" in printed and is_clean(server)
    text = out.read_text()
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    for secret in (TOKEN, *map(str, server.world.users), *(each.token for each in server.interactions.all)):
        assert secret not in text
    assert not re.search(r"\d{15}|[Ss]ignalbox\"|Ann|Railway|127\.0\.0\.1", text)
    found = await replay(json.loads(text))
    assert found == [], "\n".join(found)


async def test_without_somebody_there_the_rest_is_tried(server: Double, tmp_path: Path) -> None:
    server.expect("404 10008")
    bot = await tried(server, tmp_path / "smoke.json", "--unattended")
    found = results(await ended(server, bot))
    assert [name for name, result in found.items() if result == "skipped"] == ["button", "completion", "late answer"]
    assert "failed" not in found.values() and is_clean(server)


async def test_what_fails_is_said_and_cleaned_up_all_the_same(server: Double, tmp_path: Path) -> None:
    server.faults.fail("PATCH /channels/*/messages/*", 400, code=50035)
    server.expect("404 10008")
    bot = await tried(server, tmp_path / "smoke.json", "--unattended", code=1)
    printed = await ended(server, bot)
    found = results(printed)
    assert [name for name, result in found.items() if result == "failed"] == ["record changed"]
    assert "Discord refuses: 400, code 50035" in printed and "failed: record changed" in printed and is_clean(server)


@pytest.mark.parametrize("number", few([signal.SIGINT, signal.SIGTERM], 1))
async def test_broken_off_it_cleans_up(server: Double, tmp_path: Path, number: int) -> None:
    server.expect("404 10008")
    bot = await tried(server, tmp_path / "smoke.json")
    await bot.logged("Please press")
    await bot.terminate(number=number)
    assert results("\n".join(bot.lines))["clean up"] == "ok" and is_clean(server)
    assert json.loads((tmp_path / "smoke.json").read_text())["exchanges"]


@pytest.mark.whole
async def test_what_is_missing_is_named(server: Double, tmp_path: Path) -> None:
    server.forbid(server.channel, "attach_files", "create_public_threads")
    bot = await tried(server, tmp_path / "smoke.json", "--unattended", code=1)
    printed = await ended(server, bot)
    assert (
        "the channel lacks Create Public Threads, Attach Files" in printed and results(printed)["thread"] == "skipped"
    )
    other = await server.launch(
        "-m", "bot", "smoke", "--guild", "123456789012345678", "--out", str(tmp_path / "b.json"), wait=False
    )
    printed = await ended(server, other)
    assert "the bot is not in the server 123456789012345678" in printed and results(printed)["gateway"] == "failed"


@pytest.mark.whole
async def test_where_threads_cannot_be_removed_they_are_archived(server: Double, tmp_path: Path) -> None:
    server.forbid(server.channel, "manage_threads")
    server.expect("404 10008")
    bot = await tried(server, tmp_path / "smoke.json", "--unattended")
    printed = await ended(server, bot)
    (thread,) = server.threads
    assert thread.archived and results(printed)["clean up"] == "ok", printed
    assert [message.content for message in thread.messages if message.author is server.world.bot] == []


def test_without_a_token_or_with_no_id(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    assert main(["smoke", "--guild", "123456789012345678"]) == 2
    assert "DISCORD_TOKEN is not set" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["smoke", "--guild", "Railway Club"])
    assert "is no id" in capsys.readouterr().err


def test_what_names_people_servers_or_secrets_is_not_written() -> None:
    answer: Any = {
        "id": "123456789012345678",
        "username": "ann",
        "content": "Hello <@123456789012345679>",
        "permissions": "1234567890123456",
        "url": "https://cdn.example/1/2.png?ex=1&is=2&hm=3",
        "timestamp": "2026-11-29T10:00:00.000000+00:00",
        "roles": [123456789012345678],
        "resolved": {"123456789012345679": {"nick": "Annie"}},
        "flags": 64,
        "nonce": "smoke-1",
    }
    cleaner = Cleaner({"123456789012345678": "<guild>"})
    path = "/webhooks/123456789012345678/aW50ZXJhY3Rpb24/messages/@original"
    request = {"nonce": "smoke-1", "content": "Hello <@123456789012345679>"}
    form = cleaner.exchange(RecordedRequest("record", "PATCH", path, {}, request, [], 200, answer))
    assert form["path"] == "/webhooks/<guild>/<token-1>/messages/@original"
    assert form["request"] == {"nonce": "smoke-1", "content": "Hello <@<id-2>>"}
    assert form["answer"] == {
        "id": "<guild>",
        "username": "<text>",
        "content": "<text>",
        "permissions": "<bits>",
        "url": "<address>",
        "timestamp": "<time>",
        "roles": ["<guild>"],
        "resolved": {"<id-2>": {"nick": "<text>"}},
        "flags": 64,
        "nonce": "smoke-1",
    } | {"content": "Hello <@<id-2>>"}
    refused = RecordedRequest(
        "record", "PATCH", path, {}, None, [], 400, {"code": 50035, "message": "Invalid Form Body"}
    )
    assert cleaner.exchange(refused)["answer"] == {"code": 50035, "message": "Invalid Form Body"}


def test_a_request_with_files_is_read() -> None:
    body = (
        b'--x\r\nContent-Disposition: form-data; name="payload_json"\r\n\r\n{"content": "a"}\r\n'
        b'--x\r\nContent-Disposition: form-data; name="files[0]"; filename="map.png"\r\n\r\n12345\r\n--x--\r\n'
    )
    assert read_body(body) == ({"content": "a"}, [{"part": "files[0]", "filename": "map.png", "size": 5}])
    assert read_body(b'{"a": 1}') == ({"a": 1}, []) and read_body(b"") == (None, [])


# -- conformance --------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
async def test_the_double_answers_as_was_recorded(path: Path) -> None:
    assert await replay(json.loads(path.read_text(encoding="utf-8"))) == []


def test_what_is_not_alike_is_named() -> None:
    recorded = {"id": "<id-1>", "flags": 1, "author": {"name": "<text>"}, "files": [{"a": 1}, {"b": None}]}
    assert differences(recorded, {"id": "77", "flags": 5, "author": {"name": "x"}, "files": [{"a": 2, "b": "x"}]}) == []
    assert differences(recorded, {"id": 77, "author": {"name": "x", "nick": None}, "files": []}) == [
        "id: text, the double gives a number",
        "flags: the double lacks it",
        "author.nick: only the double has it",
    ]

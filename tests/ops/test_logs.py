"""Log lines: one a record, with their fields, and no secret in any of them."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Iterator

import pytest

from bot.ops.logs import HIDDEN, set_up

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GhIjKl.abcdefghijklmnopqrstuvwxyz0123456789AB"
ANSWER = "aW50ZXJhY3Rpb246MTIzNDU2Nzg5MDEyMzQ1Njc4OmFiY2RlZmdoaWprbG1ub3A"


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """What the log says; the loggers are put back afterwards."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    yield io.StringIO()
    root.handlers[:] = before
    root.setLevel(level)


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    "line",
    [
        f"logging in using static token {TOKEN}",
        f"POST https://discord.com/api/v10/webhooks/123/{ANSWER}/messages/@original has returned 200",
        f"https://discord.com/api/v10/interactions/123/{ANSWER}/callback",
        f"{{'Authorization': 'Bot {TOKEN}', 'User-Agent': 'x'}}",
        f"payload {{'op': 2, 'd': {{'token': '{ANSWER}', 'properties': {{}}}}}}",
        f"another's token: {TOKEN[::-1].replace('.', 'x')[:24]}.abcdef.{ANSWER[:38]}",
        "the password is swordfish",
    ],
)
def test_secrets_are_taken_out(stream: io.StringIO, form: str, line: str) -> None:
    set_up(form, [TOKEN, "swordfish"], logging.DEBUG, stream)
    log = logging.getLogger("somebody.else")
    log.debug("%s", line)
    log.info("done", extra={"url": line})
    try:
        raise ValueError(line)
    except ValueError:
        log.exception("failed")
    said = stream.getvalue()
    for secret in (TOKEN, ANSWER, ANSWER[:38], "swordfish"):
        assert secret not in said
    assert said.count(HIDDEN) >= 3


def test_what_is_no_secret_stays(stream: io.StringIO) -> None:
    set_up("text", [TOKEN], stream=stream)
    logging.getLogger("signalbox.tables").info("saved", extra={"game": 3, "version": 17, "kind": "move"})
    logging.getLogger("a.b").warning("two\nlines of /webhooks/123 and v1.2.3")
    first, second = stream.getvalue().splitlines()
    assert re.fullmatch(r"\d{4}-\S+Z INFO signalbox\.tables: saved game=3 version=17 kind=move", first)
    assert second.endswith("WARNING a.b: two\\nlines of /webhooks/123 and v1.2.3")


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_text_looks_like_another_line_or_controls_the_terminal(stream: io.StringIO, form: str) -> None:
    set_up(form, [], stream=stream)
    hostile = "\x1b]0;x\x07\x9b2J\u202e\u2028\ud800\n2026-06-01T12:00:00.000Z INFO signalbox.tables: forged"
    log = logging.getLogger("a.b")
    log.warning("%s", hostile, extra={"path": hostile})
    try:
        raise ValueError(hostile)
    except ValueError:
        log.exception("failed")
    said = stream.getvalue()
    assert all(sign.isprintable() for sign in said.replace("\n", ""))
    assert [line for line in said.split("\n") if line.startswith("2026-06-01")] == []


def test_json_lines_are_objects(stream: io.StringIO) -> None:
    set_up("json", [], stream=stream)
    log = logging.getLogger("signalbox.tables")
    log.info('a "quoted" word', extra={"game": 3})
    try:
        raise KeyError("x")
    except KeyError:
        log.exception("bad")
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert (first["message"], first["game"], first["level"]) == ('a "quoted" word', 3, "INFO")
    assert second["error"].endswith("KeyError: 'x'")

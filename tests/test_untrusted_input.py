"""Files of others: what is too much is refused before it costs anything."""

from __future__ import annotations

import codecs
import gzip
import json
import os
import signal
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot import untrusted_input
from bot.cli.main import main
from bot.engine.refusals import IllegalMove
from bot.service.imports.file_io import read_file
from bot.service.imports.formats import import_file, trace_lines
from bot.service.imports.replay_import import replay_of
from bot.service.imports.sandbox_process import LONGEST_SENTENCE, carry_out
from bot.untrusted_input import (
    DEEPEST,
    LARGEST_FILE,
    LONGEST_LINE,
    MOST_VALUES,
    InvalidFile,
    check_json_limits,
    json_depth,
    parse_json_bounded,
    read_bounded,
)
from tests.reliability.hostile import shapes

SHAPES = shapes(2**17)


@pytest.fixture
def time_limit() -> Iterator[None]:
    """Whoever waits for ever ends the tests."""
    signal.alarm(60)
    yield
    signal.alarm(0)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_hostile_file_is_refused_with_a_sentence(shape: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        carry_out(read_file, SHAPES[shape])
    assert 0 < len(str(refused.value)) <= LONGEST_SENTENCE + 1


MANY_LISTS = b"[" + b"[]," * (MOST_VALUES // 2) + b"[]]"


@pytest.mark.parametrize("content", [MANY_LISTS, b"{" + b'"a":{},' * MOST_VALUES + b'"a":0}'])
def test_nothing_is_built_of_what_holds_too_much(content: bytes) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(InvalidFile, match=f"values, more than {MOST_VALUES}"):
            import_file(content, "game.json")
        assert tracemalloc.get_traced_memory()[1] < len(content)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("value", "number", "depth"),
    [([], 1, 1), ([1, 2, 3], 3, 1), ({"a": [1, {}]}, 4, 3), ([[], []], 4, 2), ({'"[[{\\': '\\\\"[{'}, 6, 1), (7, 0, 0)],
)
def test_values_are_counted_and_depth_is_measured(value: object, number: int, depth: int) -> None:
    content = json.dumps(value).encode()
    assert (check_json_limits(content, "it"), json_depth(content)) == (number, depth)


def test_as_deep_as_may_be() -> None:
    def nest(depth: int) -> bytes:
        return b'{"a":[' * (depth // 2) + b'"]]"' + b"]}" * (depth // 2)

    assert parse_json_bounded(nest(DEEPEST), "it")
    with pytest.raises(InvalidFile, match="nested deeper than"):
        parse_json_bounded(nest(DEEPEST + 2), "it")


# -- traces -------------------------------------------------------------------------------------------


def packed(path: Path, *parts: bytes) -> Path:
    """A packed trace of these parts."""
    with gzip.open(path, "wb", compresslevel=1) as file:
        for part in parts:
            file.write(part)
    return path


LINE = b'{"i":1,"d":' + b" " * 1000 + b"{}}\n"
TRACES = {
    "a line that never ends": ([b" " * (LONGEST_LINE // 2)] * 3, "line longer than 1 MB"),
    "many lines": ([LINE] * 2000, "larger than 1 MB when unpacked"),
    "many values": ([b'{"d":[%s0]}\n' % (b"[]," * 1000)] * 3, "6006 values, more than 5000"),
    "no objects": ([b"[1]\n"], "not a trace"),
    "deep": ([b'{"d":' * 200 + b"1" + b"}" * 200 + b"\n"], "nested deeper than"),
}


@pytest.mark.parametrize("kind", TRACES)
def test_a_trace_is_read_so_far_and_no_further(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(untrusted_input, "LARGEST_TRACE", 2**20)
    monkeypatch.setattr(untrusted_input, "MOST_VALUES", 5000)
    parts, sentence = TRACES[kind]
    with pytest.raises(InvalidFile, match=sentence):
        for _ in trace_lines(packed(tmp_path / "t.jsonl.gz", *parts)):
            pass


def test_a_damaged_trace(tmp_path: Path) -> None:
    path = packed(tmp_path / "t.jsonl.gz", b'{"i":1}\n' * 1000)
    content = path.read_bytes()
    for damaged in (content[:-20], content[:20] + b"\xff" * 10 + content[30:], b"{}", b"\x1f\x8b"):
        path.write_bytes(damaged)
        with pytest.raises(InvalidFile, match=r"t\.jsonl\.gz"):
            list(trace_lines(path))


def test_a_file_is_read_so_far_and_no_further(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(untrusted_input, "LARGEST_FILE", 100)
    path = tmp_path / "game.json"
    path.write_bytes(b" " * 100)
    assert len(read_bounded(path)) == 100
    path.write_bytes(b" " * 101)
    with pytest.raises(InvalidFile, match="larger than"):
        read_bounded(path)
    with pytest.raises(InvalidFile, match="cannot be read"):
        read_bounded(Path("/dev/zero/none"))


@pytest.mark.parametrize("read", [read_bounded, lambda path: list(trace_lines(path))])
def test_pipes_and_devices_are_no_files_and_are_not_waited_for(
    tmp_path: Path, read: Callable[[Path], object], time_limit: None
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    for path in (tmp_path / "pipe", tmp_path / "link", tmp_path, Path("/dev/zero")):
        with pytest.raises(InvalidFile, match="cannot be read"):
            read(path)


@pytest.mark.parametrize(
    "command", ["replay {}", "render {} --out there", "routes {} --at 1", "export {}", "import {}"]
)
def test_every_command_refuses_what_holds_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    monkeypatch.setenv("SIGNALBOX_DATA", str(tmp_path))
    path = tmp_path / "game.json"
    path.write_bytes(MANY_LISTS)
    assert main(command.format(path).split()) == 2
    assert "values, more than" in capsys.readouterr().err


GAME = json.dumps(
    {"title": "1848", "players": ["Ann 🚂", "Bob"], "seed": 7, "moves": ["buy P1 \\\\ud83d no escape"]},
    ensure_ascii=False,
)
HALF = GAME.replace("Ann 🚂", r"Ann \ud83d")


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (GAME.encode(), "Ann 🚂"),
        (GAME.encode("utf-8-sig"), "Ann 🚂"),
        (GAME.encode("utf-16"), "Ann 🚂"),
        (codecs.BOM_UTF16_BE + GAME.encode("utf-16-be"), "Ann 🚂"),
        (GAME.encode("utf-16-le"), "Ann 🚂"),
        (GAME.encode("utf-16-be"), "Ann 🚂"),
        (json.dumps(json.loads(GAME)).encode(), "Ann 🚂"),
        (HALF.encode(), "Ann \ufffd"),
        (HALF.replace("d83d", "DE82", 1).encode(), "Ann \ufffd"),
        (HALF.replace("d83d", "d83dx", 1).encode("utf-16"), "Ann \ufffdx"),
        (GAME.replace("🚂", "\ud83d").encode("utf-16-le", "surrogatepass"), "Ann \ufffd"),
        (GAME.replace("🚂", "\ud83d").encode(errors="surrogatepass"), "Ann \ufffd\ufffd\ufffd"),
        (GAME.replace("🚂", "é").encode("latin-1"), "Ann \ufffd"),
    ],
)
def test_text_is_read_as_far_as_it_can_be(content: bytes, name: str, tmp_path: Path) -> None:
    found = parse_json_bounded(content, "it")
    assert found == {**json.loads(GAME), "players": [name, "Bob"]}
    (tmp_path / "trace.jsonl").write_bytes(content)
    assert next(iter(trace_lines(tmp_path / "trace.jsonl"))) == found


CONTROLS = r"\u001b]0;x\u0007\b\f\u009B2J\u007f" + "\x9b1m\x7f"


@pytest.mark.parametrize(
    "file",
    [
        {"title": CONTROLS},
        {"players": [CONTROLS, "B", "C"], "moves": [f"@1 buy {CONTROLS}"]},
        {"options": {CONTROLS: CONTROLS}},
    ],
)
def test_no_refusal_of_a_file_controls_the_terminal_that_shows_it(
    file: dict[str, object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = {"format": "signalbox 1", "title": "1848", "players": ["A", "B", "C"], "moves": []} | file
    content = json.dumps(whole, ensure_ascii=False).replace("\\\\", "\\").encode()
    (tmp_path / "game.json").write_bytes(content)
    with pytest.raises(IllegalMove) as refused:
        replay_of(read_file(content).course, 50)
    assert main(["replay", str(tmp_path / "game.json")]) != 0
    said = capsys.readouterr()
    for text in (str(refused.value), said.out, said.err):
        assert all(sign.isprintable() for line in text.splitlines() for sign in line), ascii(text)


def test_line_breaks_and_backslashes_of_a_file_stay() -> None:
    assert parse_json_bounded(rb'"a\nb\tc\\u001b\\b\"\u00e9"', "it") == 'a\nb\tc\\u001b\\b"é'


def test_text_of_two_bytes_a_sign_is_bounded_as_it_is_read() -> None:
    content = ('"' + "語" * (LARGEST_FILE // 3) + '"').encode("utf-16")
    assert len(content) < LARGEST_FILE
    with pytest.raises(InvalidFile, match="larger than 4 MB"):
        parse_json_bounded(content, "it")


def test_what_is_no_json_is_refused_all_the_same() -> None:
    for content in (b"\xff\xfe", b"\xef\xbb\xbf", rb'{"a": "\ud83d"', b"\x00\x00\x00", b"{\xff}"):
        with pytest.raises(InvalidFile, match="it is not JSON"):
            parse_json_bounded(content, "it")

"""Files of others: read up to a limit, packed or not; and JSON is measured before anything is built of it.

A megabyte of JSON can become a hundred in memory: `[[],[],…]` costs twenty bytes for each list that was sent.
"""

from __future__ import annotations

import codecs
import gzip
import re
import stat
import zlib
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import msgspec

from .engine import LocalisedError

LARGEST_FILE = 4 * 2**20
"""Bytes of a file as sent or stored."""

MOST_MOVES = 20_000
"""Maximum number of moves of a game in our own form."""

LONGEST_MOVE = 2000
"""Maximum number of characters in a move; a run of six trains has about 400."""

LARGEST_TRACE = 32 * 2**20
"""Maximum bytes of an unpacked trace; the longest known trace has half a megabyte."""

LONGEST_LINE = 2**20

MOST_VALUES = 500_000
"""Lists, objects and what is in them, of a file or of all lines of a trace: its commas and opening brackets, also those
in texts. The largest known traces have 50,000, files of games 15,000."""

DEEPEST = 50
"""Maximum nesting of lists and objects; games use five levels."""

STRING_OR_BRACKET = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)
"""A string, or the beginning of a string without an end. It never goes back: the time is that of one look at every
byte."""

ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})"
    rb"|(?P<control>u00(?:0[0-8bBcCeEfF]|1[0-9a-fA-F]|7[fF]|[89][0-9a-fA-F])|[bf])|.)|(?P<raw>\xc2[\x80-\x9f]|\x7f)",
    re.DOTALL,
)
"""Escapes with a backslash in JSON: a sign of two halves, half a sign, a sign that controls terminals, anything else; and such
controls as they are."""

REPLACEMENT = rb"\ufffd"

STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


class InvalidFile(LocalisedError):
    """The file cannot be read as a game; the message says why."""


def read_bounded(path: Path) -> bytes:
    """The bytes of a file.

    :raises InvalidFile: it is missing, no file, or too large.
    """
    content = read_beginning(path, LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise InvalidFile("{path} is larger than {limit} MB", str(path), LARGEST_FILE // 2**20)
    return content


def read_beginning(path: Path, most: int) -> bytes:
    """The first bytes of a file, at most that many.

    :raises InvalidFile: it is missing, or no file.
    """
    try:
        _file_size(path)
        with path.open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise InvalidFile("{path} cannot be read: {error}", str(path), error.strerror or "") from error


def _file_size(path: Path) -> int:
    """:raises InvalidFile: it is no file: nobody might ever write into a pipe, and a device may never end.
    :raises OSError: it is missing.
    """
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise InvalidFile("{path} cannot be read: it is not a file", str(path))
    return found.st_size


def iter_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file, packed (`.gz`) or not.

    :raises InvalidFile: it cannot be read, or it or a line is too long.
    """
    size = 0
    try:
        if _file_size(path) > LARGEST_FILE:
            raise InvalidFile("{path} is larger than {limit} MB", str(path), LARGEST_FILE // 2**20)
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as lines:
            while line := lines.readline(LONGEST_LINE + 1):
                size += len(line)
                if len(line) > LONGEST_LINE:
                    raise InvalidFile("{path} has a line longer than {limit} MB", str(path), LONGEST_LINE // 2**20)
                if size > LARGEST_TRACE:
                    raise InvalidFile(
                        "{path} is larger than {limit} MB when unpacked", str(path), LARGEST_TRACE // 2**20
                    )
                yield line
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidFile("{path} cannot be read: {error}", str(path), str(error)) from error


def parse_json_bounded(content: bytes, name: str) -> Any:
    """The value of JSON text; `name` is how refusals call it. It may begin with a byte order mark, be written in
    UTF-16, and hold invalid signs: in their place stands U+FFFD.

    :raises InvalidFile: it is not JSON, or holds too much.
    """
    text = to_utf8(content, name)
    check_json_limits(text, name)
    try:
        return read_json(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidFile("{name} is not JSON: {error}", name, str(error)) from error


def to_utf8(content: bytes, name: str) -> bytes:
    """The text in UTF-8, without a byte order mark.

    :raises InvalidFile: it is larger so than a file may be.
    """
    begins = content[:2]
    if begins in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        content = content.decode("utf-16", "replace").encode(errors="replace")
    elif len(begins) == 2 and begins.count(0) == 1:
        # JSON begins with a sign of ASCII, of which UTF-16 makes two bytes.
        content = content.decode("utf-16-be" if begins[0] == 0 else "utf-16-le", "replace").encode(errors="replace")
    if len(content) > LARGEST_FILE:
        raise InvalidFile("{name} is larger than {limit} MB", name, LARGEST_FILE // 2**20)
    return content.removeprefix(codecs.BOM_UTF8)


def read_json(text: bytes, kind: Any = Any) -> Any:
    """The value of JSON text in UTF-8; halves of signs, invalid bytes, and what controls terminals become U+FFFD.

    :raises msgspec.DecodeError: it is no JSON, or not of that kind.
    """
    whole = text.decode(errors="replace").encode()
    mended = ESCAPE.sub(lambda found: found[0] if found.lastgroup is None else REPLACEMENT, whole)
    return msgspec.json.decode(mended, type=kind)


def check_json_limits(content: bytes, name: str, before: int = 0) -> int:
    """Look at JSON text without building anything of it. Returns how many values it holds at most, with so many that
    came before.

    :raises InvalidFile: they are too many, or nested too deep.
    """
    number = before + sum(content.count(sign) for sign in (b",", b"[", b"{"))
    if number > MOST_VALUES:
        raise InvalidFile("{name} holds {number} values, more than {limit}", name, number, MOST_VALUES)
    if json_depth(content) > DEEPEST:
        raise InvalidFile("{name} is nested deeper than {limit}", name, DEEPEST)
    return number


def json_depth(content: bytes) -> int:
    steps = (STEPS.get(content[found.start()], 0) for found in STRING_OR_BRACKET.finditer(content))
    return max(accumulate(steps), default=0)

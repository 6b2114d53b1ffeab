"""How much of a letter is looked at. The library that reads letters takes time by the square for some of what they may hold, so
their bytes are counted first, each once."""

from __future__ import annotations

import re
import time
from typing import Literal

from bot.untrusted_input import LARGEST_FILE

MOST_READ = 256 * 1024
"""Maximum number of bytes of a letter that are read: an answer is at its beginning."""

MOST_WITH_FILE = MOST_READ + LARGEST_FILE * 3 // 2
"""Maximum number of bytes of a letter that may bring a file: three bytes are four in a mail, and line ends."""

MOST_ENCODED = 96 * 1024
"""Bytes of each encoded part that are left in the letter: enough for a text."""

LONGEST_HEAD = 32 * 1024
"""Bytes of all headers together; real letters that went through many servers have 15,000."""

LONGEST_FIELD = 4096
"""Bytes of a header that describes a part; file names in other scripts have 1500."""

MOST_BORDERS, MOST_MULTIPARTS = 200, 16
"""Maximum number of lines between parts, and of nested parts."""

BORDER = re.compile(rb"^--", re.M)
MULTIPART = re.compile(rb"multipart/", re.I)
FIELD = re.compile(rb"^content-[a-z-]{1,40}[ \t]*:[^\n]*(?:\n[ \t][^\n]*)*", re.I | re.M)
ENCODED = re.compile(rb"^(?:[A-Za-z0-9+/]{60,998}\n)++[A-Za-z0-9+/=]*+", re.M)
BREAK = re.compile(rb"\r\n?")

NAMED = {
    name: re.compile(rb"^%s[ \t]*:([^\n]{0,2000}(?:\n[ \t][^\n]{0,2000}){0,4})" % name.encode(), re.I | re.M)
    for name in ("from", "to")
}
ADDRESS = re.compile(rb"[!#-'*+./-9=?A-Z^-~-]{1,64}@[A-Za-z0-9.-]{1,255}")


class LetterTooComplex(Exception):
    """A letter is too complex to be read; the text says in what."""


def read_bounded_letter(raw: bytes) -> tuple[bytes, list[bytes]]:
    """The beginning of a letter, up to the part that is read, with plain line ends; and its long encoded parts, each
    whole. Of these the letter holds only the beginnings.

    :raises LetterTooComplex: it holds more than a letter of a person does.
    """
    encoded: list[bytes] = []

    def shorten(found: re.Match[bytes]) -> bytes:
        if len(found[0]) > MOST_ENCODED:
            encoded.append(found[0])
        return found[0][:MOST_ENCODED]

    text = ENCODED.sub(shorten, BREAK.sub(b"\n", raw[:MOST_WITH_FILE]))[:MOST_READ]
    head = text.find(b"\n\n")
    if (len(text) if head < 0 else head) > LONGEST_HEAD:
        raise LetterTooComplex("its headers are too long")
    if is_more(BORDER, text, MOST_BORDERS) or is_more(MULTIPART, text, MOST_MULTIPARTS):
        raise LetterTooComplex("it has too many parts")
    if any(len(field[0]) > LONGEST_FIELD for field in FIELD.finditer(text)):
        raise LetterTooComplex("a header of a part is too long")
    return text, encoded


def is_more(pattern: re.Pattern[bytes], text: bytes, most: int) -> bool:
    return any(number >= most for number, _ in enumerate(pattern.finditer(text)))


def sender_of(raw: bytes) -> str:
    """A letter's apparent sender, so that nobody waits for another's letters; empty where it is not seen at a
    glance. Only for scheduling: nothing trusts it.
    """
    return glimpse(raw, "from")


def glimpse(raw: bytes, header: Literal["from", "to"]) -> str:
    """The last address of a header as it is in the bytes; empty where none is seen."""
    found = NAMED[header].search(BREAK.sub(b"\n", raw[:LONGEST_HEAD]))
    addresses = ADDRESS.findall(found[1]) if found else []
    return addresses[-1].decode().lower() if addresses else ""


COSTLY = 0.25
"""Seconds of work from which on a letter counts as made to be slow."""

MOST_COSTLY, SPAN = 3, 3600.0
"""Number of such letters of a share that are read within that many seconds; the next letters wait, unread."""

MOST_SHARES = 1000


class SlowSenders:
    """Slow letters, by share. Nobody waits for those of others."""

    def __init__(self) -> None:
        self._slow: dict[str, list[float]] = {}

    def note(self, share: str, seconds: float) -> None:
        if seconds >= COSTLY:
            self._slow[share] = [*self._slow.pop(share, [])[1 - MOST_COSTLY :], time.monotonic()]
            while len(self._slow) > MOST_SHARES:
                self._slow.pop(next(iter(self._slow)))

    def remaining_wait(self, share: str) -> float:
        """Seconds until the next letter of that share may be read."""
        slow = self._slow.get(share, [])
        return max(0.0, slow[0] + SPAN - time.monotonic()) if len(slow) == MOST_COSTLY else 0.0

"""What somebody has written himself in an answer: without what he quotes, how his program introduces that, and below what he
is.

Two libraries were tried. quotequail 0.5 leaves introductions that run over two lines, and signatures; mail-parser-reply
1.36 needs over a minute for four thousand letters that were chosen for it. Here every line is looked at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

MOST_LINES = 40
LONGEST = 4000

SEPARATOR = re.compile(r"-{2,3}|_{5,}|-{3,} ?\S.{0,60} ?-{3,}|={5,}")
"""Stands alone before a signature, or before what is quoted: `-- `, `________`, `-----Original Message-----`."""

HEADER = re.compile(r"\*?(From|Von|De|Da|Van|Från|Fra|Od|Lähettäjä):\*? ?\S", re.I)
"""How a quoted letter begins in Outlook."""

INTRODUCTION = re.compile(r"(On|Am|Le|Il|Op|El|Em|Den|Dnia|Pe)\b.{3,300}:?", re.I)
"""How a quotation may be introduced; by this alone nothing is known."""

SENT_FROM = re.compile(
    r"(Sent|Gesendet|Von meinem|Diese Nachricht wurde von|Get Outlook|Holen Sie sich Outlook|Envoy)\b.{0,100}"
    r"(from|mit|von|gesendet|for|für|de|depuis|iPhone|Android)\b.{0,100}",
    re.I,
)
"""What programs write below a letter by themselves."""

BLOCKS = {"p", "div", "br", "li", "tr", "table", "blockquote", "hr", "h1", "h2", "h3", "ul", "ol", "pre"}
UNSEEN = {"style", "script", "head", "title", "blockquote"}
"""Of a quotation nothing is read."""

LONGEST_HTML = 32_000


class TooLong(Exception):
    """More was written than anybody could want done."""


def own_lines(text: str, own_address: str) -> list[str]:
    """The lines that somebody wrote himself, in plain letters, without empty ones.

    :raises TooLong: there are too many of them, or they are too long.
    """
    found: list[str] = []
    for line in _until_quotation(text.splitlines(), own_address.lower()):
        if line:
            found.append(line)
        if len(found) > MOST_LINES or sum(map(len, found)) > LONGEST:
            raise TooLong
    return found


def _until_quotation(lines: list[str], own_address: str) -> Iterator[str]:
    """Lines up to the first that is not the writer's own. How a quotation is introduced is known by the bot's address in it
    or in one of the next two lines, or by the quotation that follows."""
    local, _, domain = own_address.partition("@")
    own = re.compile(rf"{re.escape(local)}(\+[\w-]*)?@{re.escape(domain)}")
    plain = [plain_line(line) for line in lines]
    for number, line in enumerate(plain):
        if line.startswith((">", "|")) or SEPARATOR.fullmatch(line) or HEADER.match(line) or SENT_FROM.fullmatch(line):
            return
        if own.search(line.lower()):
            return
        if INTRODUCTION.fullmatch(line):
            after = [other for other in plain[number + 1 : number + 4] if other][:2]
            if line.endswith(":") or any(own.search(f"{line}{other}".lower()) or other[:1] == ">" for other in after):
                return
        yield line


def plain_line(line: str) -> str:
    """A line with plain blanks and quotation marks, as moves are written; what cannot be seen is left out."""
    line = line[: 2 * LONGEST].translate(PLAIN)
    return " ".join("".join(letter for letter in line if letter.isprintable() or letter == "\t").split())


PLAIN = str.maketrans(
    {
        "\xa0": " ",
        "\u2007": " ",
        "\u202f": " ",
        "\u2018": "'",
        "\u2019": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u201e": '"',
        "\u2013": "-",
        "\u2014": "--",
        "\u200b": None,
        "\u2060": None,
        "\ufeff": None,
    }
)


class _Words(HTMLParser):
    """The words of a page, a line each block."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.unseen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in BLOCKS:
            self.parts.append("\n")
        marks = " ".join(value or "" for name, value in attrs if name in ("class", "id"))
        if (
            tag in UNSEEN
            or (tag == "div" and ("quote" in marks or "divRplyFwdMsg" in marks))
            or (self.unseen and tag == self.unseen[-1])
        ):
            self.unseen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.unseen and tag == self.unseen[-1]:
            self.unseen.pop()
        if tag in BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            self.parts.append(" ".join(data.split()) if data.strip() else " ")


def words_of_page(html: str) -> str:
    """What somebody reads of a page, without quotations."""
    body = html[max(html.lower().find("<body"), 0) :][:LONGEST_HTML]
    words = _Words()
    words.feed(body)
    return "".join(words.parts)

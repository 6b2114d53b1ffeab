"""The own words of a letter's writer: without the mail that the letter quotes, the line that introduces the quotation,
signatures, greetings, and additions of mail programs.

Structure comes before languages. A line ends the writer's words when it is marked as quoted, rules the page off, holds
an address of mail or the bot's name, stands in a block of headers, or has a date and leads to any of these. Lists of
words in several languages serve only what has no structure: `Sent from my phone`, `Cheers, Ann`. A line of the writer's
words counts if a move or command could begin so, even mistyped, or if it is directly below such a line. The words
below a marked quotation count if no move is above it. Every line is looked at a constant number of times.

Two libraries were tried. quotequail 0.5 leaves introductions that run over two lines, and signatures; mail-parser-reply
1.36 needs over a minute for four thousand letters that were chosen for it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from html.parser import HTMLParser

from .mail_lines import LONGEST, LOOKED_AT, MAIL_ADDRESS, MailLine, plain_line
from .phrases import INTRODUCTION

MOST_LINES = 40
ARMOURED = "-----BEGIN PGP "

MOST_LOOKED_AT = 400
"""Maximum number of lines that are looked at, quotations included: nobody writes more of their own."""

MOST_LEFT = 10
"""Maximum number of left-out lines that are named."""

MOST_OF_BANNER = 4
"""Maximum number of lines of a mail server's warning, above a letter from somebody who writes seldom."""

NARROWEST, WIDEST = 64, 80
"""Widths, in characters, between which mail programs break a line."""


class TooLong(Exception):
    """The letter is longer than any request."""


class Encrypted(Exception):
    """Only its writer's key opens the text."""


@dataclass(frozen=True)
class ReplyText:
    """The writer's lines, in plain letters, without empty lines. The first `sure` lines are meant; those below begin
    as moves do and read like sentences. `left` are lines left out that may be meant all the same.
    """

    lines: tuple[str, ...]
    sure: int
    left: tuple[str, ...] = ()

    @property
    def is_talk(self) -> bool:
        """Whether no line begins like a move or a command."""
        return not any(MailLine(line).may_begin_move for line in self.lines)


def reply_lines(text: str, own_address: str, writer: str = "") -> list[str]:
    """The writer's lines, as `extract_reply` finds them.

    :raises TooLong: there are too many of them, or they are too long.
    :raises Encrypted: they cannot be read.
    """
    return list(extract_reply(text, own_address, writer).lines)


def extract_reply(text: str, own_address: str, writer: str = "") -> ReplyText:
    """The reply of the writer, whose name or address is `writer`.

    :raises TooLong: there are too many lines, or they are too long.
    :raises Encrypted: they cannot be read.
    """
    read = strip_armour(text.splitlines())
    own = own_address.lower().partition("@")
    lines = [MailLine(plain_line(line), (own[0], f"@{own[2]}")) for line in read[:MOST_LOOKED_AT]]
    names = _names(writer)
    found, end = _read_reply(lines, names)
    if not _holds_moves(found) and (start := _below_quotation(lines, end)):
        below, end_below = _read_reply(lines[start:], names)
        if _holds_moves(below):
            found, end = below, end_below + start if end_below >= 0 else -1
    if end < 0 and len(read) > MOST_LOOKED_AT and any(map(str.strip, read[MOST_LOOKED_AT:])):
        raise TooLong
    if len(found.lines) > MOST_LINES or sum(map(len, found.lines)) > LONGEST:
        raise TooLong
    return found


def _read_reply(lines: Sequence[MailLine], names: Set[str]) -> tuple[ReplyText, int]:
    """The reply at the top of these lines, and the number of the line above which it ends; -1 where nothing ends it."""
    following = _next_lines(lines)
    written = _ReplyParser()
    end, is_greeting = -1, False
    banner = _banner(lines)
    for number, line in enumerate(lines):
        if not line.text or number < banner:
            written.end_paragraph()
            continue
        after = [lines[other] for other in following[number]]
        is_close = bool(after) and following[number][0] == number + 1
        is_foreign = _is_foreign(line, after, is_close, not written.lines)
        is_greeting = not is_foreign and bool(written.meant) and line.is_sign_off(names)
        if is_foreign or is_greeting:
            end = number
            break
        if line.has_words:
            written.add(line)
    found = written.result()
    below = _ignored_moves(lines[end:], is_greeting) if end >= 0 else []
    return replace(found, left=(*found.left, *below)[:MOST_LEFT]), end


def _holds_moves(reply: ReplyText) -> bool:
    """Whether a line is a move or a command, even mistyped."""
    return any(line.may_begin_move or line.is_meant for line in map(MailLine, reply.lines))


def _below_quotation(lines: Sequence[MailLine], end: int) -> int:
    """Where a reply may begin that its writer put below all that they quote; 0 where nothing is quoted by marks. An empty line
    must be between, since a quoted line that a program broke ends in a piece without a mark."""
    last = next((number for number in range(len(lines) - 1, max(end, 0) - 1, -1) if lines[number].is_quoted), -1)
    return last + 1 if 0 <= last < len(lines) - 1 and not lines[last + 1].text else 0


class _ReplyParser:
    """Collects the writer's lines as they are read. A line is meant if it begins a move or looks like a move, or is
    directly below a meant line; everything else above the moves (a greeting) or below them is written to people.
    """

    def __init__(self) -> None:
        self.lines: list[MailLine] = []
        self.first = 0
        """Number of lines in the first paragraph; 0 before it has ended."""
        self.meant: list[MailLine] = []
        self.sure = 0
        self.left: list[MailLine] = []
        self._doubtful: list[MailLine] = []
        """Lines such as `ok`, which are meant only between moves."""
        self._width = 0
        """Length of the last line if it is meant and the next is directly below it; 0 elsewhere."""

    def end_paragraph(self) -> None:
        self.first, self._width = self.first or len(self.lines), 0

    def add(self, line: MailLine) -> None:
        self.lines.append(line)
        is_top, is_below = not self.meant, self._width > 0
        if is_below and self.meant[-1].begins_move and _is_wrapped(self._width, line):
            self.meant[-1] = MailLine(f"{self.meant[-1].text} {line.text}", line.own)
        elif is_below or line.may_begin_move or line.is_meant or (is_top and line.holds_verb):
            self.meant += [*self._doubtful, line]
            self._doubtful.clear()
        elif line.is_chatty and line.is_short:
            self._doubtful.append(line)
            return
        else:
            if line.is_like_move or (is_top and (line.text.isupper() or not line.is_short)):
                self.left.append(line)
            return
        self._width = len(line.text)
        if is_below or not line.is_sentence:
            self.sure = len(self.meant)

    def result(self) -> ReplyText:
        """The obeyed and the left-out lines; the first paragraph where nothing begins a move."""
        if not any(line.may_begin_move for line in self.meant):
            first = self.lines[: self.first or len(self.lines)]
            return ReplyText(tuple(line.text for line in first), len(first))
        left = [line.text[:LOOKED_AT] for line in (*self.left, *self._doubtful)]
        return ReplyText(tuple(line.text for line in self.meant), self.sure, tuple(left))


def _is_wrapped(width: int, line: MailLine) -> bool:
    """Whether a line continues a line of this width that a mail program broke: its first word had no room there."""
    is_next = line.begins_move or line.may_begin_move
    return not is_next and width <= WIDEST and width + 1 + len(line.text.partition(" ")[0]) > NARROWEST


def _next_lines(lines: Sequence[MailLine]) -> list[tuple[int, ...]]:
    """For each line the next three that are not empty."""
    found: list[tuple[int, ...]] = []
    after: tuple[int, ...] = ()
    for number in range(len(lines) - 1, -1, -1):
        found.append(after)
        if lines[number].text:
            after = (number, *after[:2])
    return found[::-1]


def _banner(lines: Sequence[MailLine]) -> int:
    """How many lines at the top the receiving server has written: up to the first with the address of a page, if one of them
    holds an address of mail that is not the bot's, and none leads to a quotation."""
    top = next((number for number, line in enumerate(lines) if line.text), 0)
    end = next((number for number in range(top, min(top + MOST_OF_BANNER, len(lines))) if lines[number].has_page), None)
    if end is None:
        return 0
    above = lines[top : end + 1]
    is_told = any(MAIL_ADDRESS.search(line.head) for line in above)
    is_writers = any(not line.text or line.may_begin_move or line.is_quoted for line in above)
    leads = any(line.has_name or line.has_date or line.ends_with_colon or line.is_known_header for line in above)
    return 0 if not is_told or is_writers or leads else end + 1


def _names(writer: str) -> set[str]:
    """Signatures of a person of that name; empty without a name."""
    words = writer.lower().replace(",", " ").split()
    return {" ".join(words), words[0], words[-1]} if words else set()


def _is_foreign(line: MailLine, after: Sequence[MailLine], is_close: bool, is_top: bool) -> bool:
    """Whether the writer's words end above this line. `after` are the next lines that are not empty; `is_close` says
    that the first of these follows immediately, `is_top` that nothing is above.
    """
    is_led_to = bool(after) and (after[0].is_quoted or (after[0].is_of_mail and not after[0].begins_move))
    if line.is_quoted or line.is_ruled_off or line.has_page or line.is_by_program:
        return True
    if line.has_name and (not is_top or line.has_date or is_led_to):
        return True
    if line.begins_move:
        return False
    if _is_introduction(line, after, is_led_to):
        return True
    if line.is_header and after and (after[0].is_header or line.is_known_header):
        return _is_mail_header([line, *after])
    return is_close and is_led_to and _is_first_piece(line, after[0])


def _is_first_piece(line: MailLine, following: MailLine) -> bool:
    """Whether the line is the first piece of an introduction that runs over two lines."""
    is_long = len(line.text) > 30 or INTRODUCTION.match(line.head) is not None
    return is_long and not following.is_quoted and not following.is_header


def _is_introduction(line: MailLine, after: Sequence[MailLine], is_led_to: bool) -> bool:
    """Whether the line introduces a quotation; `is_led_to` says that an introduction may follow."""
    introduces = INTRODUCTION.match(line.head) is not None
    if line.has_place and (line.has_date or line.ends_with_colon or is_led_to):
        return True
    if line.has_date and (line.ends_with_colon or is_led_to or introduces):
        return True
    return line.ends_with_colon and (is_led_to or (bool(after) and after[0].is_ruled_off) or introduces)


def _is_mail_header(lines: Sequence[MailLine]) -> bool:
    return any(line.is_header and (line.is_of_mail or line.is_known_header) for line in lines)


def _ignored_moves(lines: Sequence[MailLine], is_greeting: bool) -> list[str]:
    """Moves in or below a closing line, or unquoted between quoted lines: they are not made, and their writer must
    be notified.
    """
    first = lines[0]
    found = [first.text[:LOOKED_AT]] if first.is_like_move or (is_greeting and first.holds_verb) else []
    is_marked = False
    for number, line in enumerate(lines):
        if number and is_greeting and (line.is_ruled_off or line.has_place or line.has_name or line.is_by_program):
            break
        if line.is_quoted:
            is_marked, is_greeting = True, False
        elif is_marked and line.is_ruled_off:
            break
        elif number and (is_marked or is_greeting) and line.may_begin_move:
            found.append(line.text[:LOOKED_AT])
        if len(found) == MOST_LEFT:
            break
    return found


def strip_armour(lines: list[str]) -> list[str]:
    """The signed lines, without what PGP writes around them (RFC 9580 §7); all lines where nothing is signed.

    :raises Encrypted: they are enciphered.
    """
    begins = next((number for number, line in enumerate(lines[:MOST_LINES]) if line.startswith(ARMOURED)), None)
    if begins is None:
        return lines
    above, kind = lines[:begins], lines[begins].strip()
    if "MESSAGE-----" in kind and "SIGNED" not in kind and not any(map(str.strip, above)):
        raise Encrypted
    if "SIGNED MESSAGE-----" not in kind:
        return above
    inside = lines[begins + 1 :]
    empty = next((number for number, line in enumerate(inside) if not line.strip()), len(inside))
    return above + [line.removeprefix("- ") for line in inside[empty + 1 :]]


# -- pages --------------------------------------------------------------------------------------------

BLOCKS = {"p", "div", "br", "li", "tr", "table", "h1", "h2", "h3", "ul", "ol", "pre", "center", "section"}
UNSEEN = {"style", "script", "head", "title"}
EMPTY = {"br", "hr", "img", "meta", "link", "input", "wbr", "col", "base", "area"}
QUOTATION = re.compile(
    r"quot(?!ation)|\bcite\b|cite-prefix|RplyFwdMsg|reply-?intro|replybody|messageReply|appendonsend|OutlookMessageHeader"
    r"|reference-message|OLK_SRC|zwchr|__HEADERS__|_MailOriginal|forward-container|forwarded|originalmessage|isReplyContent"
    r"|elided|gmail_extra|gmail_attr|AOLMsgPart|zmail_extra|history_container|qtdSeparate|border-top: ?solid",
    re.I,
)
"""A program's marks in HTML for the beginning of a quotation; nothing below it is read."""

SIGNATURE = re.compile(r"signat|moz-txt-sig|\bsig\b|DAB4FAD8|display: ?none", re.I)
LONGEST_HTML = 32_000


class _Page(HTMLParser):
    """The text of an HTML page, a line for each block, up to its quotation."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.unseen: list[str] = []
        self.is_over = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.is_over:
            return
        marks = " ".join((value or "")[:LOOKED_AT] for name, value in attrs if name in ("class", "id", "name", "style"))
        marks += "".join(f" {(value or '')[:LOOKED_AT]}" for name, value in attrs if name.startswith("data-marker"))
        if tag == "blockquote" or (tag != "body" and QUOTATION.search(marks)):
            self.parts.append("\n>\n")
            self.is_over = True
        elif tag in UNSEEN or (self.unseen and tag == self.unseen[-1]) or SIGNATURE.search(marks):
            if tag not in EMPTY:
                self.unseen.append(tag)
        elif not self.unseen:
            self._break_line(tag)
            self.parts += {"hr": ["---\n"], "td": [" "], "p": [] if "Mso" in marks else ["\n"]}.get(tag, [])

    def handle_endtag(self, tag: str) -> None:
        if self.unseen and tag == self.unseen[-1]:
            self.unseen.pop()
        if not self.is_over and not self.unseen and tag != "br":
            self._break_line(tag)

    def _break_line(self, tag: str) -> None:
        """Begin a line, unless a line has just begun; `<br>` always does."""
        if tag == "br" or (tag in BLOCKS | {"hr"} and self.parts and not self.parts[-1].endswith("\n")):
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.unseen and not self.is_over and (data.strip(" \t\r\n") or data.strip("\r\n\t")):
            self.parts.append(re.sub(r"[ \t\r\n]+", " ", data))


def html_to_text(html: str) -> str:
    """The visible text of an HTML page, up to its quotation."""
    page = _Page()
    page.feed(html[max(html.lower().find("<body"), 0) :][:LONGEST_HTML])
    return "".join(page.parts)

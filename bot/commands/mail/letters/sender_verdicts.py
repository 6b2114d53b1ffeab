"""The verdicts of the bot's own mail server on a sender: the header Authentication-Results, read as RFC 8601 writes it.

Only words in the place of a result count: never a word in a comment, in a quoted string or in the value of a property,
all of which the sender may have chosen. A header that is written otherwise says nothing at all. Each letter of it is
looked at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

LONGEST = 8000
"""Characters of a header; the longest known of a real server has 3000."""

MOST_RESULTS = 64

PIECE = re.compile(r'(?P<blank>\s+)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<mark>[;()])|(?P<plain>[^\s";()]+)', re.S)
IN_COMMENT = re.compile(r'[^\\()"]+|\\.|(?P<mark>[()"])', re.S)
METHOD = re.compile(r"([a-z0-9-]+)(?:/[0-9]+)?=([a-z0-9-]+)", re.I)
PROPERTY = re.compile(r"((?:[a-z0-9-]+\.)?[a-z0-9_-]+)=", re.I)


class SenderVerdict(Enum):
    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"


class Result(NamedTuple):
    """A method's result, with its properties; all but their values is in lower case."""

    method: str
    outcome: str
    properties: dict[str, str]


class BadHeader(Exception):
    """The header is not written as RFC 8601 says, or too long."""


def verdict_of(headers: Sequence[str], sender: str, authority: str) -> SenderVerdict:
    """The trusted server's verdict on a sender: that their domain vouches for the letter, that it does not, or
    nothing.

    Servers put their header above earlier headers. So only the first of these headers counts, and only with that
    server's name.
    """
    results = _results_by(authority, headers[0]) if authority and headers else []
    domain = sender.rpartition("@")[2].lower()
    policies = [result for result in results if result.method == "dmarc"]
    if any(policy.outcome == "fail" for policy in policies):
        return SenderVerdict.FALSE
    if policies:
        is_true = all(policy.outcome == "pass" and _is_of(policy, domain) for policy in policies)
        return SenderVerdict.TRUE if is_true and len(policies) == 1 else SenderVerdict.UNKNOWN
    handed = [result for result in results if result.method == "spf"]
    is_handed = len(handed) == 1 and _stands_for(handed[0], domain, "smtp.mailfrom")
    is_signed = any(_stands_for(one, domain, "header.d", "header.i") for one in results if one.method == "dkim")
    return SenderVerdict.TRUE if is_handed or is_signed else SenderVerdict.UNKNOWN


def _results_by(authority: str, header: str) -> list[Result]:
    """Empty where another server wrote the header, or it cannot be read."""
    try:
        name, results = parse_results(header)
    except BadHeader:
        return []
    return results if name == authority.lower() else []


def _is_of(policy: Result, domain: str) -> bool:
    """Whether the finding is about this domain, or does not say about which."""
    return policy.properties.get("header.from", domain).lower() == domain


def _stands_for(result: Result, domain: str, *names: str) -> bool:
    """Whether a method passed for a domain, which the first of these properties present names."""
    value = next((result.properties[name] for name in names if name in result.properties), "")
    return result.outcome == "pass" and value.rpartition("@")[2].lower() == domain


def parse_results(header: str) -> tuple[str, list[Result]]:
    """The name of the server that wrote a header, in lower case, and its results.

    :raises BadHeader: it is not to be understood without doubt.
    """
    if len(header) > LONGEST:
        raise BadHeader("it is too long")
    (named, *parts) = _parts(header)
    if not 1 <= len(named) <= 2 or (len(named) == 2 and not named[1].text.isdecimal()):
        raise BadHeader("it names no server")
    while parts and not parts[-1]:
        parts.pop()
    if len(parts) > MOST_RESULTS:
        raise BadHeader("it holds too many results")
    if len(parts) == 1 and [word.text.lower() for word in parts[0]] == ["none"]:
        parts = []
    return named[0].text.lower(), [_result(part) for part in parts]


class Word(NamedTuple):
    """A word between blanks: its text without quotation marks, and the number of characters before the first of
    these.
    """

    text: str
    plain: int


def _result(words: Sequence[Word]) -> Result:
    """One result.

    :raises BadHeader: it is not such a header.
    """
    found = METHOD.fullmatch(words[0].text) if words else None
    if found is None or words[0].plain < len(words[0].text):
        raise BadHeader("a result does not begin with a method")
    properties: dict[str, str] = {}
    for word in words[1:]:
        named = PROPERTY.match(word.text, 0, word.plain)
        if named is None or (name := named[1].lower()) in properties:
            raise BadHeader("what follows a result is no property, or there twice")
        properties[name] = word.text[named.end() :]
    return Result(found[1].lower(), found[2].lower(), properties)


def _parts(header: str) -> list[list[Word]]:
    """The words between semicolons. An equals sign belongs to the words on both sides, with or without blanks."""
    parts: list[list[Word]] = [[]]
    is_apart = True
    for kind, text in _pieces(header):
        last = parts[-1]
        if kind == "mark":
            parts.append([])
        elif kind == "blank":
            is_apart = True
            continue
        elif last and (not is_apart or last[-1].text.find("=") == len(last[-1].text) - 1 or text.startswith("=")):
            text_before, plain = last[-1]
            is_plain = kind == "plain" and plain == len(text_before)
            last[-1] = Word(text_before + text, plain + len(text) if is_plain else plain)
        else:
            last.append(Word(text, len(text) if kind == "plain" else 0))
        is_apart = kind == "mark"
    return parts


def _pieces(header: str) -> Iterator[tuple[str, str]]:
    """Blanks, quoted strings (unquoted), semicolons and the rest. A comment is a blank.

    :raises BadHeader: a string or comment does not end.
    """
    place = 0
    while place < len(header):
        piece = PIECE.match(header, place)
        if piece is None or piece["mark"] == ")":
            raise BadHeader("a string or a comment does not begin or end")
        place = piece.end()
        if piece["mark"] == "(":
            place = _end_of_comment(header, place)
            yield "blank", " "
        elif piece["string"]:
            yield "string", re.sub(r"\\(.)", r"\1", piece["string"][1:-1], flags=re.S)
        else:
            yield str(piece.lastgroup), piece[0]


def _end_of_comment(header: str, place: int) -> int:
    """The end of the comment that has begun before that place. Some servers put the sender's address into a comment
    unchanged: then a bracket within its quotation marks would end it.

    :raises BadHeader: it ends nowhere, or within a quotation.
    """
    depth, is_quoted = 1, False
    for piece in IN_COMMENT.finditer(header, place):
        is_quoted ^= piece["mark"] == '"'
        depth += {"(": 1, ")": -1}.get(piece["mark"] or "", 0)
        if depth == 0 and not is_quoted:
            return piece.end()
        if depth == 0:
            break
    raise BadHeader("a comment does not end, or within a quotation")

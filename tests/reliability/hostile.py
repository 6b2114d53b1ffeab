"""Files that mean no good: small to send, large to hold, or long to work on."""

from __future__ import annotations

import gzip
import json
from typing import Any

from bot.untrusted_input import LARGEST_FILE

MANY = LARGEST_FILE


def own(**fields: Any) -> dict[str, Any]:
    """A game in our form that has just begun."""
    return {"format": "signalbox 1", "title": "1848", "players": ["Ann", "Bob", "Cid"], "moves": []} | fields


def theirs(**fields: Any) -> dict[str, Any]:
    """A game of 18xx.games that has just begun."""
    players = [{"id": number, "name": name} for number, name in enumerate(("Ann", "Bob", "Cid"), 1)]
    return {"id": 1, "title": "1848", "players": players, "actions": []} | fields


def text(data: Any) -> bytes:
    """As JSON."""
    return json.dumps(data, separators=(",", ":")).encode()


def filled(before: bytes, piece: bytes, after: bytes, size: int) -> bytes:
    """As many pieces as a file of this size has room for."""
    return before + piece * ((size - len(before) - len(after)) // len(piece)) + after


def undone(times: int) -> dict[str, Any]:
    """A log that takes everything back and makes it again: the work grows with the square of its length."""
    passes: list[dict[str, Any]] = [{"type": "pass", "id": number} for number in range(1, times)]
    back = [{"type": "undo", "action_id": 0}, {"type": "redo"}]
    return theirs(actions=[*passes, *back * (times // 2)])


def shapes(size: int = MANY) -> dict[str, bytes]:
    """Files that are none of a game, each of at most so many bytes."""
    deep, half = size // 2, size - 400
    return {
        "lists": filled(b"[", b"[],", b"[]]", size),
        "objects": filled(b'{"moves":[', b"{},", b"{}]}", size),
        "numbers": filled(b"[", b"1,", b"1]", size),
        "actions": filled(text(theirs())[:-2], b'{"type":""},', b"{}]}", size),
        "players": filled(b'{"format":"signalbox 1","title":"1848","moves":[],"players":[', b'"",', b'""]}', size),
        "keys": b"{" + b",".join(b'"%x":0' % number for number in range(size // 10)) + b"}",
        "one key many times": filled(b"{", b'"a":[],', b'"a":0}', size),
        "nested": b"[" * deep + b"]" * deep,
        "nested objects": filled(b"", b'{"a":', b"", size),
        "nested a little": b'{"title":' + b"[" * 900 + b"]" * 900 + b"}",
        "quotes": b'"' * size,
        "escaped quotes": filled(b'"', b'\\"', b"", size),
        "a string": b'"' + b"a" * half + b'"',
        "half characters": filled(b'"', b"\\ud800", b'"', size),
        "a number": b"[" + b"9" * half + b"]",
        "a long fraction": b"[0." + b"1" * half + b"]",
        "no number": b'{"format":"signalbox 1","title":"1848","players":["A","B","C"],"moves":[],"seed":NaN}',
        "infinite": b'{"format":"signalbox 1","title":"1848","players":["A","B","C"],"moves":[],"seed":1e999}',
        "a title": text(own(title="A" * half)),
        "an option": text(own(options={"A" * half: "x"})),
        "options": text(own(options={f"{number:x}": "" for number in range(size // 12)})),
        "a move": text(own(moves=["@1 buy " + "A" * half])),
        "a move of many words": text(own(moves=["A " * (half // 2)])),
        "a move of many moves": text(own(moves=["pass;" * (half // 5)])),
        "a correction": text(own(moves=["correct cash @1 150" + " " * half])),
        "a type of action": text(theirs(actions=[{"type": "A" * half}])),
        "a price": text(theirs(actions=[{"type": "bid", "entity": 1, "company": "P1", "price": "A" * half}])),
        "no move": filled(text(own())[:-2], b'"",', b'""]}', size),
        "spaces": b" " * size,
        "nothing": b"\0" * size,
        "a packed file": gzip.compress(b"[" + b"[]," * (2**20)),
    }


def cheap_moves(number: int = 20_000) -> bytes:
    """A game of very many moves, all of them legal."""
    return text(own(moves=[f"correct cash @1 {150 + place % 2}" for place in range(number)]))

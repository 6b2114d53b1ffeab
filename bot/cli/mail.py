"""`signalbox mail --explain`: what the bot would do with a mail. Nothing is done, and no database is opened."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from pathlib import Path

from bot.foreign import BadFile
from bot.mail.letters.bounds import MOST_READ, glimpse
from bot.mail.letters.verdicts import Verdict
from bot.mail.reader import Perusal, Reader
from bot.mail.reading import without_token, words_of

NOBODY = "games@signalbox.invalid"
"""The bot's address where neither the environment nor the mail names one."""

VERDICTS = {
    Verdict.TRUE: "The mail server vouches for its sender.",
    Verdict.FALSE: "The mail server says that its sender is forged.",
    Verdict.UNKNOWN: "The mail server says nothing for certain about its sender.",
}


def explain(path: Path, is_json: bool) -> int:
    """Tell what would be done with the mail in that file.

    :raises BadFile: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_READ)
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror}") from error
    own_address = os.environ.get("SIGNALBOX_MAIL_ADDRESS", "").strip().lower() or without_token(glimpse(raw, "to"))
    authority = os.environ.get("SIGNALBOX_MAIL_AUTHORITY", "").strip().lower()
    found = asyncio.run(_read(raw, own_address if "@" in own_address.strip("@") else NOBODY, authority))
    if is_json:
        told = {"verdict": _verdict(found).value, "moves": _moves(found), "ignored": _reason(found)}
        print(json.dumps(told, ensure_ascii=False))
    else:
        print("\n".join(_lines(found)))
    return 0


async def _read(raw: bytes, own_address: str, authority: str) -> Perusal:
    reader = Reader(own_address, authority)
    try:
        return await reader.read(raw)
    finally:
        reader.close()


def _verdict(found: Perusal) -> Verdict:
    return found.letter.verdict if found.letter else Verdict.UNKNOWN


def _reason(found: Perusal) -> str | None:
    """Why it would be ignored; None where it would not."""
    return "it tells of a mail that came back" if found.returned is not None else found.ignored


def _moves(found: Perusal) -> list[str]:
    """The lines that would be obeyed."""
    return list(words_of(found.letter).lines) if found.letter and found.ignored is None else []


def _lines(found: Perusal) -> Iterator[str]:
    """The same in words."""
    yield VERDICTS[_verdict(found)]
    if (reason := _reason(found)) is not None or found.letter is None:
        yield f"It is ignored: {reason}."
        return
    if found.letter.token is None:
        yield "It answers no mail of the bot, so that it moves nothing."
    else:
        yield f"It answers a mail about game {found.letter.token.game}, if its seal is good; nobody has looked at that."
    if found.letter.is_too_long:
        yield "It is answered that it is too long."
    elif found.letter.is_encrypted:
        yield "It is answered that it is encrypted."
    elif not _moves(found):
        yield "It is answered that it holds no words of its own."
    else:
        yield "It is read as:"
        yield from (f"    {line}" for line in _moves(found))

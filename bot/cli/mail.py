"""`signalbox mail --explain`: what the bot would do with a mail. Nothing is done, and no database is opened."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from pathlib import Path

from bot.commands.mail.incoming_mail import strip_token, words_of
from bot.commands.mail.letters.limits import MOST_WITH_FILE, glimpse
from bot.commands.mail.letters.sender_verdicts import SenderVerdict
from bot.commands.mail.reader import MailReader, ParsedMail
from bot.untrusted_input import read_beginning

NOBODY = "games@signalbox.invalid"
"""The bot's address where neither the environment nor the mail names one."""

VERDICTS = {
    SenderVerdict.TRUE: "The mail server vouches for its sender.",
    SenderVerdict.FALSE: "The mail server says that its sender is forged.",
    SenderVerdict.UNKNOWN: "The mail server says nothing for certain about its sender.",
}


def explain(path: Path, is_json: bool) -> int:
    """Print what would be done with the mail in that file.

    :raises InvalidFile: it cannot be read.
    """
    raw = read_beginning(path, MOST_WITH_FILE)
    own_address = os.environ.get("SIGNALBOX_MAIL_ADDRESS", "").strip().lower() or strip_token(glimpse(raw, "to"))
    authority = os.environ.get("SIGNALBOX_MAIL_AUTHORITY", "").strip().lower()
    found = asyncio.run(_read(raw, own_address if "@" in own_address.strip("@") else NOBODY, authority))
    if is_json:
        told = {"verdict": _verdict(found).value, "moves": _moves(found), "ignored": _reason(found)}
        print(json.dumps(told, ensure_ascii=False))
    else:
        print("\n".join(_lines(found)))
    return 0


async def _read(raw: bytes, own_address: str, authority: str) -> ParsedMail:
    reader = MailReader(own_address, authority)
    try:
        return await reader.read(raw)
    finally:
        reader.close()


def _verdict(found: ParsedMail) -> SenderVerdict:
    return found.letter.verdict if found.letter else SenderVerdict.UNKNOWN


def _reason(found: ParsedMail) -> str | None:
    return "it tells of a mail that came back" if found.returned is not None else found.ignored


def _moves(found: ParsedMail) -> list[str]:
    return list(words_of(found.letter).lines) if found.letter and found.ignored is None else []


def _lines(found: ParsedMail) -> Iterator[str]:
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

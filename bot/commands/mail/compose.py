"""Mails as they go out: built by the standard library of plain text, a page and pictures, one receiver each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from functools import cache, partial
from mimetypes import guess_type
from pathlib import Path
from typing import Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from bot.i18n import ENGLISH, current_language, tr, use_language
from bot.render.painting.picture import Picture

from .letters.reply_tokens import ReplyToken, with_token
from .quote_marker import NAME, marker

MORE = "... "
"""Prefix of the line below the moves that counts the others; it is not a move."""

LINK = re.compile(r"(https?://|mailto:)\S+")
HERE = Path(__file__).parent
POLICY = SMTP.clone(max_line_length=78)
LONGEST_LINE = 76
BROKEN_OFF = re.compile(r"[\r\n](?![\n \t]|\Z)")
"""A line break after which no folded header continues."""


@dataclass(frozen=True)
class Section:
    """Lines below a heading, as text, as a list, or as moves to copy. They are in the reader's language."""

    heading: str
    lines: tuple[str, ...]
    form: Literal["text", "list", "moves"] = "text"


@dataclass(frozen=True)
class MailDraft:
    """The content of a mail. `key` identifies it for good; `thread` names its thread, `answers` the Message-ID of
    the letter that it answers.
    """

    key: str
    subject: str
    title: str
    blocks: Sequence[Section]
    token: ReplyToken
    stop: ReplyToken
    thread: str = ""
    answers: str = ""
    pictures: Sequence[Picture] = ()
    files: Sequence[tuple[str, bytes]] = ()
    footer: Sequence[str] = ()
    is_answer: bool = False
    language: str = ENGLISH


def to_mime(draft: MailDraft, own_address: str, to: str, now: datetime) -> EmailMessage:
    """The mail. Its Message-ID depends only on its key: sent again, it is the same mail.

    :raises ValueError: a header would hold what none can (a break of the line).
    """
    domain = own_address.partition("@")[2]
    message = EmailMessage(POLICY)
    message["From"] = Address(NAME, addr_spec=own_address)
    message["To"] = Address(addr_spec=to)
    message["Reply-To"] = Address(NAME, addr_spec=with_token(own_address, draft.token))
    message["Subject"] = draft.subject
    message["Date"] = format_datetime(now)
    message["Message-ID"] = f"<{draft.key}@{domain}>"
    answers = draft.answers if is_plain(draft.answers) else ""
    if root := f"<{draft.thread}@{domain}>" if draft.thread else "":
        message["References"] = f"{root} {answers}".strip()
    if answers or root:
        message["In-Reply-To"] = answers or root
    message["List-Unsubscribe"] = f"<mailto:{with_token(own_address, draft.stop)}?subject=stop>"
    message["Auto-Submitted"] = "auto-replied" if draft.is_answer else "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    message["X-Loop"] = own_address
    for name, value in message.items():
        if BROKEN_OFF.search(POLICY.fold(name, value)):
            raise ValueError(f"the header {name} would hold a break of the line")
    with use_language(draft.language):
        message.set_content(plain_text(draft), cte="quoted-printable")
        message.add_alternative(page(draft, own_address), subtype="html", cte="quoted-printable")
    (html,) = (part for part in message.iter_parts() if part.get_content_type() == "text/html")
    for number, picture in enumerate(draft.pictures):
        html.add_related(
            picture.png,
            "image",
            picture.name.rpartition(".")[2],
            cid=f"<{content_id(draft, number)}>",
            filename=picture.name,
            disposition="inline",
        )
    for name, content in draft.files:
        kind = guess_type(name)[0] or "application/octet-stream"
        message.add_attachment(content, *kind.split("/"), filename=name)
    return message


def is_plain(reference: str) -> bool:
    """Whether a Message-ID chosen by a stranger can be put in a header unchanged. The library decodes what looks
    like an encoded word (RFC 2047), line breaks included, and encodes what is longer than a line.
    """
    return "=?" not in reference and len(reference) <= LONGEST_LINE


def content_id(draft: MailDraft, number: int) -> str:
    """The page's name for one of its pictures."""
    return f"picture-{number}.{draft.key}"


def plain_text(draft: MailDraft) -> str:
    parts = [f"=== {marker()} ===", draft.title]
    for block in draft.blocks:
        marks = {"text": "", "list": "- ", "moves": "    "}[block.form]
        parts.append(
            "\n".join(
                [
                    *([block.heading] if block.heading else []),
                    *(line if line.startswith(MORE) else f"{marks}{line}" for line in block.lines),
                ]
            )
        )
    parts += [tr(picture.alt) for picture in draft.pictures]
    if draft.footer:
        parts.append("\n".join(["-- ", *draft.footer]))
    return "\n\n".join(filter(None, parts)) + "\n"


@cache
def templates() -> Environment:
    """The page's template, which escapes everything that is put into it."""
    return Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def linkify(line: str, own_address: str) -> Markup:
    """A line with the bot's links made clickable: a line that is only a link, and the bot's own address with a
    token. Players' text stays text.
    """
    local, _, domain = own_address.partition("@")
    own = re.compile(rf"{re.escape(local)}\+[\w-]+@{re.escape(domain)}")
    found = LINK.fullmatch(line) or own.search(line)
    if found is None:
        return escape(line)
    link = found[0] if found.re is LINK else f"mailto:{found[0]}"
    shown = Markup('{}<a href="{}" style="color:#0b57a4">{}</a>{}')
    label = found[0].removeprefix("mailto:").partition("?subject=")[0]
    return shown.format(line[: found.start()], link, label, line[found.end() :])


def page(draft: MailDraft, own_address: str) -> str:
    """The mail as HTML, readable on a phone. It loads nothing from anywhere."""
    pictures = [(content_id(draft, number), tr(picture.alt)) for number, picture in enumerate(draft.pictures)]
    return (
        templates()
        .get_template("mail.html")
        .render(
            draft=draft,
            marker=marker(),
            pictures=pictures,
            language=current_language(),
            linked=partial(linkify, own_address=own_address),
            more=MORE,
        )
    )

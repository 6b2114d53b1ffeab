"""The first oracle: Discord's limits on messages, files, threads and answers, written down by hand.

Every function returns sentences about what Discord would refuse; an empty list is a pass. Lengths count
characters, sizes bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.discord_double.calls import Upload
from tests.discord_double.errors import ApiError, invalid
from tests.discord_double.limits_components import component_faults, modal_faults
from tests.discord_double.model import COMPONENTS_V2, EPHEMERAL, Channel, Json, references
from tests.discord_double.payloads import ATTACHMENT_LIMIT

REQUEST_LIMIT = 25 * 1024 * 1024
CONTENT, EMBEDS, EMBED_TEXT, FILES, ALT_TEXT = 2000, 10, 6000, 10, 1024
EMBED_PARTS = (("title", 256), ("description", 4096))
EMBED_FIELDS, FIELD_NAME, FIELD_VALUE, FOOTER, AUTHOR = 25, 256, 1024, 2048, 256
NONCE, CHOICES, CHOICE_TEXT, MENTIONED_USERS = 25, 25, 100, 100
APPLIED_TAGS = 5
ARCHIVE_MINUTES = (60, 1440, 4320, 10080)

MESSAGE_FLAGS = 1 << 2 | 1 << 12 | 1 << 13 | COMPONENTS_V2
"""Flags that a bot may set: suppress embeds, silent, voice message, components v2."""

CALLBACKS = {"command": {4, 5, 9}, "component": {4, 5, 6, 7, 9}, "modal": {4, 5, 6, 7}, "autocomplete": {8}}
"""The types of first answer that each kind of interaction allows."""


def length(what: str, text: Any, most: int, least: int = 0) -> list[str]:
    """A complaint when a text is longer or shorter than allowed."""
    if text is None and least == 0:
        return []
    if not isinstance(text, str):
        return [f"{what} must be a string, not {type(text).__name__}"]
    if not least <= len(text) <= most:
        return [f"{what} must be {least}-{most} characters, is {len(text)}"]
    return []


def check_files(uploads: Sequence[Upload]) -> None:
    """Sizes of a request's files.

    :raises ApiError: 413 when they are too large.
    """
    sizes = [len(upload.data) for upload in uploads]
    if sum(sizes) > REQUEST_LIMIT or any(size > ATTACHMENT_LIMIT for size in sizes):
        raise ApiError(413, 40005, [f"files of {sizes} bytes"], "limits")


def check_message(body: Json, uploads: Sequence[Upload], *, edited: Any = None, interaction: bool = False) -> None:
    """A message that is sent (`edited` None) or edited (`edited` the Message).

    :raises ApiError: a limit is passed.
    """
    check_files(uploads)
    flags = int(body.get("flags") or 0) | (edited.flags if edited else 0)
    if faults := message_faults(body, uploads, flags, edited, interaction):
        raise invalid(faults, "limits")
    if not _has_content(body, uploads, edited):
        raise ApiError(400, 50006, ["nothing in it"], "limits")


def message_faults(body: Json, uploads: Sequence[Upload], flags: int, edited: Any, interaction: bool) -> list[str]:
    """What is wrong with a message."""
    faults = length("content", body.get("content"), CONTENT)
    faults += length("nonce", str(body["nonce"]) if body.get("nonce") is not None else None, NONCE)
    faults += embed_faults(body.get("embeds") or [])
    faults += mention_faults(body.get("allowed_mentions"))
    faults += file_faults(body, uploads, edited)
    is_v2 = bool(flags & COMPONENTS_V2)
    if is_v2 and (body.get("content") or body.get("embeds")):
        faults.append("content and embeds cannot go with components v2")
    faults += component_faults(body.get("components") or [], is_v2)
    if foreign := int(body.get("flags") or 0) & ~(MESSAGE_FLAGS | (EPHEMERAL if interaction else 0)):
        faults.append(f"flags {foreign:#x} cannot be set by a bot here")
    return faults


def _has_content(body: Json, uploads: Sequence[Upload], edited: Any) -> bool:
    if uploads or body.get("sticker_ids") or body.get("poll"):
        return True
    for key in ("content", "embeds", "components", "attachments"):
        kept = getattr(edited, key) if edited is not None and key not in body else None
        if body.get(key) or kept:
            return True
    return False


def embed_faults(embeds: Sequence[Json]) -> list[str]:
    """What is wrong with the embeds of one message."""
    faults = [] if len(embeds) <= EMBEDS else [f"{len(embeds)} embeds, {EMBEDS} allowed"]
    total = 0
    for number, embed in enumerate(embeds):
        where = f"embeds[{number}]"
        for key, most in EMBED_PARTS:
            faults += length(f"{where}.{key}", embed.get(key), most)
        fields = embed.get("fields") or []
        if len(fields) > EMBED_FIELDS:
            faults.append(f"{where} has {len(fields)} fields, {EMBED_FIELDS} allowed")
        for field in fields:
            faults += length(f"{where} field name", field.get("name"), FIELD_NAME, 1)
            faults += length(f"{where} field value", field.get("value"), FIELD_VALUE, 1)
        footer, author = (embed.get("footer") or {}).get("text"), (embed.get("author") or {}).get("name")
        faults += length(f"{where}.footer", footer, FOOTER) + length(f"{where}.author", author, AUTHOR)
        texts = [embed.get("title"), embed.get("description"), footer, author]
        texts += [field.get(key) for field in fields for key in ("name", "value")]
        total += sum(len(text) for text in texts if text)
    return faults if total <= EMBED_TEXT else [*faults, f"{total} characters in embeds, {EMBED_TEXT} allowed"]


def mention_faults(allowed: Json | None) -> list[str]:
    """What is wrong with `allowed_mentions`."""
    if not allowed:
        return []
    parse, faults = allowed.get("parse") or [], []
    if unknown := set(parse) - {"users", "roles", "everyone"}:
        faults.append(f"allowed_mentions.parse holds {sorted(unknown)}")
    for kind in ("users", "roles"):
        listed = allowed.get(kind) or []
        if len(listed) > MENTIONED_USERS:
            faults.append(f"{len(listed)} allowed {kind}, {MENTIONED_USERS} allowed")
        if kind in parse and listed:
            faults.append(f"allowed_mentions cannot both parse and list {kind}")
    return faults


def file_faults(body: Json, uploads: Sequence[Upload], edited: Any) -> list[str]:
    """What is wrong with the attachments and with references to them."""
    faults = []
    listed = body.get("attachments") or []
    known = {str(attachment.id): attachment.filename for attachment in edited.attachments} if edited else {}
    indexes = {upload.index for upload in uploads}
    names = {upload.filename for upload in uploads}
    kept = set() if "attachments" in body or uploads else set(known)
    for attachment in listed:
        number = str(attachment.get("id"))
        faults += length(f"alt text of attachment {number}", attachment.get("description"), ALT_TEXT)
        if number in known:
            kept.add(number)
        elif not number.isdigit() or int(number) not in indexes:
            faults.append(f"attachment {number} is neither uploaded with this request nor on the message")
    names |= {known[number] for number in kept}
    count = len(kept) + len(uploads)
    if count > FILES:
        faults.append(f"{count} files, {FILES} allowed")
    for name in references([body.get("embeds"), body.get("components")]):
        if name not in names:
            faults.append(f"attachment://{name} refers to no file of this message")
    return faults


def check_thread(body: Json) -> None:
    """A thread that is opened or changed.

    :raises ApiError: a limit is passed.
    """
    faults = length("name", body["name"], 100, 1) if "name" in body else []
    minutes = body.get("auto_archive_duration")
    if minutes is not None and minutes not in ARCHIVE_MINUTES:
        faults.append(f"auto_archive_duration {minutes} is not one of {ARCHIVE_MINUTES}")
    if faults:
        raise invalid(faults, "limits")


def check_tags(forum: Channel, applied: Sequence[str]) -> list[int]:
    """The tags of a post, by their ids.

    :raises ApiError: there are too many, none where one is needed, or one is not the forum's.
    """
    numbers = [int(number) for number in applied]
    if len(numbers) > APPLIED_TAGS or not set(numbers) <= set(forum.tags):
        raise invalid([f"applied_tags {applied} of {list(forum.tags)}"], "limits")
    if forum.needs_tag and not numbers:
        raise ApiError(400, 40067, ["a tag is needed"], "limits")
    return numbers


def check_callback(body: Json, uploads: Sequence[Upload], kind: str, edited: Any) -> None:
    """The first answer to an interaction; `edited` is the message that a component hangs on.

    :raises ApiError: a limit is passed, or this type of answer does not go with this kind of interaction.
    """
    answer, data = body.get("type"), body.get("data") or {}
    if answer not in CALLBACKS[kind]:
        raise invalid([f"type {answer} is no answer to a {kind} interaction"], "limits")
    if answer == 4:
        check_message(data, uploads, interaction=True)
    elif answer == 7:
        check_message(data, uploads, edited=edited, interaction=True)
    else:
        faults = modal_faults(data) if answer == 9 else []
        faults += choice_faults(data.get("choices") or [], "choices") if answer == 8 else []
        if faults:
            raise invalid(faults, "limits")


def choice_faults(choices: Sequence[Json], where: str) -> list[str]:
    """What is wrong with the choices of an option, fixed or completed."""
    faults = [] if len(choices) <= CHOICES else [f"{where}: {len(choices)} choices, {CHOICES} allowed"]
    for number, choice in enumerate(choices):
        faults += length(f"{where}[{number}].name", choice.get("name"), CHOICE_TEXT, 1)
        if isinstance(choice.get("value"), str):
            faults += length(f"{where}[{number}].value", choice["value"], CHOICE_TEXT)
    return faults

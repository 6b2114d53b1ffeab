"""Services that carry notices to phones and chats: addresses as Apprise writes them, and the request that each service expects.

Apprise itself opens connections of its own, which nothing here could bound; a service is a pattern and a request instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import msgspec

from bot.engine import IllegalMove, literal

from .public_addresses import LONGEST_ADDRESS, check_address

HOST = r"(?P<host>[A-Za-z0-9.-]{1,253}(?::\d{1,5})?)"
WORD = r"[A-Za-z0-9_-]{1,200}"
POST, PUT = "POST", "PUT"


@dataclass(frozen=True)
class ServiceNotice:
    """The content of a notice: `page` is the address of the game's page, `number` the same in every attempt."""

    title: str
    body: str
    page: str
    number: int

    @property
    def text(self) -> str:
        return f"{self.title}\n{self.body}\n{self.page}"


@dataclass(frozen=True)
class NoticeRequest:
    address: str
    content: bytes
    headers: Mapping[str, str]
    method: str = POST


Parts = Mapping[str, str]
Content = Callable[[Parts, ServiceNotice], Mapping[str, Any]]


@dataclass(frozen=True)
class NoticeService:
    """A service: `form` is its address for people, `pattern` the same for the program; the parts found fill `address` and
    `headers`.
    """

    name: str
    form: str
    pattern: re.Pattern[str]
    address: str
    content: Content
    headers: Mapping[str, str]
    method: str

    def request(self, parts: Parts, notice: ServiceNotice) -> NoticeRequest:
        filled = {name: quote(value, safe=":") for name, value in parts.items()} | {"number": str(notice.number)}
        headers = {name: value.format(**parts) for name, value in self.headers.items()}
        content = msgspec.json.encode(self.content(parts, notice))
        own = {"Content-Type": "application/json", **headers}
        return NoticeRequest(self.address.format(**filled), content, own, self.method)


def notice_service(
    name: str,
    form: str,
    pattern: str,
    address: str,
    content: Content,
    headers: Mapping[str, str] | None = None,
    method: str = POST,
) -> NoticeService:
    return NoticeService(name, form, re.compile(pattern), address, content, headers or {}, method)


def ntfy_content(parts: Parts, notice: ServiceNotice) -> Mapping[str, Any]:
    return {"topic": parts["topic"], "title": notice.title, "message": notice.body, "click": notice.page}


def text_content(parts: Parts, notice: ServiceNotice) -> Mapping[str, Any]:
    return {"text": notice.text}


NTFY = "ntfy"
SERVICES = (
    notice_service(NTFY, "ntfy://TOPIC", rf"ntfys?://(?P<topic>{WORD})", "https://ntfy.sh/", ntfy_content),
    notice_service(NTFY, "ntfys://HOST/TOPIC", rf"ntfys://{HOST}/(?P<topic>{WORD})", "https://{host}/", ntfy_content),
    notice_service(
        NTFY,
        "ntfys://TOKEN@HOST/TOPIC",
        rf"ntfys://(?P<token>{WORD})@{HOST}/(?P<topic>{WORD})",
        "https://{host}/",
        ntfy_content,
        {"Authorization": "Bearer {token}"},
    ),
    notice_service(
        "Pushover",
        "pover://USER@TOKEN",
        rf"pover://(?P<user>{WORD})@(?P<token>{WORD})",
        "https://api.pushover.net/1/messages.json",
        lambda parts, one: {**parts, "title": one.title, "message": one.body, "url": one.page},
    ),
    notice_service(
        "Telegram",
        "tgram://TOKEN/CHAT",
        r"tgram://(?P<token>\d{1,20}:[A-Za-z0-9_-]{1,100})/(?P<chat>-?\d{1,20}|@[A-Za-z0-9_]{1,64})",
        "https://api.telegram.org/bot{token}/sendMessage",
        lambda parts, one: {"chat_id": parts["chat"], "text": one.text},
    ),
    notice_service(
        "Matrix",
        "matrixs://TOKEN@HOST/!ROOM:SERVER",
        rf"matrixs://(?P<token>{WORD})@{HOST}/(?P<room>![A-Za-z0-9._=/+-]{{1,200}}:[A-Za-z0-9.:-]{{1,200}})",
        "https://{host}/_matrix/client/v3/rooms/{room}/send/m.room.message/signalbox-{number}",
        lambda parts, one: {"msgtype": "m.text", "body": one.text},
        {"Authorization": "Bearer {token}"},
        PUT,
    ),
    notice_service(
        "Slack",
        "slack://A/B/C",
        rf"slack://(?P<a>{WORD})/(?P<b>{WORD})/(?P<c>{WORD})",
        "https://hooks.slack.com/services/{a}/{b}/{c}",
        text_content,
    ),
    notice_service(
        "Discord",
        "discord://ID/TOKEN",
        rf"discord://(?P<id>\d{{1,20}})/(?P<token>{WORD})",
        "https://discord.com/api/webhooks/{id}/{token}",
        lambda parts, one: {"content": one.text, "allowed_mentions": {"parse": []}},
    ),
    notice_service(
        "Google Chat",
        "gchat://SPACE/KEY/TOKEN",
        rf"gchat://(?P<space>{WORD})/(?P<key>{WORD})/(?P<token>[A-Za-z0-9_%=-]{{1,200}})",
        "https://chat.googleapis.com/v1/spaces/{space}/messages?key={key}&token={token}",
        text_content,
    ),
    notice_service(
        "Pushbullet",
        "pbul://TOKEN",
        rf"pbul://(?P<token>{WORD}(?:\.{WORD})?)",
        "https://api.pushbullet.com/v2/pushes",
        lambda parts, one: {"type": "link", "title": one.title, "body": one.body, "url": one.page},
        {"Access-Token": "{token}"},
    ),
    notice_service(
        "Mattermost",
        "mmosts://HOST/TOKEN",
        rf"mmosts://{HOST}/(?P<token>{WORD})",
        "https://{host}/hooks/{token}",
        text_content,
    ),
    notice_service(
        "Rocket.Chat",
        "rockets://A/B@HOST",
        rf"rockets://(?P<a>{WORD})/(?P<b>{WORD})@{HOST}",
        "https://{host}/hooks/{a}/{b}",
        text_content,
    ),
    notice_service(
        "Gotify",
        "gotifys://HOST/TOKEN",
        rf"gotifys://{HOST}/(?P<token>{WORD}(?:\.{WORD})?)",
        "https://{host}/message",
        lambda parts, one: {"title": one.title, "message": f"{one.body}\n{one.page}", "priority": 5},
        {"X-Gotify-Key": "{token}"},
    ),
    notice_service(
        "Signal",
        "signals://HOST/FROM/TO",
        rf"signals://{HOST}/(?P<sender>\+\d{{5,20}})/(?P<reader>\+\d{{5,20}})",
        "https://{host}/v2/send",
        lambda parts, one: {"message": one.text, "number": parts["sender"], "recipients": [parts["reader"]]},
    ),
)


def find_service(address: str) -> tuple[NoticeService, dict[str, str]]:
    """The service of an address, with the parts of the address.

    :raises IllegalMove: its service is not listed, or its host is not public.
    """
    found = [(one, match) for one in SERVICES if (match := one.pattern.fullmatch(address[: LONGEST_ADDRESS + 1]))]
    if not found or len(address) > LONGEST_ADDRESS:
        forms = ", ".join(one.form for one in SERVICES)
        raise IllegalMove("Notices go to these services, always encrypted (https): {forms}.", "", literal(forms))
    chosen, match = found[0]
    parts = match.groupdict()
    if "host" in parts:
        check_address(f"https://{parts['host']}/")
    return chosen, parts


def target_name(address: str) -> str:
    """Service and host of a saved address, without its secrets."""
    chosen, parts = find_service(address)
    return f"{chosen.name} ({parts['host']})" if "host" in parts else chosen.name

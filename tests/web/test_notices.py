"""Notices to the services of people: what each service is sent, once, to public addresses, never after withdrawal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from bot.commands.web.call_sender import WAITS, CallSender
from bot.engine import GameId, IllegalMove
from bot.service.features.notice_services import SERVICES, ServiceNotice, find_service, target_name
from bot.service.features.personal_notices import MOST_SERVICES
from bot.service.game_service import GameService
from bot.store import LinkKind
from tests.service.conftest import ANN, BOB, CID, Clock

NOTICE = ServiceNotice("1848 #3", "Ann: pass", "https://bot.example/g/3/", 17)
TEXT = "1848 #3\nAnn: pass\nhttps://bot.example/g/3/"
SENT: dict[str, tuple[str, Any, Mapping[str, str]]] = {
    "ntfy://trains": (
        "https://ntfy.sh/",
        {"topic": "trains", "title": "1848 #3", "message": "Ann: pass", "click": NOTICE.page},
        {},
    ),
    "ntfys://push.example:8443/trains": (
        "https://push.example:8443/",
        {"topic": "trains", "title": "1848 #3", "message": "Ann: pass", "click": NOTICE.page},
        {},
    ),
    "ntfys://tk_abc@push.example/trains": (
        "https://push.example/",
        {"topic": "trains", "title": "1848 #3", "message": "Ann: pass", "click": NOTICE.page},
        {"Authorization": "Bearer tk_abc"},
    ),
    "pover://user@token": (
        "https://api.pushover.net/1/messages.json",
        {"user": "user", "token": "token", "title": "1848 #3", "message": "Ann: pass", "url": NOTICE.page},
        {},
    ),
    "tgram://12345:AB-c_d/-100200": (
        "https://api.telegram.org/bot12345:AB-c_d/sendMessage",
        {"chat_id": "-100200", "text": TEXT},
        {},
    ),
    "matrixs://syt_tok@matrix.example/!ab/c:matrix.example": (
        "https://matrix.example/_matrix/client/v3/rooms/%21ab%2Fc:matrix.example/send/m.room.message/signalbox-17",
        {"msgtype": "m.text", "body": TEXT},
        {"Authorization": "Bearer syt_tok"},
    ),
    "slack://T1/B2/c3": ("https://hooks.slack.com/services/T1/B2/c3", {"text": TEXT}, {}),
    "discord://123/abc-d": (
        "https://discord.com/api/webhooks/123/abc-d",
        {"content": TEXT, "allowed_mentions": {"parse": []}},
        {},
    ),
    "gchat://AAA/key/tok": (
        "https://chat.googleapis.com/v1/spaces/AAA/messages?key=key&token=tok",
        {"text": TEXT},
        {},
    ),
    "pbul://o.abcd": (
        "https://api.pushbullet.com/v2/pushes",
        {"type": "link", "title": "1848 #3", "body": "Ann: pass", "url": NOTICE.page},
        {"Access-Token": "o.abcd"},
    ),
    "mmosts://chat.example/abc": ("https://chat.example/hooks/abc", {"text": TEXT}, {}),
    "rockets://a1/b2@chat.example": ("https://chat.example/hooks/a1/b2", {"text": TEXT}, {}),
    "gotifys://push.example/A.b": (
        "https://push.example/message",
        {"title": "1848 #3", "message": f"Ann: pass\n{NOTICE.page}", "priority": 5},
        {"X-Gotify-Key": "A.b"},
    ),
    "signals://push.example/+491701/+491702": (
        "https://push.example/v2/send",
        {"message": TEXT, "number": "+491701", "recipients": ["+491702"]},
        {},
    ),
}
"""What is sent for each form of address."""


class Post:
    """Takes what would be sent; `answers` are the next statuses, then 200."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, Any]] = []
        self.answers: list[int] = []

    async def post(self, address: str, body: bytes, headers: Mapping[str, str], method: str = "POST") -> int:
        self.sent.append((address, json.loads(body)))
        return self.answers.pop(0) if self.answers else 200


@pytest.fixture
def post() -> Post:
    return Post()


@pytest.fixture
def sender(tables: GameService, post: Post) -> CallSender:
    return CallSender(tables, lambda: "https://bot.example", post)  # type: ignore[arg-type]


@pytest.mark.parametrize("address", SENT)
def test_each_service_is_sent_what_it_expects(address: str) -> None:
    service, parts = find_service(address)
    request = service.request(parts, NOTICE)
    url, content, headers = SENT[address]
    assert (request.address, json.loads(request.content)) == (url, content)
    assert request.headers == {"Content-Type": "application/json", **headers}
    assert request.method == ("PUT" if service.name == "Matrix" else "POST"), "a repeated PUT is one message"
    assert not any(secret in target_name(address) for secret in ("tok", "abc", "AB-c", "c3", "b2", "A.b", "+49"))


def test_every_service_is_tried() -> None:
    assert {find_service(address)[0].form for address in SENT} == {one.form for one in SERVICES}


@pytest.mark.parametrize(
    "address",
    [
        "",
        "https://example.org/",
        "json://example.org/",
        "file:///etc/passwd",
        "ntfy://push.example/trains",
        "mmost://chat.example/abc",
        "gotifys://127.0.0.1/abc",
        "gotifys://127.1/abc",
        "gotifys://2130706433/abc",
        "gotifys://10.0.0.8:8080/abc",
        "gotifys://chat.example:99999/abc",
        "gotifys://user:x@chat.example/abc",
        "gotifys://chat.example/../abc",
        "slack://a/b/c?d=e",
        "slack://a/b/c\n",
        "ntfy://trains#x",
        "tgram://12345:AB/1/../../x",
        "ntfy://" + "x" * 600,
        "matrixs://t@matrix.example/!a\r\nX:b",
        "ntfy://{number}",
    ],
)
async def test_other_addresses_are_refused(tables: GameService, game_id: GameId, address: str) -> None:
    with pytest.raises(IllegalMove):
        await tables.personal_notices.add(ANN, address)
    assert await tables.personal_notices.list_of(ANN) == []


async def test_who_is_asked_is_told_once_in_every_game(
    tables: GameService, game_id: GameId, sender: CallSender, post: Post
) -> None:
    await tables.personal_notices.add(CID, "ntfy://cid")
    await tables.personal_notices.add(ANN, "ntfy://ann")
    await tables.languages.set_language(CID, "de")
    other = await tables.lobby.create("1848", BOB, [(BOB, "Bob"), (CID, "Cid"), (ANN, "Ann")], {}, 7)
    await tables.lobby.start(other, BOB, "list")
    await tables.moves.submit(game_id, BOB, "buy P2")
    await tables.moves.submit(other, BOB, "buy P1")
    for _ in range(3):
        await sender.send_due()
    assert [(found["topic"], found["title"], found["click"]) for _, found in post.sent] == [
        ("cid", f"1848 #{number}", f"https://bot.example/g/{number}/") for number in (game_id, other)
    ]
    assert "Cid" in post.sent[0][1]["message"] and "asked" not in post.sent[0][1]["message"]
    assert (await tables.personal_notices.list_of(CID))[0].used_at == tables.desk.now()


async def test_a_notice_that_was_not_taken_is_sent_again(
    tables: GameService, game_id: GameId, sender: CallSender, post: Post, clock: Clock
) -> None:
    await tables.personal_notices.add(CID, "ntfy://cid")
    post.answers = [429, 500]
    await tables.moves.submit(game_id, BOB, "buy P2")
    for wait in (0.0, *WAITS):
        clock.advance(seconds=wait + 1)
        await sender.send_due()
    assert len(post.sent) == 3


async def test_nothing_is_sent_after_removal_or_without_a_seat(
    tables: GameService, game_id: GameId, sender: CallSender, post: Post
) -> None:
    for person in (ANN, BOB, CID):
        await tables.personal_notices.add(person, "ntfy://topic")
    await tables.moves.submit(game_id, BOB, "buy P2")
    await tables.personal_notices.remove(CID, 1)
    await sender.send_due()
    await tables.moves.submit(game_id, CID, "buy P3")
    await tables.moderation.replace(game_id, ANN, 1, BOB, "Bob")
    await sender.send_due()
    told = [found["title"] for _, found in post.sent]
    await tables.privacy.forget_person(BOB)
    await sender.send_due()
    assert len(post.sent) == len(told), told
    assert all("Cid" not in found["message"] for _, found in post.sent)


async def test_a_persons_services_are_their_own(tables: GameService, game_id: GameId) -> None:
    await tables.personal_notices.add(ANN, "ntfy://ann")
    with pytest.raises(IllegalMove, match="no number 1"):
        await tables.personal_notices.remove(BOB, 1)
    with pytest.raises(IllegalMove, match="no number 1"):
        await tables.personal_notices.test(BOB, 1)
    with pytest.raises(IllegalMove, match="already"):
        await tables.personal_notices.add(ANN, "ntfy://ann")
    with pytest.raises(IllegalMove, match="no seat"):
        await tables.personal_notices.add("discord:99", "ntfy://eve")
    for number in range(MOST_SERVICES - 1):
        await tables.personal_notices.add(ANN, f"ntfy://ann{number}")
    with pytest.raises(IllegalMove, match="up to 8"):
        await tables.personal_notices.add(ANN, "ntfy://more")


async def test_links_to_a_game_and_services_end_apart(tables: GameService, game_id: GameId) -> None:
    await tables.personal_notices.add(ANN, "ntfy://ann")
    await tables.links.make(game_id, ANN, LinkKind.PLAY)
    assert [link.kind for link in await tables.links.links_of(game_id, ANN)] == [LinkKind.PLAY]
    assert await tables.links.withdraw(game_id, ANN) == 1
    assert [link.target for link in await tables.personal_notices.list_of(ANN)] == ["ntfy://ann"]
    await tables.privacy.forget_person(ANN)
    assert await tables.personal_notices.list_of(ANN) == []


async def test_a_test_is_sent_once_and_only_to_that_service(
    tables: GameService, game_id: GameId, sender: CallSender, post: Post, clock: Clock
) -> None:
    for topic in ("one", "two"):
        await tables.personal_notices.add(ANN, f"ntfy://{topic}")
        clock.advance(seconds=1)
    await tables.personal_notices.test(ANN, 2)
    await tables.personal_notices.test(ANN, 2)
    for _ in range(2):
        await sender.send_due()
    assert [(found["topic"], found["message"]) for _, found in post.sent] == [
        ("two", "This is a test: your notices arrive here.")
    ]
    await tables.personal_notices.test(ANN, 1)
    await tables.personal_notices.remove(ANN, 1)
    await sender.send_due()
    assert len(post.sent) == 1

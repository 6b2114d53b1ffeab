"""Notices to browsers: encrypted for them, sent once, in the reader's language, and never after they were switched off."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from typing import Any
from urllib.parse import quote

import http_ece
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from bot.commands.web.call_sender import CallSender
from bot.commands.web.push_notices import PushTarget
from bot.commands.web.response_cache import static_text
from bot.commands.web.server import BoardServer
from bot.engine import GameId
from bot.service.game_service import GameService
from bot.store import LinkKind
from tests.service.conftest import ANN, BOB, CID
from tests.web.chromium import ABSENT, PHONE, chromium, opened
from tests.web.conftest import Browser, play_all
from tests.web.test_hooks import Receiver
from tests.web.test_hooks import receiver as receiver
from tests.web.test_hooks import sender as sender

SECRET = b"sixteen letters!"


class Device:
    """A browser's keys: what was encrypted for it can be read here."""

    def __init__(self, endpoint: str) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.target = PushTarget(endpoint, encoded(point), encoded(SECRET))

    @property
    def text(self) -> str:
        return msgspec.json.encode(self.target).decode()

    def read(self, body: bytes) -> Any:
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=SECRET, version="aes128gcm"))


def encoded(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")


async def test_who_is_asked_is_told_once(
    tables: GameService, game_id: GameId, receiver: Receiver, sender: CallSender
) -> None:
    cid, ann = Device(receiver.address), Device(receiver.address)
    await tables.links.set_push(game_id, CID, cid.target.endpoint, cid.text)
    await tables.links.set_push(game_id, ANN, ann.target.endpoint, ann.text)
    await tables.languages.set_language(CID, "de")
    await tables.moves.submit(game_id, BOB, "buy P2")
    for _ in range(2):
        await sender.send_due()
    [(headers, body)] = receiver.taken
    assert cid.read(body) == {
        "title": f"1848 #{game_id}",
        "body": "Cid: eine Privatbahn kaufen oder einen Preis senken.",
        "tag": f"game-{game_id}",
        "url": f"/g/{game_id}/",
        "waiting": 1,
    }
    assert headers["Authorization"].startswith("vapid t=") and headers["Topic"] == f"game-{game_id}"
    with pytest.raises(Exception, match=r"[Dd]ecrypt"):
        ann.read(body)


async def test_the_end_is_told_to_all(
    tables: GameService, game_id: GameId, receiver: Receiver, sender: CallSender
) -> None:
    device = Device(receiver.address)
    await tables.links.set_push(game_id, ANN, device.target.endpoint, device.text)
    await tables.moderation.set_status(game_id, ANN, "finished")
    await sender.send_due()
    assert [device.read(body)["body"] for _, body in receiver.taken] == ["The game is over."]


@pytest.mark.parametrize("status", [404, 410])
async def test_nothing_follows_after_it_was_switched_off_or_the_browser_is_gone(
    tables: GameService, game_id: GameId, receiver: Receiver, sender: CallSender, status: int
) -> None:
    device = Device(receiver.address)
    for person in (ANN, CID):
        await tables.links.set_push(game_id, person, device.target.endpoint, device.text)
    await tables.moves.submit(game_id, BOB, "buy P2")
    await tables.links.set_push(game_id, CID, device.target.endpoint, "")
    await sender.send_due()
    assert receiver.taken == []
    receiver.answers = [status]
    await play_all(tables, game_id, ["buy P3", "buy P4", "buy P5", "buy P6"])
    for _ in range(2):
        await sender.send_due()
    assert len(receiver.taken) <= 1 and await tables.links.push_links(game_id, CID, device.target.endpoint) == []


async def test_a_browser_registers_itself(
    tables: GameService, game_id: GameId, browser: Browser, board: BoardServer
) -> None:
    device = Device("https://push.example.invalid/abc")
    path = f"/g/{game_id}/push"
    assert (await browser.get(path))[0] == 403, "only with a play link"
    await browser.enter(board.doors.play_address(await tables.links.make(game_id, BOB, LinkKind.PLAY)))
    found = json.loads((await browser.get(path))[1])
    assert len(found["key"]) == 87 and found["is_on"] is False
    fields = {"version": 1, "on": True, **msgspec.structs.asdict(device.target)}
    assert (await browser.post(path, fields))[0] == 200
    again = json.loads((await browser.get(f"{path}?endpoint={quote(device.target.endpoint, safe='')}"))[1])
    assert again == {"key": found["key"], "is_on": True}
    assert (await browser.post(path, fields))[0] == 200
    assert [one.kind for one in await tables.links.links_of(game_id, BOB)] == [LinkKind.PLAY, LinkKind.PUSH]
    for wrong in ({"endpoint": "https://127.0.0.1/"}, {"p256dh": "x"}, {"auth": ""}, {"endpoint": "http://a.example"}):
        status, said = await browser.post(path, {**fields, **wrong})
        assert status == 403 and said, wrong
    assert (await browser.post(path, {**fields, "on": False}))[0] == 200
    assert (
        json.loads((await browser.get(f"{path}?endpoint={quote(device.target.endpoint, safe='')}"))[1])["is_on"]
        is False
    )


async def test_the_service_worker_is_served_at_the_root(browser: Browser) -> None:
    status, text = await browser.get("/service-worker.js")
    assert status == 200 and text == static_text("service-worker.js")


@pytest.mark.browser
@pytest.mark.skipif(chromium() is None, reason=ABSENT)
async def test_the_page_offers_it_and_says_when_the_browser_does_not(
    tables: GameService, board: BoardServer, game_id: GameId
) -> None:
    address = board.doors.play_address(await tables.links.make(game_id, BOB, LinkKind.PLAY))
    async with opened(address, viewport=PHONE, has_touch=True, is_mobile=True, service_workers="allow") as it:
        await it.until("document.getElementById('pushed')?.hidden === false")
        await it.page.locator("#pushed").scroll_into_view_if_needed()
        await it.page.locator("#pushed").click()
        await it.until("document.getElementById('pushing').textContent.includes('does not allow notices')")
        assert await it.page.evaluate("document.getElementById('pushed').getAttribute('aria-pressed')") == "false"
        assert await it.page.evaluate("navigator.serviceWorker.register('/service-worker.js').then(one => one.scope)")

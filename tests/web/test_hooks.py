"""Webhooks: signed, called once, never after withdrawal, never at addresses that are not public."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import AsyncIterator
from ipaddress import ip_address
from typing import Any

import pytest
from aiohttp import web

from bot.commands.web.call_sender import MOST_LISTED, WAITS, CallSender
from bot.commands.web.public_client import ForbiddenAddress, PublicClient
from bot.engine import GameId, IllegalMove
from bot.service.features.public_addresses import check_address, is_public
from bot.service.game_service import GameService
from bot.store import CallRecord, LinkKind, NoticeKind, StoreDamaged
from tests.service.conftest import ANN, BOB, CID, Clock


class Receiver:
    """A server that takes calls; `answers` are the next statuses, then 204."""

    def __init__(self) -> None:
        self.taken: list[tuple[dict[str, str], bytes]] = []
        self.answers: list[int] = []
        self.port = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    @property
    def events(self) -> list[Any]:
        return [(found["type"], found["player"]) for found in (json.loads(body) for _, body in self.taken)]

    async def take(self, request: web.Request) -> web.Response:
        self.taken.append((dict(request.headers), await request.read()))
        status = self.answers.pop(0) if self.answers else 204
        answer = web.Response(status=status, headers={"Location": "/elsewhere"} if status == 302 else {})
        answer.set_cookie("known", "as another")
        return answer


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    found = Receiver()
    app = web.Application()
    app.router.add_post("/{path:.*}", found.take)
    app.router.add_get("/{path:.*}", found.take)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    found.port = runner.addresses[0][1]
    yield found
    await runner.cleanup()


@pytest.fixture
async def sender(tables: GameService) -> AsyncIterator[CallSender]:
    """May call this machine."""
    found = CallSender(
        tables, lambda: "https://bot.example", PublicClient(lambda address: address.is_loopback, ("http",), 1.0)
    )
    yield found
    await found.client.close()


async def test_a_move_is_told_once_and_signed(
    tables: GameService, game_id: GameId, receiver: Receiver, sender: CallSender
) -> None:
    secret = await tables.links.make(game_id, ANN, LinkKind.HOOK, receiver.address)
    await sender.send_due()
    assert receiver.taken == [], "nothing that happened before"
    assert (await tables.links.links_of(game_id, ANN))[0].used_at is None
    await tables.moves.submit(game_id, BOB, "buy P2")
    for _ in range(3):
        await sender.send_due()
    assert receiver.events == [("moved", None), ("turn", "Cid")]
    assert (await tables.links.links_of(game_id, ANN))[0].used_at == tables.desk.now()
    headers, body = receiver.taken[1]
    found = json.loads(body)
    assert (found["game"], found["seat"], found["version"], found["status"]) == (game_id, "@3", 2, "running")
    assert found["text"].startswith(f"1848 #{game_id}: Cid")
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    digest = hmac.new(base64.b64decode(secret.removeprefix("whsec_")), signed, hashlib.sha256).digest()
    assert headers["webhook-signature"] == f"v1,{base64.b64encode(digest).decode()}"


async def test_a_call_without_an_answer_is_made_again_as_the_same(
    tables: GameService, game_id: GameId, receiver: Receiver, sender: CallSender, clock: Clock
) -> None:
    await tables.links.make(game_id, ANN, LinkKind.HOOK, receiver.address)
    receiver.answers = [500, 302]
    await tables.moves.submit(game_id, BOB, "buy P2")
    for _ in range(2):
        await sender.send_due()
    assert len(receiver.taken) == 2, "both failed, and wait; a redirect is not followed"
    clock.advance(seconds=WAITS[0] + 1)
    for _ in range(2):
        await sender.send_due()
    numbers = [headers["webhook-id"] for headers, _ in receiver.taken]
    assert len(numbers) == 4 and sorted(numbers[:2]) == sorted(numbers[2:])


async def test_a_call_that_cannot_be_made_holds_up_no_other(
    tables: GameService,
    game_id: GameId,
    receiver: Receiver,
    sender: CallSender,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for person in (ANN, BOB):
        await tables.links.make(game_id, person, LinkKind.HOOK, receiver.address)
    await tables.moves.submit(game_id, BOB, "buy P2")
    find, asked = tables.links.find_called, list[str]()

    async def find_or_fail(call: CallRecord) -> object:
        asked.append(call.link)
        if call.link == asked[0]:
            raise StoreDamaged("damaged", game_id)
        return await find(call)

    monkeypatch.setattr(tables.links, "find_called", find_or_fail)
    assert await sender.send_due() == 4 and len(receiver.taken) == 2
    assert await sender.send_due() == 0, "it waits"
    for wait in WAITS:
        clock.advance(seconds=wait + 1)
        await sender.send_due()
    assert len(receiver.taken) == 2
    clock.advance(days=2)
    assert await sender.send_due() == 0, "it was given up"


async def test_a_silent_address_with_many_calls_holds_up_nobody_else(
    tables: GameService, game_id: GameId, receiver: Receiver, sender: CallSender, clock: Clock
) -> None:
    """Somebody whose program plays a game with itself causes hundreds of calls in a minute."""
    for _ in range(2):
        await tables.links.make(game_id, ANN, LinkKind.HOOK, "http://127.0.0.1:9/never")
    now, silent = tables.desk.now(), await tables.desk.store.links.list_to(game_id)
    for notice in range(2 * MOST_LISTED):
        link = silent[notice % 2].digest
        await tables.desk.store.calls.add(CallRecord(link, 1000 + notice, game_id, NoticeKind.BOARD, 0, now, now))
    await tables.links.make(game_id, CID, LinkKind.HOOK, receiver.address)
    clock.advance(seconds=1)
    await tables.moves.submit(game_id, BOB, "buy P2")
    tried = list[str]()
    post = sender.client.post

    async def note(address: str, *others: object) -> int:
        tried.append(address)
        return await post(address, *others)  # type: ignore[arg-type]

    sender.client.post = note  # type: ignore[method-assign]
    await sender.send_due()
    assert receiver.events == [("moved", None), ("turn", "Cid")], "in the first pass"
    assert sorted(tried) == [receiver.address] * 2 + ["http://127.0.0.1:9/never"] * 2, "each silent address once"
    assert await sender.send_due() == 0, "its other calls wait as long as the first"
    clock.advance(seconds=WAITS[0] + 1)
    await sender.send_due()
    assert len(tried) == 6, "then one of them is tried"


async def test_a_program_that_ends_in_a_call_neither_loses_nor_doubles_it(
    tables: GameService, game_id: GameId, receiver: Receiver, sender: CallSender, clock: Clock
) -> None:
    await tables.links.make(game_id, ANN, LinkKind.HOOK, receiver.address)
    await tables.moves.submit(game_id, BOB, "buy P2")
    calls = tables.desk.store.calls
    moment = tables.desk.now()
    begun = (await calls.list_due(moment, 1))[0]
    await calls.begin(begun.id, moment + WAITS[0])
    await sender.send_due()
    assert receiver.events == [("turn", "Cid")], "that call was begun; it may have arrived"
    clock.advance(seconds=WAITS[0] + 1)
    await sender.send_due()
    assert receiver.events == [("turn", "Cid"), ("moved", None)]
    assert receiver.taken[1][0]["webhook-id"] == f"msg_{begun.id}", "the receiver knows it by that"
    assert await calls.list_due(moment + 10**6, MOST_LISTED) == []


async def test_who_has_withdrawn_it_or_lost_the_seat_is_not_called(
    tables: GameService, game_id: GameId, receiver: Receiver, sender: CallSender
) -> None:
    for person in (ANN, BOB, CID):
        await tables.links.make(game_id, person, LinkKind.HOOK, receiver.address)
    await tables.moves.submit(game_id, BOB, "buy P2")
    await tables.links.withdraw_one(game_id, ANN, 1)
    await tables.moderation.replace(game_id, ANN, 2, CID, "Cid")
    await tables.privacy.forget_person(CID)
    await sender.send_due()
    assert receiver.taken == []
    await tables.desk.store.calls.drop_old(0.0)
    assert await tables.desk.store.calls.list_due(tables.desk.now() + 10**6, MOST_LISTED) == []


async def test_a_sitter_is_called_only_while_sitting_in(
    tables: GameService, game_id: GameId, receiver: Receiver, sender: CallSender, clock: Clock
) -> None:
    await tables.moderation.set_sitter(game_id, ANN, 2, "discord:77", "Dora", 1)
    await tables.links.make(game_id, "discord:77", LinkKind.HOOK, receiver.address)
    clock.advance(days=2)
    await tables.moves.submit(game_id, BOB, "buy P2")
    await sender.send_due()
    assert receiver.taken == []


async def test_a_question_that_is_answered_is_not_told_any_more(
    tables: GameService, game_id: GameId, receiver: Receiver, sender: CallSender
) -> None:
    await tables.links.make(game_id, ANN, LinkKind.HOOK, receiver.address)
    await tables.moves.submit(game_id, BOB, "buy P2")
    await tables.moves.submit(game_id, CID, "buy P3")
    await sender.send_due()
    assert sorted(receiver.events) == [("moved", None), ("moved", None), ("turn", "Ann")]


async def test_an_address_that_is_gone_is_withdrawn(
    tables: GameService, game_id: GameId, receiver: Receiver, sender: CallSender
) -> None:
    await tables.links.make(game_id, ANN, LinkKind.HOOK, receiver.address)
    receiver.answers = [410]
    await tables.moves.submit(game_id, BOB, "buy P2")
    await sender.send_due()
    assert len(receiver.taken) == 1
    assert await tables.links.links_of(game_id, ANN) == []


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.1",
        "0x7f000001",
        "2130706433",
        "10.0.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[fe80::1]",
        "[fd00::1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[::127.0.0.1]",
    ],
)
async def test_addresses_that_are_not_public_are_never_called(host: str) -> None:
    with pytest.raises(IllegalMove, match="Only public"):
        check_address(f"https://{host}/")
    with pytest.raises(ForbiddenAddress):
        await PublicClient().post(f"https://{host}/", b"", {})


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org",
        "https://",
        "https://ann:x@example.org",
        "ftp://example.org",
        "https://a b",
        "https://[::1",
        "",
        "https://example.org:99999",
        "https://exämple.org",
        "https://" + "x" * 600,
    ],
)
def test_what_is_no_plain_https_address_is_refused(address: str) -> None:
    with pytest.raises(IllegalMove):
        check_address(address)


async def test_a_name_is_looked_up_where_the_connection_goes(receiver: Receiver) -> None:
    client = PublicClient(schemes=("http",))
    with pytest.raises(OSError):
        await client.post(f"http://localhost:{receiver.port}/hook", b"", {})
    await client.close()
    assert receiver.taken == []
    assert is_public(ip_address("93.184.215.14")) and is_public(ip_address("2606:2800:220:1::1"))


async def test_a_server_has_nothing_remembered(receiver: Receiver) -> None:
    client = PublicClient(lambda address: address.is_loopback, ("http",))
    for _ in range(2):
        await client.post(f"http://localhost:{receiver.port}/hook", b"{}", {})
    await client.close()
    assert [headers.get("Cookie") for headers, _ in receiver.taken] == [None, None]


async def test_another_person_has_no_webhook(tables: GameService, game_id: GameId) -> None:
    with pytest.raises(Exception, match="no seat"):
        await tables.links.make(game_id, "discord:99", LinkKind.HOOK, "https://example.org/")

"""Calls to the addresses that players name (webhooks): signed as Standard Webhooks has it, sent once each is answered."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import logging
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress

import msgspec

from bot.engine import GameId, literal, seat
from bot.engine.notation import question
from bot.i18n import tr, use_language
from bot.ops.supervisor import keep_going
from bot.service.features.board_links import SPACING_OF_USES, hook_parts
from bot.service.features.notice_services import NoticeRequest, ServiceNotice, find_service
from bot.service.features.personal_notices import OF_TEST
from bot.service.game_service import GameService
from bot.service.sessions import GameSession
from bot.store import CallRecord, GameStatus, LinkKind, LinkRecord, NoticeKind, concerns_all
from bot.threads import run_in_thread

from .public_client import FAILURES, ForbiddenAddress, PublicClient
from .push_notices import PushNotice, PushTarget, encrypt, new_key, push_headers

log = logging.getLogger("signalbox.web")

MOST_AT_ONCE, MOST_LISTED = 4, 50
REGULAR = 20.0
"""Seconds after which calls are looked for without news."""
WAITS = (30.0, 300.0, 3600.0, 21600.0, 86400.0)
"""Seconds until a call is tried again, after each attempt; after the last it is given up."""
KEPT, SWEEPING = 3 * 86400.0, 3600.0
"""Seconds for which a call is kept, and between two sweeps of old calls."""
NOT_FOUND, GONE = 404, 410
EVENTS = {NoticeKind.BOARD: "moved", NoticeKind.TURN: "turn", NoticeKind.REMINDER: "reminder"}


class SilentAddress(Exception):
    """An address that does not answer, by the kind of its failure."""


class HookEvent(msgspec.Struct):
    """The content of a call. `seat` is the seat that is asked, in a `turn` or `reminder`; `text` says it in a sentence."""

    type: str
    game: int
    title: str
    status: str
    version: int
    seat: str | None
    player: str | None
    text: str
    timestamp: float


class CallSender:
    def __init__(self, tables: GameService, origin: Callable[[], str], client: PublicClient | None = None) -> None:
        self.tables, self.origin, self.client = tables, origin, client or PublicClient()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        self.tables.desk.listeners.append(self.wake)
        self._task = asyncio.create_task(keep_going(self._run, "calling webhooks"), name="webhooks")

    async def wake(self, game_id: GameId, saved: object = None) -> None:
        self._wake.set()

    async def close(self) -> None:
        if self._task is not None:
            self.tables.desk.listeners.remove(self.wake)
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        await self.client.close()

    async def _run(self) -> None:
        swept = -SWEEPING
        while True:
            self._wake.clear()
            if time.monotonic() - swept >= SWEEPING:
                swept = time.monotonic()
                await self.tables.desk.store.calls.drop_old(self.tables.desk.now() - KEPT)
            while await self.send_due():
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(REGULAR):
                    await self._wake.wait()

    async def send_due(self) -> int:
        """Make the calls that are due: those of one address in order, a few addresses at once. Returns how many were tried."""
        found = await self.tables.desk.store.calls.list_due(self.tables.desk.now(), MOST_LISTED)
        by_link: dict[str, list[CallRecord]] = defaultdict(list)
        for call in found:
            by_link[call.link].append(call)
        places = asyncio.Semaphore(MOST_AT_ONCE)

        async def send_all(calls: list[CallRecord]) -> None:
            async with places:
                for call in calls:
                    if not await self.send(call):
                        break

        await asyncio.gather(*(send_all(calls) for calls in by_link.values()))
        return len(found)

    async def send(self, call: CallRecord) -> bool:
        """Try a call. Without an answer, or if it cannot be made, it stays to be made later, and holds up no other. Returns whether
        its address can take others now: a silent address is left alone as long as this call waits.
        """
        store = self.tables.desk.store
        wait = WAITS[min(call.attempts, len(WAITS) - 1)]
        later = self.tables.desk.now() + wait
        is_over, is_silent = not await store.calls.begin(call.id, later), False
        try:
            is_over = is_over or await self._attempt(call)
        except SilentAddress as error:
            log.info("an address does not answer: %s", error, extra={"game": call.game})
            is_silent = True
            await store.calls.postpone(call.link, later)
        except Exception as error:
            if concerns_all(error):
                raise
            log.warning("a call cannot be made: %s", error, exc_info=error, extra={"game": call.game})
        if is_over or call.attempts + 1 >= len(WAITS):
            await store.calls.end(call.id)
        return not is_silent

    async def _attempt(self, call: CallRecord) -> bool:
        """Make a call, if its owner still has the right to it; returns whether that was all.

        :raises SilentAddress: there was no answer.
        """
        found = await self.tables.links.find_called(call)
        if found is None:
            return True
        kind = found[0].kind
        build = {LinkKind.PUSH: self._notice, LinkKind.NOTIFY: self._service_notice}.get(kind, self._hook_call)
        request = await build(call, *found)
        try:
            status = await self.client.post(request.address, request.content, request.headers, request.method)
        except ForbiddenAddress:
            status = GONE
        except FAILURES as error:
            raise SilentAddress(type(error).__name__) from error
        if status == GONE or (kind == LinkKind.PUSH and status == NOT_FOUND):
            log.info("an address is withdrawn: it is gone or not public", extra={"game": call.game})
            await self.tables.desk.store.links.withdraw_digest(call.link)
            return True
        is_taken = 200 <= status < 300
        if is_taken:
            await self.tables.links.mark_used(found[0], SPACING_OF_USES)
        return is_taken

    async def _hook_call(self, call: CallRecord, link: LinkRecord, table: GameSession) -> NoticeRequest:
        secret, address = hook_parts(link)
        body = msgspec.json.encode(event_of(call, table))
        return NoticeRequest(address, body, signed_headers(secret, call.id, self.tables.desk.now(), body))

    async def _service_notice(self, call: CallRecord, link: LinkRecord, table: GameSession) -> NoticeRequest:
        """In the reader's language."""
        service, parts = find_service(link.target)
        with use_language(await self.tables.languages.chosen_language(link.person) or table.record.language):
            title, body = f"{table.record.title} #{call.game}", notice_body(call, table)
        return service.request(parts, ServiceNotice(title, body, f"{self.origin()}/g/{call.game}/", call.id))

    async def _notice(self, call: CallRecord, link: LinkRecord, table: GameSession) -> NoticeRequest:
        """In the reader's language, with the number of their games that wait for them."""
        target = msgspec.json.decode(link.target, type=PushTarget)
        waiting = sum(one.waits_for(link.person) for one in await self.tables.queries.games_of(link.person))
        tag = f"game-{call.game}"
        with use_language(await self.tables.languages.chosen_language(link.person) or table.record.language):
            title, body = f"{table.record.title} #{call.game}", notice_body(call, table)
        content = msgspec.json.encode(PushNotice(title, body, tag, f"/g/{call.game}/", waiting))
        key = await self.tables.desk.store.calls.key("push", new_key)
        encrypted = await run_in_thread(encrypt, target, content)
        headers = await run_in_thread(push_headers, key, target, self.origin(), tag)
        return NoticeRequest(target.endpoint, encrypted, headers)


def notice_body(call: CallRecord, table: GameSession) -> str:
    if call.notice == OF_TEST:
        return tr("This is a test: your notices arrive here.")
    if table.game is None or table.record.status == GameStatus.FINISHED:
        return tr("The game is over.")
    asked = tr(question(table.game))
    return tr("Reminder: {question}", literal(asked)) if call.kind == NoticeKind.REMINDER else asked


def event_of(call: CallRecord, table: GameSession) -> HookEvent:
    """The game as it is now, in its language."""
    record, asked = table.record, call.seat
    is_over = record.status == GameStatus.FINISHED
    kind = "finished" if is_over else EVENTS[NoticeKind(call.kind)]
    name = table.names.get(seat(asked)) if asked is not None else None
    with use_language(record.language):
        text = f"{record.title} #{record.id}: {tr(question(table.game)) if table.game is not None else ''}"
    player = seat(asked) if asked is not None else None
    return HookEvent(kind, record.id, record.title, record.status, record.version, player, name, text, call.made_at)


def signed_headers(secret: str, number: int, now: float, body: bytes) -> dict[str, str]:
    """The headers of Standard Webhooks: the same number in every attempt, and a signature of number, moment and content."""
    name, moment = f"msg_{number}", str(int(now))
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{name}.{moment}.".encode() + body, hashlib.sha256).digest()
    return {
        "Content-Type": "application/json",
        "webhook-id": name,
        "webhook-timestamp": moment,
        "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
    }

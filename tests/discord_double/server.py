"""The HTTP side: reads a request, lets failures and oracles have their say, answers as Discord does."""

from __future__ import annotations

import asyncio
import json
import math
import re
import time
from collections import deque
from http import HTTPStatus
from typing import Any

from aiohttp import web

from tests.discord_double import routes_account, routes_channels, routes_interactions
from tests.discord_double.buckets import OLD_EDITS, Bucket, Buckets
from tests.discord_double.calls import Call, Upload
from tests.discord_double.errors import ApiError
from tests.discord_double.faults import VIA, Fault, Faults
from tests.discord_double.gateway import FIRST_CLOSE_CODE, Gateway
from tests.discord_double.interactions import Interactions
from tests.discord_double.messages import Messages
from tests.discord_double.model import World
from tests.discord_double.openapi import OpenApi, load_oracle
from tests.discord_double.payloads import Payloads
from tests.discord_double.pulse import Pulse
from tests.discord_double.routes import Handler, find

ROUTES = (routes_account, routes_channels, routes_interactions)
"""The modules whose handlers make up the table."""

TOKEN = "MTAwMDAwMDAwMDAwMDAwMDAw.double.of-discord-0000000000000000000"
API, CDN, GATEWAY = "/api/v10", "/cdn", "/gateway"
OPEN_TO_ALL = ("/interactions/", "/webhooks/", "/gateway")
"""Paths that need no token: the interaction's own stands in them."""

GLOBAL_RATE = 50
"""Requests a second, answers to interactions exempt."""

CUT_OFF = 499
"""The status of a request whose sender went away before it was complete; nobody reads it."""

GLANCE = 0.02
"""So often, in seconds, a late answer looks whether anybody still waits for it."""

SENDER = re.compile(r" pid/(\d+)$")
UPLOAD = re.compile(r"files\[(\d+)\]")


class Emulator:
    """Discord on a port of this machine."""

    def __init__(self) -> None:
        self.world = World()
        self.pulse = Pulse()
        self.faults = Faults()
        self.buckets = Buckets()
        self.old_edits = Bucket(*OLD_EDITS)
        self.problems: list[str] = []
        self.calls: list[Call] = []
        self.oracle: OpenApi | None = load_oracle()
        self.rate_limited = 0
        self.is_down = False
        self.is_http_down = False
        self._recent: deque[float] = deque(maxlen=GLOBAL_RATE)
        self._runner: web.AppRunner | None = None

    async def start(self) -> None:
        """Listen on a free port and build what depends on the address."""
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_get(GATEWAY + "{tail:.*}", self._open_gateway)
        app.router.add_get(CDN + "/{tail:.*}", self._file)
        app.router.add_route("*", "/{tail:.*}", self._handle)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        self.gateway_url = f"ws://{host}:{port}{GATEWAY}"
        self.payloads = Payloads(self.world, self.url + CDN)
        self.gateway = Gateway(self.world, self.payloads, TOKEN, self.gateway_url, self.report)
        self.gateway.on_change = self.pulse.beat
        self.messages = Messages(self.world, self.payloads, self.gateway, self.pulse)
        self.interactions = Interactions(self.world, self.payloads, self.gateway, self.pulse, self.report)

    async def stop(self) -> None:
        """Close all sockets and the port."""
        self.gateway.drop()
        if self._runner is not None:
            await self._runner.cleanup()

    def report(self, problem: str) -> None:
        """Keep what the bot, or the emulator, did wrong; the teardown judges."""
        self.problems.append(problem)
        self.pulse.beat()

    # -- requests -------------------------------------------------------------------------------------

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        if not request.path.startswith(API + "/"):
            self.report(f"unknown route: {request.method} {request.path}")
            return web.Response(status=404)
        call = Call(request.method, request.rel_url.raw_path.removeprefix(API), dict(request.query))
        if signed := SENDER.search(request.headers.get("User-Agent", "")):
            call.sender = int(signed[1])
        if self.is_down or self.is_http_down:
            return web.Response(status=503, text="upstream connect error")
        self.calls.append(call)
        handler = find(call)
        fault = None
        try:
            await _read(request, call)
            fault = self.faults.take(call) or self._too_fast(call) or self.buckets.take(call)
            if fault is not None and (fault.delay or (fault.is_silent and fault.status)):
                await _linger(request, fault)
                if fault.is_silent or request.transport is None:
                    return self._reply(call, CUT_OFF, None)
            if fault is not None and fault.status:
                return self._refuse(call, fault)
            call.authorized = request.headers.get("Authorization") == f"Bot {TOKEN}"
            status, answer = self._answer(call, handler)
        except ApiError as error:
            self.report(f"{error.status} {error.code} {call}: {error}{f' [{error.oracle}]' if error.oracle else ''}")
            status, answer = error.status, error.body()
            if error.retry_after is not None:
                return self._reply(call, status, answer, VIA | {"Retry-After": str(math.ceil(error.retry_after))})
        except ConnectionError:
            # Whoever asked was killed in the middle of his question: it never arrived.
            return self._reply(call, CUT_OFF, None)
        return await self._send(request, call, status, answer, fault)

    def _too_fast(self, call: Call) -> Fault | None:
        """The global limit: a 429 for the fifty-first request within a second."""
        if call.path.startswith(OPEN_TO_ALL):
            return None
        now = time.monotonic()
        if len(self._recent) == GLOBAL_RATE and (left := self._recent[0] + 1 - now) > 0:
            self.rate_limited += 1
            return Fault(str(call), status=429, retry_after=round(left + 0.1, 3), is_global=True)
        self._recent.append(now)
        return None

    def _answer(self, call: Call, handler: Handler | None) -> tuple[int, Any]:
        if handler is None:
            self.report(f"unknown route: {call}")
            return 404, {"code": 0, "message": "404: Not Found"}
        if not call.authorized and not call.path.startswith(OPEN_TO_ALL):
            raise ApiError(401, 0)
        if self.oracle is not None:
            self.oracle.check_request(call.method, call.path, call.body)
        return handler(self, call)

    async def _send(
        self, request: web.Request, call: Call, status: int, answer: Any, fault: Fault | None
    ) -> web.StreamResponse:
        if self.oracle is not None and status < 300:
            wrong = self.oracle.response_fault(call.method, call.path, status, answer)
            if wrong is not None:
                self.report(f"emulator: {call}: {wrong}")
        response = self._reply(call, status, answer)
        if fault is not None and fault.is_silent:
            await _linger(request, fault)
        elif fault is not None and fault.is_lost and request.transport is not None:
            request.transport.abort()
        return response

    def _refuse(self, call: Call, fault: Fault) -> web.Response:
        """A failing answer; a page knows nothing of buckets."""
        body = fault.body()
        if not isinstance(body, str):
            return self._reply(call, fault.status, body, fault.headers())
        call.status, call.answer = fault.status, body
        return web.Response(status=fault.status, text=body, content_type="text/html", headers=fault.headers())

    def _reply(self, call: Call, status: int, answer: Any, headers: dict[str, str] | None = None) -> web.Response:
        """An answer with the headers of its bucket; the content type has no charset."""
        call.status, call.answer = status, answer
        told = self.buckets.headers(call) | (VIA if headers is None else headers)
        if answer is None:
            return web.Response(status=status, headers=told)
        body = json.dumps(answer).encode()
        return web.Response(status=status, body=body, content_type="application/json", headers=told)

    async def _open_gateway(self, request: web.Request) -> web.StreamResponse:
        refused = 503 if self.is_down else self.gateway.refused_with
        if refused is not None and HTTPStatus.CONTINUE <= refused < FIRST_CLOSE_CODE:
            return web.Response(status=refused, text="upstream connect error")
        return await self.gateway.handle(request)

    async def _file(self, request: web.Request) -> web.Response:
        """A file of a message, as the CDN serves it."""
        number = request.path.split("/")[-2]
        attachment = self.world.files.get(int(number)) if number.isdigit() else None
        if attachment is None:
            return web.Response(status=404)
        return web.Response(body=attachment.data, content_type=attachment.content_type)


async def _linger(request: web.Request, fault: Fault) -> None:
    """Keep whoever asked waiting as long as the fault says, or until they have gone. After silence the line is cut."""
    try:
        async with asyncio.timeout(None if fault.is_silent else fault.delay):
            while request.transport is not None and not fault.is_lifted:
                await asyncio.sleep(GLANCE)
    except TimeoutError:
        return
    if fault.is_silent and request.transport is not None:
        request.transport.abort()


async def _read(request: web.Request, call: Call) -> None:
    """Fill a call's body and files.

    :raises ApiError: 50109 when the body is no JSON, 50035 when the content type is not exactly Discord's.
    """
    if request.content_type == "multipart/form-data":
        form = await request.post()
        for name, part in form.items():
            if (match := UPLOAD.fullmatch(name)) and isinstance(part, web.FileField):
                call.uploads.append(Upload(int(match[1]), part.filename, part.file.read()))
            elif name == "payload_json":
                call.body = _json(str(part))
        call.body = {} if call.body is None else call.body
        return
    text = await request.text()
    if not text:
        return
    if request.headers.get("Content-Type") != "application/json":
        raise ApiError(400, 50035, [f"Content-Type {request.headers.get('Content-Type')!r}"], "limits")
    call.body = _json(text)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ApiError(400, 50109, [str(error)]) from error

"""The double itself: HTTP routes and the gateway, with faults on demand."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from aiohttp import WSMsgType, web

from .model import APPLICATION, BOT, GUILD, World
from .oracles import Specification, limit_problems

Answer = dict[str, Any] | list[Any] | None
PREFIX = "/api/v10"


class Double:
    """One emulated Discord. `problems` collects everything that a test must not leave behind."""

    def __init__(self, shared: Path) -> None:
        self.world = World()
        self.specification = Specification(shared)
        self.problems: list[str] = []
        self.expected_codes: set[int] = set()
        self.faults: list[tuple[str, int]] = []
        self.requests: list[tuple[str, str]] = []
        self.interactions: dict[str, dict[str, Any]] = {}
        self.sockets: list[web.WebSocketResponse] = []
        self.sequence = 0
        self.identified = 0
        self.resumed = 0
        self.ready = asyncio.Event()
        self.changed = asyncio.Condition()
        self.port = 0
        self._runner: web.AppRunner | None = None

    async def start(self) -> None:
        """Listen on a free port of the loopback."""
        app = web.Application(client_max_size=30 * 2**20)
        app.router.add_get("/gateway", self._gateway)
        app.router.add_get("/resume", self._gateway)
        app.router.add_route("*", PREFIX + "/{path:.*}", self._http)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        """Close everything."""
        for socket in self.sockets:
            with contextlib.suppress(Exception):
                await socket.close()
        if self._runner is not None:
            await self._runner.cleanup()

    async def wait_for(self, condition: Callable[[], Any], what: str, seconds: float = 15.0) -> Any:
        """Wait until something holds.

        :raises AssertionError: it does not within the time.
        """
        async with self.changed:
            try:
                await asyncio.wait_for(self.changed.wait_for(lambda: bool(condition())), seconds)
            except TimeoutError:
                raise AssertionError(f"waited in vain for {what}; problems so far: {self.problems}") from None
        return condition()

    async def notify(self) -> None:
        """Something changed."""
        async with self.changed:
            self.changed.notify_all()

    # -- gateway ------------------------------------------------------------------------------------

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self.sockets.append(socket)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 41250}})
        async for message in socket:
            if message.type == WSMsgType.TEXT:
                await self._received(socket, json.loads(message.data), request.path)
        if socket in self.sockets:
            self.sockets.remove(socket)
        return socket

    async def _received(self, socket: web.WebSocketResponse, payload: dict[str, Any], path: str) -> None:
        if payload["op"] == 1:
            await asyncio.sleep(0.02)
            await socket.send_json({"op": 11, "d": None})
        elif payload["op"] == 2:
            self.identified += 1
            await self.dispatch("READY", self._ready())
            await self.dispatch("GUILD_CREATE", self.world.guild())
            self.ready.set()
            await self.notify()
        elif payload["op"] == 6:
            if path != "/resume":
                self.problems.append("resumed on the wrong address")
            self.resumed += 1
            await self.dispatch("RESUMED", {})
            await self.notify()

    def _ready(self) -> dict[str, Any]:
        return {
            "v": 10,
            "user": self.world.users[BOT],
            "guilds": [{"id": GUILD, "unavailable": True}],
            "session_id": f"session-{self.identified}",
            "resume_gateway_url": f"ws://127.0.0.1:{self.port}/resume",
            "application": {"id": APPLICATION, "flags": 0},
        }

    async def dispatch(self, name: str, data: dict[str, Any]) -> None:
        """Send an event to the bot."""
        self.sequence += 1
        for socket in list(self.sockets):
            with contextlib.suppress(ConnectionError):
                await socket.send_json({"op": 0, "t": name, "s": self.sequence, "d": data})

    async def drop_gateway(self) -> None:
        """Cut the connection; the bot may resume."""
        for socket in list(self.sockets):
            await socket.close(code=4000)

    async def invalidate_session(self) -> None:
        """End the session; the bot must identify afresh."""
        for socket in list(self.sockets):
            await socket.send_json({"op": 9, "d": False})

    # -- HTTP ---------------------------------------------------------------------------------------

    async def _http(self, request: web.Request) -> web.Response:
        path = "/" + request.match_info["path"]
        self.requests.append((request.method, path))
        fault = next((entry for entry in self.faults if entry[0] in path), None)
        if fault is not None and not fault[0].startswith("lost:"):
            self.faults.remove(fault)
            return self._fault(fault[1])
        body, files = await self._body(request)
        self.problems += [f"{request.method} {path}: {p}" for p in limit_problems(body, files)]
        self.problems += self.specification.problems(request.method, path, body)
        status, answer = await self._route(request.method, path.strip("/").split("/"), body, files, request)
        lost = next((entry for entry in self.faults if entry[0].startswith("lost:") and entry[0][5:] in path), None)
        if lost is not None:
            self.faults.remove(lost)
            if request.transport is not None:
                request.transport.close()
        if status >= 400 and (not isinstance(answer, dict) or answer.get("code") not in self.expected_codes):
            self.problems.append(f"{request.method} {path} was answered {status} {answer}")
        await self.notify()
        if answer is None:
            return web.Response(status=status)
        return web.Response(
            status=status, body=json.dumps(answer).encode(), headers={"Content-Type": "application/json"}
        )

    def _fault(self, status: int) -> web.Response:
        if status == 429:
            body = {"message": "slow down", "retry_after": 0.05, "global": False}
            return web.Response(
                status=429, body=json.dumps(body).encode(), headers={"Content-Type": "application/json", "Via": "1.1 x"}
            )
        return web.Response(status=status, body=b"{}", headers={"Content-Type": "application/json"})

    async def _body(self, request: web.Request) -> tuple[Any, dict[str, bytes]]:
        if request.content_type == "multipart/form-data":
            parts = await request.post()
            files = {name: part.file.read() for name, part in parts.items() if isinstance(part, web.FileField)}
            return json.loads(str(parts["payload_json"])), files
        text = await request.text()
        return (json.loads(text) if text else None), {}

    async def _route(
        self, method: str, path: list[str], body: Any, files: dict[str, bytes], request: web.Request
    ) -> tuple[int, Answer]:
        world = self.world
        match (method, *path):
            case ("GET", "users", "@me"):
                return 200, world.users[BOT]
            case ("GET", "oauth2", "applications", "@me") | ("GET", "applications", "@me"):
                return 200, self._application()
            case ("PUT", "applications", _, "commands"):
                world.commands = [
                    {**command, "id": world.number(), "application_id": APPLICATION, "version": "1"} for command in body
                ]
                return 200, world.commands
            case ("POST", "interactions", number, _, "callback"):
                return self._callback(number, body, files, request)
            case ("PATCH", "webhooks", _, token, "messages", "@original"):
                return self._edit_original(token, body, files)
            case ("POST", "channels", channel, "messages"):
                return self._send(channel, body, files)
            case ("PATCH", "channels", _, "messages", number) if number in world.messages:
                return 200, world.change(number, body, files)
            case ("DELETE", "channels", _, "messages", number):
                world.messages.pop(number, None)
                return 204, None
            case ("GET", "channels", channel) if channel in world.channels:
                return 200, world.channels[channel]
            case ("POST", "channels", channel, "threads"):
                return 201, await self._thread(channel, body)
            case ("POST", "users", "@me", "channels"):
                return 200, self._direct(str(body["recipient_id"]))
        self.problems.append(f"unknown route {method} /{'/'.join(path)}")
        return 404, {"code": 0, "message": "unknown"}

    def _application(self) -> dict[str, Any]:
        return {
            "id": APPLICATION,
            "name": "Signalbox",
            "description": "",
            "icon": None,
            "bot_public": True,
            "bot_require_code_grant": False,
            "verify_key": "0",
            "flags": 0,
            "owner": self.world.users[BOT],
            "team": None,
            "summary": "",
        }

    def _send(self, channel: str, body: dict[str, Any], files: dict[str, bytes]) -> tuple[int, Answer]:
        recipient = self.world.channels.get(channel, {}).get("recipient")
        if recipient in self.world.closed_to_messages:
            return 403, {"code": 50007, "message": "Cannot send messages to this user"}
        if body.get("enforce_nonce"):
            for message in self.world.messages.values():
                if message["channel_id"] == channel and message.get("nonce") == body["nonce"]:
                    return 200, message
        return 200, self.world.message(channel, BOT, body, files)

    async def _thread(self, parent: str, body: dict[str, Any]) -> dict[str, Any]:
        number = self.world.number()
        thread = {
            "id": number,
            "type": 11,
            "name": body["name"],
            "guild_id": GUILD,
            "parent_id": parent,
            "owner_id": BOT,
            "message_count": 0,
            "member_count": 1,
            "total_message_sent": 0,
            "rate_limit_per_user": 0,
            "flags": 0,
            "thread_metadata": {
                "archived": False,
                "auto_archive_duration": body.get("auto_archive_duration", 1440),
                "archive_timestamp": "2026-01-01T00:00:00+00:00",
                "locked": False,
                "create_timestamp": "2026-01-01T00:00:00+00:00",
            },
            "last_message_id": None,
        }
        self.world.channels[number] = thread
        await self.dispatch("THREAD_CREATE", {**thread, "newly_created": True})
        return thread

    def _direct(self, recipient: str) -> dict[str, Any]:
        number = f"3{recipient[1:]}"
        self.world.channels[number] = {
            "id": number,
            "type": 1,
            "recipient": recipient,
            "recipients": [self.world.users[recipient]],
            "last_message_id": None,
        }
        return {key: value for key, value in self.world.channels[number].items() if key != "recipient"}

    # -- interactions -------------------------------------------------------------------------------

    def _callback(
        self, number: str, body: dict[str, Any], files: dict[str, bytes], request: web.Request
    ) -> tuple[int, Answer]:
        interaction = self.interactions.get(number)
        if interaction is None:
            return 404, {"code": 10062, "message": "Unknown interaction"}
        if interaction.get("answer") is not None:
            return 400, {"code": 40060, "message": "Interaction has already been acknowledged."}
        interaction["answer"] = body
        data = body.get("data") or {}
        if body["type"] in (4, 5):
            message = self.world.message(interaction["channel_id"], BOT, data, files)
            message["private"] = bool(int(data.get("flags") or 0) & 64)
            interaction["message"] = message
            message["done"] = body["type"] == 4
        if request.query.get("with_response"):
            resource = (
                {"type": body["type"], "message": interaction.get("message")} if interaction.get("message") else None
            )
            return 200, {
                "interaction": {"id": number, "type": interaction["type"], "response_message_id": None},
                "resource": resource,
            }
        return 204, None

    def _edit_original(self, token: str, body: dict[str, Any], files: dict[str, bytes]) -> tuple[int, Answer]:
        interaction = next((entry for entry in self.interactions.values() if entry["token"] == token), None)
        if interaction is None or "message" not in interaction:
            return 404, {"code": 10008, "message": "Unknown Message"}
        message = self.world.change(interaction["message"]["id"], body, files)
        message["done"] = True
        return 200, message


Handler = Callable[[web.Request], Awaitable[web.Response]]

"""Health and metrics over HTTP, for this machine only: `/health`, `/ready`, `/metrics`."""

from __future__ import annotations

from dataclasses import asdict

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from .health import Health, HealthCheck

LOOPBACK = "127.0.0.1"


class HealthServer:
    """A small web server on the loopback address."""

    def __init__(self, port: int, probe: HealthCheck) -> None:
        self.port = port
        self._probe = probe
        self._runner: web.AppRunner | None = None

    async def open(self) -> None:
        """Listen; port 0 takes a free port, which `port` then holds.

        :raises OSError: the port is taken.
        """
        app = web.Application(client_max_size=1024)
        app.router.add_get("/health", self._health)
        app.router.add_get("/ready", self._ready)
        app.router.add_get("/metrics", self._metrics)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await runner.setup()
        try:
            await web.TCPSite(runner, LOOPBACK, self.port).start()
        except OSError:
            await runner.cleanup()
            raise
        self._runner = runner
        self.port = runner.addresses[0][1]

    async def close(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def _health(self, request: web.Request) -> web.Response:
        health = await self._probe()
        return _answer(health, health.is_healthy)

    async def _ready(self, request: web.Request) -> web.Response:
        health = await self._probe()
        return _answer(health, health.is_ready)

    async def _metrics(self, request: web.Request) -> web.Response:
        await self._probe()
        return web.Response(body=generate_latest(), headers={"Content-Type": CONTENT_TYPE_LATEST})


def _answer(health: Health, is_good: bool) -> web.Response:
    return web.json_response({"ok": is_good, **asdict(health)}, status=200 if is_good else 503)

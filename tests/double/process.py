"""The bot as a process: started, killed, restarted; its log is read at the end."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from .server import Double

PROJECT = Path(__file__).resolve().parents[2]


class BotProcess:
    """One bot with its data folder."""

    def __init__(self, double: Double, data: Path) -> None:
        self.double = double
        self.data = data
        self.log = ""
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start and wait until it is ready."""
        self.double.ready.clear()
        environment = {
            **os.environ,
            "DISCORD_TOKEN": "double.secret.token",
            "SIGNALBOX_DATA": str(self.data),
            "DOUBLE_PORT": str(self.double.port),
            "PYTHONPATH": str(PROJECT),
        }
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            str(Path(__file__).with_name("launcher.py")),
            env=environment,
            cwd=self.data,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        self._reader = asyncio.create_task(self._read())
        try:
            await asyncio.wait_for(self.double.ready.wait(), 20)
        except TimeoutError:
            raise AssertionError(f"the bot did not get ready:\n{self.log}") from None

    async def _read(self) -> None:
        assert self._process is not None and self._process.stdout is not None
        async for line in self._process.stdout:
            self.log += line.decode()

    async def kill(self) -> None:
        """kill -9."""
        await self._end(signal.SIGKILL)

    async def terminate(self) -> int:
        """SIGTERM; returns the exit code."""
        return await self._end(signal.SIGTERM)

    async def _end(self, number: int) -> int:
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(number)
        code = await asyncio.wait_for(self._process.wait(), 10)
        if self._reader is not None:
            await asyncio.wait([self._reader], timeout=0.5)
            self._reader.cancel()
        return code

    def errors(self) -> list[str]:
        """Lines of the log that a healthy bot does not write."""
        return [line for line in self.log.splitlines() if "ERROR" in line or "Traceback" in line]

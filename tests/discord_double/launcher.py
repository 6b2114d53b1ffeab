"""The bot as a process of its own: started, killed, ended, restarted; every line it prints is kept."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tests.discord_double.boot import READY_LINE
from tests.discord_double.nursery import LONGEST_LINE, REPOSITORY, Forked, fork
from tests.discord_double.server import TOKEN

if TYPE_CHECKING:
    from tests.discord_double.double import Double

BOOT = Path(__file__).with_name("boot.py")
READY_SECONDS, CLOSE_SECONDS = 60.0, 30.0
"""How long a test waits for a bot; what is promised is less, and measured by the long campaigns."""

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
BAD_LINE = re.compile(
    r"\[?\b(ERROR|CRITICAL)\s*\]? |\"level\": \"(ERROR|CRITICAL)\"|^ *Traceback \(most recent call last\)|was never awaited"
)


class BotProcess:
    """One bot, through all its lives; a fresh one is no fork, but starts its own interpreter and finds no database."""

    def __init__(
        self, double: Double, command: Sequence[str], environment: Mapping[str, str], is_fresh: bool = False
    ) -> None:
        self.double = double
        self.is_fresh = is_fresh
        self.command = list(command)
        self.environment = dict(environment)
        self.lines: list[str] = []
        self.starts = 0
        self.readies = 0
        self._process: asyncio.subprocess.Process | Forked | None = None
        self._readers: list[asyncio.Task[None]] = []
        self.was_killed = False
        self._is_ending = False

    @property
    def pid(self) -> int:
        """The number of the running process."""
        assert self._process is not None, "the bot is not running"
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether it lives."""
        return self._process is not None and self._process.returncode is None

    async def start(self, wait: bool = True) -> None:
        """Start, and wait until its client is ready.

        :raises AssertionError: it ended, or was not ready in time.
        """
        known = self.readies
        self._is_ending = False
        self.starts += 1
        environment = {
            **os.environ,
            "PYTHONUNBUFFERED": "1",
            "SIGNALBOX_DOUBLE": self.double.url,
            "DISCORD_TOKEN": TOKEN,
            "SIGNALBOX_RATE": "0",
            "SIGNALBOX_BACKUP_HOURS": "0",
            **self.environment,
        }
        self._process = await (self._exec(environment) if self.is_fresh else fork(self.command, environment))
        self._readers = [asyncio.create_task(self._read(name)) for name in ("stdout", "stderr")]
        self._readers.append(asyncio.create_task(self._watch(self._process)))
        if wait:
            await self._wait_ready(known)

    async def _exec(self, environment: Mapping[str, str]) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            str(BOOT),
            *self.command,
            cwd=REPOSITORY,
            env=environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=LONGEST_LINE,
        )

    async def _wait_ready(self, known: int) -> None:
        try:
            await self.double.pulse.until(lambda: self.readies > known or not self.is_running, READY_SECONDS, "the bot")
        except TimeoutError as error:
            raise AssertionError(f"{error}\n{self.tail()}") from None
        assert self.is_running, f"the bot ended before it was ready\n{self.tail()}"

    async def kill(self) -> None:
        """End it as a power cut would: SIGKILL."""
        self._is_ending = self.was_killed = True
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
        await self.finish()

    async def terminate(self, timeout: float = CLOSE_SECONDS, number: int = signal.SIGTERM) -> int:
        """Ask it to end; returns its exit code. One that does not end in time is killed, and reported."""
        assert self._process is not None, "the bot is not running"
        self._is_ending = True
        if self._process.returncode is None:
            self._process.send_signal(number)
            try:
                await asyncio.wait_for(self._process.wait(), timeout)
            except TimeoutError:
                self.double.report(f"bot: did not end within {timeout} s of signal {number}")
                self._process.kill()
        await self.finish()
        return self._process.returncode or 0

    async def restart(self, kill: bool = False) -> None:
        """End it (roughly with `kill`) and start it again."""
        if kill:
            await self.kill()
        else:
            await self.terminate()
        await self.start()

    async def finish(self) -> None:
        """Wait for its end and for its last lines."""
        if self._process is not None:
            await self._process.wait()
        await asyncio.gather(*self._readers, return_exceptions=True)

    async def _read(self, name: str) -> None:
        assert self._process is not None
        stream = getattr(self._process, name)
        while raw := await stream.readline():
            line = COLOUR.sub("", raw.decode(errors="replace").rstrip("\n"))
            if line == READY_LINE:
                self.readies += 1
            else:
                self.lines.append(line)
            if BAD_LINE.search(line):
                self.double.report(f"log: {line}")
            self.double.pulse.beat()

    async def _watch(self, process: asyncio.subprocess.Process | Forked) -> None:
        code = await process.wait()
        if not self._is_ending:
            self.double.report(f"bot: ended by itself with code {code}")
        self.double.pulse.beat()

    async def logged(self, pattern: str, timeout: float = 30.0) -> str:
        """The first line of all its lives that matches, once it is printed."""
        look = re.compile(pattern)
        return await self.double.pulse.until(
            lambda: next((line for line in self.lines if look.search(line)), ""), timeout, f"the line {pattern!r}"
        )

    def resident_mb(self) -> float:
        """Resident memory in megabytes."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def tail(self, count: int = 30) -> str:
        """What it printed last."""
        return "\n".join(["--- the bot's last lines:", *self.lines[-count:]])

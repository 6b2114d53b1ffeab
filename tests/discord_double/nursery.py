"""Bots are forked from a process that has imported everything: they start in a tenth of the time, and are as real.

Each bot is a process of its own, which can be killed, has its own memory, descriptors and environment.
"""

from __future__ import annotations

import asyncio
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from multiprocessing import forkserver, resource_tracker
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
LONGEST_ORDER = 1 << 20


# -- in the tests -------------------------------------------------------------------------------------

LONGEST_LINE = 2**22
"""Bytes of a line of a bot's output: one that logs everything writes all commands into one."""


class Forked:
    """A forked bot, with the part of asyncio's `Process` that the launcher uses."""

    def __init__(self, pid: int, outputs: tuple[asyncio.StreamReader, ...], status: asyncio.StreamReader) -> None:
        self.pid = pid
        self.stdout, self.stderr = outputs
        self.returncode: int | None = None
        self._end = asyncio.create_task(self._wait(status))

    async def _wait(self, status: asyncio.StreamReader) -> int:
        self.returncode = int(await status.read() or -signal.SIGKILL)
        return self.returncode

    async def wait(self) -> int:
        """Its exit code (minus the signal's number), once it has ended."""
        return await asyncio.shield(self._end)

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it lives."""
        if self.returncode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it as a power cut would."""
        self.send_signal(signal.SIGKILL)


async def fork(command: Sequence[str], environment: Mapping[str, str]) -> Forked:
    """Start a bot: what `boot.py` would be called with, and its whole environment."""
    pipes = [os.pipe() for _ in range(3)]
    nursery = _nursery()
    order = json.dumps({"command": list(command), "environment": dict(environment)}).encode()
    socket.send_fds(nursery, [order], [end for _, end in pipes])
    pid = int(nursery.recv(32))
    for _, end in pipes:
        os.close(end)
    out, errors, status = [await _reader(end) for end, _ in pipes]
    return Forked(pid, (out, errors), status)


async def _reader(descriptor: int) -> asyncio.StreamReader:
    stream = asyncio.StreamReader(LONGEST_LINE)
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(stream), os.fdopen(descriptor, "rb", 0)
    )
    return stream


@cache
def _nursery() -> socket.socket:
    """The line to this test process's nursery, which ends when the line does."""
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    subprocess.Popen(
        [sys.executable, "-m", "tests.discord_double.nursery", str(there.fileno())],
        cwd=REPOSITORY,
        pass_fds=[there.fileno()],
        stdin=subprocess.DEVNULL,
    )
    there.close()
    return here


# -- in the nursery -----------------------------------------------------------------------------------


def main(line: socket.socket) -> None:
    """Take orders, report ends; in a child: be the bot."""
    from bot.i18n.po import catalogue
    from bot.process_pool import CONTEXT, PRELOADED
    from tests.discord_double import boot

    for module in ("bot.commands.discord.run", "bot.ops.logs", "alembic.command"):
        import_module(module)
    catalogue("de")
    CONTEXT.set_forkserver_preload([*PRELOADED, "tests.discord_double.warm", "tests.discord_double.steadfast"])
    first = CONTEXT.Process(target=int)
    first.start()
    first.join()
    wakes, waker = socket.socketpair()
    for end in (wakes, waker):
        end.setblocking(False)
    signal.set_wakeup_fd(waker.fileno())
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    waiting: dict[int, int] = {}
    with selectors.DefaultSelector() as selector:
        selector.register(line, selectors.EVENT_READ)
        selector.register(wakes, selectors.EVENT_READ)
        while True:
            ready = {key.fileobj for key, _ in selector.select()}
            if wakes in ready:
                wakes.recv(4096)
                _report(waiting)
            if line not in ready:
                continue
            order, (out, errors, status) = _order(line)
            if not order:
                break
            pid = os.fork()
            if not pid:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for end in (line, wakes, waker):
                    end.close()
                for other in (status, *waiting.values()):
                    os.close(other)
                break
            waiting[pid] = status
            os.close(out)
            os.close(errors)
            line.send(str(pid).encode())
    if not order:
        for pid in waiting:
            os.kill(pid, signal.SIGKILL)
        return
    os.dup2(out, 1)
    os.dup2(errors, 2)
    wanted = json.loads(order)
    os.environ.clear()
    os.environ.update(wanted["environment"])
    # The helpers of all bots come from the nursery's own server, and what they share is tracked by the nursery's own
    # tracker. Neither is a child of this process, which is not to wait for their end.
    forkserver._forkserver.ensure_running = lambda: None  # type: ignore[attr-defined]
    resource_tracker._resource_tracker._pid = None  # type: ignore[attr-defined]
    sys.argv = ["boot.py", *wanted["command"]]
    boot.main()


def _order(line: socket.socket) -> tuple[bytes, Sequence[int]]:
    order, descriptors, _, _ = socket.recv_fds(line, LONGEST_ORDER, 3)
    return order, descriptors or (-1, -1, -1)


def _report(waiting: dict[int, int]) -> None:
    while waiting:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        if pid in waiting:
            end = waiting.pop(pid)
            os.write(end, str(os.waitstatus_to_exitcode(status)).encode())
            os.close(end)


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))

"""Helper processes: for what would hold the event loop up, or may have to be killed.

They are forked from a server that has imported what they need, so that a new one costs little time and shares memory
with the others. However the program ends, by SIGKILL too, its helpers end with it.
"""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import connection, forkserver, get_context, parent_process, util
from typing import Any, NamedTuple, NoReturn, TypeVar

from bot.garbage import tune_gc
from bot.threads import call_safely, run_in_thread

Found = TypeVar("Found")

PRELOADED = (
    "bot.render.history_pictures",
    "bot.render.catalogue",
    "bot.render.worker",
    "bot.service.route_search_process",
    "bot.service.computers.ai_process",
    "bot.service.imports.import_export",
    "bot.service.imports.formats",
    "bot.titles.registry",
)

# Python 3.11.0 would let the server listen where every user of the machine can speak to it; later versions do not.
util.abstract_sockets_supported = False  # type: ignore[misc]

CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(list(PRELOADED))

_handing = threading.Lock()
"""A pool that is ended while a process of its starts would leave that behind, and wait for it for ever."""

GRACE = 5
"""CPU seconds between the time-limit signal and the kill."""


class CpuLimitExceeded(Exception):
    """A process has worked for as long as it may."""


class ResourceLimits(NamedTuple):
    """Lifetime limits of a process: memory, including the program, and CPU seconds, not waiting.

    Allocating more memory raises MemoryError; more CPU time raises CpuLimitExceeded, or the process is killed.
    """

    megabytes: int
    seconds: int = 0
    """0 for a process that lives for many jobs, each within a `time_limit`."""


def preload(module: str) -> None:
    """Let helpers, which need no more than this module, import it while this process still does so itself."""
    CONTEXT.set_forkserver_preload([module])
    forkserver.ensure_running()


def create_pool(number: int = 1, niceness: int = 0, limits: ResourceLimits | None = None) -> ProcessPoolExecutor:
    """At most `number` processes, started on demand; optionally with lower priority or limits."""
    return ProcessPoolExecutor(number, mp_context=CONTEXT, initializer=_init_process, initargs=(niceness, limits))


async def run(
    pool: ProcessPoolExecutor, function: Callable[..., Found], *arguments: Any, seconds: float | None = None
) -> Found:
    """The function's result there. A thread hands it over, since that may have to start a process first; the seconds
    that it may take count from then.

    :raises BrokenProcessPool: the process died, or could not be started.
    :raises TimeoutError: it takes longer.
    """
    try:
        handed = await run_in_thread(_hand_over, pool, function, *arguments)
    except (OSError, RuntimeError) as error:
        raise BrokenProcessPool(f"no helper process can be started: {error}") from error
    try:
        async with asyncio.timeout(seconds):
            return await asyncio.wrap_future(handed)
    finally:
        # A failure holds what was handed over, and this would hold the failure.
        del handed


def _hand_over(pool: ProcessPoolExecutor, function: Callable[..., Found], *arguments: Any) -> Future[Found]:
    with _handing:
        return pool.submit(call_safely, function, *arguments)


def kill_pool(pool: ProcessPoolExecutor) -> None:
    """Kill all processes immediately; a process that is starting finishes its start first."""
    with _handing:
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.kill()


def _init_process(niceness: int, limits: ResourceLimits | None) -> None:
    tune_gc()
    os.nice(niceness)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if limits is not None:
        memory = limits.megabytes * 2**20
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        if limits.seconds:
            signal.signal(signal.SIGXCPU, _raise_cpu_limit)
            resource.setrlimit(resource.RLIMIT_CPU, (limits.seconds, limits.seconds + GRACE))


def _raise_cpu_limit(number: int, frame: object) -> NoReturn:
    raise CpuLimitExceeded


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Limit one job in a helper: longer work is ended by CpuLimitExceeded, raised again if the job does not stop."""
    signal.signal(signal.SIGPROF, _raise_cpu_limit)
    signal.setitimer(signal.ITIMER_PROF, seconds, seconds / 10)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(0)

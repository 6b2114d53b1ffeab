"""Tasks that run as long as the program does, and survive every error."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

log = logging.getLogger("signalbox.ops")

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 60.0
"""Seconds until failed work is begun again, doubled each time."""

STEADY = 300.0
"""Seconds of work after which it has recovered: its next failure is a new failure."""


async def keep_going(work: Callable[[], Awaitable[None]], name: str) -> None:
    """Do work until it ends or is cancelled. After a failure it begins again, after longer and longer pauses; a
    repeated failure is logged once.
    """
    pause, known = FIRST_PAUSE, ""
    while True:
        began = time.monotonic()
        try:
            await work()
            return
        except Exception as error:
            if time.monotonic() - began > STEADY:
                pause, known = FIRST_PAUSE, ""
            if (fault := f"{type(error).__name__}: {error}") != known:
                known = fault
                log.exception("%s failed; it is begun again in %.1f s, and so on after each failure", name, pause)
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)

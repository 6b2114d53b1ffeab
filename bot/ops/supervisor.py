"""What goes on for as long as the program does, whatever happens in it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

log = logging.getLogger("signalbox.ops")

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 60.0
"""Seconds until work that has failed is begun again: twice as many each time."""

STEADY = 300.0
"""Work that has gone on for so many seconds has recovered: its next failure is a new failure."""


async def keep_going(work: Callable[[], Awaitable[None]], name: str) -> None:
    """Do work until it ends or is cancelled. When it fails it is begun again, after longer and longer pauses; a failure that comes
    again and again is logged once."""
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

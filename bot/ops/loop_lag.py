"""How late the event loop runs: a bot that freezes for one game freezes for all."""

from __future__ import annotations

import asyncio
import gc
import time

from bot.metrics import LOOP_LAG, LOOP_LAG_MAX

BEAT = 0.02
"""Seconds between two looks."""


def set_memory_aside() -> None:
    """Let the collector of garbage pass over what exists by now: modules and titles stay as long as the bot does.

    It stops everything while it looks, 60 ms and more for all of them.
    """
    gc.collect()
    gc.freeze()


async def watch(beat: float = BEAT) -> None:
    """Measure until cancelled."""
    longest = 0.0
    while True:
        began = time.perf_counter()
        await asyncio.sleep(beat)
        late = max(0.0, time.perf_counter() - began - beat)
        LOOP_LAG.observe(late)
        if late > longest:
            longest = late
            LOOP_LAG_MAX.set(longest)

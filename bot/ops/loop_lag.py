"""How late the event loop runs: a bot that freezes for one game freezes for all."""

from __future__ import annotations

import asyncio
import gc
import time

from bot.metrics import LOOP_LAG, LOOP_LAG_MAX

BEAT = 0.02
"""Seconds between two looks."""


def freeze_gc() -> None:
    """Exclude what exists by now from garbage collection: modules and titles stay as long as the bot does.

    A collection stops everything, 60 ms and more for all of them.
    """
    gc.collect()
    gc.freeze()


async def monitor_loop_lag(beat: float = BEAT) -> None:
    longest = 0.0
    while True:
        began = time.perf_counter()
        await asyncio.sleep(beat)
        late = max(0.0, time.perf_counter() - began - beat)
        LOOP_LAG.observe(late)
        if late > longest:
            longest = late
            LOOP_LAG_MAX.set(longest)

"""How late the event loop runs: a bot that freezes for one game freezes for all."""

from __future__ import annotations

import asyncio
import time

from bot.metrics import LOOP_LAG, LOOP_LAG_MAX

BEAT = 0.02
"""Seconds between two looks."""


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

"""Seconds that nobody sets."""

from __future__ import annotations

import time


def boottime_clock() -> float:
    """Seconds by a clock that nobody sets, and that also runs while the machine sleeps."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()

"""The limits on requests of a kind: each channel, server and webhook has its own."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from tests.discord_double.calls import Call
from tests.discord_double.faults import Fault

MAJOR = ("channel", "guild", "application", "token")
"""The parts of a path that have limits of their own; the other parts share them."""

AMPLE = (100, 1.0)
"""What is allowed where a test has not said otherwise: so many requests within so many seconds."""

OLD_EDITS = (3, 20.0)
"""What people have measured for edits of messages older than an hour in one channel."""


@dataclass
class Bucket:
    """What one kind of request has used of its limit at each place: since when, and how often."""

    limit: int
    seconds: float
    name: str = ""
    clock: Callable[[], float] = time.monotonic
    _used: dict[str, tuple[float, int]] = field(default_factory=dict)

    def wait(self, place: str) -> float:
        """Count a request; the seconds until it is allowed, 0 where it is now."""
        left, count = self.state(place)
        if count >= self.limit:
            return round(left, 3)
        self._used[place] = (self.clock() + left - self.seconds, count + 1)
        return 0.0

    def state(self, place: str) -> tuple[float, int]:
        """In how many seconds all is allowed again, and how much has been used until then."""
        begun, count = self._used.get(place, (-self.seconds, 0))
        left = begun + self.seconds - self.clock()
        return (left, count) if left > 0 else (self.seconds, 0)


class Buckets:
    """All limits. A bucket has the same name at every place, as Discord's have: the place tells them apart."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._limits: list[tuple[str, int, float]] = []
        self._buckets: dict[str, Bucket] = {}

    def limit(self, route: str, requests: int, seconds: float) -> None:
        """Allow so many requests within so many seconds at each place; `route` is a pattern of templates."""
        self._limits.insert(0, (route, requests, seconds))
        self._buckets.clear()

    def take(self, call: Call) -> Fault | None:
        """Count a request; a 429 where its place has had enough of them."""
        left = self._bucket(call).wait(_place(call))
        return Fault(str(call), status=429, retry_after=left) if left else None

    def headers(self, call: Call) -> dict[str, str]:
        """What an answer says of the limit."""
        bucket = self._bucket(call)
        left, count = bucket.state(_place(call))
        return {
            "X-RateLimit-Bucket": bucket.name,
            "X-RateLimit-Limit": str(bucket.limit),
            "X-RateLimit-Remaining": str(bucket.limit - count),
            "X-RateLimit-Reset": f"{time.time() + left:.3f}",
            "X-RateLimit-Reset-After": f"{left:.3f}",
        }

    def _bucket(self, call: Call) -> Bucket:
        kind = f"{call.method} {call.template}"
        if kind not in self._buckets:
            found = (entry for entry in self._limits if kind == entry[0] or fnmatchcase(kind, entry[0]))
            _, requests, seconds = next(found, ("", *AMPLE))
            self._buckets[kind] = Bucket(requests, seconds, f"{abs(hash(kind)):x}", self.clock)
        return self._buckets[kind]


def _place(call: Call) -> str:
    return "+".join(call.where[part] for part in MAJOR if part in call.where)

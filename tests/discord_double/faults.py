"""Failures on demand: what Discord and the network do to a bot on a bad day."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

from tests.discord_double.calls import Call
from tests.discord_double.errors import MESSAGES
from tests.discord_double.model import Json


@dataclass
class Fault:
    """One kind of failure for the next `times` requests that match `route`, a pattern such as `POST /channels/*/messages`.

    `status` 0 lets the request through (late by `delay` seconds, or with its answer lost).
    """

    route: str
    times: int = 1
    status: int = 0
    code: int = 0
    retry_after: float = 0.0
    is_global: bool = False
    delay: float = 0.0
    is_lost: bool = False

    def body(self) -> Json:
        """The body of the failing answer."""
        if self.status == 429:
            return {"message": "You are being rate limited.", "retry_after": self.retry_after, "global": self.is_global}
        return {"code": self.code, "message": MESSAGES.get(self.code, "emulated failure")}

    def headers(self) -> dict[str, str]:
        """Without Via, discord.py takes a 429 for a ban and gives up."""
        return {"Via": "1.1 google", "Retry-After": str(self.retry_after)} if self.status == 429 else {}


class Faults:
    """The failures that are still to come."""

    def __init__(self) -> None:
        self.pending: list[Fault] = []

    def fail(self, route: str, status: int, times: int = 1, code: int = 0, delay: float = 0.0) -> None:
        """Answer with a status without doing anything."""
        self.pending.append(Fault(route, times, status, code, delay=delay))

    def rate_limit(self, route: str, retry_after: float = 0.05, times: int = 1, is_global: bool = False) -> None:
        """Answer with 429."""
        self.pending.append(Fault(route, times, 429, retry_after=retry_after, is_global=is_global))

    def lose_answer(self, route: str, times: int = 1) -> None:
        """Do what is asked, then cut the line before the answer."""
        self.pending.append(Fault(route, times, is_lost=True))

    def slow(self, route: str, seconds: float, times: int = 1) -> None:
        """Answer late."""
        self.pending.append(Fault(route, times, delay=seconds))

    def take(self, call: Call) -> Fault | None:
        """The failure that befalls a request, if any."""
        for fault in self.pending:
            if fnmatchcase(str(call), fault.route):
                fault.times -= 1
                if fault.times <= 0:
                    self.pending.remove(fault)
                return fault
        return None

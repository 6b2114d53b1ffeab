"""One HTTP request of the bot, read once and kept."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from tests.discord_double.model import Json


@dataclass(frozen=True)
class Upload:
    """A file of a request: `files[index]`."""

    index: int
    filename: str
    data: bytes


@dataclass
class Call:
    """A request: its method, its path below /api/v10, what it asks, and in the end the answer; `sender` is the process of the bot
    that asks (0: this one); `at` is when it came, in seconds of a clock that nobody sets."""

    method: str
    path: str
    query: dict[str, str]
    body: Any = None
    uploads: list[Upload] = field(default_factory=list)
    authorized: bool = False
    template: str = ""
    where: dict[str, str] = field(default_factory=dict)
    status: int = 0
    answer: Any = None
    sender: int = 0
    at: float = field(default_factory=time.monotonic)

    @property
    def form(self) -> Json:
        """The body as an object; empty when there is none."""
        return self.body if isinstance(self.body, dict) else {}

    def number(self, name: str) -> int:
        """An id from the path; 0 when it is none."""
        text = self.where.get(name, "")
        return int(text) if text.isdigit() else 0

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

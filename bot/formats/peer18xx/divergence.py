"""Where a file and our game differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


class Divergence(Exception):
    """Our game differs from the file: at which action (counted from 1, with its id), what was expected, what we have."""

    def __init__(self, number: int, action_id: Any, what: str, expected: Any, actual: Any) -> None:
        said = (
            f"{expected} is refused: {actual}" if what == "legality" else f"{what}: expected {expected}, got {actual}"
        )
        super().__init__(f"action {number} (id {action_id}): {said}")
        self.number = number
        self.action_id = action_id
        self.what = what
        self.expected = expected
        self.actual = actual


@dataclass(frozen=True)
class RevenueNote:
    """A revenue in a file that differs from the earnings of its routes by our rules; the file's is kept, as its game
    went on by it."""

    number: int
    action_id: Any
    paid: int
    computed: int

    def __str__(self) -> str:
        return f"action {self.number} (id {self.action_id}) pays {self.paid}; its routes earn {self.computed}"

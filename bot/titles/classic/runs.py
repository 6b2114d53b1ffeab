"""How trains run, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto


class Towns(Enum):
    """The part of towns in a run: stops like cities; stops that pay and do not count; track that it runs over without
    pay, between two cities or red areas; stops that it counts or leaves out.
    """

    COUNT = auto()
    FREE = auto()
    UNPAID = auto()
    SKIPPED = auto()


@dataclass(frozen=True)
class TrainRun:
    """A train visits up to `reach` stops, None for any number. `towns` may also be a number: towns that it visits beside
    `reach` cities and red areas. Its cities and red areas pay `times`, its towns `town_times`; bonuses pay once.
    """

    reach: int | None
    towns: Towns | int = Towns.COUNT
    times: int = 1
    town_times: int = 1

    @property
    def scale(self) -> str:
        """The name of what stops pay to it; none where they pay as printed."""
        return f"{self.times}:{self.town_times}" if (self.times, self.town_times) != (1, 1) else ""


def run_of(runs: Mapping[str, TrainRun], name: str) -> TrainRun:
    """How a train runs: as the value `runs` says, else an N-train to N stops, towns among them, and a D to any number.

    :raises ValueError: the name is neither, and the value does not know it.
    """
    return runs.get(name) or TrainRun(None if name == "D" else int(name))

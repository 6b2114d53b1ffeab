"""What single stops pay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..track import Stop
from .model import RouteProblem


def paying(problem: RouteProblem, counted: Sequence[Stop]) -> Iterator[tuple[Stop, int]]:
    """What each counted stop pays: of those of one place only the dearest, the first if equal."""
    best: dict[str, tuple[int, Stop]] = {}
    for stop in counted:
        worth = problem.values[stop]
        if worth.place:
            best[worth.place] = max(best.get(worth.place, (-1, stop)), (worth.revenue, stop), key=lambda one: one[0])
    for stop in counted:
        worth = problem.values[stop]
        yield stop, worth.revenue if not worth.place or best[worth.place][1] == stop else 0

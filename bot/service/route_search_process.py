"""Route searches that take long, in a process of their own: it may be killed, and costs one answer then."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from bot.engine.routes.revenue import RouteProblem, RouteSet
from bot.engine.routes.search import best_routes
from bot.process_pool import create_pool, kill_pool

log = logging.getLogger("signalbox.tables")

LOCAL_SECONDS = 0.1
"""Seconds that a search is tried in the asking process: most are done by then."""

RULES_SECONDS = 60.0
"""Minimum time limit in seconds of a search that the rules need, without a clock: play must not depend on the
speed of the machine.
"""

GRACE = 1.1
"""Multiple of its time limit that a search may take before its process is killed."""


def search_locally(problem: RouteProblem, seconds: float) -> RouteSet:
    return best_routes(problem, seconds, time.monotonic)


def ping() -> bool:
    return True


class RouteSearchProcess:
    """One search process. It starts with the first search that takes long; its starting time counts. Threads use it one after the
    other; nobody waits longer than their time limit.
    """

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._started: Future[bool] | None = None
        self._asked = threading.Lock()

    def close(self) -> None:
        self._kill()

    def search(
        self, problem: RouteProblem, seconds: float, clock: Callable[[], float] | None = time.monotonic
    ) -> RouteSet:
        began = time.monotonic()
        seconds = max(seconds, RULES_SECONDS) if clock is None else seconds
        first = best_routes(problem, min(LOCAL_SECONDS, seconds), time.monotonic)
        left = seconds - (time.monotonic() - began)
        if first.proven or not self._asked.acquire(timeout=max(0.0, left)):
            return first
        try:
            left = seconds - (time.monotonic() - began)
            found = self._search_in_process(problem, left) if left > 0 else None
        finally:
            self._asked.release()
        return merge_results(first, found) if found is not None else first

    def _search_in_process(self, problem: RouteProblem, seconds: float) -> RouteSet | None:
        until = time.monotonic() + seconds
        try:
            if self._pool is None or self._started is None:
                self._pool = create_pool()
                self._started = self._pool.submit(ping)
            if not wait([self._started], seconds).done:
                return None
            left = until - time.monotonic()
            return self._pool.submit(search_locally, problem, left).result(timeout=max(0.0, left) * GRACE)
        except (BrokenProcessPool, TimeoutError) as error:
            log.warning("a route search was given up: %s", type(error).__name__)
            self._kill()
            return None

    def _kill(self) -> None:
        pool, self._pool, self._started = self._pool, None, None
        if pool is not None:
            kill_pool(pool)


def merge_results(one: RouteSet, other: RouteSet) -> RouteSet:
    """The higher of two answers to one question, with the lower bound of both."""
    dearer = max(other, one, key=lambda found: found.revenue)
    bound = max(dearer.revenue, min(one.bound, other.bound))
    return RouteSet(
        dearer.routes,
        dearer.revenue,
        bound,
        bound == dearer.revenue,
        one.seconds + other.seconds,
        dearer.examined,
        dearer.joint,
    )

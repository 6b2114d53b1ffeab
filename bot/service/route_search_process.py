"""Route searches that take long, in a process of their own: it may be killed, and costs one answer then."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from bot.engine.play.steps import routes as running
from bot.engine.routes.revenue.model import RouteProblem, RouteSet
from bot.engine.routes.search import best_routes
from bot.process_pool import end, helpers

log = logging.getLogger("signalbox.tables")

HERE_SECONDS = 0.1
"""How long a search is tried where it was asked for: most are done by then."""

RULES_SECONDS = 60.0
"""How long a search may take at least that the rules ask for, without a clock: what is played must not depend on how
fast this machine is."""

GRACE = 1.1
"""How many times the time it was told a search may take before its process is killed."""


def search_now(problem: RouteProblem, seconds: float) -> RouteSet:
    """Search in this process."""
    return best_routes(problem, seconds, time.monotonic)


def ready() -> bool:
    """The process has started."""
    return True


class RouteSearchProcess:
    """One searching process. It is asked from threads, one after the other; nobody waits longer than he said."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._started: Future[bool] | None = None
        self._asked = threading.Lock()

    def install(self) -> None:
        """Let the rules' questions for best routes come here. The process starts with the first that takes long; the
        time in which it starts counts."""
        running.search_with(self.search)

    def close(self) -> None:
        """End the process; searches run where they are asked for again."""
        running.search_with(best_routes)
        self._end()

    def search(
        self, problem: RouteProblem, seconds: float, clock: Callable[[], float] | None = time.monotonic
    ) -> RouteSet:
        """The best routes that are found in so many seconds, with their bound."""
        began = time.monotonic()
        seconds = max(seconds, RULES_SECONDS) if clock is None else seconds
        first = best_routes(problem, min(HERE_SECONDS, seconds), time.monotonic)
        left = seconds - (time.monotonic() - began)
        if first.proven or not self._asked.acquire(timeout=max(0.0, left)):
            return first
        try:
            left = seconds - (time.monotonic() - began)
            found = self._elsewhere(problem, left) if left > 0 else None
        finally:
            self._asked.release()
        return better(first, found) if found is not None else first

    def _elsewhere(self, problem: RouteProblem, seconds: float) -> RouteSet | None:
        """The process's answer; None if it died or took too long, and the next question gets a new one."""
        until = time.monotonic() + seconds
        try:
            if self._pool is None or self._started is None:
                self._pool = helpers()
                self._started = self._pool.submit(ready)
            if not wait([self._started], seconds).done:
                return None
            left = until - time.monotonic()
            return self._pool.submit(search_now, problem, left).result(timeout=max(0.0, left) * GRACE)
        except (BrokenProcessPool, TimeoutError) as error:
            log.warning("a route search was given up: %s", type(error).__name__)
            self._end()
            return None

    def _end(self) -> None:
        """End the process at once, whatever it does."""
        pool, self._pool, self._started = self._pool, None, None
        if pool is not None:
            end(pool)


def better(one: RouteSet, other: RouteSet) -> RouteSet:
    """The dearer of two answers to one question, with the lower bound of both."""
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

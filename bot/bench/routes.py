"""Route searches of `signalbox bench`: how long they take before real runs and on late boards of random games."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from bot.ai.fuzzer import RandomGame
from bot.engine import CompanyId
from bot.engine.games.game_record import GameRecordFile
from bot.engine.play.steps import route_problem, routes_of
from bot.engine.routes.revenue import RouteProblem, RouteSet, validate
from bot.engine.routes.search import best_routes
from bot.engine.state import Action, RunRoutes
from bot.formats.peer18xx.file_format import Log
from bot.formats.peer18xx.replay import LogReplay
from bot.service.imports.formats import replay_of

MOST_SECONDS = 10.0


@dataclass
class RouteBench:
    """Searches: how long each took and kept the processor busy, how many were proven, how many answers were below what
    was really run."""

    seconds: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)
    proven: int = 0
    below: int = 0

    def add(self, other: RouteBench) -> None:
        self.seconds += other.seconds
        self.busy += other.busy
        self.proven += other.proven
        self.below += other.below

    def search(self, problem: RouteProblem) -> RouteSet:
        """Search, measured. The rules check the answer outside the measure.

        :raises RouteError: the answer may not be run.
        """
        began, busy = time.perf_counter(), time.process_time()
        found = best_routes(problem, MOST_SECONDS, time.monotonic)
        self.seconds.append(time.perf_counter() - began)
        self.busy.append(time.process_time() - busy)
        self.proven += found.proven
        validate(problem, found.routes)
        return found


def recorded_runs(logs: Iterable[Log | GameRecordFile]) -> RouteBench:
    runs = RouteBench()
    for log in logs:
        if not isinstance(log, Log):
            continue
        runner = replay_of(log)

        def judge(action: Action, runner: LogReplay = runner) -> None:
            if isinstance(action, RunRoutes):
                problem = route_problem(runner.game, CompanyId(action.by))
                found = runs.search(problem)
                runs.below += found.revenue < routes_of(problem, action).revenue

        runner.watchers.append(judge)
        runner.run()
    return runs


def late_runs(games: Iterable[RandomGame]) -> RouteBench:
    """The best routes before every run in the later half of the phases of random games."""
    runs = RouteBench()
    for table in games:

        def search(
            problem: RouteProblem, seconds: float, clock: Callable[[], float] | None, table: RandomGame = table
        ) -> RouteSet:
            phases = [phase.name for phase in table.game.title.phases]
            is_late = phases.index(table.game.state.phase) >= len(phases) // 2
            return runs.search(problem) if is_late else best_routes(problem, seconds, clock)

        table.game.route_search = search
        for _ in table.moves():
            pass
    return runs

"""Running trains: routes named by the player or the best routes, always recomputed by the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from bot.engine import CompanyId, HexId, IllegalMove, RouteSections
from bot.engine.board import Stop, Tile
from bot.engine.play import Game
from bot.engine.routes.revenue import (
    JointBonus,
    Route,
    RouteBonus,
    RouteError,
    RouteProblem,
    RouteSet,
    SharedTrackError,
    StopValue,
    TrainSpec,
    read_routes,
    validate,
    write_routes,
)
from bot.engine.routes.revenue.score import score
from bot.engine.state import Action, LastRun, RoutesRun, Run, RunRoutes, Train

from .dividends import operating_turn

if TYPE_CHECKING:
    from bot.engine.routes.runner_up import RunnerUp

SUGGESTION_SECONDS = 5.0
"""Longest search when somebody asks for the best run."""

RUNNER_UP_SECONDS = 1.0
"""Longest search for a tempting run."""

Values = Callable[[Tile, Stop, tuple[str, ...]], StopValue]
"""The value of a stop of a tile while the phase has these colours."""


def values_in_phase(
    game: Game, value: Values, counts: Callable[[Stop], bool] = lambda stop: True
) -> dict[Stop, StopValue]:
    """Every stop on the board that `counts`, with its value in this phase; both depend only on the tiles."""

    def values() -> dict[Stop, StopValue]:
        colours, ground = game.title.phase(game.state.phase).colours, game.board_rules.track_index(game)

        def values_on(hex_id: HexId) -> dict[Stop, StopValue]:
            stops = filter(counts, ground.spaces[hex_id].stops)
            return {stop: value(game.tile_at(hex_id), stop, colours) for stop in stops}

        of_spaces = ground.memo_per_hex(("values", value, colours), values_on).values()
        return {stop: worth for of_space in of_spaces for stop, worth in of_space.items()}

    return game.memoise(("values", game.state.phase), values)


def problem_on_board(
    game: Game,
    company: CompanyId,
    trains: Iterable[TrainSpec],
    values: Mapping[Stop, StopValue],
    bonuses: Sequence[RouteBonus] = (),
    joint: Sequence[JointBonus] = (),
) -> RouteProblem:
    """`bonuses` belong to single routes, `joint` bonuses to all routes together."""
    own, blocked = frozenset(game.board_rules.tokens_of(game, company)), game.board_rules.blocked_stops(game, company)
    return RouteProblem(game.board_rules.graph(game), values, own, blocked, tuple(trains), tuple(bonuses), tuple(joint))


@dataclass(frozen=True)
class RunTrains:
    """The company runs its trains; `may_stay_idle(game)` whether it may run none although it could.

    `has_route(game, company)` whether there is anything to run; `must_be_best(game)` whether less than the highest
    revenue is refused; `after_run(game, company, result)` gets what was run. `shared` is the rule on track that two
    trains would use, if a title has such a rule.
    """

    may_stay_idle: Callable[[Game], bool]
    section: RouteSections
    has_route: Callable[[Game, CompanyId], bool] = lambda game, company: has_any_route(game, company)
    must_be_best: Callable[[Game], bool] = lambda game: False
    after_run: Callable[[Game, CompanyId, RouteSet], None] = lambda game, company, result: None
    name: str = "run trains"
    verbs: tuple[type[Action], ...] = (RunRoutes,)

    def opens(self, game: Game) -> bool:
        company = game.company_in_turn
        has_not_run = operating_turn(game).revenue is None
        return bool(trains_to_run(game, company)) and has_not_run and self.has_route(game, company)

    def options(self, game: Game) -> Iterator[Action]:
        """The best run; The best run; `check` accepts any other legal run."""
        yield best_run(game, game.company_in_turn)

    def check(self, game: Game, action: RunRoutes) -> None:
        company = CompanyId(action.by)
        trains = [train.id for train in trains_to_run(game, company)]
        for run in action.runs:
            if run.train not in trains:
                sentence = "{company} has no train {train}; it has {trains}."
                raise IllegalMove(sentence, self.section.train, company, run.train, ", ".join(trains))
        if len({run.train for run in action.runs}) < len(action.runs):
            raise IllegalMove("Each train runs only once.", self.section.train)
        searches = not game.is_redoing
        if searches and not action.runs and not self.may_stay_idle(game) and best_set(game, company).revenue:
            raise IllegalMove("{company} can run trains, so it must.", self.section.must, company)
        try:
            problem = route_problem(game, company)
            result = routes_of(problem, action)
        except RouteError as error:
            shared = self.section.shared if isinstance(error, SharedTrackError) else ""
            raise IllegalMove(str(error), shared or self.section.route) from error
        if searches and self.must_be_best(game):
            self._check_best(game, company, result.revenue)

    def _check_best(self, game: Game, company: CompanyId, revenue: int) -> None:
        best = best_set(game, company)
        if revenue < best.revenue:
            money, runs = game.title.money, "; ".join(format_route(route) for route in best.routes if route.stops)
            sentence = "{company} must run for the highest revenue: {best} ({runs}), not {revenue}."
            raise IllegalMove(sentence, self.section.best, company, money(best.revenue), runs, money(revenue))

    def apply(self, game: Game, action: RunRoutes) -> None:
        company = CompanyId(action.by)
        result = routes_of(route_problem(game, company), action)
        record_run(game, company, result)
        self.after_run(game, company, result)
        game.next_step()


def record_run(game: Game, company: CompanyId, result: RouteSet) -> None:
    trains = tuple(format_route(route) for route in result.routes)
    here = game.state.round
    game.company(company).last_run = LastRun(f"{here.number}.{here.part}", result.revenue, trains)
    operating_turn(game).revenue = result.revenue
    game.emit(RoutesRun(company, result.revenue, trains))


def trains_to_run(game: Game, company: CompanyId) -> list[Train]:
    """The company's trains, or those that the title lends it."""
    return game.title.rules.runs_with(game, company)


def has_any_route(game: Game, company: CompanyId) -> bool:
    return game.board_rules.connects(game, company, route_problem(game, company).values.__contains__)


def route_problem(game: Game, company: CompanyId) -> RouteProblem:
    trains = trains_to_run(game, company)
    key = ("routes", company, game.state.phase, tuple([(train.id, train.kind) for train in trains]))
    return game.memoise(key, lambda: game.title.rules.route_problem(game, company, trains))


def best_set(
    game: Game, company: CompanyId, seconds: float = SUGGESTION_SECONDS, clock: Callable[[], float] | None = None
) -> RouteSet:
    """The best routes that the search finds, with its proof. Only with a clock is the time surely limited."""
    trains = trains_to_run(game, company)
    key = ("best", company, game.state.phase, tuple([(train.id, train.kind) for train in trains]))
    return game.memoise(key, lambda: _search(game, route_problem(game, company), seconds, clock))


def _search(game: Game, problem: RouteProblem, seconds: float, clock: Callable[[], float] | None) -> RouteSet:
    """The answer of the game's own search, or of ours, which is loaded here since most processes never search."""
    if game.route_search is not None:
        return game.route_search(problem, seconds, clock)
    from bot.engine.routes.search import best_routes

    return best_routes(problem, seconds, clock)


def runner_up_set(game: Game, company: CompanyId, clock: Callable[[], float] | None = None) -> RunnerUp | None:
    """A tempting run that earns less; None if there is none. With a clock the time is limited."""
    from bot.engine.routes.runner_up import runner_up

    problem, began = route_problem(game, company), clock() if clock else 0.0

    def solve(asked: RouteProblem) -> RouteSet | None:
        left = RUNNER_UP_SECONDS - (clock() - began if clock else 0.0)
        return _search(game, asked, left, clock) if left > 0 else None

    trains = tuple((train.id, train.kind) for train in trains_to_run(game, company))
    key = ("runner-up", company, game.state.phase, trains)
    return game.memoise(key, lambda: runner_up(problem, best_set(game, company, clock=clock), solve))


def best_run(game: Game, company: CompanyId, clock: Callable[[], float] | None = None) -> RunRoutes:
    routes = best_set(game, company, clock=clock).routes
    written = write_routes(route_problem(game, company), routes)
    return RunRoutes(company, tuple(Run(train, path) for train, path in written))


@lru_cache(maxsize=8)
def routes_of(problem: RouteProblem, action: RunRoutes) -> RouteSet:
    """The action's routes and their revenue.

    :raises RouteError: a path does not exist on the board, or may not be run.
    """
    routes = read_routes(problem, [(run.train, run.path) for run in action.runs])
    validate(problem, routes)
    return score(problem, routes)


def format_route(route: Route) -> str:
    """One line: train, stops, revenue."""
    stops = " - ".join(stop.hex for stop in route.stops)
    return f"{route.train}: {stops} = {route.revenue}"

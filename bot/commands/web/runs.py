"""Routes of a company as the page shows them: its best, its last, and what it reaches."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from bot.engine import CompanyId
from bot.engine.notation import money, parse_action
from bot.engine.play import Game
from bot.engine.play.steps import best_set, route_problem, routes_of, trains_to_run
from bot.engine.routes.revenue import Route
from bot.engine.state import RunRoutes
from bot.i18n import tr
from bot.render.hexes.canvas import Canvas
from bot.render.scenes.map import SIDE, route_sprites
from bot.render.shapes import ROUTES
from bot.render.shapes.hex_view import view_of
from bot.service.sessions import LogEntry
from bot.service.views import position_text
from bot.service.views.routes import kinds_of, proof, route_text
from bot.store import MoveKind

from .board_svg import sprite_svg


@dataclass(frozen=True)
class RunView:
    """A route in words, with the colour of its line."""

    colour: str
    said: str


@dataclass(frozen=True)
class CompanyRuns:
    """Routes of a company, in words and as lines over the map, and the hexes that it reaches."""

    line: str
    routes: tuple[RunView, ...]
    ways: Markup
    reach: tuple[str, ...]


def best_runs(game: Game, sign: str) -> CompanyRuns:
    """A company's best routes, with the proof.

    :raises IllegalMove: there is no such company.
    """
    company = position_text.require_company(game, sign)
    if not trains_to_run(game, company):
        return build_runs(game, company, tr("{company} owns no train.", company), game, [])
    found = best_set(game, company, clock=time.monotonic)
    line = f"{company}: {money(game, found.revenue)}, {proof(game, found)}"
    return build_runs(game, company, line, game, [route for route in found.routes if route.stops])


def last_runs(game: Game, sign: str, before: Game | None, action: RunRoutes | None) -> CompanyRuns:
    """The routes of a company's last run; `before` is the position of that run, `action` its move.

    :raises IllegalMove: there is no such company.
    """
    company = position_text.require_company(game, sign)
    last = game.company(company).last_run
    if last is None:
        return build_runs(game, company, tr("{company} has not run yet.", company), game, [])
    routes = routes_of_move(before, action) if before is not None and action is not None else []
    line = tr("{company}: last run {money} (OR {round})", company, money(game, last.revenue), last.round)
    return build_runs(game, company, line, before or game, routes)


def last_move_to_run(game: Game, story: Sequence[LogEntry], at: int, sign: str) -> tuple[int, RunRoutes] | None:
    """The last move up to log entry `at` by which a company ran its trains, with its number.

    :raises IllegalMove: there is no such company.
    """
    company = position_text.require_company(game, sign)
    is_undone = any(entry.is_undone for entry in story if entry.record.number == at)
    for entry in reversed(story):
        stands = entry.record.number <= at and (is_undone or not entry.is_undone)
        if stands and entry.record.kind == MoveKind.MOVE and entry.record.text:
            action = parse_action(game.title, entry.record.text)
            if isinstance(action, RunRoutes) and action.by == company:
                return entry.record.number, action
    return None


def routes_of_move(game: Game, action: RunRoutes) -> list[Route]:
    problem = route_problem(game, CompanyId(action.by))
    return [route for route in routes_of(problem, action).routes if route.stops]


def build_runs(game: Game, company: CompanyId, line: str, there: Game, routes: Sequence[Route]) -> CompanyRuns:
    """Routes that were found in the position `there`, and the hexes that the company reaches now."""
    reach = tuple(sorted(game.board_rules.network(game, company).hexes))
    return CompanyRuns(line, describe_routes(there, routes), routes_svg(there, routes), reach)


def routes_svg(game: Game, routes: Sequence[Route]) -> Markup:
    view = view_of(game)
    canvas = Canvas(view.land.map, SIDE, view.land.map.hexes)
    return Markup("".join(map(sprite_svg, route_sprites(game, view, canvas, routes))))


def describe_routes(game: Game, routes: Sequence[Route]) -> tuple[RunView, ...]:
    kinds = kinds_of(game)
    return tuple(
        RunView(
            ROUTES[number % len(ROUTES)],
            f"{kinds.get(route.train, route.train)}: {route_text(route)} = {route.revenue}",
        )
        for number, route in enumerate(routes)
    )

"""Routes of a company as the page shows them: its best, its last, and what it reaches."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from bot.engine.ids import CompanyId
from bot.engine.notation.messages import money
from bot.engine.notation.text import action_of
from bot.engine.play.game import Game
from bot.engine.play.steps.routes import best_set, route_problem, routes_of
from bot.engine.routes.revenue.model import Route
from bot.engine.state.actions import RunRoutes
from bot.i18n import say
from bot.render.hexes.canvas import Canvas
from bot.render.scenes.map import SIDE, route_sprites
from bot.render.shapes.colours import ROUTES
from bot.render.shapes.hex_view import view_of
from bot.service.sessions.queries import LogEntry
from bot.service.views import position_text
from bot.service.views.routes import kinds_of, proof, way

from .board_svg import placed_svg


@dataclass(frozen=True)
class RunView:
    """A route in words, with the colour of its line."""

    colour: str
    said: str


@dataclass(frozen=True)
class CompanyRuns:
    """Routes of a company, in words and as lines over the map, and the spaces that it reaches."""

    line: str
    routes: tuple[RunView, ...]
    ways: Markup
    reach: tuple[str, ...]


def best_runs(game: Game, sign: str) -> CompanyRuns:
    """What a company earns at most, with the proof.

    :raises IllegalMove: there is no such company.
    """
    company = position_text.company_named(game, sign)
    found = best_set(game, company, clock=time.monotonic)
    line = f"{company}: {money(game, found.revenue)}, {proof(game, found)}"
    return drawn(game, company, line, game, [route for route in found.routes if route.stops])


def last_runs(game: Game, sign: str, before: Game | None, action: RunRoutes | None) -> CompanyRuns:
    """What a company earned when its trains ran last; `before` is the position in which they did, by that move.

    :raises IllegalMove: there is no such company.
    """
    company = position_text.company_named(game, sign)
    last = game.company(company).last_run
    if last is None:
        return drawn(game, company, say("{company} has not run yet.", company), game, [])
    routes = routes_run(before, action) if before is not None and action is not None else []
    line = say("{company}: last run {money} (OR {round})", company, money(game, last.revenue), last.round)
    return drawn(game, company, line, before or game, routes)


def last_move_to_run(game: Game, story: Sequence[LogEntry], at: int, sign: str) -> tuple[int, RunRoutes] | None:
    """The move by which a company's trains ran last as it stood after record `at`, with its number.

    :raises IllegalMove: there is no such company.
    """
    company = position_text.company_named(game, sign)
    is_undone = any(entry.is_undone for entry in story if entry.record.number == at)
    for entry in reversed(story):
        stands = entry.record.number <= at and (is_undone or not entry.is_undone)
        if stands and entry.record.kind == "move" and entry.record.text:
            action = action_of(game.title, entry.record.text)
            if isinstance(action, RunRoutes) and action.by == company:
                return entry.record.number, action
    return None


def routes_run(game: Game, action: RunRoutes) -> list[Route]:
    """The routes of a move."""
    problem = route_problem(game, CompanyId(action.by))
    return [route for route in routes_of(problem, action).routes if route.stops]


def drawn(game: Game, company: CompanyId, line: str, there: Game, routes: Sequence[Route]) -> CompanyRuns:
    """Routes that were found in the position `there`, and what the company reaches now."""
    reach = tuple(sorted(game.land.network(game, company).spaces))
    return CompanyRuns(line, said_of(there, routes), ways_svg(there, routes), reach)


def ways_svg(game: Game, routes: Sequence[Route]) -> Markup:
    """Routes as lines over the map."""
    view = view_of(game)
    canvas = Canvas(view.land.map, SIDE, view.land.map.hexes)
    return Markup("".join(map(placed_svg, route_sprites(game, view, canvas, routes))))


def said_of(game: Game, routes: Sequence[Route]) -> tuple[RunView, ...]:
    """Routes in words: train, stops, revenue."""
    kinds = kinds_of(game)
    return tuple(
        RunView(ROUTES[number % len(ROUTES)], f"{kinds.get(route.train, route.train)}: {way(route)} = {route.revenue}")
        for number, route in enumerate(routes)
    )

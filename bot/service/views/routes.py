"""The best routes of a company in words: what each train earns, the proof, and why a tempting run earns less."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from bot.engine import CompanyId, msg
from bot.engine.notation import format_action, money
from bot.engine.play import Game
from bot.engine.play.steps import best_run, best_set, route_problem, runner_up_set
from bot.engine.routes.revenue import Route, RouteSet
from bot.i18n import tr

if TYPE_CHECKING:
    from bot.engine.routes.runner_up import RunnerUp

MOST_DIFFERENCES = 6
"""Maximum number of hexes and bonuses named on either side of a comparison."""


def routes_text(game: Game, company: CompanyId) -> str:
    found = best_set(game, company, clock=time.monotonic)
    lines = [f"{company}: {money(game, found.revenue)}, {proof(game, found)}"]
    kinds = kinds_of(game)
    for route in found.routes:
        parts = " + ".join(f"{amount} {tr(name)}" for name, amount in route.parts)
        lines.append(
            f"  {kinds[route.train]}: {route_text(route)} = {route.revenue}{f' ({parts})' if len(route.parts) > 1 else ''}"
        )
    lines += [tr("  together: {amount} {name}", amount, msg(name)) for name, amount in found.joint]
    other = runner_up_set(game, company, time.monotonic) if found.revenue else None
    if other is not None:
        lines.append(runner_up_text(game, company, found, other))
    return "\n".join(lines)


def routes_with_picture(game: Game, company: CompanyId) -> tuple[str, str]:
    """The same, and the request for a picture of these very routes."""
    text = routes_text(game, company)
    return text, f"{company}\n{format_action(best_run(game, company, time.monotonic))}"


def proof(game: Game, found: RouteSet) -> str:
    if not found.proven:
        return tr("the best run found; at most {money} is possible", money(game, found.bound))
    return tr("the best run") if found.revenue else tr("no run earns anything")


def runner_up_text(game: Game, company: CompanyId, best: RouteSet, other: RunnerUp) -> str:
    route = other.route
    kind = kinds_of(game)[route.train]
    if other.stop is not None:
        place = route_problem(game, company).graph.stops[other.stop].name
        named = other.stop.hex if place == other.stop.hex else f"{place} ({other.stop.hex})"
        aim = tr("with the {kind} to {named}", kind, named)
    else:
        aim = (
            tr("with the {kind} for {bonus}", kind, msg(other.bonus))
            if other.bonus
            else tr("with only the {kind}'s own highest run", kind)
        )
    rest = other.routes.revenue - route.revenue
    has_others = len(route_problem(game, company).trains) > 1
    others = tr(", the other trains {rest}", rest or msg("nothing")) if has_others else ""
    less = money(game, best.revenue - other.routes.revenue)
    return tr(
        "Tempting, but {less} less: {aim}, {route} = {revenue}{others}; {money} in all ({other})",
        less,
        aim,
        route_text(route),
        route.revenue,
        others,
        money(game, other.routes.revenue),
        differences(other),
    )


def differences(other: RunnerUp) -> str:
    """The stops that earn more and the stops that earn less than in the best run."""
    return ", ".join([*_signed_terms("+", other.gained), *_signed_terms("-", other.lost)])


def _signed_terms(sign: str, amounts: Iterable[tuple[str, int]]) -> list[str]:
    named = [f"{tr(name)} {sign}{amount}" for name, amount in amounts]
    more = len(named) - MOST_DIFFERENCES
    return [*named[:MOST_DIFFERENCES], tr("{more} more", more)] if more > 0 else named


def route_text(route: Route) -> str:
    return " - ".join(stop.hex for stop in route.stops) or tr("idle")


def kinds_of(game: Game) -> dict[str, str]:
    return {str(train.id): train.kind for train in game.state.trains}

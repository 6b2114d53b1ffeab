"""The best routes of a company in words: what each train earns, the proof, and why a tempting run earns less."""

from __future__ import annotations

import time
from collections.abc import Iterable

from bot.engine.ids import CompanyId
from bot.engine.message import said
from bot.engine.notation.messages import money
from bot.engine.notation.text import text_of
from bot.engine.play.game import Game
from bot.engine.play.steps.routes import best_run, best_set, route_problem, tempting_set
from bot.engine.routes.revenue.model import Route, RouteSet
from bot.engine.routes.runner_up import RunnerUp
from bot.i18n import say

MOST_DIFFERENCES = 6
"""So many spaces and bonuses are named on either side of a comparison."""


def routes_text(game: Game, company: CompanyId) -> str:
    """Revenue and proof, a line for each train, and the runner-up."""
    found = best_set(game, company, clock=time.monotonic)
    lines = [f"{company}: {money(game, found.revenue)}, {proof(game, found)}"]
    kinds = kinds_of(game)
    for route in found.routes:
        parts = " + ".join(f"{amount} {say(name)}" for name, amount in route.parts)
        lines.append(
            f"  {kinds[route.train]}: {way(route)} = {route.revenue}{f' ({parts})' if len(route.parts) > 1 else ''}"
        )
    lines += [say("  together: {amount} {name}", amount, said(name)) for name, amount in found.joint]
    other = tempting_set(game, company, time.monotonic) if found.revenue else None
    if other is not None:
        lines.append(runner_up_text(game, company, found, other))
    return "\n".join(lines)


def routes_shown(game: Game, company: CompanyId) -> tuple[str, str]:
    """The same, and what a picture of these very routes is asked for with."""
    text = routes_text(game, company)
    return text, f"{company}\n{text_of(best_run(game, company, time.monotonic))}"


def proof(game: Game, found: RouteSet) -> str:
    """Whether more is possible."""
    if not found.proven:
        return say("the best run found; at most {money} is possible", money(game, found.bound))
    return say("the best run") if found.revenue else say("no run earns anything")


def runner_up_text(game: Game, company: CompanyId, best: RouteSet, other: RunnerUp) -> str:
    """The tempting run, what it earns with the others, and what makes the difference."""
    route = other.route
    kind = kinds_of(game)[route.train]
    if other.stop is not None:
        place = route_problem(game, company).graph.stops[other.stop].name
        named = other.stop.hex if place == other.stop.hex else f"{place} ({other.stop.hex})"
        aim = say("with the {kind} to {named}", kind, named)
    else:
        aim = (
            say("with the {kind} for {bonus}", kind, said(other.bonus))
            if other.bonus
            else say("with the highest run of the {kind} alone", kind)
        )
    rest = other.routes.revenue - route.revenue
    has_others = len(route_problem(game, company).trains) > 1
    others = say(", the other trains {rest}", rest or said("nothing")) if has_others else ""
    less = money(game, best.revenue - other.routes.revenue)
    return say(
        "Tempting, but {less} less: {aim}, {route} = {revenue}{others}; {money} in all ({other})",
        less,
        aim,
        way(route),
        route.revenue,
        others,
        money(game, other.routes.revenue),
        differences(other),
    )


def differences(other: RunnerUp) -> str:
    """What earns more and what earns less than in the best run."""
    return ", ".join([*_signed("+", other.gained), *_signed("-", other.lost)])


def _signed(sign: str, amounts: Iterable[tuple[str, int]]) -> list[str]:
    named = [f"{say(name)} {sign}{amount}" for name, amount in amounts]
    more = len(named) - MOST_DIFFERENCES
    return [*named[:MOST_DIFFERENCES], say("{more} more", more)] if more > 0 else named


def way(route: Route) -> str:
    """The spaces of the stops in order."""
    return " - ".join(stop.hex for stop in route.stops) or say("idle")


def kinds_of(game: Game) -> dict[str, str]:
    """The kind of every train by its number."""
    return {str(train.id): train.kind for train in game.state.trains}

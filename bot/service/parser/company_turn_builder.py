"""A company's turn put together move by move on a position of one's own: what can come next, and how it ends."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from bot.engine.ids import CompanyId, PlayerId, as_company
from bot.engine.notation.messages import money
from bot.engine.notation.text import text_of
from bot.engine.play.game import Game
from bot.engine.play.steps.routes import best_run, best_set
from bot.engine.refusals import permits
from bot.engine.state.actions import Action, BuyPrivate, BuyTrain, Dividend, LayTile, Pass, PlaceToken, RunRoutes
from bot.i18n import say

from .menus import legal_for, usual
from .preview import exits_note, falls, foretold
from .suggestions import BEST, each_once, short_text

MOST_PASSES = 6
"""So many passes end a turn at most."""


@dataclass(frozen=True)
class NextStep:
    """What may come next: its label, the moves as one would type them, the action where it is a single one, and what follows
    where they are several."""

    label: str
    moves: str
    action: Action | None = None
    follows: str = ""


def company_composing(game: Game, seats: Collection[PlayerId]) -> CompanyId | None:
    """The company in turn, where one of these seats is asked what it does."""
    if game.state.finished or game.state.round.kind != "operating" or not game.state.flow:
        return None
    entity = game.frame.entity
    is_own = entity in game.state.companies and game.decider(as_company(entity or "")) in {*seats} & {*game.asked()}
    return as_company(entity) if is_own and entity else None


def lays(game: Game, seats: Collection[PlayerId]) -> list[NextStep]:
    """Every tile that can be laid, each way of it once however it is turned."""
    found = each_once(game, (action for action in legal_for(game, seats) if isinstance(action, LayTile)))
    return [NextStep(short_text(game, action), text_of(action), action) for action in found]


def others(game: Game, seats: Collection[PlayerId], company: CompanyId) -> list[NextStep]:
    """What can be done but lay tiles: running with paying in one, tokens, trains; then passing, and last purchases whose price
    is free, for the least and for the most."""
    found = list(runs(game, company)) if any(RunRoutes in step.verbs for step in game.open_steps()) else []
    by_kind: dict[type[Action], list[Action]] = {}
    for action in legal_for(game, seats):
        if not isinstance(action, LayTile):
            by_kind.setdefault(type(action), []).append(action)
    listed = [
        action
        for kind in sorted(by_kind, key=lambda kind: kind is Pass)
        for action in (by_kind[kind] if kind is PlaceToken else usual(game, kind, by_kind[kind]))
    ]
    listed += [action for kind in (BuyTrain, BuyPrivate) for action in by_kind.get(kind, ()) if action not in listed]
    return found + [NextStep(short_text(game, action), text_of(action), action) for action in listed]


def runs(game: Game, company: CompanyId) -> Iterator[NextStep]:
    """The best run, with everything that can be done with what it earns."""
    best = best_set(game, company, clock=time.monotonic)
    after = game.copy()
    after.apply(best_run(game, company, time.monotonic))
    dividends = [action for action in legal_for(after, after.asked()) if isinstance(action, Dividend)]
    revenue = money(game, best.revenue)
    for action in dividends:
        paid = after.copy()
        paid.apply(action)
        text = "; ".join([short_text(after, action), *dues(paid, company)])
        label = say("Run for {money}: {what}", revenue, text)
        yield NextStep(label, f"{BEST}; {text}", follows=foretold(after, action))
    if not dividends:
        yield NextStep(say("Run for {money}", revenue), "; ".join([BEST, *dues(after, company)]))


def dues(game: Game, company: CompanyId) -> list[str]:
    """What is then paid without being asked: what is due and lies in the treasury, so that nobody's price falls by it."""
    due = game.title.dues
    if game.open_verbs().isdisjoint(due):
        return []
    found = [action for action in legal_for(game, game.asked()) if type(action) in due and action.by == company]
    return [short_text(game, action) for action in found if not falls(game, action)]


def note(game: Game, found: NextStep) -> str:
    """Where the track of a tile leads, what a move costs, what follows."""
    if found.action is None:
        return found.follows
    return ". ".join(filter(None, [exits_note(game, found.action), foretold(game, found.action)]))


def passes_to_end(game: Game, company: CompanyId) -> int:
    """How many passes end the company's turn, where nothing is lost by them; 0 where they do not end it."""
    trial = game.copy()
    for number in range(MOST_PASSES):
        if trial.state.finished or trial.frame.entity != company:
            return number
        skip = Pass(company)
        if not permits(trial.check, skip) or falls(trial, skip):
            return 0
        trial.apply(skip)
    return 0

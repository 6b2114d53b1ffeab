"""A company's turn put together move by move on a position of one's own: what can come next, and how it ends."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from bot.engine import CompanyId, PlayerId, as_company, is_permitted
from bot.engine.notation import format_action, money
from bot.engine.play.game import Game
from bot.engine.play.steps.routes import best_run, best_set
from bot.engine.state.actions import Action, BuyPrivate, BuyTrain, Dividend, LayTile, Pass, PlaceToken, RunRoutes
from bot.i18n import tr

from .menus import legal_for, usual
from .preview import exits_note, falls, foretold
from .suggestions import BEST, each_once, short_text

MOST_PASSES = 6


@dataclass(frozen=True)
class NextStep:
    """A possible next step: its label, the moves as players type them, the action if there is only one, and what
    follows if there are several.
    """

    label: str
    moves: str
    action: Action | None = None
    follows: str = ""


def company_composing(game: Game, seats: Collection[PlayerId]) -> CompanyId | None:
    """The company in turn, if one of these seats decides for it."""
    if game.state.finished or game.state.round.kind != "operating" or not game.state.flow:
        return None
    entity = game.frame.entity
    is_own = entity in game.state.companies and game.controller_of(as_company(entity or "")) in {*seats} & {
        *game.players_to_act()
    }
    return as_company(entity) if is_own and entity else None


def lays(game: Game, seats: Collection[PlayerId]) -> list[NextStep]:
    """Every tile that can be laid, each way once, however it is turned."""
    found = each_once(game, (action for action in legal_for(game, seats) if isinstance(action, LayTile)))
    return [NextStep(short_text(game, action), format_action(action), action) for action in found]


def others(game: Game, seats: Collection[PlayerId], company: CompanyId) -> list[NextStep]:
    """All that can be done except laying tiles: running together with paying, tokens, trains; then passing, and
    last purchases whose price is free, for the least and for the most.
    """
    found = list(runs(game, company)) if RunRoutes in game.open_verbs() else []
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
    return found + [NextStep(short_text(game, action), format_action(action), action) for action in listed]


def runs(game: Game, company: CompanyId) -> Iterator[NextStep]:
    """The best run, with every possible use of its revenue."""
    best = best_set(game, company, clock=time.monotonic)
    after = game.copy()
    after.apply(best_run(game, company, time.monotonic))
    dividends = [action for action in legal_for(after, after.players_to_act()) if isinstance(action, Dividend)]
    revenue = money(game, best.revenue)
    for action in dividends:
        paid = after.copy()
        paid.apply(action)
        text = "; ".join([short_text(after, action), *dues(paid, company)])
        label = tr("Run for {money}: {what}", revenue, text)
        yield NextStep(label, f"{BEST}; {text}", follows=foretold(after, action))
    if not dividends:
        yield NextStep(tr("Run for {money}", revenue), "; ".join([BEST, *dues(after, company)]))


def dues(game: Game, company: CompanyId) -> list[str]:
    """Dues that are then paid without a question: they are in the treasury, so that no price falls because of
    them.
    """
    due = game.title.dues
    if game.open_verbs().isdisjoint(due):
        return []
    found = [
        action for action in legal_for(game, game.players_to_act()) if type(action) in due and action.by == company
    ]
    return [short_text(game, action) for action in found if not falls(game, action)]


def note(game: Game, found: NextStep) -> str:
    if found.action is None:
        return found.follows
    return ". ".join(filter(None, [exits_note(game, found.action), foretold(game, found.action)]))


def passes_to_end(game: Game, company: CompanyId) -> int:
    """The number of passes that end the company's turn without losing anything; 0 where passes do not end it."""
    trial = game.copy()
    for number in range(MOST_PASSES):
        if trial.state.finished or trial.frame.entity != company:
            return number
        skip = Pass(company)
        if not is_permitted(trial.check, skip) or falls(trial, skip):
            return 0
        trial.apply(skip)
    return 0

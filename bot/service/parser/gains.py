"""The gains of track and tokens in a company's best run."""

from __future__ import annotations

import time
from collections.abc import Iterable

from bot.engine import CompanyId, HexId, as_company
from bot.engine.notation.messages import money
from bot.engine.play import Game
from bot.engine.state.actions import Action, LayTile, PlaceToken
from bot.i18n import tr

from .preview import position_after

MOST_WORK, MOST_SECONDS = 0.5, 3.0
"""The processor's time and the clock's for all searches of one list, in seconds; moves that were not reached then are listed
last. A busy machine changes the first little, so that lists seldom differ."""


def run_gains(game: Game, actions: Iterable[Action | None]) -> dict[Action, int]:
    """The gain of each tile or token of the first company in its best run; nothing without trains, and without moves that were
    not reached in time.
    """
    # Requests for other moves do not wait until the search is loaded.
    from bot.engine.play.steps.routes import best_set

    builds = [one for one in actions if isinstance(one, LayTile | PlaceToken) and one.by in game.state.companies]
    company = as_company(builds[0].by) if builds else None
    if company is None or not game.state.trains_of(company):
        return {}
    work, end = time.thread_time() + MOST_WORK, time.monotonic() + MOST_SECONDS
    before = best_set(game, company, clock=time.monotonic).revenue
    found: dict[Action, int] = {}
    for action in (one for one in builds if one.by == company):
        left = end - time.monotonic()
        if left < 0 or time.thread_time() > work:
            break
        trial = position_after(game, action)
        if trial is not None and (isinstance(action, PlaceToken) or is_reached(trial, company, action.hex)):
            found[action] = best_set(trial, company, left, time.monotonic).revenue - before
        else:
            found[action] = 0
    return found


def is_reached(game: Game, company: CompanyId, hex_id: HexId) -> bool:
    """Whether anything of the company's runs can depend on a hex."""
    return hex_id in game.board_rules.network(game, company).hexes


def gain_note(game: Game, gain: int) -> str:
    """`Best run +¥30.`; empty where nothing changes."""
    return tr("Best run {gain}.", signed_money(game, gain)) if gain else ""


def signed_money(game: Game, change: int) -> str:
    """`+¥30`, `−¥30`."""
    return f"{'+' if change >= 0 else '−'}{money(game, abs(change))}"

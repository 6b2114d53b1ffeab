"""The gain and the cost of a move in a few words, for a button: what it pays, what it brings, which price it moves."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from bot.engine import CompanyId, Owner, Rejected, as_company, is_player
from bot.engine.notation import money
from bot.engine.play import Game
from bot.engine.play.holdings import price_of
from bot.engine.play.steps import best_set
from bot.engine.state import Action, Bid, BuyPrivate, LayTile, PlaceToken
from bot.i18n import tr
from bot.service.parser.gains import signed_money
from bot.service.parser.moves import parse_moves
from bot.service.parser.preview import position_after
from bot.service.parser.suggestions import PAY_BEST


def consequences(game: Game, action: Action) -> str:
    """The effect of a move as facts: `$120 to you, price 100 → 112`; empty if the move says it all or is not legal."""
    trial = position_after(game, action)
    return (
        "" if trial is None else ", ".join([*_sums(game, trial, action), *_prices(game, trial), *_income(game, action)])
    )


def _sums(game: Game, trial: Game, action: Action) -> Iterator[str]:
    """The sums that the actor and the player who decides for it pay and get."""
    player = game.controller_of(action.by)
    for owner in dict.fromkeys(filter(None, (action.by, player))):
        change = trial.state.cash.get(owner, 0) - game.state.cash.get(owner, 0)
        if change:
            yield _format_change(game, owner, change)


def _format_change(game: Game, owner: Owner, change: int) -> str:
    if not is_player(owner):
        return f"{owner} {signed_money(game, change)}"
    amount = money(game, abs(change))
    return tr("you get {sum}", amount) if change > 0 else tr("you pay {sum}", amount)


def _prices(game: Game, trial: Game) -> Iterator[str]:
    """The prices that a move changes or sets."""
    for company, after in trial.state.companies.items():
        before = game.state.companies[company]
        if after.position != before.position and after.position is not None and not after.closed:
            now = money(trial, price_of(trial, company))
            if before.position is not None:
                yield f"{company} {money(game, price_of(game, company))} → {now}"


def _income(game: Game, action: Action) -> Iterator[str]:
    named = action.lot if isinstance(action, Bid) else action.private if isinstance(action, BuyPrivate) else ""
    noun = next((one for one in game.title.privates.values() if one.id == named), None)
    if noun is not None and noun.income:
        yield tr("income {sum}", money(game, noun.income))


def gain_of(before: Game, actions: Sequence[Action], after: Game) -> str:
    """The effect of tiles and tokens of one company on its best run; empty for other moves."""
    by = {action.by for action in actions}
    builds = any(isinstance(action, LayTile | PlaceToken) for action in actions)
    return best_run_change(before, after, by.pop()) if builds and len(by) == 1 else ""


def best_run_change(before: Game, after: Game, company: Owner) -> str:
    """The effect of a lay on the company's best run: `Best run of VR: £180 → £210 (+£30)`; empty without trains. It
    searches for routes twice, so it belongs off the event loop.
    """
    sign = as_company(company)
    if sign not in before.state.companies or sign not in after.state.companies or not after.state.trains_of(sign):
        return ""
    old, new = (_best_revenue(position, sign) for position in (before, after))
    if new == old:
        return tr("Best run of {company}: {sum}, unchanged", company, money(after, new))
    gain = signed_money(after, new - old)
    return tr(
        "Best run of {company}: {before} → {after} ({gain})", company, money(before, old), money(after, new), gain
    )


def paid_run_note(game: Game) -> str:
    """The revenue of the best run and what paying it brings; empty where it earns nothing or cannot be paid at once."""
    try:
        run, dividend = parse_moves(game, PAY_BEST)
    except (Rejected, ValueError):
        return ""
    revenue, after = _best_revenue(game, as_company(run.by)), position_after(game, run)
    return f"{money(game, revenue)}: {consequences(after, dividend)}" if revenue and after is not None else ""


def _best_revenue(game: Game, company: CompanyId) -> int:
    return best_set(game, company, clock=time.monotonic).revenue


def best_run_note(game: Game) -> str:
    """The revenue of the best run of the company in turn."""
    company = game.company_in_turn
    return money(game, _best_revenue(game, company)) if company else ""

"""Gains and costs of moves in a few words."""

from __future__ import annotations

from bot.ai.fuzzer import RandomGame
from bot.engine.play.steps.routes import best_set
from bot.engine.state.actions import BuyShares, Dividend, LayTile, Pass, SellShares
from bot.service.parser import menus
from bot.service.views.consequences import best_run_change, consequences, gain_of
from bot.titles.registry import TITLES


def test_every_gain_is_what_the_move_then_does() -> None:
    """For shares and dividends of a random game: the sum in the words is the sum that changes hands."""
    played, seen = RandomGame(TITLES["1848"], 3, 7, None, None), {BuyShares: 0, SellShares: 0, Dividend: 0}
    for _, _ in zip(range(220), played.moves(), strict=False):
        game = played.game
        for action in menus.legal_for(game, game.players_to_act()):
            if not isinstance(action, BuyShares | SellShares | Dividend) or seen[type(action)] > 12:
                continue
            seen[type(action)] += 1
            after, player = game.copy(), game.controller_of(action.by)
            assert player is not None
            after.step_for(action).apply(after, action)
            change = after.state.cash[player] - game.state.cash[player]
            words = consequences(game, action)
            told = f"you get £{change}" if change > 0 else f"you pay £{-change}" if change < 0 else ""
            assert told in words and ("you " in words) == bool(change), (action, words, change)
    assert all(seen.values()), seen


def test_a_lay_says_what_it_does_to_the_best_run() -> None:
    played, gains = RandomGame(TITLES["1848"], 3, 7, None, None), set[str]()
    for _, _ in zip(range(400), played.moves(), strict=False):
        game = played.game
        lays = [one for one in menus.legal_for(game, game.players_to_act()) if isinstance(one, LayTile)]
        company = game.company_in_turn
        if not lays or company is None:
            continue
        after = game.copy()
        after.step_for(lays[0]).apply(after, lays[0])
        said = best_run_change(game, after, company)
        assert gain_of(game, [lays[0]], after) == said and gain_of(game, [Pass(company)], after) == ""
        if not game.state.trains_of(company):
            assert said == ""
            continue
        before, now = best_set(game, company).revenue, best_set(after, company).revenue
        assert f"£{now}" in said and (("unchanged" in said) if now == before else f"(+£{now - before})" in said), said
        gains.add("unchanged" if now == before else "more")
        if len(gains) == 2:
            return
    raise AssertionError(f"only {gains}")

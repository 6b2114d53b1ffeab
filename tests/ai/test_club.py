"""The club player: lists every move, builds nothing idle, and looks further by the clock of trains."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.ai import policy
from bot.ai.fuzzer import BUILDER, RandomGame
from bot.ai.move_evaluator import UNLIKELY, Evaluator, ScoredMove
from bot.ai.policy import best_moves, choose, ranking, with_lookahead
from bot.ai.stock import score_trades
from bot.ai.title_parameters import CLUB, STRONG, SkillLevel
from bot.ai.track_plans import IDLE_TOKEN, score_builds
from bot.engine.chance import SeededRandom
from bot.engine.play.game import Game
from bot.engine.state.actions import Dividend, LayTile, PlaceToken, SellShares
from bot.titles.registry import TITLES
from tests.ai.recorded_openings import position as recorded


def judge_of(game: Game, strength: SkillLevel) -> Evaluator:
    return Evaluator(game, game.players_to_act()[0], strength, SeededRandom(1))


@pytest.fixture(scope="module")
def builds() -> Game:
    """18GB: a company may lay track or place a token."""
    table = RandomGame(TITLES["18GB"], 3, 3, wanted=BUILDER, is_audited=False)
    return next(
        game.copy()
        for game in table.moves()
        if any(isinstance(action, PlaceToken) for action in game.legal_actions())
        and sum(isinstance(action, LayTile) for action in game.legal_actions()) > 4
    )


def test_every_sale_is_ranked_but_hardly_made() -> None:
    game = recorded(42)
    judge = judge_of(game, CLUB)
    sales = {one for one in judge.options() if isinstance(one, SellShares)}
    ranked = {one.action: one.score for one in score_trades(judge, [*sales], may_pass=True)}
    few = score_trades(judge_of(game, STRONG), [*sales], may_pass=True)
    assert len(ranked) > len({one.action for one in few}) and min(ranked.values()) < UNLIKELY / 2
    whole = [one.score for one in ranking(judge)]
    assert min(whole) < UNLIKELY / 2 < whole[0]
    moves = best_moves(game, judge.seat, 1, CLUB)
    assert moves[0] == choose(game, judge.seat, 1, CLUB).action
    assert len(moves) < len(whole)


def test_idle_builds_count_less_than_passing(builds: Game) -> None:
    lays = [one for one in builds.legal_actions() if isinstance(one, LayTile | PlaceToken)]
    plain, shy = (
        {one.action: one for one in score_builds(judge_of(builds, replace(STRONG, pairs=0, idle=idle)), lays)}
        for idle in (0.0, 10.0)
    )
    lost = set()
    for action, before in plain.items():
        now, later, _ = before.gains
        weight = IDLE_TOKEN if isinstance(action, PlaceToken) else 1
        expected = 10.0 * weight if now <= 0 and later <= 0 else 0.0
        assert before.score - shy[action].score == pytest.approx(expected)
        lost.add(expected)
    assert {0.0, 10.0} <= lost or {10.0, 40.0} <= lost
    assert STRONG.idle == 0 < CLUB.idle


def test_what_follows_a_move_is_judged_by_the_same_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[SkillLevel] = []

    def rate(judge: Evaluator) -> list[ScoredMove]:
        used.append(judge.strength)
        return []

    table = RandomGame(TITLES["1830"], 3, 3, wanted=BUILDER, is_audited=False)
    game = next(
        game.copy() for game in table.moves() if any(isinstance(action, Dividend) for action in game.legal_actions())
    )
    options = [ScoredMove(action, 0.0) for action in game.legal_actions() if isinstance(action, Dividend)]
    monkeypatch.setattr(policy, "rate", rate)
    for strength in (STRONG, CLUB):
        used.clear()
        with_lookahead(judge_of(game, strength), options)
        assert used and {one.renews for one in used} == {strength.renews}
    assert CLUB.renews and CLUB.ahead > STRONG.ahead


def test_moves_that_nobody_would_make_are_not_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[ScoredMove] = []
    monkeypatch.setattr(policy, "played_on", lambda judge, one: played.append(one) or one.score)
    game = recorded(42)
    sale = next(one for one in game.legal_actions() if isinstance(one, SellShares))
    likely = [ScoredMove(sale, 5.0), ScoredMove(sale, 3.0)]
    with_lookahead(judge_of(game, CLUB), [*likely, ScoredMove(sale, UNLIKELY + 100)])
    assert played == likely

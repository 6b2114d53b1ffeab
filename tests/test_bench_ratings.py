"""`python -m benchmarks.ratings`: forecasts from the first half of a tournament, judged by its second half."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from benchmarks import ratings
from benchmarks.ratings import STRENGTHS, TournamentGame, build_report, outcome, ratings_after, tournament, wins_by_seat


def drawn(number: int, is_even: bool) -> list[TournamentGame]:
    """Games in which a strength beats those before it in the list, or in which everybody wins equally often."""
    chance, games = random.Random(1), []
    for seed in range(number):
        seats = chance.sample(STRENGTHS, 3)
        order = [*seats]
        if is_even:
            chance.shuffle(order)
        else:
            order.sort(key=lambda name: -STRENGTHS.index(name) + chance.uniform(-1.2, 1.2))
        games.append(TournamentGame(seed, seats, [order.index(name) + 1 for name in seats]))
    return games


def test_ratings_predict_where_strengths_differ_and_claim_nothing_where_they_do_not() -> None:
    found = build_report(drawn(600, is_even=False))
    assert found["brier_ratings"] < found["brier_seat"] and found["interval"][0] > 0
    assert found["ratings"]["strong"] > found["ratings"]["steady"] > found["ratings"]["learner"]
    low, high = build_report(drawn(600, is_even=True))["interval"]
    assert low < 0 or high < 0.02


def test_ratings_see_nothing_of_the_second_half() -> None:
    games = drawn(100, is_even=False)
    turned = [TournamentGame(game.seed, game.seats, game.places[::-1]) for game in games[50:]]
    assert ratings_after(games[:50]) == ratings_after([*games[:50], *turned][:50])
    assert build_report(games)["ratings"] == build_report([*games[:50], *turned])["ratings"]
    assert build_report(games)["brier_ratings"] != build_report([*games[:50], *turned])["brier_ratings"]


def test_a_shared_first_place_is_half_a_win() -> None:
    tie = TournamentGame(1, [*STRENGTHS], [1, 1, 3])
    assert outcome(tie) == [0.5, 0.5, 0.0]
    assert wins_by_seat([tie, TournamentGame(2, [*STRENGTHS], [1, 2, 3])]) == [0.75, 0.25, 0.0]


def test_a_run_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "games.jsonl"

    class Here:
        """Plays in this process."""

        def __init__(self, jobs: int) -> None: ...
        def __enter__(self) -> Here:
            return self

        def __exit__(self, *error: object) -> None: ...

        map = staticmethod(map)

    played: list[int] = []

    def play(title: str, seed: int) -> TournamentGame:
        played.append(seed)
        return TournamentGame(seed, [*STRENGTHS], [1, 2, 3])

    monkeypatch.setattr(ratings, "ProcessPoolExecutor", Here)
    monkeypatch.setattr(ratings, "play", play)
    assert len(list(tournament("1889", range(3), 1, out))) == 3
    assert [game.seed for game in tournament("1889", range(5), 1, out)] == [0, 1, 2, 3, 4]
    assert played == [0, 1, 2, 3, 4]

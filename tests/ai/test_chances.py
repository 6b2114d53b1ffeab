"""Chances of winning: they are everybody's, add up to 1, follow what players are worth, and are learned from games."""

from __future__ import annotations

import pytest

from bot.ai.chances import (
    ENDED,
    FEATURES,
    ChanceWeights,
    Sighting,
    chance_curve,
    chance_weights,
    chances,
    fit_doubt,
    fit_weights,
    relative,
    softmax,
    solve,
)
from bot.ai.fuzzer import BUILDER, RandomGame
from bot.cli.chances import calibration_error, sightings_of
from bot.engine.ids import seat
from bot.engine.play.game import Game
from bot.titles.registry import TITLES

PLAIN = ChanceWeights((10.0, 10.0), games=1, early=0.0, late=0.0)


@pytest.fixture(scope="module")
def positions() -> list[Game]:
    table = RandomGame(TITLES["1889"], 3, 3, wanted=BUILDER, is_audited=False)
    return [game.copy() for game in table.moves()]


def test_chances_are_equal_at_first_and_decided_in_the_end(positions: list[Game]) -> None:
    first, last = chances(positions[0]), chances(positions[-1])
    assert list(first.values()) == pytest.approx([1 / 3] * 3)
    assert positions[-1].state.finished
    worth = {player: positions[-1].title.rules.worth(positions[-1], player) for player in last}
    assert {player for player, chance in last.items() if chance > 0} == {
        player for player, one in worth.items() if one == max(worth.values())
    }


def test_chances_add_up_and_stay_with_their_seats(positions: list[Game]) -> None:
    for game in positions[::25]:
        found = chances(game)
        assert list(found) == [seat(1), seat(2), seat(3)]
        assert sum(found.values()) == pytest.approx(1)


def test_more_money_is_a_better_chance(positions: list[Game]) -> None:
    game = positions[len(positions) // 2].copy()
    before = chances(game, PLAIN)[seat(2)]
    game.state.cash[seat(2)] += 500
    assert chances(game, PLAIN)[seat(2)] > before


def test_doubt_draws_chances_towards_equal_ones(positions: list[Game]) -> None:
    game = positions[-30]
    sure = chances(game, PLAIN)
    drawn = chances(game, ChanceWeights(PLAIN.weights, games=1, early=0.5, late=0.5))
    for player, chance in sure.items():
        assert drawn[player] == pytest.approx(0.5 * chance + 0.5 / 3)


def test_the_curve_has_a_row_for_each_round_and_the_end(positions: list[Game]) -> None:
    curve = chance_curve(positions)
    assert curve[0].label == "AR 1" and curve[-1].label == ENDED
    assert len({row.label for row in curve}) == len(curve)
    assert [row.move for row in curve] == sorted(row.move for row in curve)


def test_weights_that_made_the_winners_are_found_again() -> None:
    strong = [Sighting(((0.4, 0.0), (-0.4, 0.0)), (1.0, 0.0), 1.0)] * 80
    weak = [Sighting(((0.4, 0.0), (-0.4, 0.0)), (0.0, 1.0), 1.0)] * 20
    found = fit_weights([*strong, *weak])
    assert softmax(found, strong[0].features)[0] == pytest.approx(0.8, abs=0.02)
    assert found[1] == 0


def test_doubt_is_as_large_as_winners_surprise() -> None:
    """Of chances of 88 to 12 each, half come true: early and late are told apart by how late it was."""
    rows = ((1.0, 0.0), (-1.0, 0.0))
    early = [Sighting(rows, wins, 0.0) for wins in ((1.0, 0.0), (0.0, 1.0))] * 20
    late = [Sighting(rows, (1.0, 0.0), 1.0)] * 40
    assert fit_doubt((1.0, 0.0), [*early, *late]) == (0.95, 0.05)


def test_a_system_of_equations_is_solved() -> None:
    assert solve([[0.0, 2.0], [3.0, 1.0]], [4.0, 5.0]) == pytest.approx([1.0, 2.0])


def test_relative_values_are_parts_of_the_mean() -> None:
    assert relative([100.0, 200.0, 300.0]) == [-0.5, 0.0, 0.5]


def test_predictions_that_come_true_are_calibrated() -> None:
    assert calibration_error([(0.25, 0.0), (0.25, 0.0), (0.25, 0.0), (0.25, 1.0)]) == 0
    assert calibration_error([(1.0, 0.0), (1.0, 1.0)]) == 0.5


def test_finished_games_are_seen_at_each_round(positions: list[Game]) -> None:
    seen = [*sightings_of(positions)]
    assert len(seen) == len(chance_curve(positions)) - 1
    assert all(len(one.features[0]) == len(FEATURES) and sum(one.wins) == pytest.approx(1) for one in seen)
    assert [*sightings_of(positions[:40])] == []


def test_every_title_has_weights() -> None:
    for title in TITLES:
        assert len(chance_weights(title).weights) == len(FEATURES)
    assert chance_weights("1830") != chance_weights("18BF")

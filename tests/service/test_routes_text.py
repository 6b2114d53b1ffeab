"""The best routes in words."""

from __future__ import annotations

from bot.engine.routes.revenue.model import RouteSet
from bot.engine.routes.runner_up import RunnerUp
from bot.service.views.routes import differences, proof, routes_text
from tests.titles.builders_1848 import new_game, operating, reach_phase, started
from tests.titles.positions import company, lay, token


def melbourne(*trains: str) -> str:
    """VR with Melbourne, Geelong, Mount Gambier and Adelaide on one line of 1848, in words."""
    game = new_game()
    started(game, "VR", {"@1": 4})
    reach_phase(game, "3")
    lay(game, ("57", "H11", 1), ("57", "H9", 1), ("15", "H7", 2), ("57", "G6", 2))
    operating(game, "VR", trains, step=3)
    token(game, "VR", "H9")
    return routes_text(game, company("VR"))


def test_each_train_with_its_parts_and_why_a_tempting_run_earns_less() -> None:
    """1848 §8.2.3, §10.4: alone the 2 earns 40, but on the way of the 4+ with its K-K bonus."""
    assert melbourne("4+", "2").splitlines() == [
        "VR: £140, the best run",
        "  4+: G6 - H7 - H9 - H11 = 140 (90 stops + 50 K-K)",
        "Tempting, but £30 less: with only the 2's own highest run, H9 - H11 = 40, the other trains 70; "
        "£110 in all (H9 +20, K-K -50)",
    ]


def test_the_dear_stop_that_is_not_visited_is_named() -> None:
    """A 2+ may run to Mount Gambier instead, but there is nothing dearer to run to."""
    assert melbourne("2+").splitlines() == [
        "VR: £50, the best run",
        "  2+: H7 - H9 = 50",
        "Tempting, but £10 less: with the 2+ to Melbourne (H11), H9 - H11 = 40; £40 in all (H11 +20, H7 -30)",
    ]


def test_nothing_to_run_tempts_nobody() -> None:
    assert melbourne().splitlines() == ["VR: £0, no run earns anything"]


def test_an_answer_without_proof_says_how_much_more_there_may_be() -> None:
    assert proof(new_game(), RouteSet((), 90, 120, False, 2.04)) == "the best run found; at most £120 is possible"


def test_long_comparisons_are_cut() -> None:
    lost = tuple((f"A{number}", 10) for number in range(9))
    other = RunnerUp("t", RouteSet((), 0, 0, True), gained=(("B1", 50),), lost=lost)
    assert differences(other) == "B1 +50, A0 -10, A1 -10, A2 -10, A3 -10, A4 -10, A5 -10, 3 more"

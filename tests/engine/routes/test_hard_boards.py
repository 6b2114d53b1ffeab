"""The boards of `python -m benchmarks.hard_boards`: the same from their seeds, hard, and with honest answers."""

from __future__ import annotations

import pytest

from benchmarks.hard_boards import BOARDS, HardBoard, searches


def test_there_are_twenty_boards_of_six_titles() -> None:
    assert len(BOARDS) == 20 and len({board.title for board in BOARDS}) == 6


@pytest.mark.whole
@pytest.mark.parametrize("board", [board for board in BOARDS if board.seed == 1], ids=lambda board: board.title)
def test_a_hard_board_is_proven_or_bounded(board: HardBoard) -> None:
    """The rules accept the answer; the board is full of track, and comes out the same again."""
    ((_, problem, found, _),) = searches([board], 2.0)
    again = board.problem()
    assert (again.graph.segments, again.own, again.blocked) == (problem.graph.segments, problem.own, problem.blocked)
    assert 0 < found.revenue <= found.bound and found.proven == (found.revenue == found.bound)
    assert len(problem.graph.segments) > 150

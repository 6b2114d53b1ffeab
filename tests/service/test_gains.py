"""Lays and tokens are listed by what they add to a company's best run."""

from __future__ import annotations

import pytest

from bot.engine.play.game import Game
from bot.engine.play.steps import best_set
from bot.engine.state import LayTile, PlaceToken
from bot.service.features.puzzles import course_of, puzzles_of
from bot.service.parser import gains
from bot.service.parser.gains import run_gains
from bot.service.parser.suggestions import help_lines, legal_options, moves_called
from bot.titles.registry import TITLES, title_version


def position(title: str, number: int) -> Game:
    """The position of a puzzle, in which a company with trains may build."""
    course, _ = course_of(title, number, "Ann")
    return list(course.positions(title_version(title, course.rules or 0)))[-1][0]


@pytest.mark.parametrize("title", [title for title in TITLES if puzzles_of(title).puzzles])
def test_each_gain_is_what_the_run_then_earns_more(title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gains, "MOST_WORK", 60.0)
    monkeypatch.setattr(gains, "MOST_SECONDS", 60.0)
    game = position(title, 1)
    company = puzzles_of(title).puzzles[0].company
    builds = [one for one in legal_options(game).values() if isinstance(one, LayTile | PlaceToken)][:40]
    assert company is not None
    found = run_gains(game, builds)
    before = best_set(game, company).revenue
    for action in builds[:12]:
        trial = game.copy()
        trial.apply(action)
        assert found[action] == best_set(trial, company).revenue - before, action
    assert found.keys() == set(builds)


def test_the_best_lays_are_listed_first_with_their_gain() -> None:
    game = position("1889", 4)
    for lines in (help_lines(game), moves_called(game, "lay", 12)[0]):
        lays = [line for line in lines if line.strip().startswith("lay ")]
        assert lays[0].endswith("Best run +¥30.") and not any("Best run" in line for line in lays[1:])


def test_without_trains_and_without_time_lists_are_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = position("1889", 4)
    monkeypatch.setattr(gains, "MOST_WORK", -1.0)
    assert not any("Best run" in line for line in help_lines(fresh))
    monkeypatch.undo()
    fresh.state.trains.clear()
    assert run_gains(fresh, legal_options(fresh).values()) == {}

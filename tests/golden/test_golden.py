"""The play-through of every title comes out as it is written."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.ids import BANK
from bot.engine.play.game import Game
from bot.engine.play.holdings.money import pay
from bot.engine.state.actions import Pass
from bot.titles.registry import TITLES
from tests.families import few
from tests.golden.playthrough import Beginning, beginning_of, path_of, written

LEAST = 300
"""So many moves tell something of a title."""


@pytest.mark.parametrize("title", few(TITLES, 1, 4))
def test_a_title_is_played_as_it_was(title: str) -> None:
    """`make golden` writes it anew: what differs is to be read, and meant."""
    path = path_of(TITLES[title])
    assert path.exists(), f"{title} has no play-through: make golden TITLE={title}"
    text = path.read_text(encoding="utf-8")
    begun = beginning_of(text)
    assert begun.title == title and len(begun.moves) >= LEAST
    now = written(TITLES[title], begun)
    assert now.splitlines() == text.splitlines()


def short(moves: tuple[str, ...] = (), most: int = 40) -> str:
    """The beginning of a game."""
    return written(TITLES["1848"], Beginning("1848", 3, 5, "builder", most, moves))


def test_a_text_holds_its_own_moves() -> None:
    """Drawn by chance or read from the text, the game is the same; and it needs no chance."""
    text = short()
    begun = beginning_of(text)
    assert len(begun.moves) == 40
    assert written(TITLES["1848"], begun) == text
    assert written(TITLES["1848"], replace(begun, seed=6)).splitlines()[1:] == text.splitlines()[1:]


def test_after_a_move_that_is_not_legal_any_more_chance_goes_on() -> None:
    text = short()
    moves = beginning_of(text).moves
    again = beginning_of(short((*moves[:20], "@1 buy P9 for 1", *moves[20:])))
    assert again.moves[:20] == moves[:20]
    assert len(again.moves) == 40 and "@1 buy P9 for 1" not in again.moves


def test_a_changed_rule_shows_where_it_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pound for every pass: the passes are other lines, and what players have; all other moves are the same."""
    text, passed = short(), Game.record_pass

    def generous(game: Game, action: Pass) -> None:
        pay(game, BANK, action.by, 1, "a pass")
        passed(game, action)

    monkeypatch.setattr(Game, "record_pass", generous)
    other = short(beginning_of(text).moves)
    assert beginning_of(other).moves == beginning_of(text).moves
    changed = [line for line, old in zip(other.splitlines(), text.splitlines(), strict=False) if line != old]
    assert changed and any("pass" in line for line in changed)


def test_what_is_no_play_through_is_refused() -> None:
    with pytest.raises(ValueError, match="no play-through"):
        beginning_of("1848 was played")

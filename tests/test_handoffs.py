"""Hand-offs of recorded games: who has to come, as they were played and with plans."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import handoffs
from benchmarks.handoffs import Count, Course, Decided, RecordedGame, build_report, nothing, plan_all
from bot.engine.ids import PlayerId, seat
from bot.engine.notation.text import parse_action
from bot.engine.play.game import Game
from bot.titles.registry import TITLES

ANN, BOB, CID = seat(1), seat(2), seat(3)
AUCTION = ("@1 bid SV 20", "@2 bid MH 115", "@3 bid MH 120", "@1 bid CS 40", "@2 bid MH 125")


def recorded(*moves: str, seconds: float = 60.0) -> RecordedGame:
    """The decisions of a game of 1830 by three players whose moves these are; each came so long after the one before."""
    game, decided = Game.new(TITLES["1830"], ["Ann", "Bob", "Cid"], {}, 1), []
    for text in moves:
        action = parse_action(game.title, text)
        player = game.controller_of(action.by)
        assert player is not None
        decided.append(Decided(game.copy(), action, player, False, seconds))
        game.apply(action)
    return RecordedGame("made", "1830", decided, game)


def seats_in_turn(game: RecordedGame) -> list[PlayerId]:
    return [one.player for one in game.decided]


def test_another_person_who_must_decide_is_a_hand_off() -> None:
    game = recorded("@1 bid SV 20", "@2 bid MH 115", "@3 bid MH 120")
    assert Course(game, nothing).count() == Count(3, 180.0)


def test_who_is_there_goes_on_without_a_hand_off() -> None:
    game = recorded("@1 bid SV 20", "@2 bid MH 115", "@3 bid MH 120")
    second = game.decided[1]
    game.decided[1] = Decided(second.game, second.action, ANN, False, second.seconds)
    assert Course(game, nothing).count() == Count(2, 120.0)


def test_forced_moves_and_gaps_of_weeks_wait_for_nobody() -> None:
    game = recorded("@1 bid SV 20", "@2 bid MH 115", "@3 bid MH 120", seconds=handoffs.LONGEST + 1)
    assert Course(game, nothing).count() == Count(3, 0.0)
    first = game.decided[0]
    game.decided[0] = Decided(first.game, first.action, first.player, True, first.seconds)
    assert Course(game, nothing).count().hand_offs == 2


def test_who_knows_what_comes_bids_ahead_and_comes_once_each() -> None:
    """Ann plans nothing that she does not do; Bob's second bid stands in his plan."""
    game = recorded(*AUCTION)
    played, oracle = Course(game, nothing).count(), Course(game, plan_all).count()
    assert seats_in_turn(game) == [ANN, BOB, CID, ANN, BOB]
    assert (played.hand_offs, oracle.hand_offs) == (5, 3)


def test_the_report_counts_medians_and_waits_only_of_games_by_post() -> None:
    day = 86400.0
    counts = [(10, 8 * day), (20, 2 * day), (40, 0.1 * day)]
    rows = [{"counts": {name: Count(number, waited) for name in handoffs.LEVELS}} for number, waited in counts]
    report = build_report(rows)
    assert report["games"] == 3
    assert report["hand_offs"] == dict.fromkeys(handoffs.LEVELS, 20)
    assert report["waiting_days"] == dict.fromkeys(handoffs.LEVELS, 5.0)


def test_without_games_it_says_where_they_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SIGNALBOX_SHARED", str(tmp_path))
    assert handoffs.main(["--peer", ""]) == 1
    assert "PEER=" in capsys.readouterr().err


@pytest.mark.shared
def test_plans_spare_most_hand_offs_of_the_real_games(
    shared: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SIGNALBOX_SHARED", str(shared))
    assert handoffs.main(["--json", "--peer", ""]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["games"] == 6
    assert report["hand_offs"]["oracle"] <= 0.5 * report["hand_offs"]["played"]
    assert report["hand_offs"]["oracle"] < report["hand_offs"]["taps"] < 0.8 * report["hand_offs"]["played"]

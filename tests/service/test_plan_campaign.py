"""The campaign of plans in random games goes on where it stopped, and finds what it is there to find."""

from __future__ import annotations

from pathlib import Path

import pytest

from . import plan_campaign, planning_table
from .plan_campaign import main, read


def test_a_campaign_goes_on_where_it_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = tmp_path / "plans.jsonl"
    words = ["--results", str(results), "--title", "1889", "--moves", "40"]
    assert main([*words, "--games", "2"]) == 0
    with results.open("ab") as file:
        file.write(b'{"title": "1889", "se')
    first = results.read_bytes()
    assert main([*words, "--games", "2"]) == 0
    assert results.read_bytes() == first, "nothing was played again"
    results.write_bytes(first + b"\n")
    assert main([*words, "--games", "3"]) == 0
    assert [game.seed for game in read(results)] == [1000, 1001, 1002]
    assert "1889: 3 games, 120 moves" in capsys.readouterr().out
    results.write_bytes(results.read_bytes().replace(plan_campaign.code_of("1889").encode(), b"other"))
    assert read(results) == [], "games by other code do not count"


def test_a_plan_that_sleeps_through_its_wake_words_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(planning_table, "woken", lambda *_: None)
    words = ["--results", str(tmp_path / "plans.jsonl"), "--title", "1830", "--games", "2", "--moves", "600"]
    assert main(words) == 1
    assert "FAULT 1830" in capsys.readouterr().out

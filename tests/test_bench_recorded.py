"""Which real games `signalbox bench` measures with."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.bench import suite
from bot.cli.main import main


def test_real_games_are_looked_for_beside_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (suite.PROJECT / "pyproject.toml").exists()
    monkeypatch.delenv("SIGNALBOX_SHARED", raising=False)
    monkeypatch.setattr(suite, "PROJECT", tmp_path / "project")
    assert suite.stored_games("1848") == []
    game = tmp_path / "shared" / "peer-games" / "1848" / "game.json"
    game.parent.mkdir(parents=True)
    game.touch()
    assert suite.stored_games("1848") == [game]
    monkeypatch.setenv("SIGNALBOX_SHARED", str(tmp_path / "elsewhere"))
    assert suite.stored_games("1848") == []


def test_campaigns_need_a_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(suite, "PROJECT", tmp_path)
    assert main(["bench", "--load", "1"]) == 2
    assert "need a checkout of the project" in capsys.readouterr().err

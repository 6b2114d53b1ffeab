"""`signalbox bench --page`: without a browser it says so; with one it measures (marked `browser`)."""

from __future__ import annotations

import json

import pytest

from bot.cli.main import main
from tests.web.chromium import ABSENT, chromium


def test_without_chromium_it_says_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("SIGNALBOX_CHROMIUM", raising=False)
    assert main(["bench", "--page"]) != 0
    assert "SIGNALBOX_CHROMIUM" in capsys.readouterr().err


@pytest.mark.browser
@pytest.mark.skipif(chromium() is None, reason=ABSENT)
def test_it_measures_a_first_visit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--page", "--quick", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out).values()
    assert found["first_visit_kb"] > 10 and found["usable_ms"] >= found["first_paint_ms"] > 0

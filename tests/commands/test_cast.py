"""The recording of the terminal: what it holds, and that it can be made anew."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from .cast import FILE, HEIGHT, LINES, WIDTH, record


def shown(file: Path) -> str:
    head, *events = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    assert (head["version"], head["width"], head["height"]) == (2, WIDTH, HEIGHT)
    assert all(earlier[0] <= later[0] and later[1] == "o" for earlier, later in pairwise(events))
    return "".join(text for _, _, text in events)


def test_the_recording_of_the_guides_plays_without_a_refusal() -> None:
    text = shown(FILE)
    assert "Signalbox: 18xx by post" in text and "In words: map words." in text
    assert "No: " not in text and "Everything is saved" in text
    assert len(LINES) == 7


@pytest.mark.whole
def test_the_terminal_is_recorded(tmp_path: Path) -> None:
    recording = record(("new 1889 me computer --seed 4", "quit"))
    recording.write(tmp_path / "it.cast")
    text = shown(tmp_path / "it.cast")
    assert "1889 Shikoku: Auction round" in text and "Everything is saved" in text

"""What is handed to whoever thinks for computer players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.engine.ids import PlayerId


@dataclass(frozen=True)
class Thought:
    """A position, and the strengths of the seats that are thought for. `refused` are texts of proposals that have been
    refused in this round, by seat."""

    title: str
    rules: int
    state: bytes
    strengths: Mapping[PlayerId, str]
    seed: int
    refused: Mapping[PlayerId, tuple[str, ...]]

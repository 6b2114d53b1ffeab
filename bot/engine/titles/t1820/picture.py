"""What is printed beside the map of 1820: London once more."""

from __future__ import annotations

from ...ids import HexId
from ...look import Look

LOOK = Look(
    zones={"l": "gray", "y": "yellow", "g": "green", "b": "#8fb4dd", "n": "brown", "e": "red"},
    insets=(HexId("M13"),),
)

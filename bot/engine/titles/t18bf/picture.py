"""What is printed beside the map of 18BF: London once more, and the bonuses by phase (18BF §10.6)."""

from __future__ import annotations

from ...ids import HexId
from ...look import Look, Note

LOOK = Look(
    zones={"c": "#3a3a3a", "b": "#ffd0a0", "r": "#f6b8b0", "p": "#c9e7b4", "y": "#7fb2ee", "m": "#b98fd6"},
    insets=(HexId("U23"),),
    notes=(
        Note("London–red", (20, 20, 30, 30)),
        Note("England–Scotland", (10, 20, 30, 40)),
        Note("England–Wales", (10, 20, 20, 30)),
        Note("Mine (G-trains)", (0, 0, 50, 60)),
    ),
)

"""What is printed beside the map of 18GB."""

from __future__ import annotations

from ...look import Look, Note

LOOK = Look(
    notes=(
        Note("North–South", (20, 30, 40), ("yellow", "blue", "gray")),
        Note("East–West", (20, 30, 40), ("yellow", "blue", "gray")),
    ),
)

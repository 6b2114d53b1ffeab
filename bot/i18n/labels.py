"""Short labels in the reader's language."""

from __future__ import annotations

from . import tr


def format_round_label(label: str) -> str:
    """The round's label in the reader's language: `OR 3.1` is `BR 3.1` in German."""
    kind, _, number = label.partition(" ")
    return tr(f"{kind} {{number}}", number) if number else tr(label)

"""Long families of tests: a few members of each are in every run, and the rest in CI."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings


def few(values: Iterable[Any], *kept: int) -> list[Any]:
    """The values of a parametrised test; all but those at the positions `kept` are marked `whole`.

    A tuple is a value for each of several names.
    """
    found: list[Any] = []
    for position, value in enumerate(values):
        parts = value if isinstance(value, tuple) else (value,)
        found.append(value if position in kept else pytest.param(*parts, marks=pytest.mark.whole))
    assert max(kept) < len(found), "a position that there is not"
    return found


def in_two_lengths(check: Any, short: int, long: int, *drawn: Any, **named: Any) -> tuple[Any, Any]:
    """A test of as many drawn examples as every run has, and the same of as many as CI has."""
    often = settings(max_examples=long)(given(*drawn, **named)(check))
    return settings(max_examples=short)(given(*drawn, **named)(check)), pytest.mark.whole(often)

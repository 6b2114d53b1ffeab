"""The shared material beside the project: real route problems."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def shared() -> Path:
    """The folder `shared` beside the project; the test is skipped where there is none."""
    path = Path(__file__).resolve().parents[4] / "shared"
    if not (path / "route-problems").is_dir():
        pytest.skip("no shared material beside the project")
    return path

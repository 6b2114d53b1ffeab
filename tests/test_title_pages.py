"""Every title has a page in docs/, and every test that a page names exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.engine.titles.registry import TITLES

ROOT = Path(__file__).parents[1]
TESTS = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
WRITTEN = frozenset(re.findall(r"def (test_\w+)\(", TESTS))


@pytest.mark.parametrize("title", TITLES)
def test_a_page_names_tests_that_exist(title: str) -> None:
    page = (ROOT / "docs" / "titles" / f"{title}.md").read_text(encoding="utf-8")
    named = {
        name for name in re.findall(r"`(test_\w+)`", page) if not (ROOT / "tests/engine/titles" / f"{name}.py").exists()
    }
    assert named
    assert not named - WRITTEN

"""What `make mutants` chooses: modules and tests by title, a sample by seed."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.titles.registry import TITLES
from tests import mutants
from tests.mutants import PROJECT, SHARED, is_killed, modules_of, sampled, workshop


@pytest.mark.parametrize("title", TITLES)
def test_a_title_has_modules_and_tests_of_its_own(title: str) -> None:
    assert [path for pattern in modules_of(title) for path in PROJECT.glob(pattern)]
    own = mutants.tests_of(title)
    assert own and all((PROJECT / name).exists() for name in own)
    assert set(own) < set(mutants.tests_of(SHARED))
    others = [mutants.tests_of(other) for other in TITLES if other != title]
    assert not set(own) & {name for names in others for name in names}


def test_what_all_share_is_tested_by_the_engines_own_tests_too() -> None:
    assert {"tests/engine/test_reachability.py", "tests/engine/routes/test_conflict_masks.py"} < set(
        mutants.tests_of(SHARED)
    )
    assert all([*PROJECT.glob(pattern)] for pattern in modules_of(SHARED))


def test_a_larger_sample_begins_with_the_smaller_one() -> None:
    names = [f"mutant {number}" for number in range(50)]
    assert sampled(reversed(names), 3, 30)[:10] == sampled(names, 3, 10) != sampled(names, 4, 10)


def test_a_workshop_holds_the_project_and_what_mutmut_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "WORKSHOP", tmp_path)
    for _ in range(2):
        folder = workshop("1848")
    told = (folder / "setup.cfg").read_text(encoding="utf-8")
    assert "    bot/titles/t1848/*.py\n" in told and "test_1848_stocks.py\n" in told
    assert (folder / "bot").resolve() == PROJECT / "bot"


def test_a_mutant_is_noticed_when_its_tests_fail_or_do_not_end() -> None:
    assert all(map(is_killed, (1, 3, 36, -24)))
    assert not any(map(is_killed, (None, 0, 33)))

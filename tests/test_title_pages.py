"""Every title has a page in docs/; every test that a page names exists, and every reading that a title has is named."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

from bot.engine.play.game import Game
from bot.engine.play.interpretations import Interpretation
from bot.formats.peer18xx.registry import DIALECTS
from bot.service.registry.help import introduction
from bot.titles.registry import TITLES, example_title

ROOT = Path(__file__).parents[1]
TESTS = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
WRITTEN = frozenset(re.findall(r"def (test_\w+)\(", TESTS))


@pytest.mark.parametrize("title", TITLES)
def test_a_page_names_tests_that_exist(title: str) -> None:
    page = (ROOT / "docs" / "titles" / f"{title}.md").read_text(encoding="utf-8")
    named = {name for name in re.findall(r"`(test_\w+)`", page) if not (ROOT / "tests/titles" / f"{name}.py").exists()}
    assert named
    assert not named - WRITTEN


@pytest.mark.parametrize("title", TITLES)
def test_every_guide_names_the_title(title: str) -> None:
    for name in ("README.md", "docs/guide/players.md", "docs/guide/moderators.md"):
        assert f"titles/{title}.md" in (ROOT / name).read_text(encoding="utf-8"), name
    assert f"**{title}" in (ROOT / "docs" / "internals" / "architecture.md").read_text(encoding="utf-8")
    assert (
        f"board-{title}.png" in (ROOT / "docs" / "guide" / "players.md").read_text(encoding="utf-8")
        or title == example_title()
    )
    assert title in str(introduction()[1]).replace(":", "").replace(",", "").split()


@pytest.mark.parametrize("title", DIALECTS)
def test_every_guide_names_the_title_among_those_of_18xx_games(title: str) -> None:
    for name, what in (
        ("docs/reference/commands.md", "a real game of 18xx.games"),
        ("docs/guide/moderators.md", "18xx.games' for"),
    ):
        lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
        assert all(title in line for line in lines if what in line) and any(what in line for line in lines), name


@pytest.mark.parametrize("title", DIALECTS)
def test_a_page_names_every_reading_and_the_rulebook_has_none(title: str) -> None:
    page = (ROOT / "docs" / "titles" / f"{title}.md").read_text(encoding="utf-8")
    folder = ROOT / "bot/titles" / f"t{title.lower()}"
    code = "\n".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    game = Game.new(TITLES[title], [f"Player {number}" for number in range(TITLES[title].players.start)])
    record = import_module(f"bot.titles.{folder.name}.interpretations").interpretation_flags(game)
    listed = vars(type(record)).items()
    read = {name: getattr(record, name) for name, one in listed if isinstance(one, Interpretation | property)}
    table = page.partition("## Option `rules: 18xx.games`")[2].partition("\n## ")[0]
    named = {name for row in table.split("\n") if row.startswith("|") for name in re.findall(r"`(\w+)`", row)}
    assert read.keys() - set(re.findall(r"`(\w+)`", page)) == set() == named - read.keys()
    assert [name for name in read if f".{name}" not in code] == []
    assert not any(read.values())


@pytest.mark.parametrize("title", TITLES)
def test_what_a_title_remembers_is_described(title: str) -> None:
    """Each field in a sentence of its own, or by its name in what the record says of itself."""
    record = TITLES[title].special_type
    source = inspect.getsource(record)
    fields = record.__struct_fields__
    bare = [name for name in fields if not re.search(rf'^    {name}: .*\n    """', source, re.M)]
    assert [name for name in bare if f"`{name}`" not in (record.__doc__ or "")] == []

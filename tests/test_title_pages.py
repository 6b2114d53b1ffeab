"""Every title has a page in docs/; every test that a page names exists, and every reading that a title has is named."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

from bot.cli.title_lists import title_table, unwritten_text, updated_pages
from bot.engine.play.game import Game
from bot.engine.play.interpretations import Interpretation
from bot.formats.peer18xx.registry import DIALECTS
from bot.i18n import tr, use_language
from bot.service.registry.help import credit_lines, introduction
from bot.titles.registry import TITLES, example_title, has_title_module, title_folders

ROOT = Path(__file__).parents[1]
TESTS = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
WRITTEN = frozenset(re.findall(r"def (test_\w+)\(", TESTS))


@pytest.mark.parametrize("title", TITLES)
def test_a_page_names_tests_that_exist(title: str) -> None:
    page = (ROOT / "docs" / "titles" / f"{title}.md").read_text(encoding="utf-8")
    named = {name for name in re.findall(r"`(test_\w+)`", page) if not (ROOT / "tests/titles" / f"{name}.py").exists()}
    assert named
    assert not named - WRITTEN


def test_the_lists_of_titles_in_the_documents_are_those_of_the_folders() -> None:
    pages = updated_pages(ROOT)
    assert [path.name for path, text in pages.items() if path.read_text(encoding="utf-8") != text] == [], (
        "run `make titles`"
    )
    for name in ("README.md", "docs/README.md", "docs/guide/players.md", "docs/guide/moderators.md"):
        assert [title for title in TITLES if f"titles/{title}.md" not in pages[ROOT / name]] == []


@pytest.mark.parametrize("title", TITLES)
def test_a_title_says_whom_it_is_owed_to(title: str) -> None:
    owed = title_folders()[title].record.credits
    assert owed is not None and owed.rules.startswith("https://")
    page = (ROOT / "docs" / "titles" / f"{title}.md").read_text(encoding="utf-8")
    assert owed.designer in page and owed.publisher in page and f"Signalbox: {owed.permission}" in page
    assert f"new {title} Ann" in str(introduction([title])[0]) or title != example_title()
    told = "\n".join(map(str, credit_lines([title])))
    assert f"designed by {owed.designer}, published by {owed.publisher}; rules: {owed.rules}" in told
    with use_language("de"):
        assert "Erlaubnis" in tr(credit_lines([title])[0])


def test_a_title_with_rules_that_are_not_written_says_so_to_players(monkeypatch: pytest.MonkeyPatch) -> None:
    title, place = next(iter(title_folders().items()))
    record = msgspec.structs.replace(place.record, unwritten=("Trains rust late.", "Towns are free."))
    assert list(unwritten_text(place.record)) == [] and "- Towns are free." in unwritten_text(record)
    known = {title: msgspec.structs.replace(place, record=record)}
    for module in ("bot.service.views.credits", "bot.cli.title_lists"):
        monkeypatch.setattr(f"{module}.title_folders", lambda: known)
    assert "(not whole yet)" in [*title_table()][-1]
    *_, last = introduction([title])
    assert str(last) == f"{record.name} is not whole: 2 of its rules are not written yet; its page names them."
    with use_language("de"):
        assert "nicht vollständig" in tr(last)


@pytest.mark.parametrize("title", DIALECTS)
def test_a_page_names_every_reading_and_the_rulebook_has_none(title: str) -> None:
    page = (ROOT / "docs" / "titles" / f"{title}.md").read_text(encoding="utf-8")
    own, values = f"bot.titles.t{title.lower()}", TITLES[title].family
    family = type(values).__module__.rpartition(".")[0]
    package = own if has_title_module(title, "interpretations") else family
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / package.replace(".", "/")).rglob("*.py"))
    game = Game.new(TITLES[title], [f"Player {number}" for number in range(TITLES[title].players.start)])
    record = import_module(f"{package}.interpretations").interpretation_flags(game)
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

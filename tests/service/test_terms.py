"""The words that `help` explains."""

from __future__ import annotations

import pytest

from bot.engine.play.game import Game
from bot.i18n import tr, use_language
from bot.service.views.terms import TERMS, label_text, term_elsewhere, term_names, term_text
from bot.titles.registry import TITLES


def test_every_word_is_found_by_each_of_its_names_in_both_languages() -> None:
    for language in ("en", "de"):
        with use_language(language):
            assert len(set(term_names())) == len(TERMS) > 25
            for text, others in TERMS:
                head = tr(text).partition(":")[0].partition(" (")[0]
                for typed in (head, head.upper(), text.template.partition(":")[0].partition(" (")[0], *others):
                    assert term_text(typed) is text, (language, typed)
            assert term_text("locomotive") is None


@pytest.mark.parametrize(("language", "typed"), [("en", "Director"), ("de", "Präsident"), ("de", "director")])
def test_the_word_in_brackets_is_found_too(language: str, typed: str) -> None:
    with use_language(language):
        found = term_text(typed)
        assert found is not None and found.template.startswith("president")


@pytest.mark.parametrize("title", [title for title in TITLES if TITLES[title].words.terms])
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_titles_own_words_are_found_there_and_from_elsewhere(title: str, language: str) -> None:
    kind = TITLES[title]
    with use_language(language):
        assert len(set(term_names(kind))) >= len(set(term_names()))
        for text in kind.words.terms:
            for typed in (str(text).partition(":")[0], tr(str(text)).partition(":")[0].upper()):
                found = term_text(typed, kind)
                assert found is not None and found.template == text, typed
            assert ":" in tr(str(text)) and (language == "en") == (tr(str(text)) == text)
    assert term_text("cousin") is None
    told = term_elsewhere("cousin", [TITLES["1848"], TITLES["1820"]])
    assert told is not None and str(told).startswith("In 1820: cousin: a relative")
    assert term_elsewhere("rust", TITLES.values()) is None


def test_a_label_of_the_map_is_explained() -> None:
    game = Game.new(TITLES["18GB"], ["Ann", "Bob", "Cid"], seed=1)
    assert str(label_text(game, "OO")).startswith("OO: a mark on ") and "I6" in str(label_text(game, "OO"))
    assert label_text(game, "Q") is None

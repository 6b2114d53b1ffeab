"""The words that `help` explains."""

from __future__ import annotations

import pytest

from bot.i18n import tr, use_language
from bot.service.views.terms import TERMS, term_names, term_text


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

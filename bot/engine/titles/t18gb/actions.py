"""Actions that only 18GB knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from bot.engine.data.actions import Action
from bot.engine.ids import CompanyId, Owner, PrivateId, as_company, as_private
from bot.engine.play.title import Title
from bot.engine.words.verb import Verb, check_name


def _read_convert(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) == 1 and by in title.companies:
        return Convert(by, CompanyId(by))
    return Convert(by, as_company(check_name("company", words[1], title.companies))) if len(words) == 2 else None


def _read_close(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) != 2:
        return None
    return ClosePrivate(by, as_private(check_name("private", words[1], title.privates)))


class Convert(Action, frozen=True, tag="convert"):
    """Turn a 5-share company into a 10-share one: by its president in a stock round, by itself when it has no train."""

    company: CompanyId

    form: ClassVar[Verb] = Verb(
        ("convert",), "a company", "convert NER", lambda action: f"convert {action.company}", _read_convert
    )


class ClosePrivate(Action, frozen=True, tag="close"):
    """Close a private: it pays once more, and what it can do besides becomes possible."""

    private: PrivateId

    form: ClassVar[Verb] = Verb(
        ("close",), "a private", "close GN", lambda action: f"close {action.private}", _read_close
    )

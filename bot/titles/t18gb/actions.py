"""Actions that only 18GB knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from bot.engine import CompanyId, Owner, PrivateId
from bot.engine.notation import Verb, company_arg, private_arg, text_form
from bot.engine.play import Title
from bot.engine.state import Action


def _read_convert(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) == 1 and by in title.companies:
        return Convert(by, CompanyId(by))
    return Convert(by, company_arg(title, words[1])) if len(words) == 2 else None


class Convert(Action, frozen=True, tag="convert"):
    """Turn a 5-share company into a 10-share company: by its president in a stock round, or as the company when it has
    no train.
    """

    company: CompanyId

    form: ClassVar[Verb] = Verb(
        ("convert",), "a company", "convert NER", lambda action: f"convert {action.company}", _read_convert
    )


@text_form("close {private}", "a private", "close GN", private=private_arg)
class ClosePrivate(Action, frozen=True, tag="close"):
    """Close a private: it pays once more, and its other abilities become available."""

    private: PrivateId

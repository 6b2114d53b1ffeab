"""The moves that only this family has."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Annotated, ClassVar

from bot.engine import CompanyId, HexId
from bot.engine.notation import name_field
from bot.engine.play import Title
from bot.engine.state import Action


def _of_kind(kind: str) -> Callable[[Title], Collection[CompanyId]]:
    return lambda title: [company for company, noun in title.companies.items() if noun.kind == kind]


MAJOR = name_field("major company", "a major company", "Which company?", _of_kind("major"))
FILLERS = frozenset({"a", "the", "of", "and", "with", "mit"})
MINORS = name_field("minor company", "other minors", "Together with which?", _of_kind("minor"), fillers=FILLERS)


class TurnIntoMajor(Action, frozen=True, tag="convert"):
    """Turn the minor into this major."""

    form: ClassVar[str] = "convert to {company}"
    menu_name: ClassVar[str] = "Convert"
    company: Annotated[CompanyId, MAJOR]


class MergeMinors(Action, frozen=True, tag="merge"):
    """Merge the minor and these others into this major."""

    form: ClassVar[str] = "merge {others*} into {company}"
    is_sampled: ClassVar[bool] = True
    others: tuple[Annotated[CompanyId, MINORS], ...]
    company: Annotated[CompanyId, MAJOR]


class RemoveToken(Action, frozen=True, tag="remove"):
    """Remove a token of the new major from the map."""

    form: ClassVar[str] = "remove {hex}[.{city}]"
    hex: HexId
    city: Annotated[int, "city"] = 0


class GiveUpMajor(Action, frozen=True, tag="nationalise"):
    """Let the national railway take the company over."""

"""The proposals of a merger round, and how they are written (18BF §12)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Annotated, ClassVar

from msgspec.structs import replace

from bot.engine import CompanyId, HexId, ParseError, Text
from bot.engine.notation import FieldType, check_name, format_action, name_field
from bot.engine.play import Title
from bot.engine.state import Action
from bot.titles.t18bf.components import COMPANIES

City = tuple[HexId, int]
"""A city: its hex and its number there."""


def _of_kind(kind: str) -> Callable[[Title], Collection[CompanyId]]:
    names = [company for company, noun in COMPANIES.items() if noun.kind == kind]
    return lambda title: names


def _read_city(title: Title, word: str) -> City:
    """:raises ParseError: the word is no city."""
    hex_id, _, city = word.partition(".")
    if not city.isdecimal() or len(city) > 2:
        raise ParseError("A station is written like U23.0, not {word}.", "", word)
    return HexId(check_name("hex", hex_id, title.land.map.hexes)), int(city)


PUBLIC = name_field("public company", "a public company", "Which company?", _of_kind("public"))
MINORS = name_field(
    "minor company",
    "other minors",
    "Together with which?",
    _of_kind("minor"),
    fillers=frozenset({"a", "the", "of", "and", "with", "mit"}),
)
SYSTEM = name_field("system", "a system", "Which company?", _of_kind("system"))
OTHERS = name_field("public company", "other companies", "Together with which?", _of_kind("public"))
CITY = FieldType(
    "city",
    "stations to keep",
    "Which places?",
    _read_city,
    example=lambda title: next((sign, 0) for company in COMPANIES.values() for sign in company.home),
    write=lambda city: f"{city[0]}.{city[1]}",
)
SYSTEM_NEEDS = "a system, with its other companies or without an unstarted company (form LMS without CR)"


class ConvertMinor(Action, frozen=True, tag="convert"):
    """Turn the minor into this public company (§12.2)."""

    form: ClassVar[str] = "convert to {company}"
    menu_name: ClassVar[str] = "Convert"
    company: Annotated[CompanyId, PUBLIC]


class Merge(Action, frozen=True, tag="merge"):
    """Merge the minor and these others into this public company (§12.3)."""

    form: ClassVar[str] = "merge {others*} into {company}"
    is_sampled: ClassVar[bool] = True
    others: tuple[Annotated[CompanyId, MINORS], ...]
    company: Annotated[CompanyId, PUBLIC]


class TakeOver(Action, frozen=True, tag="join"):
    """Let this public company take the minor over (§12.5)."""

    company: Annotated[CompanyId, PUBLIC]


class FormSystem(Action, frozen=True, tag="system"):
    """Turn the public company and these others into this system; a single company drops an unstarted public company
    (§12.6).
    """

    form: ClassVar[str] = "form {company}[ with {others*}][ without {dropped}]"
    needs: ClassVar[Text] = SYSTEM_NEEDS
    example: ClassVar[str] = "form LMS with LNW LYR"
    is_sampled: ClassVar[bool] = True
    company: Annotated[CompanyId, SYSTEM]
    others: tuple[Annotated[CompanyId, OTHERS], ...] = ()
    dropped: Annotated[CompanyId | None, PUBLIC] = None


class KeepStations(Action, frozen=True, tag="keep"):
    """Choose the new company's stations among those of the merging companies (§12.3, §12.6)."""

    form: ClassVar[str] = "stations {places*}"
    is_sampled: ClassVar[bool] = True
    places: tuple[Annotated[City, CITY], ...]


Proposal = ConvertMinor | Merge | TakeOver | FormSystem


def key_of(proposal: Proposal) -> str:
    """The proposal's text in a fixed order of companies, by which a refused proposal is remembered."""
    if isinstance(proposal, Merge | FormSystem):
        proposal = replace(proposal, others=tuple(sorted(proposal.others)))
    return format_action(proposal)

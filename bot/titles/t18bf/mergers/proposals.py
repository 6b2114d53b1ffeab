"""The proposals of a merger round, and how they are written (18BF §12)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from bot.engine import CompanyId, HexId, Owner, ParseError, as_company
from bot.engine.notation import Verb, check_name, format_action, hex_arg, text_form
from bot.engine.play import Title
from bot.engine.state import Action
from bot.titles.t18bf.components import COMPANIES

City = tuple[HexId, int]
"""A city: its hex and its number there."""


def _company_arg_of_kind(kind: str, called: str) -> Callable[[Title, str], CompanyId]:
    names = [company for company, noun in COMPANIES.items() if noun.kind == kind]
    return lambda title, word: as_company(check_name(called, word, names))


minor_arg, public_arg, system_arg = (
    _company_arg_of_kind("minor", "minor company"),
    _company_arg_of_kind("public", "public company"),
    _company_arg_of_kind("system", "system"),
)


@text_form("convert to {company}", "the public company", "convert to MR", company=public_arg)
class ConvertMinor(Action, frozen=True, tag="convert"):
    """Turn the minor into this public company (§12.2)."""

    menu_name: ClassVar[str] = "Convert"

    company: CompanyId


@text_form(
    "merge {others*} into {company}",
    "other minors and a public company",
    "merge BE LR into MR",
    others=minor_arg,
    company=public_arg,
)
class Merge(Action, frozen=True, tag="merge"):
    """Merge the minor and these others into this public company (§12.3)."""

    others: tuple[CompanyId, ...]
    company: CompanyId
    is_sampled: ClassVar[bool] = True


@text_form("join {company}", "a public company", "join MR", company=public_arg)
class TakeOver(Action, frozen=True, tag="join"):
    """Let this public company take the minor over (§12.5)."""

    company: CompanyId


def _write_system(action: Any) -> str:
    others = f" with {' '.join(action.others)}" if action.others else ""
    return f"form {action.company}{others}{f' without {action.dropped}' if action.dropped else ''}"


def _read_system(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) < 3:
        return None
    system, rest = system_arg(title, words[1]), list(words[3:])
    if words[2] == "with" and rest:
        return FormSystem(by, system, tuple(public_arg(title, word) for word in rest))
    if words[2] == "without" and len(rest) == 1:
        return FormSystem(by, system, (), public_arg(title, rest[0]))
    return None


class FormSystem(Action, frozen=True, tag="system"):
    """Turn the public company and these others into this system; a single company drops an unstarted public company
    (§12.6).
    """

    company: CompanyId
    others: tuple[CompanyId, ...] = ()
    dropped: CompanyId | None = None
    is_sampled: ClassVar[bool] = True
    form: ClassVar[Verb] = Verb(
        ("form",),
        "a system, with its other companies or without an unstarted company (form LMS without CR)",
        "form LMS with LNW LYR",
        _write_system,
        _read_system,
    )


def _write_stations(action: Any) -> str:
    return f"stations {' '.join(f'{hex_id}.{city}' for hex_id, city in action.places)}"


def _read_stations(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) < 2:
        return None
    places: list[City] = []
    for word in words[1:]:
        hex_id, _, city = word.partition(".")
        if not city.isdecimal() or len(city) > 2:
            raise ParseError("A station is written like U23.0, not {word}.", "", word)
        places.append((hex_arg(title, hex_id), int(city)))
    return KeepStations(by, tuple(places))


class KeepStations(Action, frozen=True, tag="keep"):
    """Choose the new company's stations among those of the merging companies (§12.3, §12.6)."""

    places: tuple[City, ...]
    is_sampled: ClassVar[bool] = True
    form: ClassVar[Verb] = Verb(
        ("stations",), "stations to keep", "stations U23.0 D6.1", _write_stations, _read_stations
    )


Proposal = ConvertMinor | Merge | TakeOver | FormSystem


def key_of(proposal: Proposal) -> str:
    """The proposal's text in a fixed order of companies, by which a refused proposal is remembered."""
    if isinstance(proposal, Merge | FormSystem):
        proposal = replace(proposal, others=tuple(sorted(proposal.others)))
    return format_action(proposal)

"""What is proposed in a merger round, and how it is written (18BF §12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from bot.engine.data.actions import Action
from bot.engine.ids import CompanyId, HexId, Owner, as_company
from bot.engine.play.title import Title
from bot.engine.refusals import Unreadable
from bot.engine.said import said
from bot.engine.titles.t18bf.box.nouns import COMPANIES
from bot.engine.words.verb import Verb, check_name

City = tuple[HexId, int]
"""A city: its space and its number there."""


def _company(word: str, kind: str) -> CompanyId:
    names = [company for company, noun in COMPANIES.items() if noun.kind == kind]
    called = {"minor": "minor company", "public": "public company"}.get(kind, kind)
    return as_company(check_name(said(called), word, names))


def _read_convert(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    return Convert(by, _company(words[2], "public")) if len(words) == 3 and words[1] == "to" else None


class Convert(Action, frozen=True, tag="convert"):
    """The minor becomes this public company (§12.2)."""

    company: CompanyId
    form: ClassVar[Verb] = Verb(
        ("convert",), "the public company", "convert to MR", lambda a: f"convert to {a.company}", _read_convert
    )


def _write_merge(action: Any) -> str:
    return f"merge {' '.join(action.others)} into {action.company}"


def _read_merge(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) < 4 or words[-2] != "into":
        return None
    others = tuple(_company(word, "minor") for word in words[1:-2])
    return Merge(by, others, _company(words[-1], "public"))


class Merge(Action, frozen=True, tag="merge"):
    """The minor and these others become this public company (§12.3)."""

    others: tuple[CompanyId, ...]
    company: CompanyId
    is_sampled: ClassVar[bool] = True
    form: ClassVar[Verb] = Verb(
        ("merge",), "other minors and a public company", "merge BE LR into MR", _write_merge, _read_merge
    )


def _read_join(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    return TakeOver(by, _company(words[1], "public")) if len(words) == 2 else None


class TakeOver(Action, frozen=True, tag="join"):
    """The minor is taken over by this public company (§12.5)."""

    company: CompanyId
    form: ClassVar[Verb] = Verb(("join",), "a public company", "join MR", lambda a: f"join {a.company}", _read_join)


def _write_system(action: Any) -> str:
    others = f" with {' '.join(action.others)}" if action.others else ""
    return f"form {action.company}{others}{f' without {action.dropped}' if action.dropped else ''}"


def _read_system(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
    if len(words) < 3:
        return None
    system, rest = _company(words[1], "system"), list(words[3:])
    if words[2] == "with" and rest:
        return FormSystem(by, system, tuple(_company(word, "public") for word in rest))
    if words[2] == "without" and len(rest) == 1:
        return FormSystem(by, system, (), _company(rest[0], "public"))
    return None


class FormSystem(Action, frozen=True, tag="system"):
    """The public company and these others become this system; one alone drops an unstarted public company (§12.6)."""

    company: CompanyId
    others: tuple[CompanyId, ...] = ()
    dropped: CompanyId | None = None
    is_sampled: ClassVar[bool] = True
    form: ClassVar[Verb] = Verb(
        ("form",), "a system and its other companies", "form LMS with LNW LYR", _write_system, _read_system
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
            raise Unreadable("A station is written like U23.0, not {word}.", "", word)
        places.append((HexId(check_name("space", hex_id, title.land.map.hexes)), int(city)))
    return KeepStations(by, tuple(places))


class KeepStations(Action, frozen=True, tag="keep"):
    """The new company's stations among those of the merging companies (§12.3, §12.6)."""

    places: tuple[City, ...]
    is_sampled: ClassVar[bool] = True
    form: ClassVar[Verb] = Verb(
        ("stations",), "stations to keep", "stations U23.0 D6.1", _write_stations, _read_stations
    )


Proposal = Convert | Merge | TakeOver | FormSystem


def key_of(proposal: Proposal) -> str:
    """The proposal's text, whatever the order of its companies, by which a refused one is remembered."""
    if isinstance(proposal, Merge | FormSystem):
        proposal = replace(proposal, others=tuple(sorted(proposal.others)))
    return f"{proposal.by} {type(proposal).form.write(proposal)}"

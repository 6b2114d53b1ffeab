"""A verb: how one kind of action is written and read."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, TypeVar

from msgspec import structs

from bot.engine import (
    CompanyId,
    HexId,
    Message,
    Owner,
    ParseError,
    PrivateId,
    Text,
    TileId,
    as_company,
    as_private,
    join_or_chain,
    msg,
)
from bot.engine.play import Title
from bot.engine.state import Action

NUMBER = re.compile(r"^(0|[1-9][0-9]{0,8})$")

Reader = Callable[[Title, Owner, Sequence[str]], Action | None]
"""Makes an action from a title, the actor and the words from the verb on; None when the words have another form."""


@dataclass(frozen=True)
class Verb:
    """How one kind of action is written.

    `words` are the verbs that begin it, `needs` says what follows them, `write` gives all but the actor.
    """

    words: tuple[str, ...]
    needs: str
    example: str
    write: Callable[[Any], str]
    read: Reader


Gap = Callable[[Title, str], Any]
"""The object that a word names; None when it can be no such thing. It raises `ParseError` for a name that is not
known."""

GAP = re.compile(r"\{(\w+)(\*?)\}")
CLAUSE = re.compile(r"\[([^]]+)\]")
Kind = TypeVar("Kind", bound=type[Action])


def phrase(kind: type[Action], form: str, needs: str = "", example: str = "", /, **gaps: Gap) -> Verb:
    """The verb of actions that are written as their `form` says, with their fields in its gaps: `ask {holder} for {company}`.
    A gap with a star takes one word or more: `take {kinds*}`. A clause in brackets is left out where its fields go without
    saying: `increase {shares}[ at {price}]`."""
    clauses = CLAUSE.sub(r"(?:\1)?", form.replace(".", r"\."))
    pattern = GAP.sub(lambda gap: rf"(?P<{gap[1]}>\S+?" + (r"(?: \S+)*?)" if gap[2] else ")"), clauses)
    many = {name for name, star in GAP.findall(form) if star}
    usual = {field.name: field.default for field in structs.fields(kind)}
    pieces: list[tuple[str, list[str], list[Any] | None]] = []
    for number, piece in enumerate(CLAUSE.split(form)):
        names = [name for name, _ in GAP.findall(piece)]
        pieces.append((GAP.sub("%s", piece), names, [usual[name] for name in names] if number % 2 else None))

    def write(action: Action) -> str:
        written = []
        for piece, names, unsaid in pieces:
            values = [getattr(action, name) for name in names]
            if values != unsaid:
                written.append(
                    piece % tuple([" ".join(map(str, one)) if type(one) is tuple else one for one in values])
                )
        return "".join(written)

    def read(title: Title, by: Owner, words: Sequence[str]) -> Action | None:
        found = re.fullmatch(pattern, " ".join(words))
        if not found:
            return None
        fields: dict[str, Any] = {}
        problem: ParseError | None = None
        for name, named in gaps.items():
            if found[name] is None:
                continue
            try:
                values = tuple(named(title, word) for word in found[name].split())
            except ParseError as unknown:
                problem = problem or unknown
                continue
            if None in values:
                return None
            fields[name] = values if name in many else values[0]
        if problem:
            raise problem
        return kind(by, **fields)

    return Verb((pieces[0][0].split()[0],), needs, example or form, write, read)


def text_form(form: str, needs: str = "", example: str = "", /, **gaps: Gap) -> Callable[[Kind], Kind]:
    """Gives a title's own kind of action its `phrase`."""

    def with_form(kind: Kind) -> Kind:
        kind.form = phrase(kind, form, needs, example, **gaps)  # type: ignore[attr-defined]
        return kind

    return with_form


def word_arg(title: Title, word: str) -> str:
    return word


def number_arg(title: Title, word: str) -> int | None:
    """At most nine digits."""
    return int(word) if NUMBER.match(word) else None


def company_arg(title: Title, word: str) -> CompanyId:
    return as_company(check_name("company", word, title.companies))


def private_arg(title: Title, word: str) -> PrivateId:
    return as_private(check_name("private", word, title.privates))


def train_arg(title: Title, word: str) -> str:
    return check_name("train", word, title.trains)


def hex_arg(title: Title, word: str) -> HexId:
    return HexId(check_name("hex", word, title.land.map.hexes))


def tile_arg(title: Title, word: str) -> TileId:
    return TileId(check_name("tile", word, title.land.tiles))


def check_name(what: Text, word: str, names: Collection[str]) -> str:
    """The word, if it is one of the known names.

    :raises ParseError: it is not; the sentence gives the nearest words.
    """
    if word in names:
        return word
    raise ParseError("There is no {kind} {name}{suggestions}.", "", msg(what), word, near_words(word, names))


def near_words(word: str, known: Iterable[str]) -> Message:
    """The known names that look most like the word, as the end of a sentence: `; perhaps 57 or 58`, or nothing."""
    close = closest_names(word, known, 3, 0.6 if len(word) > 3 else 0.5)
    return msg("; perhaps {names}", join_or_chain(close)) if close else msg("")


def closest_names(word: str, known: Iterable[str], number: int, cutoff: float) -> list[str]:
    """The known names most like the word, in any case of letters; among equals the first that was named comes first."""
    matcher = SequenceMatcher(None, "", word.lower(), autojunk=False)
    found: list[tuple[float, str]] = []
    for name in dict.fromkeys(known):
        matcher.set_seq1(name.lower())
        if matcher.real_quick_ratio() >= cutoff and matcher.quick_ratio() >= cutoff and matcher.ratio() >= cutoff:
            found.append((matcher.ratio(), name))
    return [name for _, name in sorted(found, key=lambda pair: -pair[0])[:number]]

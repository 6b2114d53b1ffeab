"""Types of the fields of actions: how players name a value, what they are asked for, what examples and menus show.

A field has a type of names (`CompanyId`), a tag (`Annotated[int, "sum"]`), or in a title a type of its own:
`Annotated[PrivateId, replace(TYPES[PrivateId], prompt="Which cousin?")]`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import islice
from types import NoneType
from typing import Annotated, Any, get_args, get_origin

from bot.engine import (
    BANK,
    DEPOT,
    IPO,
    POOL,
    CompanyId,
    HexId,
    Message,
    Owner,
    ParseError,
    PrivateId,
    Text,
    TileId,
    join_or_chain,
    msg,
)
from bot.engine.play import Title
from bot.engine.state.actions import Run

from . import examples

NUMBER = re.compile(r"^(0|[1-9][0-9]{0,8})$")
SPACE = re.compile(r"^([A-Za-z]+[0-9]+)(\.[a-z]+[0-9]+)?$")
ARTICLES = frozenset(["a", "an", "the", "of", "and"])


@dataclass(frozen=True)
class FieldType:
    """`noun` says what is missing, `prompt` asks for it. `read` gives the value of a word, None where the word can be no
    such value; of a type of `names`, which are called `name`, it is one of them. `refuse` makes the refusal of a word.

    `example` is a value in the title's names; fields that mostly have their usual value need none. `write` gives the word of a value,
    `none` is the word for no value, `absent` the label for none in menus. `fillers` are words around it that say nothing.
    `usual` is meant where people leave it out; if `is_inferred`, another value is meant where only that is legal. Fields
    that are the verb itself have `words`.
    """

    name: str
    noun: Text
    prompt: Text
    read: Callable[[Title, str], Any] = lambda title, word: word
    names: Callable[[Title], Collection[str]] | None = None
    refuse: Callable[[Title, str], ParseError | None] = lambda title, word: None
    example: Callable[[Title], Any] = lambda title: None
    write: Callable[[Any], str] = str
    none: str = ""
    absent: Text = "none"
    fillers: Collection[str] = ARTICLES
    usual: Any = None
    is_inferred: bool = False
    words: tuple[str, ...] = ()


def name_field(
    name: str, noun: Text, prompt: Text, names: Callable[[Title], Collection[str]], **rest: Any
) -> FieldType:
    """The type of fields that hold one of the names of a kind."""

    def read(title: Title, word: str) -> str | None:
        return word if word in names(title) else None

    def refuse(title: Title, word: str) -> ParseError:
        return ParseError(
            "There is no {kind} {name}{suggestions}.", "", msg(name), word, near_words(word, names(title))
        )

    return FieldType(
        name, noun, prompt, read, names, refuse, **{"example": lambda title: next(iter(names(title))), **rest}
    )


def read_number(title: Title, word: str) -> int | None:
    """At most nine digits."""
    return int(word) if NUMBER.match(word) else None


def number(noun: Text, prompt: Text, **rest: Any) -> FieldType:
    return FieldType("number", noun, prompt, read_number, **{"example": lambda title: 2, **rest})


def owners(**places: Owner) -> Callable[[Title, str], Owner | None]:
    """Reads an owner; `places` are other words for some."""
    return lambda title, word: (
        places.get(word.lower()) or (Owner(word) if word in (IPO, POOL, BANK, DEPOT) or word in actors(title) else None)
    )


def read_route(title: Title, word: str) -> Run:
    """:raises ParseError: the word is no route; the sentence says what is wrong."""
    train, sign, path = word.partition("=")
    spaces = tuple(path.split(">"))
    if not train or not sign:
        raise ParseError("{word} is not a route; write a route like this: 2-0=H9.c0>H11.c0.", "", word)
    for space in spaces:
        found = SPACE.match(space)
        if not found:
            raise ParseError(
                "{space} is not a stop of a route; write stops like H11.c0 or G12.", "", space or msg("Nothing")
            )
        check_name("hex", found[1], title.land.map.hexes)
    return Run(train, spaces)


SUM = FieldType(
    "sum",
    "a price",
    "For how much?",
    read_number,
    example=lambda title: examples.private(title).price,
    fillers=ARTICLES.union(["for", "at", "on", "price"]),
)
COMPANY = name_field(
    "company",
    "a company",
    "Which company?",
    lambda title: title.companies,
    example=examples.company,
    fillers=ARTICLES.union(["company", "share", "shares", "certificate", "certificates"]),
)
PRIVATE = name_field(
    "private",
    "a private",
    "Which private?",
    lambda title: title.privates,
    fillers=ARTICLES.union(["private", "company", "price"]),
)
TRAIN = name_field(
    "train", "a train", "Which train?", lambda title: title.trains, fillers=ARTICLES.union(["train", "trains"])
)
HEX = name_field(
    "hex",
    "a hex",
    "Where?",
    lambda title: title.land.map.hexes,
    example=lambda title: examples.lay(title)[1],
    fillers=ARTICLES.union(["hex", "space", "city", "station", "token", "at", "on", "in"]),
)
OWNER = FieldType(
    "owner",
    "an owner",
    "From whom?",
    owners(),
    example=lambda title: "@2",
    refuse=lambda title, word: ParseError(
        "There is no {kind} {name}{suggestions}.", "", msg("owner"), word, near_words(word, [*actors(title), IPO, POOL])
    ),
)

TYPES: Mapping[Any, FieldType] = {
    CompanyId: COMPANY,
    PrivateId: PRIVATE,
    HexId: HEX,
    Owner: OWNER,
    TileId: name_field(
        "tile",
        "a tile",
        "Which tile?",
        lambda title: title.tiles,
        example=lambda title: examples.lay(title)[0],
        fillers=ARTICLES.union(["tile", "yellow", "green", "brown", "gray", "grey"]),
    ),
    "rotation": FieldType(
        "rotation",
        "a rotation",
        "Which rotation?",
        lambda title, word: int(word[-1]) if re.fullmatch("r?[0-5]", word) else None,
        refuse=lambda title, word: ParseError("A rotation is a number from 0 to 5, not {word}.", "", word),
        example=lambda title: examples.lay(title)[2],
        fillers=ARTICLES.union(["in", "rotation", "rotated", "turned", "turn", "by"]),
    ),
    "sum": SUM,
    "par price": FieldType(
        "sum", "a price", "At which par price?", read_number, example=examples.first_price, fillers=SUM.fillers
    ),
    "train price": FieldType(
        "sum", "a price", "For how much?", read_number, example=lambda title: examples.train(title).price
    ),
    "train": TRAIN,
    "traded train": replace(TRAIN, prompt="Trading in what?", example=lambda title: None, absent="nothing"),
    "helper": replace(PRIVATE, prompt="With which private?", example=lambda title: None),
    "lot": FieldType(
        "lot",
        "a lot",
        "For what?",
        lambda title, word: None if word.isdecimal() else word,
        example=lambda title: examples.private(title).id,
    ),
    "source": FieldType(
        "owner",
        "an owner",
        "From whom?",
        owners(bank=IPO, treasury=IPO, market=POOL),
        refuse=OWNER.refuse,
        example=lambda title: POOL,
        is_inferred=True,
    ),
    "seller": FieldType("owner", "an owner", "From whom?", owners(bank=DEPOT), refuse=OWNER.refuse),
    "shares": number("a number of shares", "How many shares?", usual=1),
    "number of shares": number("a number of shares", "How many shares?"),
    "doubles": number(
        "a number of certificates",
        "With how many certificates of several shares?",
        example=lambda title: None,
        absent="as few as possible",
    ),
    "city": number("a city", "Which city?", example=lambda title: None, is_inferred=True),
    "route": FieldType(
        "route",
        "every train's route",
        "Which routes?",
        read_route,
        example=lambda title: Run("2-0", tuple(f"{space}.c0" for space in islice(examples.cities(title), 2))),
        none="nothing",
    ),
    "use": FieldType("use", "", "Which of them?", example=lambda title: "pay", words=("pay", "withhold", "half")),
    "answer": FieldType(
        "answer",
        "",
        "Which of them?",
        lambda title, word: {"agree": True, "refuse": False}.get(word),
        example=lambda title: True,
        write=lambda value: "agree" if value else "refuse",
        words=("agree", "refuse"),
    ),
    int: number("a number", "How many?"),
    str: FieldType("word", "a word", "Which of them?"),
}


def field_type(annotation: Any) -> tuple[FieldType, bool]:
    """The type of a field with this annotation, and whether the field holds several such values.

    :raises KeyError: players have no words for it yet.
    """
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        tag = parts[1]
        return (tag, get_origin(parts[0]) is tuple) if isinstance(tag, FieldType) else (TYPES[tag], False)
    if origin is tuple and parts[-1] is ...:
        return field_type(parts[0])[0], True
    rest = [part for part in parts if part is not NoneType]
    return field_type(rest[0]) if len(rest) < len(parts) else (TYPES[annotation], False)


def actors(title: Title) -> list[str]:
    return [*title.companies, *title.privates, *(f"@{number}" for number in range(1, title.players.stop))]


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

"""Faults of a box that show in its data: facts that are missing, misspelt, or of another kind than they must be."""

from __future__ import annotations

import re
import types
import typing
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from enum import Enum
from functools import cache
from typing import Any

from bot.engine import BANK, DEPOT, IPO, POOL, REMOVED
from bot.engine.board import COLOURS, BoardRules, MapHex
from bot.engine.board.game_map import CLOSED

from .title import VARIANT, Title

BLANK = "white"
"""The colour of a space without a tile."""

COLOUR = re.compile("#[0-9a-fA-F]{6}")

MOST_ROUNDS = 9
"""No title has more operating rounds between two stock rounds."""


class FaultyTitle(Exception):
    """A title that cannot be played: its faults, a sentence each."""

    def __init__(self, title: str, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__(f"{title}: {' '.join(self.faults)}")


def require_sound(title: str, faults: Iterable[str]) -> None:
    """:raises FaultyTitle: there are faults."""
    if found := dict.fromkeys(faults):
        raise FaultyTitle(title, found)


def list_box_faults(title: Title) -> Iterator[str]:
    """The faults of what is printed, a sentence each; facts of the wrong kind hide all others."""
    nouns = (*title.companies.values(), *title.privates.values(), *title.trains.values(), *title.phases, *title.options)
    wrong = [fault for noun in nouns for fault in list_wrong_kinds(noun)]
    yield from wrong or (fault for check in CHECKS for fault in check(title))


# -- kinds of facts -----------------------------------------------------------------------------------


def list_wrong_kinds(record: Any, name: str = "") -> Iterator[str]:
    """The fields of a dataclass that hold something else than they are declared to hold. `name` is what the record is called."""
    kind: type = type(record)
    hints = _hints(kind)
    named = name or f"The {type(record).__name__} {getattr(record, 'id', '') or getattr(record, 'name', '')}".rstrip()
    for field in fields(record):
        value = getattr(record, field.name)
        if not _fits(value, hints[field.name]):
            yield f"{named}: its field {field.name} is {_short(value)}, no {_short(hints[field.name])}."


@cache
def _hints(kind: Any) -> Mapping[str, Any]:
    return typing.get_type_hints(kind)


def _fits(value: object, hint: Any) -> bool:
    """Whether a value is of a declared type; types that cannot be asked of a value are not looked at."""
    hint = getattr(hint, "__supertype__", hint)
    if hasattr(hint, "__supertype__"):
        return _fits(value, hint)
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return any(_fits(value, one) for one in inner)
    if origin is None:
        is_known = isinstance(hint, type) and not getattr(hint, "_is_protocol", False)
        return not is_known or isinstance(value, hint)
    if origin is Callable:
        return callable(value)
    if not isinstance(value, origin):
        return False
    if isinstance(value, Mapping):
        return all(_fits(one, kind) for pair in value.items() for one, kind in zip(pair, inner, strict=True))
    if not isinstance(value, tuple):
        return True
    kinds = inner[:1] * len(value) if inner[-1] is ... else inner
    return len(kinds) == len(value) and all(map(_fits, value, kinds))


def _short(value: Any) -> str:
    text = value.__name__ if isinstance(value, type) else str(value) if isinstance(value, Enum) else repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"


LONGEST = 60
"""Maximum number of characters of a value in a sentence."""


# -- what is printed ----------------------------------------------------------------------------------


def _keys(title: Title) -> Iterator[str]:
    tables: Mapping[str, tuple[Mapping[Any, Any], str]] = {
        "company": (title.companies, "id"),
        "private": (title.privates, "id"),
        "train": (title.trains, "name"),
        "plan": (title.plans, "name"),
    }
    for what, (table, attribute) in tables.items():
        for key, noun in table.items():
            if key != getattr(noun, attribute):
                yield f"The {what} {getattr(noun, attribute)} is filed under {key}."


def _names(title: Title) -> Iterator[str]:
    """No two owners share a sign, no train is named like an owner, no phase or option exists twice."""
    signs = [*title.companies, *title.privates, BANK, DEPOT, IPO, POOL, REMOVED]
    trains = {name for kind in title.trains.values() for name in (kind.name, kind.family)}
    for sign, number in Counter([*(str(sign) for sign in signs), *trains]).items():
        if number > 1:
            yield f"{sign} names {number} things."
    for what, names in (
        ("phase", [phase.name for phase in title.phases]),
        ("option", [option.name for option in title.options]),
    ):
        yield from (f"There are {number} {what}s {name}." for name, number in Counter(names).items() if number > 1)


def _companies(title: Title) -> Iterator[str]:
    """A company has a name and colours; certificates add up; tokens have a price; homes exist and have that city."""
    for noun in title.companies.values():
        if not noun.id or not noun.name:
            yield f"The company {noun.id or noun.name} has no {'name' if noun.id else 'sign'}."
        for field, colour in (("colour", noun.colour), ("text_colour", noun.text_colour)):
            if not COLOUR.fullmatch(colour):
                yield f"{noun.id}: its field {field} is {colour!r}, no colour like #d81e3e."
        for percent in {sum(division) for division in noun.divisions if division} - {99, 100}:
            yield f"The certificates of {noun.id} add up to {percent}%."
        if any(price < 0 for price in (*noun.tokens, *noun.more_tokens)):
            yield f"A token of {noun.id} costs less than nothing."
        for home in noun.home:
            if not home:
                yield f"{noun.id} has no home: its field home is empty, and must name a hex."
                continue
            cities = [_cities(land.map.hexes[home]) for land in _board_rules(title) if home in land.map.hexes]
            if not cities:
                yield f"The home of {noun.id}, {home}, is on no map."
            elif noun.home_city is not None and not 0 <= noun.home_city < max(cities):
                yield f"{home}, the home of {noun.id}, has no city {noun.home_city}."


def _cities(space: MapHex) -> int:
    return sum(node.kind == "city" for node in space.printed.nodes)


def _map(title: Title) -> Iterator[str]:
    """Printed hexes name existing companies, privates and colours; homes are those of the companies;
    map and picture have the same hexes.
    """
    signs = {str(sign) for sign in (*title.companies, *title.privates)}
    for land in _board_rules(title):
        known = {BLANK, *CLOSED, *COLOURS, *(tile.colour for tile in land.tiles.values())}
        for space in land.map.hexes.values():
            if space.colour not in known:
                yield f"{space.id} has the colour {space.colour}; there are: {', '.join(sorted(known))}."
            for home in space.homes:
                if home.company in title.companies and space.id not in title.companies[home.company].home:
                    yield f"{space.id} is the home of {home.company} on the map, but not in its field home."
            named = [home.company for home in space.homes] + [*space.kept_for, *space.privates, *space.goals]
            yield from (f"{space.id} is kept for {name}, whom nobody knows." for name in named if name not in signs)
            if space.plus and space.plus not in land.map.hexes:
                yield f"The value of {space.plus} is added to {space.id}, but it is not on the map."
    insets = [name for name in title.look.insets if not any(name in land.map.hexes for land in _board_rules(title))]
    yield from (f"The picture shows {name} again, which is not on the map." for name in insets)
    yield from (
        f"{company} has a token's face, but is no company." for company in title.look.faces if company not in signs
    )


def _tiles(title: Title) -> Iterator[str]:
    """A tile that a private's power lays names an existing private."""
    for land in _board_rules(title):
        for tile in land.tiles.values():
            if tile.private and tile.private not in title.privates:
                yield f"Tile {tile.id} is laid by a power of {tile.private}, which is no private."


def _market(title: Title) -> Iterator[str]:
    """Every zone has a cell, and only zones have a colour."""
    letters = {letter for row in title.market.rows for cell in row if cell for letter in cell.zones}
    yield from (
        f"No cell of the market is in the zone {letter}." for letter in title.market.zones if letter not in letters
    )
    yield from (
        f"{letter} has a colour, but is no zone of the market."
        for letter in title.look.zones
        if letter not in title.market.zones
    )


def _privates(title: Title) -> Iterator[str]:
    """A private has a sign, a name, a price and no negative income; phases that it names exist."""
    names = {phase.name for phase in title.phases}
    for private in title.privates.values():
        if not private.id or not private.name:
            yield f"The private {private.id or private.name} has no {'name' if private.id else 'sign'}."
        if private.price < 0 or private.income < 0:
            yield f"{private.id} costs {private.price} and pays {private.income}: neither is below nothing."
        if private.available_from and private.available_from not in names:
            yield f"{private.id} can be had from phase {private.available_from} on, which never comes."
        if private.price_range and private.price_range[0] > private.price_range[1]:
            yield f"A company may pay from {private.price_range[0]} to {private.price_range[1]} for {private.id}."


def _trains(title: Title) -> Iterator[str]:
    """A train has a name and a price; the trains by which a train rusts, for which it is traded in or for which it waits exist."""
    families = {kind.family for kind in title.trains.values()}
    phases = {phase.name for phase in title.phases}
    for kind in title.trains.values():
        if not kind.name or kind.price < 1:
            yield f"A train has the name {kind.name!r} and the price {kind.price}."
        if kind.family not in title.trains:
            yield f"The {kind.name} is of the family {kind.family!r}, and no train has that name."
        yield from (f"The {kind.name} costs {less} less for a train." for less in kind.trade_in.values() if less < 0)
        if kind.rusts_on is not None and kind.rusts_on not in families:
            yield f"The {kind.name} rusts on {kind.rusts_on}, which is no family of trains."
        if kind.runs_once_more and kind.rusts_on is None:
            yield f"The {kind.name} runs once more after it rusts, but it never rusts."
        if kind.rusts_on == kind.family:
            yield f"The {kind.name} rusts on itself."
        yield from (
            f"The {kind.name} takes {name} in, which is no family." for name in kind.trade_in if name not in families
        )
        if kind.available_from is not None and kind.available_from not in phases:
            yield f"The {kind.name} is for sale from phase {kind.available_from} on, which never comes."


def _phases(title: Title) -> Iterator[str]:
    """The first phase begins with the game, the others with existing trains; none allows fewer colours than before, and in
    each companies own trains and operate.
    """
    families = {kind.family for kind in title.trains.values()}
    known = {*COLOURS, *(tile.colour for land in _board_rules(title) for tile in land.tiles.values())}
    before: tuple[str, ...] = ()
    for number, phase in enumerate(title.phases):
        if not phase.name or (phase.begins_on is None) != (number == 0):
            begins = "with the game" if phase.begins_on is None else f"on {phase.begins_on}"
            yield f"Phase {phase.name or number + 1} begins {begins}: the first begins with the game, and only that."
        if phase.begins_on is not None and phase.begins_on not in families:
            yield f"Phase {phase.name} begins on {phase.begins_on}, which is no family of trains."
        if not phase.colours or not {*before} <= {*phase.colours} <= known:
            yield f"The colours of phase {phase.name} are {', '.join(phase.colours)}, after {', '.join(before)}."
        if phase.train_limit < 1 or not 1 <= phase.operating_rounds <= MOST_ROUNDS:
            numbers = f"{phase.train_limit} trains and {phase.operating_rounds} operating rounds"
            yield f"Phase {phase.name} has {numbers}: there are 1 or more, and at most {MOST_ROUNDS} rounds."
        before = phase.colours


def _options(title: Title) -> Iterator[str]:
    """An option has a name, a choice several values, and chance picks one of them."""
    for option in title.options:
        if not option.name or not option.explanation or not all((*option.choices, *option.choices.values())):
            yield f"The option {option.name or option.explanation} has an empty name, explanation or choice."
        if len(option.choices) < 2:
            yield f"The option {option.name} leaves no choice."
        if option.for_chance and option.for_chance not in option.choices:
            yield f"Chance chooses {option.for_chance} of the option {option.name}, which is no choice."
    choices = {choice for option in title.options if option.name == VARIANT for choice in option.choices}
    yield from (f"No option chooses the variant {name}." for name in title.variants if name not in choices)


CHECKS: tuple[Callable[[Title], Iterator[str]], ...] = (
    _keys,
    _names,
    _companies,
    _map,
    _tiles,
    _market,
    _privates,
    _trains,
    _phases,
    _options,
)


def _board_rules(title: Title) -> list[BoardRules]:
    return [title.land, *title.scenarios.values()]

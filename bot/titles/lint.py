"""Faults of a title that show without playing it: names that lead nowhere, clash, or are never used."""

from __future__ import annotations

import ast
import inspect
import pkgutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from bot.engine import BANK, DEPOT, IPO, POOL, REMOVED
from bot.engine.board import COLOURS, BoardRules, MapHex
from bot.engine.notation import TABLE
from bot.engine.notation.text import BY_WORD, SHARED, verb_of
from bot.engine.play import VARIANT, Title, steps
from bot.engine.play.steps import (
    BuyPrivateFromPlayer,
    BuyPrivates,
    BuyTrains,
    DiscardTrains,
    ask_companies_over_limit,
    ask_first_company_over_limit,
)
from bot.engine.state import Event

from .registry import title_folders

FIRST_PLAN = "game"

STEPS = steps.__name__


def lint_title(title: Title) -> list[str]:
    """All errors found in the title, a sentence each."""
    return [fault for one in (title, *title.variants.values()) for check in CHECKS for fault in check(one)]


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
    """Certificates add up; tokens have a price; homes exist and have that city."""
    for noun in title.companies.values():
        for percent in {sum(division) for division in noun.divisions if division} - {99, 100}:
            yield f"The certificates of {noun.id} add up to {percent}%."
        if any(price < 0 for price in (*noun.tokens, *noun.more_tokens)):
            yield f"A token of {noun.id} costs less than nothing."
        for home in noun.home:
            cities = [_cities(land.map.hexes[home]) for land in _board_rules(title) if home in land.map.hexes]
            if not cities:
                yield f"The home of {noun.id}, {home}, is on no map."
            elif noun.home_city is not None and noun.home_city >= max(cities):
                yield f"{home}, the home of {noun.id}, has no city {noun.home_city}."


def _cities(space: MapHex) -> int:
    return sum(node.kind == "city" for node in space.printed.nodes)


def _map(title: Title) -> Iterator[str]:
    """Printed hexes name existing companies and privates; map and picture have the same hexes."""
    signs = {str(sign) for sign in (*title.companies, *title.privates)}
    for land in _board_rules(title):
        for space in land.map.hexes.values():
            named = [home.company for home in space.homes] + [*space.kept_for, *space.privates, *space.goals]
            yield from (f"{space.id} is kept for {name}, whom nobody knows." for name in named if name not in signs)
            if space.plus and space.plus not in land.map.hexes:
                yield f"The value of {space.plus} is added to {space.id}, but it is not on the map."
    insets = [name for name in title.look.insets if not any(name in land.map.hexes for land in _board_rules(title))]
    yield from (f"The picture shows {name} again, which is not on the map." for name in insets)
    yield from (
        f"{company} has a token's face, but is no company." for company in title.look.faces if company not in signs
    )


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


def _trains(title: Title) -> Iterator[str]:
    """The trains by which a train rusts, for which it is traded in or for which it waits exist."""
    families = {kind.family for kind in title.trains.values()}
    phases = {phase.name for phase in title.phases}
    for kind in title.trains.values():
        if kind.rusts_on is not None and kind.rusts_on not in families:
            yield f"The {kind.name} rusts on {kind.rusts_on}, which is no family of trains."
        if kind.rusts_on == kind.family:
            yield f"The {kind.name} rusts on itself."
        yield from (
            f"The {kind.name} takes {name} in, which is no family." for name in kind.trade_in if name not in families
        )
        if kind.available_from is not None and kind.available_from not in phases:
            yield f"The {kind.name} is for sale from phase {kind.available_from} on, which never comes."


def _phases(title: Title) -> Iterator[str]:
    """Phases begin with existing trains, never allow fewer colours than before, and let companies own trains."""
    families = {kind.family for kind in title.trains.values()}
    known = {*COLOURS, *(tile.colour for land in _board_rules(title) for tile in land.tiles.values())}
    before: tuple[str, ...] = ()
    for phase in title.phases:
        if phase.begins_on is not None and phase.begins_on not in families:
            yield f"Phase {phase.name} begins on {phase.begins_on}, which is no family of trains."
        if not {*before} <= {*phase.colours} <= known:
            yield f"The colours of phase {phase.name} are {', '.join(phase.colours)}, after {', '.join(before)}."
        if phase.train_limit < 1 or phase.operating_rounds < 1:
            yield f"Phase {phase.name} has no trains or no operating rounds."
        before = phase.colours
    names = {phase.name for phase in title.phases}
    for private in title.privates.values():
        if private.available_from and private.available_from not in names:
            yield f"{private.id} can be had from phase {private.available_from} on, which never comes."
        if private.price_range and private.price_range[0] > private.price_range[1]:
            yield f"A company may pay from {private.price_range[0]} to {private.price_range[1]} for {private.id}."


def _options(title: Title) -> Iterator[str]:
    """A choice has several values, and chance picks one of them."""
    for option in title.options:
        if len(option.choices) < 2:
            yield f"The option {option.name} leaves no choice."
        if option.for_chance and option.for_chance not in option.choices:
            yield f"Chance chooses {option.for_chance} of the option {option.name}, which is no choice."
    choices = {choice for option in title.options if option.name == VARIANT for choice in option.choices}
    yield from (f"No option chooses the variant {name}." for name in title.variants if name not in choices)


# -- how it is played ---------------------------------------------------------------------------------


def _plans(title: Title) -> Iterator[str]:
    """Every plan that is begun exists, and every existing plan is begun."""
    here = _modules(title)
    used = {*here, *_modules_of(steps)}
    begun = {name for module in here for name in (*_plans_begun_in(module), *_plans_begun_by_steps(module))}
    named = {FIRST_PLAN} | {name for module in used for name in _other_texts(module)}
    yield from (f"{name} is begun, but is no plan." for name in sorted(begun - {*title.plans}))
    yield from (f"Nothing names the plan {name}." for name in title.plans if name not in named)
    if FIRST_PLAN not in title.plans:
        yield f"There is no plan {FIRST_PLAN}."
    for plan in title.plans.values():
        for before, step in zip((None, *plan.steps), plan.steps, strict=False):
            if isinstance(step, DiscardTrains) and before not in (
                ask_companies_over_limit,
                ask_first_company_over_limit,
            ):
                yield f"In the plan {plan.name} nobody is asked for trains: before the step comes the deed ask_crowded."
        for step in (*plan.steps, *plan.anytime):
            offer = _offer_of(step)
            if offer and offer not in title.plans:
                yield f"The plan {plan.name} makes offers, and there is no plan {offer}."


def _offer_of(step: object) -> str:
    """The plan in which another player answers the step's offer; empty if the step asks nobody."""
    if isinstance(step, BuyTrains):
        return "train offer"
    asks = isinstance(step, BuyPrivateFromPlayer) or (
        isinstance(step, BuyPrivates) and step.from_anyone is not BuyPrivates.from_anyone
    )
    return "private offer" if asks else ""


def _actions(title: Title) -> Iterator[str]:
    """Every action has a notation, no two the same, and move builders build only possible actions."""
    words: dict[str, list[str]] = {}
    for kind in title.verbs:
        try:
            form = verb_of(kind)
        except TypeError as error:
            yield str(error)
            continue
        for word in form.words:
            if kind not in SHARED or word not in BY_WORD:
                words.setdefault(word, ["a shared action"] if word in BY_WORD else []).append(kind.__name__)
    yield from (f"{word} begins {' and '.join(kinds)}." for word, kinds in words.items() if len(kinds) > 1)
    yield from (
        f"{kind.__name__} is composed, but no step takes it." for kind in title.composers if kind not in title.verbs
    )


def _events(title: Title) -> Iterator[str]:
    """Every event defined by the title has a sentence; reactions are to existing events."""
    for module in _modules(title):
        for kind in vars(module).values():
            is_own = isinstance(kind, type) and issubclass(kind, Event) and kind.__module__ == module.__name__
            if is_own and kind not in title.sentences and kind not in TABLE:
                yield f"{kind.__name__} has no sentence."
    for wanted, _ in title.reactions:
        if not (isinstance(wanted, type) and issubclass(wanted, Event)):
            yield f"{wanted} is no event, and nothing reacts to it."


def _memory(title: Title) -> Iterator[str]:
    """A game can begin: every field of the title's state has an initial value."""
    try:
        title.special_type()
    except TypeError as error:
        yield f"The title's own data cannot be created: {error}."


CHECKS: tuple[Callable[[Title], Iterator[str]], ...] = (
    _keys,
    _names,
    _companies,
    _map,
    _market,
    _trains,
    _phases,
    _options,
    _plans,
    _actions,
    _events,
    _memory,
)


def _board_rules(title: Title) -> list[BoardRules]:
    return [title.land, *title.scenarios.values()]


def _modules(title: Title) -> list[ModuleType]:
    """The modules of the title's folder and of its family's."""
    family = ".".join(title.set_up.__module__.split(".")[:3])
    folders = {title_folders()[title.id].package, *([family] if family.startswith(f"{__package__}.") else [])}
    return [module for folder in sorted(folders) for module in _modules_of(import_module(folder))]


def _modules_of(package: ModuleType) -> list[ModuleType]:
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    return [import_module(one.name) for one in found if not one.ispkg]


@cache
def _tree(module: ModuleType) -> ast.Module:
    return ast.parse(inspect.getsource(module))


def _first_texts(module: ModuleType, called: str) -> list[ast.Constant]:
    calls = [node for node in ast.walk(_tree(module)) if isinstance(node, ast.Call) and node.args]
    firsts = [
        node.args[0] for node in calls if called in (getattr(node.func, "attr", ""), getattr(node.func, "id", ""))
    ]
    return [first for first in firsts if isinstance(first, ast.Constant)]


def _plans_begun_in(module: ModuleType) -> set[str]:
    """The plans that a module begins by name: `game.push("discard", …)`."""
    return {str(text.value) for text in _first_texts(module, "push")}


def _plans_begun_by_steps(module: ModuleType) -> set[str]:
    """The plans begun by shared functions that the module uses, such as `open_stock_round`."""
    used = [one for one in vars(module).values() if inspect.isfunction(one) and one.__module__.startswith(STEPS)]
    return {name for one in used for name in _plans_begun_within(one.__module__, one.__name__)}


@cache
def _plans_begun_within(module: str, function: str) -> frozenset[str]:
    """The plans that a function begins: directly, through functions of its module, or through a plan passed to it."""
    functions = {one.name: one for one in _tree(import_module(module)).body if isinstance(one, ast.FunctionDef)}
    nodes = list(ast.walk(functions[function]))
    called = {node.id for node in nodes if isinstance(node, ast.Name)} & functions.keys() - {function}
    usual = [value for node in nodes if isinstance(node, ast.arguments) for value in node.defaults]
    pushed = [node.args[0] for node in nodes if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "push"]
    plans = {str(text.value) for text in pushed if isinstance(text, ast.Constant)}
    if any(isinstance(text, ast.Name) for text in pushed):
        plans |= {value.value for value in usual if isinstance(value, ast.Constant) and isinstance(value.value, str)}
    return frozenset(plans.union(*(_plans_begun_within(module, other) for other in called)))


@cache
def _other_texts(module: ModuleType) -> frozenset[str]:
    given = _first_texts(module, "Procedure")
    return frozenset(
        node.value
        for node in ast.walk(_tree(module))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in given
    )

"""Faults of a title that show without playing it: names that lead nowhere, clash, or are never used."""

from __future__ import annotations

import ast
import inspect
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from types import ModuleType

from bot.engine import TrainId
from bot.engine.notation import TABLE
from bot.engine.notation.text import BY_WORD, SHARED, verb_of
from bot.engine.play import Game, Title, list_box_faults, steps
from bot.engine.play.steps import (
    BuyPrivateFromPlayer,
    BuyPrivates,
    BuyTrains,
    DiscardTrains,
    ask_companies_over_limit,
    ask_first_company_over_limit,
)
from bot.engine.state import Event, Train

from .registry import title_folders

FIRST_PLAN = "game"

STEPS = steps.__name__


def lint_title(title: Title) -> list[str]:
    """All errors found in the title, a sentence each."""
    return [fault for one in (title, *title.variants.values()) for check in CHECKS for fault in check(one)]


def _doubts(title: Title) -> Iterable[str]:
    return title.doubts()


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


def _runs(title: Title) -> Iterator[str]:
    """The route search has an answer for a train of every kind."""
    try:
        game = Game.new(title, [f"P{seat}" for seat in range(title.players.start)])
    except Exception as error:
        yield f"No game can begin: {type(error).__name__}: {error}."
        return
    company = next(iter(game.state.companies))
    for kind in title.trains.values():
        try:
            title.rules.route_problem(game, company, [Train(TrainId("1"), kind.family, kind.name, company)])
        except Exception as error:
            yield f"A {kind.name} train cannot run: {type(error).__name__}: {error}."


CHECKS: tuple[Callable[[Title], Iterable[str]], ...] = (
    list_box_faults,
    _doubts,
    _plans,
    _actions,
    _events,
    _memory,
    _runs,
)


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

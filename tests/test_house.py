"""The rules for names and for the size of functions (docs/glossary.md has the words), held for every module of `bot/`."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import lizard
import pytest

PROJECT = Path(__file__).resolve().parents[1]
BOT = PROJECT / "bot"
Function = ast.FunctionDef | ast.AsyncFunctionDef

GERUND = re.compile(r"(?:^|_)\w{2,}ing$")
NOUNS_IN_ING = frozenset({"painting", "string"})
EMPTY_WORDS = frozenset(
    "alone life misc more needs other others stuff thing things util utils".split()  # noqa: SIM905
)
"""Words that say nothing of what a module holds."""

IRREGULAR = frozenset(
    "begun bought brought built chosen come cut done drawn driven fallen flown forgotten found given gone heard held kept "  # noqa: SIM905
    "known laid led left lost made meant met paid played proven run_by said seen sent shown sold spelt spent spoken taken "
    "thought told understood written worn".split()
)
REGULAR = re.compile(r"^_?[a-z]{2,}[^e\W]ed$")
"""A word in -ed; `need`, `feed`, `speed` and `seed` are none."""

COMPLEXITY = 20


@cache
def modules() -> tuple[Path, ...]:
    """Every module of the program but migrations, whose names are those of their releases."""
    return tuple(path for path in sorted(BOT.rglob("*.py")) if "migrations" not in path.parts)


def name_of(path: Path) -> str:
    """A module's path from the project's folder."""
    return path.relative_to(PROJECT).as_posix()


@cache
def nodes() -> tuple[tuple[str, ast.AST], ...]:
    """Every class and function of the program, with its module's path."""
    trees = ((name_of(path), ast.parse(path.read_text(encoding="utf-8"))) for path in modules())
    return tuple(
        (name, node) for name, tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef | Function)
    )


def functions() -> Iterator[tuple[str, Function]]:
    """Every function and method, with its module's path."""
    return ((name, node) for name, node in nodes() if isinstance(node, Function))


def test_public_class_names_are_unique() -> None:
    names = Counter(node.name for _, node in nodes() if isinstance(node, ast.ClassDef))
    assert [name for name, count in names.items() if count > 1 and not name.startswith("_")] == []


def test_modules_are_named_by_nouns() -> None:
    wrong = [
        name_of(path)
        for path in modules()
        if (GERUND.search(path.stem) and path.stem.rpartition("_")[2] not in NOUNS_IN_ING)
        or EMPTY_WORDS & set(path.stem.split("_"))
    ]
    assert wrong == []


def test_functions_are_not_named_by_bare_participles() -> None:
    wrong = [
        f"{module}:{node.lineno}: {node.name}"
        for module, node in functions()
        if node.name.strip("_") in IRREGULAR or REGULAR.match(node.name)
    ]
    assert wrong == []


@pytest.mark.parametrize("prefix", ["is_", "has_", "can_", "may_"])
def test_questions_return_bool(prefix: str) -> None:
    wrong = [
        f"{module}:{node.lineno}: {node.name}"
        for module, node in functions()
        if node.name.strip("_").startswith(prefix)
        and not re.search(r"\bbool\b|TypeGuard|TypeIs", ast.unparse(node.returns) if node.returns else "")
    ]
    assert wrong == []


def test_checks_return_nothing_that_looks_like_an_answer() -> None:
    wrong = [
        f"{module}:{node.lineno}: {node.name}"
        for module, node in functions()
        if node.name.strip("_").startswith(("check_", "require_"))
        and node.returns
        and ast.unparse(node.returns) == "bool"
    ]
    assert wrong == []


IDS = {
    "game": "Game",
    "game_id": "GameId",
    "person": "PersonId|PersonRecord",
    "moderator": "PersonId",
    "seat_number": "SeatNumber",
}
"""Names of parameters whose type follows from the name."""


def is_command(node: Function) -> bool:
    """Whether people call it: there a parameter has the name that they see, and the type of what they typed."""
    return any(re.search(r"\bcommand\(", ast.unparse(decorator)) for decorator in node.decorator_list)


def test_ids_have_types_of_their_own() -> None:
    wrong = [
        f"{module}:{parameter.lineno}: {parameter.arg}: {ast.unparse(parameter.annotation)}"
        for module, node in functions()
        if not is_command(node)
        for parameter in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        if parameter.arg in IDS and parameter.annotation
        if not re.search(rf"\b({IDS[parameter.arg]})\b", ast.unparse(parameter.annotation))
    ]
    assert wrong == []


STATUS_OR_KIND = re.compile(r"(^|\.)(kind|status|outcome)$")
WORDS_OF_OTHERS = re.compile(r"(round|node|now|first)\.kind$|^(result|policy)\.outcome$")
"""Kinds that titles, maps and libraries name: the rounds of a title, the stops of a map, verdicts on a sender."""

OWN_WORDS = {
    "bot/commands/discord/interactions/game_channels.py": "the service at which a person has their name",
    "bot/commands/mail/incoming_mail.py": "media types",
    "bot/commands/mail/letters/sender_verdicts.py": "groups of a regular expression",
}
"""Modules whose literal kinds are names of others, each with what they are."""


def is_search(node: ast.Compare) -> bool:
    """Whether it looks for a text within a text."""
    return isinstance(node.ops[0], ast.In | ast.NotIn) and not isinstance(node.comparators[0], ast.Tuple)


def literal_comparisons(tree: ast.AST) -> Iterator[ast.Compare]:
    """Where a status or kind is compared with a text, alone or in a tuple."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and not is_search(node):
            sides = [node.left, *node.comparators]
            parts = [part for side in sides for part in (side.elts if isinstance(side, ast.Tuple) else [side])]
            names = [ast.unparse(side) for side in sides if isinstance(side, ast.Name | ast.Attribute)]
            is_literal = any(
                isinstance(part, ast.Constant) and part.value and isinstance(part.value, str) for part in parts
            )
            if is_literal and any(STATUS_OR_KIND.search(name) and not WORDS_OF_OTHERS.search(name) for name in names):
                yield node


def test_statuses_and_kinds_are_enumerations() -> None:
    """Above the engine: rounds, stops, shapes of tiles and actions of foreign files are data of titles, maps and files."""
    below = tuple(f"bot/{room}/" for room in ("engine", "titles", "formats", "ai", "render/hexes"))
    wrong = [
        f"{name_of(path)}:{node.lineno}: {ast.unparse(node)}"
        for path in modules()
        if name_of(path) not in OWN_WORDS and not name_of(path).startswith(below)
        for node in literal_comparisons(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert wrong == []


@pytest.mark.whole
def test_no_function_is_too_complex() -> None:
    found = {
        f"{name_of(path)}: {function.name}"
        for path in modules()
        for function in lizard.analyze_file(str(path)).function_list
        if function.cyclomatic_complexity > COMPLEXITY
    }
    assert found == set()

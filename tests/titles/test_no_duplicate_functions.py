"""No function stands in two titles, literally or with other names; no shared step has more parameters than one can keep in
mind."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import bot.titles
from bot.engine.play import steps

TITLES = Path(bot.titles.__file__).parent
LEAST = 6
"""Functions of fewer lines may stand twice."""
MOST = 8
"""A shared step with more parameters is two steps."""


def shape(function: ast.FunctionDef) -> str:
    """What is left of a function when names, texts and numbers are taken out: two of one shape say the same."""
    is_said = isinstance(function.body[0], ast.Expr) and isinstance(function.body[0].value, ast.Constant)
    body = ast.parse(ast.unparse(ast.Module(function.body[is_said:], [])))
    for node in ast.walk(body):
        if isinstance(node, ast.Name):
            node.id = "name"
        elif isinstance(node, ast.Attribute):
            node.attr = "name"
        elif isinstance(node, ast.Constant):
            node.value = 0
        elif isinstance(node, ast.arg | ast.keyword):
            node.arg = "name"
    return ast.dump(body)


def functions(text: str) -> Iterator[ast.FunctionDef]:
    """The functions of a module that are long enough to matter."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno + 1 >= LEAST:
            yield node


def said_twice(modules: dict[str, str]) -> list[str]:
    """Functions of one shape in two titles; `modules` are texts by paths that begin with the title."""
    found: dict[str, list[str]] = defaultdict(list)
    for path, text in modules.items():
        for function in functions(text):
            found[shape(function)].append(f"{path}: {function.name}")
    return [" = ".join(places) for places in found.values() if len({place.split("/")[0] for place in places}) > 1]


def test_no_function_stands_in_two_titles() -> None:
    """Nor in two families, or in a family and a title."""
    paths = [path for folder in TITLES.iterdir() if folder.is_dir() for path in folder.rglob("*.py")]
    assert len({path.relative_to(TITLES).parts[0] for path in paths}) > 10
    assert said_twice({str(path.relative_to(TITLES)): path.read_text(encoding="utf-8") for path in paths}) == []


def test_a_function_with_other_names_is_found() -> None:
    one = 'def fall(game, company):\n    """Down."""\n    if company.position == 1:\n        move(game, 0)\n\n    return 2\n'
    other = "def sinks(play, sign):\n    if sign.place == 5:\n        shift(play, 7)\n\n\n    return 9\n"
    assert said_twice({"t1/a.py": one, "t2/b.py": other}) == ["t1/a.py: fall = t2/b.py: sinks"]
    assert said_twice({"t1/a.py": one, "t1/b.py": other}) == []
    assert said_twice({"t1/a.py": one, "t2/b.py": other.replace("==", "<")}) == []


def test_no_shared_step_has_too_many_parameters() -> None:
    modules = [import_module(f"{steps.__name__}.{one.name}") for one in iter_modules(steps.__path__)]
    records = {kind for module in modules for kind in vars(module).values() if isinstance(kind, type)}
    counts = {
        kind.__name__: len({field.name for field in fields(kind)} - {"name", "verbs"})
        for kind in records
        if is_dataclass(kind) and kind.__module__.startswith(steps.__name__)
    }
    assert counts
    assert {name: count for name, count in counts.items() if count > MOST} == {}

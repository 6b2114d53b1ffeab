"""What the guide says of the shared steps is what they are."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import re
from pathlib import Path

import bot.engine.play.steps as package

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "internals" / "adding-a-title.md").read_text("utf-8")
WORD = re.compile(r"`(\w+)`")
OF_EVERY_STEP = {"name", "verbs"}


def told() -> dict[str, tuple[set[str], set[str]]]:
    """By the guide: what each step must be told, and what it may be told."""
    part = GUIDE.partition("## Parameters of the steps")[2].partition("Procedures that steps push")[0]
    rows = [line.split("|") for line in part.splitlines() if line.startswith("| `")]
    return {WORD.findall(name)[0]: (set(WORD.findall(must)), set(WORD.findall(may))) for _, name, must, may, _ in rows}


def parameters() -> dict[str, tuple[set[str], set[str]]]:
    """By the source, every record of `engine/steps`."""
    found = {}
    for module in pkgutil.iter_modules(package.__path__):
        for name, one in vars(importlib.import_module(f"{package.__name__}.{module.name}")).items():
            if isinstance(one, type) and dataclasses.is_dataclass(one) and one.__module__.endswith(f".{module.name}"):
                fields = [field for field in dataclasses.fields(one) if field.name not in OF_EVERY_STEP]
                must = {
                    field.name for field in fields if {field.default, field.default_factory} == {dataclasses.MISSING}
                }
                found[name] = (must, {field.name for field in fields} - must)
    return found


def test_the_guide_has_every_step_with_what_it_is_told() -> None:
    assert told() == parameters()


def test_no_step_has_more_than_eight_parameters() -> None:
    assert {name: len(must | may) for name, (must, may) in parameters().items() if len(must | may) > 8} == {}

"""The titles that 18xx.games plays too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.engine.play import Title
from bot.titles.registry import LazyTitles

from .dialect import READING, Dialect

DIALECTS: Mapping[str, Dialect] = LazyTitles(
    __package__, {number: f"t{number.lower()}.dialect:DIALECT" for number in ("1848", "1844", "18GB", "1830")}
)


def missing_options(title: Title) -> Iterator[str]:
    """The options that a title lacks by which its games there are replayed, a sentence each."""
    if title.id not in DIALECTS:
        return
    wanted = [READING, *(choice for rule in DIALECTS[title.id].optional_rules.values() for choice in rule.items())]
    for name, choice in wanted:
        if not any(option.name == name and choice in option.choices for option in title.options):
            yield f"Games of 18xx.games need the option {name}: {choice}."

"""The titles that 18xx.games plays too: those whose folder has a `peer18xx`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.engine.play import Title
from bot.titles.registry import TitleParts, find_title_module, has_title_module, title_folders

from .dialect import READING, Dialect


def _dialect(title: str) -> Dialect:
    module = find_title_module(title, "peer18xx")
    if module is None:
        raise KeyError(title)
    found: Dialect = module.DIALECT
    return found


DIALECTS: Mapping[str, Dialect] = TitleParts(
    lambda: (title for title in title_folders() if has_title_module(title, "peer18xx")), _dialect
)


def missing_options(title: Title) -> Iterator[str]:
    """The options that a title lacks by which its games there are replayed, a sentence each."""
    if title.id not in DIALECTS:
        return
    wanted = [READING, *(choice for rule in DIALECTS[title.id].optional_rules.values() for choice in rule.items())]
    for name, choice in wanted:
        if not any(option.name == name and choice in option.choices for option in title.options):
            yield f"Games of 18xx.games need the option {name}: {choice}."

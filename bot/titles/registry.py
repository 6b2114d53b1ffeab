"""The titles that can be played, by the number on the box. Each is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Generic, TypeVar

from bot.engine.play import Title

Key = TypeVar("Key")
Value = TypeVar("Value")


class LazyTitles(Mapping[Key, Value], Generic[Key, Value]):
    """Values loaded from their place in a package: `t1848.title:TITLE`."""

    def __init__(self, package: str, places: Mapping[Key, str]) -> None:
        self._package, self._places = package, places
        self._found: dict[Key, Value] = {}

    def __getitem__(self, key: Key) -> Value:
        if key not in self._found:
            module, _, name = self._places[key].partition(":")
            self._found[key] = getattr(import_module(f"{self._package}.{module}"), name)
        return self._found[key]

    def __contains__(self, key: object) -> bool:
        return key in self._places

    def __iter__(self) -> Iterator[Key]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


NAMES = {
    "1848": "1848 Australia",
    "18GB": "18GB",
    "1844": "1844 Switzerland",
    "18BF": "18BF The Big Four",
    "1820": "1820",
    "1830": "1830",
}

TITLES: Mapping[str, Title] = LazyTitles(__package__, {number: f"t{number.lower()}.title:TITLE" for number in NAMES})

OLDER_VERSIONS: Mapping[tuple[str, int], Title] = LazyTitles(
    __package__,
    {
        ("18BF", 1): "t18bf.older_rules:FIRST",
        ("18BF", 2): "t18bf.older_rules:SECOND",
        ("1820", 1): "t1820.older_rules:FIRST",
        ("1820", 2): "t1820.older_rules:SECOND",
        ("1820", 3): "t1820.older_rules:THIRD",
        ("1844", 1): "t1844.title:FIRST",
        ("1848", 1): "t1848.title:FIRST",
        ("18GB", 1): "t18gb.title:FIRST",
    },
)


def versions_of(title: str) -> tuple[Title, ...]:
    """Oldest version first."""
    return (*(OLDER_VERSIONS[key] for key in sorted(OLDER_VERSIONS) if key[0] == title), TITLES[title])


def title_version(title: str, version: int | None) -> Title:
    """A title in that version of its rules; the newest by default.

    :raises KeyError: there is no such version.
    """
    newest = TITLES[title]
    return newest if version is None or version == newest.version else OLDER_VERSIONS[title, version]

"""The titles that can be played, by the number on the box: the folders here that hold a `title.toml`, and those of other
packages that name themselves among the entry points `signalbox.titles`. Each is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from types import MappingProxyType, ModuleType
from typing import Generic, TypeVar

import msgspec

from bot.engine.play import FaultyTitle, Title, list_box_faults, require_sound

Key = TypeVar("Key")
Value = TypeVar("Value")

RECORD = "title.toml"
GROUP = "signalbox.titles"


class Sample(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The position of a random game whose map the guides show."""

    players: int
    seed: int
    moves: int


class Expectation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A trial of the title must meet this: the `kinds` of moves that its menus offer in the random game of that seed; spaces
    whose `crops` are looked at; `ends` of games that chance comes to. Trains, tiles, phases and powers of privates in `unseen`
    are not looked for in random games: tests of their own exercise them, or, of a power, no move does."""

    kinds: frozenset[str] = frozenset()
    seed: int = 7
    crops: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()


class KnownDifference(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A difference to the peer's engine: a regular expression that finds it in a report, and why it is there."""

    pattern: str
    reason: str


class PeerVariant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A title of the peer's that is a variant here: its folder of games there, and the choice of our option `variant`."""

    folder: str
    choice: str


class PeerRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The title in the peer's engine: its folder of games there, the differences that are known, its `variants` by the title
    that they have there, and `flags` that its traces have beyond others', by name: the instance variable or the method that
    keeps them there."""

    folder: str
    flags: Mapping[str, str] = {}
    variants: Mapping[str, PeerVariant] = {}
    differences: tuple[KnownDifference, ...] = ()


class Permission(StrEnum):
    """Whether designer and publisher let people play the title here."""

    NOT_ASKED = "not asked"
    ASKED = "asked"
    GIVEN = "given"


class Credits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The people to whom the title is owed, and the address where its `rules` can be read or bought."""

    designer: str
    publisher: str
    rules: str
    permission: Permission


class TitleRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The facts about a title that are known before it is imported: its `title.toml`.

    `older_rules` are the places of its earlier versions, oldest first: `module:NAME`. `has_sections` says whether its rules
    are cited by sections; `is_example` marks the title in examples and pictures of the guides, which is listed first;
    `examples` are moves that only this title has, as the players' guide shows them. `unwritten` are rules that the code does not
    have yet, a sentence each: the title is not whole while it names any.
    """

    id: str
    name: str
    older_rules: tuple[str, ...] = ()
    has_sections: bool = True
    is_example: bool = False
    examples: str = ""
    unwritten: tuple[str, ...] = ()
    credits: Credits | None = None
    picture: Sample | None = None
    trial: Expectation = Expectation()
    peer: PeerRecord | None = None


class TitleFolder(msgspec.Struct, frozen=True):
    """Where a title's code and data are."""

    package: str
    folder: Traversable
    record: TitleRecord


class TitleParts(Mapping[Key, Value], Generic[Key, Value]):
    """Values by title, each loaded when it is first asked for. `list_keys` finds their keys, once."""

    def __init__(self, list_keys: Callable[[], Iterable[Key]], load: Callable[[Key], Value]) -> None:
        self._list, self._load = list_keys, load
        self._found: dict[Key, Value] = {}
        self._listed: dict[Key, None] | None = None

    def __getitem__(self, key: Key) -> Value:
        if key not in self._found:
            if key not in self._keys:
                raise KeyError(key)
            self._found[key] = self._load(key)
        return self._found[key]

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __iter__(self) -> Iterator[Key]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    @property
    def _keys(self) -> Mapping[Key, None]:
        if self._listed is None:
            self._listed = dict.fromkeys(self._list())
        return self._listed


def read_record(path: Traversable) -> TitleRecord:
    """:raises FaultyTitle: a field is missing, misspelt or of another kind."""
    try:
        return msgspec.toml.decode(path.read_bytes(), type=TitleRecord)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FaultyTitle(str(path), [f"{error}."]) from error


@cache
def title_folders() -> Mapping[str, TitleFolder]:
    """The folders by the titles' numbers, first the example."""
    inside = ((f"{__package__}.{folder.name}", folder) for folder in files(__package__).iterdir())
    outside = ((point.value, files(point.value)) for point in entry_points(group=GROUP))
    found = {}
    for package, folder in (*inside, *outside):
        if folder.is_dir() and (text := folder / RECORD).is_file():
            record = read_record(text)
            found[record.id] = TitleFolder(package, folder, record)
    ranked = sorted(found.items(), key=lambda item: (not item[1].record.is_example, item[0]))
    return MappingProxyType(dict(ranked))


def title_at_peer(title: str, choice: str | None) -> str:
    """The peer's title of a game with that choice of the option `variant`."""
    peer = title_folders()[title].record.peer
    named = ((name, variant.choice) for name, variant in peer.variants.items()) if peer else ()
    return next((name for name, chosen in named if chosen == choice), title)


def title_from_peer(name: str) -> tuple[str, str]:
    """Our title of a game of that title of the peer's, and the choice of its option `variant`; "" for none."""
    for title, place in title_folders().items():
        if place.record.peer is not None and name in place.record.peer.variants:
            return title, place.record.peer.variants[name].choice
    return name, ""


def has_title_module(title: str, name: str) -> bool:
    place = title_folders().get(title)
    return place is not None and find_spec(f"{place.package}.{name}") is not None


def find_title_module(title: str, name: str) -> ModuleType | None:
    """A module or package of the title's folder; None if the folder has none of that name."""
    return import_module(f"{title_folders()[title].package}.{name}") if has_title_module(title, name) else None


def _load(title: str, place: str) -> Title:
    """:raises FaultyTitle: something in its box is missing or misspelt."""
    module, _, name = place.partition(":")
    found: Title = getattr(import_module(f"{title_folders()[title].package}.{module}"), name)
    if found.id != title:
        raise FaultyTitle(title, [f"The field id is {found.id!r} in {module}.py, and {title!r} in title.toml."])
    for one in (found, *found.variants.values()):
        require_sound(title, list_box_faults(one))
    return found


def _older_versions() -> Iterator[tuple[str, int]]:
    for title, place in title_folders().items():
        yield from ((title, number) for number, _ in enumerate(place.record.older_rules, 1))


def _older(key: tuple[str, int]) -> Title:
    title, version = key
    return _load(title, title_folders()[title].record.older_rules[version - 1])


NAMES: Mapping[str, str] = TitleParts(title_folders, lambda title: title_folders()[title].record.name)
TITLES: Mapping[str, Title] = TitleParts(title_folders, lambda title: _load(title, "title:TITLE"))
OLDER_VERSIONS: Mapping[tuple[str, int], Title] = TitleParts(_older_versions, _older)


def example_title() -> str:
    """The title of which help and guides speak in examples."""
    return next(iter(title_folders()))


def versions_of(title: str) -> tuple[Title, ...]:
    """Oldest version first."""
    return (*(OLDER_VERSIONS[key] for key in OLDER_VERSIONS if key[0] == title), TITLES[title])


def title_version(title: str, version: int | None) -> Title:
    """A title in that version of its rules; the newest by default.

    :raises KeyError: there is no such version.
    """
    newest = TITLES[title]
    return newest if version is None or version == newest.version else OLDER_VERSIONS[title, version]

"""Files of messages in gettext's text form (`.po`): pairs of `msgid` and `msgstr`, as every editor of translations reads
and writes them. Comments are kept with the message that follows. A message is a sentence with named gaps: `{by} buys {company}.`
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources.abc import Traversable

from bot.assets import asset_folder
from bot.titles.registry import title_folders

ENGLISH = "en"
FOLDER = asset_folder("language")
FORMER = FOLDER / "former.json"
"""Templates that earlier releases stored and the program no longer uses, with their successors."""
GAP = re.compile(r"\{(\w*)\}")


@dataclass(frozen=True)
class CatalogueEntry:
    """A message and its translation; empty if it is not translated yet."""

    message: str
    translation: str
    comments: tuple[str, ...] = ()


@cache
def catalogue(language: str) -> dict[str, str]:
    """All translations into a language that come with the program, including those of former templates. English
    has only these.

    :raises OSError: there are none.
    """
    files = [] if language == ENGLISH else catalogue_files(language).values()
    found = [entry for file in files for entry in parse_entries(file.read_text(encoding="utf-8"))]
    texts = {entry.message: entry.translation for entry in found if entry.message and entry.translation}
    return texts | {old: with_gaps_of(old, new, texts.get(new, new)) for old, new in former_templates().items()}


def catalogue_files(language: str) -> dict[str, Traversable]:
    """The files of a language by the titles in whose folders they are, each with the words that only this title needs; the
    common file, with all others, has no title: its key is empty."""
    beside = {title: place.folder / f"{language}.po" for title, place in title_folders().items()}
    return {"": FOLDER / f"{language}.po"} | {title: file for title, file in beside.items() if file.is_file()}


@cache
def former_templates() -> dict[str, str]:
    """The present template by each former template; the gaps of both are filled in the same order."""
    return dict(json.loads(FORMER.read_text(encoding="utf-8")))


def with_gaps_of(wanted: str, template: str, translation: str) -> str:
    """The translation of a template, with its gaps named as in the wanted template.

    :raises ValueError: the templates have different numbers of gaps.
    """
    names = dict(zip(GAP.findall(template), GAP.findall(wanted), strict=True))
    return GAP.sub(lambda gap: f"{{{names.get(gap[1], gap[1])}}}", translation)


def parse_entries(text: str) -> Iterator[CatalogueEntry]:
    """All entries, the header (whose message is empty) too.

    :raises ValueError: a line does not belong in a `.po` file; the sentence names it.
    """
    parts: dict[str, str] = {}
    comments: list[str] = []
    keyword = ""
    for number, line in enumerate([*text.splitlines(), ""], 1):
        line = line.strip()
        first, _, rest = line.partition(" ")
        if "msgstr" in parts and (not line or line.startswith("#") or first == "msgid"):
            yield CatalogueEntry(parts["msgid"], parts["msgstr"], tuple(comments))
            parts, comments = {}, []
        if not line:
            continue
        if line.startswith("#"):
            comments.append(line)
            continue
        if first in ("msgid", "msgstr"):
            keyword, line = first, rest
        if not keyword or not line.startswith('"'):
            raise ValueError(f"line {number} does not belong in a catalogue: {line[:60]}")
        parts[keyword] = parts.get(keyword, "") + str(json.loads(line))


def format_entries(entries: Iterable[CatalogueEntry]) -> str:
    blocks = []
    for entry in entries:
        lines = [*entry.comments, f"msgid {_quote(entry.message)}", f"msgstr {_quote(entry.translation)}"]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _quote(text: str) -> str:
    *lines, last = text.split("\n")
    pieces = [f"{line}\n" for line in lines] + ([last] if last or not lines else [])
    quoted = [json.dumps(piece, ensure_ascii=False) for piece in pieces]
    return quoted[0] if len(quoted) == 1 else "\n".join(['""', *quoted])

"""Files of games as a porter's process reads and writes them; this module is small, so that such a process begins soon."""

from __future__ import annotations

import json
from typing import Any

from bot.engine.logs18xx.export import export_log
from bot.engine.refusals import NotAllowed
from bot.engine.titles.registry import DIALECTS, VERSIONS
from bot.foreign import BadFile

from .game_files import Brought, brought_here

MOST_NOTES, LONGEST_NOTE = 100, 300
"""So many revenues that a file pays otherwise are told of, each in so many letters."""


def read_file(content: bytes, name: str = "That file") -> Brought:
    """A file of either form in our own; `name` is how refusals call it.

    :raises NotAllowed: it is none, or our rules refuse one of its moves.
    """
    try:
        found = brought_here(content, name)
    except BadFile as error:
        raise NotAllowed(f"{str(error).rstrip('.')}.") from error
    return Brought(found.data, tuple(note[:LONGEST_NOTE] for note in found.notes[:MOST_NOTES]))


def write_18xx(data: dict[str, Any]) -> bytes:
    """A game in our own form as a file of 18xx.games.

    :raises Refusal: one of its moves is not allowed.
    """
    return json_text(export_log(VERSIONS[data["title"], data["rules"]], DIALECTS[data["title"]], data))


def json_text(data: dict[str, Any]) -> bytes:
    """As the text of a file."""
    return json.dumps(data, indent=1, ensure_ascii=False).encode()

"""Files of games as a porter's process reads and writes them; this module is small, so that such a process begins soon."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from bot.engine import IllegalMove, Message, msg
from bot.engine.games.game_record import GameRecordFile
from bot.formats.peer18xx.export import Objection, export_log, find_objection
from bot.formats.peer18xx.registry import DIALECTS
from bot.titles.registry import TITLES, title_version
from bot.untrusted_input import InvalidFile

from .formats import ImportedGame, import_file

MOST_NOTES, LONGEST_NOTE = 100, 300
"""Maximum number of differing revenues of a file that are reported, and of letters for each."""


def read_file(content: bytes, name: str = "That file") -> ImportedGame:
    """A file of either form in our form; `name` is its name in refusals.

    :raises IllegalMove: it is not a game, or our rules refuse one of its moves.
    """
    try:
        found = import_file(content, name)
    except InvalidFile as error:
        raise IllegalMove("{reason}.", "", error.said) from error
    return ImportedGame(found.course, tuple(note[:LONGEST_NOTE] for note in found.notes[:MOST_NOTES]))


class PeerFile(NamedTuple):
    """A file of 18xx.games, and what that site will object to in it."""

    content: bytes
    objection: Message | None


def write_18xx(course: GameRecordFile) -> PeerFile:
    """A game in our own form as a file of 18xx.games.

    :raises Rejected: one of its moves is not allowed, or 18xx.games does not play the title.
    """
    if course.title not in DIALECTS:
        raise IllegalMove("18xx.games does not know {name}.", "", TITLES[course.title].name)
    title, dialect = title_version(course.title, course.rules), DIALECTS[course.title]
    file = export_log(title, dialect, course)
    found = find_objection(TITLES[course.title], dialect, file)
    return PeerFile(encode_game_file(file), format_objection(found) if found is not None else None)


def format_objection(found: Objection) -> Message:
    if not found.number:
        return msg("On 18xx.games this game may end differently, since its rules differ ({what}).", found.reason)
    return msg(
        "18xx.games may refuse this file at move {number} ({move}) or before, since its rules differ: {reason}",
        found.number,
        found.move,
        found.reason,
    )


def encode_game_file(game_file: GameRecordFile | Mapping[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(game_file), indent=1) + b"\n"

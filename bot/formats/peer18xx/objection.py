"""The first thing in an exported game that 18xx.games refuses: games by the printed rules go otherwise where its rules differ."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.engine.play import Title

from .dialect import READING, Dialect
from .divergence import Divergence
from .file_format import InvalidLog, read_log
from .native_moves import OURS
from .replay import LogReplay


@dataclass(frozen=True)
class Objection:
    """The number and text of the move that is refused, at the latest; 0 if the game is followed and ends otherwise. The `reason`
    is in English."""

    number: int
    move: str
    reason: str


def find_objection(title: Title, dialect: Dialect, file: Mapping[str, Any]) -> Objection | None:
    """The objection, found by replaying the file as one that was played there, without our moves in it; None if there is none,
    or if the game was played by the rules of 18xx.games."""
    name, choice = READING
    if file["settings"]["signalbox_options"].get(name) == choice:
        return None
    settings = {key: value for key, value in file["settings"].items() if not key.startswith(OURS)}
    bare = [{key: value for key, value in raw.items() if key != OURS} for raw in file["actions"]]
    replay = LogReplay(title, dialect, read_log({**file, "settings": settings, "actions": bare}))
    try:
        deque(replay.steps(), 0)
        if replay.log.is_finished:
            replay.check_result()
    except Divergence as found:
        if found.what not in ("legality", "turn"):
            return Objection(0, "", str(found))
        return _objection_at(file, found.number, str(found.actual))
    except InvalidLog as error:
        return _objection_at(file, replay.number, str(error))
    return None


def _objection_at(file: Mapping[str, Any], number: int, reason: str) -> Objection:
    """The objection to an action, told by the first of our moves in it."""
    texts = [raw.get(OURS, ()) for raw in file["actions"][:number]]
    return Objection(sum(map(len, texts[:-1])) + 1, "; ".join(texts[-1]), reason)

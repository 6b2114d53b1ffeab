"""The file format: players, settings, actions; undo and redo resolved in file order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

RawAction = Mapping[str, Any]

MOST_ACTIONS = 50_000
"""No game is longer; a longer file is refused."""

IGNORED = frozenset({"message", "undo", "redo"})


class BadLog(Exception):
    """The file is no game of 18xx.games; the message says why."""


@dataclass(frozen=True)
class Log:
    """A game as 18xx.games stores it. `players` are (id, name) in seating order, `result` final totals by player id;
    `own_options` are there when the game was exported from here."""

    id: str
    title: str
    players: tuple[tuple[str, str], ...]
    seed: int
    optional_rules: tuple[str, ...]
    actions: tuple[RawAction, ...]
    result: Mapping[str, int] = field(default_factory=dict)
    end_reason: str = ""
    own_options: Mapping[str, str] | None = None


def read_log(data: Any) -> Log:
    """Check the shape of a decoded file.

    :raises BadLog: something is missing or of the wrong type.
    """
    if not isinstance(data, dict):
        raise BadLog("the file is no JSON object")
    title, players, actions = data.get("title"), data.get("players"), data.get("actions")
    if not isinstance(title, str):
        raise BadLog("the file names no title")
    if not isinstance(players, list) or not all(isinstance(p, dict) and "id" in p for p in players):
        raise BadLog("the file has no list of players")
    if not isinstance(actions, list) or len(actions) > MOST_ACTIONS:
        raise BadLog("the file has no list of actions, or too long a one")
    if not all(isinstance(action, dict) and isinstance(action.get("type"), str) for action in actions):
        raise BadLog("an action has no type")
    settings = data.get("settings")
    settings = settings if isinstance(settings, dict) else {}
    result = data.get("result")
    return Log(
        str(data.get("id", "")),
        title,
        tuple((str(player["id"]), str(player.get("name", player["id"]))) for player in players),
        _seed(settings.get("seed"), str(data.get("id", ""))),
        tuple(str(rule) for rule in settings.get("optional_rules") or ()),
        tuple(actions),
        {str(player): int(total) for player, total in result.items()} if isinstance(result, dict) else {},
        str(data.get("game_end_reason") or ""),
        _own_options(settings.get("signalbox_options")),
    )


def _own_options(stored: Any) -> Mapping[str, str] | None:
    """The options of a game that was exported from here."""
    return {str(name): str(choice) for name, choice in stored.items()} if isinstance(stored, dict) else None


def _seed(seed: Any, game_id: str) -> int:
    """The stored seed; else the first run of digits in the game's id."""
    if isinstance(seed, int):
        return seed
    digits = ""
    for letter in game_id:
        if letter.isdigit():
            digits += letter
        elif digits:
            break
    return int(digits or 0)


def effective_actions(actions: Sequence[RawAction]) -> list[RawAction]:
    """What remains after undo and redo. Messages stay; order is the file's, ids may be out of order."""
    kept: list[RawAction | None] = [None] * len(actions)
    undone: list[tuple[int, list[RawAction | None]]] = []
    place_of = {action.get("id"): index for index, action in enumerate(actions)}
    for index, action in enumerate(actions):
        if action["type"] == "undo":
            begin = _undo_begins(kept, place_of, action)
            undone.append((begin, kept[begin:index]))
            kept[begin:index] = [None] * (index - begin)
        elif action["type"] == "redo":
            if undone:
                begin, restored = undone.pop()
                kept[begin : begin + len(restored)] = restored
        else:
            if action["type"] != "message":
                undone = []
            kept[index] = action
    return [action for action in kept if action is not None]


def _undo_begins(kept: Sequence[RawAction | None], place_of: Mapping[Any, int], action: RawAction) -> int:
    """The first place that an undo empties: after the action it names, or the last one that is no message."""
    target = action.get("action_id")
    if target is not None:
        return place_of[target] + 1 if target in place_of else 0
    return next(
        (
            index
            for index in range(len(kept) - 1, -1, -1)
            if (found := kept[index]) is not None and found["type"] != "message"
        ),
        0,
    )


def flattened(action: RawAction) -> list[RawAction]:
    """The action and those that 18xx.games took by itself after it."""
    return [action, *(action.get("auto_actions") or ())]

"""The file format: players, settings, actions; undo and redo resolved in file order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import Struct

from bot.titles.registry import title_from_peer

RawAction = Mapping[str, Any]

MOST_ACTIONS = 50_000

IGNORED = frozenset({"message", "undo", "redo", "log"})


def says_nothing(kind: str) -> bool:
    """Whether an action of that kind changes nothing here: chat, log, undo and redo, or programmed actions."""
    return kind in IGNORED or kind.startswith("program_")


class InvalidLog(Exception):
    """The file is no game of 18xx.games; the message says why."""


class FilePlayer(Struct):
    """In old files a player has no id; the name stands for it."""

    id: int | str = ""
    name: str | None = None

    @property
    def sign(self) -> str:
        return str(self.id) or self.name or ""


class File(Struct):
    title: str
    players: list[FilePlayer]
    actions: list[dict[str, Any]]
    id: int | str = ""
    settings: dict[str, Any] | None = None
    result: Any = None
    game_end_reason: str | None = None
    status: str | None = None
    acting: list[int | str] | None = None
    round: str | None = None
    turn: int | None = None


@dataclass(frozen=True)
class Log:
    """A game as 18xx.games stores it. `players` are (id, name) in seating order, `result` final totals by player id;
    `acting` are the players that an unfinished game waits for, `round` and `turn` name the last round and its number;
    `variant` is the choice of our option of that name; `own_options` are there when the game was exported from here, with the version of our rules by which it was played (files of
    0.1.0 lack it)."""

    id: str
    title: str
    players: tuple[tuple[str, str], ...]
    seed: int
    optional_rules: tuple[str, ...]
    actions: tuple[RawAction, ...]
    result: Mapping[str, int] = field(default_factory=dict)
    end_reason: str = ""
    is_finished: bool = True
    acting: tuple[str, ...] = ()
    round: str = ""
    turn: int | None = None
    own_options: Mapping[str, str] | None = None
    own_rules: int | None = None
    variant: str = ""


def read_log(data: Any) -> Log:
    """Check the shape of a decoded file.

    :raises InvalidLog: something is missing or of the wrong type; the message names the place.
    """
    try:
        file = msgspec.convert(data, File)
    except msgspec.ValidationError as error:
        raise InvalidLog(f"it is no game of 18xx.games: {error}") from error
    if len(file.actions) > MOST_ACTIONS:
        raise InvalidLog(f"it has {len(file.actions)} actions; {MOST_ACTIONS} is the limit")
    for number, action in enumerate(file.actions, 1):
        if not isinstance(action.get("type"), str):
            raise InvalidLog(f"action {number} has no type")
    players = tuple((player.sign, player.name or player.sign) for player in file.players)
    if not all(sign for sign, _ in players):
        raise InvalidLog("a player has neither id nor name")
    if len({player for player, _ in players}) < len(players):
        raise InvalidLog("two players have the same id")
    settings = file.settings or {}
    rules = settings.get("optional_rules")
    result = _result(file.result, players)
    title, variant = title_from_peer(file.title)
    return Log(
        str(file.id),
        title,
        players,
        _seed(settings.get("seed"), str(file.id)),
        tuple(str(rule) for rule in rules) if isinstance(rules, list) else (),
        tuple(file.actions),
        result,
        file.game_end_reason or "",
        file.status == "finished" or (file.status in (None, "archived") and bool(result)),
        tuple(str(player) for player in file.acting or ()),
        file.round or "",
        file.turn,
        _own_options(settings.get("signalbox_options")),
        _own_rules(settings.get("signalbox_rules")),
        variant,
    )


def _own_options(stored: Any) -> Mapping[str, str] | None:
    return {str(name): str(choice) for name, choice in stored.items()} if isinstance(stored, dict) else None


def _own_rules(stored: Any) -> int | None:
    """The version of our rules by which such a game was played.

    :raises InvalidLog: it is no number.
    """
    if stored is not None and not (isinstance(stored, int) and not isinstance(stored, bool)):
        raise InvalidLog("the version of Signalbox's rules is no number")
    return stored


def _result(stored: Any, players: Sequence[tuple[str, str]]) -> dict[str, int]:
    """Final totals by player id; older files have them by name, games that go on have none.

    :raises InvalidLog: they are something else.
    """
    if not stored:
        return {}
    ids = {name: player for player, name in players} | {player: player for player, _ in players}
    try:
        return {ids.get(str(player), str(player)): int(total) for player, total in stored.items()}
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        raise InvalidLog("its result is no list of totals by player") from error


def _seed(seed: Any, peer_id: str) -> int:
    """The stored seed; else the first run of digits in the id that 18xx.games gave the game."""
    if isinstance(seed, int):
        return seed
    if isinstance(seed, str) and seed.isdecimal():
        return int(seed[:18])
    digits = re.search(r"[0-9]{1,18}", peer_id)
    return int(digits[0]) if digits else 0


def effective_actions(actions: Sequence[RawAction]) -> list[RawAction]:
    """The remaining actions after undo and redo. Messages stay; order is the file's, ids may be out of order.

    :raises InvalidLog: an undo goes back to an action that is not there, or a redo follows no undo.
    """
    messages: list[int] = []
    standing: list[int] = []
    undone: list[list[int]] = []
    place_of: dict[Any, int] = {}
    for place, action in enumerate(actions):
        if isinstance(action.get("id"), int | str):
            place_of.setdefault(action["id"], place)
        if action["type"] == "message":
            messages.append(place)
        elif action["type"] == "undo":
            begin = _undo_begins(place_of, action, standing[-1] if standing else 0)
            lost: list[int] = []
            while standing and standing[-1] >= begin:
                lost.append(standing.pop())
            undone.append(lost)
        elif action["type"] == "redo":
            if not undone:
                raise InvalidLog(f"action {place + 1} (id {action.get('id')}) takes back an undo that is not there")
            standing.extend(reversed(undone.pop()))
        else:
            undone.clear()
            standing.append(place)
    return [actions[place] for place in sorted([*standing, *messages])]


def _undo_begins(place_of: Mapping[Any, int], action: RawAction, last: int) -> int:
    """The first place that an undo empties: the place after the action it names, else the last that stands.

    :raises InvalidLog: it names an action that is not there.
    """
    target = action.get("action_id")
    if target is None:
        return last
    if target == 0:
        return 0
    if not isinstance(target, int | str) or target not in place_of:
        raise InvalidLog(f"action id {action.get('id')} goes back to action id {target}, which is not there")
    return place_of[target] + 1


def flatten_action(action: RawAction) -> list[RawAction]:
    """The action and the automatic actions of 18xx.games after it.

    :raises InvalidLog: an action is not valid.
    """
    more = action.get("auto_actions") or []
    if not isinstance(more, list) or not all(
        isinstance(one, dict) and isinstance(one.get("type"), str) for one in more
    ):
        raise InvalidLog(f"the auto_actions of action id {action.get('id')} are no actions")
    return [action, *more]

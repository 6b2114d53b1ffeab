"""One random game, played here and there."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from bot.engine.game import Game
from bot.engine.logs18xx.export import export_log
from bot.engine.logs18xx.snapshots import snapshot
from bot.engine.logs18xx.traces import difference
from bot.engine.logs18xx.writer import Writer
from bot.engine.selfplay import Played, RandomGame
from bot.engine.titles.registry import DIALECTS, TITLES

from .engine import Peer

THEIRS = {"rules": "18xx.games"}


@dataclass(frozen=True)
class Order:
    """A random game to be played."""

    title: str
    players: int
    seed: int
    options: Mapping[str, str]


class Differs(Exception):
    """Both engines differ: before or after which move, in what, and how."""


def own_game(order: Order) -> dict[str, Any]:
    """A whole random game in our JSON form, by 18xx.games' rules."""
    title = TITLES[order.title]
    table = RandomGame(title, order.players, order.seed, {**order.options, **THEIRS}, is_audited=False)
    for _ in table.moves():
        pass
    state = table.game.state
    return {
        "players": [player.name for player in state.players],
        "options": dict(state.options),
        "seed": order.seed,
        "moves": table.texts,
        "result": {player.name: title.rules.worth(table.game, player.id) for player in state.players},
    }


def compare_game(peer: Peer, title_id: str, own: Mapping[str, Any]) -> int:
    """Play every move there, and compare the whole position after each. Returns the number of moves.

    :raises Differs: something is refused there, or a position is another one.
    """
    title, dialect = TITLES[title_id], DIALECTS[title_id]
    file = export_log(title, dialect, own)
    game = Game.new(title, own["players"], own["options"], own["seed"])
    writer = Writer(game, dialect)
    names = {player.id: str(number) for number, player in enumerate(game.state.players)}
    peer.begin(file)
    for number, text in enumerate(own["moves"], 1):
        step = game.step
        raws = [unpaid(raw) for raw in writer.write_text(text)]
        where = f"move {number} of {len(own['moves'])}, {text} (at {step.name if step else ''})"
        answer = peer.take(raws)
        if answer["error"]:
            raise Differs(f"{where}: refused there: {answer['error']}; {said(answer)}; written: {brief(raws)}")
        found = difference(snapshot(game, names, dialect), peer.look())
        if found:
            path, theirs, ours = found
            raise Differs(f"{where}: {path}: here {ours}, there {theirs}; {said(answer)}; written: {brief(raws)}")
    loaded = peer.load(file)
    if loaded["error"] or loaded["result"] != file["result"]:
        raise Differs(f"the whole file: {loaded['error']}: here {file['result']}, there {loaded['result']}")
    return len(own["moves"])


def unpaid(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The action without revenues: its routes are reckoned there."""
    copy = deepcopy(dict(raw))
    for route in copy.get("routes", ()):
        for key in ("revenue", "revenue_str", "hexes"):
            route.pop(key)
    return copy


def said(answer: Mapping[str, Any]) -> str:
    """Who is asked for what there."""
    return f"there {answer.get('entity')} is asked at {answer.get('step')}: {', '.join(map(str, answer.get('asked', ())))}"


def brief(raws: list[dict[str, Any]]) -> str:
    """What was written, in short."""
    return "; ".join(" ".join(f"{key}={value}" for key, value in raw.items() if key != "signalbox") for raw in raws)[:600]

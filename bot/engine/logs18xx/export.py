"""Our games as files of 18xx.games; read back they give the same game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..game import Game
from ..title import Title
from .dialect import Dialect
from .snapshots import snapshot
from .writer import Writer

Raw = dict[str, Any]


def export_log(title: Title, dialect: Dialect, own: Mapping[str, Any]) -> Raw:
    """A game in our JSON form as theirs. Each action has the moves here that it stands for beside it: answers to offers,
    corrections and passes of which they know nothing stand with the action before.

    :raises Refusal: a move is not allowed.
    """
    game = Game.new(title, own["players"], own["options"], own["seed"])
    writer = Writer(game, dialect)
    written = [raw for text in own["moves"] for raw in writer.write_text(text)]
    actions = [{**raw, "id": number} for number, raw in enumerate(written, 1)]
    names = {player.id: str(number) for number, player in enumerate(game.state.players)}
    players = [{"id": number, "name": name} for number, name in enumerate(own["players"])]
    now = game.state.round
    result = {names[player.id]: own["result"][player.name] for player in game.state.players}
    return {
        "id": f"hs_signalbox_{own['seed']}",
        "title": title.id,
        "description": "exported by Signalbox",
        "user": {"id": 0, "name": own["players"][0]},
        "players": players,
        "min_players": len(players),
        "max_players": len(players),
        "mode": "hotseat",
        "loaded": True,
        "status": "finished" if game.state.finished else "active",
        "settings": {
            "optional_rules": [
                rule
                for rule, chosen in dialect.optional_rules.items()
                if chosen.items() <= dict(own["options"]).items()
            ],
            "seed": own["seed"],
            "signalbox_options": dict(own["options"]),
        },
        "turn": now.number,
        "round": f"{now.kind.capitalize()} Round",
        "acting": [int(names[player]) for player in game.asked()],
        "actions": actions,
        "result": result if game.state.finished else {},
        "game_end_reason": snapshot(game, names, dialect)["end_reason"],
    }

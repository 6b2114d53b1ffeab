"""Our games as files of 18xx.games; read back they give the same game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.engine.games.game_record import GameRecordFile
from bot.engine.play import VARIANT, Game, Title
from bot.titles.registry import title_at_peer

from .dialect import Dialect
from .snapshots import snapshot
from .writer import LogWriter

Raw = dict[str, Any]


def export_log(title: Title, dialect: Dialect, course: GameRecordFile) -> Raw:
    """A game in our form as theirs. Each action has the moves here that it stands for beside it: answers to offers,
    corrections and passes of which they know nothing stand with the action before.

    :raises Rejected: a move is not allowed.
    """
    game = Game.new(title, course.players, course.options, course.seed)
    writer = LogWriter(game, dialect)
    written = [raw for text in course.moves for raw in writer.write_text(text)]
    if not course.stopped:
        return file_of(game, dialect, written)
    stop: Raw = {"type": "end_game", "entity": 0, "entity_type": "player"}
    return file_of(game, dialect, [*written, stop]) | {
        "status": "finished",
        "result": totals(game),
        "game_end_reason": "manually_ended",
    }


def totals(game: Game) -> dict[str, int]:
    """The players' worth, by the numbers that they have in the file."""
    players = enumerate(game.state.players)
    return {str(number): game.title.rules.worth(game, player.id) for number, player in players}


def file_of(game: Game, dialect: Dialect, written: Iterable[Raw]) -> Raw:
    state = game.state
    names = {player.id: str(number) for number, player in enumerate(state.players)}
    players = [{"id": number, "name": player.name} for number, player in enumerate(state.players)]
    return {
        "id": f"hs_signalbox_{state.seed}",
        "title": title_at_peer(game.title.id, state.options.get(VARIANT)),
        "description": "exported by Signalbox",
        "user": {"id": 0, "name": state.players[0].name},
        "players": players,
        "min_players": len(players),
        "max_players": len(players),
        "mode": "hotseat",
        "loaded": True,
        "status": "finished" if state.finished else "active",
        "settings": {
            "optional_rules": [
                rule for rule, chosen in dialect.optional_rules.items() if chosen.items() <= state.options.items()
            ],
            "seed": state.seed,
            "signalbox_options": dict(state.options),
            "signalbox_rules": game.title.version,
        },
        "turn": state.round.number,
        "round": f"{state.round.kind.capitalize()} Round",
        "acting": [int(names[player]) for player in game.players_to_act()],
        "actions": [{**raw, "id": number} for number, raw in enumerate(written, 1)],
        "result": totals(game) if state.finished else {},
        "game_end_reason": snapshot(game, names, dialect)["end_reason"],
    }

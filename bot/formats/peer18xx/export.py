"""Our games as files of 18xx.games; read back they give the same game."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bot.engine.games.game_record import GameRecordFile
from bot.engine.play import VARIANT, Game, Title
from bot.titles.registry import title_at_peer

from .dialect import READING, Dialect
from .divergence import Divergence
from .file_format import InvalidLog, read_log
from .native_moves import OURS
from .replay import LogReplay
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

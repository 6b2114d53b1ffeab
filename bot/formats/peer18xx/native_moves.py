"""The moves here that stand with the actions of an exported file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.engine.games.corrections import is_correction
from bot.engine.notation import parse_action

from .file_format import RawAction

if TYPE_CHECKING:
    from .replay import LogReplay

OURS = "signalbox"
"""The key under which each action of an exported file has the moves that it stands for. They are read again from there;
18xx.games passes over it."""


def is_ours(replay: LogReplay, raw: RawAction) -> bool:
    return replay.log.own_options is not None and isinstance(raw.get(OURS), list)


def follow(replay: LogReplay, raw: RawAction) -> None:
    """Make the moves of an exported action; tiles and shares that later actions name are noted.

    :raises Divergence: a move is refused.
    :raises InvalidLog: one cannot be read.
    """
    if raw["type"] == "lay_tile":
        replay.tile_places[str(raw.get("tile"))] = str(raw.get("hex"))
    replay.seen_shares.update(str(share) for share in raw.get("shares") or ())
    for number, text in enumerate(raw[OURS]):
        if is_correction(str(text)):
            replay.correct(str(text))
            continue
        with replay.read_errors:
            action = parse_action(replay.game.title, str(text))
        replay.apply(action)
        if raw["type"] == "run_routes" and not number:
            replay.correct_revenue(raw)

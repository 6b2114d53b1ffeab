"""`signalbox review`: everybody's chances in a game, and the turns that changed them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from bot.ai.review import Review, ReviewWatcher
from bot.engine import PlayerId
from bot.formats.peer18xx.divergence import Divergence
from bot.service.features.review import curve_lines, point_lines, review_head
from bot.service.imports.formats import load, watch_actions
from bot.untrusted_input import InvalidFile

from .games import spinner
from .store import game_of_number, number_of_game


def review(arguments: argparse.Namespace) -> int:
    """Exit 1 if the game cannot be replayed to its end."""
    number = number_of_game(arguments.game)
    game_file = load(Path(arguments.game)) if number is None else game_of_number(number)
    watcher = ReviewWatcher()
    with spinner(f"looking at {arguments.game} again"):
        try:
            last = watch_actions(game_file, watcher.see)
        except Divergence as error:
            raise InvalidFile(str(error)) from error
    names = {player.id: player.name for player in last.state.players}
    if arguments.seat and arguments.seat not in names:
        raise InvalidFile(f"nobody sits at {arguments.seat}; there are: {', '.join(names)}")
    found = watcher.finish(last, arguments.most, PlayerId(arguments.seat))
    if arguments.json:
        print(json.dumps(build_report(last.title.id, names, found)))
    else:
        print(
            "\n".join(
                [review_head(last.title, found), *curve_lines(names, found.curve), *point_lines(names, found.points)]
            )
        )
    return 0


def build_report(title: str, names: Mapping[PlayerId, str], found: Review) -> dict[str, Any]:
    rows = [{**msgspec.to_builtins(point), "reason": str(point.reason or "")} for point in found.points]
    return {
        "title": title,
        "players": names,
        "learned_from": found.learned_from,
        "curve": msgspec.to_builtins(found.curve),
        "turning_points": rows,
    }

"""Every example of a move in the program, the README and the guides: legal where it says, understood everywhere else."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from bot.engine.play.game import Game
from bot.engine.refusals import Rejected
from bot.service.parser.moves import parse_moves
from tests.service.test_parser import at_track, played_on

PROJECT = Path(__file__).parents[2]
PAGES = [PROJECT / "README.md", *sorted((PROJECT / "docs").rglob("*.md")), *sorted((PROJECT / "bot").rglob("*.py"))]
LINE = re.compile(r"((?:VR:? )?(?:lay|upgrade) 57 H\d+ (?:\d|to H\d+)(?:; [a-z0-9 ]+)*)|(run 2-0=H\d+\.c0>H\d+\.c0)")
"""The examples with VR's first tiles: its turn in 1848's first operating round, or in its next one."""


@cache
def second_turn() -> Game:
    """VR has laid 57 on Melbourne and bought a 2 train; it is asked for track again."""
    game = played_on(at_track(), "lay 57 H11 1; buy 2; pass")
    while (game.frame.entity, game.state.round.kind) != ("VR", "operating"):
        passes = [action for action in game.legal_actions() if type(action).__name__ == "Pass"]
        game.apply((passes or game.legal_actions())[0])
    return game


def examples() -> list[str]:
    """Every such example with the page on which it stands."""
    found = (
        f"{path.relative_to(PROJECT)}: {hit[0]}" for path in PAGES for hit in LINE.finditer(path.read_text("utf-8"))
    )
    return list(dict.fromkeys(found))


def is_legal(game: Game, text: str) -> bool:
    try:
        for action in parse_moves(game, text):
            game = game.copy()
            game.apply(action)
    except Rejected:
        return False
    return True


@pytest.mark.parametrize("example", examples())
def test_the_tiles_and_routes_of_the_examples_are_legal_in_vrs_first_or_second_turn(example: str) -> None:
    text = example.partition(": ")[2]
    if text.startswith("VR: "):
        # A plan: what comes after its track depends on the turn that it waits for.
        text = text.removeprefix("VR: ").partition(";")[0]
    with_track = played_on(second_turn(), "lay 57 H9 to H11")
    assert any(is_legal(position, text) for position in (at_track(), second_turn(), with_track)), example


def test_they_are_found() -> None:
    pages = {example.partition(":")[0] for example in examples()}
    assert {
        "README.md",
        "docs/guide/players.md",
        "bot/engine/notation/text.py",
        "bot/service/registry/move_commands.py",
    } <= pages

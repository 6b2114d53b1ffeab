"""Boards that other programs show in public, rebuilt from what lies on them: the best routes are found and proven here."""

from __future__ import annotations

import pytest

from bot.engine import HexId, TileId, TrainId, as_company
from bot.engine.play import Game
from bot.engine.routes.revenue import validate
from bot.engine.routes.search import best_routes
from bot.engine.state import Train
from bot.titles.registry import TITLES

LAST_ROUND_OF_1867 = """
87 B18 1, 63 C17 0 C&O, 63 D16 0 CNR, 63 E15 0 GWR, 42 F14 1, 23 G13 1, 27 H12 4, 23 I11 1, 24 J10 4, 8 K9 5, 16 D18 1, 7 C19 3,
623 E17 0 C&O CNR, 124 F16 1 C&O CNR CPR, 611 G15 1 CPR, 204 H14 5, 8 I13 0, X8 J12 0 GWR, 31 K11 5, 204 L10 4, 57 M9 1, 9 N8 1,
15 I15 1 NTR, 24 J14 1, 911 K13 1, 639 L12 0 CPR NTR GWR, 58 M13 0
"""
"""The board `1867_bc` of rusty_train, the last operating round of a game of the Bankruptcy Club: tile, hex, rotation, and tokens
in its first city."""


def board() -> Game:
    game = Game.new(TITLES["1867"], ["Ann", "Bob", "Cid", "Dan"], {}, 1)
    game.state.phase = "8"
    game.state.board.reservations = []
    for entry in LAST_ROUND_OF_1867.split(","):
        tile, place, rotation, *companies = entry.split()
        game.state.board.tokens.pop(HexId(place), None)
        game.board_rules.lay(game.state.board, TileId(tile), HexId(place), int(rotation))
        for company in companies:
            game.state.board.place_token(HexId(place), 0, as_company(company))
    game.board_changed()
    return game


@pytest.mark.parametrize(
    ("company", "kinds", "revenue"),
    [("GWR", ("5", "8"), 840), ("C&O", ("6", "8"), 900), ("CNR", ("5", "5+5E"), 1150)],
)
def test_the_last_runs_of_a_public_game_of_1867_are_proven(company: str, kinds: tuple[str, ...], revenue: int) -> None:
    """Rusty_train has 840, 900 and 1130. CNR's 5-train earns 20 more from Buffalo than from Berlin."""
    game, owner = board(), as_company(company)
    trains = [Train(TrainId(kind), kind, kind, owner) for kind in kinds]
    problem = game.title.rules.route_problem(game, owner, trains)
    found = best_routes(problem)
    validate(problem, found.routes)
    assert (found.revenue, found.bound, found.proven) == (revenue, revenue, True)

"""18Chesapeake: what its values and its privates' powers do. The law is the title's page; no text of the printed rules is at
hand."""

from __future__ import annotations

import pytest

from bot.engine.chance import SeededRandom
from bot.engine.ids import DEPOT, REMOVED, HexId, Owner, TileId
from bot.engine.play.game import Game
from bot.titles.registry import TITLES
from bot.titles.t18chesapeake.title import export_train
from tests.titles import builders_classic as rb
from tests.titles.positions import act, cash, company, refused, set_cash

TITLE = TITLES["18Chesapeake"]


def in_turn(name: str, privates: dict[str, str], phase: str = "3") -> Game:
    game = rb.new_game("18Chesapeake")
    rb.own(game, **privates)
    rb.started(game, name, {"@1": 3})
    return rb.operating(game, name, phase=phase)


def first(game: Game, part: str) -> str:
    return next(move for move in rb.offered(game, "lay") if part in move)


def test_only_the_highest_bid_binds_and_bids_are_multiples_of_5() -> None:
    game = rb.new_game("18Chesapeake")
    assert "multiples of $5" in refused(game, "@1 bid CV 206")
    act(game, "@1 bid CV 700", "@2 bid CV 705", "@3 pass", "@1 bid B&OR 800")
    assert game.player_in_turn == "@2"
    assert "at most $95" in refused(game, "@2 bid C-P 100")


def test_vanderbilt_brings_a_drawn_company_whose_price_is_set_at_once() -> None:
    found = set()
    for seed in range(6):
        game = Game.new(TITLE, ["Ann", "Bob", "Cid"], {}, seed)
        drawn = list(TITLE.companies)[SeededRandom(seed).random_bits() % 8]
        act(game, "@1 bid D&R 20", "@2 bid C-P 40", "@3 bid B&S 50", "@1 bid C&OC 80", "@2 bid B&OR 100")
        assert game.company(Owner("B&O")).percent_held_by(Owner("@2")) == 10
        act(game, "@3 bid CV 200")
        assert game.step and "Vanderbilt" in game.step.name
        act(game, f"@3 par {drawn} 95")
        assert game.company(drawn).percent_held_by(Owner("@3")) == 20 and cash(game, "@3") == 550
        found.add(drawn)
    assert len(found) > 1


@pytest.mark.parametrize("tile_first", [True, False])
def test_two_joined_tiles_are_laid_one_after_the_other_beside_the_tile_of_the_turn(tile_first: bool) -> None:
    game = in_turn("LV", {"C-P": "LV"})
    if tile_first:
        act(game, first(game, "57 J2"))
    laid = [move.split()[2:5] for move in rb.offered(game, "lay") if " I3 " in move and "with C-P" in move]
    assert laid and all(2 in TITLE.land.tiles[TileId(tile)].rotate(int(turn)).exits for tile, _, turn in laid)
    act(game, first(game, "9 I3"))
    assert {move.split()[-1] for move in rb.offered(game, "lay")} == {"C-P"}, "nothing else until the second lies"
    act(game, first(game, "H2"))
    assert game.private(Owner("C-P")).ability_used
    assert tile_first or first(game, "57 J2")


def test_a_pair_that_has_ended_does_not_hold_up_the_second_tile_of_another() -> None:
    game = in_turn("LV", {"C-P": "LV", "B&S": "LV"})
    TITLE.land.lay(game.state.board, TileId("7"), HexId("I3"), 4)
    game.private(Owner("C-P")).ability_used = True
    act(game, next(move for move in rb.offered(game, "lay") if " G5 " in move and "with B&S" in move))
    second = rb.offered(game, "lay")
    assert second and all(" F4 " in move and "with B&S" in move for move in second)


def test_any_tile_on_its_hexes_ends_the_pair() -> None:
    game = in_turn("LV", {"C-P": "LV"})
    act(game, first(game, "57 J2"), "LV pass")
    game = rb.operating(game, "LV")
    act(game, next(move for move in rb.offered(game, "lay") if " I3 " in move and "with" not in move))
    assert game.private(Owner("C-P")).ability_used


def test_the_canal_lays_berlin_and_places_a_free_token() -> None:
    game = in_turn("N&W", {"C&OC": "N&W"})
    before = cash(game, "N&W")
    act(game, first(game, "57 D2"), "N&W token D2")
    assert before - cash(game, "N&W") == 80 and game.state.board.has_token(company("D2"), company("N&W"))  # type: ignore[arg-type]


def test_a_train_is_exported_after_each_set_and_may_begin_a_phase() -> None:
    game = rb.new_game("18Chesapeake")
    for train in game.state.trains:
        train.owner = REMOVED if train.family == "2" else train.owner
    export_train(game)
    assert game.state.phase == "3" and sum(one.family == "3" and one.owner == DEPOT for one in game.state.trains) == 5
    for train in game.state.trains:
        train.owner = REMOVED if train.family in "34" else train.owner
    export_train(game)
    assert sum(train.family == "5" and train.owner == DEPOT for train in game.state.trains) == 3


def test_who_has_bought_sells_no_more() -> None:
    game = rb.new_game("18Chesapeake")
    rb.started(game, "LV", {"@1": 2, "@2": 3}, par=95)
    rb.stock_round(game)
    set_cash(game, "@1", 500)
    act(game, "@1 buy LV")
    assert game.player_in_turn == "@2"

"""18Chesapeake: what its values and its privates' powers do, with two players and off the rails too. The law is the title's page;
no text of the printed rules is at hand."""

from __future__ import annotations

import pytest

from bot.engine.chance import SeededRandom
from bot.engine.ids import BANK, DEPOT, IPO, POOL, REMOVED, HexId, Owner, TileId
from bot.engine.play.game import Game
from bot.titles.registry import TITLES
from bot.titles.t18chesapeake.title import export_train
from tests.rearrangement import rearrange
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
        rearrange(game, train, owner=REMOVED if train.family == "2" else train.owner)
    export_train(game)
    assert game.state.phase == "3" and sum(one.family == "3" and one.owner == DEPOT for one in game.state.trains) == 5
    for train in game.state.trains:
        rearrange(game, train, owner=REMOVED if train.family in "34" else train.owner)
    export_train(game)
    assert sum(train.family == "5" and train.owner == DEPOT for train in game.state.trains) == 3


def test_who_has_bought_sells_no_more() -> None:
    game = rb.new_game("18Chesapeake")
    rb.started(game, "LV", {"@1": 2, "@2": 3}, par=95)
    rb.stock_round(game)
    set_cash(game, "@1", 500)
    act(game, "@1 buy LV")
    assert game.player_in_turn == "@2"


# -- two players ------------------------------------------------------------------------------------------


def for_two(name: str, shares: dict[str, int]) -> Game:
    """A stock round of two players in which that company has begun, @1 its president."""
    game = rb.new_game("18Chesapeake", 2)
    rb.own(game)
    rb.started(game, name, shares, par=80, cash=0, floated=False)
    return rb.stock_round(game, 2, "@2")


def test_two_players_share_companies_of_30_and_seven_times_10_except_vanderbilts() -> None:
    game = rb.new_game("18Chesapeake", 2)
    drawn = list(TITLE.companies)[SeededRandom(1).random_bits() % 8]
    for sign, record in game.state.companies.items():
        percents = [one.percent for one in record.certificates]
        assert percents == ([20, *[10] * 8] if sign == drawn else [30, *[10] * 7])
    assert cash(game, "@1") == 1200
    rb.stock_round(game)
    act(game, "@1 par PRR 70")
    assert cash(game, "@1") == 1200 - 3 * 70


def test_with_two_players_the_rest_of_a_floating_company_goes_to_the_pool() -> None:
    game = for_two("LV", {"@1": 1, "@2": 1})
    act(game, "@2 buy LV")
    record = game.company(Owner("LV"))
    assert record.floated and cash(game, "LV") == 800
    assert (record.percent_held_by(IPO), record.percent_held_by(POOL)) == (0, 40)


@pytest.mark.parametrize(
    ("buyer", "in_pool", "bought", "left"), [("@2", 3, 10, 10), ("@2", 1, 0, 0), ("@1", 3, 10, 20)]
)
def test_of_two_players_the_one_who_is_not_president_removes_a_share(
    buyer: str, in_pool: int, bought: int, left: int
) -> None:
    game = for_two("LV", {"@1": 1, "@2": 1})
    record = game.company(Owner("LV"))
    record.floated = True
    for number, certificate in enumerate(record.certificates[3:]):
        rearrange(game, certificate, owner=POOL if number < in_pool else REMOVED)
    rb.stock_round(game, 2, buyer)
    before, held = cash(game, buyer), record.percent_held_by(Owner(buyer))
    act(game, f"{buyer} buy LV from pool")
    assert record.percent_held_by(Owner(buyer)) - held == bought and record.percent_held_by(POOL) == left
    assert before - cash(game, buyer) == (80 if bought else 0) and game.player_in_turn != buyer


def test_with_two_players_a_price_rises_when_the_pool_is_empty() -> None:
    for owner, price in ((REMOVED, 85), (POOL, 80)):
        game = for_two("LV", {"@1": 3, "@2": 3})
        record = game.company(Owner("LV"))
        record.floated = True
        rearrange(game, record.certificates[-1], owner=owner)
        act(game, "@2 pass", "@1 pass")
        assert rb.price(game, "LV") == price


# -- off the rails ----------------------------------------------------------------------------------------


def off_the_rails(players: int = 3) -> Game:
    game = rb.new_game("18Chesapeake", players, variant="off the rails")
    rb.own(game)
    return game


def test_off_the_rails_has_another_box() -> None:
    game = off_the_rails()
    assert cash(game, BANK) == 12000 - 2400 and sum(one.family == "2" for one in game.state.trains) == 5
    assert game.title.trains["D"].price == 1100 and export_train not in game.title.plans["game"].steps
    assert Game.decode(TITLE, game.encode()).title is game.title is not TITLE


def test_off_the_rails_floats_at_50_percent_and_sells_after_buying() -> None:
    game = off_the_rails()
    rb.started(game, "LV", {"@1": 1, "@2": 1}, par=90, cash=0, floated=False)
    rb.stock_round(game)
    act(game, "@1 buy LV")
    assert game.company(Owner("LV")).floated and cash(game, "LV") == 900
    act(game, "@1 sell 1 LV")
    assert rb.price(game, "LV") == 82


def test_off_the_rails_several_shares_of_the_brown_zone_are_bought() -> None:
    game = off_the_rails()
    rb.started(game, "LV", {"@1": 2})
    rb.price_at(game, "LV", (8, 0))
    rb.stock_round(game)
    act(game, "@1 buy LV", "@1 buy LV", "@1 pass")
    assert game.company(Owner("LV")).percent_held_by(Owner("@1")) == 60


@pytest.mark.parametrize("last", [True, False])
def test_off_the_rails_ends_after_the_round_in_which_a_price_reaches_300(last: bool) -> None:
    game = off_the_rails()
    rb.started(game, "LV", {"@1": 3})
    rb.price_at(game, "LV", (0, 12))
    game.state.ending = "the bank has run out of money"
    rb.operating(game, "LV", trains=("2",), step=rb.PAY, revenue=50, last=last)
    game.state.round.of = 3
    if not last:
        rb.started(game, "PRR", {"@2": 3}, "@2")
    act(game, "LV pay", *(["LV pass"] if game.step and game.company_in_turn == "LV" else []))
    assert rb.price(game, "LV") == 300 and game.state.finished == last


def test_off_the_rails_ends_with_the_stock_round_that_lifts_a_price_to_300() -> None:
    game = off_the_rails()
    rb.started(game, "LV", {"@1": 4, "@2": 4})
    rb.price_at(game, "LV", (1, 13))
    rb.stock_round(game)
    act(game, "@1 pass", "@2 pass", "@3 pass")
    assert game.state.finished and rb.price(game, "LV") == 300

"""1820 by a fourth reader of the rulebook: companies that grow and shrink, and several who owe at once."""

from __future__ import annotations

import pytest

from bot.engine.ids import POOL
from bot.engine.notation.messages import question
from bot.engine.play.game import Game
from bot.titles.registry import OLDER_VERSIONS
from tests.titles import builders_1820 as e
from tests.titles.positions import act, refused, set_cash, token

# -- stations of a company that becomes smaller (§8.2, §13.6) -----------------------------------------


def with_stations(unplaced: int, shares: int = 10) -> Game:
    """The LSR has eight stations on the map and some on its charter; its director may decrease it."""
    game = e.new_game(2)
    e.reach_phase(game, "green")
    e.floated(game, "LSR", shares=shares, held={"@1": 1}, stations=unplaced)
    for hex_id in ("G9", "G11", "G13", "I7", "I9", "I11", "I13", "K9"):
        e.lay(game, hex_id, "57", 1)
        token(game, "LSR", hex_id)
    return e.issue_round(game, 1)


@pytest.mark.parametrize("after", [1, 5])
def test_8_2_13_6_who_becomes_smaller_gives_up_stations_above_the_maximum_of_nine(after: int) -> None:
    game = with_stations(unplaced=2)
    act(game, f"LSR decrease {after}")
    assert game.frame.plan == "stations"
    assert str(question(game)).endswith("abandon stations: LSR may have 9.")
    refused(game, "LSR done", "13.6")
    refused(game, "LSR abandon G9", "8.4.3")
    act(game, "LSR abandon unplaced")
    # One above the limit of eight, or of six: the overage is for stations gained by a takeover.
    assert game.frame.plan != "stations" and len(e.company(game).tokens_left) == 1
    assert game.state.cash["LSR" if after > 1 else "@1"] % 1000 == 500


def test_8_2_13_6_up_to_the_maximum_nothing_is_given_up() -> None:
    game = with_stations(unplaced=1)
    act(game, "LSR decrease 5")
    assert game.frame.plan == "reduce and issue" and len(e.company(game).tokens_left) == 1


def test_8_2_13_6_then_stations_on_the_map_become_british_rails() -> None:
    game = with_stations(unplaced=0, shares=20)
    e.lay(game, "K13", "57", 1)
    e.lay(game, "K15", "57", 1)
    token(game, "LSR", "K13")
    token(game, "LSR", "K15")
    act(game, "LSR decrease 5", "LSR abandon K15")
    assert game.state.board.tokens_in(e.HexId("K15"), 0) == ["BR"] and game.frame.plan == "reduce and issue"


@pytest.mark.parametrize("version", [1, 2, 3])
def test_8_2_games_of_older_editions_keep_their_stations(version: int) -> None:
    game = Game.decode(OLDER_VERSIONS["1820", version], with_stations(unplaced=2).encode())
    act(game, "LSR decrease 5")
    assert game.frame.plan == "reduce and issue" and len(e.company(game).tokens_left) == 2


# -- growing in liquidation (§6.5.2.2, §10.7) ---------------------------------------------------------


def test_6_5_2_2_10_7_a_company_in_liquidation_grows_when_no_share_need_be_bought() -> None:
    game = e.new_game(2)
    e.floated(game, "LSR", held={"@1": 2, "@2": 2}, at=10)
    e.stock_turn(game)
    refused(game, "LSR increase 10 to @1:1", "10.7")
    act(game, "LSR increase 10")
    assert e.company(game).count_of(POOL) == 1 and game.frame.plan != "increase", "nobody may sell"


def test_6_5_2_2_6_5_2_4_who_has_sold_in_the_round_buys_nothing_of_a_company_that_grows() -> None:
    game = e.new_game(2)
    e.floated(game, "LSR", held={"@1": 2, "@2": 2})
    e.stock_turn(game, "@2")
    act(game, "@2 sell 1 LSR", "@2 done")
    refused(game, "LSR increase 10 to @2:1", "6.5.2.4")
    act(game, "LSR increase 10 to @1:1")


# -- several who owe (§8.5, §10.2) --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("money", "left"), [(10, 0), (95, 0), (100, 5)], ids=["ruined as well", "just paid", "five pounds left"]
)
def test_8_5_10_2_what_others_owe_when_a_bankruptcy_ends_the_game_is_no_possession(money: int, left: int) -> None:
    game = e.new_game(3)
    e.floated(game, "LSR", held={"@1": 2, "@2": 2}, at=10, loans=4, money=0)
    e.floated(game, "N&PR", held={"@2": 3, "@3": 1}, at=95)
    set_cash(game, "@1", 10)
    set_cash(game, "@2", money)
    e.memory(game).to_liquidate = [e.company(game).id]
    e.issue_round(game, 2)
    act(game, "@2 pass")
    # Each owes 2 x £190 (four shares, £800 of loans, £40 bid): Ann has £10, Bob's three shares bring £285.
    assert game.state.finished and e.memory(game).bankrupt == ["@1"]
    assert [e.TITLE.rules.worth(game, player) for player in (e.ANN, e.BOB)] == [0, left]
    older = Game.decode(OLDER_VERSIONS["1820", 3], game.encode())
    assert older.title.rules.worth(older, e.BOB) == money + 285


def test_8_5_8_4_1_who_has_bought_in_a_liquidation_is_not_offered_by_others() -> None:
    game = e.new_game(2)
    e.floated(game, "LSR", held={"@1": 2}, at=10, money=0)
    e.floated(game, "N&PR", held={"@1": 2}, at=55)
    e.floated(game, "LUR", held={"@2": 2}, at=65, money=2000)
    e.memory(game).to_liquidate = [e.company(game).id]
    e.issue_round(game, 2)
    act(game, "@2 pass", "@1 bid LSR 30", "@2 pass", "N&PR acquire", "N&PR pass")
    refused(game, "LUR offer N&PR", "8.4.1")

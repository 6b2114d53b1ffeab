"""1820 §2, §5, §6.1, §10.5, §10.6, §11, §13, §16.1: figures of tables and charts, the circle of rounds."""

from __future__ import annotations

import pytest

from bot.engine.ids import IPO, POOL, HexId
from bot.engine.play.game import Game
from bot.engine.state.events import RoundBegan
from bot.titles.t1820 import components
from bot.titles.t1820.companies import is_in_liquidation, is_private, is_public, shares_in_play
from bot.titles.t1820.map import MAP
from bot.titles.t1820.operations.routes import value_of
from bot.titles.t1820.operations.token_placement import tile_at
from bot.titles.t1820.stock.flotation import par_prices
from tests.titles.builders_1820 import (
    ANN,
    BOB,
    TITLE,
    company,
    floated,
    give_trains,
    in_turn,
    issue_round,
    new_game,
    price,
    reach_phase,
    settled,
    stock_turn,
)
from tests.titles.positions import act, cash

PHASES = ("yellow", "green", "blue", "brown", "red", "gray")


# -- §2, §5 -------------------------------------------------------------------------------------------


def test_2_what_is_in_the_box() -> None:
    companies = [noun for noun in components.COMPANIES.values() if noun.id != components.BRITISH_RAIL]
    assert len(companies) == 30 and all(len(noun.tokens) == 18 for noun in companies)
    assert len(components.COUSINS) == 9 and [len(colour) for colour in components.COUSIN_COLOURS.values()] == [
        2,
        2,
        3,
        2,
    ]
    # 30 single British Rail shares and 14 certificates of five.
    assert len(components.COMPANIES[components.BRITISH_RAIL].certificates) == 30 + 14 * 5
    assert components.TRAIN_CARDS == {"2+": 27, "3+": 16, "5+": 14, "8+": 6, "5D+": 4, "FLOOD": 9}


def test_5_table_5_1() -> None:
    assert [(phase.name, phase.train_limit) for phase in TITLE.phases] == [
        ("yellow", 6), ("green", 5), ("blue", 5), ("brown", 4), ("red", 3), ("gray", 2),
    ]  # fmt: skip
    assert [(kind.name, kind.price) for kind in TITLE.trains.values()] == [
        ("2+", 80), ("3+", 200), ("5+", 400), ("8+", 800), ("5D+", 1600), ("FLOOD", 2000),
    ]  # fmt: skip
    tiles = [phase.colours[-1] for phase in TITLE.phases]
    assert tiles == ["yellow", "green", "green", "brown", "brown", "gray"]
    assert all(kind.rusts_on is None for kind in TITLE.trains.values())


def test_5_stock_operating_issue_operating_issue_and_again() -> None:
    game = new_game()
    floated(game, "LSR", held={"@1": 2, "@2": 1}, money=5000, stations=0)
    floated(game, "N&PR", held={"@2": 2, "@1": 1}, money=5000, stations=0)
    give_trains(game, "LSR", "2+")
    give_trains(game, "N&PR", "2+")
    stock_turn(game, number=4, resolved=True)
    seen = []
    while len(seen) < 6:
        asked = game.players_to_act()[0]
        options = [one for one in game.legal_actions() if game.controller_of(one.by) == asked]
        calm = [one for one in options if type(one).__name__ in ("Pass", "Done", "PayCosts", "TakeLots", "Dividend")]
        game.apply(calm[0])
        seen += [(event.kind, event.number, event.part) for event in game.events if isinstance(event, RoundBegan)]
    assert seen == [
        ("operating", 4, 1), ("issue", 4, 1), ("operating", 4, 2), ("issue", 4, 2), ("stock", 5, 1), ("operating", 5, 1),
    ]  # fmt: skip


def test_6_1_income_cousins_future_trains_then_stock_actions() -> None:
    game = Game.new(TITLE, ("A", "B", "C"), {}, 5)
    plans = [game.frame.plan]
    while len(plans) < 3:
        act(game, f"{game.players_to_act()[0]} pass")
        if game.frame.plan != plans[-1]:
            plans.append(game.frame.plan)
    assert plans == ["cousin auction", "future trains", "stock turn"]
    assert sum(game.state.cash[player] for player in game.state.order) == 3 * 800 + 60


# -- §10 ----------------------------------------------------------------------------------------------


def test_10_5_the_chart() -> None:
    assert components.FLOAT_SIZES == (
        (5,), (5,), (5, 10), (5, 10), (5, 10), (10, 20), (10, 20), (10, 20), (10, 20), (10, 20), (10, 20),
        (20, 50), (20, 50), (20, 50), (50,), (50,), (50,),
    )  # fmt: skip
    assert components.TAKEOVER_PREMIUM == (10, 10, 9, 8, 8, 7, 6, 6, 5, 4, 4, 3, 2, 2, 1, 0, 0)
    assert components.LOAN_INTEREST == (10,) * 8 + (20,) * 3 + (30,) * 3 + (40,) * 3
    limits = {phase.name: phase.train_limit for phase in TITLE.phases}
    assert [limits[phase] for phase in components.PHASE_OF_COLUMN] == [6, 6, *[5] * 6, *[4] * 3, *[3] * 3, *[2] * 3]
    rows = {
        "2+": (0, 0, 10, 25, 50, 100, 160, 250, 400, 650, 1000, 2500, 5000, 5000, 5000, 5000, 5000),
        "3+": (0, 10, 25, 50, 100, 160, 250, 400, 650, 1000, 2500, 5000, 5000, 5000, 5000),
        "5+": (25, 50, 100, 160, 250, 400, 650, 1000, 2500, 5000, 5000, 5000),
        "8+": (50, 100, 160, 250, 400, 650, 1000, 2500, 5000),
        "5D+": (160, 250, 400, 650, 1000, 2500),
        "FLOOD": (400, 650, 1000),
    }
    for kind, row in rows.items():
        assert components.MAINTENANCE[kind][-len(row) :] == row and not any(components.MAINTENANCE[kind][: -len(row)])


def test_10_6_shares_in_play_are_those_outside_the_treasury() -> None:
    game = new_game(cousins=["VF"])
    record = floated(game, "LSR", shares=20, held={"@1": 8, "VF": 2}, pool=3)
    assert shares_in_play(record) == 13 and record.count_of(IPO) == 7 and record.count_of(POOL) == 3


def test_10_7_liquidation_is_the_gray_space_under_all_markers_there() -> None:
    from bot.engine.play.holdings.market import sort_by_price
    from bot.titles.t1820.companies import put_into_liquidation

    game = new_game()
    floated(game, "LSR", at=10)
    record = floated(game, "N&PR", at=65)
    put_into_liquidation(game, record.id, "a test")
    assert is_in_liquidation(record) and price(game, "N&PR") == 10
    assert sort_by_price(game, [record.id, company(game).id]) == ["LSR", "N&PR"]


# -- §11 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hex_id", "values"),
    [("A13", (30, 30, 40, 50)), ("D2", (30, 40, 30, 40)), ("J2", (30, 30, 40, 50)), ("M13", (40, 60, 80, 100)),
     ("M19", (0, 60, 80, 100)), ("O5", (0, 40, 50, 60)), ("I23", (0, 50, 30, 30)), ("B4", (0, 40, 30, 20))],
)  # fmt: skip
def test_11_values_by_phase(hex_id: str, values: tuple[int, ...]) -> None:
    game = new_game()
    stop = next(one for one in game.board_rules.graph(game).stops if one.hex == hex_id)
    found = []
    for phase in ("yellow", "green", "brown", "gray"):
        reach_phase(game, phase)
        found.append(value_of(game, stop))
    assert tuple(found) == values
    # Blue phase is a green one for tiles, red a brown one.
    reach_phase(game, "blue")
    assert value_of(game, stop) == values[1]
    reach_phase(game, "red")
    assert value_of(game, stop) == values[2]


def test_11_gray_red_and_blue_hexes_are_not_built_on() -> None:
    closed = {name for name, space in MAP.hexes.items() if not space.is_buildable}
    assert {"M13", "M15", "M17", "A7", "A9", "G1", "O1", "A13", "J2", "M19", "C3"} <= closed
    assert {MAP.hexes[HexId(name)].colour for name in closed} == {"gray", "red", "blue"}


# -- §13 ----------------------------------------------------------------------------------------------


def test_13_1_table_13_1() -> None:
    assert components.STATIONS_AT_FLOATING == 2
    assert components.STATION_LIMIT == {1: 6, 5: 6, 10: 8, 20: 10, 50: 12}
    assert components.STATION_MAXIMUM == {1: 9, 5: 9, 10: 12, 20: 15, 50: 18}
    assert (components.STATION_COST_YELLOW, components.STATION_COST, components.OVERAGE) == (40, 100, 100)
    assert (components.TRACK_POINTS, components.PRIVATE_TRACK_POINTS) == (2, 4)


def test_13_1_acquired_and_liquidated_companies_can_be_floated_again_closed_ones_cannot() -> None:
    from bot.titles.t1820.companies import close, return_to_supply
    from bot.titles.t1820.stock.flotation import unused_companies

    game = new_game()
    floated(game, "LSR", loans=2)
    floated(game, "N&PR", shares=1)
    assert "LSR" not in unused_companies(game)
    return_to_supply(game, company(game).id)
    close(game, company(game, "N&PR").id)
    assert "LSR" in unused_companies(game) and "N&PR" not in unused_companies(game)
    assert company(game).loans == 0 and not company(game).tokens_left


def test_13_2_a_private_company_has_no_price_no_loans_no_treasury_of_its_own() -> None:
    from bot.engine.refusals import IllegalMove
    from bot.titles.t1820.companies import cash_of, check_loan

    game = new_game()
    record = floated(game, "LSR", shares=1)
    assert is_private(record) and not is_public(record) and record.position is None
    assert cash_of(game, record.id) == cash(game, ANN)
    with pytest.raises(IllegalMove, match="takes no loans"):
        check_loan(game, record.id)


def test_13_3_public_companies_have_5_10_20_or_50_shares() -> None:
    assert components.SIZES == (1, 5, 10, 20, 50)
    for shares in (5, 10, 20, 50):
        game = new_game()
        record = floated(game, "LSR", shares=shares, held={"@1": 1})
        assert is_public(record) and {one.percent for one in record.certificates} == {100 // shares}


def test_13_7_the_limit_is_enforced_when_a_turn_begins() -> None:
    game = new_game()
    reach_phase(game, "brown")
    floated(game, "LSR", money=5000)
    give_trains(game, "LSR", "8+", "8+", "8+", "8+")
    in_turn(game)
    game.state.phase = "red"
    game.frame.at = 0
    settled(game)
    assert game.frame.plan == "discard"
    act(game, "LSR discard 8+")
    assert len(game.state.trains_of("LSR")) == 3 and game.frame.plan == "company turn"


# -- §14.1 --------------------------------------------------------------------------------------------


def test_14_1_a_cousins_company_neither_bids_nor_offers_others_nor_issues() -> None:
    game = new_game(cousins=["VF"])
    game.state.privates["VF"].owner = BOB
    floated(game, "LSR", held={"VF": 2}, at=71, money=3000)
    floated(game, "N&PR", held={"@1": 2}, at=55)
    issue_round(game, 1)
    assert list(game.players_to_act()) == [ANN]
    act(game, "@1 done", "N&PR offer N&PR")
    # Bob's only company is his cousin's: nobody can bid, the bank takes it.
    assert not company(game, "N&PR").floated


# -- §16.1 --------------------------------------------------------------------------------------------


def test_16_1_the_row_of_prices_and_its_colours() -> None:
    row = [components.MARKET.price((0, column)) for column in range(components.TOP + 1)]
    assert row == [
        10, 40, 43, 47, 51, 55, 60, 65, 71, 78, 86, 95, 105, 116, 128, 142, 157, 173, 190, 208, 227, 247, 268, 289, 311,
        334, 357, 381, 405, 429, 453, 477, 500,
    ]  # fmt: skip
    starts = {"yellow": [55, 60, 65, 71], "green": [78, 86, 95], "blue": [105, 116], "brown": [128]}
    allowed: list[int] = []
    for phase in PHASES:
        game = new_game()
        reach_phase(game, phase)
        allowed += starts.get(phase, [])
        assert par_prices(game) == allowed


def test_16_2_1_a_price_stays_at_both_ends_of_the_row() -> None:
    from bot.titles.t1820.companies import move_price

    game = new_game()
    record = floated(game, "LSR", at=43)
    move_price(game, record.id, -5)
    assert price(game) == 10
    move_price(game, record.id, 40)
    assert price(game) == 500


def test_12_2_no_tile_for_london() -> None:
    assert len(tile_at(new_game().state.board, HexId("M13")).cities) == 6
    assert not MAP.hexes[HexId("M13")].is_buildable

"""1848 §§7-10 read a second time: track, tokens, trains, phases, routes."""

from __future__ import annotations

import pytest

from bot.engine.ids import Owner
from bot.engine.notation.text import parse_words
from bot.engine.play.game import Game
from bot.engine.state.actions import RunRoutes
from bot.engine.state.state import TurnMemory
from tests.titles.builders_1848 import give_train, new_game, operating, reach_phase, started, stock_round
from tests.titles.positions import act, cash, lay, refusal, refused, token

HOMES = {"VR": "H11", "CAR": "E4", "SAR": "G6", "NSW": "F17", "QR": "B19", "FT": "G14"}


def turn(name: str, *tiles: tuple[str, str, int], phase: str = "2", treasury: int = 1000, step: int = 1) -> Game:
    """A company's turn with these tiles on the map."""
    game = new_game()
    started(game, name, {"@1": 4}, cash=treasury)
    reach_phase(game, phase)
    lay(game, *tiles)
    return operating(game, name, step=step)


# -- §7.1, 7.3 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("phase", "rounds"), [("2", 1), ("3", 2), ("4", 2), ("5", 3), ("6", 3), ("8", 3)])
def test_7_1_operating_rounds_after_a_stock_round(phase: str, rounds: int) -> None:
    game = new_game()
    started(game, "VR", {"@1": 4})
    reach_phase(game, phase)
    stock_round(game)
    act(game, "@1 pass", "@2 pass", "@3 pass")
    assert (game.state.round.kind, game.state.round.part, game.state.round.of) == ("operating", 1, rounds)


# -- §7.4, 7.5: track ---------------------------------------------------------------------------------


def test_7_4_1_not_without_a_connection_to_a_token() -> None:
    refused(turn("VR", ("57", "H11", 1), phase="3"), "VR lay 57 G6 2", "7.4")


def test_7_4_2_one_yellow_tile_before_the_first_3() -> None:
    game = turn("VR")
    act(game, "VR lay 57 H11 1")
    refused(game, "VR lay 57 H9 1")


def test_7_4_2_two_and_no_third_from_the_first_3() -> None:
    game = turn("VR", phase="3")
    act(game, "VR lay 57 H11 1", "VR lay 57 H9 1")
    refused(game, "VR lay 9 H13 1")


@pytest.mark.parametrize("move", ["VR lay 15 H9 1", "VR lay 14 H9 1"])
def test_7_5_1_yellow_and_upgrade_exclude_each_other(move: str) -> None:
    game = turn("VR", ("57", "H11", 1), ("57", "H9", 1), phase="3")
    act(game, "VR lay 9 H13 1")
    refused(game, move)


def test_7_5_1_no_yellow_tile_after_an_upgrade() -> None:
    game = turn("VR", ("57", "H11", 1), ("57", "H9", 1), phase="3")
    act(game, "VR lay 15 H9 1")
    refused(game, "VR lay 9 H13 1")


@pytest.mark.parametrize(
    ("name", "tiles", "move", "cost"),
    [
        ("VR", (("57", "H11", 1),), "lay 9 H13 1", 50),
        ("NSW", (("57", "F17", 2),), "lay 8 E16 1", 50),
        ("CAR", (("57", "E4", 1),), "lay 9 E6 1", 40),
        ("CAR", (("6", "E4", 3),), "lay 9 D5 0", 0),
    ],
)
def test_7_4_5_terrain(name: str, tiles: tuple[tuple[str, str, int], ...], move: str, cost: int) -> None:
    game = turn(name, *tiles)
    legal = [action for action in game.legal_actions() if str(getattr(action, "hex", "")) == move.split()[2]]
    assert legal
    game.apply(legal[0])
    assert cash(game, name) == 1000 - cost


def test_7_4_5_without_the_money_no_mountain() -> None:
    refused(turn("VR", ("57", "H11", 1), treasury=49), "VR lay 9 H13 1", "7.4.5")


@pytest.mark.parametrize("move", ["9 H11 1", "1 H11 1", "235 H11 1", "5 H13 1"])
def test_7_4_6_wrong_kind_of_tile(move: str) -> None:
    refused(turn("VR", ("57", "H11", 1)) if "H13" in move else turn("VR"), f"VR lay {move}", "7.")


@pytest.mark.parametrize("tile", ["57", "5", "6"])
def test_7_4_6_any_yellow_city_on_k(tile: str) -> None:
    act(turn("VR"), f"VR lay {tile} H11 1")


@pytest.mark.parametrize("move", ["57 H11 0", "57 H11 2", "5 H11 0", "6 H11 4", "5 H11 5"])
def test_7_4_7_no_track_off_the_map_nor_into_tasmania(move: str) -> None:
    refused(turn("VR"), f"VR lay {move}", "7.4.7")


@pytest.mark.parametrize("move", ["9 F3 0", "9 A4 0", "9 D1 0", "57 B21 0"])
def test_7_4_4_red_and_blue_are_not_built_on(move: str) -> None:
    assert "7.4" in refusal(turn("CAR", ("57", "E4", 1)), f"CAR lay {move}").rule


@pytest.mark.parametrize(
    ("tile", "phase", "may"), [("238", "2", False), ("238", "3", True), ("14", "3", False), ("15", "3", False)]
)
def test_7_5_2_and_7_4_6_green_k_tiles_on_k_from_the_first_3(tile: str, phase: str, may: bool) -> None:
    game = turn("VR", ("6", "H11", 1), phase=phase)
    offered = {action.tile for action in game.legal_actions() if getattr(action, "hex", "") == "H11"}
    assert (tile in offered) is may


@pytest.mark.parametrize(
    ("yellow", "green"), [("57", {"236", "237"}), ("6", {"236", "237", "238"}), ("5", {"236", "237", "238"})]
)
def test_7_5_1_green_k_tiles_that_keep_the_track_inside_the_map(yellow: str, green: set[str]) -> None:
    game = turn("SAR", (yellow, "G6", {"57": 2, "6": 3, "5": 2}[yellow]), phase="5")
    offered = {action.tile for action in game.legal_actions() if getattr(action, "hex", "") == "G6"}
    assert offered <= green
    assert offered


@pytest.mark.parametrize("phase", ["3", "4", "5", "6"])
def test_7_5_2_brown_from_the_first_5(phase: str) -> None:
    game = turn("FT", ("15", "G14", 0), phase=phase)
    offered = {action.tile for action in game.legal_actions() if getattr(action, "hex", "") == "G14"}
    assert ("611" in offered) is (phase in "56")


@pytest.mark.parametrize(("phase", "may"), [("6", False), ("8", True)])
def test_7_5_2_grey_from_the_first_8(phase: str, may: bool) -> None:
    game = turn("VR", ("239", "H11", 1), phase=phase)
    offered = {action.tile for action in game.legal_actions() if getattr(action, "hex", "") == "H11"}
    assert ("240" in offered) is may


# -- §7.7: tokens -------------------------------------------------------------------------------------


PRICES = {
    "QR": [40, 100, 100, 100],
    "WA": [40, 100, 100, 100],
    "VR": [40, 100],
    "SAR": [40, 100, 100],
    "NSW": [40, 100, 100],
    "CAR": [40, 100, 100],
    "FT": [40, 100, 100],
    "COM": [100, 100, 100],
}


@pytest.mark.parametrize("name", PRICES)
def test_5_1_and_7_7_2_number_and_prices_of_tokens(name: str) -> None:
    game = new_game()
    started(game, name, {"@1": 4})
    operating(game, name)
    assert game.company(Owner(name)).tokens_left == tuple(PRICES[name])


def tokens(treasury: int = 1000) -> Game:
    """VR may place a token in H9 or, further on, H7."""
    return turn("VR", ("57", "H11", 1), ("57", "H9", 1), ("6", "H7", 2), treasury=treasury, step=2)


def test_7_7_2_40_then_100() -> None:
    game = tokens()
    act(game, "VR token H7")
    assert cash(game, "VR") == 960
    operating(game, "VR", step=2)
    act(game, "VR token H9")
    assert cash(game, "VR") == 860


def test_7_7_2_not_without_the_money() -> None:
    refused(tokens(39), "VR token H9", "")


@pytest.mark.parametrize("hex_id", ["H11", "G6", "E4"])
def test_7_7_2_and_7_7_4_not_twice_on_a_hex_nor_unconnected(hex_id: str) -> None:
    refused(tokens(), f"VR token {hex_id}", "7.7")


def test_7_7_4_a_full_city_bars_the_way_to_the_next() -> None:
    game = tokens()
    token(game, "WA", "H9")
    refused(game, "VR token H9", "7.7")
    refused(game, "VR token H7", "7.7")


def test_7_7_4_one_a_round() -> None:
    game = tokens()
    act(game, "VR token H9")
    refused(game, "VR token H7", "")


@pytest.mark.parametrize("begun", [False, True])
def test_7_7_4_a_place_is_kept_for_the_company_at_home(begun: bool) -> None:
    game = turn("VR", ("57", "H11", 1), ("57", "H9", 1), ("6", "H7", 2), ("6", "G6", 3), step=2)
    if begun:
        lay(game, ("238", "G6", 3))
        started(game, "SAR", {"@2": 4}, director="@2")
        operating(game, "SAR")
        operating(game, "VR", step=2)
        act(game, "VR token G6")
    else:
        refused(game, "VR token G6", "7.7.4")


# -- §8: trains ---------------------------------------------------------------------------------------


COST = {"2": 100, "2+": 120, "3": 200, "3+": 230, "4": 300, "4+": 340, "5": 500, "5+": 550, "6": 600, "6+": 660}
COST |= {"8": 800, "D": 1100}


@pytest.mark.parametrize(("kind", "price"), COST.items())
def test_8_3_2_and_9_7_prices(kind: str, price: int) -> None:
    game = turn("VR", phase="8" if kind == "D" else kind[0], treasury=2000, step=7)
    refused(game, f"VR buy {kind} for {price - 10}", "8")
    act(game, f"VR buy {kind} for {price}")
    assert cash(game, "VR") == 2000 - price


@pytest.mark.parametrize(("family", "number"), [("2", 6), ("3", 5), ("4", 4), ("5", 3), ("6", 2), ("8", 8)])
def test_9_7_number_of_cards(family: str, number: int) -> None:
    assert sum(train.family == family for train in new_game().state.trains) == number


@pytest.mark.parametrize(
    ("first", "rusts", "stays"), [("4", "2+", "3"), ("6+", "3", "4+"), ("8", "4", "5"), ("D", "4+", "6")]
)
def test_9_4_to_9_7_what_rusts(first: str, rusts: str, stays: str) -> None:
    game = turn("VR", phase="8" if first == "D" else first[0], treasury=2000, step=7)
    game.state.phase = {"4": "3", "6": "5", "8": "6", "D": "6"}[first[0]]
    started(game, "SAR", {"@2": 4}, director="@2")
    give_train(game, "SAR", rusts)
    give_train(game, "SAR", stays)
    act(game, f"VR buy {first} for {COST[first]}")
    assert [train.kind for train in game.state.trains_of(Owner("SAR"))] == [stays]


@pytest.mark.parametrize("first", ["3", "5"])
def test_9_3_and_9_5_nothing_rusts(first: str) -> None:
    game = turn("VR", phase=first, treasury=2000, step=7)
    game.state.phase = {"3": "2", "5": "4"}[first]
    give_train(game, "VR", "2")
    act(game, f"VR buy {first} for {COST[first]}")
    assert [train.kind for train in game.state.trains_of(Owner("VR"))] == ["2", first]


@pytest.mark.parametrize(("phase", "limit"), [("2", 4), ("3", 4), ("4", 3)])
def test_9_1_to_9_4_train_limits(phase: str, limit: int) -> None:
    game = turn("VR", phase=phase, treasury=5000, step=7)
    for _ in range(limit):
        act(game, f"VR buy {phase} for {COST[phase]}")
    assert not any(getattr(action, "kind", "") for action in game.legal_actions())


def test_8_3_5_at_the_limit_not_even_a_train_that_rusts_others() -> None:
    game = turn("VR", phase="4", treasury=5000)
    game.state.phase = "3"
    for kind in ("2", "2", "2", "2"):
        give_train(game, "VR", kind)
    game.state.flow[-1].at = 8
    refused(game, "VR buy 4 for 300", "8.3.5")


@pytest.mark.parametrize("kind", ["4", "4+"])
def test_8_2_4_the_first_diesel_with_a_trade_in(kind: str) -> None:
    game = turn("VR", phase="8", treasury=800)
    game.state.phase = "6"
    give_train(game, "VR", kind)
    game.state.flow[-1].at = 8
    refused(game, f"VR buy 8 for 500 trade {kind}", "")
    act(game, f"VR buy D for 800 trade {kind}")
    assert [train.kind for train in game.state.trains_of(Owner("VR"))] == ["D"]
    assert cash(game, "VR") == 0


@pytest.mark.parametrize("phase", ["2", "3", "4"])
def test_8_2_5_no_ghan_before_the_first_5(phase: str) -> None:
    refused(turn("VR", phase=phase, step=7), "VR buy 2E for 200", "8")


def test_8_2_5_one_ghan_for_200_beyond_the_limit() -> None:
    game = turn("VR", phase="5", treasury=5000, step=7)
    act(game, "VR buy 5 for 500", "VR buy 5 for 500", "VR buy 2E for 200")
    assert cash(game, "VR") == 3800
    refused(game, "VR buy 2E for 200", "8.2.5")


@pytest.mark.parametrize(("price", "may"), [(0, False), (1, True), (199, True), (900, True)])
def test_8_3_4_between_companies_of_one_director(price: int, may: bool) -> None:
    game = turn("VR", phase="3", step=7)
    started(game, "SAR", {"@1": 4}, cash=0)
    give_train(game, "SAR", "3")
    move = f"VR buy 3 from SAR for {price}"
    if may:
        act(game, move)
        assert (cash(game, "VR"), cash(game, "SAR")) == (1000 - price, price)
    else:
        refused(game, move, "8.3.4")


@pytest.mark.parametrize("price", [1, 229, 231])
def test_8_3_4_between_directors_at_the_face_value(price: int) -> None:
    game = turn("VR", phase="3", step=7)
    started(game, "SAR", {"@2": 4}, director="@2", cash=0)
    give_train(game, "SAR", "3+")
    refused(game, f"VR buy 3+ from SAR for {price}", "8.3.4")


def test_8_3_4_not_before_the_first_3() -> None:
    game = turn("VR", step=7)
    started(game, "SAR", {"@1": 4}, cash=0)
    give_train(game, "SAR", "2")
    refused(game, "VR buy 2 from SAR for 50", "8.3.4")


# -- §§8.2, 10: routes --------------------------------------------------------------------------------

COAST = (("57", "H11", 1), ("57", "H9", 1), ("6", "H7", 2), ("6", "G6", 3))
NORTH = (("57", "E4", 0), ("9", "D5", 0), ("8", "C6", 0), ("9", "B5", 2))
WEST = (("5", "E4", 1), ("6", "E2", 2), ("56", "D3", 5))
CANBERRA = (("5", "G14", 1), ("5", "F13", 5), ("2", "G12", 2))


def earned(name: str, tiles: tuple[tuple[str, str, int], ...], phase: str, runs: dict[str, str]) -> int:
    """What these trains earn on these routes."""
    game = prepared(name, tiles, phase, *runs)
    game.apply(routes(game, name, runs))
    memory = game.state.flow[-1].memory
    assert isinstance(memory, TurnMemory)
    assert memory.revenue is not None
    return memory.revenue


def prepared(name: str, tiles: tuple[tuple[str, str, int], ...], phase: str, *kinds: str) -> Game:
    """The company before it runs trains of these kinds."""
    game = new_game()
    started(game, name, {"@1": 4})
    reach_phase(game, phase)
    lay(game, *tiles)
    return operating(game, name, trains=kinds, step=3)


def routes(game: Game, name: str, runs: dict[str, str]) -> RunRoutes:
    """Each kind of train on its route."""
    cards = {train.kind: train.id for train in game.state.trains_of(Owner(name))}
    text = " ".join(f"{cards[kind]}={path}" for kind, path in runs.items())
    action = parse_words(game.title, f"{name} run {text}".split())
    assert isinstance(action, RunRoutes)
    return action


GEELONG, GAMBIER, ADELAIDE = "H11.c0>H9.c0", "H11.c0>H9.c0>H7.c0", "H11.c0>H9.c0>H7.c0>G6.c0"


@pytest.mark.parametrize(
    ("kind", "path", "revenue"),
    [
        ("2", GEELONG, 40),
        ("3+", GAMBIER, 60),
        ("4", GAMBIER, 60),
        ("4+", ADELAIDE, 80 + 50),
        ("5", ADELAIDE, 80 + 50),
        ("D", ADELAIDE, 80 + 50),
    ],
)
def test_7_6_8_2_and_10_4_gauge_changes_count_and_two_k_earn_50(kind: str, path: str, revenue: int) -> None:
    assert earned("VR", COAST, "4", {kind: path}) == revenue


@pytest.mark.parametrize(
    ("kind", "path"), [("2", GAMBIER), ("2+", GAMBIER), ("3", GAMBIER), ("3+", ADELAIDE), ("4", ADELAIDE)]
)
def test_7_6_beyond_the_range(kind: str, path: str) -> None:
    game = prepared("VR", COAST, "4", kind)
    refused(game, routes(game, "VR", {kind: path}))


@pytest.mark.parametrize("path", ["H11.c0", "H9.c0>H7.c0", "H11.c0>H9.c0>H11.c0"])
def test_10_1_two_stations_a_token_and_no_track_twice(path: str) -> None:
    game = prepared("VR", COAST, "4", "4")
    refused(game, routes(game, "VR", {"4": path}), "10.1")


def test_10_1_2_a_full_city_ends_a_route() -> None:
    game = prepared("VR", COAST, "4", "4", "3")
    token(game, "WA", "H9")
    refused(game, routes(game, "VR", {"4": GAMBIER}))
    act_routes = routes(game, "VR", {"3": GEELONG})
    game.apply(act_routes)


@pytest.mark.parametrize(("phase", "perth"), [("2", 20), ("3", 40), ("4", 40), ("5", 60), ("6", 60), ("8", 80)])
def test_10_3_1_perth_by_phase(phase: str, perth: int) -> None:
    assert earned("CAR", WEST, phase, {"2": "E4.c0>D3.t0>D1.c0"}) == 20 + 10 + perth


def test_10_3_1_the_first_example() -> None:
    assert earned("CAR", WEST, "3", {"2": "E4.c0>D3.t0>D1.c0", "3": "E4.c0>E2.c0>D1.c0"}) == 150


def test_10_3_1_the_second_example() -> None:
    assert earned("FT", CANBERRA, "3", {"3+": "G14.c0>G12.t1>F13.c0"}) == 50
    assert earned("FT", CANBERRA, "3", {"3+": "G14.c0>G12.t1>F13.c0", "2": "G14.c0>F13.c0"}) == 90


def test_10_1_3_two_trains_share_no_track() -> None:
    game = prepared("VR", COAST, "4", "4", "3")
    refused(game, routes(game, "VR", {"4": GAMBIER, "3": GEELONG}), "10.1.3")


@pytest.mark.parametrize(("phase", "harbour"), [("2", 10), ("4", 10), ("5", 20), ("8", 20)])
def test_10_2_a_city_and_a_small_harbour(phase: str, harbour: int) -> None:
    runs = {"2": "E4.c0>E2.c0>F3.t0"}
    game = prepared("CAR", (("6", "E2", 2), ("5", "E4", 1)), phase, "2")
    refused(game, routes(game, "CAR", runs))
    game = prepared("CAR", (("5", "E2", 4), ("5", "E4", 1)), phase, "2")
    game.apply(routes(game, "CAR", runs))
    assert game.state.flow[-1].memory.revenue == 20 + 20 + harbour  # type: ignore[union-attr]


@pytest.mark.parametrize(("phase", "north"), [("5", 40), ("6", 40), ("8", 60)])
def test_8_2_5_the_ghan(phase: str, north: int) -> None:
    assert earned("CAR", NORTH, phase, {"2E": "E4.c0>D5>C6>B5>A4.o0"}) == 20 + north


def test_8_2_5_the_ghan_goes_nowhere_else() -> None:
    game = prepared("CAR", (*NORTH, ("57", "F5", 2)), "5", "2E")
    refused(game, routes(game, "CAR", {"2E": "E4.c0>F5.c0"}))


def test_10_2_tasmania_earns_50_and_counts() -> None:
    tiles = (("57", "H11", 1), ("5", "H9", 4), ("241", "I10", 1))
    path = "H11.c0>H9.c0>I10.o0"
    assert earned("VR", tiles, "4", {"3": path}) == 20 + 20 + 50
    game = prepared("VR", tiles, "4", "2")
    refused(game, routes(game, "VR", {"2": path}))

"""1848 §4, §5.3-§5.6, §7-§11, §13: operating rounds, loans, receivership, track, trains, the end."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, REMOVED, HexId, Owner, TileId
from bot.engine.notation.messages import question
from bot.engine.play.game import Game
from bot.engine.play.holdings.certificates import president_of
from bot.engine.play.holdings.market import price_of
from bot.engine.refusals import IllegalMove
from bot.engine.rule_refs import TrackSections
from bot.engine.state.actions import (
    Answer,
    BuyPrivate,
    BuyTrain,
    DiscardTrain,
    Dividend,
    LayTile,
    Pass,
    PlaceToken,
    Run,
    RunRoutes,
    SellShares,
    TakeLoan,
    Withdraw,
)
from bot.formats.peer18xx.registry import DIALECTS
from bot.formats.peer18xx.snapshots import snapshot
from bot.titles.t1848 import bank_of_england as bank
from bot.titles.t1848.components import PHASES, TRAIN_CARDS, TRAINS
from bot.titles.t1848.rounds import BANK_BROKEN, detect_game_end, end_conditions, launch, net_worth
from tests.rearrangement import rearrange
from tests.titles.builders_1848 import (
    ANN,
    BOB,
    CID,
    TITLE,
    give_train,
    home,
    new_game,
    operating,
    reach_phase,
    sell_privates,
    started,
    stock_round,
)
from tests.titles.positions import company, lay, private, refused, set_cash, token

VR, SAR, NSW, BOE, COM, CAR = (company(name) for name in ("VR", "SAR", "NSW", "BOE", "COM", "CAR"))


def tile(number: str, hex_id: str, rotation: int, by: str = "VR", using: str | None = None) -> LayTile:
    return LayTile(Owner(by), TileId(number), HexId(hex_id), rotation, private(using) if using else None)


def victorian(
    phase: str = "2",
    step: int = 1,
    trains: tuple[str, ...] = (),
    cash: int = 1000,
    tiles: tuple[tuple[str, str, int], ...] = (),
) -> Game:
    """VR in its turn, Ann directing with 60%."""
    game = new_game()
    started(game, "VR", {"@1": 4}, cash=cash)
    if phase != "2":
        reach_phase(game, phase)
    return operating(lay(game, *tiles), "VR", trains, step=step)


# -- §7.1-§7.5 track ----------------------------------------------------------------------------------


def test_7_2_bank_first_then_by_price_the_marker_on_top_then_further_right() -> None:
    game = new_game()
    started(game, "VR", {"@1": 4}, position=(1, 4))
    started(game, "SAR", {"@1": 4}, par=80, position=(2, 5))
    started(game, "NSW", {"@1": 4}, position=(1, 4))
    from bot.engine.play.holdings.market import sort_by_price

    assert sort_by_price(game, [VR, SAR, NSW]) == [SAR, VR, NSW]


def test_7_4_1_track_must_lead_from_a_token() -> None:
    game = victorian()
    refused(game, tile("9", "F11", 0), "§7.4.1")


def test_7_4_2_one_yellow_tile_at_first_two_from_the_first_3() -> None:
    game = victorian()
    game.apply(tile("57", "H11", 1))
    assert game.step is not None and game.step.name != "lay track"
    game = victorian("3")
    game.apply(tile("57", "H11", 1))
    game.apply(tile("9", "H13", 1))
    assert game.step.name != "lay track"  # type: ignore[union-attr]


def test_7_4_3_the_first_tile_goes_on_the_home() -> None:
    hexes = {action.hex for action in victorian().legal_actions() if isinstance(action, LayTile)}
    assert hexes == {"H11"}


def test_7_4_4_red_and_blue_spaces_are_not_built_on() -> None:
    refused(victorian(), tile("9", "A4", 0), "§7.4.4")


def test_7_4_5_mountains_cost_50_deserts_40() -> None:
    game = lay(victorian("3"), ("57", "H11", 1))
    game.apply(tile("9", "H13", 1))
    assert game.state.cash[VR] == 950
    assert TITLE.land.map.hexes[HexId("B3")].cost == 40
    poor = lay(victorian("3", cash=40), ("57", "H11", 1))
    refused(poor, tile("9", "H13", 1), "§7.4.5")


@pytest.mark.parametrize(
    ("number", "hex_id"), [("57", "G12"), ("9", "H11"), ("1", "H11"), ("5", "G10"), ("235", "H11")]
)
def test_7_4_6_each_kind_of_tile_on_its_kind_of_hex(number: str, hex_id: str) -> None:
    refused(victorian(), tile(number, hex_id, 0), "§7.4.6")


def test_7_4_6_any_yellow_city_on_a_k_hex_green_only_with_k() -> None:
    game = victorian()
    for number in ("5", "6", "57"):
        game.board_rules.check_tile(game, TileId(number), HexId("H11"), ("yellow",), TrackSections())
    lay(game, ("57", "H11", 1))
    game.board_rules.check_tile(game, TileId("236"), HexId("H11"), ("yellow", "green"), TrackSections())
    with pytest.raises(IllegalMove):
        game.board_rules.check_tile(game, TileId("14"), HexId("H11"), ("yellow", "green"), TrackSections())


def test_7_4_7_no_track_off_the_grid_or_into_tasmania_without_its_tile() -> None:
    game = victorian()
    refused(game, tile("57", "H11", 0), "§7.4.7")
    lay(game, ("241", "I10", 1))
    exits = TITLE.land.tiles[TileId("241")].rotate(1).exits
    assert 3 in exits
    game.apply(tile("57", "H11", 0))


def test_7_5_1_an_upgrade_takes_the_place_of_both_yellow_tiles() -> None:
    game = lay(victorian("3"), ("57", "H11", 1))
    game.apply(tile("236", "H11", 1))
    assert game.step.name != "lay track"  # type: ignore[union-attr]
    game = lay(victorian("3"), ("57", "H11", 1))
    game.apply(tile("9", "H13", 1))
    refused(game, tile("236", "H11", 1), "§7.5.1")


def test_7_5_1_exchanged_tiles_can_be_used_again() -> None:
    game = lay(victorian("3"), ("57", "H11", 1))
    assert game.board_rules.tiles_left(game, TileId("57")) == 2
    game.apply(tile("236", "H11", 1))
    assert game.board_rules.tiles_left(game, TileId("57")) == 3


@pytest.mark.parametrize(("phase", "colours"), [(phase.name, phase.colours) for phase in PHASES])
def test_7_5_2_colours_by_phase(phase: str, colours: tuple[str, ...]) -> None:
    last = {"2": "yellow", "3": "green", "4": "green", "5": "brown", "6": "brown", "8": "gray"}[phase]
    assert colours[-1] == last


def test_7_5_2_green_is_not_available_before_the_first_3() -> None:
    refused(lay(victorian(), ("57", "H11", 1)), tile("236", "H11", 1), "§7.5.2")


def test_7_5_3_track_may_not_be_lost() -> None:
    game = lay(victorian("3"), ("57", "H11", 1))
    refused(game, tile("238", "H11", 2), "§7.5.3")


# -- §7.7 tokens --------------------------------------------------------------------------------------


def test_7_7_1_the_home_token_is_free() -> None:
    game = new_game()
    started(game, "VR", {"@1": 4})
    operating(game, "VR", has_home=False, step=0)
    assert game.state.board.tokens_in(HexId("H11"), 0) == [VR]
    assert game.state.cash[VR] == 1000


def linked_victoria(phase: str = "3", step: int = 2, trains: tuple[str, ...] = (), cash: int = 1000) -> Game:
    """VR at Melbourne (H11) with track to Geelong (H9) and Mount Gambier (H7)."""
    return victorian(phase, step, trains, cash, (("57", "H11", 1), ("57", "H9", 1), ("57", "H7", 1)))


def test_7_7_2_the_second_token_costs_40_each_further_one_100() -> None:
    game = linked_victoria()
    game.apply(PlaceToken(VR, HexId("H9")))
    assert game.state.cash[VR] == 960
    assert game.company(VR).tokens_left == (100,)


def test_7_7_2_one_token_a_hex() -> None:
    refused(linked_victoria(), PlaceToken(VR, HexId("H11")), "§7.7.2")


def test_7_7_4_one_token_a_turn() -> None:
    game = linked_victoria()
    game.apply(PlaceToken(VR, HexId("H9")))
    assert game.step.name != "place a token"  # type: ignore[union-attr]


def test_7_7_4_the_place_must_be_connected() -> None:
    refused(linked_victoria(), PlaceToken(VR, HexId("E14")), "§7.7.4")


def test_7_7_4_a_place_is_kept_for_a_company_that_has_not_begun() -> None:
    game = lay(linked_victoria(), ("57", "G6", 2))
    sentence = refused(game, PlaceToken(VR, HexId("G6")), "§7.7.4")
    assert "SAR" in sentence


def test_7_7_3_a_full_city_is_not_passed() -> None:
    game = linked_victoria()
    token(game, "SAR", "H9")
    reached = {hex_id for hex_id, _ in game.board_rules.reached_cities(game, VR)}
    assert "H9" in reached
    assert "H7" not in reached


# -- §7.6, §8.2, §10 routes ---------------------------------------------------------------------------


def run(game: Game, *paths: tuple[str, str], by: str = "VR") -> int:
    """The revenue of these routes (train, spaces)."""
    game.apply(RunRoutes(Owner(by), tuple(Run(train, tuple(path.split())) for train, path in paths)))
    turn = game.frame.memory
    return turn.revenue or 0  # type: ignore[union-attr]


def test_8_2_2_and_10_1_1_two_stations_and_their_sum() -> None:
    assert run(linked_victoria("3", 3, ("2",)), ("2-0", "H11.c0 H9.c0")) == 40


def test_10_1_2_not_beyond_the_range() -> None:
    game = linked_victoria("3", 3, ("2",))
    refused(game, RunRoutes(VR, (Run("2-0", ("H11.c0", "H9.c0", "H7.c0")),)), "§10.1.2")


def test_7_6_and_8_2_3_a_gauge_change_counts_as_a_stop_of_value_0_and_a_plus_train_has_one_free() -> None:
    game = linked_victoria("3", 3, ("3",))
    refused(game, RunRoutes(VR, (Run("3-0", ("H11.c0", "H9.c0", "H7.c0")),)), "§10.1.2")
    game = linked_victoria("3", 3, ("3+",))
    assert run(game, ("3-0", "H11.c0 H9.c0 H7.c0")) == 60


def test_10_1_2_a_route_needs_a_token() -> None:
    game = linked_victoria("3", 3, ("3+",))
    refused(game, RunRoutes(VR, (Run("3-0", ("H9.c0", "H7.c0")),)), "§10.1.2")


def test_10_1_2_a_blocked_station_ends_a_route() -> None:
    game = linked_victoria("3", 3, ("3+",))
    token(game, "SAR", "H9")
    refused(game, RunRoutes(VR, (Run("3-0", ("H11.c0", "H9.c0", "H7.c0")),)), "§10.1.2")
    assert run(game, ("3-0", "H11.c0 H9.c0")) == 40


def test_10_1_3_two_trains_share_no_track() -> None:
    game = linked_victoria("3", 3, ("2", "2"))
    both = RunRoutes(VR, (Run("2-0", ("H11.c0", "H9.c0")), Run("2-1", ("H9.c0", "H11.c0"))))
    refused(game, both, "§10.1.3")


def test_7_3_running_is_compulsory() -> None:
    game = linked_victoria("3", 3, ("2",))
    refused(game, RunRoutes(VR, ()), "§7.3")


def test_10_2_small_harbours_do_not_count_tasmania_does() -> None:
    game = new_game()
    started(game, "WA", {"@1": 4})
    operating(game, "WA", ("2",), step=3)
    lay(game, ("15", "E2", 2))
    operating(game, "WA", step=3)
    assert run(game, ("2-0", "D1.c0 E2.c0 F3.t0"), by="WA") == 20 + 30 + 10
    game = lay(linked_victoria("3", 3, ("2",)), ("241", "I10", 1), ("5", "H11", 0))
    tasmania = next(stop for stop in game.board_rules.graph(game).stops if stop.hex == "I10")
    kinds = {stop.hex: info.kind for stop, info in game.board_rules.graph(game).stops.items()}
    assert kinds[tasmania.hex] == "offboard"
    assert kinds[HexId("F3")] == "town"


def test_10_3_1_red_and_blue_values_follow_the_phase() -> None:
    perth = TITLE.land.map.hexes[HexId("D1")].printed.nodes[0]
    assert [perth.value_in(phase.colours) for phase in PHASES] == [20, 40, 40, 60, 60, 80]


def test_10_4_the_k_bonus() -> None:
    from bot.titles.t1848.components import K_BONUS, K_CITIES

    assert K_BONUS == {2: 50, 3: 100, 4: 150, 5: 200}
    assert len(K_CITIES) == 5
    game = lay(victorian("3", 3, ("4+",)), ("57", "H11", 1), ("57", "H9", 1), ("15", "H7", 2), ("57", "G6", 2))
    operating(game, "VR", step=3)
    assert run(game, ("4-0", "H11.c0 H9.c0 H7.c0 G6.c0")) == 20 + 20 + 30 + 20 + 50


def test_8_2_5_the_ghan_earns_its_token_and_alice_springs_without_k() -> None:
    game = new_game()
    started(game, "SAR", {"@1": 4})
    reach_phase(game, "5")
    lay(game, ("57", "G6", 2), ("57", "F5", 2), ("6", "E4", 3), ("8", "D5", 0), ("8", "C4", 3), ("8", "B5", 0))
    operating(game, "SAR", ("2E",), step=3)
    assert run(game, ("2E-0", "G6.c0 F5.c0 E4.c0 D5 C4 B5 A4.o0"), by="SAR") == 20 + 40


def test_8_2_4_diesels_count_nothing() -> None:
    game = linked_victoria("8", 3, ("D",))
    assert run(game, ("8-0", "H11.c0 H9.c0 H7.c0")) == 60


# -- §10.3.3, §11 -------------------------------------------------------------------------------------


def paid(game: Game) -> Game:
    game.apply(RunRoutes(VR, (Run("2-0", ("H11.c0", "H9.c0")),)))
    return game


def test_10_3_3_and_5_1_5_players_get_their_percentage_the_bank_keeps_the_rest() -> None:
    game = paid(linked_victoria("3", 3, ("2",)))
    game.apply(Dividend(VR, "pay"))
    assert game.state.cash[ANN] == 840 + 24
    assert game.state.cash[VR] == 1000


def test_11_1_a_dividend_moves_right_at_the_end_of_a_row_up() -> None:
    game = paid(linked_victoria("3", 3, ("2",)))
    game.apply(Dividend(VR, "pay"))
    assert game.company(VR).position == (1, 6)
    game = linked_victoria("3", 3, ("2",))
    from bot.engine.play.holdings.market import place_marker

    place_marker(game, VR, (4, 8))
    paid(game).apply(Dividend(VR, "pay"))
    assert game.company(VR).position == (3, 8)


def test_11_2_withholding_moves_left_and_fills_the_treasury() -> None:
    game = paid(linked_victoria("3", 3, ("2",)))
    game.apply(Dividend(VR, "withhold"))
    assert game.company(VR).position == (1, 4)
    assert game.state.cash[VR] == 1040


def test_11_3_a_marker_goes_under_those_already_there() -> None:
    game = paid(linked_victoria("3", 3, ("2",)))
    started(game, "NSW", {"@1": 4}, position=(1, 6))
    game.state.money = sum(game.state.cash.values())
    game.apply(Dividend(VR, "pay"))
    assert game.state.stacks["1,6"] == [NSW, VR]


# -- §8 trains ----------------------------------------------------------------------------------------


def test_9_the_table_of_trains() -> None:
    assert {kind.name: kind.price for kind in TRAINS.values()} == {
        "2": 100,
        "2+": 120,
        "3": 200,
        "3+": 230,
        "4": 300,
        "4+": 340,
        "5": 500,
        "5+": 550,
        "6": 600,
        "6+": 660,
        "8": 800,
        "D": 1100,
        "2E": 200,
    }
    assert [TRAIN_CARDS[family] for family in ("2", "3", "4", "5", "6", "8")] == [6, 5, 4, 3, 2, 8]
    assert {family: TRAINS[family].rusts_on for family in ("2", "3", "4", "5")} == {
        "2": "4",
        "3": "6",
        "4": "8",
        "5": None,
    }
    assert [phase.train_limit for phase in PHASES] == [4, 4, 3, 2, 2, 2]
    assert [phase.operating_rounds for phase in PHASES] == [1, 2, 2, 3, 3, 3]


def test_8_2_1_and_8_3_2_either_side_of_a_card_in_ascending_sequence_several_in_a_turn() -> None:
    game = victorian(step=7)
    refused(game, BuyTrain(VR, "3", 200), "§8.3.2")
    game.apply(BuyTrain(VR, "2", 100))
    game.apply(BuyTrain(VR, "2+", 120))
    assert [train.kind for train in game.state.trains_of(VR)] == ["2", "2+"]
    assert game.state.cash[VR] == 780


def test_8_3_5_not_beyond_the_limit() -> None:
    game = victorian("3", step=7, trains=("2", "2", "2", "3"))
    refused(game, BuyTrain(VR, "3", 200), "§8.3.5")


def test_9_4_the_first_4_rusts_2s_and_lowers_the_limit_to_3() -> None:
    game = victorian("3", 7, ("2", "2+", "3"))
    for train in game.state.trains:
        if train.family == "3" and train.owner != VR:
            rearrange(game, train, owner=REMOVED)
    started(game, "NSW", {"@2": 4}, director="@2")
    for _ in range(4):
        give_train(game, "NSW", "3")
    game.state.money = sum(game.state.cash.values())
    game.apply(BuyTrain(VR, "4", 300))
    assert [train.kind for train in game.state.trains_of(VR)] == ["3", "4"]
    assert game.state.phase == "4"
    assert game.players_to_act() == (BOB,)
    game.apply(DiscardTrain(NSW, "3"))
    assert len(game.state.trains_of(NSW)) == 3
    assert game.players_to_act() == (ANN,)


def test_8_2_4_a_4_is_traded_in_for_300_off_the_first_diesel() -> None:
    game = victorian("6", 7, ("4+",), cash=800)
    for train in game.state.trains:
        if train.family == "6":
            rearrange(game, train, owner=REMOVED)
    game.apply(BuyTrain(VR, "D", 800, trade_in="4+"))
    assert [train.kind for train in game.state.trains_of(VR)] == ["D"]
    assert (game.state.cash[VR], game.state.phase) == (0, "8")


def test_8_2_5_2e_from_phase_5_one_a_company_not_counted() -> None:
    game = victorian(step=7)
    refused(game, BuyTrain(VR, "2E", 200), "§8.3.2")
    game = victorian("5", 7, ("5", "5"))
    game.apply(BuyTrain(VR, "2E", 200))
    refused(game, BuyTrain(VR, "2E", 200), "§8.2.5")


def test_8_3_4_between_companies_from_the_first_3() -> None:
    game = victorian(step=7)
    started(game, "NSW", {"@1": 4})
    give_train(game, "NSW", "2")
    game.state.money = sum(game.state.cash.values())
    refused(game, BuyTrain(VR, "2", 1, NSW), "§8.3.4")
    reach_phase(game, "3")
    refused(game, BuyTrain(VR, "2", 0, NSW), "§8.3.4")
    game.apply(BuyTrain(VR, "2", 1, NSW))
    assert (game.state.cash[VR], game.state.cash[NSW]) == (999, 1001)


def test_8_3_4_another_directors_train_costs_its_face_value_and_he_is_asked() -> None:
    game = victorian("3", 7)
    started(game, "NSW", {"@2": 4}, director="@2")
    give_train(game, "NSW", "2+")
    game.state.money = sum(game.state.cash.values())
    refused(game, BuyTrain(VR, "2+", 119, NSW), "§8.3.4")
    game.apply(BuyTrain(VR, "2+", 120, NSW))
    assert game.players_to_act() == (BOB,)
    other = game.copy()
    other.apply(Answer(BOB, False))
    assert not other.state.trains_of(VR)
    # Ann takes her offer back, and makes it again.
    game.apply(Withdraw(ANN))
    assert game.players_to_act() == (ANN,) and not game.state.trains_of(VR)
    game.apply(BuyTrain(VR, "2+", 120, NSW))
    game.apply(Answer(BOB, True))
    assert [train.kind for train in game.state.trains_of(VR)] == ["2+"]
    assert game.players_to_act() == (ANN,)


def test_8_2_5_a_2e_is_not_sold_by_a_company() -> None:
    game = victorian("5", 7)
    started(game, "NSW", {"@1": 4})
    give_train(game, "NSW", "2E")
    game.state.money = sum(game.state.cash.values())
    refused(game, BuyTrain(VR, "2E", 1, NSW), "§8.2.5")


def test_8_1_with_a_route_a_train_is_compulsory_the_ghan_does_not_do() -> None:
    game = linked_victoria("5", 7, ("2E",))
    refused(game, Pass(VR), "§8.1")
    lonely = victorian("5", 7)
    lonely.apply(Pass(VR))


def test_8_4_1_loans_until_the_money_is_there_two_spaces_then_three() -> None:
    game = linked_victoria("3", 7, cash=20)
    from bot.engine.play.holdings.market import place_marker

    place_marker(game, VR, (1, 10))
    game.apply(BuyTrain(VR, "3", 200))
    assert game.company(VR).loans == 2
    assert game.company(VR).position == (1, 5)
    assert game.state.cash[VR] == 20
    assert price_of(game, BOE) == 90


@pytest.mark.parametrize(("rules", "column"), [("rulebook", 5), ("18xx.games", 4)])
def test_8_4_1_18xx_games_moves_three_spaces_for_each(rules: str, column: int) -> None:
    game = new_game(rules=rules)
    started(game, "VR", {"@1": 4}, cash=20)
    reach_phase(game, "3")
    lay(game, ("57", "H11", 1), ("57", "H9", 1))
    operating(game, "VR", step=7)
    from bot.engine.play.holdings.market import place_marker

    place_marker(game, VR, (1, 10))
    if rules == "18xx.games":
        game.apply(TakeLoan(VR))
        place_marker(game, VR, (1, 10))
        set_cash(game, "VR", 20)
    game.apply(BuyTrain(VR, "3", 200))
    assert game.company(VR).position == (1, column)
    assert game.company(VR).loans == (2 if rules == "rulebook" else 3)
    refused(game, TakeLoan(VR), "§5.6.3")


def test_8_4_1_no_loans_where_a_cheaper_train_can_be_paid() -> None:
    refused(linked_victoria("3", 7, cash=210), BuyTrain(VR, "3+", 230), "§8.4.1")


@pytest.mark.parametrize("rules", ["rulebook", "18xx.games"])
def test_8_4_1_18xx_games_gives_loans_for_another_directors_train_too(rules: str) -> None:
    game = new_game(rules=rules)
    started(game, "VR", {"@1": 4}, cash=20, position=(1, 10))
    started(game, "SAR", {"@2": 4}, director="@2", cash=0)
    reach_phase(game, "3")
    give_train(game, "SAR", "3")
    lay(game, ("57", "H11", 1), ("57", "H9", 1))
    operating(game, "VR", step=7)
    purchase = BuyTrain(VR, "3", 200, SAR)
    if rules == "rulebook":
        refused(game, purchase, "§8.3.4")
        return
    game.apply(TakeLoan(VR))
    game.apply(purchase)
    assert (game.state.cash[VR], game.state.cash[SAR]) == (20, 200)
    assert game.company(VR).position == (1, 5)


def test_8_4_2_in_receivership_the_train_is_not_bought() -> None:
    game = linked_victoria("3", 7, cash=20)
    from bot.engine.play.holdings.market import place_marker

    place_marker(game, VR, (1, 3))
    game.apply(BuyTrain(VR, "3", 200))
    assert game.company(VR).closed
    assert all(train.owner != VR for train in game.state.trains)
    assert game.state.phase == "3"


def test_8_4_4_without_loans_left_receivership_whatever_the_price() -> None:
    game = linked_victoria("3", 7, cash=20)
    game.state.special.loans_given = 20
    game.apply(BuyTrain(VR, "3", 200))
    assert game.company(VR).closed


# -- §5.4-§5.6 ----------------------------------------------------------------------------------------


def test_5_4_3_minimum_dividends_by_phase() -> None:
    for phase, each in (("2", 0), ("3", 10), ("5", 20), ("8", 30)):
        game = new_game()
        reach_phase(game, phase)
        rearrange(game, game.company(BOE).certificates[0], owner=ANN)
        bank.pay_bank_dividend(game)
        assert game.state.cash[ANN] == 840 + each


def test_5_4_3_and_5_5_7_stations_in_receivership_add_their_cities_each_token_once() -> None:
    game = new_game()
    reach_phase(game, "3")
    lay(game, ("236", "H11", 1))
    token(game, "BOE", "H11")
    token(game, "BOE", "H11")
    for certificate in game.company(BOE).certificates[:2]:
        rearrange(game, certificate, owner=ANN)
    bank.pay_bank_dividend(game)
    assert game.state.cash[ANN] == 840 + 2 * (100 + 40 + 40) // 10


def test_5_6_1_loans_from_the_first_3_any_time_in_the_turn() -> None:
    refused(victorian(), TakeLoan(VR), "§5.6.1")
    game = victorian("3")
    game.apply(TakeLoan(VR))
    assert game.state.cash[VR] == 1100
    assert game.state.cash[BOE] == 1900


def test_5_6_2_two_spaces_left_and_the_bank_one_up() -> None:
    game = victorian("3")
    game.apply(TakeLoan(VR))
    assert game.company(VR).position == (1, 3)
    assert price_of(game, BOE) == 80


def test_5_6_3_one_a_round_five_a_company() -> None:
    game = victorian("3")
    game.apply(TakeLoan(VR))
    refused(game, TakeLoan(VR), "§5.6.3")
    game = victorian("3")
    game.company(VR).loans = 5
    refused(game, TakeLoan(VR), "§5.6.3")


def receivership(cash: int = 0, ann: int = 840) -> Game:
    """VR falls into receivership: Ann 60%, Bob 20%, Cid 10%, initial price 100."""
    game = new_game()
    started(game, "VR", {"@1": 4, "@2": 2, "@3": 1}, cash=cash, position=(1, 1))
    sell_privates(game, {})
    reach_phase(game, "3")
    operating(game, "VR", ("3",))
    set_cash(game, "@1", ann)
    game.state.money = sum(game.state.cash.values())
    game.apply(TakeLoan(VR))
    return game


def test_5_5_1_the_hatched_column_means_receivership_at_once() -> None:
    game = receivership()
    assert game.company(VR).closed
    assert game.state.special.receiverships == [VR]


def test_5_5_2_other_shareholders_get_the_initial_price_from_the_company_first() -> None:
    game = receivership(cash=300)
    assert (game.state.cash[BOB], game.state.cash[CID]) == (840 + 200, 840 + 100)
    assert game.state.cash[ANN] == 840


def test_5_5_3_then_from_the_director() -> None:
    game = receivership(cash=0)
    assert game.state.cash[ANN] == 840 - 200


def test_5_5_3_in_18xx_games_records_a_debtor_has_less_than_nothing_and_no_bank_lent_it() -> None:
    game = receivership(cash=0, ann=50)
    assert game.state.special.debts == {ANN: 150}
    told = snapshot(game, {seat.id: seat.name for seat in game.state.players}, DIALECTS["1848"])
    assert told["players"]["Ann"]["cash"] == -150
    assert told["bank"] == game.state.cash[BANK] + 150


def test_5_5_3_who_lacks_money_sells_shares_then_owes_it_and_pays_back_from_any_income() -> None:
    game = receivership(cash=0, ann=50)
    assert game.state.special.debts == {ANN: 150}
    assert game.state.cash[ANN] == 0
    assert net_worth(game, ANN) == -150
    game.state.money = sum(game.state.cash.values())
    from bot.engine.play.holdings.money import pay

    pay(game, BANK, ANN, 100, "test")
    assert game.state.special.debts == {ANN: 50}
    pay(game, BANK, ANN, 100, "test")
    assert game.state.special.debts == {}
    assert game.state.cash[ANN] == 50


def test_5_5_3_shares_are_sold_for_the_debt_and_no_directorship_changes_by_it() -> None:
    game = new_game()
    started(game, "VR", {"@1": 4, "@2": 2, "@3": 1}, cash=0, position=(1, 1))
    started(game, "NSW", {"@1": 3, "@2": 4})
    sell_privates(game, {})
    reach_phase(game, "3")
    operating(game, "VR")
    set_cash(game, "@1", 0)
    game.state.money = sum(game.state.cash.values())
    game.apply(TakeLoan(VR))
    assert game.players_to_act() == (ANN,)
    owed = game.state.special.debts[ANN]
    assert str(question(game)) == f"Ann: sell shares to pay the compensation (Ann lacks £{owed})."
    sales = [action for action in game.legal_actions() if isinstance(action, SellShares)]
    assert sales
    assert all(action.company == NSW for action in sales)
    game.apply(sales[0])
    assert president_of(game.company(NSW)) == ANN


def test_5_5_4_limits_fall_for_all_and_more_for_the_former_director() -> None:
    game = receivership()
    limit = TITLE.rules.certificate_limit
    assert (limit(game, ANN), limit(game, BOB)) == (16, 18)


def test_5_5_5_assets_go_tokens_stay_for_the_bank() -> None:
    game = receivership(cash=900)
    assert game.state.cash[VR] == 0
    assert game.state.trains_of(VR) == []
    assert list(game.state.board.cities_of(BOE)) == [("H11", 0)]


def test_5_4_4_the_second_and_fifth_remove_the_cheapest_permanent_train() -> None:
    game = new_game()
    started(game, "VR", {"@1": 4}, position=(1, 1))
    reach_phase(game, "3")
    game.state.special.receiverships = [SAR]
    operating(game, "VR")
    before = sum(train.family == "5" and train.owner == "depot" for train in game.state.trains)
    game.apply(TakeLoan(VR))
    assert sum(train.family == "5" and train.owner == "depot" for train in game.state.trains) == before - 1
    assert game.state.phase == "5"


@pytest.mark.parametrize("rules", ["rulebook", "18xx.games"])
def test_5_4_4_by_18xx_games_trains_are_given_up_in_the_next_companys_turn(rules: str) -> None:
    game = new_game(rules=rules)
    started(game, "VR", {"@1": 4}, position=(1, 1))
    started(game, "SAR", {"@2": 4}, director="@2", cash=0)
    reach_phase(game, "4")
    for _ in range(3):
        give_train(game, "SAR", "4")
    home(game, "SAR")
    game.state.special.receiverships = [NSW]
    operating(game, "VR")
    game.apply(TakeLoan(VR))
    assert game.state.phase == "5"
    if rules == "18xx.games":
        assert game.frame.entity == SAR
        while game.frame.plan != "discard":
            game.apply(next(action for action in game.legal_actions() if isinstance(action, Pass | RunRoutes)))
    assert game.players_to_act() == (BOB,)
    game.apply(DiscardTrain(SAR, "4"))
    assert len(game.state.trains_of(SAR)) == 2


def test_5_5_6_and_13_1_the_fifth_ends_the_game_after_the_set() -> None:
    game = new_game()
    started(game, "VR", {"@1": 4}, position=(1, 1))
    reach_phase(game, "3")
    game.state.special.receiverships = [SAR, NSW, COM, CAR]
    operating(game, "VR")
    game.apply(TakeLoan(VR))
    assert "receivership" in game.state.ending


# -- §5.3 COM -----------------------------------------------------------------------------------------


def test_5_3_5_the_first_6_launches_com() -> None:
    game = new_game()
    started(game, "COM", {"@1": 4}, cash=0, floated=False)
    launch(game, COM)
    assert not game.company(COM).floated
    reach_phase(game, "6")
    launch(game, COM)
    assert (game.company(COM).floated, game.state.cash[COM]) == (True, 1000)


def test_5_3_2_the_link_launches_com_tokens_do_not_block_it() -> None:
    game = new_game()
    started(game, "COM", {"@1": 4}, cash=0, floated=False)
    started(game, "SAR", {"@2": 4}, director="@2")
    reach_phase(game, "3")
    operating(game, "SAR")
    assert not game.board_rules.are_linked(game, HexId("F17"), HexId("G6"))
    lay(
        game,
        ("57", "G6", 1),
        ("9", "G8", 1),
        ("235", "G10", 1),
    )
    assert not game.state.special.is_linked


def test_5_3_6_com_lies_at_the_edge_of_a_full_city_until_it_grows() -> None:
    game = new_game()
    started(game, "COM", {"@1": 4})
    started(game, "NSW", {"@2": 4}, director="@2")
    home(game, "NSW")
    reach_phase(game, "6")
    operating(game, "COM", has_home=False, step=0)
    assert game.state.board.tokens_in(HexId("F17"), 0) == [NSW, COM]
    assert game.state.board.tokens_in(HexId("G6"), 0) == [COM]
    assert game.company(COM).tokens_left == (100, 100, 100)
    from bot.engine.board.track import Stop

    assert Stop(HexId("F17"), "c0") not in game.board_rules.blocked_stops(game, COM)


# -- §4 privates --------------------------------------------------------------------------------------


def test_4_1_companies_buy_p1_to_p4_from_their_director_from_the_first_3() -> None:
    game = new_game()
    started(game, "VR", {"@1": 4})
    sell_privates(game, {"P1": "@1", "P2": "@2", "P5": "@1"})
    operating(game, "VR")
    refused(game, BuyPrivate(VR, private("P1"), 40), "§4.1")
    reach_phase(game, "3")
    refused(game, BuyPrivate(VR, private("P1"), 41), "§4.1")
    refused(game, BuyPrivate(VR, private("P2"), 80), "§4.1")
    refused(game, BuyPrivate(VR, private("P5"), 100), "§4.1")
    game.apply(BuyPrivate(VR, private("P1"), 40))
    assert game.private(Owner("P1")).owner == VR
    assert game.state.cash[ANN] == 840 + 40


@pytest.mark.parametrize(("name", "span"), [("P1", (1, 40)), ("P2", (1, 80)), ("P3", (1, 140)), ("P4", (1, 220))])
def test_4_2_to_4_5_prices_for_companies(name: str, span: tuple[int, int]) -> None:
    assert TITLE.privates[private(name)].price_range == span


@pytest.mark.parametrize(
    ("name", "price", "income"),
    [("P1", 30, 5), ("P2", 70, 10), ("P3", 110, 15), ("P4", 170, 20), ("P5", 170, 25), ("P6", 230, 30)],
)
def test_4_the_summary_of_privates(name: str, price: int, income: int) -> None:
    noun = TITLE.privates[private(name)]
    assert (noun.price, noun.income) == (price, income)


def in_the_desert(owner: str, phase: str = "3") -> Game:
    """WA with track to the desert hex C2; P2 with this owner."""
    game = new_game()
    started(game, "WA", {"@1": 4})
    sell_privates(game, {"P2": owner})
    reach_phase(game, phase)
    return operating(game, "WA")


@pytest.mark.parametrize("owner", ["@1", "WA"])
def test_4_3_p2_pays_for_one_desert_hex(owner: str) -> None:
    game = in_the_desert(owner)
    lays = [action for action in game.legal_actions() if isinstance(action, LayTile) and action.using == "P2"]
    assert {action.hex for action in lays} == {"C2"}
    game.apply(lays[0])
    assert game.state.cash[Owner("WA")] == 1000
    assert game.private(Owner("P2")).ability_used


def test_4_3_without_the_right_the_desert_costs_40() -> None:
    game = in_the_desert("@2")
    refused(game, tile("9", "C2", 0, "WA", "P2"), "§4.3")
    desert = next(action for action in game.legal_actions() if isinstance(action, LayTile) and action.hex == "C2")
    game.apply(desert)
    assert game.state.cash[Owner("WA")] == 960


def test_4_3_the_right_survives_the_first_5() -> None:
    game = in_the_desert("@1", "5")
    game.private(Owner("P2")).closed = True
    assert any(isinstance(action, LayTile) and action.using == "P2" for action in game.legal_actions())


def tasmanian(owner: str) -> Game:
    game = new_game()
    started(game, "VR", {"@1": 4}, cash=2000)
    sell_privates(game, {"P3": owner})
    reach_phase(game, "3")
    return operating(game, "VR")


def test_4_4_the_tasmania_tile_is_laid_beside_the_normal_build() -> None:
    game = tasmanian("@1")
    lays = [action for action in game.legal_actions() if isinstance(action, LayTile) and action.tile == "241"]
    assert {action.hex for action in lays} == {"I8", "I10"}
    game.apply(lays[0])
    assert game.step.name == "lay track"  # type: ignore[union-attr]
    assert not [action for action in game.legal_actions() if isinstance(action, LayTile) and action.tile == "241"]


def test_4_4_at_the_first_5_the_owner_must_lay_it_at_once() -> None:
    game = tasmanian("@2")
    for train in game.state.trains:
        if train.family in ("3", "4"):
            rearrange(game, train, owner=REMOVED)
    game.frame.at = 7
    game.advance()
    game.apply(BuyTrain(VR, "5", 500))
    assert game.players_to_act() == (BOB,)
    choices = game.legal_actions()
    assert choices
    assert all(isinstance(action, LayTile) and action.tile == "241" for action in choices)
    game.apply(choices[0])
    assert game.players_to_act() == (ANN,)


def test_4_5_p4_takes_100_off_one_2e() -> None:
    game = new_game()
    started(game, "VR", {"@1": 4})
    sell_privates(game, {"P4": "@1"})
    game.private(Owner("P4")).closed = True
    reach_phase(game, "5")
    operating(game, "VR", step=7)
    refused(game, BuyTrain(VR, "2E", 200, using=private("P1")), "§4.5")
    game.apply(BuyTrain(VR, "2E", 100, using=private("P4")))
    assert game.state.cash[VR] == 900


def test_4_7_p6_closes_when_car_buys_a_train() -> None:
    game = new_game()
    started(game, "CAR", {"@1": 4})
    sell_privates(game, {"P6": "@1"})
    operating(game, "CAR", step=7)
    game.apply(BuyTrain(CAR, "2", 100))
    assert game.private(Owner("P6")).closed


def test_4_1_all_privates_close_with_the_first_5() -> None:
    game = new_game()
    started(game, "VR", {"@1": 4})
    sell_privates(game, {"P1": "@1", "P5": "@2"})
    reach_phase(game, "5")
    game.state.phase = "4"
    operating(game, "VR", step=7)
    game.apply(BuyTrain(VR, "5", 500))
    assert all(record.closed for record in game.state.privates.values())


# -- §13 ----------------------------------------------------------------------------------------------


def test_13_1_the_four_conditions() -> None:
    def ending(change: str) -> str:
        game = new_game()
        started(game, "VR", {"@1": 4})
        if change == "bank":
            game.state.cash[BANK] = 0
        if change == "price":
            from bot.engine.play.holdings.market import place_marker

            place_marker(game, VR, (0, 16))
        if change == "loans":
            game.state.special.loans_given = 16
        if change == "receivership":
            game.state.special.receiverships = [SAR] * 5
        detect_game_end(game, None)
        return game.state.ending

    assert ending("") == ""
    assert "bank" in ending("bank")
    assert "chart" in ending("price")
    assert "16 loans" in ending("loans")
    assert "receivership" in ending("receivership")


@pytest.mark.parametrize(
    ("rules", "money", "lent", "ends"),
    [
        ("rulebook", 0, 0, True),
        ("rulebook", 0, 10, True),
        ("18xx.games", 0, 0, False),
        ("18xx.games", -1, 0, True),
        ("18xx.games", -10, 10, False),
    ],
)
def test_13_1_the_bank_has_run_out(rules: str, money: int, lent: int, ends: bool) -> None:
    game = new_game(rules=rules)
    game.state.cash[BANK] = money
    game.state.special.debts["@1"] = lent
    detect_game_end(game, None)
    assert bool(game.state.ending) == ends


@pytest.mark.parametrize(
    ("met", "told"),
    [
        (["price"], "stock_market"),
        (["loans"], "stock_market"),
        (["receivership"], "closed_five"),
        (["receivership", "price"], "closed_five"),
        (["loans", "bank"], "stock_market"),
        (["bank", "price"], "bank"),
    ],
)
def test_13_1_the_reason_that_18xx_games_tells(met: list[str], told: str) -> None:
    """The condition that was met first; a bank that was broken stays so."""
    from bot.engine.play.holdings.market import place_marker

    game = new_game(rules="18xx.games")
    started(game, "VR", {"@1": 4})
    for condition in met:
        if condition == "bank":
            game.state.cash[BANK] = -1
        if condition == "price":
            place_marker(game, VR, (0, 16))
        if condition == "loans":
            game.state.special.loans_given = 16
        if condition == "receivership":
            game.state.special.receiverships = [SAR] * 5
        detect_game_end(game, None)
    game.state.cash[BANK] = 50
    game.state.finished = True
    found = snapshot(game, {player.id: player.id for player in game.state.players}, DIALECTS["1848"])
    assert (found["end_reason"], found["bank_broken"]) == (told, "bank" in met)


def test_13_1_broken_in_a_stock_round_one_more_set_is_played() -> None:
    game = new_game()
    started(game, "VR", {"@1": 4})
    stock_round(game)
    game.state.ending = "the bank has run out of money"
    for player in (ANN, BOB, CID):
        game.apply(Pass(player))
    assert not game.state.finished
    assert game.state.round.kind == "operating"


def test_13_2_cash_and_shares_nothing_else() -> None:
    game = new_game()
    started(game, "VR", {"@1": 4}, position=(1, 7), cash=5000)
    rearrange(game, game.company(BOE).certificates[0], owner=ANN)
    assert net_worth(game, ANN) == 840 + 6 * 130 + 70


def test_5_3_3_com_is_passed_over_when_a_company_below_it_makes_the_link() -> None:
    from bot.engine.state.state import OperatingRoundMemory
    from bot.titles.t1848.rounds import next_company

    def operated(is_linked: bool) -> list[str]:
        game = new_game()
        started(game, "COM", {"@1": 4}, position=(1, 6), cash=0, floated=False)
        started(game, "VR", {"@2": 4}, director="@2", position=(1, 5))
        operating(game, "VR")
        game.state.special.is_linked = is_linked
        launch(game, COM)
        game.state.flow = game.state.flow[:1]
        game.push("operating round", None, OperatingRoundMemory())
        game.frame.at = 2
        next_company(game)
        if game.frame.plan == "operating round":
            game.state.special.is_linked = True
            launch(game, COM)
            next_company(game)
        return [str(game.frame.entity), *(str(name) for name in game.state.flow[1].memory.done)]  # type: ignore[union-attr]

    assert operated(is_linked=True) == ["COM", "COM"]
    assert operated(is_linked=False) == ["VR", "COM", "VR"]


@pytest.mark.parametrize(("left", "is_broken"), [(1, False), (0, True), (-1, True)])
def test_13_1_the_bank_is_broken_when_it_has_nothing_left(left: int, is_broken: bool) -> None:
    game = new_game()
    game.state.cash[BANK] = left
    assert (BANK_BROKEN in end_conditions(game)) == is_broken

"""1867 by a second reader, who has read what is known of its rules and none of its code: box, auction, stock rounds, prices.

Cases are named after the sentences; the figures are worked out by hand."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, DEPOT, POOL, HexId, Owner
from bot.engine.play.game import Game
from tests.titles.builders_merging import (
    bid_for,
    cell,
    in_turn,
    named,
    new_game,
    offered,
    passes,
    place,
    price,
    reach_phase,
    sold,
    started,
    stock_turn,
)
from tests.titles.positions import act, cash, company, give_train, refused, set_cash

TITLE = "1867"
YELLOW = {"BO", "CS", "CV", "KP", "OP", "TN", "AE", "CA", "NO", "PM"}
GREEN = {"BBG", "LPS", "SLA", "TGB", "QLS", "THB"}
MAJORS = {"CNR", "CPR", "C&O", "GTR", "GWR", "ICR", "NTR", "NYC"}
PRIVATES = {"C&SL": 30, "NFB": 45, "MB": 60, "QB": 75, "SCT": 90}
COLUMN = [35, 40, 45, 50, 55, 60, 65, 70, 80, 90, 100, 110, 120, 135, 150, 165, 180, 200, 220, 245, 270, 300, 330, 360, 400, 440, 490, 540]  # fmt: skip


def stocks(phase: str = "2", player: str = "@1", players: int = 3, **options: str) -> Game:
    return stock_turn(reach_phase(sold(new_game(TITLE, players, **options)), phase), player)


def all_pass(game: Game) -> None:
    kind = game.state.round.kind
    while game.state.round.kind == kind:
        passes(game, 1)


def buys(kind: str, phase: str) -> Game:
    """CPR has bought the first train of this kind in a phase before it."""
    game = reach_phase(sold(new_game(TITLE)), phase)
    started(game, "CPR", {"@1": 3}, money=1200, tokens=[("D8", 0)])
    give_train(game, "CPR", "7")
    for train in [one for one in game.state.trains if one.owner == DEPOT and phase <= one.family < kind]:
        game.state.trains.remove(train)
    in_turn(game, "CPR", "trains")
    act(game, next(move for move in offered(game, f"CPR buy {kind} for")))
    return game


# -- frame ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "money", "limit"), [(2, 420, 21), (3, 420, 21), (4, 315, 16), (5, 252, 13), (6, 210, 11)])  # fmt: skip
def test_money_and_limits_by_number_of_players(players: int, money: int, limit: int) -> None:
    game = new_game(TITLE, players)
    assert [cash(game, player) for player in game.state.order] == [money] * players
    assert cash(game, BANK) == 15000 - players * money
    assert game.title.rules.certificate_limit(game, game.state.order[0]) == limit


@pytest.mark.parametrize("name", sorted(YELLOW | GREEN | MAJORS))
def test_a_minor_is_one_certificate_of_100_percent_a_major_20_and_eight_of_10(name: str) -> None:
    percents = [one.percent for one in new_game(TITLE).company(Owner(name)).certificates]
    assert percents == ([20, *[10] * 8] if name in MAJORS else [100])


@pytest.mark.parametrize(("phase", "minors", "majors"), [
    ("2", YELLOW, set()), ("3", YELLOW | GREEN, set()), ("4", YELLOW | GREEN, MAJORS),
])  # fmt: skip
def test_green_minors_enter_with_the_first_3_and_majors_start_from_the_first_4(
    phase: str, minors: set[str], majors: set[str]
) -> None:
    game = stocks(phase)
    assert (named(game, "bid"), named(game, "par")) == (minors, majors)
    for name in (GREEN | MAJORS) - minors - majors:
        refused(game, f"@1 par {name} 100" if name in MAJORS else f"@1 bid {name} 100", "")


def test_with_the_first_5_unowned_minors_are_removed() -> None:
    game = reach_phase(sold(new_game(TITLE)), "4")
    started(game, "BO", "@1", tokens=[("F8", 0)])
    give_train(game, "BO", "4")
    started(game, "CPR", {"@1": 3}, money=1000, tokens=[("D8", 0)])
    give_train(game, "CPR", "4")
    for train in [one for one in game.state.trains if one.owner == DEPOT and one.family == "4"]:
        game.state.trains.remove(train)
    in_turn(game, "CPR", "trains")
    act(game, "CPR buy 5 for 550")
    gone = {name for name in YELLOW | GREEN if game.company(Owner(name)).closed}
    assert gone == (YELLOW | GREEN) - {"BO"}
    assert not any(game.company(Owner(name)).closed for name in MAJORS)
    assert named(stock_turn(game, "@1"), "bid") == set()


@pytest.mark.parametrize("at", [(0, 8), (0, 12)])
def test_treasury_shares_cost_the_present_price_which_goes_to_the_company(at: tuple[int, int]) -> None:
    game = stocks("4")
    started(game, "CPR", {"@2": 3})
    place(game, "CPR", at)
    act(game, "@1 buy CPR")
    assert (cash(game, "@1"), cash(game, "CPR")) == (420 - COLUMN[at[1]], 200 + COLUMN[at[1]])


@pytest.mark.parametrize(("owned", "may"), [(5, True), (6, False)])
def test_a_player_holds_at_most_60_percent_of_a_major(owned: int, may: bool) -> None:
    game = stocks("4")
    started(game, "CPR", {"@1": owned})
    assert ("@1 buy CPR" in offered(game)) == may
    if not may:
        refused(game, "@1 buy CPR")


@pytest.mark.parametrize(("owned", "may"), [(6, True), (7, False)])
def test_with_two_players_the_limit_is_70_percent(owned: int, may: bool) -> None:
    game = stocks("4", players=2)
    started(game, "CPR", {"@1": owned})
    assert ("@1 buy CPR" in offered(game)) == may


@pytest.mark.parametrize(("pool", "sale", "may"), [(2, 3, True), (2, 4, False), (4, 1, True), (4, 2, False), (5, 1, False)])  # fmt: skip
def test_the_pool_holds_at_most_50_percent(pool: int, sale: int, may: bool) -> None:
    game = stocks("4", player="@2")
    started(game, "CPR", {"@1": 4, "@2": 6 - pool, POOL: pool})
    if may:
        act(game, f"@2 sell {sale} CPR")
        assert game.company(Owner("CPR")).percent_held_by(Owner(POOL)) == 10 * (pool + sale)
    else:
        refused(game, f"@2 sell {sale} CPR")


@pytest.mark.parametrize(("limit", "may"), [(16, True), (17, False)])
def test_minors_and_privates_count_for_the_certificate_limit(limit: int, may: bool) -> None:
    """Four players may hold 16; @1 holds `limit` - 1 certificates: two privates, two minors, shares of majors."""
    game = sold(new_game(TITLE, 4), NFB="@1", MB="@1")
    reach_phase(game, "4")
    for name in ("BO", "CS"):
        started(game, name, "@1")
    left = limit - 5
    for name in ("CPR", "CNR", "GTR", "NYC"):
        number = min(left, 5)
        if number:
            started(game, name, {"@1": number + 1})
        left -= number
    started(game, "ICR", {"@2": 3})
    stock_turn(game, "@1")
    assert game.title.rules.certificate_limit(game, game.state.order[0]) == 16
    assert ("@1 buy ICR" in offered(game)) == may


def test_at_the_start_cn_lies_on_toronto_and_neutrally_on_timmins_and_montreals_third_city() -> None:
    board = new_game(TITLE).state.board
    found = {(str(hex_id), city) for hex_id, city in board.cities_of(company("CN"))}
    assert ("F16", 0) in found and found <= {("F16", 0), ("D2", 0), ("L12", 2)}


@pytest.mark.parametrize(("place_", "may"), [("L12.0", True), ("L12.1", True), ("L12.2", False), ("F16.0", False), ("F16.1", True), ("D2", False)])  # fmt: skip
@pytest.mark.parametrize("phase", ["2", "3"])
def test_neutral_tokens_keep_places_until_the_first_3(place_: str, may: bool, phase: str) -> None:
    game = buys("3", "2") if phase == "3" else sold(new_game(TITLE))
    stock_turn(game, "@1")
    act(game, "@1 bid BO 100")
    if may or (phase == "3" and place_ != "F16.0"):
        act(game, f"BO token {place_}")
        assert [f"{hex_id}" for hex_id, _ in game.state.board.cities_of(company("BO"))] == [place_.split(".")[0]]
    else:
        refused(game, f"BO token {place_}")


@pytest.mark.parametrize(("phase", "may"), [("2", False), ("3", True)])
def test_m13_is_closed_until_the_first_3(phase: str, may: bool) -> None:
    game = buys("3", "2") if phase == "3" else sold(new_game(TITLE))
    started(game, "BO", "@1", tokens=[("N12", 0)])
    game.board_rules.lay(game.state.board, "57", HexId("N12"), 1)  # type: ignore[arg-type]
    in_turn(game, "BO", "track")
    laid = {move.split()[3] for move in offered(game, "BO lay")}
    assert ("M13" in laid) == may


# -- initial auction --------------------------------------------------------------------------------------


def auction(*moves: str, players: int = 3) -> Game:
    game = new_game(TITLE, players)
    act(game, *moves)
    return game


def reach_lot(lot: str) -> Game:
    """The privates before this one are bought for as little as possible by @1, @2, @3 in turn."""
    game = new_game(TITLE)
    for name in list(PRIVATES)[: list(PRIVATES).index(lot)]:
        act(game, f"{game.player_in_turn} bid {name} {PRIVATES[name] * 2 // 3}")
        passes(game, 2)
    return game


@pytest.mark.parametrize(("lot", "minimum", "revenue"), [("C&SL", 20, 10), ("NFB", 30, 15), ("MB", 40, 20), ("QB", 50, 25), ("SCT", 60, 30)])  # fmt: skip
def test_first_bids_and_revenue(lot: str, minimum: int, revenue: int) -> None:
    game = reach_lot(lot)
    player = game.player_in_turn
    refused(game, f"{player} bid {lot} {minimum - 5}")
    refused(game, f"{player} bid {lot} {minimum + 2}")
    others = [name for name in PRIVATES if name != lot]
    for other in others:
        refused(game, f"{player} bid {other} 100", "")
    act(game, f"{player} bid {lot} {minimum}")
    refused(game, f"{game.player_in_turn} bid {lot} {minimum}")
    refused(game, f"{game.player_in_turn} bid {lot} {minimum + 7}")
    act(game, f"{game.player_in_turn} bid {lot} {minimum + 5}")
    assert game.title.privates[lot].income == revenue  # type: ignore[index]
    assert game.title.privates[lot].price == PRIVATES[lot]  # type: ignore[index]


def test_before_a_bid_passing_only_declines_with_one_it_is_final() -> None:
    game = auction("@1 pass", "@2 bid C&SL 20")
    assert game.player_in_turn == "@3"
    act(game, "@3 pass")
    assert game.player_in_turn == "@1"
    act(game, "@1 bid C&SL 25")
    assert game.player_in_turn == "@2"
    act(game, "@2 pass")
    assert game.state.privates["C&SL"].owner == "@1" and cash(game, "@1") == 395  # type: ignore[index]
    assert game.player_in_turn == "@2"


def test_the_next_private_starts_left_of_the_winner() -> None:
    game = auction("@1 bid C&SL 20", "@2 bid C&SL 25", "@3 pass", "@1 pass")
    assert game.player_in_turn == "@3"
    refused(game, "@3 bid NFB 25")


@pytest.mark.parametrize(("rounds", "asked"), [(1, 15), (2, 10), (3, 5)])
def test_all_decline_lowers_by_5_and_the_first_who_bids_buys(rounds: int, asked: int) -> None:
    game = auction(*["@1 pass", "@2 pass", "@3 pass"] * rounds)
    assert game.player_in_turn == "@1"
    act(game, "@1 pass", f"@2 bid C&SL {asked}")
    assert game.state.privates["C&SL"].owner == "@2" and cash(game, "@2") == 420 - asked  # type: ignore[index]
    assert game.player_in_turn == "@3"


def test_at_0_the_first_in_turn_gets_it_for_nothing() -> None:
    game = auction(*["@1 pass", "@2 pass", "@3 pass"] * 4)
    assert game.state.privates["C&SL"].owner == "@1" and cash(game, "@1") == 420  # type: ignore[index]
    assert game.player_in_turn == "@2"


def test_who_cannot_pay_the_next_minimum_is_out() -> None:
    game = auction("@1 bid C&SL 420")
    assert game.state.privates["C&SL"].owner == "@1" and cash(game, "@1") == 0  # type: ignore[index]
    game = auction("@1 bid C&SL 415")
    assert game.player_in_turn == "@2"
    act(game, "@2 bid C&SL 420")
    assert game.state.privates["C&SL"].owner == "@2"  # type: ignore[index]


def test_the_first_stock_round_begins_left_of_the_last_winner() -> None:
    game = reach_lot("SCT")
    first = game.player_in_turn
    act(game, f"{first} bid SCT 60")
    passes(game, 2)
    order = [str(player) for player in game.state.order]
    assert game.state.round.kind == "stock"
    assert game.player_in_turn == order[(order.index(str(first)) + 1) % 3]


# -- stock round ------------------------------------------------------------------------------------------


def test_a_turn_sells_any_then_buys_one_and_ends() -> None:
    game = stocks("4")
    started(game, "CPR", {"@1": 4, "@2": 2})
    started(game, "CNR", {"@1": 3, "@2": 2})
    act(game, "@1 sell 1 CPR", "@1 sell 1 CNR", "@1 par GTR 70")
    refused(game, "@1 sell 1 CPR", "")
    act(game, "GTR token F8")
    assert game.player_in_turn == "@2"


def test_only_companies_that_have_operated_are_sold() -> None:
    game = stocks("4")
    started(game, "CPR", {"@1": 4}).operated = False
    refused(game, "@1 sell 1 CPR")
    game.company(Owner("CPR")).operated = True
    act(game, "@1 sell 1 CPR")


def test_who_sold_a_company_may_not_buy_it_again_this_round() -> None:
    game = stocks("4")
    started(game, "CPR", {"@1": 4})
    act(game, "@1 sell 1 CPR")
    refused(game, "@1 buy CPR")
    refused(game, "@1 buy CPR from pool")
    act(game, "@1 pass", "@2 buy CPR from pool", "@3 pass")
    refused(game, "@1 buy CPR")


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_presidents_sale_moves_the_price_one_step_a_sale_others_do_not(number: int) -> None:
    game = stocks("4")
    started(game, "CPR", {"@1": 5, "@2": 4})
    act(game, f"@1 sell {number} CPR")
    assert price(game, "CPR") == 90 and cash(game, "@1") == 420 + 100 * number
    game = stocks("4", player="@2")
    started(game, "CPR", {"@1": 5, "@2": 4})
    act(game, f"@2 sell {number} CPR")
    assert price(game, "CPR") == 100 and cash(game, "@2") == 420 + 100 * number


def test_each_sale_action_is_a_step() -> None:
    game = stocks("4")
    started(game, "CPR", {"@1": 5})
    act(game, "@1 sell 1 CPR", "@1 sell 1 CPR")
    assert price(game, "CPR") == 80 and cash(game, "@1") == 420 + 190


def test_at_the_left_end_a_sale_moves_nothing() -> None:
    game = stocks("4")
    started(game, "CPR", {"@1": 5})
    place(game, "CPR", (0, 0))
    act(game, "@1 sell 1 CPR")
    assert price(game, "CPR") == 35


def test_a_minors_certificate_is_never_sold() -> None:
    game = stocks("4")
    started(game, "BO", "@1")
    refused(game, "@1 sell 1 BO")
    refused(game, "@1 sell 2 BO", "")


@pytest.mark.parametrize(("bid", "may"), [(95, False), (99, False), (100, True), (102, False), (105, True), (420, True), (425, False)])  # fmt: skip
def test_a_minors_opening_bid(bid: int, may: bool) -> None:
    game = stocks()
    if may:
        act(game, f"@1 bid BO {bid}")
    else:
        refused(game, f"@1 bid BO {bid}")


@pytest.mark.parametrize(("rise", "may"), [(100, False), (104, False), (105, True), (107, False), (110, True)])
def test_a_rise_is_at_least_5_and_a_multiple_of_5(rise: int, may: bool) -> None:
    game = stocks()
    act(game, "@1 bid BO 100", "BO token D8")
    assert game.player_in_turn == "@2"
    if may:
        act(game, f"@2 bid BO {rise}")
        assert game.player_in_turn == "@3"
    else:
        refused(game, f"@2 bid BO {rise}")


PRICES = [(100, 50), (105, 50), (110, 55), (115, 55), (120, 60), (130, 65), (135, 65), (140, 70), (155, 70), (160, 80), (175, 80), (180, 90), (195, 90), (200, 100), (215, 100), (220, 110), (235, 110), (240, 120), (265, 120), (270, 135), (400, 135)]  # fmt: skip


@pytest.mark.parametrize(("bid", "at"), PRICES)
def test_a_minors_price_by_half_the_bid(bid: int, at: int) -> None:
    game = stocks()
    bid_for(game, "@1", "BO", bid, "D8")
    record = game.company(Owner("BO"))
    assert (price(game, "BO"), cash(game, "BO"), cash(game, "@1")) == (at, bid, 420 - bid)
    assert record.floated and record.certificates[0].owner == "@1"


def test_the_turn_goes_on_left_of_the_winner_and_passing_is_final() -> None:
    game = stocks()
    act(game, "@1 bid BO 100", "BO token D8", "@2 pass", "@3 bid BO 105", "@1 bid BO 110")
    assert game.player_in_turn == "@3"
    act(game, "@3 bid BO 115", "@1 pass")
    assert game.company(Owner("BO")).certificates[0].owner == "@3" and cash(game, "@3") == 305
    assert game.player_in_turn == "@1"
    assert [str(hex_id) for hex_id, _ in game.state.board.cities_of(company("BO"))] == ["D8"]


def test_who_cannot_pay_or_would_break_a_limit_is_out_of_the_auction() -> None:
    game = stocks()
    set_cash(game, "@2", 104)
    game.state.money = sum(game.state.cash.values())
    act(game, "@1 bid BO 100", "BO token D8")
    assert game.player_in_turn == "@3"
    game = stocks()
    set_cash(game, "@2", 105)
    act(game, "@1 bid BO 100", "BO token D8")
    assert game.player_in_turn == "@2"


def test_a_token_goes_to_any_city_without_any_token() -> None:
    game = stocks()
    bid_for(game, "@1", "BO", 100, "L12.0")
    act(game, "@2 bid CS 100")
    refused(game, "CS token L12.0")
    refused(game, "CS token H10", "")
    act(game, "CS token L12.1")


@pytest.mark.parametrize(("par", "may"), [(65, False), (70, True), (80, True), (90, True), (100, True), (110, True), (120, True), (135, True), (150, True), (165, True), (180, True), (200, True), (220, False), (75, False)])  # fmt: skip
def test_pars_of_majors(par: int, may: bool) -> None:
    game = stocks("4")
    if may:
        act(game, f"@1 par CPR {par}")
        assert cash(game, "CPR") == 2 * par and cash(game, "@1") == 420 - 2 * par
        assert game.company(Owner("CPR")).floated and price(game, "CPR") == par
        assert game.company(Owner("CPR")).percent_held_by(Owner("@1")) == 20
    else:
        refused(game, f"@1 par CPR {par}")


@pytest.mark.parametrize(("money", "may"), [(199, False), (200, True)])
def test_a_par_needs_twice_its_cash(money: int, may: bool) -> None:
    game = stocks("4")
    set_cash(game, "@1", money)
    assert ("@1 par CPR 100" in offered(game)) == may


def test_a_majors_home_is_free_in_an_unconnected_hex_without_a_token() -> None:
    game = stocks("4")
    started(game, "BO", "@2", tokens=[("D8", 0)])
    game.board_rules.lay(game.state.board, "57", HexId("E13"), 1)  # type: ignore[arg-type]
    game.board_changed()
    act(game, "@1 par CPR 100")
    places = {move.split()[2] for move in offered(game, "CPR token")}
    assert cash(game, "CPR") == 200
    assert "D8" not in places and not any(name.startswith("F16") for name in places)
    assert {"F8", "E13", "N12", "O7"} <= places
    act(game, "CPR token F8")
    assert cash(game, "CPR") == 200 and list(game.company(Owner("CPR")).tokens_left) == [20, 40]


def test_connected_hexes_are_no_home_while_an_unconnected_one_is_free() -> None:
    """57 on E17, turned to Buffalo, is connected."""
    game = stocks("4")
    game.board_rules.lay(game.state.board, "621", HexId("E17"), 2)  # type: ignore[arg-type]
    game.board_changed()
    act(game, "@1 par CPR 100")
    refused(game, "CPR token E17")
    act(game, "CPR token E15")


@pytest.mark.parametrize(("held", "after"), [({"@1": 4, "@2": 3, "@3": 3}, 110), ({"@1": 4, "@2": 3, "@3": 2}, 100), ({"@1": 4, "@2": 3, "@3": 2, POOL: 1}, 100)])  # fmt: skip
def test_a_major_wholly_in_players_hands_rises(held: dict[str, int], after: int) -> None:
    game = stocks("4")
    started(game, "CPR", held)
    started(game, "BO", "@1", 90)
    give_train(game, "CPR", "4")
    give_train(game, "BO", "4")
    all_pass(game)
    assert price(game, "CPR") == after and price(game, "BO") == 90


def test_priority_left_of_the_last_to_act() -> None:
    game = stocks("4")
    started(game, "CPR", {"@3": 3})
    act(game, "@1 pass", "@2 buy CPR", "@3 pass", "@1 pass", "@2 pass")
    assert game.state.priority == "@3"


# -- share price ------------------------------------------------------------------------------------------


def test_the_column_has_28_cells() -> None:
    market = new_game(TITLE).title.market
    assert [market.price((0, column)) for column, _ in enumerate(market.rows[0])] == COLUMN


def dividend(game: Game, name: str, revenue: int, how: str = "pay") -> Game:
    in_turn(game, name, "dividend" if name in MAJORS else "run", revenue=revenue)
    if name in MAJORS:
        act(game, f"{name} {how}")
    return game


@pytest.mark.parametrize(("at", "revenue", "after"), [
    (10, 100, 110), (10, 90, 100), (10, 190, 110), (10, 200, 110), (10, 10, 100), (27, 540, 540), (15, 170, 180), (0, 40, 40),
])  # fmt: skip
def test_a_major_rises_one_step_for_its_price_or_more(at: int, revenue: int, after: int) -> None:
    game = reach_phase(sold(new_game(TITLE)), "4")
    started(game, "CPR", {"@1": 4}, tokens=[("D8", 0)])
    place(game, "CPR", (0, at))
    give_train(game, "CPR", "4")
    dividend(game, "CPR", revenue)
    assert price(game, "CPR") == after


@pytest.mark.parametrize(("at", "after"), [(10, 90), (0, 35), (1, 35)])
def test_nothing_distributed_is_one_left(at: int, after: int) -> None:
    game = reach_phase(sold(new_game(TITLE)), "4")
    started(game, "CPR", {"@1": 4}, tokens=[("D8", 0)])
    place(game, "CPR", (0, at))
    give_train(game, "CPR", "4")
    dividend(game, "CPR", 120, "withhold")
    assert price(game, "CPR") == after and cash(game, "CPR") == 320


REVENUES = [(100, 50, 50), (110, 50, 60), (130, 60, 70), (90, 40, 50), (10, 0, 10), (210, 100, 110)]


@pytest.mark.parametrize(("revenue", "kept", "divided"), REVENUES)
def test_half_keeps_half_rounded_down_to_10(revenue: int, kept: int, divided: int) -> None:
    """@1 has 40%, the pool 10%, the treasury 50%, which the company is paid."""
    game = reach_phase(sold(new_game(TITLE)), "4")
    started(game, "CPR", {"@1": 4, POOL: 1}, tokens=[("D8", 0)])
    give_train(game, "CPR", "4")
    dividend(game, "CPR", revenue, "half")
    assert cash(game, "@1") == 420 + divided * 4 // 10
    assert cash(game, "CPR") == 200 + kept + divided * 5 // 10
    assert price(game, "CPR") == (110 if divided >= 100 else 100)


def test_treasury_shares_pay_the_company_pool_shares_nobody() -> None:
    game = reach_phase(sold(new_game(TITLE)), "4")
    started(game, "CPR", {"@1": 4, "@2": 1, POOL: 2}, tokens=[("D8", 0)])
    give_train(game, "CPR", "4")
    bank = cash(game, BANK)
    dividend(game, "CPR", 100)
    assert [cash(game, owner) for owner in ("@1", "@2", "CPR", BANK)] == [460, 430, 230, bank - 80]


# -- limits that bind --------------------------------------------------------------------------------------


def with_shares(number: int) -> Game:
    """Four players, who may have 16 certificates: @1 has so many, of four majors."""
    game = reach_phase(sold(new_game(TITLE, 4)), "4")
    for name in ("CPR", "CNR", "GTR", "NYC"):
        held = min(4, number)
        if held:
            started(game, name, {"@1": held + 1})
        number -= held
    return game


@pytest.mark.parametrize(("number", "may"), [(15, True), (16, False)])
def test_at_the_certificate_limit_no_minor_is_bid_for_and_no_major_begun(number: int, may: bool) -> None:
    game = with_shares(number)
    assert game.title.rules.certificate_limit(game, game.state.order[0]) == 16
    stock_turn(game, "@1")
    assert bool(offered(game, "@1 bid")) == bool(offered(game, "@1 par")) == may
    stock_turn(game, "@4")
    act(game, "@4 bid BO 100", "BO token E17")
    assert (game.player_in_turn == "@1") == may


def test_above_the_certificate_limit_a_player_must_sell_first() -> None:
    """16 shares and a minor."""
    game = with_shares(16)
    started(game, "BO", "@1")
    stock_turn(game, "@1")
    for move in ("@1 pass", "@1 bid CS 100", "@1 par ICR 70"):
        refused(game, move)
    act(game, "@1 sell 1 CPR")
    assert "@1 pass" in offered(game)


def crowded(*free: str) -> Game:
    """Every city but these, and Toronto where CN is, has a minor's token; Hamilton is connected with Buffalo."""
    game = reach_phase(sold(new_game(TITLE)), "4")
    game.board_rules.lay(game.state.board, "621", HexId("E17"), 2)  # type: ignore[arg-type]
    homes = [name for name in ("D2", "O7", "D8", "F8", "M9", "J12", "L12", "N12", "E13", "E15", "G15", "I15", "D16", "C17", "E17") if name not in free]  # fmt: skip
    for name, home in zip(sorted(YELLOW | GREEN), homes, strict=False):
        started(game, name, "@2", tokens=[(home, 0)])
    return stock_turn(game, "@1")


def test_connected_hexes_are_homes_of_majors_if_there_is_no_other() -> None:
    game = crowded("E17")
    act(game, "@1 par CPR 100")
    assert [str(hex_id) for hex_id, _ in game.state.board.cities_of(company("CPR"))] == ["E17"] or {
        move.split()[2] for move in offered(game, "CPR token")
    } == {"E17"}


def test_without_a_hex_no_major_starts() -> None:
    game = crowded()
    assert not offered(game, "@1 par")
    refused(game, "@1 par CPR 100")


# -- the grid as a variant -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("at", "paid", "withheld", "sold_", "full"), [
    ((4, 5), (4, 6), (4, 4), (5, 5), (3, 5)),
    ((4, 9), (3, 9), (4, 8), (4, 9), (3, 9)),
    ((4, 0), (4, 1), (5, 0), (5, 0), (4, 0)),
    ((0, 18), (0, 18), (0, 17), (1, 18), (0, 18)),
    ((0, 8), (0, 9), (0, 7), (1, 8), (1, 9)),
    ((3, 11), (2, 11), (3, 10), (3, 11), (2, 11)),
])  # fmt: skip
def test_the_grid_moves_majors(
    at: tuple[int, int],
    paid: tuple[int, int],
    withheld: tuple[int, int],
    sold_: tuple[int, int],
    full: tuple[int, int],
) -> None:
    for how, after in (("pay", paid), ("withhold", withheld)):
        game = reach_phase(sold(new_game(TITLE, variant="grid")), "4")
        started(game, "CPR", {"@1": 4}, tokens=[("D8", 0)])
        place(game, "CPR", at)
        give_train(game, "CPR", "4")
        dividend(game, "CPR", 540, how)
        assert cell(game, "CPR") == after
    game = stocks("4", variant="grid")
    started(game, "CPR", {"@1": 4})
    place(game, "CPR", at)
    act(game, "@1 sell 1 CPR")
    assert cell(game, "CPR") == sold_
    game = stocks("4", variant="grid")
    started(game, "CPR", {"@1": 4, "@2": 3, "@3": 3})
    place(game, "CPR", at)
    give_train(game, "CPR", "4")
    all_pass(game)
    assert cell(game, "CPR") == full

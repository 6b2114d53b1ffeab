"""1820 by a second reader of the rulebook: setting up, auctions, lobbies, floating (§4 to §6.4, §6.6)."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, IPO, Owner, as_private
from bot.engine.play.game import Game
from bot.engine.refusals import Rejected
from bot.engine.state.state import Round
from tests.titles import builders_1820 as e
from tests.titles.positions import act, cash, refused, set_cash
from tests.titles.rulebook.birmingham import legal

CHART = [
    ("yellow", 0, (5,)),
    ("green", 2, (5, 10)),
    ("blue", 5, (10, 20)),
    ("brown", 8, (10, 20)),
    ("red", 11, (20, 50)),
    ("gray", 14, (50,)),
]
"""The first column of each colour (from 0) and what may be floated there."""
PARS = {"yellow": (55, 60, 65, 71), "green": (78, 86, 95), "blue": (105, 116), "brown": (128,)}


def first_round(players: int = 3, seed: int = 1) -> tuple[Game, list[str], list[str]]:
    """A game in its cousin auction, the players in card order, the cousins."""
    game = Game.new(e.TITLE, e.NAMES[:players], {}, seed)
    return game, [str(one) for one in game.state.order], [str(one) for one in game.state.privates]


def in_stock(player: str = "@1", phase: str = "yellow", **company: object) -> Game:
    game = e.new_game()
    if company:
        e.floated(game, "LSR", **company)  # type: ignore[arg-type]
    e.lay(game, "G7", "150", 1)
    e.reach_phase(game, phase)
    return e.stock_turn(game, player)


def in_lobby(phase: str = "yellow", money: int = 3000, amount: int = 20) -> Game:
    """The first player's lobby is resolved."""
    game = e.new_game()
    e.reach_phase(game, phase)
    for seat in ("@1", "@2", "@3"):
        set_cash(game, seat, money)
    e.stock_turn(game)
    act(game, f"@1 fund {amount}", "@2 pass", "@3 pass", "@1 pass")
    return game


def winners(game: Game, order: list[str]) -> dict[str, str]:
    """Who has each cousin when everybody passes now."""
    while game.frame.plan == "cousin auction":
        act(game, f"{game.players_to_act()[0]} pass")
    while game.frame.plan == "cousin payment":
        act(game, f"{game.players_to_act()[0]} done")
    return {str(one.id): str(one.owner) for one in game.state.privates.values() if one.owner}


# -- 4, 5, 6.2 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_4_ten_pounds_a_point_of_the_card_and_800_of_income(players: int) -> None:
    game, order, cousins = first_round(players)
    assert [cash(game, one) for one in order] == [800 + 10 * number for number in range(1, players + 1)]
    assert len(cousins) == 4
    assert game.players_to_act() == (order[0],), "card 1 begins (§6.3.1)"


@pytest.mark.parametrize("players", [1, 6])
def test_4_two_to_five_players(players: int) -> None:
    with pytest.raises(Rejected):
        Game.new(e.TITLE, "abcdef"[:players], {}, 1)


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5])
def test_4_one_cousin_of_each_colour(seed: int) -> None:
    colours = {
        "GWS": "blue",
        "SDS": "blue",
        "CBV": "brown",
        "RSCF": "brown",
        "BI": "green",
        "GLCC": "green",
        "JL": "green",
        "JH": "red",
        "VF": "red",
    }
    assert sorted(colours[one] for one in first_round(3, seed)[2]) == ["blue", "brown", "green", "red"]


@pytest.mark.parametrize(
    ("cousin", "price"),
    [
        ("GWS", 120),
        ("SDS", 130),
        ("CBV", 120),
        ("RSCF", 130),
        ("BI", 120),
        ("GLCC", 130),
        ("JL", 120),
        ("JH", 130),
        ("VF", 120),
    ],
)
def test_14_prices_of_cousins(cousin: str, price: int) -> None:
    assert e.COUSINS[as_private(cousin)].price == price


# -- 6.3 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bid", [10, 25, 0])
def test_6_3_2_bids_for_cousins_are_tens_from_20(bid: int) -> None:
    game, order, cousins = first_round()
    refused(game, f"{order[0]} bid {cousins[0]} {bid}", "6.3.2")


def test_6_3_2_a_larger_bid_returns_the_one_before() -> None:
    game, order, cousins = first_round()  # the first player has £810
    act(game, f"{order[0]} bid {cousins[0]} 500")
    refused(game, f"{order[1]} bid {cousins[0]} 500", "6.3.2")
    act(game, f"{order[1]} bid {cousins[0]} 510", f"{order[2]} pass")
    act(game, f"{order[0]} bid {cousins[1]} 810")


def test_6_3_2_bid_money_lies_on_the_card() -> None:
    game, order, cousins = first_round()
    act(game, f"{order[0]} bid {cousins[0]} 500", f"{order[1]} pass", f"{order[2]} pass")
    refused(game, f"{order[0]} bid {cousins[1]} 320", "6.3")
    act(game, f"{order[0]} bid {cousins[1]} 310")


def test_6_3_2_a_bid_on_the_fourth_must_beat_the_smallest_and_returns_it() -> None:
    game, order, cousins = first_round()
    act(game, f"{order[0]} bid {cousins[0]} 30", f"{order[1]} bid {cousins[1]} 40", f"{order[2]} bid {cousins[2]} 50")
    refused(game, f"{order[0]} bid {cousins[3]} 30", "6.3.2")
    act(game, f"{order[0]} bid {cousins[3]} 40")
    assert winners(game, order) == {cousins[1]: order[1], cousins[2]: order[2], cousins[3]: order[0]}


def test_6_3_1_of_tied_smallest_bids_all_are_returned() -> None:
    game, order, cousins = first_round()
    act(game, f"{order[0]} bid {cousins[0]} 30", f"{order[1]} bid {cousins[1]} 30", f"{order[2]} bid {cousins[2]} 50")
    act(game, f"{order[0]} bid {cousins[3]} 40")
    assert winners(game, order) == {cousins[2]: order[2], cousins[3]: order[0]}


def test_6_3_1_who_passes_may_bid_later() -> None:
    game, order, cousins = first_round()
    act(
        game,
        f"{order[0]} pass",
        f"{order[1]} bid {cousins[0]} 20",
        f"{order[2]} pass",
        f"{order[0]} bid {cousins[0]} 30",
    )


@pytest.mark.parametrize(("bid", "over", "treasury"), [(20, 0, 0), (200, 0, 0), (20, 90, 0)])
def test_6_3_3_the_treasury_is_the_difference_either_way(bid: int, over: int, treasury: int) -> None:
    game, order, cousins = first_round()
    cousin = cousins[0]
    marked = game.private(Owner(cousin)).price
    act(game, f"{order[0]} bid {cousin} {bid}", *(f"{order[seat]} pass" for seat in (1, 2, 0)))
    act(game, f"{order[0]} overpay {cousin} {over}" if over else f"{order[0]} done")
    paid = over or bid
    assert cash(game, order[0]) == 810 - paid
    assert cash(game, cousin) == abs(marked - paid) + treasury


def test_6_3_3_the_rest_goes_at_the_lowest_winning_bid_to_the_poorest_first() -> None:
    game, order, cousins = first_round()
    act(game, f"{order[0]} bid {cousins[0]} 50", f"{order[1]} bid {cousins[1]} 30", f"{order[2]} pass")
    act(game, f"{order[0]} pass", f"{order[1]} pass")
    while game.frame.plan == "cousin payment":
        act(game, f"{game.players_to_act()[0]} done")
    # 760, 790, 830 are left
    assert game.players_to_act() == (order[0],)
    refused(game, f"{order[0]} buy {cousins[2]} for 20", "6.3.3")
    act(game, f"{order[0]} buy {cousins[2]} for 30")
    assert cash(game, cousins[2]) == game.private(Owner(cousins[2])).price - 30


def test_6_3_3_without_any_bid_all_are_discarded() -> None:
    game, order, cousins = first_round()
    act(game, *(f"{one} pass" for one in order))
    assert all(game.private(Owner(one)).closed for one in cousins if one in game.state.privates)
    assert game.frame.plan == "future trains"


# -- 6.4 ----------------------------------------------------------------------------------------------


def future_auction() -> tuple[Game, list[str]]:
    game, order, _ = first_round()
    act(game, *(f"{one} pass" for one in order))
    return game, order


def test_6_4_1_the_first_round_sells_a_yellow_and_a_green_train() -> None:
    game, order = future_auction()
    assert legal(game, f"{order[0]} bid") == [f"{order[0]} bid 2+ 20", f"{order[0]} bid 3+ 20"]


@pytest.mark.parametrize("bid", [10, 25])
def test_6_4_2_bids_are_tens_from_20(bid: int) -> None:
    game, order = future_auction()
    refused(game, f"{order[0]} bid 3+ {bid}", "6.4.2")


def test_6_4_2_the_first_bids_come_out_of_the_second_income() -> None:
    game, order = future_auction()
    act(game, f"{order[1]} bid 3+ 40", f"{order[0]} pass", f"{order[2]} pass", f"{order[1]} take 2+ 3+")
    assert cash(game, order[1]) == 820
    e.floated(game, "LSR", held={order[0]: 2}, money=0)
    e.give_trains(game, "LSR", "2+")
    game.state.round = Round("issue", 1, 2, 2)
    game.state.flow = game.state.flow[:1]
    game.state.flow[0].at = 5  # the last issue and takeover round is over
    game.advance()
    assert game.state.round.number == 2
    assert [cash(game, one) for one in order] == [810 + 800, 820 + 800 - 80, 830 + 800]


def test_6_4_2_who_takes_one_leaves_the_other_to_a_new_auction() -> None:
    game, order = future_auction()
    act(game, f"{order[1]} bid 3+ 40", f"{order[0]} pass", f"{order[2]} pass", f"{order[1]} take 2+")
    assert game.frame.plan == "future trains"
    act(game, f"{order[1]} bid 3+ 20")


# -- 6.5.2.1 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("amount", [10, 25, 1010])
def test_6_5_2_1_lobbies_are_tens_from_20_out_of_ones_cash(amount: int) -> None:
    refused(in_stock(), f"@1 fund {amount}", "")


def test_6_5_2_1_amounts_are_unique_and_a_raise_frees_one() -> None:
    game = in_stock()
    act(game, "@1 fund 20")
    refused(game, "@2 fund 20", "6.5.2.1")
    act(game, "@2 fund 20 to 40")
    assert (cash(game, "@1"), cash(game, "@2")) == (980, 980), "others may add to a lobby"
    act(game, "@3 fund 20")


def test_6_6_1_lobbies_are_resolved_from_the_dearest_and_their_money_goes_to_the_bank() -> None:
    game = in_stock()
    bank = cash(game, BANK)
    act(game, "@1 fund 20", "@2 fund 60", "@3 fund 40", "@1 pass", "@2 pass", "@3 pass")
    order = []
    while game.frame.plan == "lobby":
        order.append(str(game.players_to_act()[0]))
        act(game, f"{game.players_to_act()[0]} pass")
    assert order == ["@2", "@3", "@1"]
    assert cash(game, BANK) == bank + 120


def test_6_5_1_after_the_lobbies_no_lobby_and_no_larger_share_count() -> None:
    game = e.new_game()
    e.floated(game, "LSR")
    e.stock_turn(game, resolved=True)
    refused(game, "@1 fund 20", "6.5.1")
    refused(game, "LSR increase 10 to @1:2", "6.5.1")


# -- 6.6.2 --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("phase", "column", "sizes"), CHART)
def test_10_5_share_counts_for_floating(phase: str, column: int, sizes: tuple[int, ...]) -> None:
    game = in_lobby(phase)
    for shares in (5, 10, 20, 50):
        needed = shares * 2 // 5
        move = f"@1 float LSR {shares} at 71 on G7=150/1 to @1:{needed}"
        if shares in sizes:
            assert game.allows(e.action(move)), move
        else:
            refused(game, move, "")


@pytest.mark.parametrize("phase", ["yellow", "green", "blue", "brown", "red", "gray"])
def test_16_1_par_prices_by_phase(phase: str) -> None:
    game = in_lobby(phase)
    colours = ["yellow", "green", "blue", "brown"]
    reached = colours[: colours.index(phase) + 1] if phase in colours else colours
    size = {"yellow": 5, "green": 10, "blue": 10, "brown": 10, "red": 20, "gray": 50}[phase]
    for colour, prices in PARS.items():
        for price in prices:
            move = f"@1 float LSR {size} at {price} on G7=150/1 to @1:{size * 2 // 5}"
            if size == 50:
                move = f"@1 float LSR {size} at {price} on G7=150/1 to @1:20"
            assert game.allows(e.action(move)) == (colour in reached), (phase, price)


def test_6_6_2_forty_percent_are_paid_into_the_treasury_and_the_tile_is_free() -> None:
    game = in_lobby()
    act(game, "@1 float LSR 5 at 71 on B6=57/1 to @1:2")  # Preston lies on a river of £40
    assert cash(game, "@1") == 3000 - 20 - 142
    assert cash(game, "LSR") == 142
    assert e.price(game) == 71
    assert [e.company(game).count_of(Owner(one)) for one in ("@1", IPO)] == [2, 3]
    assert len(e.company(game).tokens_left) == 1


@pytest.mark.parametrize("buyers", ["@1:1", "@2:1"])
def test_6_6_2_less_than_forty_percent_fails(buyers: str) -> None:
    refused(in_lobby(), f"@1 float LSR 5 at 71 on G7=150/1 to {buyers}", "")


@pytest.mark.parametrize(
    ("second", "fee"), [("G11=57/1", 160), ("D10=802/1", 240), ("C11=802/1", 320), ("K15=57/1", 480)]
)
def test_6_6_2_two_stations_cost_80_a_hexagon_edge(second: str, fee: int) -> None:
    game = in_lobby()
    act(game, f"@1 float LSR 5 at 55 on G7=150/1 {second} to @1:2")
    assert cash(game, "@1") == 3000 - 20 - 110 - fee
    assert cash(game, "LSR") == 110
    assert e.company(game).tokens_left == ()


@pytest.mark.parametrize("place", ["M13", "G7=150/1 G7=150/1", "J2", "G9=150/1 G7=150/1"])
def test_6_6_2_not_in_london_nor_twice_in_a_hexagon_nor_beside_another_city(place: str) -> None:
    game = in_lobby()
    refused(game, f"@1 float LSR 5 at 55 on {place} to @1:2", "")


def test_6_6_2_others_who_buy_must_agree() -> None:
    game = in_lobby()
    act(game, "@1 float LSR 5 at 55 on G7=150/1 to @1:1 @2:1")
    assert game.players_to_act() == (e.BOB,)
    act(game, "@2 refuse")
    assert e.company(game).position is None
    assert cash(game, "@1") == 2980
    assert game.frame.plan == "lobby", "the marker came back: he may try again"

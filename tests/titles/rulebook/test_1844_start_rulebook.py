"""1844 §§III-IX read a second time: the auction, privates, what companies are made of."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK, POOL, Owner
from bot.engine.play.game import Game
from bot.engine.state.state import Frame, OperatingRoundMemory
from tests.titles.builders_1844 import new_game, operating, reach_phase, sell_privates, started, stock_round
from tests.titles.positions import act, cash, refused, set_cash

CAPITAL = {3: 800, 4: 620, 5: 510, 6: 440, 7: 400}


def begin_operating_round(game: Game) -> Game:
    """The very beginning of an operating round."""
    game.state.flow = [Frame("game", None, 3), Frame("operating round", None, 0, memory=OperatingRoundMemory())]
    game.state.money = sum(game.state.cash.values())
    game.advance()
    return game


@pytest.mark.parametrize(("players", "capital"), CAPITAL.items())
def test_iii_capital_and_what_is_left_of_12000(players: int, capital: int) -> None:
    game = new_game(players)
    assert {cash(game, player) for player in game.state.order} == {capital}
    assert cash(game, BANK) == 12_000 - players * capital


# -- §IV ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("price", "may"), [(15, False), (19, False), (20, True), (23, True), (100, True)])
def test_iv_the_first_bid_is_the_face_value_or_more(price: int, may: bool) -> None:
    game = new_game()
    if may:
        act(game, f"@1 bid P1 {price}")
    else:
        refused(game, f"@1 bid P1 {price}", "IV")


@pytest.mark.parametrize(("price", "may"), [(20, False), (24, False), (25, True), (31, True)])
def test_iv_a_bid_is_overbid_by_5_or_more(price: int, may: bool) -> None:
    game = new_game()
    act(game, "@1 bid P1 20")
    if may:
        act(game, f"@2 bid P1 {price}")
    else:
        refused(game, f"@2 bid P1 {price}", "IV")


def test_iv_who_has_passed_is_out_of_it_and_the_winner_pays_the_bank() -> None:
    game = new_game()
    act(game, "@1 bid P1 20", "@2 pass", "@3 bid P1 25", "@1 bid P1 30")
    assert game.players_to_act() == ("@3",)
    act(game, "@3 pass")
    assert (cash(game, "@1"), cash(game, BANK)) == (770, 9630)
    assert game.private(Owner("P1")).owner == "@1"
    assert game.players_to_act() == ("@2",)


def test_iv_other_lots_wait() -> None:
    refused(new_game(), "@1 bid P2 50", "")


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_iv_nobody_wants_p1_and_it_becomes_cheaper_by_5(rounds: int) -> None:
    game = new_game()
    act(game, *[f"@{number} pass" for _ in range(rounds) for number in (1, 2, 3)])
    refused(game, f"@1 bid P1 {20 - 5 * rounds - 1}", "")
    act(game, f"@1 bid P1 {20 - 5 * rounds}", "@2 pass", "@3 pass")
    assert cash(game, "@1") == 800 - 20 + 5 * rounds


def test_iv_p1_for_nothing_must_be_taken() -> None:
    game = new_game()
    act(game, *[f"@{number} pass" for _ in range(4) for number in (1, 2, 3)])
    assert (game.private(Owner("P1")).owner, cash(game, "@1"), game.players_to_act()) == ("@1", 800, ("@2",))


def sell_all(game: Game, par: int = 100) -> Game:
    """Everybody buys what he opens, at the face value; the FNM gets its price."""
    players = len(game.state.order)
    for index, price in enumerate((20, 50, 80, 110, 140, 160, 100)):
        opener = index % players + 1
        act(game, f"@{opener} bid P{index + 1} {price}")
        while game.state.special.bidder is not None and game.private(Owner(f"P{index + 1}")).owner is None:
            act(game, f"{game.players_to_act()[0]} pass")
        if index == 5:
            act(game, f"@{opener} par FNM {par}")
    return game


@pytest.mark.parametrize("players", [3, 5, 7])
def test_iv_the_openers_follow_in_turn_and_begin_again(players: int) -> None:
    game = sell_all(new_game(players))
    owners = [game.private(Owner(f"P{number}")).owner for number in range(1, 8)]
    assert owners == [f"@{index % players + 1}" for index in range(7)]


def test_iv_then_the_poorest_begins() -> None:
    game = sell_all(new_game(7))
    assert game.state.order == ["@6", "@5", "@4", "@7", "@3", "@2", "@1"]
    assert game.players_to_act() == ("@6",)


def test_iv_and_v_what_comes_with_p3_p5_p6() -> None:
    game = sell_all(new_game(7), 80)
    fnm = game.company(Owner("FNM"))
    assert [game.private(Owner(f"T{number}")).owner for number in range(1, 6)].count(Owner("@3")) == 1
    assert game.company(Owner("MOB")).percent_held_by(Owner("@5")) == 10
    assert (fnm.percent_held_by(Owner("@6")), fnm.percent_held_by(POOL), fnm.floated) == (20, 30, True)
    assert (cash(game, "FNM"), cash(game, "@6")) == (400, 400 - 160)


def test_iv_all_pass_on_p2_the_sold_ones_pay_and_it_goes_on() -> None:
    game = new_game()
    act(game, "@1 bid P1 20", "@2 pass", "@3 pass", "@2 pass", "@3 pass", "@1 pass")
    assert cash(game, "@1") == 785
    assert game.state.special.auctioned == "P2"


# -- §V -----------------------------------------------------------------------------------------------

INCOME = {"P1": 5, "P2": 10, "P3": 15, "P4": 20, "P5": 25, "P6": 30, "P7": 0}


@pytest.mark.parametrize(("name", "income"), INCOME.items())
def test_v_income_at_the_beginning_of_an_operating_round(name: str, income: int) -> None:
    game = new_game()
    sell_privates(game, {name: "@2"})
    started(game, "BLS", {"@1": 3})
    begin_operating_round(game)
    assert cash(game, "@2") == 800 + income


def buyer(name: str, private: str, phase: str = "3", owner: str = "@1") -> Game:
    """A company directed by Ann, with 500, that may buy a private."""
    game = new_game()
    sell_privates(game, {private: owner})
    reach_phase(game, phase)
    started(game, name, {"@1": 1})
    return operating(game, name)


MOST = {"P1": 40, "P2": 100, "P3": 160, "P4": 220, "P5": 280}


@pytest.mark.parametrize("company", ["BLS", "JN"])
@pytest.mark.parametrize(("name", "price"), [(name, price) for name, most in MOST.items() for price in (1, most)])
def test_v_the_ends_of_the_range(name: str, price: int, company: str) -> None:
    game = buyer(company, name)
    act(game, f"{company} buy {name} for {price}")
    assert (cash(game, company), cash(game, "@1")) == (500 - price, 800 + price)


@pytest.mark.parametrize(("name", "price"), [(name, price) for name, most in MOST.items() for price in (0, most + 1)])
def test_v_beyond_the_range(name: str, price: int) -> None:
    refused(buyer("BLS", name), f"BLS buy {name} for {price}", "V")


@pytest.mark.parametrize(
    ("company", "name", "phase", "owner"),
    [
        ("BLS", "P6", "3", "@1"),
        ("BLS", "P7", "3", "@1"),
        ("NOB", "P1", "3", "@1"),
        ("BLS", "P1", "2", "@1"),
        ("BLS", "P1", "3", "@2"),
    ],
)
def test_v_who_may_not_buy_what(company: str, name: str, phase: str, owner: str) -> None:
    refused(buyer(company, name, phase, owner), f"{company} buy {name} for 40", "")


def test_v_the_first_5_closes_the_privates() -> None:
    game = new_game()
    sell_privates(game, {"P1": "@1", "P2": "@2", "P5": "@3"})
    started(game, "BLS", {"@1": 3})
    reach_phase(game, "5")
    game.state.phase = "4"
    operating(game, "BLS", step=6)
    act(game, "BLS buy 5 for 450")
    assert all(game.private(Owner(name)).closed for name in ("P1", "P2", "P5"))


# -- §§VI, VII ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lot", "price"), [("B1", 150), ("T1", 50)])
def test_vi_and_vii_price_and_one_a_round(lot: str, price: int) -> None:
    game = stock_round(new_game())
    moves = [str(action.private) for action in game.legal_actions() if getattr(action, "private", None)]
    assert lot in moves
    act(game, f"@1 buy {lot} for {price}")
    assert cash(game, "@1") == 800 - price


@pytest.mark.parametrize(("name", "income"), [("B2", 40), ("T2", 10)])
@pytest.mark.parametrize("active", [True, False])
def test_vi_and_vii_dividends_only_once_visited(name: str, income: int, active: bool) -> None:
    game = new_game()
    sell_privates(game, {name: "@2"})
    started(game, "BLS", {"@1": 3})
    game.state.special.active = [name] if active else []
    begin_operating_round(game)
    assert cash(game, "@2") == 800 + (income if active else 0)


# -- §§VIII-XI ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["NOB", "SCB", "VSB", "JS", "GB"])
def test_viii_pre_sbb_companies(name: str) -> None:
    record = new_game().company(Owner(name))
    assert ([certificate.percent for certificate in record.certificates], len(record.tokens_left)) == ([50, 25, 25], 2)


@pytest.mark.parametrize("name", ["JN", "ChA", "VZ"])
def test_viii_regional_companies(name: str) -> None:
    record = new_game().company(Owner(name))
    assert [certificate.percent for certificate in record.certificates] == [40, 20, 20, 20]
    assert record.tokens_left == (0, 40, 100)


KINDS = {"NOB": (1, 2), "JN": (2, 5), "BLS": (4, 5)}


@pytest.mark.parametrize("par", [60, 70, 80, 90, 100])
@pytest.mark.parametrize("name", KINDS)
def test_iv_and_ix_to_xi_half_the_shares_launch_with_the_capital(name: str, par: int) -> None:
    game = stock_round(new_game())
    act(game, f"@1 par {name} {par}")
    assert cash(game, "@1") == 800 - 2 * par
    bought, capital = KINDS[name][0] - 1, KINDS[name][1] * par
    for number in range(bought):
        assert not game.company(Owner(name)).floated
        act(game, f"@{(number + 1) % 3 + 1} buy {name}")
    assert (game.company(Owner(name)).floated, cash(game, name)) == (True, capital)


@pytest.mark.parametrize(("par", "markers"), [(60, 1), (70, 2), (80, 3), (90, 4), (100, 5)])
def test_xvi_markers_of_a_large_company_by_its_issue_price(par: int, markers: int) -> None:
    game = stock_round(new_game())
    act(game, f"@1 par BLS {par}", "@2 buy BLS", "@3 buy BLS", "@1 buy BLS")
    assert len(game.company(Owner("BLS")).tokens_left) == markers


@pytest.mark.parametrize(("name", "factor"), [("BLS", 10), ("JN", 5)])
def test_viii_from_the_first_6_all_the_capital_at_once(name: str, factor: int) -> None:
    game = new_game()
    reach_phase(game, "6")
    stock_round(game)
    act(game, f"@1 par {name} 80", f"@2 buy {name}")
    if name == "BLS":
        act(game, "@3 buy BLS", "@1 buy BLS")
    assert cash(game, name) == factor * 80


@pytest.mark.parametrize("price", [50, 65, 110])
def test_xxii_no_other_issue_price(price: int) -> None:
    refused(stock_round(new_game()), f"@1 par BLS {price}", "")


def test_xxii_the_sbb_is_not_for_sale_before_it_forms() -> None:
    refused(stock_round(new_game()), "@1 par SBB 100", "")


def test_xxii_money_is_needed() -> None:
    game = new_game()
    set_cash(game, "@1", 199)
    refused(stock_round(game), "@1 par BLS 100", "")

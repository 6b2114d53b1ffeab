"""1848 where two of its rules meet: receivership and what a company owned, loans of two kinds, COM and its price, the end."""

from __future__ import annotations

import pytest

from bot.engine.ids import Owner
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import price_of
from bot.engine.state.actions import TakeLoan
from bot.titles.t1848.rounds import launch
from tests.rearrangement import rearrange
from tests.titles.builders_1848 import (
    TITLE,
    give_train,
    new_game,
    operating,
    reach_phase,
    sell_privates,
    started,
    stock_round,
)
from tests.titles.positions import act, cash, company, lay, refused, set_cash

SMALL = (("57", "H11", 1), ("57", "H9", 1))
"""Melbourne and the next city: VR has a route."""


def priced(game: Game, name: str) -> int:
    """The company's price on the chart."""
    return price_of(game, company(name))


# -- §5.5: what is left of a company in receivership ---------------------------------------------------


def falling(name: str = "VR", **privates: str) -> Game:
    """Ann's company stands before receivership: one loan and it falls."""
    game = new_game()
    sell_privates(game, privates)
    started(game, name, {"@1": 4}, position=(1, 1), cash=0)
    reach_phase(game, "3")
    return operating(game, name)


def test_5_4_4_9_5_and_4_1_the_second_receivership_in_phase_4_begins_phase_5() -> None:
    """Privates close and the train limit falls to 2."""
    game = falling(P1="@3")
    started(game, "QR", {"@2": 4}, director="@2")
    reach_phase(game, "5")
    game.state.phase = "4"
    game.state.special.receiverships = ["SAR"]
    for kind in ("4", "4", "4"):
        give_train(game, "QR", kind)
    game.apply(TakeLoan(company("VR")))
    assert (game.state.phase, game.state.privates["P1"].closed) == ("5", True)
    act(game, "QR discard 4")
    assert len(game.state.trains_of(Owner("QR"))) == 2


@pytest.mark.parametrize("sign", ["P1", "P2", "P3", "P4"])
def test_5_5_5_a_private_of_the_company_is_gone_with_it(sign: str) -> None:
    game = falling(**{sign: "VR"})
    act(game, "VR loan")
    record = game.state.privates[sign]
    assert record.closed or record.owner not in ("VR", "@1", "@2", "@3")


def test_5_5_4_who_directed_two_loses_twice_as_much_again() -> None:
    """Three players, two receiverships: 16 for all, 12 for their director."""
    game = falling()
    started(game, "SAR", {"@1": 4}, position=(1, 1), cash=0)
    act(game, "VR loan")
    operating(game, "SAR")
    act(game, "SAR loan")
    limits = [TITLE.rules.certificate_limit(game, player) for player in game.state.order]
    assert limits == [12, 16, 16]


def test_5_5_3_and_12_4_2_shares_of_the_bank_of_england_pay_the_compensation_too() -> None:
    game = falling()
    record = game.company(Owner("VR"))
    for certificate in record.certificates[3:5]:
        rearrange(game, certificate, owner=Owner("@2"))
    rearrange(game, game.company(Owner("BOE")).certificates[0], owner=Owner("@1"))
    set_cash(game, "@1", 0)
    game.state.money = sum(game.state.cash.values())
    act(game, "VR loan", "@1 sell 1 BOE")
    assert cash(game, "@1") == 0
    assert cash(game, "@2") == 840 + 200


def test_5_5_4_and_12_2_1_who_is_above_the_lowered_limit_sells_first() -> None:
    """Three players: 20 certificates, 18 after the first receivership."""
    game = falling()
    for name in ("SAR", "NSW"):
        started(game, name, {"@2": 8}, director="@2")
    act(game, "VR loan")
    stock_round(game, number=3, player="@2")
    rearrange(game, game.company(Owner("QR")).certificates[0], owner=Owner("@2"))
    refused(game, "@2 pass", "12.2.1")


# -- §§5.6, 8.4: loans by will and by force --------------------------------------------------------------


def borrowing(position: tuple[int, int], treasury: int, **shares: int) -> Game:
    """VR has a route and no train; a 4 costs 300."""
    game = new_game()
    started(game, "VR", {"@1": 4} | {f"@{name[1:]}": number for name, number in shares.items()}, position=position)
    set_cash(game, "VR", treasury)
    lay(game, *SMALL)
    reach_phase(game, "4")
    return operating(game, "VR", step=7)


def test_5_6_2_and_8_4_after_a_loan_by_will_the_forced_ones_cost_three_spaces() -> None:
    """220, 160 by will, 110 and 80 by force."""
    game = borrowing((0, 10), 0)
    act(game, "VR loan")
    assert priced(game, "VR") == 160
    act(game, "VR buy 4 for 300")
    assert (priced(game, "VR"), cash(game, "VR"), game.company(Owner("VR")).loans) == (80, 0, 3)


def test_8_4_2_and_5_5_2_what_was_borrowed_for_the_train_pays_the_compensation() -> None:
    """200 in hand and 100 lent: 200 for two shares of Bob's, the rest is the bank's; Ann pays nothing."""
    game = borrowing((1, 2), 200, p2=2)
    act(game, "VR buy 4 for 300")
    assert (cash(game, "@1"), cash(game, "@2"), cash(game, "VR")) == (840, 1040, 0)


# -- §5.3, §12.6: COM before its launch -------------------------------------------------------------------


def test_12_6_1_and_5_3_com_rises_with_all_its_shares_in_hands_before_it_is_launched() -> None:
    game = new_game()
    started(game, "COM", {"@1": 4, "@2": 4}, par=90, floated=False, cash=0)
    stock_round(game)
    act(game, "@1 pass", "@2 pass", "@3 pass")
    assert priced(game, "COM") == 100


def test_5_3_3_com_operates_in_the_round_in_which_a_company_above_it_makes_the_link() -> None:
    game = new_game()
    started(game, "COM", {"@2": 4}, director="@2", position=(1, 5), floated=False, cash=0)
    started(game, "VR", {"@1": 4}, position=(1, 6))
    operating(game, "VR", step=7)
    game.state.special.is_linked = True
    launch(game, company("COM"))
    act(game, "VR pass")
    assert game.frame.entity == "COM"


def test_5_3_and_12_5_1_shares_of_com_are_sold_before_it_is_launched() -> None:
    game = new_game()
    started(game, "COM", {"@1": 4, "@2": 2}, par=90, floated=False, cash=0)
    act(stock_round(game), "@1 sell 2 COM")
    assert (cash(game, "@1"), priced(game, "COM")) == (840 + 180, 80)


def test_5_2_2_the_capital_is_ten_times_the_issue_price_though_the_price_has_fallen() -> None:
    game = new_game()
    started(game, "VR", {"@1": 2, "@2": 1}, par=90, floated=False, cash=0)
    stock_round(game, player="@2")
    act(game, "@2 sell 1 VR", "@2 pass", "@3 buy VR", "@1 buy VR")
    assert (priced(game, "VR"), cash(game, "VR")) == (80, 900)


# -- §12: the stock round -----------------------------------------------------------------------------------


def test_12_3_2_and_12_4_2_the_banks_shares_that_were_sold_are_not_bought_again() -> None:
    game = new_game()
    rearrange(game, game.company(Owner("BOE")).certificates[0], owner=Owner("@1"))
    stock_round(game)
    act(game, "@1 sell 1 BOE")
    refused(game, "@1 buy BOE from pool", "12.3.2")


# -- §13.1: the end ---------------------------------------------------------------------------------------


def test_13_1_a_price_that_reaches_the_top_in_a_stock_round_has_the_set_played() -> None:
    game = new_game()
    started(game, "VR", {"@1": 5, "@2": 3}, position=(1, 16))
    reach_phase(game, "3")
    stock_round(game)
    act(game, "@1 pass", "@2 pass", "@3 pass")
    assert (priced(game, "VR"), game.state.finished, game.state.round.kind) == (450, False, "operating")
    assert game.state.ending

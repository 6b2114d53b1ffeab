"""1820 §7.2.4: what is paid, what is told, and what is not."""

from __future__ import annotations

import pytest

from bot.engine.play.game import Game
from bot.engine.play.holdings.market import place_marker
from bot.engine.state.actions import Dividend
from bot.engine.state.events import DividendPaid, RevenueWithheld
from bot.titles.t1820.operations.dividends import PayOrWithhold, divide, pay_shares
from tests.titles.builders_1820 import ANN, BOB, column, company, floated, in_turn, new_game, price, refused
from tests.titles.positions import act, cash


def after_the_run(revenue: int | None, shares: int = 5) -> Game:
    """LSR at the question of its dividend, with so much revenue, at £65."""
    game = new_game()
    record = floated(game, "LSR", shares=shares)
    in_turn(game, step="dividend", trains=["2+"])
    # The turn was settled without revenue: put it back to the question.
    game.frame.memory.revenue, game.frame.memory.used, game.frame.at = revenue, [], 6
    record.operated = False
    if shares > 1:
        place_marker(game, record.id, (0, column(65)))
    game.events = []
    return game


@pytest.mark.parametrize(("held", "amounts"), [
    ({"@1": 7, "@2": 7, "@3": 5}, ((ANN, 11), (BOB, 11), ("@3", 8))),  # nothing is left of 30
    ({"@1": 5, "@2": 5, "@3": 5, "VF": 4}, ((ANN, 8), (BOB, 8), ("@3", 8), ("VF", 6))),
    ({"@1": 5, "@2": 5, "@3": 5, "VF": 3}, ((ANN, 8), (BOB, 8), ("@3", 8), ("VF", 5), ("LSR", 1))),
])  # fmt: skip
def test_7_2_4_the_treasury_gets_what_rounding_leaves(
    held: dict[str, int], amounts: tuple[tuple[str, int], ...]
) -> None:
    game = new_game(cousins=["VF"])
    record = floated(game, "LSR", shares=20, held=held, money=0)
    pay_shares(game, record, 30)
    assert [event for event in game.events if isinstance(event, DividendPaid)] == [DividendPaid("LSR", 30, 1, amounts)]
    assert cash(game, "LSR") == dict(amounts).get("LSR", 0)


def test_7_2_4_rounding_may_give_more_than_was_earned_and_then_nothing_is_left() -> None:
    game = new_game(4, cousins=["VF"])
    record = floated(game, "LSR", shares=20, held={"@1": 5, "@2": 5, "@3": 5, "@4": 3, "VF": 1}, money=0)
    pay_shares(game, record, 30)
    assert [cash(game, owner) - 1000 for owner in ("@1", "@2", "@3", "@4")] == [8, 8, 8, 5]
    assert (cash(game, "VF"), cash(game, "LSR")) == (2, 0)


def test_7_2_4_revenue_is_paid_or_withheld_and_nothing_between() -> None:
    game = after_the_run(50)
    assert list(game.legal_actions())[:2] == [Dividend("LSR", "pay"), Dividend("LSR", "withhold")]
    refused(game, "LSR half", "paid or withheld", "§7.2.4")
    act(game, "LSR withhold")
    assert cash(game, "LSR") == 550 and price(game) == 60 and company(game).operated


@pytest.mark.parametrize("revenue", [None, 0])
def test_7_2_4_without_revenue_there_is_nothing_to_choose_and_nothing_to_tell(revenue: int | None) -> None:
    for shares in (1, 5):
        game = after_the_run(revenue, shares=shares)
        assert not PayOrWithhold().opens(game)
        divide(game, "LSR", is_paid=shares == 1)
        assert not [event for event in game.events if isinstance(event, DividendPaid | RevenueWithheld)]
    assert not PayOrWithhold().opens(after_the_run(50, shares=1))


def test_7_2_4_what_is_withheld_is_no_dividend_however_much_it_is() -> None:
    game = after_the_run(100)
    act(game, "LSR withhold")
    assert price(game) == 60
    game = after_the_run(100)
    act(game, "LSR pay")
    assert price(game) == 71

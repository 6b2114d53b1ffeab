"""What our files of 1830 say to 18xx.games."""

from __future__ import annotations

import pytest

from bot.engine.ids import BANK
from bot.formats.peer18xx.registry import DIALECTS
from bot.formats.peer18xx.snapshots import snapshot
from bot.formats.peer18xx.writer import LogWriter
from tests.titles.positions import private, refused

from . import builders_1830 as rb


def test_an_exchange_while_an_offer_stands_is_written_at_once_and_the_offer_when_it_is_taken() -> None:
    game = rb.new_game(**rb.BY_18XX)
    rb.started(game, "NYC")
    rb.own(game, SV="@1", MH="@3")
    rb.stock_round(game, player="@2")
    writer = LogWriter(game, DIALECTS["1830"])
    assert [raw["type"] for raw in writer.write_text("@2 buy SV for 20")] == ["message"]
    (exchange,) = writer.write_text("@3 exchange MH")
    assert (exchange["type"], exchange["entity"]) == ("buy_shares", "MH")
    (purchase,) = writer.write_text("@1 agree")
    assert (purchase["type"], purchase["company"], purchase["price"]) == ("buy_company", "SV", 20)


def test_an_offer_for_a_private_that_closes_meanwhile_is_off() -> None:
    game = rb.new_game()
    rb.started(game, "NYC")
    rb.own(game, MH="@3")
    rb.stock_round(game, player="@2")
    writer = LogWriter(game, DIALECTS["1830"])
    writer.write_text("@2 buy MH for 81")
    writer.write_text("@3 exchange MH")
    assert (game.state.offer, game.players_to_act(), game.private(private("MH")).closed) == (None, ("@2",), True)


@pytest.mark.parametrize("shares", [4, 5])
def test_whoever_holds_too_much_sells_before_he_buys_a_private_of_another_player(shares: int) -> None:
    game = rb.new_game()
    rb.started(game, "NYC", {"@2": shares}, president="@2")
    rb.own(game, SV="@1")
    rb.stock_round(game, player="@2")
    if shares > 4:
        assert "must sell first" in refused(game, "@2 buy SV for 20")
    else:
        writer = LogWriter(game, DIALECTS["1830"])
        assert writer.write_text("@2 buy SV for 20")


def test_a_bank_that_a_bankruptcy_empties_is_told_as_broken() -> None:
    game = rb.new_game(**rb.BY_18XX)
    game.state.ending, game.state.cash[BANK] = "@1 is bankrupt", -1
    told = snapshot(game, {player.id: player.id for player in game.state.players}, DIALECTS["1830"])
    assert told["bank_broken"]

"""What our files of 1830 say to 18xx.games."""

from __future__ import annotations

from bot.engine.logs18xx.writer import Writer
from bot.engine.titles.registry import DIALECTS
from tests.engine.titles import robber_barons as rb


def test_an_exchange_while_an_offer_stands_is_written_at_once_and_the_offer_when_it_is_taken() -> None:
    game = rb.new_game(**rb.BY_18XX)
    rb.started(game, "NYC")
    rb.own(game, SV="@1", MH="@3")
    rb.stock_round(game, player="@2")
    writer = Writer(game, DIALECTS["1830"])
    assert [raw["type"] for raw in writer.write_text("@2 buy SV for 20")] == ["message"]
    (exchange,) = writer.write_text("@3 exchange MH")
    assert (exchange["type"], exchange["entity"]) == ("buy_shares", "MH")
    (purchase,) = writer.write_text("@1 agree")
    assert (purchase["type"], purchase["company"], purchase["price"]) == ("buy_company", "SV", 20)

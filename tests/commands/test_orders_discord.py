"""Standing orders in Discord: only their owner ever sees them; a reason that cannot be told directly is not told at all."""

from __future__ import annotations

import re

import pytest

from tests.commands.discord_table import AUCTION, Table
from tests.commands.discord_table import table as table
from tests.discord_double.fixtures import double as double


async def in_stock_round(table: Table) -> None:
    """1848's first stock round; Ann is asked."""
    await table.open()
    for text, _ in AUCTION:
        await table.move(text)


async def test_orders_are_given_listed_and_dropped_privately_and_act_without_a_ping(table: Table) -> None:
    await in_stock_round(table)
    ann, bob, cid = table.people
    told = "A new round begins: with “Plan ahead” nobody has to wait for you."
    await table.wait(lambda: any(told in board.text for board in table.boards()), "the record of the stock round")
    record = next(board for board in table.boards() if told in board.text)
    panel = await bob.click(record, "Plan ahead")
    assert "no plans" in panel.text
    reply = await bob.slash("auto pass", table.thread)
    assert reply.ephemeral and "Pass. It ends when the round is over." in reply.text
    assert (await cid.slash("plan", table.thread, order="pass until start")).ephemeral
    assert "no plans" in (await ann.slash("auto list", table.thread)).text
    completed = [choice.value for choice in await ann.autocomplete("auto say", table.thread, "order", "pass")]
    assert "pass until start" in completed
    pings = len(bob.pings)
    await ann.slash("move", table.thread, move="par VR 90")
    told = await table.double.wait_message(cid.dm, re.compile("VR has been started"))
    assert "plan has ended" in told.content
    await table.wait(lambda: table.pings()[-1].content.startswith(cid.mention), "Cid's turn")
    assert len(bob.pings) == pings
    await table.wait(lambda: any("(planned)" in board.text for board in table.boards()), "the record")
    assert not any("has been started" in post.text or "new round begins" in post.text for post in table.posts())
    listed = await bob.slash("auto list", table.thread)
    dropped = await table.use(bob, listed, label="Drop 1")
    assert "no plans" in dropped.text


@pytest.mark.whole
async def test_the_panel_offers_the_usual_orders(table: Table) -> None:
    await in_stock_round(table)
    bob = table.people[1]
    await table.wait(lambda: table.boards()[-1].buttons, "the record of the stock round")
    panel = await bob.click(table.boards()[-1], "Plan ahead")
    assert panel.ephemeral
    shown = await table.use(bob, panel, label="Pass until shares are traded")
    assert "somebody sells shares" in shown.text
    refused = await bob.slash("auto say", table.thread, order="dance")
    assert "no move called" in refused.text


@pytest.mark.whole
async def test_a_refused_direct_message_is_not_told_in_the_thread(table: Table) -> None:
    await in_stock_round(table)
    ann, bob, _ = table.people
    bob.refuse_dms()
    await bob.slash("auto say", table.thread, order="pass until start")
    await ann.slash("move", table.thread, move="par VR 90")
    await table.wait(lambda: table.pings()[-1].content.startswith(bob.mention), "Bob's turn")
    await table.wait(lambda: any(call.status == 403 for call in table.double.calls), "the refusal")
    await table.double.idle()
    assert not any("order has ended" in post.text or "been started" in post.text for post in table.posts())
    assert "VR has been started" in (await bob.slash("auto list", table.thread)).text


@pytest.mark.whole
async def test_every_kind_of_order_has_a_command_with_fields(table: Table) -> None:
    await in_stock_round(table)
    bob = table.people[1]
    for command, options, piece in (
        ("auto buy", {"company": "VR", "to": 30, "most": 100}, "Buy VR for at most £100 each until you hold 30%."),
        ("auto bid", {"lot": "P4", "most": 200}, "It replaces: buy VR for at most £100 each until you hold 30%."),
        ("auto run", {"company": "VR"}, "do not run"),
    ):
        reply = await bob.slash(command, table.thread, **options)
        assert reply.ephemeral and piece in reply.text
    assert "1 dropped" in (await bob.slash("auto drop", table.thread)).text


@pytest.mark.whole
async def test_numbers_of_orders_tell_nothing_of_other_peoples(table: Table) -> None:
    await in_stock_round(table)
    ann, bob, _ = table.people
    for order in ("pass", "agree undo", "refuse"):
        await ann.slash("auto say", table.thread, order=order)
    shown = await bob.slash("auto say", table.thread, order="agree undo")
    assert "1. " in shown.text and "Drop 1" in [button.label for button in shown.buttons] and "4." not in shown.text
    assert "You have 1 plans" in (await bob.slash("auto drop", table.thread, order=2)).text
    assert "1 dropped" in (await bob.slash("auto drop", table.thread, order=1)).text
    assert "2. " in (await ann.slash("auto list", table.thread)).text


async def test_after_a_bid_its_maximum_is_filled_into_a_form(table: Table) -> None:
    await table.open("1830")
    ann, bob, _ = table.people
    moved = await ann.slash("move", table.thread, move="bid CS 45")
    form = await ann.click(moved.message, "Bid up to …")
    given = await table.use(ann, form, order="bid CS up to 90")
    assert "$90" in given.text

    def is_bobs_turn() -> bool:
        return bool(table.pings()) and table.pings()[-1].content.startswith(bob.mention)

    await table.wait(is_bobs_turn, "Bob's turn")
    await table.move("bid CS 50")
    await table.move("bid CA 165", asks=False)
    await table.wait(lambda: any("(planned)" in board.text for board in table.boards()), "the bid of Ann's plan")
    await table.wait(is_bobs_turn, "Bob's turn, after Ann's plan")

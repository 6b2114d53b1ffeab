"""A table of 1844 at Discord's double: auction, issue price, a mountain railway, first trains, the best run claimed."""

from __future__ import annotations

import pytest

from tests.commands.discord_table import Table
from tests.commands.discord_table import table as table
from tests.discord_double.fixtures import double as double

ANN, BOB, CID = range(3)

AUCTION = (
    (ANN, "bid P1 20"),
    (BOB, "pass"),
    (CID, "pass"),
    (BOB, "bid P2 50"),
    (CID, "pass"),
    (ANN, "pass"),
    (CID, "bid P3 80"),
    (ANN, "bid P3 85"),
    (BOB, "pass"),
    (CID, "pass"),
    (ANN, "bid P4 110"),
    (BOB, "pass"),
    (CID, "pass"),
    (BOB, "bid P5 140"),
    (CID, "pass"),
    (ANN, "pass"),
    (CID, "bid P6 160"),
    (ANN, "pass"),
    (BOB, "pass"),
    (CID, "par FNM 100"),
    (ANN, "bid P7 100"),
    (BOB, "pass"),
    (CID, "pass"),
)


async def play(table: Table, seat: int, text: str, *told: str) -> None:
    """Somebody moves by text, and is told what came of it."""
    reply = await table.people[seat].slash("move", table.thread, move=text)
    assert all(words in reply.text for words in told), reply.text


@pytest.mark.whole
async def test_a_table_from_the_auction_to_a_dividend(table: Table) -> None:
    await table.open("1844", options="rules=rulebook, order=cash")
    for seat, text in AUCTION:
        await play(table, seat, text, *(["bids"] if "bid" in text else []))
    await play(table, ANN, "buy B1; lay XM2 G14 0", "puts B1 on Pilatus Bahn (G14), worth 10/40/50/60 by phase")
    await play(table, BOB, "par MOB 90")
    await play(table, CID, "sell 1 FNM", "No shares are sold", "1844 §IV")
    await play(table, CID, "par GB 60", "GB floats with sfr 120")
    await play(table, ANN, "par NOB 70", "NOB floats with sfr 140")
    await play(table, BOB, "buy MOB")
    await play(table, CID, "buy T2", "Tunnel company 2 for sfr 50")
    for seat in (ANN, BOB, CID):
        await play(table, seat, "pass")
    await play(table, CID, "lay 57 L21 0; buy 2H; pass", "FNM buys a 2H train", "Phase 2 begins")
    await play(table, ANN, "lay 57 D19 1; buy 2; pass", "NOB buys a 2 train")
    await play(
        table, CID, "lay 57 G18 1; pass; buy 2H; pass", "A 2 train leaves the bank unsold", "Stock round 2 begins"
    )
    for seat in (CID, BOB, ANN):
        await play(table, seat, "pass", "passes")
    await play(table, CID, "pass; pass", "FNM falls")
    await play(table, ANN, "pass; pass", "NOB falls")
    await play(table, CID, "lay 4 G16 1", "on G16 (Sarnen)")
    await play(table, CID, "run nothing", "GB can run trains, so it must", "1844 §XVIII")
    await play(table, CID, "run 2-2=G18.c0>G16.t0", "sfr 40 (2-2: G20 - G18 = 40), not sfr 30", "§XVIII")
    await play(table, CID, "run best; pay", "GB runs for sfr 40")
    board = await table.wait(lambda: table.boards(), "a board")
    assert {file.filename.rsplit(".", 1)[1] for post in board[-1:] for file in post.attachments} == {"png"}

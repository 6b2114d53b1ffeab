"""A game of 1820 at Discord's double from the first bid to the scores: lobbies, a takeover, a liquidation."""

from __future__ import annotations

import pytest

from tests.commands.discord_table import Table
from tests.commands.discord_table import table as table
from tests.discord_double.fixtures import double as double
from tests.discord_double.model import PostedMessage
from tests.discord_double.user import ScriptedUser


async def order_of_cards(table: Table) -> list[ScriptedUser]:
    """Nobody bids for a cousin; who is asked one after the other tells the order."""
    order: list[ScriptedUser] = []
    for number in range(3):
        await table.wait(lambda: table.pings() and table.turn()[0] not in order, "the next bidder")
        person, _ = table.turn()
        order.append(person)
        await play(table, person, "pass", f"{person.name} passes" if number < 2 else "Auction of 2+ and 3+")
    return order


async def play(table: Table, person: ScriptedUser, text: str, *told: str) -> None:
    """Somebody moves by text, and is told what came of it."""
    reply = await person.slash("move", table.thread, move=text)
    assert all(words in reply.text for words in told), reply.text


async def consent(table: Table) -> tuple[PostedMessage, str]:
    """The question to agree, and what its button says, once everything is posted: until then an older message to the same
    player may show it, whose place the question takes."""
    await table.settled()
    return next((post, button.label) for post in table.pings() for button in post.buttons if "agree" in button.label)


@pytest.mark.whole
async def test_a_game_from_the_first_bid_to_the_scores(table: Table) -> None:
    await table.open("1820")
    one, two, three = await order_of_cards(table)
    # Future trains: all three are asked at once, and answer in any order.
    for person in (three, one, two):
        await play(table, person, "pass", f"{person.name} passes")
    # Lobbies: the larger one is resolved first.
    await play(table, one, "fund 50", "funds a lobby")
    await play(table, two, "fund 90", "funds a lobby")
    for person in (three, one):
        await play(table, person, "pass")
    await play(table, two, "pass", "2 lobbies to resolve", f"The lobby of {two.name} (£90) is resolved.")
    await play(table, two, f"float LSR 5 at 55 on G7=150/1 to {two.name}:2", f"The lobby of {one.name} (£50)")
    # The other company is bought by two: the third player is asked, and presses a button.
    await play(table, one, f"float N&PR 5 at 71 on H12=57/1 to {one.name}:2 {three.name}:1", f"Asked: {three.name}")
    question, label = await consent(table)
    assert f"Agree with {one.name} to: start N&PR with 5 shares at £71 on H12, sold to" in question.content
    refused = await two.slash("move", table.thread, move="agree")
    assert f"It is not {two.name}'s turn; the game waits for {three.name}." in refused.text
    # It is withdrawn by a button; the answer that comes too late changes nothing; then it is proposed again.
    panel = await one.click(table.boards()[-1], "What can I do?")
    assert "Out of turn you can:" in panel.text
    withdrawn = await table.use(one, panel, label=next(b.label for b in panel.buttons if "withdraw" in b.label))
    assert f"{one.name} withdraws the proposal." in withdrawn.text
    if not question.deleted:
        late = await three.click(question, label)
        assert "moved on" in late.text or "not your turn" in late.text, late.text
    await play(table, one, f"float N&PR 5 at 71 on H12=57/1 to {one.name}:2 {three.name}:1", f"Asked: {three.name}")
    question, label = await consent(table)
    await three.click(question, label)
    await table.wait(
        lambda: any(f"{three.name} agrees" in post.text for post in table.boards()), "the record of the consent"
    )
    for person in (three, one, two):
        await play(table, person, "pass", f"{person.name} passes")
    # N&PR operates first; both companies buy trains and fall two spaces.
    await play(table, one, "pass; buy 2+; pass", "N&PR buys a 2+ train", "N&PR falls from £71 to £60")
    await play(table, two, "pass; buy 2+; pass", "LSR falls from £55 to £47", "Issue and takeover round 1.1 begins")
    # Both directors are asked at once.
    await play(table, two, "done")
    await play(table, one, "done")
    # Reverse order: LSR puts N&PR up; its director accepts less than the forcing bid; a loan pays for it.
    await play(table, two, "offer N&PR", f"Auction of N&PR: {two.name} may bid, from £180 on.")
    await play(table, two, "bid N&PR 190", f"{two.name} bids £190")
    await play(table, one, "agree", f"{one.name} agrees")
    await play(table, two, "acquire loans 1", "LSR takes N&PR over for £190, £63 a share", "Operating round 1.2 begins")
    # LSR gives its trains up and is liquidated: nobody controls a company any more.
    await play(table, two, "pass; discard 2+; discard 2+; pass", "LSR goes into liquidation: it has no train.")
    await play(table, two, "cover", "LSR pays £20 interest")
    over = await table.wait(
        lambda: next((post for post in table.posts() if "no player controls a company" in post.text), None),
        "the end of the game",
    )
    told = "\n".join(post.text for post in table.posts())
    assert "The bank takes what is left of LSR" in told and over

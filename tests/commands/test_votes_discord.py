"""Questions to the table and the moderator's acts, in Discord."""

from __future__ import annotations

import pytest

from tests.commands.discord_table import Table
from tests.commands.discord_table import table as table
from tests.discord_double.fixtures import double as double
from tests.discord_double.model import PostedMessage
from tests.discord_double.user import ScriptedUser


async def three_moves(table: Table) -> None:
    await table.open()
    for text in ("buy P1", "buy P2", "buy P3"):
        await table.move(text)


async def test_undo_across_players_by_buttons_of_those_asked(table: Table) -> None:
    await three_moves(table)
    ann, bob, cid = table.people
    boards = table.told()
    refused = await ann.slash("undo", table.thread)
    assert "has moved since" in refused.text
    asked = await table.use(ann, refused, label="Ask the others")
    assert "Waiting for Bob and Cid." in asked.text
    assert "already open" in (await ann.slash("vote undo", table.thread, record=0)).text
    post = await table.wait(
        lambda: next((p for p in table.posts() if "go back to move 0" in p.text), None), "the question"
    )
    assert {user.name for user in post.mentions} == {"Bob", "Cid"}
    assert "no vote here" in (await ann.click(post, "Agree")).text
    await bob.click(post, "Agree")
    await table.wait(lambda: "Waiting for Cid. Bob agreed." in post.text, "the line")
    await table.bot.restart(kill=True)
    await cid.click(post, "Agree")
    await table.wait(lambda: "All agreed." in post.text and not post.buttons, "the end of the question")
    await table.wait(lambda: table.told() > boards, "the board")
    assert "Ann goes back to move 0" in table.boards()[-1].text


async def test_a_question_shows_what_is_answered_at_other_doors_and_its_end(table: Table) -> None:
    await three_moves(table)
    ann, bob, cid = table.people

    async def asked() -> PostedMessage:
        post = await table.wait(
            lambda: next((post for post in table.posts() if "asks to end" in post.text and post.buttons), None),
            "a vote",
        )
        assert "Waiting for Ann and Cid." in post.text
        return post

    await bob.slash("vote end", table.thread)
    first = await asked()
    await ann.slash("vote yes", table.thread)
    await table.wait(lambda: "Waiting for Cid. Ann agreed." in first.text, "the answer")
    await ann.slash("move", table.thread, move="pass")
    await table.wait(lambda: "the game has moved on" in first.text and not first.buttons, "the end of the question")
    await bob.slash("vote end", table.thread)
    second = await asked()
    await cid.slash("vote no", table.thread)
    await table.wait(lambda: "Cid refused" in second.text and not second.buttons, "the refusal")
    assert sum("asks to end" in post.text for post in table.posts()) == 2, "nothing is asked twice"


@pytest.mark.whole
async def test_votes_are_listed_and_refused(table: Table) -> None:
    await three_moves(table)
    ann, bob, cid = table.people
    await bob.slash("vote end", table.thread)
    listed = await cid.slash("vote list", table.thread)
    assert "Bob asks to end the game now." in listed.text
    assert "Bob asks to end the game now. Waiting for Ann and Cid." in (await cid.slash("status", table.thread)).text
    assert "Cid refused" in (await cid.click(listed, "Refuse")).text
    assert "no open vote" in (await ann.slash("vote list", table.thread)).text
    assert "7 days" in (await ann.slash("vote replace", table.thread, seat=2, member=table.double.dora)).text
    assert "7 days" in (await ann.slash("vote computer", table.thread, seat=2)).text
    assert "not late" in (await ann.slash("vote skip", table.thread, seat=2)).text
    assert "48 waking hours" in (await ann.slash("vote fine", table.thread, seat=2, amount=50)).text


@pytest.mark.whole
async def test_reasons_and_advice_are_for_games_with_computer_players(table: Table) -> None:
    await three_moves(table)
    ann = table.people[0]
    assert (await ann.slash("why", table.thread)).text == "No computer player has moved lately."
    assert "only available in games of one person" in (await ann.slash("advice", table.thread)).text


@pytest.mark.whole
async def test_commands_complete_what_they_ask_for(table: Table) -> None:
    await three_moves(table)
    ann, bob, _ = table.people

    async def offered(command: str, option: str, typed: str, person: ScriptedUser = ann) -> list[str]:
        return [choice.name for choice in await person.autocomplete(command, table.thread, option, typed)]

    assert await offered("vote replace", "seat", "") == ["1: Ann", "2: Bob", "3: Cid"]
    assert await offered("moderate sitter", "seat", "bo") == ["2: Bob"]
    for command in ("moderate rewind", "vote undo", "game clone"):
        assert (await offered(command, "record", ""))[0].startswith("3: Cid buys P3")
    assert await offered("moderate cash", "owner", "bob") == ["Bob"]
    assert await offered("auto buy", "company", "vr") == ["VR: Victorian Railway"]
    assert (await offered("auto bid", "lot", "p4"))[0].startswith("P4: ")
    assert await offered("moderate token", "space", "melb") == ["H11 Melbourne"]
    assert await offered("clock quiet", "zone", "berl") == ["Europe/Berlin"]
    assert await offered("tiles", "which", "gre") == ["green", *(await offered("tiles", "which", "gre"))[1:]]
    assert await offered("log", "about", "ci") == ["Cid"]
    await ann.slash("auto pass", table.thread)
    assert any("Pass" in text for text in await offered("auto drop", "order", ""))
    assert await offered("auto drop", "order", "", bob) == [], "nobody sees another's orders"


@pytest.mark.whole
async def test_the_moderator_rewinds_after_a_look_and_corrects_with_a_reason(table: Table) -> None:
    await three_moves(table)
    ann, bob, _ = table.people
    shown = await ann.slash("moderate rewind", table.thread, record=1)
    assert [file.filename for file in shown.files] == ["map.png", "market.png"] and "2 log entries" in shown.text
    done = await table.use(ann, shown, label="Go back to 1")
    assert "goes back to move 1" in done.text
    money = await ann.slash("moderate cash", table.thread, owner="Bob", amount=500, reason="a gift")
    assert "Bob has £500" in money.text
    token = await ann.slash("moderate token", table.thread, what="token", company="VR", space="G10", reason="test")
    assert "VR has a token on G10" in token.text
    assert (
        "Only the moderator"
        in (await bob.slash("moderate cash", table.thread, owner="Bob", amount=900, reason="more")).text
    )
    dora = table.double.dora
    assert "moves for you" in (await bob.slash("game sitter", table.thread, member=dora, days=2)).text
    await dora.slash("move", table.thread, move="buy P2")
    await table.wait(lambda: any("A sitter moves for Bob" in b.text for b in table.boards()), "the sitter's move")
    assert "pace is fast" in (await ann.slash("moderate pace", table.thread, pace="fast")).text
    assert "moderator now" in (await ann.slash("moderate handover", table.thread, member=bob)).text
    assert "seat 3" in (await bob.slash("moderate sitter", table.thread, seat=3, member=dora, days=1)).text


@pytest.mark.whole
async def test_answers_call_people_as_the_table_does(table: Table) -> None:
    table.people = ann, _ = table.people[:2]
    await table.open("1820")
    eve, zoe = (table.double.add_user(name) for name in ("Eve @here", "**Zoe** `Ray`"))
    lobby = await ann.slash("game new", table.double.channel, title="1848")
    answers = [
        await eve.click(lobby.message, "Join"),
        await zoe.slash("game join", table.double.channel, game=2, name="Zoe's <b>sister</b>"),
        await ann.slash("game sitter", table.thread, member=zoe, days=2),
        await ann.slash("moderate sitter", table.thread, seat=1, member=eve, days=1),
        await ann.slash("moderate replace", table.thread, seat=2, member=eve),
        await ann.slash("moderate handover", table.thread, member=zoe),
    ]
    assert [answer.text for answer in answers] == [
        "Eve here is in game 2.",
        "Zoe's bsisterb is in game 2.",
        "Zoe Ray moves for you for 2 days.",
        "Eve here moves for seat 1 for 1 days.",
        "Eve here has seat 2 now.",
        "Zoe Ray is the moderator now.",
    ]

"""Records, questions and cards: how many messages a game makes and leaves, and what becomes of them on a bad day."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from bot.ai.fuzzer import RandomGame
from bot.commands.discord.log_messages import LogMessages
from bot.engine.play.game import Game
from bot.engine.state.actions import Pass
from bot.service.views.log_sections import changed_pictures, section_of
from bot.titles.registry import TITLES
from tests.commands.discord_table import AUCTION, STOCK, Table
from tests.commands.discord_table import table as table
from tests.discord_double.fixtures import double as double


@dataclass(frozen=True)
class Count:
    """Messages made so far, those that stand, their pictures and the buttons below them."""

    made: int
    standing: int
    pictures: int
    buttons: int


def count(table: Table) -> Count:
    """What there is in the thread."""
    posts = table.posts()
    every = [one for one in table.thread.history.values() if one.author is table.double.world.bot and not one.ephemeral]
    made = sum(not message.interaction for message in every)
    pictures, buttons = sum(len(one.attachments) for one in posts), sum(len(one.buttons) for one in posts)
    return Count(made, len(posts), pictures, buttons)


async def asked_alone(table: Table) -> None:
    """Until nothing but one question stands."""
    await table.wait(lambda: len(table.pings()) == 1, "one question alone")


@pytest.mark.whole
async def test_an_auction_and_a_stock_round_stay_within_the_budget(table: Table) -> None:
    await table.open()
    for text, _ in AUCTION:
        await table.move(text)
    await asked_alone(table)
    auction = count(table)
    # A record and a question for each of six moves; the next round has its own record, and its first question.
    assert auction.made == 1 + 6 + 2 and auction.standing == 3 and auction.pictures == 2
    assert auction.buttons <= 13
    first, second = table.boards()
    assert "The auction" in first.text and first.text.count("buys P") == 6 and not first.buttons
    assert "Stock round 1" in second.text and "Cid" not in first.text.splitlines()[-1]
    for text in STOCK:
        await table.move(text)
    await table.move("pass", asks=False)
    await table.wait(lambda: len(table.boards()) == 3, "the record of CAR's turn")
    await asked_alone(table)
    stock = count(table)
    assert stock.made - auction.made <= 1 + len(STOCK) + 1 and stock.standing == 4 and stock.pictures == 4
    assert stock.buttons <= 13
    # A company that is launched has a token on the map.
    assert [file.filename for file in table.boards()[1].attachments] == ["map.png", "market.png"]
    assert "Operating round 1.1: CAR" in table.boards()[2].text


class Unposted:
    """An outbox that has posted nothing yet."""

    async def posts(self, game_id: int) -> dict[str, Any]:
        return {}


async def test_nothing_is_recorded_where_nothing_is_to_be_told() -> None:
    """A question or a reminder wakes the poster too; of a game that has no record yet it makes none."""
    client: Any = SimpleNamespace(tables=SimpleNamespace(outbox=Unposted()))
    asked: Any = SimpleNamespace(record=SimpleNamespace(id=1), game=Game.new(TITLES["1848"], ["Ann", "Bob", "Cid"]))
    nowhere: Any = None
    assert await LogMessages(client, nowhere).bring_up_to_date(nowhere, "thread", asked, ()) is None
    in_lobby: Any = SimpleNamespace(record=SimpleNamespace(id=1), game=None)
    assert await LogMessages(client, nowhere).bring_up_to_date(nowhere, "thread", in_lobby, (nowhere,)) is None


async def test_the_lobbys_message_becomes_the_tables_card(table: Table) -> None:
    await table.open()
    card = next(message for message in table.double.channel.messages if "**Game 1" in message.text)
    await table.wait(lambda: not card.buttons, "the lobby closes")
    assert f"<#{table.thread.id}>" in card.text and "In: Ann, Bob, Cid" in card.text
    await table.people[0].slash("moderate status", table.thread, status="paused")
    await table.wait(lambda: "Paused in" in card.text, "the card tells it")
    await table.wait(lambda: not table.pings(), "nobody is asked")


@pytest.mark.whole
async def test_a_table_may_see_map_and_market_every_time(table: Table) -> None:
    await table.open()
    ann = table.people[0]
    assert [file.filename for file in table.boards()[0].attachments] == ["map.png"]
    told = await ann.slash("moderate pace", table.thread, pictures="both")
    assert told.text == "Each log message shows both map and market."
    await table.move("buy P1")
    assert [file.filename for file in table.boards()[0].attachments] == ["map.png", "market.png"]
    refused = await table.people[1].slash("moderate pace", table.thread, pictures="changed")
    assert "Only the moderator" in refused.text
    await ann.slash("moderate pace", table.thread, pictures="changed")
    await table.move("buy P2")
    assert [file.filename for file in table.boards()[0].attachments] == ["map.png"]


async def test_undo_stands_below_the_record_and_strikes_out_what_it_takes_back(table: Table) -> None:
    await table.open()
    await table.move("buy P1")
    ann, bob, _ = table.people
    refused = await bob.click(table.boards()[0], "Undo")
    assert "Ann has moved since" in refused.text or "nothing to take back" in refused.text
    assert "takes back" in (await ann.click(table.boards()[0], "Undo")).text
    await table.wait(lambda: "~~Ann buys P1" in table.boards()[0].text, "what is struck out")
    await table.wait(lambda: [ping.mentions[0].name for ping in table.pings()] == ["Ann"], "Ann is asked again")
    assert "Undo" not in [button.label for button in table.boards()[0].buttons]


@pytest.mark.whole
async def test_what_somebody_deletes_is_posted_anew_and_what_is_archived_is_opened(table: Table) -> None:
    await table.open()
    await table.double.idle()
    table.double.messages.delete(table.boards()[0])
    table.double.expect("404 10008")
    await table.move("buy P1")
    assert [board.text.count("buys P1") for board in table.boards()] == [1]
    await asked_alone(table)
    await table.double.idle()
    table.double.faults.fail("PATCH /channels/*/messages/*", 400, code=50083)
    await table.move("buy P2")
    assert "buys P2" in table.boards()[0].text
    assert table.double.count(rf"PATCH /channels/{table.thread.id}$") == 1


@pytest.mark.whole
async def test_a_record_that_may_not_be_changed_now_holds_up_no_question(table: Table) -> None:
    await table.open()
    await table.double.idle()
    # The library tries five times, then it gives up.
    table.double.faults.rate_limit("PATCH /channels/*/messages/*", times=5)
    await table.people[0].slash("move", table.thread, move="buy P1")
    await table.wait(lambda: any(ping.mentions[0].name == "Bob" for ping in table.pings()), "Bob's question")
    await table.wait(lambda: "buys P1" in table.boards()[0].text, "the record, later")
    await asked_alone(table)


@pytest.mark.whole
async def test_an_undo_over_the_end_of_a_stretch_leaves_no_record_of_the_next_one(table: Table) -> None:
    await table.open()
    for move in AUCTION:
        await table.move(move[0])
    await table.wait(lambda: "**Stock round 1" in table.boards()[-1].text, "the next record")
    taker = table.people[2]
    assert "takes back" in (await taker.slash("undo", table.thread)).text
    await table.wait(lambda: "**Stock round 1" not in "".join(one.text for one in table.boards()), "it goes")
    (record,) = table.boards()
    assert "~~Cid buys P6" in record.text and "Cid takes back" in record.text
    await table.wait(lambda: [ping.mentions[0].name for ping in table.pings()] == ["Cid"], "Cid is asked again")
    await table.move(AUCTION[-1][0])
    await table.wait(
        lambda: ["**Stock round 1" in one.text for one in table.boards()] == [False, True], "and comes again"
    )


@pytest.mark.whole
async def test_a_rewind_over_several_stretches_strikes_out_what_each_of_them_told(table: Table) -> None:
    await table.open()
    for text, _ in AUCTION:
        await table.move(text)
    for text in STOCK:
        await table.move(text)
    await table.move("pass", asks=False)
    await table.wait(lambda: len(table.boards()) == 3, "the record of CAR's turn")
    await table.double.idle()
    shown = await table.people[0].slash("moderate rewind", table.thread, record=2)
    await table.people[0].click(shown.message, "Go back to 2")
    await table.wait(
        lambda: "buys P3" in table.boards()[0].text and "~~Cid buys P3" in table.boards()[0].text, "the first"
    )
    await table.wait(lambda: "~~" in table.boards()[1].text, "the second")
    first, second, last = table.boards()
    assert "~~Ann buys P1" not in first.text and "~~Bob buys P2" not in first.text
    assert [f"buys P{number}" in first.text for number in (4, 5, 6)] == [True] * 3
    assert not [line for line in second.text.splitlines()[1:] if line.strip() and not line.startswith("~~")]
    assert "goes back to move 2" in last.text
    assert not second.buttons


def test_every_position_stands_in_a_stretch_and_a_picture_tells_what_changed() -> None:
    played = RandomGame(TITLES["1848"], 3, 1, is_audited=False)
    stretches: list[str] = []
    shown: set[tuple[str, ...]] = set()
    before = played.game.copy()
    for number, _ in enumerate(played.moves()):
        here = str(section_of(played.game))
        if not stretches or stretches[-1] != here:
            stretches.append(here)
            shown.add(changed_pictures(before, played.game))
            before = played.game.copy()
        if number > 120:
            break
    assert stretches[:2] == ["The auction", "Stock round 1"] and stretches[2].startswith("Operating round 1.1: ")
    assert len(set(stretches)) == len(stretches)
    assert shown == {("map",), ("market",), ("map", "market")}


def test_a_move_that_changes_nothing_to_be_seen_shows_the_map() -> None:
    game = Game.new(TITLES["1848"], ["Ann", "Bob", "Cid"])
    after = game.copy()
    after.apply(next(action for action in after.legal_actions() if not isinstance(action, Pass)))
    assert changed_pictures(game, after) == ("map",)

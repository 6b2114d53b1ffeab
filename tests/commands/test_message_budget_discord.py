"""What a game costs its readers: messages made and left standing, pictures sent, people called, buttons left, taps.

The numbers stand in docs/lab/testing.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.ai.fuzzer import RandomGame
from bot.engine.games.game_record import build_game_record
from bot.engine.notation.text import format_action
from bot.engine.play.game import Game
from bot.engine.state.actions import Action, BuyPrivate, BuyTrain
from bot.service.features.plans.forced_passes import forced_pass
from bot.titles.registry import TITLES
from tests.commands.discord_table import AUCTION, STOCK, TO_SECOND_TURN, Table, bring, to_operating_round
from tests.commands.discord_table import table as table
from tests.commands.test_1820_discord import order_of_cards
from tests.commands.test_steps_discord import brought, person_of
from tests.commands.test_turn_discord import TURNS, tapped, whole_turn
from tests.discord_double.double import Double
from tests.discord_double.fixtures import double as double
from tests.discord_double.model import PostedMessage

SILENT = 1 << 12


@dataclass(frozen=True)
class Cost:
    """Messages made, people called by them, pictures sent to all; messages, pictures and buttons that stand."""

    made: int
    called: int
    sent: int
    standing: int
    pictures: int
    buttons: int

    def since(self, before: Cost) -> Cost:
        """What was made since then; what stands is as it is now."""
        made, called, sent = self.made - before.made, self.called - before.called, self.sent - before.sent
        return Cost(made, called, sent, self.standing, self.pictures, self.buttons)


def cost(table: Table) -> Cost:
    """Everything in the thread so far."""
    bot, thread = table.double.world.bot, table.thread
    every = [one for one in thread.history.values() if one.author is bot and not one.ephemeral and not one.interaction]
    called = sum(len(one.mentions) for one in every if not one.flags & SILENT)
    path = f"/channels/{thread.id}/messages"
    sent = sum(len(call.uploads) for call in table.double.calls if call.path.startswith(path) and call.status < 300)
    posts = table.posts()
    pictures, buttons = sum(len(one.attachments) for one in posts), sum(len(one.buttons) for one in posts)
    return Cost(len(every), called, sent, len(posts), pictures, buttons)


async def quiet(table: Table, pings: int = 1) -> Cost:
    """What it has cost once everything is told and so many people are asked."""
    await table.wait(lambda: len(table.pings()) == pings, f"{pings} questions")
    await table.settled()
    await table.double.idle()
    return cost(table)


async def test_an_auction_a_stock_round_and_a_companys_turn(table: Table) -> None:
    await table.open()
    for text, _ in AUCTION:
        await table.move(text)
    auction = await quiet(table)
    # The record of the auction, and six questions; then the record of the stock round with its first question.
    assert auction.made <= 7 + 2 and auction.called <= 6 + 1 and auction.sent <= 7 + 1
    assert auction.standing == 3 and auction.pictures == 2 and auction.buttons <= 13
    for text in STOCK:
        await table.move(text)
    await table.move("pass", asks=False)
    await table.wait(lambda: len(table.boards()) == 3, "the record of CAR's turn")
    stock = (await quiet(table)).since(auction)
    # The last pass was made with a question before it; the company's record follows, with its own.
    assert stock.made <= 15 + 1 and stock.called <= 15 and stock.sent <= 15 + 2
    assert stock.standing == 4 and stock.buttons <= 13


@pytest.mark.whole
async def test_an_auction_and_a_stock_round_of_five(double: Double, tmp_path: Path) -> None:
    """The table of the design page: 6 moves made 12 messages, 14 moves 28, when there were no records."""
    fifth = double.add_user("Eve")
    people = (double.ann, double.bob, double.cid, double.dora, fifth)
    table = Table(double, await double.launch(data=tmp_path), people)
    await table.open()
    for text, _ in AUCTION:
        await table.move(text)
    auction = await quiet(table)
    assert auction.made <= 7 + 2 and auction.called <= 6 + 1 and auction.sent <= 7 + 1
    assert auction.standing == 3 and auction.pictures == 2 and auction.buttons <= 13
    *moves, last = ("par VR 90", "par NSW 80", *["buy CAR"] * 4, "pass", "buy BOE from pool", "buy NSW", *["pass"] * 5)
    for text in moves:
        await table.move(text)
    await table.move(last, asks=False)
    await table.wait(lambda: len(table.boards()) == 3, "the record of CAR's turn")
    stock = (await quiet(table)).since(auction)
    assert len(moves) + 1 == 14 and stock.made <= 15 + 1 and stock.called <= 15 and stock.sent <= 15 + 2
    assert stock.standing == 4 and stock.buttons <= 13


@pytest.mark.whole
async def test_a_companys_turn_by_buttons(table: Table) -> None:
    person = await to_operating_round(table, TO_SECOND_TURN)
    before = await quiet(table)
    calls = len(table.double.calls)
    taps = ("Operate CAR", "1", "token", "Run for £", "buy 2+ ", "Confirm and end")
    assert len(taps) <= 6
    boards = len(table.boards())
    await tapped(table, person, *taps)
    await table.wait(lambda: len(table.boards()) > boards, "the record of the next stretch")
    turn = (await quiet(table)).since(before)
    # One entry in its own record; the next stretch has a record and a question.
    assert turn.made <= 2 and turn.called <= 1 and turn.sent <= 4, turn
    assert turn.standing == before.standing + 1 and turn.buttons <= 13
    private = [call for call in table.double.calls[calls:] if "/webhooks/" in call.path]
    assert sum(len(call.uploads) for call in private) <= 5, "the tiles, then what lies there, headed by what is asked"


@pytest.mark.whole
@pytest.mark.parametrize("title", ["18GB", "18BF", "1820"])
async def test_a_stock_round_of_other_titles_costs_a_question_a_move(table: Table, title: str) -> None:
    played = RandomGame(TITLES[title], 3, 5, is_audited=False)
    moves = played.moves()
    next(game for game in moves if game.state.round.kind == "stock" and len(game.players_to_act()) == 1)
    await bring(table, build_game_record(played.game, played.texts))
    before = await quiet(table)
    made = 0
    while len(played.game.players_to_act()) == 1 and played.game.state.round.kind == "stock" and made < 10:
        person = person_of(table, played.game.players_to_act()[0])
        next(moves)
        await person.slash("move", table.thread, move=played.texts[-1])
        await table.settled()
        made += 1
    round_ = (await quiet(table, len(played.game.players_to_act()))).since(before)
    assert made >= 3 and round_.made <= made + 2 and round_.called <= made + 2, round_
    assert round_.standing <= before.standing + 2 and round_.buttons <= 13, round_


@pytest.mark.whole
@pytest.mark.parametrize("title", ["18GB", "18BF", "1820"])
async def test_a_companys_turn_of_other_titles_by_buttons(table: Table, title: str) -> None:
    seed, kinds = TURNS[title]
    played = RandomGame(TITLES[title], 3, seed, is_audited=False)
    taps = next(found for game in played.moves() if (found := whole_turn(game, kinds)))
    await bring(table, build_game_record(played.game, played.texts))
    person = person_of(table, played.game.players_to_act()[0])
    await table.wait(lambda: table.pings() and table.turn()[0] is person, "the director is asked")
    before, told = await quiet(table), table.told()
    await tapped(table, person, *taps)
    await table.wait(lambda: table.told() > told, "the record")
    turn = (await quiet(table)).since(before)
    assert turn.made <= 2 and turn.called <= 1 and turn.sent <= 4 and turn.buttons <= 13, turn


@pytest.mark.whole
async def test_a_forced_pass_costs_nothing(table: Table) -> None:
    def is_followed_by_one(game: Game) -> bool:
        return not game.state.finished and leads_to_pass(game) is not None

    game = await brought(table, "1848", is_followed_by_one)
    move = leads_to_pass(game)
    assert move is not None
    mover = person_of(table, game.players_to_act()[0])
    await table.wait(lambda: table.pings() and table.turn()[0] is mover, "who moves is asked")
    before = await quiet(table)
    await mover.slash("move", table.thread, move=move)
    await table.wait(lambda: "nothing else was possible" in "".join(one.text for one in table.boards()), "the pass")
    await table.double.idle()
    passed = cost(table).since(before)
    # One move and one pass: a question to whoever is next, and a record where another stretch begins.
    assert passed.called <= 1 and passed.made <= 2, passed


def leads_to_pass(game: Game) -> str | None:
    """A move after which somebody can do nothing but pass."""
    for action in game.legal_actions()[:12] if len(game.players_to_act()) == 1 else ():
        after = game.copy()
        after.apply(action)
        if not after.state.finished and forced_pass(after) and after.players_to_act() != game.players_to_act():
            return format_action(action)
    return None


def offer_of(game: Game) -> Action | None:
    """A move that asks somebody else for something of his."""
    for action in game.legal_actions() if len(game.players_to_act()) == 1 else ():
        if isinstance(action, BuyTrain | BuyPrivate):
            after = game.copy()
            after.apply(action)
            if after.state.offer is not None and after.players_to_act() != game.players_to_act():
                return action
    return None


@pytest.mark.whole
async def test_an_offer_asks_one_person_once(table: Table) -> None:
    game = await brought(table, "1830", lambda game: not game.state.finished and offer_of(game) is not None)
    offer = offer_of(game)
    assert offer is not None
    mover = person_of(table, game.players_to_act()[0])
    await table.wait(lambda: table.pings() and table.turn()[0] is mover, "who moves is asked")
    before = await quiet(table)
    await mover.slash("move", table.thread, move=format_action(offer))
    await table.wait(lambda: table.pings() and table.turn()[0] is not mover, "the other is asked")
    offered = (await quiet(table)).since(before)
    assert offered.made == offered.called == 1, "one question, no other message"
    asked, ping = table.turn()
    assert {"agree", "refuse"} <= {button.label.split()[-1] for button in ping.buttons}
    await asked.click(ping, next(button.label for button in ping.buttons if button.label.endswith("refuse")))
    await table.wait(lambda: table.pings() and table.turn()[0] is mover, "he goes on")
    refused = (await quiet(table)).since(before)
    assert refused.made == refused.called == 2


@pytest.mark.whole
async def test_in_1820_everybody_asked_at_once_is_called_once(table: Table) -> None:
    await table.open("1820")
    order = await order_of_cards(table)
    await table.wait(lambda: len(table.pings()) == 3, "all are asked")
    before = await quiet(table, 3)
    assert sorted(user.name for ping in table.pings() for user in ping.mentions) == ["Ann", "Bob", "Cid"]
    for person in order[:2]:
        await person.slash("move", table.thread, move="pass")
    waiting = (await quiet(table, 1)).since(before)
    assert waiting.made == waiting.called == 0, "nobody is called again while others answer"
    assert "Waiting for" not in table.boards()[-1].text or order[2].name in table.boards()[-1].text


async def test_the_end_is_one_message_to_everybody(table: Table) -> None:
    await table.open()
    before = await quiet(table)
    await table.people[0].slash("moderate status", table.thread, status="finished")

    def end() -> PostedMessage | None:
        return next((one for one in table.posts() if len(one.mentions) == 3), None)

    told = await table.wait(end, "the end")
    over = (await quiet(table, 1)).since(before)
    assert over.made == 1 and over.called == 3 and over.sent <= 3
    assert over.buttons == 1, "a rematch"
    assert [file.filename for file in told.attachments] == ["worth.png"] and not told.flags & SILENT
    assert [file.filename for file in table.boards()[-1].attachments] == ["map.png", "market.png"]

"""The panel in steps that only some titles have, through Discord's double: brought there by a random game."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.ai.fuzzer import RandomGame
from bot.engine.games.game_record import build_game_record
from bot.engine.play.game import Game
from bot.titles.registry import TITLES
from bot.titles.t18gb.actions import ClosePrivate
from bot.titles.t1820.actions import FloatCompany, FundLobby
from tests.commands.discord_table import Table, bring
from tests.commands.discord_table import table as table
from tests.discord_double.fixtures import double as double
from tests.discord_double.user import Reply, ScriptedUser

SEEDS = range(12)
MOST_MOVES = 90


async def brought(table: Table, title: str, is_there: Callable[[Game], bool]) -> Game:
    """A random game of three where this is so."""
    for seed in SEEDS:
        played = RandomGame(TITLES[title], 3, seed, is_audited=False)
        moves = played.moves()
        while not is_there(played.game) and len(played.texts) < MOST_MOVES:
            next(moves)
        if is_there(played.game):
            break
    else:
        raise AssertionError("No random game comes there.")
    await bring(table, build_game_record(played.game, played.texts))
    return played.game


def person_of(table: Table, seat: str) -> ScriptedUser:
    """Who sits there."""
    return table.people[int(seat[1:]) - 1]


def label(reply: Reply, part: str) -> str:
    """The label of the first button that has this in it."""
    found = [button.label for button in reply.buttons if part in button.label]
    assert found, [button.label for button in reply.buttons]
    return found[0]


def lobby(game: Game, kind: type) -> bool:
    """Whether a move of this kind is legal."""
    return any(isinstance(action, kind) for action in game.legal_actions())


def out_of_turn(game: Game) -> list[ClosePrivate]:
    """Privates that somebody can close who is not asked."""
    found = [action for action in game.legal_actions() if isinstance(action, ClosePrivate)]
    return [action for action in found if game.controller_of(action.by) not in game.players_to_act()]


@pytest.mark.whole
async def test_18gb_a_private_is_closed_by_its_owner_out_of_turn(table: Table) -> None:
    game = await brought(table, "18GB", lambda game: bool(out_of_turn(game)))
    action = out_of_turn(game)[0]
    owner, asked = person_of(table, game.controller_of(action.by) or ""), person_of(table, game.players_to_act()[0])
    third = next(person for person in table.people if person not in (owner, asked))
    panel = await owner.click(table.boards()[-1], "What can I do?")
    assert "It is not your turn. Out of turn you can:" in panel.text and f"close {action.private}" in panel.text
    completed = await owner.autocomplete("move", table.thread, "move", "close")
    assert completed and all(choice.value.startswith(owner.name) for choice in completed)
    assert not [c for c in await third.autocomplete("move", table.thread, "move", "") if owner.name in c.value]
    assert "not your turn" in (await third.click(table.boards()[-1], "What can I do?")).text
    boards = table.told()
    done = await table.use(owner, panel, label=label(panel, f"close {action.private}"))
    assert "closes" in done.text
    await table.wait(lambda: table.told() > boards, "the board")
    # Whoever is in turn still is.
    assert "Map" in [button.label for button in (await asked.slash("help", table.thread)).buttons]


@pytest.mark.whole
async def test_1820_several_who_are_asked_do_not_make_each_others_buttons_stale(table: Table) -> None:
    game = await brought(table, "1820", lambda game: len(game.players_to_act()) == 3)
    assert any("Waiting for " in board.text for board in table.boards()) or len(table.pings()) >= 1
    first, second, third = (person_of(table, seat) for seat in game.players_to_act())
    panels = [await person.slash("help", table.thread) for person in (first, second, third)]
    boards = table.told()
    assert "pass" in (await table.use(first, panels[0], label=label(panels[0], "pass"))).text
    done = await table.use(second, panels[1], label=label(panels[1], "pass"))
    assert "moved on" not in done.text and "pass" in done.text
    await table.wait(lambda: table.told() > boards, "the record")


@pytest.mark.whole
async def test_1820_a_company_is_floated_in_words_of_a_form(table: Table) -> None:
    game = await brought(table, "1820", lambda game: lobby(game, FloatCompany))
    person = person_of(table, game.players_to_act()[0])
    panel = await person.slash("help", table.thread)
    menu = await table.use(person, panel, label="float …")
    assert "Which company?" in menu.text and "`float · …`" in menu.text
    form = await person.click(menu, "write it …")
    text = str(form.modal).split("'value': '", 1)[1].split("'", 1)[0]
    assert text.startswith("float ") and " at " in text and " on " in text
    refused = await table.use(person, form, move="float NOWHERE")
    assert "NOWHERE" in refused.text and refused.ephemeral
    shown = await table.use(person, await person.click(menu, "write it …"), move=text)
    assert "would do this" in shown.text
    assert [file.filename for file in shown.files] == ["crop.png"]
    done = await table.use(person, shown, label=label(shown, "Do it: float"))
    assert "moved on" not in done.text and "not" not in done.text.split("\n", 1)[0]


@pytest.mark.whole
async def test_1820_a_lobby_is_funded_with_any_sum(table: Table) -> None:
    game = await brought(table, "1820", lambda game: lobby(game, FundLobby))
    person = person_of(table, game.players_to_act()[0])
    menu = await table.use(person, await person.slash("help", table.thread), label="fund …")
    assert "How much will it hold then?" in menu.text
    shown = await table.use(person, await person.click(menu, "another amount …"), sum="40")
    assert "would do this" in shown.text
    assert "40" in label(shown, "Do it: fund")


async def test_1844_a_mountain_railway_is_placed_with_pictures(table: Table) -> None:
    game = await brought(table, "1844", lambda game: game.frame.plan == "mountain")
    person = person_of(table, game.players_to_act()[0])
    menu = await table.use(person, await person.slash("help", table.thread), label="lay …")
    assert "Where?" in menu.text and [file.filename for file in menu.files] == ["crop.png"]
    shown = await table.use(person, menu, "0")
    while "would do this" not in shown.text:
        shown = await table.use(person, shown, "0")
    done = await table.use(person, shown, label=label(shown, "Do it: lay"))
    assert "moved on" not in done.text


async def test_18bf_an_auction_is_opened_with_any_bid(table: Table) -> None:
    game = await brought(table, "18BF", lambda game: game.frame.plan == "stock turn")
    person = person_of(table, game.players_to_act()[0])
    menu = await table.use(person, await person.slash("help", table.thread), label="bid …")
    assert "For how much?" in menu.text and "`bid P1 …`" in menu.text
    shown = await table.use(person, await person.click(menu, "another amount …"), sum="35")
    assert "would do this" in shown.text
    done = await table.use(person, shown, label=label(shown, "Do it: bid"))
    assert "35" in done.text


async def test_whoever_may_manage_threads_moderates_too_under_his_name(table: Table) -> None:
    ann, bob, cid = table.people
    # The server is Ann's, the game is Bob's.
    table.people = (bob, cid, table.double.dora)
    await table.open()
    assert "Only the moderator" in (await cid.slash("moderate status", table.thread, status="paused")).text
    assert "Ann pauses" in (await ann.slash("moderate status", table.thread, status="paused")).text
    assert "Bob resumes" in (await bob.slash("moderate status", table.thread, status="running")).text
    log = (await bob.slash("log", table.thread)).text
    assert "Ann" in log and "Somebody" not in log

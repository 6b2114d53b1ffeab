"""Looking, files and options in Discord."""

from __future__ import annotations

import json
import re

import pytest

from tests.commands.discord_table import Table
from tests.commands.discord_table import table as table
from tests.discord_double.fixtures import double as double


async def test_log_trains_tiles_board_charts_report(table: Table) -> None:
    await table.open()
    ann, bob, _ = table.people
    assert any("How to move" in board.text and "mention me" in board.text for board in table.boards())
    for text in ("buy P1", "buy P2", "reduce P4"):
        await table.move(text)
    for command, options, piece, files in (
        ("log", {}, "Ann buys P1", []),
        ("log", {"since": "turn"}, "Bob buys P2", []),
        ("log", {"about": "P2"}, "2. Bob buys P2", []),
        ("log", {"about": "cid", "records": 5}, "Cid lowers P4", []),
        ("log", {"since": "all"}, "4 log entries", ["log-1.txt"]),
        ("trains", {}, "for sale now", []),
        ("tiles", {"which": "yellow"}, "yellow", ["tiles.png"]),
        ("board words", {}, "file", ["board.txt"]),
        ("chart", {"kind": "prices"}, "", ["prices.png"]),
        ("report", {}, "current standings", ["worth.png"]),
        ("timelapse", {}, "", ["timelapse.gif"]),
        ("results", {}, "No game has finished yet", []),
        ("record", {}, "No game has been finished yet", []),
        ("record", {"about": "1848"}, "No game of 1848", []),
        ("privacy record", {"audience": "tables"}, "Your record: the people in your games see it too", []),
        ("export", {"form": "18xx"}, "Game 1", ["game-1.json"]),
    ):
        reply = await ann.slash(command, table.thread, **options)
        assert piece in reply.text, (command, reply.text)
        assert [file.filename for file in reply.files] == files, command
    assert "P2" not in (await ann.slash("log", table.thread, about="P1")).text
    games = await bob.slash("games", table.thread)
    assert "https://discord.com/channels/" in games.text
    mine = (await ann.slash("games", table.thread)).text
    assert "Your turn" in mine and re.search(r"lower a price(, or pass)?\. Asked <t:\d+:R>\. https://", mine), mine


@pytest.mark.whole
async def test_a_game_is_exported_cloned_and_brought_back(table: Table) -> None:
    await table.open()
    ann, bob, _ = table.people
    await table.move("buy P1")
    await table.move("buy P2")
    exported = await ann.slash("export", table.thread)
    clone = await bob.slash("game clone", table.thread, record=1)
    assert "every seat is yours" in clone.text
    copy = await table.wait(lambda: table.double.threads[1:], "a thread for the copy")
    await table.wait(lambda: [m for m in copy[0].messages if m.content.startswith(bob.mention)], "a question there")
    moved = await bob.slash("move", copy[0], move="buy P2; buy P3")
    assert "buys P3" in moved.text
    back = await ann.slash("game import", table.thread, file=("game.json", exported.files[0].data))
    assert "continues after 2 moves" in back.text
    foreign = await ann.slash("export", table.thread, form="18xx")
    again = await ann.slash("game import", table.thread, file=("game.json", foreign.files[0].data))
    assert "continues after 2 moves" in again.text
    assert json.loads(exported.files[0].data)["title"] == "1848"
    for rubbish in (b"", b"[1, 2", b'{"title": "1848"}', b"\xff\xfe"):
        refused = await ann.slash("game import", table.thread, file=("game.json", rubbish))
        assert "That file" in refused.text


async def test_options_are_chosen_in_the_lobby(table: Table) -> None:
    ann, bob, _ = table.people
    channel = table.double.channel
    choices = await ann.autocomplete("game new", channel, "options", "", title="1848")
    assert [choice.value for choice in choices] == ["rules=rulebook", "rules=18xx.games"]
    assert "no option" in (await ann.slash("game new", channel, title="1848", options="fog")).text
    lobby = await ann.slash("game new", channel, title="1848", options="18xx.games")
    assert "rules: 18xx.games" in lobby.text
    assert "Only the moderator" in (await bob.click(lobby.message, "Options")).text
    panel = await ann.click(lobby.message, "Options")
    shown = await table.use(ann, panel, "rulebook")
    assert "rules: rulebook" in shown.text
    timed = await table.use(ann, shown, "daily")
    assert "Clock daily (a game of about 3 weeks)" in timed.text and timed.message.components
    untimed = await table.use(ann, timed, "none")
    assert "Clock daily" not in untimed.text


@pytest.mark.whole
async def test_without_the_right_to_attach_files_the_game_goes_on_in_words(table: Table) -> None:
    await table.open()
    table.double.forbid(table.double.channel, "attach_files")
    ann = table.people[0]
    await ann.slash("move", table.thread, move="buy P1")
    await table.wait(lambda: "buys P1" in table.boards()[0].text, "the record")
    assert "I may not attach files" in table.boards()[0].text and not table.boards()[0].attachments
    table.double.allow(table.double.channel)
    await table.people[1].slash("move", table.thread, move="buy P2")
    await table.wait(lambda: "buys P2" in table.boards()[0].text, "the record")
    assert "I may not attach files" not in table.boards()[0].text and table.boards()[0].attachments

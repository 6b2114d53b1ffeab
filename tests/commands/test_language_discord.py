"""German in Discord: for one person, for a game's posts, in what the client shows of the commands."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.commands.discord.bot import add_commands
from bot.commands.discord.slash.language import Descriptions
from tests.commands.discord_table import Table
from tests.commands.discord_table import table as table
from tests.discord_double.fixtures import double as double
from tests.discord_double.limits_commands import check_commands


async def test_a_person_is_spoken_to_in_his_language(table: Table) -> None:
    await table.open()
    ann, bob, _ = table.people
    assert "Deutsch" in (await ann.slash("language mine", table.thread, language="de")).text
    helped = await ann.slash("help", table.thread)
    assert "eine Privatbahn kaufen oder einen Preis senken" in helped.text
    assert "    buy P1" in helped.text
    assert "Tempo" in (said := (await ann.slash("moderate pace", table.thread, pace="slow")).text) and "langsam" in said
    quiet = await ann.slash("clock quiet", table.thread, zone="Europe/Berlin", begin=22, end=8)
    assert "in allen deinen Spielen (1) und in neuen" in quiet.text
    assert "Ann hält das Spiel an" in (await ann.slash("moderate status", table.thread, status="paused")).text
    assert "Ann setzt das Spiel fort" in (await ann.slash("moderate status", table.thread, status="running")).text
    again = await ann.slash("moderate status", table.thread, status="running")
    assert "Dieses Spiel hat schon den Status läuft." in again.text
    refused = await bob.slash("move", table.thread, move="buy P1")
    assert "That is Ann's move" in refused.text
    refused = await ann.slash("move", table.thread, move="sell VR")
    assert "Das geht jetzt nicht: Ann ist gefragt" in refused.text
    assert "buy a private" in (await bob.slash("help", table.thread)).text
    assert "English" in (await ann.slash("language mine", table.thread, language="en")).text


async def test_a_game_speaks_its_language_and_pings_speak_the_persons(table: Table) -> None:
    await table.open()
    ann, bob, _ = table.people
    assert "Only the moderator" in (await bob.slash("language game", table.thread, language="de")).text
    assert "Deutsch" in (await ann.slash("language game", table.thread, language="de")).text
    await bob.slash("language mine", table.thread, language="en")
    before = table.told()
    await table.move("buy P1")
    await table.wait(lambda: table.told() > before, "the board")
    assert "Ann kauft P1" in table.boards()[-1].text
    assert [file.alt.split(" 18")[0] for file in table.boards()[-1].attachments] == ["Karte von"]
    ping = await table.wait(lambda: next((p for p in table.pings() if p.mentions[0].name == "Bob"), None), "Bob's turn")
    assert "Buy a private" in ping.content and "You have" in ping.content and "Bob:" not in ping.content
    await table.move("buy P2")
    ping = await table.wait(lambda: next((p for p in table.pings() if p.mentions[0].name == "Cid"), None), "Cid's turn")
    assert "Du hast £" in ping.content and "Was kann ich tun?" in {
        button.label for button in table.boards()[-1].buttons
    }
    assert any(button.label.startswith("buy P3") for button in ping.buttons)


async def test_commands_are_described_in_german_within_discords_limits() -> None:
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    add_commands(tree)
    said = [await command.get_translated_payload(tree, Descriptions()) for command in tree.get_commands()]
    assert not check_commands(said)
    described = [entry for command in said for entry in (command, *command.get("options", ()))]
    lacking = [
        entry["name"]
        for entry in described
        if entry["description"] != "…" and "de" not in entry.get("description_localizations", {})
    ]
    assert lacking == [], "run `make words` and translate"
    assert all(not entry.get("name_localizations") for entry in described)

"""In a terminal: lobby, trying, standing orders, the moderator's acts, files, charts, languages, scripts."""

from __future__ import annotations

import io
import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.commands.terminal.console import FAULT, run_console
from tests.commands.test_console import NEW, Session
from tests.commands.test_console import pictureless as pictureless
from tests.commands.test_console import session as session


async def test_a_lobby_takes_players_and_options_one_by_one(session: Session) -> None:
    said = await session(
        "lobby 1848",
        "join Ann",
        "join Bob",
        "start",
        "option rules=18xx.games",
        "option rules",
        "option rules=mine",
        "join",
        "join Ann",
        "leave",
        "join Zoe",
        "join Bob",
        "join Cid",
        "start list",
        "join Dan",
    )
    assert "Game 1: 1848 Australia, 3 to 6 players.\nIn: nobody yet" in said
    assert "Chosen: rules=18xx.games." in said
    for sentence in (
        "No: 1848 Australia is for 3 to 6 players, not 2.",
        "No: Choose an option like this: options rules=rulebook.",
        "No: Option rules can be: rulebook, 18xx.games, not mine.",
        "No: Who joins?",
        "No: There is already a player called Ann.",
    ):
        assert sentence in said, sentence
    assert "Game 1 has begun.\nZoe: buy a private or lower a price." in said
    assert "No: " in said.rsplit("> join Dan", 1)[1] and FAULT not in said
    assert "Back at game 1" in await session()


async def test_the_status_names_votes_that_wait(session: Session) -> None:
    await session(NEW)
    with closing(sqlite3.connect(session.data / "signalbox.db")) as database, database:
        database.execute("UPDATE seats SET person = 'discord:2' WHERE number = 2")
    said = await session("vote end", "status")
    assert "asks to end the game now. Waiting for Bob." in said.rsplit("> status", 1)[1]


async def test_trying_and_the_sandbox(session: Session) -> None:
    said = await session(
        NEW, "try", "try buy P1; buy P2", "whatif", "whatif buy P1", "whatif make", "whatif drop", "log"
    )
    assert "No: One or several moves, for any seat? For example: try run best; pay." in said
    assert "That would do this:\n- Ann buys P1" in said and "Then: Cid: buy a private" in said
    assert "Your sandbox is empty; make a move in it with: whatif …." in said
    assert "Next: whatif make; whatif back; whatif drop." in said
    assert "1. Ann buys P1" in said and "2. " not in said.rsplit("> log", 1)[1]


async def test_standing_orders_act_for_the_seat_that_is_named(session: Session) -> None:
    auction = "buy P1; buy P2; buy P3; buy P4; buy P5; buy P6"
    said = await session(
        NEW, auction, "auto", "auto Cid: pass", "auto Zoe: pass", "auto fly", "auto drop x", "par VR 100", "auto drop"
    )
    assert "You have no plans here." in said
    assert (
        "Noted, visible only to you: Pass. It ends when the round is over." in said
        and "1. Cid: Pass. It ends when the round is over." in said
    )
    assert "No: There is no player or company Zoe" in said and "No: There is no move called fly" in said
    assert "No: order is a number from 1 to 999." in said and " dropped." in said


async def test_the_moderators_acts(session: Session) -> None:
    said = await session(
        NEW,
        "moderate",
        "moderate pause",
        "buy P1",
        "moderate resume",
        "moderate correct cash Ann 500 a gift",
        "moderate correct cash Ann 500",
        "moderate replace 2 *Zoe*",
        "moderate replace",
        "moderate pace fast",
        "moderate pace sideways",
        "moderate rules",
        "moderate end",
        "buy P1",
    )
    for sentence in (
        "No: New state of the game? For example: moderate pause.",
        "No: The moderator has paused this game.",
        "Ann corrects: Ann has £500 instead of £840 (a gift).",
        "No: Why? For example: moderate cash Ann 150 counted wrong.",
        "Zoe has seat 2 now.",
        "No: The seat to give away? For example: moderate replace 2 Zoe.",
        "The pace is fast from the next move on.",
        "No: pace can be fast, normal or slow.",
        "Ann ends the game.",
        "No: This game is over.",
    ):
        assert sentence in said, sentence
    assert FAULT not in said


async def test_a_game_is_handed_over_to_a_player_from_elsewhere(session: Session) -> None:
    await session(NEW)
    with closing(sqlite3.connect(session.data / "signalbox.db")) as database, database:
        database.execute("UPDATE seats SET person = 'discord:2' WHERE number = 2")
    said = await session("game sitter Bob 3", "moderate handover Zoe", "moderate handover bob", "moderate pause")
    assert "Bob moves for you for 3 days." in said
    assert "No: That person is the moderator already." in said, "Zoe would play at this screen"
    assert "Bob is the moderator now." in said and "No: Only the moderator of the game may do that." in said


async def test_games_go_out_and_come_back_in_both_forms(session: Session, tmp_path: Path) -> None:
    own, theirs = tmp_path / "own.json", tmp_path / "theirs.json"
    said = await session(
        NEW,
        "buy P1",
        f"export {own}",
        f"export {theirs} 18xx",
        f"import {own}",
        f"import {theirs}",
        "import",
        "import /no/such/file",
        "import .",
        "clone 0",
        "clone 99",
        "clone x",
        "report",
        "chart",
        "chart pie",
        "timelapse",
    )
    assert said.count("continues after 1 move.\nBob: buy a private") == 2
    assert json.loads(theirs.read_text())["title"] == "1848"
    assert (
        "No: Exported from Signalbox, or a game's JSON from 18xx.games? For example: import game.json." in said
        and "No: /no/such/file cannot be read: No such file or directory." in said
    )
    assert "Game 4 is a copy of game 3; every seat is yours. \nAnn: buy a private" in said
    assert "No: Game 4 has log entries 0 to 0." in said and "No: record is a number from 0 to 999999." in said
    assert "1. Ann £840: cash £840" in said and "No picture: The painter is ill." in said
    assert "No: kind can be worth, income or prices." in said and "No: There is nothing to see yet." in said
    assert FAULT not in said


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("[1, 2", "is not JSON"),
        ("{}", "No: "),
        ('{"format": "signalbox 1", "title": "1999", "players": [], "moves": []}', "known titles: 1848"),
        ('{"format": "signalbox 1", "title": "1848", "players": ["A"], "moves": []}', "1848 Australia is for 3 to 6"),
        (
            '{"format": "signalbox 1", "title": "1848", "players": ["Ann", "Bob", "Cid"], "moves": ["@1 buy P9"]}',
            "action 1",
        ),
    ],
)
async def test_files_that_are_no_games_are_refused(
    session: Session, tmp_path: Path, content: str, sentence: str
) -> None:
    path = tmp_path / "game.json"
    path.write_text(content)
    said = await session(f"import {path}", "games")
    assert sentence in said and "You are in no game." in said and FAULT not in said


async def test_help_for_one_move_or_command(session: Session) -> None:
    said = await session(NEW, "help reduce", "help par", "help map", "help statsu", "turn", "board")
    assert "reduce needs a private.\nLegal now:\n    reduce P1\n" in said
    assert "par needs a company and a price, for example:\n    par VR 70\nNothing of this kind is legal now. " in said
    assert "It is possible when the decision is: buy or sell shares." in said
    assert "map [AROUND]\nThe whole map, or around hexes or a company's tokens.\n" in said
    assert "No: There is no command or move called statsu; perhaps status" in said
    assert "You have £840, 0 of 20 certificates." in said and "H11 Melbourne" in said


async def test_the_turn_of_several_names_everybody(session: Session) -> None:
    said = await session("new 1820 Ann Bob --seed 7", "bid GWS 20", "bid JL 20; pass", "pass", "turn")
    told = said[said.rindex("Bob and Ann: pay for cousins") :]
    assert "Ann has £820" in told and "Bob has £810" in told and "You have" not in told
    assert "Since Bob's last turn:\n- Ann passes" in told and "Since Ann's last turn:" not in told


async def test_the_language_stays(session: Session) -> None:
    said = await session(NEW, "language xx", "language", "language de", "help befehle", "buy P9")
    assert "No: language can be en, de or discord. For example: language de." in said
    assert (
        "Ich schreibe dir jetzt auf Deutsch." in said
        and "Befehle (englische Wörter gelten auch)" in said
        and "Deine Spiele, und in welchen du am Zug bist" in said
    )
    assert "Nein: buy P9: P9 gibt es hier nicht; vielleicht P1" in said and "    buy P1 for 30" in said
    assert "Ann: eine Privatbahn kaufen oder einen Preis senken" in await session("turn", "language en")


async def test_the_terminal_obeys_in_german(session: Session) -> None:
    lines = (
        "hlife",
        "markr",
        "marker Z9",
        "hilfe befehle",
        "hilfe bfehle",
        "befehle",
        "karte melbourne",
        "karte worte",
        "karte Victorian Railway",
        "senke P1",
        "zurück",
    )
    said = await session(NEW, "sprache de", *lines, "hilfe senke", "language en")
    assert "Einen Befehl oder Spielzug namens hlife gibt es nicht; vielleicht hilfe." in said
    assert "namens markr gibt es nicht; vielleicht markt oder market." in said
    assert "marker Z9: Unbekannt: Feld Z9" in said
    assert said.count("Befehle (englische") == 2 and "namens bfehle; vielleicht befehle" in said
    assert said.count("H11 Melbourne: weiß; Stadt") == 3
    assert "Ann senkt P1 auf £25." in said and "Ann nimmt zurück: reduce P1" in said
    assert "reduce braucht eine Privatbahn" in said and "No:" not in said


@pytest.mark.parametrize(("script", "code"), [("buy P1\nbuy P2\n", 0), ("buy P9\nbuy P1\n", 1)])
async def test_a_script_ends_at_its_first_refusal(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    pictureless: None,
    script: str,
    code: int,
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{NEW}\n{script}".encode())))
    assert await run_console(tmp_path, is_strict=True) == code
    assert ("> buy P1" in capsys.readouterr().out) is (code == 0)


async def test_help_knows_the_words_before_a_thing_and_names_what_was_typed(session: Session) -> None:
    said = await session("new 1848 Ann Bob Cid", "help private", "help train", "help minor")
    assert said.count("A company, private or train: what it is, has and does.\n") == 3
    said = await session("language de", "hilfe zug", "hilfe qqqqq", "language en")
    assert "gesellschaft NAME" in said and "namens qqqqq" in said

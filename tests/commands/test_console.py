"""The table in a terminal: every command, refusals, restarts, pipes and terminals."""

from __future__ import annotations

import base64
import io
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from textwrap import wrap

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from bot.commands.terminal.commands import Console
from bot.commands.terminal.console import FAULT, PERSON, run_console
from bot.commands.terminal.prompt import MENU, LegalMoves, line_for_typing, typed_lines
from bot.commands.terminal.screen import Screen
from bot.commands.terminal.terminal_screen import TerminalScreen, encode_inline
from bot.engine.games.game_record import GameRecordFile
from bot.engine.play.game import Game
from bot.engine.refusals import IllegalMove
from bot.i18n import use_language
from bot.render.worker import PictureFailed, Renderer
from bot.service.features.moves import Moves
from bot.service.game_service import GameService
from bot.service.imports.formats import follow, load
from bot.service.registry.command import Door
from bot.service.registry.command_line import usage
from bot.service.registry.commands import COMMANDS
from bot.service.registry.lobby_commands import parse_players
from bot.store import Store
from bot.titles.registry import TITLES

NEW = "new 1848 Ann Bob Cid --seed 7"
AUCTION = "buy P1; buy P2; buy P3; buy P4; buy P5; buy P6"


class Pictureless:
    """A studio in which every picture fails at once."""

    async def picture(self, *arguments: object) -> None:
        raise PictureFailed("The painter is ill.")

    history_picture = paint = picture

    def close(self) -> None: ...


@pytest.fixture
def pictureless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.commands.terminal.console.Renderer", Pictureless)


class Session:
    """Sessions on one data folder, fed by a pipe."""

    def __init__(self, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.data, self.monkeypatch, self.capsys = data, monkeypatch, capsys
        self.code = -1

    async def __call__(self, *lines: str | bytes) -> str:
        raw = b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines)
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
        self.code = await run_console(self.data)
        return self.capsys.readouterr().out


@pytest.fixture
def session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], pictureless: None
) -> Session:
    return Session(tmp_path / "data", monkeypatch, capsys)


# -- a session ----------------------------------------------------------------------------------------


async def test_a_game_that_cannot_be_opened_does_not_keep_the_console_from_the_others(session: Session) -> None:
    await session(NEW, "buy P1", NEW)
    with closing(sqlite3.connect(session.data / "signalbox.db")) as database, database:
        database.execute("UPDATE games SET options = '[' WHERE id = 2")
    said = await session("games", "open 2", "status", "buy P2")
    assert session.code == 0 and FAULT not in said
    sentence = "The saved data of game 2 is damaged (options); run: signalbox doctor."
    assert said.startswith(
        f"Signalbox: 18xx by post. New to 18xx? Type lesson: you learn it by playing. A solo game: new 1848 me computer computer. All else: help.\nNo: {sentence}\n"
    )
    assert "Back at game 1 (1848). Bob: buy a private or lower a price." in said
    assert f"  2: 1848 (Ann, Bob, Cid), running. {sentence}" in said
    assert "Bob buys P2" in said


async def test_a_new_game_and_its_first_moves(session: Session) -> None:
    said = await session(NEW, "help", "buy P1", "Bob: reduce P4", "status", "quit")
    assert "Game 1: 1848 Australia with Ann, Bob, Cid.\nAnn: buy a private or lower a price." in said
    assert "To buy a private or lower a price:\n  All privates are for sale" in said
    assert "(1848 §3.1).\n    buy P1 for 30" in said
    assert "  Ann buys P1 Melbourne & Hobson's Bay Railway Company for £30.\nBob: buy a private" in said
    assert "  Bob lowers P4 to £165.\nCid: " in said
    assert "Ann: £810, 0/20 certificates, net worth £810; P1" in said
    assert session.code == 0


async def test_every_command_is_in_the_help_and_answers(session: Session) -> None:
    here = [command for command in COMMANDS.values() if command.is_at(Door.TERMINAL) and not command.form_of]
    said = await session(
        NEW, "help commands", *(command.example or command.name for command in here if command.name != "language mine")
    )
    for command in here:
        assert f"    {usage(command, Door.TERMINAL)}   {command.help}" in said
    assert FAULT not in said and session.code == 0


async def test_looking(session: Session) -> None:
    said = await session(NEW, "map", "market", "company vr", "player bob", "trains", "tiles", "map H11", "map vr")
    assert "No picture: The painter is ill." in said
    assert said.count("H11 Melbourne: white; city (reserved for VR)") == 2, "around H11, VR's home"
    assert "○vr" in said and "In words: map words." in said
    assert "starting price: £70, £80, £90, £100" in said
    assert "Victorian Railway\nVR: not started" in said
    assert "\nBob: £840" in said
    assert "2 £100, 2+ £120: 6 left (for sale now)" in said
    assert "yellow: " in said


async def test_the_log_marks_what_was_taken_back(session: Session) -> None:
    said = await session(NEW, "buy P1", "buy P2", "undo", "log", "undo 2", "rewind 2", "log 1")
    assert "Bob takes back: buy P2 for 70" in said
    assert "1. Ann buys P1" in said and "2. (taken back) Bob buys P2" in said
    assert "No: You can take back 1; before that another player moved, or the game began." in said
    assert "Ann goes back to move 2." in said.replace("The moderator", "Ann")
    assert session.code == 0


async def test_the_end_of_input_ends_the_session(session: Session) -> None:
    assert "Game 1" in await session(NEW)
    assert session.code == 0
    assert "Welcome" not in await session()
    assert session.code == 0


async def test_lines_that_are_no_text_are_refused(session: Session) -> None:
    said = await session(NEW, b"buy \xff\xfe P1", "buy 🚂", "x" * 5000, "# a comment", "", "buy P1")
    assert "No: buy" in said and "Moves cannot contain" in said
    assert "steam locomotive" in said
    assert "No: A message can have at most 2000 characters; this has 5000." in said
    assert "Ann buys P1" in said and session.code == 0


# -- refusals -----------------------------------------------------------------------------------------


REFUSED = [
    ("buy P9", "No: buy P9: There is no P9; perhaps P1 or P2 or P3."),
    ("bob buy P1", "No: It is not Bob's turn; the game waits for Ann."),
    ("pass", "No: You own no private yet: buy one or lower a price by £5. (1848 §3.1.3)"),
    (
        "statsu",
        "No: There is no command or move called statsu; perhaps status or start.",
    ),
    ("privates", "No: There is no command or move called privates; perhaps private."),
    ("company WR", "No: There is no WR; perhaps"),
    ("company", "No: Its abbreviation: VR, P1, 3+? For example: company VR."),
    ("player Zoe", "No: There is no player Zoe; the players are: Ann, Bob, Cid."),
    ("map Z99", "No: There is no hex or company Z99"),
    ("map BOE", "No: BOE has no place on the map."),
    ("routes", "No: No company is operating now; name a company."),
    ("routes XX", "No: There is no company XX"),
    ("undo", "No: There is nothing to take back."),
    ("undo x", "No: moves is a number from 1 to 999. For example: undo 3."),
    ("rewind", "No: The log entry after which the game continues? For example: rewind 12."),
    ("rewind 99", "No: This game has log entries 0 to 0."),
    ("log 0", "No: records is a number from 1 to 99999."),
    ("open", "No: Number of the game? For example: open 2"),
    ("open 77", "No: There is no game 77."),
    ("export 18xx /no/such/folder/game.json", "cannot be written: No such file or directory."),
    ("export /no/such/folder/game.json", "cannot be written: No such file or directory."),
    ("new", "No: Which title? For example: new 1848 Ann Bob Cid."),
    ("new 1848 Ann Bob", "No: 1848 Australia is for 3 to 6 players, not 2."),
    (
        "new 1999 Ann Bob Cid",
        "No: title can be 1848, 1820, ",
    ),
    ("new 1848 Ann Ann Cid", "No: There is already a player called Ann."),
    ("new 1848 Ann Bob P4", "No: P4 is a name used in 1848 Australia"),
    ("new 1848 Ann Bob Cid rules=mine", "No: Option rules can be: rulebook, 18xx.games, not mine."),
    ("new 1848 Ann Bob Cid speed=1", "No: 1848 Australia has no option speed"),
    ("new 1848 Ann Bob Cid --seed", "No: A seed is a number, for example: --seed 7."),
    ("new 1848 'Ann Bob", "No: A quotation mark is missing."),
]


async def test_refusals_are_sentences_and_no_errors(session: Session) -> None:
    await session(NEW)
    for line, sentence in REFUSED:
        said = await session(line, "status")
        assert sentence in said, line
        assert "Ann (priority): £840" in said, "the game is as it was"
        assert session.code == 0


async def test_a_refusal_comes_with_what_would_be_legal(session: Session) -> None:
    said = await session(NEW, "buy P4 for 20")
    assert "No: P4 costs £170. (1848 §3.1.1)\nLegal moves, for example:\n    buy P4 for 170\n" in said
    said = await session("buy P1; buy P2; buy P3; buy P4; buy P5; buy P6; par VR")
    assert "No: par VR: At which par price? There are several possibilities.\nChoose one:\n    par VR 100\n" in said


async def test_a_sum_for_a_lobby_is_a_move_where_lobbies_are_funded(session: Session) -> None:
    said = await session("new 1820 Ann Bob Cid --seed 3", "lobby 500", "lobby 1848")
    assert "title can be 1848" not in said and "is asked to: bid for a cousin" in said
    assert "Game 2: 1848 Australia" in said
    assert "title can be 1848" in await session(NEW, "lobby 500")


async def test_without_a_game(session: Session) -> None:
    said = await session("buy P1", "status", "games", "help")
    assert said.count("No: No game is open. Start a game with: new 1848 Ann Bob Cid; games lists your games.") == 2
    assert "You are in no game. To open one: new 1848 Ann Bob Cid." in said
    helped = said.partition("Signalbox plays 18xx by the rules")[2]
    lines = [part for line in helped.splitlines() for part in wrap(line, 80)]
    assert "help commands" in helped and len(lines) < 20, "a screen of 24 lines has room for it"
    said = await session("help commands", "help credits")
    assert "Commands:\n    lesson [hint | again]" in said and "\n    new TITLE [PLAYERS]" in said and session.code == 0
    assert said.count("(permission for Signalbox: ") == len(TITLES)


async def test_a_fault_of_the_program_is_logged_and_gives_exit_code_1(
    session: Session, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*arguments: object, **more: object) -> None:
        raise RuntimeError("a bolt is loose")

    await session(NEW)
    with monkeypatch.context() as patch:
        patch.setattr(Moves, "submit", broken)
        said = await session("buy P1", "status")
    assert FAULT in said and "Ann (priority)" in said, "the session goes on"
    assert session.code == 1 and "a bolt is loose" in caplog.text
    await session("buy P1")
    assert session.code == 0


# -- several games, restarts --------------------------------------------------------------------------


async def test_the_last_open_game_is_open_again_after_a_restart(session: Session) -> None:
    await session(NEW, "buy P1", "new 1848 Dan Eve Flo Gus", "open 1")
    said = await session("games")
    assert "Back at game 1 (1848). Bob: buy a private or lower a price" in said
    assert "* 1: 1848 (Ann, Bob, Cid), running. Bob: " in said
    assert "  2: 1848 (Dan, Eve, Flo, Gus), running. Dan: " in said


@pytest.mark.parametrize("memory", [b"", b"99", b"nonsense", b"\xff\xfe", None])
async def test_a_lost_memory_leads_to_the_newest_game(session: Session, memory: bytes | None) -> None:
    await session(NEW, "new 1848 Dan Eve Flo", "open 1")
    path = session.data / "console-game"
    path.unlink() if memory is None else path.write_bytes(memory)
    assert "Back at game 2 (1848). Dan: " in await session()


async def test_an_export_can_be_read_and_is_never_overwritten(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    said = await session(NEW, AUCTION, f"export {path}", f"export {path}")
    assert f"Written: {path}" in said and f"No: {path} exists already; choose another name." in said
    game = load(path)
    assert isinstance(game, GameRecordFile) and game.seed == 7 and len(game.moves) == 6
    *_, (_, position) = follow(game)
    assert position.state.round.kind == "stock"
    assert json.loads(path.read_text())["players"] == ["Ann", "Bob", "Cid"]


def test_the_words_of_new() -> None:
    assert parse_players("Ann 'Bob B' Cid --seed 7 rules=rulebook") == (
        ["Ann", "Bob B", "Cid"],
        {"rules": "rulebook"},
        7,
    )
    assert parse_players("Ann --seed=8")[2] == parse_players("Ann seed=8")[2] == 8
    assert parse_players("Ann --rules=rulebook")[1] == {"rules": "rulebook"}
    for wrong in ("seed=x", "seed=²", "'Ann"):
        with pytest.raises(IllegalMove):
            parse_players(wrong)


# -- a terminal ---------------------------------------------------------------------------------------


def completions(game: Game | None, typed: str) -> list[str]:
    completer = LegalMoves()
    completer.game = game
    return [found.text for found in completer.get_completions(Document(typed), CompleteEvent(text_inserted=True))]


def test_completion_offers_commands_and_legal_moves() -> None:
    game = Game.new(TITLES["1848"], ["Ann", "Bob", "Cid"], seed=1)
    assert completions(game, "buy P4") == ["buy P4 for 170"]
    assert completions(game, "map") == ["map"]
    assert completions(game, "buy P1; reduce P4") == ["buy P1; reduce P4"]
    assert completions(game, "") == []
    assert completions(None, "sta") == ["start", "status"]


async def test_a_person_at_a_terminal(tmp_path: Path) -> None:
    store = await Store.open(tmp_path / "signalbox.db")
    said: list[str] = []
    console = Console(GameService(store, TITLES), tmp_path, Screen(said.append), Renderer())
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text(f"{NEW}\rbuy P1\r\x04")
        async for line in typed_lines(console):
            await console.execute(line)
    await store.close()
    assert any(text.startswith("  Ann buys P1") for text in said)
    assert NEW in (tmp_path / "console-history").read_text()


async def test_alt_with_arrows_shows_earlier_and_later_boards_and_changes_nothing(tmp_path: Path) -> None:
    store = await Store.open(tmp_path / "signalbox.db")
    said: list[str] = []
    console = Console(GameService(store, TITLES), tmp_path, Screen(said.append), Renderer())
    typed: list[str] = []
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        lines = (
            f"{NEW}\r",
            "buy P1\r",
            "buy P2\r",
            "\x1b\x1b[D",
            "\x1b\x1b[D",
            "\x1b\x1b[C",
            "history 9\r",
            "status\r",
            "\x04",
        )
        pipe.send_text(lines[0])
        async for line in typed_lines(console):
            typed.append(line)
            await console.execute(line)
            pipe.send_text(lines[len(typed)])
    table = await console.tables.desk.table(1)
    await store.close()
    assert typed == [NEW, "buy P1", "buy P2", "history", "history 0", "history 1", "history 9", "status"]
    assert [text[:24] for text in said if text.startswith("After log entry")] == [
        "After log entry 1 of 2: ",
        "After log entry 0 of 2: ",
        "After log entry 1 of 2: ",
    ]
    assert "No: This game has log entries 0 to 2." in said and table.record.version == 2


def test_tables_in_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    screen = TerminalScreen({})
    game = Game.new(TITLES["1848"], ["Ann", "Bob", "Cid"], seed=1)
    screen.status(game)
    said = capsys.readouterr().out
    assert "player" in said and "certificates" in said and "Ann (priority)" in said and "£840" in said
    assert "BOE" in said and "Privates for sale: P1 £30" in said


async def test_until_something_is_typed_no_room_is_kept_below_the_line_so_that_the_table_stays_on_the_screen() -> None:
    heights: list[int] = []
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        session = line_for_typing(LegalMoves(), InMemoryHistory())

        def measured() -> None:
            for text in ("", "buy"):
                session.default_buffer.text = text
                heights.append(session.app.layout.container.preferred_height(80, 24).preferred)

        pipe.send_text("\n")
        await session.prompt_async("> ", pre_run=measured)
    assert heights == [1, MENU]


def test_german_commands_are_completed_for_whoever_reads_german() -> None:
    def offered() -> list[str]:
        return [found.text for found in LegalMoves().get_completions(Document("kar"), CompleteEvent())]

    assert offered() == []
    with use_language("de"):
        assert offered() == ["karte"]


def png(wide: int) -> bytes:
    """What looks like a picture of that width."""
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + wide.to_bytes(4, "big") + bytes(range(256)) * 40


PNG = png(600)


@pytest.mark.parametrize(
    ("environment", "begins", "pieces"),
    [
        ({"TERM": "xterm-kitty"}, "\x1b_Gf=100,a=T,m=1;", 5),
        ({"KITTY_WINDOW_ID": "1"}, "\x1b_Gf=100,a=T,m=1;", 5),
        ({"TERM_PROGRAM": "iTerm.app"}, "\x1b]1337;File=inline=1;size=10260;width=auto;", 1),
        ({"TERM_PROGRAM": "WezTerm"}, "\x1b]1337;File=inline=1;", 1),
        ({"TERM": "xterm-ghostty"}, "\x1b_Gf=100,a=T,m=1;", 5),
        ({"TERM": "xterm-256color"}, "", 0),
        ({"TERM": "xterm-kitty", "TMUX": "yes"}, "", 0),
    ],
)
def test_pictures_in_terminals_that_can(environment: dict[str, str], begins: str, pieces: int) -> None:
    found = list(encode_inline(PNG, environment, 80))
    assert len(found) == pieces
    assert "".join(found).startswith(begins)
    if pieces == 5:
        assert found[3].startswith("\x1b_Gm=0;") and found[4] == "\n"


@pytest.mark.parametrize("environment", [{"TERM": "xterm-kitty"}, {"TERM_PROGRAM": "WezTerm"}])
def test_a_picture_wider_than_the_window_is_made_to_fit_and_arrives_whole(environment: dict[str, str]) -> None:
    wide = png(1400)
    found = "".join(encode_inline(wide, environment, 80))
    assert (",c=80," if "TERM" in environment else ";width=80;") in found
    data = "".join(re.findall(r"[;:]([A-Za-z0-9+/=]{20,})[\x1b\x07]", found))
    assert base64.b64decode(data) == wide


# -- the real program ---------------------------------------------------------------------------------


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "data"


def run(data: Path, lines: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "SIGNALBOX_DATA": str(data)}
    environment.pop("DISCORD_TOKEN", None)
    return subprocess.run(
        [sys.executable, "-m", "bot", "run"],
        input=lines,
        capture_output=True,
        text=True,
        timeout=300,
        env=environment,
        check=False,
    )


@pytest.mark.whole
def test_what_the_readme_types_is_obeyed_line_by_line(program: Path) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    block = readme.partition("In the terminal:")[2].split("```")[1]
    lines = [re.split(r"  +", line)[0].removeprefix("> ") for line in block.strip().splitlines()]
    done = run(program, "\n".join([*lines, ""]))
    assert lines[:2] == ["lesson", "new 1848 me computer computer"] and "try pass" in lines
    assert done.returncode == 0 and "No:" not in done.stdout and "Nein:" not in done.stdout


def test_the_issues_example(program: Path) -> None:
    done = run(program, "new 1848 Ann Bob Cid\nhelp\nstatus\nmap\nmarket\nquit\n")
    assert done.returncode == 0 and done.stderr == ""
    for name in ("game-1-map.png", "game-1-market.png"):
        path = program / "pictures" / name
        assert f"Picture: {path}" in done.stdout
        assert path.read_bytes().startswith(b"\x89PNG")
    again = run(program, "status\n")
    assert "Back at game 1 (1848). Ann: buy a private or lower a price." in again.stdout


def test_the_person_at_the_console_is_one_person() -> None:
    assert PERSON == "console"

"""The table on one screen of the terminal, whatever its size, and pictures where only letters are drawn."""

from __future__ import annotations

import io
import re
from pathlib import Path
from random import Random

import pytest
from PIL import Image

from bot.commands.terminal.dashboard import (
    DashboardLine,
    LineKind,
    clip_text,
    dashboard,
    digest,
    move_kinds,
    move_lines,
    truncate_moves,
    wrap_text,
)
from bot.commands.terminal.prompt import keys_of_history
from bot.commands.terminal.screen import Screen, can_write
from bot.commands.terminal.terminal_screen import TerminalScreen, encode_picture
from bot.engine.ids import as_company
from bot.engine.notation.messages import question
from bot.engine.play.game import Game
from bot.i18n import use_language
from bot.render.painting.terminal_graphics import sixel
from bot.render.scenes.character_map import character_map
from bot.service.parser.suggestions import help_text
from bot.service.registry.command import Door
from bot.service.registry.command_line import find_line
from bot.titles.registry import TITLES
from tests.commands.test_first_game import typed
from tests.service.test_components_info import auctioned

EVERY = pytest.mark.parametrize("name", TITLES)


def played(name: str, moves: int) -> Game:
    title, chance = TITLES[name], Random(4)
    game = Game.new(title, ["Ann", "Bob", "Cid", "Dan"], seed=4)
    for _ in range(moves):
        game.apply(chance.choice(game.legal_actions()))
    return game


@EVERY
@pytest.mark.parametrize("language", ["en", "de"])
def test_it_fits_and_says_what_is_asked_who_has_what_and_what_moves_cost(name: str, language: str) -> None:
    game = played(name, 25)
    with use_language(language):
        lines = dashboard(game, 80, 23)
    assert len(lines) <= 23 and all(len(line.text) <= 80 for line in lines)
    assert [line.kind for line in lines[:2]] == ["heading", "question"]
    assert {"question", "asked", "move", "hint"} <= {line.kind for line in lines}
    for player in game.state.players:
        assert any(player.name in line.text for line in lines)
    if language == "en":
        said = " ".join(line.text for line in lines if line.kind == "question")
        assert said == str(question(game))


def test_it_grows_with_the_window() -> None:
    game = played("1848", 0)
    small, large = dashboard(game, 80, 12), dashboard(game, 160, 60)
    assert len(small) == 12 and small[0].kind == "heading"
    assert any(line.text.endswith("| reduce P6") for line in large)
    assert any("the director's share of CAR" in line.text for line in large)


def test_columns_are_named_above_what_stands_in_them_where_there_is_room() -> None:
    game = played("1848", 0)
    assert not any(line.kind == "columns" for line in dashboard(game, 80, 23)), "moves need the room"
    lines = dashboard(game, 120, 40)
    heads = [number for number, line in enumerate(lines) if line.kind == "columns"]
    for number, words in zip(heads, (("Cash", "£630"), ("Price", "£70")), strict=True):
        head, below = lines[number].text, lines[number + 1].text
        assert head.index(words[0]) + len(words[0]) == below.index(words[1]) + len(words[1])
    for language in ("en", "de"):
        with use_language(language):
            head, below = (line.text for line in dashboard(game, 120, 40)[2:4])
        assert len(head.rpartition("  ")[0]) == len(below.rpartition("  ")[0]), "above what everybody holds"


def test_to_pass_stays_where_moves_find_no_room() -> None:
    lines = [line.text.strip() for line in dashboard(played("18GB", 25), 80, 23)]
    assert lines[-4:-2] == ["pass", "... help shows all moves"] and not any("bid CH" in line for line in lines)


@EVERY
@pytest.mark.parametrize("moves", [25, 60, 100])
def test_no_kind_of_move_vanishes_without_a_word(name: str, moves: int) -> None:
    """Each has a line, or is named in the line that says that there are more."""
    game = played(name, moves)
    kinds = {kind for line in move_lines(game, (), None) for kind in move_kinds(line)}
    for height in (9, 12, 23):
        shown = dashboard(game, 80, height)
        seen = {kind for line in shown for kind in move_kinds(line)}
        said = next((line.text for line in shown if line.text.startswith("... also")), "")
        assert all(re.search(rf"\b{re.escape(kind)}\b", said) for kind in kinds - seen), (kinds - seen, said)


def test_of_moves_that_do_not_fit_one_of_each_kind_stays_before_a_second() -> None:
    moves = ["    par A 1", "    par B 1", "    buy A  — £1.", "    buy A from pool", "    buy B", "    pass"]
    lines = [DashboardLine("To buy or sell shares:", LineKind.HINT)]
    lines += [DashboardLine(text, LineKind.MOVE) for text in moves]

    def shown(room: int) -> list[str]:
        return [line.text.strip() for line in truncate_moves(lines, room)]

    assert shown(7) == [line.text.strip() for line in lines]
    assert shown(5) == ["par A 1", "buy A  — £1.", "buy A from pool", "pass", "... help shows all moves"]
    assert shown(3) == ["par A 1", "pass", "... also buy, buy from pool; help shows all moves"]


def test_no_word_is_broken() -> None:
    text = "    buy P2 for 70  — Oodnadatta Railway: income £10; once a yellow tile in a desert hex without its £40."
    parts = wrap_text(text, 40)
    assert all(len(part) <= 40 for part in parts)
    assert parts[0].startswith("    buy P2") and all(part.startswith("      ") for part in parts[1:])
    assert " ".join(part.strip() for part in parts) == text.strip()
    beside = wrap_text("    Ann bid 2+ 320 | Ann bid 3+ 320 | Bob bid 2+ 320", 44)
    assert beside == ["    Ann bid 2+ 320 | Ann bid 3+ 320 |", "      Bob bid 2+ 320"], "no move is broken"
    assert clip_text(text, 40) == "    buy P2 for 70  — Oodnadatta …"


def test_help_says_moves_beside_each_other_as_the_table_does(capsys: pytest.CaptureFixture[str]) -> None:
    TerminalScreen({}).pages(help_text(played("1848", 0)), 1)
    assert "    reduce P1 | reduce P2 | reduce P3" in capsys.readouterr().out


def test_help_comes_in_pages_that_fit(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("LINES", "12")
    screen = TerminalScreen({})
    text = "\n".join(f"line {number}" for number in range(20))
    screen.pages(text, 1)
    first = capsys.readouterr().out.splitlines()
    assert first[0] == "line 0" and first[-1] == "Page 1 of 3; help 2 shows the next." and len(first) <= 12
    screen.pages(text, 9)
    assert capsys.readouterr().out.splitlines()[-1] == "Page 3 of 3."
    screen.pages(text, 2, "commands ")
    assert capsys.readouterr().out.splitlines()[-1] == "Page 2 of 3; help commands 3 shows the next."


def test_what_belongs_together_is_on_one_page(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("LINES", "8")
    text = "\n".join(["one", "two", "three", "four", "    trains      what is left of them, with their prices"])
    TerminalScreen({}).pages(text, 1)
    assert capsys.readouterr().out.splitlines() == [
        "one",
        "two",
        "three",
        "four",
        "Page 1 of 2; help 2 shows the next.",
    ]
    TerminalScreen({}).pages(text, 2)
    assert capsys.readouterr().out.splitlines()[-2].endswith("prices")


async def test_the_list_of_commands_goes_on_by_the_line_that_it_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    await typed(["new 1848 Ann Bob Cid", "help commands"], made(tmp_path / "first"))
    first = capsys.readouterr().out.splitlines()
    more = first[-1].partition("; ")[2].removesuffix(" shows the next.")
    await typed(["new 1848 Ann Bob Cid", more], made(tmp_path / "second"))
    second = capsys.readouterr().out.splitlines()
    assert more == "help commands 2" and "Page 2 of " in second[-1]
    assert second[-2].startswith("    ") and second[-2] not in first and first[-2] not in second


async def test_an_example_names_players_by_their_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await typed(["new 1820 Ann Bob Cid", "help float"], tmp_path)
    said = capsys.readouterr().out
    assert "float LSR 5 at 71 on G7=150/0 to Ann:2" in said and "@1" not in said


def test_a_large_window_tells_how_a_decision_goes_on() -> None:
    game = Game.new(TITLES["18GB"], ["Ann", "Bob", "Cid"], seed=1)
    words = "the highest bids win"
    assert words in " ".join(line.text for line in dashboard(game, 110, 50))
    assert words not in " ".join(line.text for line in dashboard(game, 80, 23))


def picture() -> bytes:
    image = Image.new("RGB", (40, 20), "#ff0000")
    image.paste("#0000ff", (20, 0, 40, 20))
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def test_pictures_in_sixels_have_every_point_of_every_colour() -> None:
    text = sixel(picture(), 40)
    assert text.startswith('\x1bPq"1;1;40;20') and text.endswith("\x1b\\")
    bands = re.split("-", text.split('"1;1;40;20')[1][:-2])
    assert len(bands) == 4
    assert "!20~" in bands[0] and bands[-1].count("!20B") == 2, "the last two rows of twenty"


@pytest.mark.parametrize(
    ("environment", "begins"),
    [
        ({"TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"}, "\x1b_G"),
        ({"TERM": "foot"}, "\x1bPq"),
        ({"TERM": "xterm", "TMUX": "x"}, ""),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, ""),
    ],
)
def test_each_terminal_gets_the_picture_that_it_can_show(environment: dict[str, str], begins: str) -> None:
    pieces = list(encode_picture(picture(), environment, 40))
    assert "".join(pieces).startswith(begins) and bool(pieces) == bool(begins)


def test_no_word_is_broken_in_the_tables_of_the_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    game = auctioned()
    TerminalScreen({}).status(game)
    said = capsys.readouterr().out
    assert "…" not in said.replace("(…): not floated yet", "") and " (CAR) " in said and "director" in said
    assert "loans" not in said and max(map(len, said.splitlines())) <= 80
    monkeypatch.setenv("COLUMNS", "60")
    TerminalScreen({}).status(game)
    said = capsys.readouterr().out
    assert "…" not in said and "Bob: £" in said and max(map(len, said.splitlines())) <= 60
    game.company(as_company("CAR")).loans = 2
    TerminalScreen({}).status(game)
    assert "…" not in capsys.readouterr().out.replace("(…): not floated yet", "")


def made(folder: Path) -> Path:
    """A new folder."""
    folder.mkdir()
    return folder


@pytest.mark.parametrize(("columns", "is_shown"), [("150", True), ("100", False)])
def test_in_a_wide_window_the_map_is_beside_the_table(
    columns: str, is_shown: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("LINES", "45")
    screen, game = TerminalScreen({}), played("1889", 25)
    screen.table(game, "", character_map(game, screen.columns_beside))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= int(columns)
    assert ("⠒" in "".join(lines)) == is_shown
    assert any("help: all moves" in line for line in lines)


def test_where_the_output_lacks_its_characters_the_map_comes_in_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = played("1889", 0)
    TerminalScreen({}).map(character_map(game, 80), "in words")
    assert "⠒" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO(), "latin-1"))
    assert not can_write(character_map(game, 80))
    said: list[str] = []
    Screen(said.append).map(character_map(game, 80), "in words")
    assert said == ["in words"]


def test_keys_are_told_on_demand_where_there_are_keys(capsys: pytest.CaptureFixture[str]) -> None:
    TerminalScreen({}).keys()
    assert "Ctrl+R" in capsys.readouterr().out
    said: list[str] = []
    Screen(said.append).keys()
    assert said == []
    bound = [[str(key) for key in binding.keys] for binding in keys_of_history(None).bindings]  # type: ignore[arg-type]
    assert ["?"] in bound


def test_the_commands_that_the_german_digest_names_are_commands() -> None:
    with use_language("de"):
        last = digest([["Bob passt.", "(Warum.)"]] * 9, 4)[0]
    named = [part.rpartition(": ")[2].rstrip(".") for part in last.split(";")]
    found = [find_line(text, Door.TERMINAL, played("1889", 25), False) for text in named]
    assert [one.command.name if one else text for one, text in zip(found, named, strict=True)] == ["log", "why"]


def test_a_digest_of_what_others_did_leaves_reasons_then_consequences_then_the_earliest_moves_out() -> None:
    entries = [
        [f"Bob bids £{sum_}.", "(It is worth more.)", f"Cid's £{sum_ - 5} is returned."] for sum_ in range(10, 60, 10)
    ]
    assert digest(entries, 15) == [sentence for entry in entries for sentence in entry]
    assert len(digest(entries, 12)) == 11 and not any("worth" in line for line in digest(entries, 12))
    assert digest(entries, 6)[1:] == [entry[0] for entry in entries]
    assert digest(entries, 4) == [
        "2 moves before these. All of it: log turn; the reasons: why.",
        *(entry[0] for entry in entries[2:]),
    ]


def test_after_a_move_the_digest_and_the_table_fit_the_window(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    screen = TerminalScreen({})
    screen.begin()
    for line in screen.own_events(
        [f"You buy 10% of company {number} for £{number}0 from the bank." for number in range(20)]
    ):
        screen.say(f"  {line}")
    for line in screen.events([[f"Bob bids £{sum_}.", "(It is worth more.)"] for sum_ in range(10, 200, 10)]):
        screen.say(f"  {line}")
    screen.keep_room(1)
    screen.table(played("18GB", 25), "")
    said = capsys.readouterr().out.splitlines()
    assert len([line for line in said if "You buy" in line]) == 4 and any("log turn" in line for line in said)
    assert len(said) <= 22, "with the line typed before and the one to be typed"

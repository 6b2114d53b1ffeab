"""The command line: exit codes, messages, and that each command has help with an example."""

from __future__ import annotations

import asyncio
import importlib
import json
import re
import shutil
import subprocess
import sys
import tomllib
from argparse import Namespace
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.ai.coverage import Coverage
from bot.ai.fuzzer import ALL_TEMPERS, RandomGame
from bot.cli.main import main, present_database
from bot.cli.title_check import (
    TrialOrder,
    coverage_findings,
    decision_of,
    find_box,
    find_size,
    find_unwritten,
    stored_games,
    tile_colours,
)
from bot.commands.terminal.console import PERSON
from bot.engine.ids import POOL, GameId
from bot.engine.play.game import Game
from bot.engine.play.title import Title
from bot.service.game_service import GameService
from bot.store import Store
from bot.titles.classic import GameEnd, LayBy, LayPair, MayLay, TileOfTurn, Towns, TrainRun
from bot.titles.registry import OLDER_VERSIONS, TITLES, title_folders
from tests.blank_database import write_blank

COMMANDS = (
    "run",
    "console",
    "replay",
    "render",
    "routes",
    "selfplay",
    "tournament",
    "export",
    "import",
    "bench",
    "doctor",
    "backup",
    "restore",
    "worker",
    "smoke",
)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of its own."""
    monkeypatch.setenv("SIGNALBOX_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    return tmp_path


def own_game(path: Path, players: int = 3, seed: int = 5) -> Path:
    """A random game in our own form."""
    from bot.engine.games.game_record import build_game_record
    from bot.service.imports.file_io import encode_game_file

    table = RandomGame(TITLES["1848"], players, seed, is_audited=False)
    for _ in table.moves():
        pass
    path.write_bytes(encode_game_file(build_game_record(table.game, table.texts)))
    return path


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help_with_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert f"example: signalbox {command}" in capsys.readouterr().out


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "replay" in capsys.readouterr().out


def test_our_own_form_replays_and_a_changed_result_is_wrong(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = own_game(data / "game.json")
    assert main(["replay", str(path)]) == 0
    game = json.loads(path.read_text())
    game["result"]["Player 1"] += 1
    path.write_text(json.dumps(game))
    capsys.readouterr()
    assert main(["replay", str(path), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    found = report["games"][0]["divergence"]
    assert "Player 1" in found["what"]
    assert int(found["expected"]) == int(found["actual"]) + 1


def test_an_illegal_move_is_named_with_its_number(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = own_game(data / "game.json")
    game = json.loads(path.read_text())
    game["moves"].insert(3, "@1 loan")
    path.write_text(json.dumps(game))
    assert main(["replay", str(path)]) == 1
    assert "action 4" in capsys.readouterr().out


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'{"title": "1848"}',
        b'{"title": "1830", "players": [{"id": 1}], "actions": []}',
        b'{"format": "signalbox 1", "title": "1848", "players": ["Ann"], "moves": []}',
        b'{"format": "signalbox 1", "title": "1848", "players": 7, "moves": []}',
        b"\xff\xfe\x00",
        b"[" * 100_000,
    ],
)
def test_a_bad_file_is_one_sentence_and_exit_2(content: bytes, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = data / "bad.json"
    path.write_bytes(content)
    assert main(["replay", str(path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("signalbox: ")
    assert "Traceback" not in error


def test_a_missing_file(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", str(data / "none.json"), "--out", str(data)]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_selfplay_goes_on_after_a_game_that_breaks_down(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A title with a hole in it: seed 2 falls into it, seed 4 cannot even be set up."""
    from bot.ai.fuzzer import RandomGame
    from bot.engine.play.game import Game

    settle, new = Game.advance, Game.new

    def broken(game: Game, watch: object = None) -> None:
        settle(game)
        if game.state.seed == 2 and game.state.moves == 7:
            raise KeyError("no such train")
        if game.state.moves == 9:
            game.state.finished = True

    def unset(title: Title, names: list[str], options: dict[str, str], seed: int) -> Game:
        if seed == 4:
            raise LookupError("no such map")
        return new(title, names, options, seed)

    monkeypatch.setattr(Game, "advance", broken)
    monkeypatch.setattr(Game, "new", unset)
    monkeypatch.setattr(RandomGame, "_audit_state", lambda table: None)
    monkeypatch.setattr(RandomGame, "_audit_looks", lambda table: None)
    monkeypatch.setattr(RandomGame, "_audit_actions", lambda table, legal: None)
    asked = ["selfplay", "1848", "--players", "3", "--seed", "1", "--games", "4", "--jobs", "1", "--out", str(tmp_path)]
    assert main([*asked, "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert [game["seed"] for game in report["games"]] == [1, 3]
    second, fourth = report["failures"]
    assert second["seed"] == 2 and "KeyError: 'no such train'" in second["failure"]
    assert len(second["moves"]) == 7 and second["position"].startswith("auction round 1.1, phase 2: game at")
    assert "auction @2 at 0" in second["position"]
    assert fourth["moves"] == [] and "seed 4 was not set up: LookupError: no such map" in fourth["failure"]
    assert json.loads((tmp_path / "1848-3-2.json").read_text())["moves"] == second["moves"]
    assert main(asked) == 1
    told = capsys.readouterr().out
    assert f"  position: {second['position']}\n  moves: {'; '.join(second['moves'])}\n" in told
    assert "2 game(s) ended, 2 failed, 18 moves" in told


def test_selfplay(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["selfplay", "1848", "--players", "3", "--seed", "1", "--games", "2", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["ok"]
    assert [game["seed"] for game in report["games"]] == [1, 2]
    for game in report["games"]:
        assert game["happened"]["GameEnded"] == 1 and game["happened"]["RoundBegan"] >= game["rounds"]
    assert main(["selfplay", "1848", "--players", "9", "--seed", "1"]) == 2
    assert main(["selfplay", "1999", "--players", "3", "--seed", "1"]) == 2


@pytest.mark.whole
def test_a_tournament_against_another_commit(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tournament", "1889", "--seats", "club,strong,random", "--games", "1", "--moves", "12", "--json"]
    assert main([*words, "--varied", "--against", "HEAD"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [row["player"] for row in report["players"]] == ["club", "former-strong", "random"]
    assert main([*words, "--against", "no-such-commit"]) == 2
    assert "no-such-commit" in capsys.readouterr().err


def test_tournament(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tournament", "18GB", "--seats", "learner,random,learner", "--games", "2", "--moves", "12", "--json"]
    assert main([*words, "--out", str(data)]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["ok"] and [game["seats"][0] for game in report["games"]] == ["learner", "random"]
    assert {row["player"] for row in report["players"]} == {"learner", "random"}
    assert main(words[:-1]) == 0
    assert "broken off" in capsys.readouterr().out
    assert len(list(data.glob("18GB-*.json"))) == 2
    assert main(["tournament", "1848", "--seats", "steady,steady"]) == 2
    assert main(["tournament", "1848", "--seats", "steady,clever,steady"]) == 2
    assert main(["tournament", "1999", "--seats", "steady,steady,steady"]) == 2


async def break_off(game_id: GameId) -> None:
    """As a moderator ends a game before its end."""
    store = await Store.open(present_database())
    try:
        tables = GameService(store, TITLES, editions=OLDER_VERSIONS)
        await tables.moderation.set_status(game_id, PERSON, "finished")
    finally:
        await store.close()


def test_dump_writes_what_was_played_to_its_end_without_persons(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = json.loads(own_game(data / "a.json").read_text())
    names = dict(zip(file["players"], ("Ann Smith", "Bob", "Cid"), strict=True))
    file |= {"players": [*names.values()], "result": {names[one]: total for one, total in file["result"].items()}}
    (data / "b.json").write_text(json.dumps(file))
    assert main(["import", str(data / "b.json")]) == 0
    own_game(data / "c.json", seed=6)
    short = json.loads((data / "c.json").read_text())
    (data / "c.json").write_text(json.dumps({**short, "moves": short["moves"][:9], "result": {}}))
    assert main(["import", str(data / "c.json")]) == 0
    asyncio.run(break_off(GameId(2)))
    capsys.readouterr()
    assert main(["dump", "--out", str(data / "all.jsonl")]) == 0
    assert capsys.readouterr().err.endswith("1 games\n")
    (line,) = (data / "all.jsonl").read_text().splitlines()
    found = json.loads(line)
    assert "Smith" not in line and found["players"] == ["Player 1", "Player 2", "Player 3"]
    assert found["moves"] == file["moves"] and sorted(found["result"].values()) == sorted(file["result"].values())
    (data / "one.json").write_text(line)
    assert main(["replay", str(data / "one.json")]) == 0
    assert main(["dump", "--title", "1830", "--out", str(data / "none.jsonl")]) == 0
    assert (data / "none.jsonl").read_bytes() == b""
    assert main(["dump", "--title", "1999"]) == 2


def test_render_and_routes(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = own_game(data / "game.json")
    assert main(["render", str(path), "--at", "60", "--out", str(data / "out")]) == 0
    assert (data / "out" / "map.png").read_bytes().startswith(b"\x89PNG")
    assert (data / "out" / "market.txt").read_text().startswith("Stock market of 1848")
    capsys.readouterr()
    assert main(["routes", str(path), "--at", "1"]) == 2
    moves = json.loads(path.read_text())["moves"]
    at = next(number for number, text in enumerate(moves, 1) if " run " in text and "nothing" not in text)
    assert main(["routes", str(path), "--at", str(at), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["proven"]
    assert report["revenue"] == report["bound"] > 0
    for routes in filter(None, (report, report["runner_up"])):
        assert sum(routes["joint"].values()) + sum(route["revenue"] for route in routes["routes"]) == routes["revenue"]
    assert report["runner_up"] is None or report["runner_up"]["revenue"] < report["revenue"]
    assert main(["routes", str(path), "--at", str(at)]) == 0
    assert f"{report['company']}: {report['revenue']} (the best run)" in capsys.readouterr().out


def test_import_export_doctor(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = own_game(data / "game.json")
    assert main(["import", str(path)]) == 0
    assert main(["export", "1", "--out", str(data / "again.json")]) == 0
    assert json.loads((data / "again.json").read_text())["result"] == json.loads(path.read_text())["result"]
    assert main(["export", "1", "--form", "18xx", "--out", str(data / "theirs.json")]) == 0
    assert main(["replay", str(data / "again.json"), str(data / "theirs.json")]) == 0
    assert main(["doctor"]) == 0
    assert main(["export", "77"]) == 2
    unplayed = {
        "format": "signalbox 1",
        "title": "1820",
        "options": {},
        "seed": 1,
        "players": ["Ann", "Bob"],
        "moves": [],
    }
    (data / "unplayed.json").write_text(json.dumps(unplayed))
    assert main(["export", str(data / "unplayed.json"), "--form", "18xx"]) == 2
    assert "18xx.games does not play 1820" in capsys.readouterr().err


@pytest.mark.whole
def test_the_terminal_from_a_pipe(data: Path) -> None:
    lines = "new 1848 Ann Bob Cid\nhelp\nstatus\nbuy P1\nnonsense\nmap\nmarket\nquit\n"
    done = subprocess.run(
        [sys.executable, "-m", "bot", "run"],
        input=lines,
        capture_output=True,
        text=True,
        timeout=300,
        cwd=Path(__file__).resolve().parents[1],
        check=False,
    )
    assert done.returncode == 0
    assert "Ann buys P1" in done.stdout
    assert "nonsense" in done.stdout.split("> nonsense")[1]
    assert sorted(path.name for path in (data / "data" / "pictures").glob("*.png"))
    again = subprocess.run(
        [sys.executable, "-m", "bot", "run"],
        input="status\nquit\n",
        capture_output=True,
        text=True,
        timeout=300,
        cwd=Path(__file__).resolve().parents[1],
        check=False,
    )
    assert "Bob" in again.stdout


WRONG_USE = [
    ("replay {none}", 2, "cannot be read: No such file or directory"),
    ("replay {folder}", 2, "cannot be read: it is not a file"),
    ("replay {text}", 2, "is not JSON"),
    ("replay {other}", 2, "known titles: 1848"),
    ("replay {game} {game} --trace {text}", 2, "--trace goes with one file"),
    ("replay {game} --trace {text}", 2, "--trace goes with a game of 18xx.games"),
    ("render {none} --out {folder}", 2, "cannot be read"),
    ("render {game} --at 99999 --out {folder}", 2, "the game has no action 99999; it has 3"),
    ("render {game} --at 2 --out {text}", 1, "cannot be used: File exists"),
    ("routes {game} --at 99999", 2, "the game has no action 99999"),
    ("routes {game} --at 2", 2, "no company is in turn"),
    ("selfplay 1999 --players 3 --seed 1", 2, "there is no title 1999; there are: 1848"),
    ("selfplay 1848 --players 9 --seed 1", 2, "1848 Australia is for 3 to 6 players"),
    ("selfplay 1848 --players 3 --seed 1 --option rules=mine", 2, "Option rules can be: rulebook, 18xx.games"),
    ("export 7", 2, "there is no database"),
    ("export {none}", 2, "cannot be read"),
    ("export {game} --out {folder}/none/game.json", 1, "cannot be used: No such file or directory"),
    ("export {brit} --form 18xx", 2, "18xx.games does not play 1820"),
    ("import {none}", 2, "cannot be read"),
    ("import {text}", 2, "is not JSON"),
    ("import {other}", 2, "known titles: 1848"),
    ("import {wrong}", 2, "action 2"),
    ("restore {none}", 1, "there is no file"),
    ("restore {text}", 1, "cannot be restored: The database is damaged"),
    ("restore", 1, "there is no backup in"),
    ("health", 1, "SIGNALBOX_PORT is not set"),
]
NOT_UNDERSTOOD = [
    ("sing", "invalid choice: 'sing'"),
    ("replay", "required: FILE"),
    ("render {game}", "required: --out"),
    ("render {game} --at 0 --out {folder}", "'0' is no number from 1 up"),
    ("routes {game}", "required: --at"),
    ("selfplay 1848 --seed 1", "required: --players"),
    ("selfplay 1848 --players 3 --seed x", "invalid int value: 'x'"),
    ("selfplay 1848 --players 3 --seed 1 --option fast", "'fast' is not of the form NAME=CHOICE"),
    ("export {game} --form pdf", "invalid choice: 'pdf'"),
]


@pytest.fixture
def named(data: Path) -> dict[str, str]:
    """Files by what is wrong with them."""
    own = {"format": "signalbox 1", "players": ["Ann", "Bob", "Cid"]}
    moves = ["@1 buy P1 for 30", "@2 buy P2 for 70", "@3 buy P3 for 110"]
    files = {
        "text": "not a game",
        "other": json.dumps({"title": "1999", "players": [], "actions": []}),
        "game": json.dumps({**own, "title": "1848", "moves": moves}),
        "wrong": json.dumps({**own, "title": "1848", "moves": [moves[0], moves[0]]}),
        "brit": json.dumps({**own, "title": "1820", "moves": []}),
    }
    for name, text in files.items():
        (data / name).write_text(text)
    return {name: str(data / name) for name in (*files, "none")} | {"folder": str(data)}


@pytest.mark.parametrize(("line", "code", "sentence"), WRONG_USE)
def test_wrong_use_is_one_sentence_and_a_code(
    line: str, code: int, sentence: str, named: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([word.format(**named) for word in line.split()]) == code
    said = capsys.readouterr()
    assert sentence in said.err and said.err.startswith("signalbox: ")
    assert said.err.count("\n") == 1 and "Traceback" not in said.err


def test_a_game_that_is_not_there(named: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_blank(tmp_path / "data" / "signalbox.db")
    assert main(["export", "7"]) == 2
    assert capsys.readouterr().err == "signalbox: There is no game 7.\n"


@pytest.mark.parametrize(("line", "sentence"), NOT_UNDERSTOOD)
def test_lines_that_are_not_understood_end_with_2(
    line: str, sentence: str, named: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([word.format(**named) for word in line.split()])
    assert ended.value.code == 2 and sentence in capsys.readouterr().err


def test_the_doctor_looks_at_titles_where_there_is_no_database(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.cli.store.lint_title", lambda title: ["planted"] if title.id == "1844" else [])
    assert main(["doctor"]) == 2
    said = capsys.readouterr()
    assert "title 1844: planted" in said.out and "titles: 1848, 1820" in said.out and "there is no database" in said.err
    assert main(["doctor", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["titles"]["1844"] == ["planted"]


@pytest.mark.parametrize("command", ["doctor", "backup", "console", "export 1", "import {game}"])
def test_a_data_folder_that_cannot_be_used(
    command: str, named: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SIGNALBOX_DATA", named["text"])
    assert main([word.format(**named) for word in command.split()]) == 1
    assert capsys.readouterr().err.startswith("signalbox: ")


@pytest.mark.whole
def test_bench_measures_everything() -> None:
    """Its keys are read by others; the figures are no matter of tests."""
    done = subprocess.run([sys.executable, "-m", "bot", "bench", "--quick", "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {*found} >= {
        "titles",
        "routes",
        "render_ms_p95",
        "table_moves_per_s",
        "event_loop_block_ms_max",
        "rss_mb_200",
    }
    assert {*found} >= {"console_ready_s", "rss_mb_10_at_rest", "board"} and found["heavy_loaded_at_rest"] == []
    for title, speeds in found["titles"].items():
        assert speeds["replay_actions_per_s"] > 0 and speeds["apply_save_ms_p95_at_10"] > 0, title


# -- title check --------------------------------------------------------------------------------------


def test_what_random_games_have_not_exercised_is_left_to_do() -> None:
    assert {TrialOrder("1830", 3, seed).temper.name for seed in range(len(ALL_TEMPERS))} == {
        temper.name for temper in ALL_TEMPERS
    }
    place, title = title_folders()["1830"], TITLES["1830"]
    table = RandomGame(title, 3, 1, is_audited=False)
    coverage = Coverage()
    for _, game in zip(range(400), table.moves(), strict=False):
        coverage.note(game, table.texts[-1])
    found = {one.name: one for one in coverage_findings(place, coverage, Counter())}
    assert found["tiles"].mark == "next" and "missing: " in found["tiles"].todo
    assert "missing: " in found["ends"].todo, "the record names an end"
    whole = Coverage(*(set(names) for _, names, _ in coverage.counts(title)))
    ended = Counter(place.record.trial.ends)
    assert [one.mark for one in coverage_findings(place, whole, ended)] == ["ok"] * 5
    unseen = Coverage(whole.phases, whole.trains, whole.tiles, whole.privates - {"BO"}, whole.ends)
    (powers,) = (one for one in coverage_findings(place, unseen, ended) if one.name == "powers")
    assert powers.mark == "ok" and "by tests of their own: BO" in powers.found


def test_stored_games_of_a_titles_variants_are_found_in_the_peers_program(tmp_path: Path) -> None:
    for name in ("18Chesapeake", "18ChesapeakeOfftheRails", "1889"):
        (tmp_path / "public" / "fixtures" / name).mkdir(parents=True)
        (tmp_path / "public" / "fixtures" / name / "1.json").touch()
    asked = Namespace(stored=None, peer=str(tmp_path))
    found = [path.parent.name for path in stored_games(title_folders()["18Chesapeake"], asked)]
    assert found == ["18Chesapeake", "18ChesapeakeOfftheRails"]
    asked.stored = tmp_path / "public" / "fixtures" / "1889"
    assert [path.parent.name for path in stored_games(title_folders()["18Chesapeake"], asked)] == ["1889"]


def test_the_size_of_a_title_includes_its_data_and_names_its_family() -> None:
    found = find_size(title_folders()["1867"]).found
    numbers = [int(number.replace(",", "")) for number in re.findall(r"\d+", found)]
    assert numbers[0] == numbers[1] + numbers[2], "lines, of Python, of data"
    assert re.search(r"its family, merging/, has \d+ of Python", found)
    assert "family" not in find_size(title_folders()["1848"]).found
    assert "of its lesson" in find_size(title_folders()["1889"]).found


def test_only_tiles_that_the_game_is_played_with_are_painted() -> None:
    games = [Game.new(TITLES["18GB"], [f"P{seat}" for seat in range(number)], {}, 1) for number in (3, 5)]
    assert [tile_colours(game)[-1] for game in games] == ["brown", "gray"]


@pytest.mark.whole
def test_a_title_is_checked_on_one_screen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["title", "check", "1830", "--games", "1", "--jobs", "1", "--out", str(tmp_path)])
    lines = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("      ")]
    names = "rules unwritten box size games phases trains tiles powers ends stored peer German page computers golden pictures"
    assert [line[5:16].strip() for line in lines] == names.split()
    assert {line[:5].strip() for line in lines} <= {"ok", "next", "skip"}
    assert (tmp_path / "1830.png").read_bytes().startswith(b"\x89PNG")


def test_a_title_is_looked_at_without_playing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["title", "check", "1830", "--games", "0", "--out", str(tmp_path)])
    marks = {line[5:16].strip(): line[:5].strip() for line in capsys.readouterr().out.splitlines()}
    assert (marks["rules"], marks["box"], marks["games"], marks["pictures"]) == ("ok", "ok", "skip", "ok")
    assert "tiles" not in marks


def test_a_stored_game_that_breaks_off_says_who_is_asked_for_what() -> None:
    game = Game.new(TITLES["1830"], ["Ann", "Bob"], {}, 1)
    assert decision_of(game) == "@1 is asked to buy or bid for a private."
    game.state.finished = True
    assert decision_of(game) == ""


def test_a_box_that_is_still_that_of_another_title_is_left_to_write(monkeypatch: pytest.MonkeyPatch) -> None:
    place, other = title_folders()["1830"], TITLES["1889"]
    copied = replace(other, id="1830", companies=TITLES["1830"].companies)
    monkeypatch.setattr("bot.cli.title_check.TITLES", {"1830": copied, "1889": other})
    found = find_box(place)
    assert (found.mark, found.found) == ("next", "map.py is that of 1889; tiles.py is that of 1889")


def test_rules_that_are_not_written_stay_on_the_screen_until_they_are_taken_out_of_the_record() -> None:
    place = title_folders()["1830"]
    record = msgspec.structs.replace(place.record, unwritten=("Trains rust late.", "Towns are free."))
    found = find_unwritten(msgspec.structs.replace(place, record=record))
    assert (found.mark, found.found) == ("next", "Trains rust late.; Towns are free.")
    assert find_unwritten(place).mark == "ok"


def test_a_fault_of_a_titles_code_is_a_line_of_the_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def break_down(title: Title) -> list[str]:
        return [*title.families]  # type: ignore[attr-defined]

    monkeypatch.setattr("bot.cli.title_check.lint_title", break_down)
    assert main(["title", "check", "1830", "--games", "0"]) == 1
    said = capsys.readouterr().out
    assert said.startswith("next code       AttributeError: ") and "bot.titles.t1830" in said


def test_a_title_that_is_not_there_is_not_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["title", "check", "1999"]) == 2
    assert "there is no title 1999; there are: 1848" in capsys.readouterr().err


# -- title new ----------------------------------------------------------------------------------------


def made(folder: Path, title: str, *arguments: str) -> Title:
    """A title made in that folder, outside the registry."""
    assert main(["title", "new", title, "--like", "1830", "--into", str(folder), *arguments]) == 0
    sys.path.insert(0, str(folder))
    try:
        importlib.invalidate_caches()
        found: Title = importlib.import_module(f"t{title.lower()}.title").TITLE
    finally:
        sys.path.remove(str(folder))
    return found


@pytest.mark.shared
def test_a_title_made_of_facts_is_the_title_that_people_wrote(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new, old = made(tmp_path, "18NN", "--facts", str(shared / "facts" / "1889")), TITLES["1889"]
    left = [line for line in capsys.readouterr().out.splitlines() if line.startswith("left: ")]
    assert len(left) == 5 and all("beginner_game" in line for line in left), "all else has its place"
    for part in ("companies", "trains", "phases", "market", "players", "currency"):
        assert getattr(new, part) == getattr(old, part), part
    assert new.land.tiles == old.land.tiles
    spaces = {name: replace(space, privates=()) for name, space in new.land.map.hexes.items()}
    assert spaces == {name: replace(space, privates=()) for name, space in old.land.map.hexes.items()}
    assert sorted(name for name, space in new.land.map.hexes.items() if space.privates) == ["C4", "K4"]
    values = "bank cash certificates floats_at most_held most_in_pool uncounted unlimited several turn sells_in_blocks"
    values += " raises_by sold_in check_track homes_at_once may_dethrone pays_for_used"
    assert {name: getattr(new.family, name) for name in values.split()} == {
        name: getattr(old.family, name) for name in values.split()
    }
    signs = [sign for sign in new.privates if sign != "TER"]
    assert [{*new.family.powers[sign]} for sign in signs] == [{*old.family.powers[sign]} for sign in signs]
    assert new.family.privates_in_play(Game.new(new, ["Ann", "Bob"])) == ["TER", "MF", "ER", "SMR", "DR"]


@pytest.mark.shared
def test_facts_that_have_no_place_are_named(shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new = made(tmp_path, "18NO", "--facts", str(shared / "facts" / "18Chesapeake"))
    said = capsys.readouterr().out
    assert "left: CV (Cornelius Vanderbilt): it comes with random_president." in said
    assert 'left: With 2 players: certificates is {"PRR": [30, 10' in said and said.count("left: ") == 2
    assert new.family.powers["C-P"] == (LayPair("H2 I3", "8 9", "second tile on H2 I3"),)
    assert new.family.powers["C&OC"] and "private_names" not in (tmp_path / "t18no" / "peer18xx.py").read_text()


def test_facts_that_lack_a_part_are_refused_with_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    facts, into = tmp_path / "facts", tmp_path / "titles"
    facts.mkdir()
    for name in ("map", "tiles", "market", "companies", "trains"):
        (facts / f"{name}.json").write_text("{}")
    wanted = ["title", "new", "18NS", "--like", "1830", "--into", str(into), "--facts", str(facts)]
    assert main(wanted) == 2
    assert "map.json lacks layout, axes, layouts" in capsys.readouterr().err
    (facts / "map.json").write_text('{"layout": "flat", "axes": {"x": "letter"}, "layouts": [{"hexes": [{}]}]}')
    (facts / "tiles.json").write_text('{"tiles": []}')
    (facts / "market.json").write_text('{"markets": []}')
    (facts / "companies.json").write_text('{"corporations": [], "privates": []}')
    (facts / "trains.json").write_text('{"trains": [], "phases": [], "by_player_count": {}}')
    assert main(wanted) == 2
    assert "KeyError('hex') is missing or of another kind" in capsys.readouterr().err and not into.exists()


def altered(shared: Path, folder: Path, **changes: Callable[[dict[str, Any]], object]) -> Path:
    """The facts of 1889 with changes in files, by their names."""
    shutil.copytree(shared / "facts" / "1889", folder)
    for name, change in changes.items():
        file = folder / f"{name}.json"
        file.chmod(0o644)
        facts = json.loads(file.read_text())
        change(facts)
        file.write_text(json.dumps(facts))
    return folder


@pytest.mark.shared
def test_a_company_without_a_home_is_left_to_do_and_a_colour_may_have_a_name(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def change(box: dict[str, Any]) -> None:
        box["corporations"][0] |= {"home": [], "color": "gold"}
        box["corporations"][1] |= {"home": ["E2", "I2"], "color": "Mauvish"}

    facts = altered(shared, tmp_path / "facts", companies=change)
    assert main(["title", "new", "18NU", "--like", "1830", "--into", str(tmp_path), "--facts", str(facts)]) == 0
    said = capsys.readouterr().out
    assert "left: AR has no home: its field `home` in components.py names a hex." in said
    assert "left: IR has the homes E2, I2: its field `home`" in said
    assert "The colour Mauvish of IR is no number." in said and "gold" not in said
    assert '"#ffd700"' in (tmp_path / "t18nu" / "components.py").read_text().casefold()


@pytest.mark.shared
def test_no_fact_that_nobody_knows_is_passed_over(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unknown keys, powers, events, statuses, rules and steps, in every file and every kind of record."""

    def change_map(box: dict[str, Any]) -> None:
        first, second, *_ = box["layouts"][0]["hexes"]
        first |= {"magic": [1], "borders": [{"edge": 0, "type": "hedge"}], "cities_at_start": {"c0": {"tokens": ["N"]}}}
        second |= {"upgrade_costs": [{"cost": 20, "terrains": ["jungle"]}, {"cost": 5}], "hex_reserved_for": ["XX"]}
        first["icons"] = second["icons"] = [{"name": "gold"}]
        first["nodes"][0]["visit_cost"] = 0
        first["nodes"][0]["route"] = "never"

    def change_companies(box: dict[str, Any]) -> None:
        box["corporations"][0] |= {"abilities": [{"type": "fly"}], "capitalization": "incremental", "float_percent": 20}
        box["privates"][0] |= {"discount": 10, "abilities": [{"type": "fly", "far": 3}]}
        box["privates"][1]["abilities"][0]["closed_when_used_up"] = True
        box["minors"] = [{"sym": "1"}]

    def change_trains(box: dict[str, Any]) -> None:
        box["trains"][0] |= {"variants": [{"name": "1+1"}], "events": [{"type": "war", "on_nth_train": 2}]}
        box["phases"][0]["status"] = ["hurry"]
        box["constants"] |= {"sell_after": "operate", "strange_rule": 3}
        box["round_steps"]["operating"].append("Dance")
        box["tile_lays_at_start"][""].append({"lay": "twice", "upgrade": False})
        box["by_player_count"]["2"]["bank_cash_total"] = 6999

    facts = altered(
        shared,
        tmp_path / "facts",
        map=change_map,
        tiles=lambda box: box["tiles"][0].update(glow=True),
        market=lambda box: box["movement"].update(sell="left_block"),
        companies=change_companies,
        trains=change_trains,
    )
    made(tmp_path, "18NK", "--facts", str(facts))
    said = capsys.readouterr().out
    for sentence in (
        "Hex F1: magic is [1]; nothing says that yet.",
        "Hex F1: a border of the kind hedge is not drawn.",
        'Hex F1: cities_at_start is {"c0": {"tokens": ["N"]}}; nothing says that yet.',
        'Hex F1, stop: route is "never"; nothing says that yet.',
        "Hex F1, Hex J1: the icon gold is not drawn; add it to ICONS, or leave it.",
        "Hex J1: the terrain jungle is not drawn; add it to TERRAINS.",
        "Hex J1: only the first of its costs is read.",
        "Hex J1: a place is kept for XX.",
        "glow is true; nothing says that yet.",
        'Share prices: sell is "left_block", where its family has "down_share".',
        'Company AR: abilities is [{"type": "fly"}]; nothing says that yet.',
        'Company AR: capitalization is "incremental", where its family has "full".',
        "Companies differ in float_percent; that of the first is read: AR 20, IR 50,",
        "Private TR: discount is 10; nothing says that yet.",
        'TR (Takamatsu E-Railroad): it has the power fly: {"type": "fly", "far": 3}',
        "MF (Mitsubishi Ferry), power tile_lay: closed_when_used_up is true; nothing says that yet.",
        'Companies: minors is [{"sym": "1"}]; nothing says that yet.',
        'Train 2: variants is [{"name": "1+1"}]; nothing says that yet.',
        "Train 2: the event war at number 2 is not written.",
        "Phase 2: the status hurry is not written.",
        'Rules: sell_after is "operate", where its family has "first".',
        "Rules: strange_rule is 3; nothing says that yet.",
        "Step Dance: 18xx.games has it, its family has not; see what it does.",
        'Track: a tile of the turn is {"lay": "twice", "upgrade": false}.',
        "The bank differs by number of players (6999, 7000); the first is read.",
    ):
        assert sentence in said, sentence
    record = tomllib.loads((tmp_path / "t18nk" / "title.toml").read_text())
    assert len(record["unwritten"]) == said.count("left: ") + 1, "players read all of them"


@pytest.mark.shared
def test_more_of_the_facts_becomes_values(shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def change_map(box: dict[str, Any]) -> None:
        by_name = {space["hex"]: space for space in box["layouts"][0]["hexes"]}
        by_name["D3"] |= {"upgrade_costs": [{"cost": 20, "terrains": ["swamp"]}], "stubs": [{"edge": 0}]}
        by_name["F3"]["future_label"] = {"label": "K", "color": "green"}
        by_name["G4"]["future_label"] = {"label": "K", "color": "gray"}
        by_name["F1"]["paths"][0]["lanes"] = [[2, 1], [1, 0]]

    def change_companies(box: dict[str, Any]) -> None:
        by_sign = {one["sym"]: one for one in box["privates"]}
        by_sign["SMR"] |= {"min_price": 12.5, "max_price": 75}
        by_sign["ER"]["abilities"][1]["when"] = ["track"]
        by_sign["DR"]["abilities"][0]["from"] = ["market"]
        next(one for one in by_sign["UTF"]["abilities"] if one.get("on_phase") == "5")["on_phase"] = "five"

    def change_trains(box: dict[str, Any]) -> None:
        box["tile_lays_at_start"][""].append(
            {"lay": "not_if_upgraded", "upgrade": False, "cost": 20, "cannot_reuse_same_hex": True}
        )
        box["constants"] |= {"must_bid_increment_multiple": True, "only_highest_bid_committed": True}
        box["phases"][3]["name"] = "five"
        box["phases"][0]["status"] = ["can_buy_companies_from_other_players"]

    def change_tiles(box: dict[str, Any]) -> None:
        port = next(tile for tile in box["tiles"] if tile["id"] == "437")
        box["tiles"].append({**port, "id": "9999", "color": "green", "icons": []})

    def change_market(box: dict[str, Any]) -> None:
        box["markets"][0]["zones"]["endgame"] = [[0, 3]]

    changes = {"map": change_map, "tiles": change_tiles, "companies": change_companies, "trains": change_trains}
    new = made(tmp_path, "18NV", "--facts", str(altered(shared, tmp_path / "facts", market=change_market, **changes)))
    values, hexes = new.family, new.land.map.hexes
    said = [line for line in capsys.readouterr().out.splitlines() if line.startswith("left: ")]
    assert all("beginner_game" in line for line in said), said
    assert (hexes["D3"].terrains, hexes["D3"].cost, hexes["D3"].stubs) == (("swamp",), 20, {0})
    assert hexes["F3"].labels_on("brown") == {"K"} and hexes["F3"].labels_on("yellow") == set()
    assert hexes["G4"].labels_on("gray") == {"K"} and hexes["G4"].labels_on("brown") == set()
    assert hexes["F1"].printed.paths[0].lanes == ((2, 1), (1, 0))
    assert new.privates["SMR"].price_range == (13, 75) and new.privates["ER"].price_range == (20, 80)
    assert values.powers["ER"][0].by is LayBy.COMPANY_WITH_ITS_TRACK and values.powers["DR"][0].sources == (POOL,)
    second = TileOfTurn(MayLay.UNLESS_UPGRADED, MayLay.NEVER, 20, True)
    assert values.lays == (TileOfTurn(), second)
    assert (values.bids_in, values.binds_highest, values.sold_in) == (5, True, ("3", "five"))
    assert values.trades_from == 1, "the first phase has the status"
    assert new.land.tiles["437"].is_last and not new.land.tiles["58"].is_last, "it has a successor, and never gets it"
    assert new.market.cell((0, 3)).zones == "pe"


@pytest.mark.shared
def test_rules_of_which_the_facts_say_nothing_are_those_of_the_title_it_is_like(shared: Path, tmp_path: Path) -> None:
    facts = tmp_path / "facts"
    shutil.copytree(shared / "facts" / "1889", facts)
    trains = json.loads((facts / "trains.json").read_text())
    (facts / "trains.json").chmod(0o644)
    (facts / "trains.json").write_text(json.dumps({**trains, "constants": {}}))
    new, like = made(tmp_path, "18NR", "--facts", str(facts)).family, TITLES["1830"].family
    values = "most_in_pool turn sells_in_blocks raises_by check_track homes_at_once may_dethrone pays_for_used"
    assert [getattr(new, name) for name in values.split()] == [getattr(like, name) for name in values.split()]
    assert new.floats_at == 50


@pytest.mark.shared
def test_trains_and_ends_of_facts_become_values(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = tmp_path / "facts"
    shutil.copytree(shared / "facts" / "1889", facts)
    trains = json.loads((facts / "trains.json").read_text())
    (facts / "trains.json").chmod(0o644)
    by_name = {train["name"]: train for train in trains["trains"]}
    for name, cities, times, towns, visits in (
        ("2", 2, 1, 99, 99),
        ("3", 3, 2, 0, 99),
        ("4", 4, 1, 2, 2),
        ("5", 1, 1, 1, 9),
    ):
        rows = [{"nodes": ["city", "offboard"], "pay": cities, "visit": cities, "multiplier": times}]
        by_name[name]["distance"] = [*rows, {"nodes": ["town"], "pay": towns, "visit": visits}]
    by_name["4"]["obsolete_on"] = by_name["4"].pop("rusts_on")
    trains["constants"]["game_end_check"] = {"bank": "current_or", "stock_market": "one_more_full_or_set"}
    trains["phases"][0]["status"] = ["limited_train_buy"]
    (facts / "trains.json").write_text(json.dumps(trains))
    new = made(tmp_path, "18NU", "--facts", str(facts))
    values, said = new.family, capsys.readouterr().out
    assert values.runs == {"2": TrainRun(2, Towns.FREE), "3": TrainRun(3, Towns.UNPAID, 2), "4": TrainRun(4, 2)}
    assert (new.trains["4"].rusts_on, new.trains["4"].runs_once_more, new.trains["2"].runs_once_more) == (
        "D",
        True,
        False,
    )
    assert (values.broken_bank_ends, values.new_trains) == (GameEnd.OPERATING_ROUND, {"2": 1})
    assert "left: The 5 train runs [" in said and "left: The game ends one_more_full_or_set by stock_market." in said


def test_a_title_without_facts_begins_as_the_title_that_it_is_like(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = made(tmp_path, "18NP", "--name", "18NP Nowhere")
    assert (new.id, {*new.companies}) == ("18NP", {*TITLES["1830"].companies})
    said = capsys.readouterr().out
    assert "left: map.py is that of 1830: write the title's own, as bot/engine/board/game_map.py says." in said
    assert 'among its entry points `signalbox.titles`: "18NP" = "t18np"' in said
    assert not (tmp_path / "t18np" / "ai.py").exists(), "numbers of computer players are of one box"
    record = tomllib.loads((tmp_path / "t18np" / "title.toml").read_text())
    assert record["name"] == "18NP Nowhere" and len(record["unwritten"]) == 5
    assert [f"left: {sentence}" in said for sentence in record["unwritten"]] == [True] * 4 + [False]
    for wrong in (["18NP"], ["1848"], ["nonsense"], ["18NQ", "--facts", str(tmp_path)]):
        assert main(["title", "new", *wrong, "--like", "1830", "--into", str(tmp_path)]) == 2
    for like in ("1999", "1848"):
        assert main(["title", "new", "18NQ", "--like", like, "--into", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "there is no title 1999" in said and "1848 is of no family" in said
    assert "18NP is there already" in said and "nonsense is no number of a title" in said and "map.json" in said

"""The command line: exit codes, messages, and that each command has help with an example."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bot.cli import main

COMMANDS = (
    "run",
    "console",
    "replay",
    "render",
    "routes",
    "selfplay",
    "export",
    "import",
    "bench",
    "doctor",
    "backup",
    "restore",
)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of its own."""
    monkeypatch.setenv("SIGNALBOX_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    return tmp_path


def own_game(path: Path, players: int = 3, seed: int = 5) -> Path:
    """A random game in our own form."""
    from bot.cli_files import own_form
    from bot.engine.selfplay import RandomGame
    from bot.engine.titles.registry import TITLES

    table = RandomGame(TITLES["1848"], players, seed, is_audited=False)
    for _ in table.moves():
        pass
    options = dict(table.game.state.options)
    path.write_text(json.dumps(own_form("1848", options, seed, table.game, table.texts)))
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
        b'{"signalbox": 1, "title": "1848", "players": ["Ann"], "moves": []}',
        b'{"signalbox": 1, "title": "1848", "players": 7, "moves": []}',
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


def test_selfplay(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["selfplay", "1848", "--players", "3", "--seed", "1", "--games", "2", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["ok"]
    assert [game["seed"] for game in report["games"]] == [1, 2]
    assert main(["selfplay", "1848", "--players", "9", "--seed", "1"]) == 2
    assert main(["selfplay", "1999", "--players", "3", "--seed", "1"]) == 2


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
    assert f"{report['company']}: {report['revenue']} (proven best in" in capsys.readouterr().out


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


def test_the_terminal_from_a_pipe(data: Path) -> None:
    lines = "new 1848 Ann Bob Cid\nhelp\nstatus\nbuy P1\nnonsense\nmap\nmarket\nquit\n"
    done = subprocess.run(
        [sys.executable, "-m", "bot", "run"],
        input=lines,
        capture_output=True,
        text=True,
        timeout=60,
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
        timeout=60,
        cwd=Path(__file__).resolve().parents[1],
        check=False,
    )
    assert "Bob" in again.stdout

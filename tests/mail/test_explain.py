"""`signalbox mail --explain`: what would be done with a mail, and nothing is."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from bot.cli.main import main
from tests.mail.conftest import ANN, OWN, letter

OUTCOMES = {
    "mail_fastmail": ["buy P1"],
    "mail_from_comma_name": ["buy P1"],
    "mail_gmx_html_de": ["buy P1"],
    "mail_pgp_inline": ["buy P1"],
    "mail_poison_dot_before_at": [],
    "mail_proton": ["buy P1"],
    "mail_thunderbird_pl": ["buy P1"],
    "mail_yahoo_app": ["buy P1"],
}
TO = f"games+3-7-{'a' * 26}@club.example"


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No mailbox is set, and there are no games."""
    for name in ("ADDRESS", "AUTHORITY"):
        monkeypatch.delenv(f"SIGNALBOX_MAIL_{name}", raising=False)
    monkeypatch.setenv("SIGNALBOX_DATA", str(tmp_path / "data"))
    return tmp_path


def explained(path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """What is said of a mail."""
    assert main(["mail", "--explain", str(path), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_mail_is_explained_and_nothing_is_done(
    alone: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = alone / "letter.eml"
    forged = "mx.club.example; dmarc=fail header.from=home.example"
    file.write_bytes(letter("buy P1\n\nOn Monday Signalbox wrote:\n> pass", ANN, TO, Authentication_Results=forged))
    assert explained(file, capsys) == {"verdict": "unknown", "moves": ["buy P1"], "ignored": None}
    assert main(["mail", "--explain", str(file)]) == 0
    told = capsys.readouterr().out
    assert "about game 3" in told and "    buy P1\n" in told
    monkeypatch.setenv("SIGNALBOX_MAIL_AUTHORITY", "mx.club.example")
    found = explained(file, capsys)
    assert (found["verdict"], found["moves"]) == ("false", []) and "forged" in found["ignored"]
    assert [path.name for path in alone.iterdir()] == ["letter.eml"], "no database was made"


def test_it_is_bounded_like_the_way_in(alone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = alone / "slow.eml"
    head = f'From: {ANN}\r\nTo: {OWN}\r\nContent-Type: text/plain; x="'.encode()
    file.write_bytes(head + b";" * 250_000 + b"\r\n\r\nbuy P1")
    assert explained(file, capsys) == {"verdict": "unknown", "moves": [], "ignored": "its headers are too long"}
    file.write_bytes(letter("buy P1", ANN, TO, Auto_Submitted="auto-replied"))
    assert "Auto-Submitted" in explained(file, capsys)["ignored"]


@pytest.mark.parametrize("name", ["nowhere.eml", ".", "pipe", "/dev/zero"])
def test_a_file_that_cannot_be_read_is_wrong_use(alone: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(alone / "pipe")
    signal.alarm(60)  # Whoever waits for ever ends the tests.
    assert main(["mail", "--explain", str(alone / name)]) == 2
    assert "cannot be read" in capsys.readouterr().err
    signal.alarm(0)


@pytest.mark.shared
@pytest.mark.parametrize("name", OUTCOMES)
def test_mails_of_real_programs_are_read_as_their_moves(
    shared: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shared / "findings" / "mail-cases"
    assert {path.stem for path in folder.glob("*.eml")} == set(OUTCOMES)
    found = explained(folder / f"{name}.eml", capsys)
    assert found["moves"] == OUTCOMES[name] and bool(found["ignored"]) == (not OUTCOMES[name])

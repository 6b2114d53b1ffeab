"""What lies in deploy/: parsed, verified, and its steps run, as far as a machine without Docker and systemd allows."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from bot.cli.main import build_parser
from bot.commands.discord.life import CLOSING_SECONDS
from bot.ops.settings import DATABASE, Settings
from bot.work.worker import GRACE

PROJECT = Path(__file__).resolve().parents[2]
DEPLOY = PROJECT / "deploy"
STATE = "/var/lib/signalbox"
EXPOSURE = 20
"""`systemd-analyze security` gives 0 (locked up) to 100 (may do anything)."""

ANALYSE = shutil.which("systemd-analyze")


UNITS = ("signalbox.service", "signalbox-worker.service")


def unit(name: str) -> dict[str, list[str]]:
    """The settings of a unit file."""
    found: dict[str, list[str]] = {}
    for line in (DEPLOY / name).read_text().splitlines():
        name, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            found.setdefault(name, []).append(value)
    return found


def template() -> dict[str, str]:
    """Every variable of the template, those that are commented out too."""
    lines = (DEPLOY / "signalbox.env.example").read_text().splitlines()
    return dict(found.groups() for line in lines if (found := re.fullmatch(r"(?:# )?([A-Z_]+)=(.*)", line)))


def image() -> list[tuple[str, str]]:
    """The Dockerfile's instructions, with continued lines joined."""
    text = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.split(None, 1)[0], " ".join(line.split(None, 1)[1].split())) for line in lines]


# -- the unit -----------------------------------------------------------------------------------------


@pytest.mark.skipif(ANALYSE is None, reason="no systemd-analyze here")
@pytest.mark.parametrize("name", UNITS)
def test_systemd_accepts_the_units_and_finds_them_locked_up(tmp_path: Path, name: str) -> None:
    copy = tmp_path / name
    text = (DEPLOY / name).read_text()
    copy.write_text(re.sub(r"(?m)^ExecStart=\S+", f"ExecStart={sys.executable}", text))
    verified = subprocess.run([str(ANALYSE), "verify", copy], capture_output=True, text=True, check=False)
    about_it = [line for line in verified.stderr.splitlines() if name in line]
    assert (verified.returncode, about_it) == (0, [])
    command = [str(ANALYSE), "security", "--offline=true", f"--threshold={EXPOSURE}", copy]
    judged = subprocess.run(command, capture_output=True, text=True, check=False)
    assert judged.returncode == 0, judged.stdout[-300:]


@pytest.mark.parametrize("name", UNITS)
def test_the_units_leave_time_to_end_and_a_place_to_write(name: str) -> None:
    found = unit(name)
    assert int(found["TimeoutStopSec"][0]) > max(CLOSING_SECONDS, GRACE)
    assert f"/var/lib/{found['StateDirectory'][0]}" == STATE
    assert found["Environment"] == [f"SIGNALBOX_DATA={STATE}"]
    assert found["ProtectSystem"] == ["strict"]
    (elsewhere,) = found["ReadWritePaths"]
    assert elsewhere.startswith("-"), "a start without the disk of backups is no failure"
    assert f"SIGNALBOX_BACKUPS={elsewhere.removeprefix('-')}`" in (PROJECT / "docs" / "operations.md").read_text()
    build_parser().parse_args(shlex.split(found["ExecStart"][0])[1:])


# -- the environment ----------------------------------------------------------------------------------


def test_the_template_names_every_variable_that_is_read_and_no_other() -> None:
    read = set()
    for path in (PROJECT / "bot").rglob("*.py"):
        read |= set(re.findall(r"\"((?:SIGNALBOX|DISCORD)_[A-Z_]+)\"", path.read_text()))
    told = set(re.findall(r"^\| `([A-Z_]+)` \|", (PROJECT / "docs" / "operations.md").read_text(), re.MULTILINE))
    assert read == told
    assert set(template()) == told - {"SIGNALBOX_SHARED"}


def test_the_template_is_valid_with_every_line_in_force() -> None:
    settings = Settings.read(template())
    assert settings.data == Path(STATE)
    assert settings.backups == Path(STATE) / "backups"
    assert (settings.port, settings.log_form, settings.reads_content) == (9718, "json", True)


# -- the image ----------------------------------------------------------------------------------------


def test_the_image_runs_as_nobody_with_locked_packages_and_is_asked_how_it_is() -> None:
    steps = image()
    kinds = [kind for kind, _ in steps]
    found = dict(steps)
    assert re.fullmatch(r"python:3\.1[1-3]-slim", found["FROM"])
    assert found["USER"].isdecimal()
    assert int(found["USER"]) > 0
    assert kinds.index("USER") < kinds.index("CMD")
    assert f"--uid {found['USER']} " in " ".join(what for kind, what in steps if kind == "RUN")
    installs = [what for kind, what in steps if kind == "RUN" and "pip install" in what]
    assert all("--no-deps" in what for what in installs)
    assert "--require-hashes" in installs[0]
    environment = dict(pair.split("=", 1) for pair in shlex.split(found["ENV"]))
    settings = Settings.read(environment)
    assert (str(settings.data), settings.port > 0) == (found["VOLUME"], True)
    for command in (found["CMD"], found["HEALTHCHECK"].split("CMD ", 1)[1]):
        words = yaml.safe_load(command)
        assert words[0] == "signalbox"
        build_parser().parse_args(words[1:])


def test_what_the_image_copies_is_enough_to_paint_and_to_be_asked(tmp_path: Path) -> None:
    """The COPY steps, made in a clean folder: the program starts there, finds its fonts and migrations."""
    home = tmp_path / "opt"
    for kind, what in image():
        if kind == "COPY":
            *sources, target = what.split()
            for source in sources:
                place = home / target / (source if target == "./" else "")
                if (PROJECT / source).is_dir():
                    shutil.copytree(PROJECT / source, home / target)
                else:
                    place.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(PROJECT / source, place)
    kept_out = (DEPLOY / "Dockerfile.dockerignore").read_text().split()
    assert {line.removeprefix("!") for line in kept_out if line.startswith("!")} >= {
        path.name for path in home.iterdir()
    }
    environment = {"PATH": os.environ["PATH"], "SIGNALBOX_DATA": str(tmp_path / "data"), "SIGNALBOX_PORT": "1"}

    def run(*words: str, text: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-P", "-m", "bot", *words]
        return subprocess.run(
            command,
            cwd=tmp_path,
            env=environment | {"PYTHONPATH": str(home)},
            input=text,
            capture_output=True,
            text=True,
            check=False,
        )

    asked = run("health")
    assert (asked.returncode, "does not answer" in asked.stderr) == (1, True)
    played = run("run", text="new 1848 Ann Bob Cid --seed 1\nbuy P1\nmap\n")
    assert played.returncode == 0, played.stderr
    assert "Ann buys P1" in played.stdout
    assert [path.stat().st_size > 10_000 for path in (tmp_path / "data" / "pictures").rglob("*map*.png")]


# -- compose and continuous copies --------------------------------------------------------------------


def test_compose_builds_the_image_and_gives_it_nothing_more_than_it_needs() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    bot = compose["services"]["signalbox"]
    assert (DEPLOY / bot["build"]["context"]).resolve() == PROJECT
    assert (PROJECT / bot["build"]["dockerfile"]).is_file()
    assert bot["env_file"] == "signalbox.env"
    assert "/tmp" in bot["tmpfs"]
    assert int(bot["stop_grace_period"].removesuffix("s")) > CLOSING_SECONDS
    assert bot["volumes"] == [f"data:{STATE}"]
    for service in compose["services"].values():
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
    replica = compose["services"]["replica"]
    assert replica["user"] == dict(image())["USER"]
    assert replica["profiles"], "two bots or none: the copies are asked for"
    named = {volume.split(":")[0] for service in compose["services"].values() for volume in service["volumes"]}
    assert {name for name in named if not name.startswith(".")} == set(compose["volumes"])
    assert all((DEPLOY / name).exists() for name in named if name.startswith("./") and "." in name[2:])


def test_the_continuous_copies_are_of_the_bots_database() -> None:
    (database,) = yaml.safe_load((DEPLOY / "litestream.yml").read_text())["dbs"]
    assert database["path"] == f"{STATE}/{DATABASE}"
    mounted = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["replica"]["volumes"]
    targets = [volume.split(":")[1] for volume in mounted]
    assert any(database["replicas"][0]["path"].startswith(target) for target in targets)


@pytest.mark.parametrize("script", ["deploy/system-packages.sh", "tests/bare_debian.sh"])
def test_a_shell_script_is_well_formed(script: str) -> None:
    assert subprocess.run(["sh", "-n", PROJECT / script], check=False).returncode == 0

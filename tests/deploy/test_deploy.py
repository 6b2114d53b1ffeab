"""What lies in deploy/: parsed, verified, and its steps run, as far as a machine without Docker and systemd allows."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import pytest
import yaml

from bot.cli.main import build_parser
from bot.commands.discord.run import CLOSING_SECONDS
from bot.jobs.worker import GRACE
from bot.ops.settings import DATABASE, Settings

PROJECT = Path(__file__).resolve().parents[2]
DEPLOY = PROJECT / "deploy"
STATE = "/var/lib/signalbox"
EXPOSURE = 20
"""`systemd-analyze security` gives 0 (locked up) to 100 (may do anything)."""

ANALYSE = shutil.which("systemd-analyze")


URL = "SIGNALBOX_DATABASE_URL"
UNITS = ("signalbox.service", "signalbox@.service", "signalbox-worker.service")


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
    assert found["StartLimitIntervalSec"] == ["0"], "however long Discord is away, the unit is started again"
    assert int(found["TimeoutStopSec"][0]) > max(CLOSING_SECONDS, GRACE)
    assert f"/var/lib/{found['StateDirectory'][0]}" == STATE
    assert found["Environment"][0] == f"SIGNALBOX_DATA={STATE}"
    assert found["ProtectSystem"] == ["strict"]
    (elsewhere,) = found["ReadWritePaths"]
    assert elsewhere.startswith("-"), "a start without the disk of backups is no failure"
    assert (
        f"SIGNALBOX_BACKUPS={elsewhere.removeprefix('-')}`"
        in (PROJECT / "docs" / "reference" / "operations.md").read_text()
    )
    build_parser().parse_args(shlex.split(found["ExecStart"][0])[1:])


def test_four_instances_of_a_unit_serve_every_shard_once_and_are_asked_at_ports_of_their_own() -> None:
    found = unit("signalbox@.service")
    given = [pair for line in found["Environment"] for pair in line.split()]
    chosen = [
        Settings.from_env(
            dict(pair.replace("%i", str(number)).split("=", 1) for pair in given) | {URL: template()[URL]}
        )
        for number in range(4)
    ]
    assert all(each.shards is not None for each in chosen)
    assert sorted(shard for each in chosen if each.shards for shard in each.shards.numbers) == [0, 1, 2, 3]
    assert {each.shards.count for each in chosen if each.shards} == {4} and len({each.port for each in chosen}) == 4
    assert found["EnvironmentFile"] == ["/etc/signalbox.env", "-/etc/signalbox-%i.env"]
    alone = unit("signalbox.service")
    named = {"Description", "Documentation", "Environment", "EnvironmentFile"}
    assert {name: value for name, value in found.items() if name not in named} == {
        name: value for name, value in alone.items() if name not in named
    }, "but for what it serves, each is the bot's unit"


# -- the environment ----------------------------------------------------------------------------------


def test_the_template_names_every_variable_that_is_read_and_no_other() -> None:
    read = set()
    for path in (PROJECT / "bot").rglob("*.py"):
        read |= set(re.findall(r"\"((?:SIGNALBOX|DISCORD)_[A-Z_]+)\"", path.read_text()))
    told = set(
        re.findall(r"^\| `([A-Z_]+)` \|", (PROJECT / "docs" / "reference" / "operations.md").read_text(), re.MULTILINE)
    )
    assert read == told
    assert set(template()) == told - {"SIGNALBOX_SHARED"}


def test_the_template_is_valid_with_every_line_in_force() -> None:
    settings = Settings.from_env(template())
    assert settings.data == Path(STATE)
    assert settings.backups == Path(STATE) / "backups"
    assert (settings.port, settings.log_form, settings.message_content) == (9718, "json", True)


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
    settings = Settings.from_env(environment)
    assert (str(settings.data), settings.port > 0) == (found["VOLUME"], True)
    for command in (found["CMD"], found["HEALTHCHECK"].split("CMD ", 1)[1]):
        words = yaml.safe_load(command)
        assert words[0] == "signalbox"
        build_parser().parse_args(words[1:])


@pytest.mark.whole
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


def server() -> dict[str, Any]:
    """The services with a database server."""
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose-server.yaml").read_text())
    return found


@pytest.mark.parametrize("name", ["compose.yaml", "compose-server.yaml"])
def test_docker_reads_the_services(name: str, tmp_path: Path) -> None:
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode:
        pytest.skip("no docker compose here")
    shutil.copytree(DEPLOY, tmp_path / "deploy")
    (tmp_path / "deploy" / "signalbox.env").write_text("DISCORD_TOKEN=x\n")
    command = [docker, "compose", "--file", tmp_path / "deploy" / name, "config", "--quiet"]
    read = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (read.returncode, read.stderr) == (0, "")


def test_two_bots_a_worker_and_a_server_with_its_password_in_a_file_alone() -> None:
    services = server()["services"]
    ours = {name: service for name, service in services.items() if name != "database"}
    assert set(ours) == {"bot-0", "bot-1", "queue", "worker"}
    for name, service in ours.items():
        words = service["command"]
        assert words[0] == "signalbox"
        build_parser().parse_args(words[1:])
        settings = Settings.from_env(service["environment"])
        assert settings.server is not None and settings.server.url.host == "database" and not settings.server.password
        assert (settings.shards is not None) == name.startswith("bot")
        assert set(service["environment"]) <= set(template()) | {"PGPASSFILE"}
        assert service["secrets"] == services["database"]["secrets"] == list(server()["secrets"])
        assert service["cap_drop"] == ["ALL"] and service["security_opt"] == ["no-new-privileges:true"]
        assert service["read_only"] and "/tmp" in service["tmpfs"] and service["volumes"] == [f"data:{STATE}"]
        assert int(service["stop_grace_period"].removesuffix("s")) > max(CLOSING_SECONDS, GRACE)
        arguments = dict(step.split("=", 1) for kind, step in image() if kind == "ARG")
        assert set(service["build"]["args"]) == set(arguments), "what the image lets one choose"
        assert (PROJECT / service["build"]["args"]["LOCK"]).is_file()
    shares = [Settings.from_env(services[name]["environment"]).shards for name in ("bot-0", "bot-1")]
    assert all(each is not None and each.count == len(shares) for each in shares)
    database = services["database"]
    assert database["environment"]["POSTGRES_PASSWORD_FILE"].startswith("/run/secrets/")
    assert "POSTGRES_PASSWORD" not in database["environment"] and "ports" not in database
    text = (DEPLOY / "compose-server.yaml").read_text()
    assert (DEPLOY / server()["secrets"]["database-password"]["file"]).name in (PROJECT / ".gitignore").read_text()
    assert not re.search(r"://\w+:[^/@\s]*@|\b\d{1,3}(\.\d{1,3}){3}\b", text), "no password, no address"
    named = {volume.split(":")[0] for service in services.values() for volume in service.get("volumes", [])}
    assert named == set(server()["volumes"])


def test_the_entry_of_a_container_gives_the_password_to_postgresqls_programs(tmp_path: Path) -> None:
    """What stands before the command, run here with other folders."""
    shell, option, script, dash = server()["services"]["bot-0"]["entrypoint"]
    (tmp_path / "database-password").write_text("geheim")
    here = (
        script.replace("$$", "$").replace("/run/secrets/", f"{tmp_path}/").replace("/tmp/pgpass", f"{tmp_path}/pgpass")
    )
    done = subprocess.run([shell, option, here, dash, "echo", "a  b"], capture_output=True, text=True, check=True)
    assert done.stdout == "a  b\n" and (tmp_path / "pgpass").read_text() == "*:*:*:*:geheim\n"
    assert (tmp_path / "pgpass").stat().st_mode & 0o077 == 0


def test_the_continuous_copies_are_of_the_bots_database() -> None:
    (database,) = yaml.safe_load((DEPLOY / "litestream.yml").read_text())["dbs"]
    assert database["path"] == f"{STATE}/{DATABASE}"
    mounted = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["replica"]["volumes"]
    targets = [volume.split(":")[1] for volume in mounted]
    assert any(database["replicas"][0]["path"].startswith(target) for target in targets)


@pytest.mark.parametrize("script", ["deploy/system-packages.sh", "tests/bare_debian.sh"])
def test_a_shell_script_is_well_formed(script: str) -> None:
    assert subprocess.run(["sh", "-n", PROJECT / script], check=False).returncode == 0


# -- proxies ------------------------------------------------------------------------------------------

TOKEN = "t" * 24


def unused_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def asked(command: list[str], port: int, log: Path) -> str:
    """What a proxy logs of somebody who comes by a link while the bot is away, after its answer."""
    with log.open("ab") as said, subprocess.Popen(command, stdout=said, stderr=said) as proxy:
        try:
            for _ in range(100):
                with suppress(URLError):
                    try:
                        urlopen(f"http://127.0.0.1:{port}/b/{TOKEN}/", timeout=5)
                    except HTTPError as error:
                        assert error.code == 502
                        break
                time.sleep(0.1)
            else:
                raise AssertionError(log.read_text())
        finally:
            proxy.terminate()
            proxy.wait(10)
    return "".join(path.read_text() for path in log.parent.iterdir() if path.is_file())


@pytest.mark.skipif(not shutil.which("nginx"), reason="LOUD: there is no nginx here, its example was not run")
def test_nginx_logs_no_link_while_the_bot_is_away(tmp_path: Path) -> None:
    text, port, logs = (DEPLOY / "nginx.conf.example").read_text(), unused_port(), tmp_path / "logs"
    logs.mkdir()
    text = re.sub(r"    ssl_certificate.*\n", "", text.replace("listen 443 ssl http2", f"listen 127.0.0.1:{port}"))
    text = text.replace("/var/log/nginx", str(logs)).replace("127.0.0.1:8018", f"127.0.0.1:{unused_port()}")
    paths = "".join(
        f"{kind}_temp_path {tmp_path}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; pid {tmp_path}/pid; error_log {logs}/main.log; events {{}} http {{ {paths}\n{text} }}"
    )
    command = ["nginx", "-c", str(tmp_path / "nginx.conf"), "-e", str(logs / "main.log")]
    assert TOKEN not in asked(command, port, logs / "out")


@pytest.mark.skipif(not shutil.which("caddy"), reason="LOUD: there is no Caddy here, its example was not run")
def test_caddy_logs_no_link_while_the_bot_is_away(tmp_path: Path) -> None:
    text, port, logs = (DEPLOY / "Caddyfile.example").read_text(), unused_port(), tmp_path / "logs"
    logs.mkdir()
    text = text.replace("board.example.org {", f"http://127.0.0.1:{port} {{").replace("8018", str(unused_port()))
    (tmp_path / "Caddyfile").write_text(text.replace("\tlog {", "\tadmin off\n\tlog {", 1))
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(tmp_path / "Caddyfile")]
    said = asked(command, port, logs / "out")
    assert "serving initial configuration" in said and TOKEN not in said

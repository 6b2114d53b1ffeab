"""What all tests share: the folder of real games beside the project, and a loud line when it is absent."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from bot.garbage import tune_gc
from bot.store import Server
from tests.blank_database import write_blank
from tests.store.postgres_cluster import ON_BOTH, cluster

settings.register_profile("suite", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("suite")

# As every command does.
tune_gc()

PROJECT = Path(__file__).resolve().parents[1]
ABSENT = "LOUD: ../shared is absent, the real games were NOT replayed"
ALONE = "LOUD: PEER names no checkout of 18xx.games, nothing was compared with its engine"


def shared_folder() -> Path:
    """`SIGNALBOX_SHARED`, else the folder beside the project."""
    return Path(os.environ.get("SIGNALBOX_SHARED") or PROJECT.parent / "shared")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real games."""
    folder = shared_folder()
    if not folder.is_dir():
        pytest.skip(ABSENT)
    return folder


@pytest.fixture(params=ON_BOTH)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path | Server]:
    """A database with the tables, and nothing in them."""
    if request.param == "file":
        write_blank(tmp_path / "signalbox.db")
        yield tmp_path / "signalbox.db"
        return
    server = cluster().fresh()
    yield server
    cluster().drop(server)


@pytest.fixture(params=ON_BOTH)
def empty_place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path | Server]:
    """A database without tables; a file that there is not."""
    if request.param == "file":
        yield tmp_path / "new" / "folder" / "signalbox.db"
        return
    server = cluster().fresh(None)
    yield server
    cluster().drop(server)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What the long campaigns measured; and loudly, that the real games were not there."""
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, value in getattr(report, "user_properties", ()):
                if name == "figure" and report.when == "call":
                    terminalreporter.write_line(f"{report.nodeid}: {value}")
    if not shared_folder().is_dir():
        terminalreporter.write_line(ABSENT, red=True, bold=True)
    from tests.web.chromium import ABSENT as WITHOUT_BROWSER
    from tests.web.chromium import chromium

    if chromium() is None:
        terminalreporter.write_line(WITHOUT_BROWSER, red=True, bold=True)
    from tests.mail.servers import ABSENT as WITHOUT_SERVERS
    from tests.mail.servers import dovecot

    if dovecot() is None:
        terminalreporter.write_line(WITHOUT_SERVERS, red=True, bold=True)
    from tests.store.postgres_cluster import ABSENT as WITHOUT_POSTGRESQL
    from tests.store.postgres_cluster import programs

    if programs() is None:
        terminalreporter.write_line(WITHOUT_POSTGRESQL, red=True, bold=True)
    if not os.environ.get("PEER"):
        terminalreporter.write_line(ALONE, red=True, bold=True)

"""A private PostgreSQL: Debian's programs, a folder of its own, a socket in it, an unprivileged user. Begun and ended by the
tests; the databases of the machine are not touched."""

from __future__ import annotations

import asyncio
import atexit
import os
import pwd
import re
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing, contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bot.store import Server, Store
from bot.store.backends.postgres import SPACE, WRITER
from tests.blank_database import write_blank

ABSENT = "LOUD: there is no PostgreSQL here, nothing was tried on a database server (tests/store/postgresql.sh installs Debian's)"
SETTINGS = {
    "listen_addresses": "''",
    "fsync": "off",
    "autovacuum": "off",
    "max_connections": "60",
    "shared_buffers": "32MB",
    "log_statement": "none",
}
BLANK = "blank"

ON_BOTH = ["file", pytest.param("server", marks=pytest.mark.postgres)]
"""A test that asks for a place runs with a file and with a server's database."""

IN_TIME_ON_BOTH = ["file", pytest.param("server", marks=[pytest.mark.postgres, pytest.mark.whole])]
"""The same of one that takes long on a server."""


def programs() -> Path | None:
    """Where PostgreSQL's programs lie, the newest of them; None where there are none."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    return max(found, key=lambda path: int(path.parent.name), default=None)


class Cluster:
    """A server that runs."""

    def __init__(self) -> None:
        here = programs()
        assert here is not None, ABSENT
        self.programs = here
        self.user = "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
        self.folder = Path(tempfile.mkdtemp(prefix="signalbox-postgresql-"))
        if os.getuid() == 0:
            shutil.chown(self.folder, self.user)
        self.folder.chmod(0o755)
        self._numbers = count(1)
        self._run("initdb", "-D", self.data, "-U", "signalbox", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N")
        self.start()
        self.execute("postgres", f"CREATE DATABASE {BLANK}")
        # Whoever asks for a server may be in an event loop.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, _migrated(self.address(BLANK))).result()

    @property
    def data(self) -> str:
        """The folder of its files."""
        return str(self.folder / "data")

    def start(self) -> None:
        """Let it run."""
        settings = " ".join(f"-c {name}={value}" for name, value in SETTINGS.items())
        options = f"-c unix_socket_directories={self.folder} {settings}"
        self._run("pg_ctl", "-D", self.data, "-w", "-l", str(self.folder / "log"), "-o", options, "start")

    def stop(self, how: str = "fast") -> None:
        """End it; `immediate` as by a failure of the machine's power."""
        self._run("pg_ctl", "-D", self.data, "-w", "-m", how, "stop")

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self.programs / program), *arguments]
        if os.getuid() == 0:
            command = ["runuser", "-u", self.user, "--", *command]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    def address(self, database: str) -> Server:
        """The address of one of its databases."""
        return Server.parse(f"postgresql://signalbox@/{database}?host={self.folder}")

    def execute(self, database: str, *statements: str) -> list[Any]:
        """Run statements; the rows of the last one."""
        return execute(self.address(database), *statements)

    def fresh(self, like: str | None = BLANK) -> Server:
        """A new database like another one: with the tables, if nothing else is asked for; None: without."""
        name = f"test{next(self._numbers)}"
        self.execute("postgres", f"CREATE DATABASE {name}" + (f" TEMPLATE {like}" if like else ""))
        return self.address(name)

    def drop(self, server: Server) -> None:
        """Remove a database, also one that somebody has open."""
        self.execute("postgres", f"DROP DATABASE IF EXISTS {server.url.database} WITH (FORCE)")

    def remove(self) -> None:
        """End it and remove its files."""
        try:
            if (self.folder / "data" / "postmaster.pid").exists():
                self.stop("immediate")
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)


async def _migrated(server: Server) -> None:
    store = await Store.open(server)
    await store.close()


@cache
def cluster() -> Cluster:
    """The server of this run of the tests."""
    if programs() is None:
        pytest.skip(ABSENT)
    found = Cluster()
    atexit.register(found.remove)
    return found


def execute(place: Path | Server, *statements: str, values: tuple[object, ...] = ()) -> list[Any]:
    """Run statements in a database, past the store; the rows of the last one. They are written as SQLite wants them."""
    if isinstance(place, Path):
        with closing(sqlite3.connect(place, timeout=10)) as database, database:
            return [database.execute(statement, values).fetchall() for statement in statements][-1]
    with psycopg.connect(place.text, autocommit=True) as server:
        done = [server.execute(_there(statement), values or None) for statement in statements][-1]
        return done.fetchall() if done.description else []


@contextmanager
def one_moment(place: Path | Server) -> Iterator[Callable[..., list[Any]]]:
    """What gives the rows of statements as they all are at one moment, past the store."""
    if isinstance(place, Path):
        with closing(sqlite3.connect(place, isolation_level=None)) as database:
            database.execute("BEGIN")
            yield lambda statement, *values: database.execute(statement, values).fetchall()
        return
    with psycopg.connect(place.text) as server:
        server.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        yield lambda statement, *values: server.execute(_there(statement), values).fetchall()


@contextmanager
def fresh(kind: str) -> Iterator[Path | Server]:
    """A database with the tables and nothing in them, a `file` or of a `server`, that is gone afterwards."""
    if kind == "file":
        with tempfile.TemporaryDirectory() as folder:
            write_blank(Path(folder) / "signalbox.db")
            yield Path(folder) / "signalbox.db"
        return
    server = cluster().fresh()
    yield server
    cluster().drop(server)


@contextmanager
def kept_from_writing(place: Path | Server) -> Iterator[None]:
    """Whoever would save something waits until the end of this: somebody else is in the middle of it."""
    if isinstance(place, Path):
        with closing(sqlite3.connect(place, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")
        return
    with psycopg.connect(place.text, autocommit=True) as other:
        other.execute(f"SELECT pg_advisory_lock({SPACE}, {WRITER})")
        yield


@asynccontextmanager
async def taken_over(server: Server, shard: int) -> AsyncIterator[None]:
    """The session that holds a shard of this database is ended by the server, and somebody else has the shard at once."""
    holders = f"SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 7284 AND objid = {shard} AND granted"
    with psycopg.connect(server.text, autocommit=True) as rival, psycopg.connect(server.text, autocommit=True) as other:
        taking = asyncio.create_task(asyncio.to_thread(rival.execute, f"SELECT pg_advisory_lock(7284, {shard})"))
        waiting = holders.replace("granted", "NOT granted")
        while not other.execute(waiting).fetchall():
            await asyncio.sleep(0.05)
        other.execute(f"SELECT pg_terminate_backend(pid) FROM ({holders}) AS found")
        await taking
        yield


def _there(statement: str) -> str:
    """A statement with its bytes and gaps as PostgreSQL writes them."""
    return re.sub("x'([0-9a-f]*)'", r"'\\x\1'::bytea", statement).replace("?", "%s")

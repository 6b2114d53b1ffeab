"""A database of a server as a file, by PostgreSQL's own programs, and back."""

from __future__ import annotations

import os
import subprocess
from copy import copy
from pathlib import Path

from bot.store.errors import (
    AWAY,
    FULL,
    StoreDamaged,
    StoreError,
    StoreMissing,
    StoreReadOnly,
    StoreTooNew,
    map_os_error,
)
from bot.store.file.backup_file import flush
from bot.store.file.permissions import FILE, make_folder

from .dsn import Server

WITHOUT = ("work",)
"""Schemas without lasting data: the queue's."""

MAGIC = b"PGDMP"


def dump(server: Server, target: Path) -> None:
    """Write a database as it is at one moment into a new file, also while others write to it.

    :raises StoreMissing: there is no pg_dump here.
    :raises StoreTooNew: the server's release is newer than that of pg_dump.
    :raises StoreError: it cannot be read, or the file cannot be written; no file is left behind.
    """
    try:
        make_folder(target.parent)
        target.touch(FILE, exist_ok=False)
    except OSError as error:
        raise map_os_error(error) from error
    without = [f"--exclude-schema={name}" for name in WITHOUT]
    try:
        _run(
            "pg_dump",
            server,
            target.name,
            "--format=custom",
            "--no-owner",
            "--no-privileges",
            *without,
            f"--file={target}",
        )
        flush(target)
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def is_dump(path: Path) -> bool:
    """Whether a file is what `dump` writes, whole or not.

    :raises OSError: it cannot be read.
    """
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def load(source: Path, server: Server) -> None:
    """Read what `dump` has written into an empty database.

    :raises StoreDamaged: it is not whole, or something else.
    :raises StoreMissing: there is no pg_restore here.
    :raises StoreError: the server did not take it.
    """
    if not source.is_file():
        raise StoreMissing("There is no file {name}.", source.name)
    _run("pg_restore", server, source.name, "--exit-on-error", "--no-owner", "--no-privileges", str(source))


def _run(program: str, server: Server, name: str, *arguments: str) -> None:
    """Run one of these programs. The environment holds the password, so that no list of processes shows it."""
    url = server.url._replace(password=None).difference_update_query(["password"])
    password = {"PGPASSWORD": server.password} if server.password else {}
    try:
        done = subprocess.run(
            [program, "--no-password", f"--dbname={url.render_as_string()}", *arguments],
            env={**os.environ, "LC_ALL": "C", "PGCONNECT_TIMEOUT": "5", **password},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    except FileNotFoundError as error:
        raise StoreMissing(
            "There is no {program} here: install PostgreSQL's programs (postgresql-client), no older than the server.",
            program,
        ) from error
    if done.returncode:
        raise _map_tool_error(program, name, done.stderr)


def _map_tool_error(program: str, name: str, said: str) -> StoreError:
    line = next((line.partition("error: ")[2] for line in said.splitlines() if "error: " in line), said.strip()[:200])
    if "No space left on device" in said or "disk full" in said.lower():
        return copy(FULL)
    if "version mismatch" in said or "unsupported version" in said:
        return StoreTooNew("{program} is older than the server: install the server's release of it.", program)
    if "connection to server" in said:
        return copy(AWAY)
    if "permission denied" in said:
        return StoreReadOnly("The server's role may not read or create all of it: {error}.", line)
    if program == "pg_restore" and ("archive" in line or "input file" in line or "end of file" in line):
        return StoreDamaged("{name} is damaged: {found}", name, line)
    return StoreError("{program} failed: {error}", program, line or "-")

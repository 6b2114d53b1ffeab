"""A temporary database on another database's server: to try a backup, to measure, to take the other's place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bot.store.errors import IN_USE, StoreDamaged, StoreError, StoreInUse, StoreMissing, StoreReadOnly, map_driver_error

from .dsn import Server

if TYPE_CHECKING:
    import psycopg

MAINTENANCE = "postgres"
"""The database of every server from which others are created, renamed and dropped."""

SCRATCH = 7285
"""The first half of the keys of our locks there; the second identifies the database."""

NO_RIGHT, USED = "42501", "55006"
"""SQLSTATE: the role may not; somebody is connected."""

LONGEST = 63
"""Maximum significant length of a name on a server."""

OURS = {"games", "moves", "snapshots", "alembic_version"}


@contextmanager
def scratch(server: Server) -> Iterator[Server]:
    """An empty database beside the given database, which is dropped afterwards. There is only one at a time: other
    callers wait, and leftovers of a killed program are dropped first.

    :raises StoreReadOnly: the role may not make databases.
    :raises StoreError: the server cannot be reached.
    """
    fresh = Server(server.url.set(database=f"{_name(server)[: LONGEST - 8]}_scratch"))
    with _connect_maintenance(server) as connection:
        _run(connection, "SELECT pg_advisory_lock(%s, hashtext(%s))", SCRATCH, _name(server))
        try:
            _run(connection, _sql("DROP DATABASE IF EXISTS {} WITH (FORCE)", fresh))
            _run(connection, _sql(_LIKE.format(*_locale(connection, server)), fresh))
            yield fresh
        finally:
            _run(connection, _sql("DROP DATABASE IF EXISTS {} WITH (FORCE)", fresh))


_LIKE = "CREATE DATABASE {{}} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE '{}' LC_CTYPE '{}'"


def replace_server(fresh: Server, server: Server, aside: str) -> Server:
    """Give a database the name of another, which keeps its name with `aside` appended.

    :raises StoreInUse: some program has one of them open.
    :raises StoreError: the role does not own them, or the server cannot be reached; nothing has changed.
    """
    kept = Server(server.url.set(database=f"{_name(server)[: LONGEST - len(aside)]}{aside}"))
    with _connect_maintenance(server) as connection, connection.transaction():
        _run(connection, _sql("ALTER DATABASE {} RENAME TO {}", server, kept))
        _run(connection, _sql("ALTER DATABASE {} RENAME TO {}", fresh, server))
    return kept


def check_server(server: Server, name: str) -> None:
    """Check that a database that was read from a file of this name is ours.

    :raises StoreDamaged: it is not a database of ours.
    """
    with _connect(server) as connection:
        tables = {row[0] for row in _run(connection, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")}
    if not tables >= OURS:
        raise StoreDamaged("{name} is not a Signalbox database.", name)


def _name(server: Server) -> str:
    assert server.url.database is not None
    return server.url.database


def _locale(connection: psycopg.Connection[Any], server: Server) -> tuple[str, str]:
    query = "SELECT datcollate, datctype FROM pg_database WHERE datname = %s"
    rows = _run(connection, query, _name(server))
    if not rows:
        raise StoreMissing("There is no database {name} on the server.", _name(server))
    collate, ctype = rows[0]
    return str(collate), str(ctype)


def _connect_maintenance(server: Server) -> psycopg.Connection[Any]:
    return _connect(Server(server.url.set(database=MAINTENANCE)))


def _connect(server: Server) -> psycopg.Connection[Any]:
    try:
        import psycopg
    except ModuleNotFoundError as error:
        raise StoreMissing("For PostgreSQL one package is missing: install signalbox[postgres].") from error
    try:
        return psycopg.connect(server.text, autocommit=True, connect_timeout=5, application_name="signalbox")
    except psycopg.Error as error:
        raise map_driver_error(error) from error


def _sql(statement: str, *databases: Server) -> Any:
    from psycopg.sql import SQL, Identifier

    return SQL(statement).format(*(Identifier(_name(server)) for server in databases))


def _run(connection: psycopg.Connection[Any], statement: Any, *values: object) -> list[Any]:
    import psycopg

    try:
        cursor = connection.execute(statement, values or None)
        return cursor.fetchall() if cursor.description else []
    except psycopg.Error as error:
        if error.sqlstate == NO_RIGHT:
            raise _permission_error(connection.info.user) from error
        if error.sqlstate == USED:
            raise StoreInUse(str(IN_USE)) from error
        raise map_driver_error(error) from error


def _permission_error(role: str) -> StoreError:
    return StoreReadOnly(
        "The server's role {role} may not create databases, or does not own this database: ALTER ROLE {role} CREATEDB.",
        role,
    )

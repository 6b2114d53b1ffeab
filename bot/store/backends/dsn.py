"""The address of a database on a server."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

SCHEMES = ("postgresql", "postgres", "postgresql+psycopg")


@dataclass(frozen=True)
class Server:
    """A database of a PostgreSQL server. Its printed form holds no password."""

    url: URL = field(repr=False)

    @classmethod
    def parse(cls, text: str) -> Server:
        """The address `postgresql://user:password@host:port/database`; missing parts are as in PostgreSQL's own
        programs (`PGPASSFILE`, `PGHOST` ...).

        :raises ValueError: it is not valid. The text of the error does not hold it.
        """
        try:
            url = make_url(text)
        except (ArgumentError, ValueError):
            raise ValueError("no address") from None
        if url.drivername not in SCHEMES or not url.database:
            raise ValueError("no address of a PostgreSQL database")
        return cls(url.set(drivername="postgresql"))

    @property
    def text(self) -> str:
        """The address as it was given, with its password."""
        return self.url.render_as_string(hide_password=False)

    @property
    def password(self) -> str:
        secret = self.url.password or self.url.query.get("password", "")
        return secret if isinstance(secret, str) else "".join(secret)

    def __str__(self) -> str:
        url = self.url
        shown = URL.create("postgresql", url.username, host=url.host, port=url.port, database=url.database)
        return shown.render_as_string()

    def __repr__(self) -> str:
        return f"Server({str(self)!r})"

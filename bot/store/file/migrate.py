"""Bringing a database file to the present form of the tables."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Column, Connection, MetaData, String, Table, inspect, text

from bot.store.schema import metadata

MIGRATIONS = Path(__file__).parents[1] / "migrations"

HEAD = "0040"
"""The newest migration; a test compares it with the folder."""


_revisions = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))


class UnknownRevision(Exception):
    """This release does not know the file's form."""


def revision_of(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
    return None if found is None else str(found)


def known_revisions() -> set[str]:
    return {path.name.split("_", 1)[0] for path in (MIGRATIONS / "versions").glob("[0-9]*.py")}


def migrate(connection: Connection, target: str = HEAD) -> None:
    """Run the migrations that the file lacks, inside the transaction that is open; an empty file gets the present tables at once.

    :raises UnknownRevision: a newer release has changed the file.
    """
    revision = revision_of(connection)
    if revision == target:
        return
    if target == HEAD and not inspect(connection).get_table_names():
        for made in (metadata, _revisions.metadata):
            made.create_all(connection)
        connection.execute(_revisions.insert().values(version_num=HEAD))
        return
    if revision is not None and revision not in known_revisions():
        raise UnknownRevision(revision)
    # Alembic takes longer to import, and more memory, than opening a file that needs no migration.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, target)

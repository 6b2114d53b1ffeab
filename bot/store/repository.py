"""The rows of one subject in the database."""

from __future__ import annotations

from .database import Database


class Repository:
    """Reads and writes the rows of one subject. Several repositories save together in one transaction: each subject gives its
    statements for it.
    """

    def __init__(self, database: Database) -> None:
        self.database = database

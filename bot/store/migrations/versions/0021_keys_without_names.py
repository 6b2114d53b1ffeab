"""Keys of mails hold no names; and what older releases have deleted is removed from the file when it is opened."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Number them."""
    connection = op.get_bind()
    connection.execute(sa.text("UPDATE mails SET key = 'joined-' || id WHERE key LIKE 'joined-%'"))
    if connection.dialect.name == "sqlite":
        connection.execute(sa.text("PRAGMA application_id=1"))

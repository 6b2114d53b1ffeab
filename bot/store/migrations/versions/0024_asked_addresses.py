"""An unproven address stands beside the proven address."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Addresses from which nobody has answered get a column of their own."""
    op.add_column("people", sa.Column("asked", sa.String, nullable=False, server_default=""))
    op.add_column("people", sa.Column("asked_at", sa.Float))
    op.execute(
        "UPDATE people SET asked = address, asked_at = written_at, address = '', mail = '', written_at = NULL"
        " WHERE mail = 'asked'"
    )
    op.drop_index("people_mail", "people")
    op.create_index("people_asked", "people", ["asked"])
    op.create_index("people_asked_at", "people", ["asked_at"])

"""Since when mails to a person come back, and other addresses of theirs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """No mail has come back, and nobody has another address."""
    op.add_column("people", sa.Column("returned_at", sa.Float))
    op.add_column("people", sa.Column("also", sa.String, nullable=False, server_default=""))

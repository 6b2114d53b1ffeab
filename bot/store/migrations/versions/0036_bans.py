"""People whom the operator keeps out of open tables, seasons and messages: only a digest of each, which outlives an erasure."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    """Nobody is."""
    op.create_table(
        "bans",
        sa.Column("digest", sa.String, primary_key=True),
        sa.Column("since", sa.Float, nullable=False),
    )

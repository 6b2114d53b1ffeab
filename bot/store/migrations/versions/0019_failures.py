"""Rows of a queue that could not be handled. Only a table is added, so that older programs go on beside newer
programs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "failures",
        sa.Column("queue", sa.String, nullable=False),
        sa.Column("key", sa.String, nullable=False),
        sa.Column("game", sa.Integer),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("error", sa.String, nullable=False),
        sa.Column("first_at", sa.Float, nullable=False),
        sa.Column("last_at", sa.Float, nullable=False),
        sa.Column("set_aside_at", sa.Float),
        sa.Column("reported_at", sa.Float),
        sa.PrimaryKeyConstraint("queue", "key"),
    )

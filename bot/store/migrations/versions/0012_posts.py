"""Which message stands for what: records, questions and cards that are edited as a game goes on."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add the table; what was posted before stays as it is."""
    op.create_table(
        "posts",
        sa.Column("game", sa.Integer, sa.ForeignKey("games.id"), nullable=False),
        sa.Column("slot", sa.String, nullable=False),
        sa.Column("message", sa.String),
        sa.Column("channel", sa.String, nullable=False),
        sa.Column("nonce", sa.String, nullable=False),
        sa.Column("made_at", sa.Float, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("digest", sa.String, nullable=False, server_default=""),
        sa.Column("again", sa.Integer, nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("game", "slot"),
    )

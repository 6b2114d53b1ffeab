"""Lobbies that are open to other servers or to everybody, wishes to hear of them, people who do not want to meet."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    """Every lobby is its server's, and no server shares."""
    op.create_table(
        "openings",
        sa.Column("game", sa.Integer, sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("reach", sa.String, nullable=False),
        sa.Column("level", sa.String, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("vouched", sa.Integer, nullable=False),
        sa.Column("opened_at", sa.Float, nullable=False),
    )
    op.create_table(
        "sharing",
        sa.Column("guild", sa.String, primary_key=True),
        sa.Column("since", sa.Float, nullable=False),
    )
    op.create_table(
        "wishes",
        sa.Column("person", sa.String, nullable=False),
        sa.Column("title", sa.String, nullable=False),
        sa.Column("guild", sa.String, nullable=False),
        sa.Column("made_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("person", "title"),
    )
    op.create_index("wishes_for_title", "wishes", ["title", "made_at"])
    op.create_table(
        "blocks",
        sa.Column("person", sa.String, nullable=False),
        sa.Column("other", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("person", "other"),
    )
    op.create_index("blocks_of_other", "blocks", ["other"])

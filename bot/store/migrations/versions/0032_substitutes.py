"""People who take over seats, and seats that are offered to them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    """Nobody has volunteered; free seats of running games are offered by the running program."""
    op.create_table(
        "volunteers",
        sa.Column("person", sa.String, nullable=False),
        sa.Column("title", sa.String, nullable=False),
        sa.Column("since", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("person", "title"),
    )
    op.create_index("volunteers_for_title", "volunteers", ["title", "since"])
    op.create_table(
        "offers",
        sa.Column("game", sa.Integer, sa.ForeignKey("games.id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("offered_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("game", "seat"),
    )

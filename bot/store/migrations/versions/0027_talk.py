"""Messages that people at a table write to each other."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    """Nobody has said anything."""
    op.create_table(
        "talk",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("game", sa.Integer, sa.ForeignKey("games.id"), nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("lines", sa.Text, nullable=False),
        sa.Column("made_at", sa.Float, nullable=False),
    )
    op.create_index("talk_of_game", "talk", ["game", "id"])
    op.create_index("talk_of_person", "talk", ["person", "made_at"])

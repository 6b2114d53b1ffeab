"""Addresses and browsers that are called when a game moves on: links of kinds of their own, the calls that wait, and the key
with which notices are signed: one for all programs that share the database.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody is called yet."""
    with op.batch_alter_table("links") as table:
        table.add_column(sa.Column("target", sa.Text, nullable=False, server_default=""))
    op.create_table(
        "calls",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("link", sa.String, nullable=False),
        sa.Column("notice", sa.Integer, nullable=False),
        sa.Column("game", sa.Integer, sa.ForeignKey("games.id"), nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("made_at", sa.Float, nullable=False),
        sa.Column("due_at", sa.Float, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        sa.UniqueConstraint("link", "notice"),
    )
    op.create_index("calls_due", "calls", ["due_at"])
    op.create_index("calls_of_game", "calls", ["game"])
    op.create_table("keys", sa.Column("name", sa.String, primary_key=True), sa.Column("value", sa.Text, nullable=False))

"""Standing orders, sandboxes, questions to the table, sitters, holidays, habits of people."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def _game() -> sa.Column[int]:
    return sa.Column("game", sa.Integer, sa.ForeignKey("games.id"), nullable=False)


def upgrade() -> None:
    """Create the tables and columns."""
    op.create_table(
        "orders",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        _game(),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("ended", sa.Integer),
        sa.Column("reason", sa.Text, nullable=False, server_default=""),
    )
    op.create_index("orders_of_game", "orders", ["game", "seat"])
    op.create_table(
        "sandboxes",
        _game(),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("texts", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game", "person"),
    )
    op.create_table(
        "questions",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        _game(),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("closed_at", sa.Float),
        sa.Column("outcome", sa.String, nullable=False, server_default=""),
    )
    op.create_index("questions_of_game", "questions", ["game", "closed_at"])
    op.create_table(
        "answers",
        sa.Column("question", sa.Integer, sa.ForeignKey("questions.id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("agree", sa.Integer, nullable=False),
        sa.Column("made_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("question", "seat"),
    )
    op.create_table(
        "people",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("zone", sa.String, nullable=False, server_default="UTC"),
        sa.Column("quiet_from", sa.Integer),
        sa.Column("quiet_to", sa.Integer),
        sa.Column("away_until", sa.Float),
        sa.Column("language", sa.String, nullable=False, server_default=""),
    )
    op.add_column("seats", sa.Column("away_until", sa.Float))
    op.add_column("seats", sa.Column("sitter", sa.String, nullable=False, server_default=""))
    op.add_column("seats", sa.Column("sitter_until", sa.Float))
    op.add_column("moves", sa.Column("auto", sa.Integer, nullable=False, server_default="0"))

"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def _game() -> sa.Column[int]:
    return sa.Column("game", sa.Integer, sa.ForeignKey("games.id"), nullable=False)


def upgrade() -> None:
    """Create everything."""
    op.create_table(
        "games",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("title", sa.String, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("seed", sa.Integer, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("moderator", sa.String, nullable=False),
        sa.Column("pace_hours", sa.Float, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("updated_at", sa.Float, nullable=False),
    )
    op.create_table(
        "seats",
        _game(),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("zone", sa.String, nullable=False, server_default="UTC"),
        sa.Column("quiet_from", sa.Integer),
        sa.Column("quiet_to", sa.Integer),
        sa.Column("muted", sa.Integer, nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("game", "number"),
    )
    op.create_index("seats_of_person", "seats", ["person"])
    op.create_table(
        "moves",
        _game(),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("parent", sa.Integer, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("lines", sa.Text, nullable=False),
        sa.Column("made_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("game", "number"),
    )
    op.create_table(
        "snapshots",
        _game(),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("game", "number"),
    )
    op.create_table(
        "clocks",
        _game(),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("due_at", sa.Float, nullable=False),
        sa.Column("reminders", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game", "seat"),
    )
    op.create_index("clocks_due", "clocks", ["due_at"])
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        _game(),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("lines", sa.Text, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("posted_at", sa.Float),
        sa.Column("reference", sa.String),
    )
    op.create_index("outbox_waiting", "outbox", ["posted_at", "id"])
    op.create_table(
        "places",
        sa.Column("game", sa.Integer, sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("guild", sa.String, nullable=False),
        sa.Column("channel", sa.String, nullable=False),
        sa.Column("thread", sa.String),
    )
    op.create_index("places_thread", "places", ["thread"])


def downgrade() -> None:
    """Drop everything."""
    for table in ("places", "outbox", "clocks", "snapshots", "moves", "seats", "games"):
        op.drop_table(table)

"""The tables of release 0.1.0: no database that is older was ever released."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = None


def _game() -> sa.Column[int]:
    return sa.Column("game", sa.Integer, sa.ForeignKey("games.id"), nullable=False)


def upgrade() -> None:
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
        sa.Column("rules", sa.Integer, nullable=False, server_default="1"),
        sa.Column("language", sa.String, nullable=False, server_default=""),
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
        sa.Column("away_until", sa.Float),
        sa.Column("sitter", sa.String, nullable=False, server_default=""),
        sa.Column("sitter_until", sa.Float),
        sa.PrimaryKeyConstraint("game", "number"),
    )
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
        sa.Column("seat", sa.Integer),
        sa.Column("auto", sa.Integer, nullable=False, server_default="0"),
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
        sa.Column("number", sa.Integer, nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("game", "seat"),
    )
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
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        sa.Column("failure", sa.String),
    )
    op.create_table(
        "places",
        sa.Column("game", sa.Integer, sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("guild", sa.String, nullable=False),
        sa.Column("channel", sa.String, nullable=False),
        sa.Column("thread", sa.String),
        sa.Column("trouble", sa.String),
    )
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
    for name, table, columns in (
        ("seats_of_person", "seats", ["person"]),
        ("moves_of_seat", "moves", ["game", "seat", "number"]),
        ("clocks_due", "clocks", ["due_at"]),
        ("outbox_waiting", "outbox", ["posted_at", "id"]),
        ("places_thread", "places", ["thread"]),
        ("orders_of_game", "orders", ["game", "seat"]),
        ("questions_of_game", "questions", ["game", "closed_at"]),
    ):
        op.create_index(name, table, columns)

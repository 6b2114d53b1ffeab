"""Addresses of people who play or are reminded by mail, and the mails that are written to them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Nobody has an address, and no mail waits."""
    op.add_column("people", sa.Column("address", sa.String, nullable=False, server_default=""))
    op.add_column("people", sa.Column("mail", sa.String, nullable=False, server_default=""))
    op.add_column("people", sa.Column("written_at", sa.Float))
    op.create_index("people_address", "people", ["address"])
    op.create_table(
        "mails",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("key", sa.String, nullable=False, unique=True),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("game", sa.Integer, sa.ForeignKey("games.id")),
        sa.Column("seat", sa.Integer),
        sa.Column("number", sa.Integer, nullable=False, server_default="0"),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("notice", sa.Integer),
        sa.Column("lines", sa.Text, nullable=False, server_default="[]"),
        sa.Column("made_at", sa.Float, nullable=False),
        sa.Column("sent_at", sa.Float),
        sa.Column("reference", sa.String),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
    )
    op.create_index("mails_waiting", "mails", ["sent_at", "id"])

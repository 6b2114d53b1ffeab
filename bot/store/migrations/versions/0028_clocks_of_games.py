"""Games with a clock: what each is granted, the ledger of time, and when a program last ran."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    """No game has a clock."""
    op.add_column("games", sa.Column("clock", sa.Text, nullable=False, server_default="null"))
    op.add_column("clocks", sa.Column("zone", sa.String, nullable=False, server_default="UTC"))
    op.add_column("clocks", sa.Column("quiet_from", sa.Integer))
    op.add_column("clocks", sa.Column("quiet_to", sa.Integer))
    op.create_table(
        "ledger",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("game", sa.Integer, sa.ForeignKey("games.id"), nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("topic", sa.String, nullable=False),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("number", sa.Integer, nullable=False, server_default="0"),
        sa.Column("until", sa.Float),
        sa.Column("seconds", sa.Float, nullable=False, server_default="0"),
        sa.Column("zone", sa.String, nullable=False, server_default="UTC"),
        sa.Column("quiet_from", sa.Integer),
        sa.Column("quiet_to", sa.Integer),
    )
    op.create_index("ledger_of_game", "ledger", ["game", "seat", "topic"], unique=True)
    op.create_table("pulses", sa.Column("id", sa.Integer, primary_key=True), sa.Column("at", sa.Float, nullable=False))

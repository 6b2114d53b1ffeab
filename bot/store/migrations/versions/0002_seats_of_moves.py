"""Which seat a move was made for, and how often posting a notice has failed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; what is there keeps its meaning."""
    op.add_column("moves", sa.Column("seat", sa.Integer))
    op.add_column("outbox", sa.Column("attempts", sa.Integer, nullable=False, server_default="0"))
    op.add_column("outbox", sa.Column("failure", sa.String))
    op.create_index("moves_of_seat", "moves", ["game", "seat", "number"])


def downgrade() -> None:
    """Remove the columns."""
    op.drop_index("moves_of_seat", "moves")
    with op.batch_alter_table("outbox") as table:
        table.drop_column("failure")
        table.drop_column("attempts")
    with op.batch_alter_table("moves") as table:
        table.drop_column("seat")

"""In which language a game's posts are written."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; games that are there speak English."""
    op.add_column("games", sa.Column("language", sa.String, nullable=False, server_default=""))


def downgrade() -> None:
    """Remove the column."""
    with op.batch_alter_table("games") as table:
        table.drop_column("language")

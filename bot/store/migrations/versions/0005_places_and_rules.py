"""The reason why a game cannot be posted where it is played, and the version of the rules by which it is played."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; games that are there are played by the first version."""
    op.add_column("places", sa.Column("trouble", sa.String))
    op.add_column("games", sa.Column("rules", sa.Integer, nullable=False, server_default="1"))


def downgrade() -> None:
    """Remove the columns."""
    with op.batch_alter_table("games") as table:
        table.drop_column("rules")
    with op.batch_alter_table("places") as table:
        table.drop_column("trouble")

"""The record after which a clock began, so that questions asked before it differ from those asked since."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; clocks that run began before everything that is yet to be posted."""
    op.add_column("clocks", sa.Column("number", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    """Remove the column."""
    with op.batch_alter_table("clocks") as table:
        table.drop_column("number")

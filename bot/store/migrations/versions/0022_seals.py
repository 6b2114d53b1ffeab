"""Check sums of records and notices. Rows from before have none; only columns are added, so that older programs go on
beside newer programs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"

TABLES = ("moves", "outbox")


def upgrade() -> None:
    """Add the columns."""
    for name in TABLES:
        op.add_column(name, sa.Column("seal", sa.Integer))

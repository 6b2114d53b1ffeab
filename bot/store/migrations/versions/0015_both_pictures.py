"""Whether a table wants map and market in its records every time, not only when they have changed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Add the column; games under way are shown what has changed, as before."""
    op.add_column("games", sa.Column("shows_both", sa.Integer, nullable=False, server_default="0"))

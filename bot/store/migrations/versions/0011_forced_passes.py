"""Whether a table wants to be asked also where passing is all that can be done."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the column; games under way make forced passes from now on."""
    op.add_column("games", sa.Column("asks_always", sa.Integer, nullable=False, server_default="0"))

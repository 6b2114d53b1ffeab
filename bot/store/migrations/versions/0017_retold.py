"""How often a game's records were written anew to forget somebody. Nothing is taken away, so that older programs go on
beside newer programs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add the column."""
    op.add_column("games", sa.Column("retold", sa.Integer, nullable=False, server_default="0"))

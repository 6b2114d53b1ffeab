"""Who is being erased, so that the next start finishes it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Nobody is being erased."""
    op.add_column("people", sa.Column("erasing_at", sa.Float))
    op.create_index("people_erasing_at", "people", ["erasing_at"])

"""Servers whose managers let everybody see their results and seasons on a page, by the names that they gave."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"


def upgrade() -> None:
    """No server has a page."""
    op.create_table(
        "server_pages",
        sa.Column("guild", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("since", sa.Float, nullable=False),
    )

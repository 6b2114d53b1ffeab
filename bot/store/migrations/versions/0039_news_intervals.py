"""News of what somebody follows come once a day or at the end of each round."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("follows", sa.Column("interval", sa.String(), nullable=False, server_default="day"))

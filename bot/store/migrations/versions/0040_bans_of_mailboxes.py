"""A ban holds for the mailbox of a person too, whose id changes when they are erased and write again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    """Older bans know no mailbox."""
    op.add_column("bans", sa.Column("mailbox", sa.String, nullable=False, server_default=""))
    op.create_index("bans_of_mailbox", "bans", ["mailbox"])

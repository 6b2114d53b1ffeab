"""For a place in Discord, the number from which its shard is calculated. Nothing is taken away, so that older programs
go on beside newer programs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Add the column, and calculate it for every place."""
    op.add_column("places", sa.Column("shard_key", sa.Integer))
    connection = op.get_bind()
    for guild in connection.execute(sa.text("SELECT DISTINCT guild FROM places")).scalars().all():
        if isinstance(guild, str) and guild.isdecimal():
            key = {"key": int(guild) >> 22, "guild": guild}
            connection.execute(sa.text("UPDATE places SET shard_key = :key WHERE guild = :guild"), key)

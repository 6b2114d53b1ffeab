"""People who follow games, persons and seasons, and who lets others follow them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    """No game and nobody lets others follow."""
    op.add_column("games", sa.Column("watchable", sa.Integer, nullable=False, server_default="0"))
    op.add_column("people", sa.Column("followers", sa.String, nullable=False, server_default=""))
    op.create_table(
        "follows",
        sa.Column("person", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("target", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("seen", sa.String, nullable=False),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("due_at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("person", "kind", "target"),
    )
    op.create_index("follows_of_target", "follows", ["kind", "target"])
    op.create_index("follows_due", "follows", ["due_at"])

"""When a clock last reminded, and until when it has been put off: the start of the time to its next reminder."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the columns; the outbox knows the reminders that clocks have sent."""
    op.add_column("clocks", sa.Column("reminded_at", sa.Float))
    op.add_column("clocks", sa.Column("snoozed_until", sa.Float))
    op.execute(
        "UPDATE clocks SET reminded_at = (SELECT max(created_at) FROM outbox WHERE outbox.kind = 'reminder' "
        "AND outbox.game = clocks.game AND outbox.seat = clocks.seat AND outbox.number >= clocks.number) "
        "WHERE reminders > 0"
    )

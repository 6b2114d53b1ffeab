"""How many seats a person may take in a lobby, and the invitation into it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the columns; in lobbies that are open, everybody but the opener may take one seat from now on."""
    op.add_column("games", sa.Column("seats_each", sa.Integer, nullable=False, server_default="1"))
    op.add_column("games", sa.Column("invitation", sa.String, nullable=False, server_default=""))
    op.create_index("places_channel", "places", ["channel"])

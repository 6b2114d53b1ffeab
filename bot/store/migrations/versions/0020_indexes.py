"""Indexes for what is asked often: games by status and by moderator, seats by sitter, places by server, mails and people by what
they are looked for."""

from __future__ import annotations

from alembic import op

revision = "0020"
down_revision = "0019"

INDEXES = {
    "games_of_status": ("games", ["status", "updated_at"]),
    "games_of_moderator": ("games", ["moderator"]),
    "seats_of_sitter": ("seats", ["sitter"]),
    "places_guild": ("places", ["guild"]),
    "links_until": ("links", ["until"]),
    "mails_of_person": ("mails", ["person"]),
    "mails_reference": ("mails", ["reference"]),
    "people_mail": ("people", ["mail", "written_at"]),
}


def upgrade() -> None:
    """Add them."""
    for name, (table, columns) in INDEXES.items():
        op.create_index(name, table, columns)

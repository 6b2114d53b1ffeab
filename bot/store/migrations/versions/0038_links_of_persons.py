"""Services that get a person's notices are looked for by the person, with every move that asks somebody."""

from __future__ import annotations

from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("links_of_person", "links", ["person", "kind"])

"""The attachments of an answer by mail: pictures and files of these commands."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"

mails = sa.table("mails", sa.column("kind"), sa.column("attached"))


def upgrade() -> None:
    """Nothing, but what somebody is sent about themselves."""
    op.add_column("mails", sa.Column("attached", sa.Text, nullable=False, server_default="[]"))
    op.execute(mails.update().where(mails.c.kind == "data").values(kind="answer", attached='["privacy export"]'))

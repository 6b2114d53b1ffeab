"""A bot of the next release, as far as the tables go: with one more migration, which adds a column, a table and an index, fills the
column of all rows, and takes nothing away. Painting is left out, as in `tests/reliability/blank_bot.py`."""

from __future__ import annotations

import os
import runpy
import shutil
from pathlib import Path

from bot.store.file import migrate
from tests.reliability.table import BLANK_BOT

NEXT = f"{int(migrate.HEAD) + 1:04}"

MIGRATION = f'''
import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "{NEXT}", "{migrate.HEAD}", None, None


def upgrade() -> None:
    op.add_column("games", sa.Column("mood", sa.String))
    op.add_column("moves", sa.Column("mood", sa.String, server_default="calm"))
    op.add_column("outbox", sa.Column("mood", sa.String))
    op.create_table("moods", sa.Column("game", sa.Integer, sa.ForeignKey("games.id", ondelete="CASCADE")))
    op.create_index("moods_of_games", "games", ["mood"])
    op.execute("UPDATE games SET mood = 'calm'")
'''


def main() -> None:
    """Run it."""
    migrations = Path(os.environ["SIGNALBOX_DATA"]) / "migrations"
    if not migrations.exists():
        shutil.copytree(migrate.MIGRATIONS, migrations)
    (migrations / "versions" / f"{NEXT}_moods.py").write_text(MIGRATION)
    migrate.MIGRATIONS, migrate.HEAD = migrations, NEXT
    # The default of an argument was taken from the head when the module was read.
    migrate.migrate.__defaults__ = (NEXT,)
    runpy.run_path(BLANK_BOT, run_name="__main__")


if __name__ == "__main__":
    main()

"""Figures and ratings of finished games; games without a rating; to whom people show their record."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    """The figures of games that are over are computed by the running program; every game so far counts, and every record is
    private."""
    op.add_column("games", sa.Column("unrated", sa.Integer, nullable=False, server_default="0"))
    op.add_column("people", sa.Column("record", sa.String, nullable=False, server_default=""))
    op.create_table(
        "results",
        sa.Column("game", sa.Integer, sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("title", sa.String, nullable=False),
        sa.Column("began_at", sa.Float, nullable=False),
        sa.Column("ended_at", sa.Float, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("whole", sa.Integer, nullable=False),
        sa.Column("rated", sa.Integer, nullable=False),
    )
    op.create_index("results_ended", "results", ["ended_at", "game"])
    op.create_index("results_of_title", "results", ["title", "ended_at"])
    op.create_table(
        "standings",
        sa.Column("game", sa.Integer, sa.ForeignKey("games.id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("inherited", sa.Integer, nullable=False),
        sa.Column("companies", sa.Text, nullable=False),
        sa.Column("privates", sa.Text, nullable=False),
        sa.Column("answers", sa.Text, nullable=False),
        sa.Column("expected", sa.Float),
        sa.Column("mu", sa.Float),
        sa.Column("sigma", sa.Float),
        sa.Column("title_mu", sa.Float),
        sa.Column("title_sigma", sa.Float),
        sa.PrimaryKeyConstraint("game", "seat"),
    )
    op.create_table(
        "departures",
        sa.Column("game", sa.Integer, sa.ForeignKey("games.id"), nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("game", "person"),
    )
    op.create_index("departures_of_person", "departures", ["person"])

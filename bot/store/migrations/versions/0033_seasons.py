"""Seasons: rounds of games on a server, the people in them, and who meets whom."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    """There are none yet."""
    op.create_table(
        "seasons",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("guild", sa.String, nullable=False),
        sa.Column("channel", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("title", sa.String, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("pace_hours", sa.Float, nullable=False),
        sa.Column("clock", sa.Text, nullable=False, server_default="null"),
        sa.Column("by_level", sa.Integer, nullable=False),
        sa.Column("language", sa.String, nullable=False),
        sa.Column("organiser", sa.String, nullable=False),
        sa.Column("seed", sa.Integer, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("opened_at", sa.Float, nullable=False),
        sa.Column("draws_at", sa.Float, nullable=False),
    )
    op.create_index("seasons_of_guild", "seasons", ["guild", "id"])
    op.create_table(
        "entrants",
        sa.Column("season", sa.Integer, sa.ForeignKey("seasons.id"), nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("entered_at", sa.Float, nullable=False),
        sa.Column("left_at", sa.Float),
        sa.PrimaryKeyConstraint("season", "person"),
    )
    op.create_index("entrants_by_person", "entrants", ["person"])
    op.create_table(
        "draws",
        sa.Column("season", sa.Integer, sa.ForeignKey("seasons.id"), nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("person", sa.String, nullable=False),
        sa.Column("game", sa.Integer, sa.ForeignKey("games.id")),
        sa.PrimaryKeyConstraint("season", "round", "person"),
    )
    op.create_index("draws_of_game", "draws", ["game"])

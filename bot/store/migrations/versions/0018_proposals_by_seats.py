"""Proposals of 1820 name seats in old lines too, `ask @2 for LSR`, so that renamed or erased players are so there."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

PROPOSED = "{by} proposes: {text}. Asked: {asked}."
SEAT = re.compile(r"(?<!\w)(@\d+)\b")
ROWS = "SELECT {key}, game, lines FROM {table} WHERE lines LIKE '%{{by}} proposes: {{text}}.%'"
COLUMNS = {"moves": ("number", "game = :game AND number = :key"), "outbox": ("id", "game = :game AND id = :key")}


def upgrade() -> None:
    """Put seats where the names of those who hold them stand for a player: whose share is asked for, who gives, who buys."""
    connection = op.get_bind()
    for table, (key, here) in COLUMNS.items():
        for number, game, lines in connection.execute(sa.text(ROWS.format(table=table, key=key))).all():
            seats = connection.execute(sa.text("SELECT number, name FROM seats WHERE game = :game"), {"game": game})
            names = {name: f"@{seat}" for seat, name in seats if name}
            told = msgspec.json.encode(_seated(msgspec.json.decode(lines), names)).decode()
            values = {"told": told, "game": game, "key": number}
            connection.execute(sa.text(f"UPDATE {table} SET lines = :told WHERE {here}"), values)


def _seated(told: Any, names: dict[str, str]) -> Any:
    """Sentences, and data kept beside them, with seats in what is proposed."""
    match told:
        case ["said", template, [by, ["said", _, [*pieces]], asked]] if template == PROPOSED:
            text = "".join(map(str, pieces))
            for name in sorted(names, key=len, reverse=True):
                called = re.escape(name)
                text = re.sub(
                    rf"(?<=^ask ){called}(?= for )|(?<= from ){called}$|(?<= ){called}(?=:\d)", names[name], text
                )
            pieces = SEAT.split(text)
            gaps = "".join(f"{{{place}}}" for place in range(1, len(pieces) + 1))
            return ["said", template, [by, ["said", gaps, pieces], asked]]
        case list():
            return [_seated(one, names) for one in told]
    return told

"""Why a standing order has ended is a sentence with its values, like those of the log: `["said", "{1} is yours.", ["P2"]]`.

Somebody without a seat who moved a game to another place is a guest in the notice of that, so that they can be erased.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

SEAT = re.compile(r"(?<!\w)(@\d+)\b")
MOVES_GAME = re.compile(r"([^{].*) (moves game \d+ to another place: .+)", re.DOTALL)
NONE = '["said",""]'


def upgrade() -> None:
    """A former text with seats is a sentence whose values are its pieces."""
    with op.batch_alter_table("orders") as table:
        table.alter_column("reason", existing_type=sa.Text, existing_nullable=False, server_default=NONE)
    connection = op.get_bind()
    for number, reason in connection.execute(sa.text("SELECT id, reason FROM orders")).all():
        pieces = SEAT.split(reason) if reason else []
        template = "".join(f"{{{place}}}" for place in range(1, len(pieces) + 1))
        sentence = msgspec.json.encode(["said", template, pieces]).decode()
        connection.execute(sa.text("UPDATE orders SET reason = :it WHERE id = :id"), {"it": sentence, "id": number})
    for number, lines in connection.execute(sa.text("SELECT id, lines FROM outbox WHERE kind = 'moved'")).all():
        if changed := _with_guest(lines):
            connection.execute(sa.text("UPDATE outbox SET lines = :it WHERE id = :id"), {"it": changed, "id": number})


def _with_guest(lines: str) -> str | None:
    """The lines of such a notice where its sentence begins with a name; None where it does not, or cannot be read."""
    try:
        *place, (_, template, values) = msgspec.json.decode(lines)
    except (msgspec.DecodeError, TypeError, ValueError):
        return None
    found = MOVES_GAME.fullmatch(template) if isinstance(template, str) and not values else None
    if found is None:
        return None
    told: list[Any] = ["said", "{name} {deed}", [["guest", "", found[1]], ["said", found[2], []]]]
    return msgspec.json.encode([*place, told]).decode()

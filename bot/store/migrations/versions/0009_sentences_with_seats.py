"""Sentences of the log and of notices hold seats, not names: `["said", "{1} passes.", ["@2"]]`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

TAKES_OVER = re.compile(r"(.+) takes over from (.+)\.")
SITS_IN = re.compile(r"(.+) (sits in for .+)")
MODERATES = re.compile(
    r"(.+?) ((?:pauses|resumes|ends) the game\b.*|(?:goes back to move|corrects:|acts for|moves the game from) .*)"
)
UNNAMED = ("The moderator", "A moderator", "Somebody")


def upgrade() -> None:
    """Rewrite all sentences, game by game; drop a column that nobody reads."""
    connection = op.get_bind()
    for (game,) in connection.execute(sa.text("SELECT id FROM games")).all():
        _rewrite(connection, game)
    op.drop_column("outbox", "failure")


def _rewrite(connection: sa.Connection, game_id: int) -> None:
    here = {"game": game_id}
    rows = connection.execute(
        sa.text("SELECT number, kind, person, lines FROM moves WHERE game = :game ORDER BY number DESC"), here
    ).all()
    seats = connection.execute(sa.text("SELECT number, name FROM seats WHERE game = :game"), here)
    names = {name: f"@{number}" for number, name in seats}
    for _, kind, _, lines in rows:
        found = TAKES_OVER.fullmatch("".join(_texts(lines))) if kind == "replace" else None
        if found and found[1] in names:
            names.setdefault(found[2], names[found[1]])
    for number, kind, person, lines in rows:
        if told := [_of_record(text, kind, person, names) for text in _texts(lines)]:
            _set(connection, "moves", told, "game = :game AND number = :number", {**here, "number": number})
    notices = connection.execute(sa.text("SELECT id, kind, lines FROM outbox WHERE game = :game"), here)
    for number, kind, lines in notices.all():
        texts = _texts(lines)
        if not texts:
            continue
        if kind == "question":
            told = texts[1:]
        elif kind == "moved":
            told = [*texts[:3], *(_said(text, names) for text in texts[3:])]
        else:
            told = [] if kind in ("turn", "reminder") else [_said(text, names) for text in texts]
        _set(connection, "outbox", told, "id = :id", {"id": number})
    orders = connection.execute(sa.text("SELECT id, reason FROM orders WHERE game = :game AND reason != ''"), here)
    for number, reason in orders.all():
        text = "".join(names.get(part, part) for part in _parts(reason, names))
        connection.execute(sa.text("UPDATE orders SET reason = :text WHERE id = :id"), {"text": text, "id": number})


def _texts(lines: Any) -> list[str]:
    """The sentences of a column; none where it cannot be read, which the doctor tells."""
    try:
        found = json.loads(lines)
    except (TypeError, ValueError):
        return []
    return found if isinstance(found, list) and all(isinstance(text, str) for text in found) else []


def _of_record(text: str, kind: str, person: str, names: Mapping[str, str]) -> Any:
    """A sentence of the log; people without a seat are in it with their ids, as far as these are known."""
    if kind == "replace" and (found := TAKES_OVER.fullmatch(text)):
        new = names.get(found[1], found[1])
        return ["said", "{name} takes over from {old}.", [new, ["guest", "", found[2]]]]
    found = SITS_IN.fullmatch(text) if kind == "sitter" else MODERATES.fullmatch(text)
    if found and found[1] not in names and found[1] not in UNNAMED:
        guest = ["guest", "" if kind == "sitter" else person, found[1]]
        return ["said", "{name} {deed}", [guest, _said(found[2], names)]]
    return _said(text, names)


def _said(text: str, names: Mapping[str, str]) -> Any:
    parts = _parts(text, names)
    if "{" in text:
        gaps = "".join(f"{{{number}}}" for number in range(1, len(parts) + 1))
        return ["said", gaps, [names.get(part, part) for part in parts]]
    template = "".join(f"{{{1 + number // 2}}}" if number % 2 else part for number, part in enumerate(parts))
    return ["said", template, [names[part] for part in parts[1::2]]]


def _parts(text: str, names: Mapping[str, str]) -> list[str]:
    """A text cut at names; every second part is a name."""
    pattern = "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(names, key=len, reverse=True) if name)
    return re.split(f"({pattern})", text) if pattern else [text]


def _set(connection: sa.Connection, table: str, told: list[Any], where: str, key: Mapping[str, Any]) -> None:
    """Keep these sentences."""
    lines = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    connection.execute(sa.text(f"UPDATE {table} SET lines = :lines WHERE {where}"), {**key, "lines": lines})

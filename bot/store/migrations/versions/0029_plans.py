"""One language of plans in place of five kinds of standing orders: each is rewritten as the plan that does the same, and a plan has
a row for each of its states.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"

NONE = '["said",""]'

SHARES = {
    "sale": ("shares", "others", "falls"),
    "buy": ("shares", "others", "rises"),
    "start": ("started", "", "rises"),
}
WAKES = {**SHARES, "president": ("president", "", "changes"), "price": ("price", "", "changes")}
POSITION = {"phase": "phase", "trains": "bank trains"}
ASKS = {"track": "track", "token": "token", "run": "routes", "revenue": "dividend", "trains": "trains"}


def upgrade() -> None:
    with op.batch_alter_table("orders") as table:
        table.add_column(sa.Column("plan", sa.Integer, nullable=False, server_default="0"))
    connection = op.get_bind()
    connection.execute(sa.text("UPDATE orders SET plan = id"))
    rows = connection.execute(
        sa.text("SELECT id, game, seat, data, created_at, number, ended, reason FROM orders")
    ).all()
    for number, game, seat, data, created_at, given, ended, reason in rows:
        plan = _plan(seat, data)
        if plan is None:
            # It could not be read before either; the doctor says so.
            continue
        values = {"id": number, "data": plan, "none": NONE}
        connection.execute(
            sa.text("UPDATE orders SET data = :data, ended = NULL, reason = :none WHERE id = :id"), values
        )
        if ended is not None:
            connection.execute(
                sa.text(
                    "INSERT INTO orders (game, seat, data, created_at, number, ended, reason, plan) "
                    "VALUES (:game, :seat, :data, :at, :number, :ended, :reason, :plan)"
                ),
                {
                    "game": game,
                    "seat": seat,
                    "data": plan,
                    "at": created_at,
                    "number": ended or given,
                    "ended": ended,
                    "reason": reason,
                    "plan": number,
                },
            )


def _plan(seat: int, data: str) -> str | None:
    """The plan that does what a standing order did; None where it cannot be read."""
    try:
        order = msgspec.json.decode(data)
        plan = PLANS[order["type"]](f"@{seat}", order)
    except (msgspec.DecodeError, TypeError, KeyError, AttributeError):
        return None
    return msgspec.json.encode(plan).decode()


def _when(what: str, of: str = "", whom: str = "", sign: str = "changes", than: int | str = "") -> dict[str, Any]:
    return {"fact": {"what": what, "of": of, "whom": whom}, "sign": sign, "than": than}


def _since(order: dict[str, Any], word: str) -> dict[str, Any]:
    """That the phase, or the number of trains in the bank, is no longer what it was when the order was given."""
    return _when(POSITION[word], sign="!=", than=order["seen"][word])


def _pass(player: str, order: dict[str, Any]) -> dict[str, Any]:
    wake: list[dict[str, Any]] = []
    for word in order.get("wake", ()):
        if word in POSITION:
            wake.append(_since(order, word))
            continue
        what, whom, sign = WAKES[word]
        wake += [
            _when(what, name, whom, sign) for name in order.get("companies") or ["mine" if word == "price" else "*"]
        ]
    rounds = order.get("rounds", "this")
    at = "" if rounds == "all" else order["seen"]["round"]
    return {"turn": player, "steps": [{"type": "stay"}], "wake": wake, "rounds": rounds, "at": at}


def _buy(player: str, order: dict[str, Any]) -> dict[str, Any]:
    company, before = order["company"], order["seen"]["presidents"].get(order["company"])
    wake = _when("president", company, "", "!=", before) if before else _when("president", company)
    step: dict[str, Any] = {name: order[name] for name in ("company", "percent", "most", "source") if name in order}
    step["type"] = "buy"
    return {"turn": player, "steps": [step], "wake": [wake], "rounds": "all"}


def _bid(player: str, order: dict[str, Any]) -> dict[str, Any]:
    return {"turn": player, "steps": [{"type": "bid", "most": {order["lot"]: order["most"]}}], "rounds": "all"}


def _operate(player: str, order: dict[str, Any]) -> dict[str, Any]:
    company, guards = order["company"], order.get("guards", ("trains", "route"))
    wake = [_since(order, "phase"), _since(order, "trains")] if "trains" in guards else []
    price = order["seen"]["prices"].get(company)
    if "price" in guards and price:
        wake.append(_when("price", company, "", "<", price))
    revenue = order.get("revenue", "pay")
    least = order.get("expected", 0) if "route" in guards else 0
    steps = [{"type": "run", "revenue": "" if revenue == "ask" else revenue, "least": least}, {"type": "stay"}]
    asks = [word for field, word in ASKS.items() if order.get(field) == "ask"]
    return {"turn": company, "steps": steps, "again": steps, "wake": wake, "rounds": "all", "asks": asks}


def _answer(player: str, order: dict[str, Any]) -> dict[str, Any]:
    step = {name: order[name] for name in ("agree", "least", "about", "most") if name in order}
    return {"turn": order.get("about") or "offer", "steps": [{"type": "answer", **step}], "rounds": "all"}


PLANS: dict[str, Callable[[str, dict[str, Any]], dict[str, Any]]] = {
    "pass": _pass,
    "buy": _buy,
    "bid": _bid,
    "operate": _operate,
    "answer": _answer,
}

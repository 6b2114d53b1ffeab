"""Plans as they are stored."""

from __future__ import annotations

import msgspec

from bot.service.plans import Plan
from bot.store import OrderRecord


def plan_of(record: OrderRecord) -> Plan:
    found: Plan = msgspec.convert(record.data, Plan)
    return found


def is_plan(data: object) -> bool:
    try:
        msgspec.convert(data, Plan)
    except msgspec.ValidationError:
        return False
    return True


def plan_data(plan: Plan) -> dict[str, object]:
    found: dict[str, object] = msgspec.to_builtins(plan)
    return found

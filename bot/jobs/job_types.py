"""A job is the name of its kind, and an order as plain data; its outcome is plain data too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import UnionType
from typing import Generic, TypeVar

Order = TypeVar("Order")
Outcome = TypeVar("Outcome")


class JobFailed(Exception):
    """A job was not done; the text says why."""


@dataclass(frozen=True)
class JobType(Generic[Order, Outcome]):
    """Jobs of one name. The function makes an outcome of an order in any process; both are plain data of these
    types. It may be called twice for one order. A job takes at most `seconds`; jobs with more `haste` begin
    first.

    The function raises NotDone where it cannot do here what is ordered.
    """

    name: str
    order: type[Order]
    outcome: type[Outcome] | UnionType
    function: Callable[[Order], Outcome]
    seconds: float
    priority: int = 0

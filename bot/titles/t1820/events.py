"""Events that only 1820 knows."""

from __future__ import annotations

from bot.engine import CompanyId, Owner, PlayerId, Text
from bot.engine.state import Event


class LotBidMade(Event, frozen=True, tag="BidMade"):
    by: PlayerId
    lot: Text
    amount: int


class Proposed(Event, frozen=True, tag="Proposed"):
    by: Owner
    text: str
    asked: tuple[PlayerId, ...]


class LobbyResolved(Event, frozen=True, tag="LobbyResolved"):
    """A lobby's money went to the bank; its owner may float a company."""

    owner: PlayerId
    amount: int


class ChartMoved(Event, frozen=True, tag="ChartMoved"):
    """The marker of the cost of business moved to this column, or to END."""

    column: str


class CompanyLiquidated(Event, frozen=True, tag="CompanyLiquidated"):
    """The remains of a company went to `buyer` (the bank when None) for `amount`."""

    company: CompanyId
    buyer: CompanyId | None
    amount: int


class CompanyAcquired(Event, frozen=True, tag="CompanyAcquired"):
    """A company was taken over: each share in play got `per_share`."""

    company: CompanyId
    buyer: CompanyId
    amount: int
    per_share: int

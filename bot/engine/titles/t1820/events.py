"""Events that only 1820 knows."""

from __future__ import annotations

from bot.engine.data.events import Event
from bot.engine.ids import (
    CompanyId,
    Owner,
    PlayerId,
)
from bot.engine.said import Text


class BidMade(Event, frozen=True, tag=True):
    """Somebody bid for something (nobody's bid is the bank's)."""

    by: PlayerId | None
    lot: Text
    amount: int


class PutIntoLiquidation(Event, frozen=True, tag=True):
    """A company's marker was moved to the gray space (§10.7)."""

    company: CompanyId
    why: Text


class LoansRepaid(Event, frozen=True, tag=True):
    """A company paid loans back."""

    company: CompanyId
    loans: int


class Proposed(Event, frozen=True, tag=True):
    """Somebody proposed what `text` says; these players are asked."""

    by: Owner
    text: str
    asked: tuple[PlayerId, ...]


class CostsNeglected(Event, frozen=True, tag=True):
    """A company did not pay what it had to."""

    company: CompanyId
    what: str
    amount: int


class DirectorHelped(Event, frozen=True, tag=True):
    """A director paid part of a train out of his own cash (§7.2.7)."""

    company: CompanyId
    director: Owner
    amount: int


class HelpPromised(Event, frozen=True, tag=True):
    """A director will pay so much of his company's next train, whatever the treasury has (§7.2.7)."""

    company: CompanyId
    director: Owner
    amount: int


class LobbyResolved(Event, frozen=True, tag=True):
    """A lobby's money went to the bank; its owner may float a company."""

    owner: PlayerId
    amount: int


class TrainsMissing(Event, frozen=True, tag=True):
    """Of these kinds no card is left in the supply to be sold as a future train."""

    kinds: tuple[str, ...]


class FeeHalved(Event, frozen=True, tag=True):
    """Charles Blacker Vignoles brought half of a distance fee back (§14.3.1)."""

    company: CompanyId
    director: Owner
    amount: int


class IncomePaid(Event, frozen=True, tag=True):
    """All players received their income; `deducted` for future trains of the first auction."""

    amount: int
    deducted: tuple[tuple[PlayerId, int], ...]


class LobbiesOpened(Event, frozen=True, tag=True):
    """The stock round is interrupted and the lobbies are resolved."""

    number: int


class CardTaken(Event, frozen=True, tag=True):
    """A player took or gave back a second number card; `order` is the order of passing now."""

    order: tuple[PlayerId, ...]


class CompanyLiquidated(Event, frozen=True, tag=True):
    """What was left of a company went to `buyer` (the bank when None) for `amount`."""

    company: CompanyId
    buyer: CompanyId | None
    amount: int


class CompanyAcquired(Event, frozen=True, tag=True):
    """A company was taken over: each share in play got `per_share`."""

    company: CompanyId
    buyer: CompanyId
    amount: int
    per_share: int

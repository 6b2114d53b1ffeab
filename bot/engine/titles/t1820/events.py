"""Events that only 1820 knows."""

from __future__ import annotations

from bot.engine.data.events import (
    Event,
)
from bot.engine.ids import (
    CompanyId,
    HexId,
    Owner,
    PlayerId,
    PrivateId,
)
from bot.engine.said import Text


class BidMade(Event, frozen=True, tag=True):
    """Somebody bid for something (nobody's bid is the bank's)."""

    by: PlayerId | None
    lot: Text
    amount: int


class BidReturned(Event, frozen=True, tag=True):
    """A bid went back to its player (§6.3.2)."""

    player: PlayerId
    lot: str
    amount: int


class LotsOpened(Event, frozen=True, tag=True):
    """An open-cry auction began; the first bid must be at least so much."""

    lots: tuple[str, ...]
    least: int


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


class Agreed(Event, frozen=True, tag=True):
    """A player agreed to what was proposed, or refused."""

    by: PlayerId
    is_agreed: bool


class Bankrupt(Event, frozen=True, tag=True):
    """A player or cousin cannot pay a required fee."""

    owner: Owner
    lacks: int


class VictoriaDied(Event, frozen=True, tag=True):
    """Queen Victoria died; British Rail begins."""

    price: int


class BritishRailEarned(Event, frozen=True, tag=True):
    """British Rail's income in named parts."""

    parts: tuple[tuple[str, int], ...]


class CostsPaid(Event, frozen=True, tag=True):
    """A company paid maintenance or interest; `helped` is the director's part."""

    company: CompanyId
    what: str
    amount: int
    helped: int


class CostsNeglected(Event, frozen=True, tag=True):
    """A company did not pay what it had to."""

    company: CompanyId
    what: str
    amount: int


class StationReplaced(Event, frozen=True, tag=True):
    """A British Rail marker took the place of a company's station."""

    company: CompanyId
    hex: HexId
    city: int


class CousinPaid(Event, frozen=True, tag=True):
    """A cousin earned money because an investment used its ability (§14.1)."""

    cousin: PrivateId
    company: CompanyId
    amount: int


class CompanyClosed(Event, frozen=True, tag=True):
    """A private company left the game."""

    company: CompanyId
    why: Text


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


class CardsDealt(Event, frozen=True, tag=True):
    """Number cards were dealt, and these cousins are in the game."""

    order: tuple[PlayerId, ...]
    cousins: tuple[PrivateId, ...]


class LobbyFunded(Event, frozen=True, tag=True):
    """A lobby holds `amount` now; `added` was put under it by `by`."""

    by: PlayerId
    owner: PlayerId
    amount: int
    added: int


class LobbyResolved(Event, frozen=True, tag=True):
    """A lobby's money went to the bank; its owner may float a company."""

    owner: PlayerId
    amount: int


class DistancePaid(Event, frozen=True, tag=True):
    """A player paid for the distance between a new company's two stations."""

    player: PlayerId
    company: CompanyId
    edges: int
    amount: int


class TrainWon(Event, frozen=True, tag=True):
    """A player owns a future train; `is_owed` when it is paid out of the next income."""

    player: PlayerId
    kind: str
    price: int
    is_owed: bool


class TrainsMissing(Event, frozen=True, tag=True):
    """Of these kinds no card is left in the supply to be sold as a future train."""

    kinds: tuple[str, ...]


class TrainsWithdrawn(Event, frozen=True, tag=True):
    """Future trains for which nobody bid left the game."""

    kinds: tuple[str, ...]


class TrainAssigned(Event, frozen=True, tag=True):
    """A player gave his future train to a company."""

    company: CompanyId
    holder: PlayerId
    kind: str


class SharesIncreased(Event, frozen=True, tag=True):
    """A company has more shares now; so many went to the pool without payment."""

    company: CompanyId
    shares: int
    to_pool: int


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


class ChartMoved(Event, frozen=True, tag=True):
    """The cost-of-business marker moved; `column` counts from 1, beyond the last it is END."""

    column: int


class SuppliesDiscarded(Event, frozen=True, tag=True):
    """The trains of a colour that were left in the supply are gone."""

    kind: str
    count: int


class SharesReduced(Event, frozen=True, tag=True):
    """A company has fewer shares now; `is_private` when it has one."""

    company: CompanyId
    shares: int
    is_private: bool


class SharesIssued(Event, frozen=True, tag=True):
    """A company sold shares of its treasury to the pool."""

    company: CompanyId
    shares: int
    money: int


class CompanyLiquidated(Event, frozen=True, tag=True):
    """What was left of a company went to `buyer` (the bank when None) for `amount`."""

    company: CompanyId
    buyer: CompanyId | None
    amount: int


class LiquidationShared(Event, frozen=True, tag=True):
    """What shareholders of a liquidated company got for a share, or had to pay for one."""

    company: CompanyId
    received: int
    owed: int


class TakeoverFailed(Event, frozen=True, tag=True):
    """Nobody took the company over, or its director declined."""

    company: CompanyId
    why: Text


class CompanyAcquired(Event, frozen=True, tag=True):
    """A company was taken over: each share in play got `per_share`."""

    company: CompanyId
    buyer: CompanyId
    amount: int
    per_share: int


class AssetsTransferred(Event, frozen=True, tag=True):
    """A company got what another one had."""

    company: CompanyId
    source: CompanyId
    money: int
    loans: int
    stations: int
    trains: int


class OveragePaid(Event, frozen=True, tag=True):
    """A company paid for stations above its limit."""

    company: CompanyId
    stations: int
    amount: int

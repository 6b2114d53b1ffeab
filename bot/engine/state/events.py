"""Facts in the past tense. Sentences, pictures and notices come from events, and reactions listen to them."""

from __future__ import annotations

from msgspec import Struct

from bot.engine import CompanyId, HexId, Message, Owner, PlayerId, PrivateId, Text, TileId, TrainId


class Event(Struct, frozen=True, tag_field="event"):
    """The parent of all events."""


class Noted(Event, frozen=True, tag="Noted"):
    """The event of a sentence: it is in the log, and nothing else looks at it or reacts to it."""

    sentence: Message


class Paid(Event, frozen=True, tag="Paid"):
    payer: Owner
    payee: Owner
    amount: int
    why: str


class Passed(Event, frozen=True, tag="Passed"):
    by: Owner
    step: str


class ProposalWithdrawn(Event, frozen=True, tag="ProposalWithdrawn"):
    by: PlayerId


class RoundBegan(Event, frozen=True, tag="RoundBegan"):
    """A round began: `kind` is auction, stock, operating …; round `part` of `of` in set `number`."""

    kind: str
    number: int
    part: int
    of: int


class TurnBegan(Event, frozen=True, tag="TurnBegan"):
    entity: Owner


class PriceReduced(Event, frozen=True, tag="PriceReduced"):
    by: PlayerId
    private: PrivateId
    price: int


class BidMade(Event, frozen=True, tag="BidMade"):
    by: PlayerId
    lot: Owner
    price: int


class PrivateBought(Event, frozen=True, tag="PrivateBought"):
    by: Owner
    private: PrivateId
    seller: Owner
    price: int


class PrivatePaid(Event, frozen=True, tag="PrivatePaid"):
    private: PrivateId
    owner: Owner
    amount: int


class PrivateClosed(Event, frozen=True, tag="PrivateClosed"):
    private: PrivateId


class CompanyStarted(Event, frozen=True, tag="CompanyStarted"):
    by: Owner
    company: CompanyId
    price: int


class SharesBought(Event, frozen=True, tag="SharesBought"):
    """Ordinary shares were bought; `price` is the whole sum, `percent` what they stand for."""

    by: Owner
    company: CompanyId
    source: Owner
    percent: int
    price: int


class SharesSold(Event, frozen=True, tag="SharesSold"):
    """Shares were sold to the pool for `price` in all."""

    by: Owner
    company: CompanyId
    percent: int
    price: int


class PresidentChanged(Event, frozen=True, tag="PresidentChanged"):
    """Another player (or nobody) directs the company now."""

    company: CompanyId
    president: PlayerId | None


class CompanyFloated(Event, frozen=True, tag="CompanyFloated"):
    company: CompanyId
    capital: int


class PriceMoved(Event, frozen=True, tag="PriceMoved"):
    company: CompanyId
    before: int
    after: int


class TileLaid(Event, frozen=True, tag="TileLaid"):
    by: Owner
    tile: TileId
    hex: HexId
    rotation: int
    replaced: TileId | None
    cost: int


class TokenPlaced(Event, frozen=True, tag="TokenPlaced"):
    """A station token was placed for `cost`, with the help of the private `using` if any."""

    company: CompanyId
    hex: HexId
    city: int
    cost: int
    using: PrivateId | None = None


class RoutesRun(Event, frozen=True, tag="RoutesRun"):
    """Trains ran: `revenue` in all, one line a train in `trains`."""

    company: CompanyId
    revenue: int
    trains: tuple[str, ...] = ()


class DividendPaid(Event, frozen=True, tag="DividendPaid"):
    """Revenue was paid out: `per_share` for the smallest share (`and_half` a coin more, where a player's shares are added up
    before rounding), `amounts` by receiver."""

    company: CompanyId
    revenue: int
    per_share: int
    amounts: tuple[tuple[Owner, int], ...]
    and_half: bool = False


class RevenueWithheld(Event, frozen=True, tag="RevenueWithheld"):
    company: CompanyId
    revenue: int


class EarnedNothing(Event, frozen=True, tag="EarnedNothing"):
    """A company's turn came to the revenue, and no train had run."""

    company: CompanyId


class TrainBought(Event, frozen=True, tag="TrainBought"):
    company: CompanyId
    train: TrainId
    kind: str
    source: Owner
    price: int
    trade_in: str | None = None


class TrainExported(Event, frozen=True, tag="TrainExported"):
    """A train left the depot unsold; it counts as sold."""

    train: TrainId
    kind: str


class TrainDiscarded(Event, frozen=True, tag="TrainDiscarded"):
    company: CompanyId
    kind: str


class TrainsRusted(Event, frozen=True, tag="TrainsRusted"):
    kinds: tuple[str, ...]
    owners: tuple[Owner, ...]


class PhaseBegan(Event, frozen=True, tag="PhaseBegan"):
    phase: str


class LoanTaken(Event, frozen=True, tag="LoanTaken"):
    company: CompanyId
    amount: int


class Contributed(Event, frozen=True, tag="Contributed"):
    """A president pays for a train that their company must own."""

    player: PlayerId
    company: CompanyId
    amount: int


class WentBankrupt(Event, frozen=True, tag="WentBankrupt"):
    """A player cannot pay for a train that their company must own."""

    player: PlayerId


class GameEndTriggered(Event, frozen=True, tag="GameEndTriggered"):
    """The game will end; `reason` says why, `when` says when."""

    reason: Text
    when: str


class GameEnded(Event, frozen=True, tag="GameEnded"):
    """The game is over: players with their final worth, best first."""

    reason: Text
    scores: tuple[tuple[PlayerId, int], ...]

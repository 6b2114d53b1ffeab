"""What happens in 1844 alone."""

from __future__ import annotations

from bot.engine.data.events import Event
from bot.engine.ids import CompanyId, HexId, Owner, PlayerId, PrivateId, TileId


class AuctionPaused(Event, frozen=True, tag=True):
    """Nobody wants the next private: the privates that are sold pay, then the auction goes on (§IV)."""

    private: PrivateId


class TargetReached(Event, frozen=True, tag=True):
    """A company is connected with its target and gets the rest of its capital."""

    company: CompanyId
    amount: int


class MountainPlaced(Event, frozen=True, tag=True):
    """A mountain railway was put on a mountain with an income marker."""

    player: Owner
    private: PrivateId
    hex: HexId
    marker: TileId


class TunnelBuilt(Event, frozen=True, tag=True):
    """A company built a tunnel by its director's right."""

    company: CompanyId
    private: PrivateId
    hex: HexId


class FurkaLaid(Event, frozen=True, tag=True):
    """The Furka-Oberalp line was laid; its owner gets the payment."""

    owner: Owner
    payment: int


class BeganToPay(Event, frozen=True, tag=True):
    """A mountain railway or a tunnel was visited for the first time: from now on its share pays."""

    private: PrivateId


class Downgraded(Event, frozen=True, tag=True):
    """All trains of a kind became H-trains."""

    kind: str
    into: str


class EvaGiven(Event, frozen=True, tag=True):
    """The EVA, a 5H, goes to a company."""

    company: CompanyId


class EvaBuilt(Event, frozen=True, tag=True):
    """The Lokfabrik Oerlikon closes; its owner has the EVA, a 5H, to give away."""

    player: Owner


class SbbFormed(Event, frozen=True, tag=True):
    """The pre-SBB companies merged. `payments` are what each player got (or paid, if negative) for his shares."""

    payments: tuple[tuple[PlayerId, int], ...]


class TokenReturned(Event, frozen=True, tag=True):
    """One of two markers of the SBB on one space went back to its chart."""

    hex: HexId


class Borrowed(Event, frozen=True, tag=True):
    """A player owes the bank money, interest included."""

    player: PlayerId
    amount: int
    interest: int


class InterestDue(Event, frozen=True, tag=True):
    """A debt grew by its interest."""

    player: PlayerId
    amount: int


class Repaid(Event, frozen=True, tag=True):
    """A player paid back."""

    player: PlayerId
    amount: int

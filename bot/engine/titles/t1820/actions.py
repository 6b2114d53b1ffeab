"""The moves that 1820 has alone, and how they are written."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from bot.engine.data.actions import Action
from bot.engine.ids import CompanyId, HexId, Owner, PrivateId, TileId


class FundLobby(Action, frozen=True, tag="fund"):
    """Put `amount` under a lobby marker, or raise the lobby that holds `lobby` to `amount` (§6.5.2.1)."""

    is_sampled: ClassVar[bool] = True
    amount: int
    lobby: int = 0


class Purchase(Struct, frozen=True):
    """Somebody's part in an agreed sale of shares."""

    buyer: Owner
    shares: int


class Station(Struct, frozen=True):
    """Where a new company places a station: in an open circle, or in one that this tile makes (§6.6.2.4)."""

    hex: HexId
    city: int = 0
    tile: TileId | None = None
    rotation: int = 0


class FloatCompany(Action, frozen=True, tag="float"):
    """Float `company` with so many shares at `price`, with one or two stations, sold to these buyers (§6.6.2)."""

    is_sampled: ClassVar[bool] = True
    company: CompanyId
    shares: int
    price: int
    stations: tuple[Station, ...]
    sales: tuple[Purchase, ...]


class IncreaseShares(Action, frozen=True, tag="increase"):
    """A company takes the larger number of `shares`, sold to these buyers; `price` for a private one (§6.5.2.2)."""

    is_sampled: ClassVar[bool] = True
    shares: int
    price: int = 0
    sales: tuple[Purchase, ...] = ()


class AskForShare(Action, frozen=True, tag="ask"):
    """Buy a share from the player or cousin who holds it, if its player agrees (§6.5.2.4)."""

    holder: Owner
    company: CompanyId


class OverPay(Action, frozen=True, tag="overpay"):
    """Pay `price` for a cousin instead of the smaller sum that was bid (§6.3.3)."""

    is_sampled: ClassVar[bool] = True
    cousin: PrivateId
    price: int


class TakeLots(Action, frozen=True, tag="take"):
    """Take these of the trains that the auction was about (§6.4.2)."""

    kinds: tuple[str, ...]


class Decline(Action, frozen=True, tag="decline"):
    """Not take what one has won, and be barred from the new auction (§10.4)."""


class ChooseDirector(Action, frozen=True, tag="director"):
    """Name which of the tied cousins directs the company that one has sold (§13.4)."""

    company: CompanyId
    cousin: PrivateId


class AssignTrain(Action, frozen=True, tag="assign"):
    """Give a future train of `holder` to the company in turn (§6.4.3)."""

    kind: str
    holder: Owner


class Contribute(Action, frozen=True, tag="contribute"):
    """The director will pay `amount` of the company's next train out of his own cash (§7.2.7); 0 takes it back."""

    is_sampled: ClassVar[bool] = True
    amount: int


class UseCousin(Action, frozen=True, tag="use"):
    """Use a cousin's ability for these trains when they run (§14)."""

    cousin: PrivateId
    trains: tuple[str, ...]


class ReduceShares(Action, frozen=True, tag="reduce_shares"):
    """A company takes a smaller number of `shares`, bought back from the pool, then from these owners (§8.2).

    `loans` taken to pay for it; `into` a private company of the same director that it becomes part of.
    """

    is_sampled: ClassVar[bool] = True
    shares: int
    purchases: tuple[Purchase, ...] = ()
    loans: int = 0
    into: CompanyId | None = None


class IssueShares(Action, frozen=True, tag="issue"):
    """Issue shares of the treasury to the pool (§8.3)."""

    shares: int


class Offer(Action, frozen=True, tag="offer"):
    """Put a company up for takeover (§8.4)."""

    company: CompanyId


class Acquire(Action, frozen=True, tag="acquire"):
    """Be the company that takes over what its director has won, with loans and an issue of shares (§8.4.3)."""

    loans: int = 0
    shares: int = 0


class GiveUpStation(Action, frozen=True, tag="give_up"):
    """Let a British Rail marker take the place of one of the company's own (§8.4.3, §13.6), or drop an unplaced one."""

    hex: HexId | None = None
    city: int = 0


class Repay(Action, frozen=True, tag="repay"):
    """Repay so many loans (§7.2.9)."""

    loans: int = 1


class PayCosts(Action, frozen=True, tag="pay_costs"):
    """Pay what is due: maintenance or interest, the director covering what the treasury lacks (§7.2.5, §7.2.8)."""


class Neglect(Action, frozen=True, tag="neglect"):
    """Not pay what is due; the company goes into liquidation (§7.2.5, §7.2.8)."""

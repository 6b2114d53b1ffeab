"""What a game of 18BF remembers beyond the shared state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ...actions import BuyPrivate
from ...ids import CompanyId, HexId, Owner, PlayerId, PrivateId
from .nouns import COMPANIES

if TYPE_CHECKING:
    from ...game import Game


class Lot(Struct):
    """What is being auctioned: the highest bid, whose it is, and who may still bid (§9.2)."""

    lot: Owner
    price: int
    bidder: PlayerId
    bidding: list[PlayerId]


class Forming(Struct):
    """A company that is being formed in a merger round (§12.3, §12.4, §12.6).

    `members` are the companies that become `company`, in operating order. `director` directs it until someone holds
    the director's certificate. `before` is the state before the merger, to return to if it is not allowed. `agreed`
    are directors who have given their approval, `stations` the tokens among which is chosen and how many to keep.
    """

    company: CompanyId
    members: list[CompanyId]
    director: PlayerId
    key: str
    dropped: CompanyId | None = None
    before: str = ""
    asked: list[PlayerId] = []


class Special(Struct):
    """`batches` are the minors of the first stock round, of the second, of phase 3 (§7.2). `loans_to_pay` is for how many
    loans the company in turn still owes interest (§10.8). `ferries` are the areas of Ireland assigned this round
    (§10.6). `offer` is a private that its owner is asked to sell (§7.1). `rounds_left` counts operating rounds once the
    end has been triggered (§13)."""

    batches: list[list[CompanyId]] = []
    lot: Lot | None = None
    loans_to_pay: int = 0
    ferries: dict[PrivateId, HexId] = {}
    offer: BuyPrivate | None = None
    forming: Forming | None = None
    refused: list[str] = []
    rounds_left: int | None = None


def special(game: Game) -> Special:
    """The title's own record.

    :raises TypeError: the game is not 18BF.
    """
    record = game.state.special
    if not isinstance(record, Special):
        raise TypeError("not a game of 18BF")
    return record


def kind_of(company: CompanyId) -> str:
    """`minor`, `public` or `system`."""
    return COMPANIES[company].kind

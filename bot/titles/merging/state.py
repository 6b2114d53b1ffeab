"""The data of a game of the family beyond the shared state."""

from __future__ import annotations

from msgspec import Struct

from bot.engine import CompanyId, HexId, Owner, PlayerId
from bot.engine.play import title_state_getter

from .actions import MergeMinors, TurnIntoMajor


class AuctionedLot(Struct):
    """The lot being auctioned: `price` is the highest bid, of `bidder`; without a bidder it is the lowest price. `bidding` are
    the players who are still in it, in order. `declined` are those who have let the first bid to others. `falls` says that
    all have, and that the first who bids has it.
    """

    lot: Owner
    price: int
    bidder: PlayerId | None = None
    bidding: list[PlayerId] = []
    declined: list[PlayerId] = []
    falls: bool = False


class MajorInFormation(Struct):
    """A major being formed of `members`: its minors, in operating order.

    `asked` are the players who may still buy shares, in order, `several` those among them who may buy more than one.
    `leader` decides until it has a president. `tokens` are those of its charter, in order, with their prices and places on
    the map; `has_removed` says that some were removed. `last_pass` is the player who has passed last, if nobody has bought
    since. `key` names its minors, `before` the state before it, to return to if nobody can direct the company.
    """

    company: CompanyId
    members: list[CompanyId]
    leader: PlayerId
    asked: list[PlayerId]
    several: list[PlayerId]
    tokens: list[tuple[int, tuple[HexId, int] | None]]
    has_removed: bool = False
    last_pass: PlayerId | None = None
    key: str = ""
    before: str = ""


class MergingState(Struct):
    """`lot` is the current auction, `opener` the player who chooses the home of the minor that they have offered. `promised`
    are the hexes for which the national railway keeps a token. `loans_due` is the number of loans for which the company in
    turn owes interest. `proposal` is the merger to which owners must agree, `refused` those that may not be repeated in this
    turn, `forming` the company being formed. `trainless` are majors whose presidents are asked whether they give them up.
    `last_set` is the number of the last set of operating rounds once phase 8 has begun,
    `is_broken` says that the bank has ever owed money.
    """

    lot: AuctionedLot | None = None
    opener: PlayerId | None = None
    promised: list[HexId] = []
    loans_due: int = 0
    proposal: TurnIntoMajor | MergeMinors | None = None
    refused: list[str] = []
    forming: MajorInFormation | None = None
    trainless: list[CompanyId] = []
    last_set: int = 0
    is_broken: bool = False


title_state = title_state_getter(MergingState)

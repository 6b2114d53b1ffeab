"""The data of a game of 18BF beyond the shared state."""

from __future__ import annotations

from msgspec import Struct

from bot.engine import CompanyId, HexId, Owner, PlayerId, PrivateId
from bot.engine.play import title_state_getter

from .components import COMPANIES
from .mergers.proposals import Proposal


class Lot(Struct):
    """The lot being auctioned: the highest bid, its bidder, and the players who may still bid (§9.2)."""

    lot: Owner
    price: int
    bidder: PlayerId
    bidding: list[PlayerId]


class Forming(Struct):
    """A company being formed in a merger round (§12.3, §12.4, §12.6).

    `members` are the companies that become `company`, in operating order. `director` directs it until someone holds
    the director's certificate. `key` is the proposal's text, `dropped` an unstarted public company that leaves the
    game. `before` is the state before the merger, to return to if it is not allowed. `asked` are the players who may
    still buy shares.
    """

    company: CompanyId
    members: list[CompanyId]
    director: PlayerId
    key: str
    dropped: CompanyId | None = None
    before: str = ""
    asked: list[PlayerId] = []


class State18BF(Struct):
    """`batches` are the minors of the first stock round, of the second, of phase 3 (§7.2), `lot` is the current auction
    (§9.2). `loans_to_pay` is the number of loans for which the company in turn still owes interest (§10.8).
    `ferries` are the areas of Ireland assigned this round (§10.6). `proposal` is the merger to which directors must
    agree, `refused` are those that may not be repeated in this turn, `forming` a company being formed, `taken` a
    minor being taken over (§12). `last_set` is the number of operating rounds in the last set of the game, once its
    end has been triggered, `is_last_set` whether that has come (§13); `quiet_sets` counts sets in which nothing
    advanced the game. `sale_prices` are the prices of shares sold in this stock turn (§9.1).
    """

    batches: list[list[CompanyId]] = []
    lot: Lot | None = None
    loans_to_pay: int = 0
    ferries: dict[PrivateId, HexId] = {}
    proposal: Proposal | None = None
    forming: Forming | None = None
    taken: CompanyId | None = None
    refused: list[str] = []
    last_set: int = 0
    is_last_set: bool = False
    quiet_sets: int = 0
    sale_prices: dict[CompanyId, int] = {}


title_state = title_state_getter(State18BF)


def kind_of(company: CompanyId) -> str:
    """`minor`, `public` or `system`."""
    return COMPANIES[company].kind

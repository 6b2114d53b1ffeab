"""The data of a game of 18BF beyond the shared state."""

from __future__ import annotations

from msgspec import Struct

from bot.engine import CompanyId, HexId, PrivateId
from bot.engine.play import title_state_getter
from bot.engine.play.steps import AuctionedLot, CompanyInFormation

from .components import COMPANIES
from .mergers.proposals import Proposal


class Forming(CompanyInFormation, kw_only=True):
    """`dropped` is an unstarted public company that leaves the game for a system (§12.6)."""

    dropped: CompanyId | None = None


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
    lot: AuctionedLot | None = None
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

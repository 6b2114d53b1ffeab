"""The data of a game of the family beyond the shared state."""

from __future__ import annotations

from msgspec import Struct

from bot.engine import CompanyId, HexId, PlayerId
from bot.engine.play import title_state_getter
from bot.engine.play.steps import AuctionedLot, CompanyInFormation

from .actions import MergeMinors, TurnIntoMajor


class MajorInFormation(CompanyInFormation, kw_only=True):
    """`several` are the players who may buy more than one share. `tokens` are those of the major's charter, in order,
    with their prices and places on the map; `has_removed` says that some were removed.
    """

    several: list[PlayerId]
    tokens: list[tuple[int, tuple[HexId, int] | None]]
    has_removed: bool = False


class MergingState(Struct):
    """`lot` is the current auction. While privates are sold `opener` is the player who may bid first, `declined` are
    those who have let the first bid to others, and `falls` says that all have, and that the first who bids has it.
    `promised` are the hexes for which the national railway keeps a token. `loans_due` is the number of loans for which
    the company in turn owes interest. `proposal` is the merger to which owners must agree, `refused` those that may not
    be repeated in this turn, `forming` the company being formed. `trainless` are majors whose presidents are asked
    whether they give them up. `last_set` is the number of the last set of operating rounds once phase 8 has begun,
    `is_broken` says that the bank has ever owed money.
    """

    lot: AuctionedLot | None = None
    opener: PlayerId | None = None
    declined: list[PlayerId] = []
    falls: bool = False
    promised: list[HexId] = []
    loans_due: int = 0
    proposal: TurnIntoMajor | MergeMinors | None = None
    refused: list[str] = []
    forming: MajorInFormation | None = None
    trainless: list[CompanyId] = []
    last_set: int = 0
    is_broken: bool = False


title_state = title_state_getter(MergingState)

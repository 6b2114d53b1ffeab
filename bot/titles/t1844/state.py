"""The data of a game of 1844 beyond the shared state."""

from __future__ import annotations

from msgspec import Struct

from bot.engine import CompanyId, HexId, PlayerId, PrivateId
from bot.engine.play import title_state_getter


class State1844(Struct):
    """State that only this title has.

    The auction (§IV): `auctioned` and `opener` are the private being auctioned and the player who opens its auction,
    `high` and `bidder` the standing bid. `waiting` are the companies that have not reached their targets.
    `mountains` and `tunnels` are the places of each share's railway or tunnel, `beneath` the hexes where a tunnel
    was built under existing track, `active` the shares that pay, `bought` which kind of them each player bought in
    this share round. `debts` are what directors owe for trains, with interest, and `dues` what players owe for the
    exchange into the SBB, without; `lent`, `interest` and `repaid` are the sums of all changes to them.
    `sold_for_train` are the companies whose shares the director has sold for the train that must be bought now,
    `sold_at` the price of a share in the last of these sales. `is_forming`: the SBB forms after this operating
    round.
    """

    auctioned: PrivateId | None = None
    opener: PlayerId | None = None
    high: int = 0
    bidder: PlayerId | None = None
    waiting: list[CompanyId] = []
    mountains: dict[PrivateId, HexId] = {}
    tunnels: dict[PrivateId, HexId] = {}
    beneath: list[HexId] = []
    active: list[PrivateId] = []
    bought: dict[PlayerId, list[str]] = {}
    debts: dict[PlayerId, int] = {}
    dues: dict[PlayerId, int] = {}
    lent: int = 0
    interest: int = 0
    repaid: int = 0
    sold_for_train: list[CompanyId] = []
    sold_at: int = 0
    is_forming: bool = False


title_state = title_state_getter(State1844)

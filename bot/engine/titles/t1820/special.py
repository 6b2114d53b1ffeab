"""What a game of 1820 remembers beyond the shared state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from bot.engine.data.actions import BuyTrain
from bot.engine.ids import CompanyId, HexId, Owner, PlayerId, PrivateId

from .actions import AskForShare, AssignTrain, FloatCompany, IncreaseShares

if TYPE_CHECKING:
    from bot.engine.play.game import Game


class Lobby(Struct):
    """Money under a player's lobby marker (§6.5.2.1)."""

    amount: int
    player: PlayerId


class CousinBid(Struct):
    """A bid lying on a cousin (§6.3.2)."""

    player: PlayerId
    amount: int


class OpenCry(Struct):
    """An open-cry auction (§10.4): of future trains, of a company, or of what is left of one.

    `best` is the highest bid, by `bidder`, or by the bank when `bidder` is None and `best` is not 0. `least` is what the
    first bid must be, `forcing` what the director of the lot must accept, `offered_by` who put it up (the bank when
    None). `passed` will not bid against the present best, `barred` defaulted.
    """

    kind: str
    lots: list[str]
    best: int = 0
    bidder: PlayerId | None = None
    least: int = 0
    forcing: int = 0
    offered_by: CompanyId | None = None
    passed: list[PlayerId] = []
    barred: list[PlayerId] = []


Proposal = FloatCompany | IncreaseShares | AskForShare | BuyTrain | AssignTrain
"""What waits for somebody's consent."""


class Special(Struct):
    """Rounds, markers and memories, by section of the rules.

    `column` of the cost-of-business marker, counted from 0. `sold` in this stock round, by seller. `floated_in` and
    `enlarged_in` are numbers of stock rounds. `quiet_turns` since somebody last funded a lobby or increased a
    share-count; `actor` for whom the player in turn acts; `next_order` are the second number cards. `fees` paid for distance in this stock round. `debts` are
    payments that wait for shares to be sold, `protected` the company whose control may not change by that. `was_at` are former places in
    the operating order of companies that became private. `orphans` were directed by a cousin that is bankrupt. `uses` of cousins' abilities, by cousin and company. `promised` is
    what the director in turn pays of his company's next train, whatever its treasury has.
    """

    column: int = 0
    cousin_bids: dict[PrivateId, CousinBid] = {}
    cousin_price: int = 0
    deductions: dict[PlayerId, int] = {}
    lobbies: list[Lobby] = []
    is_resolved: bool = False
    quiet_turns: int = 0
    next_order: list[PlayerId] = []
    sold: dict[Owner, list[CompanyId]] = {}
    floated_in: dict[CompanyId, int] = {}
    enlarged_in: dict[CompanyId, int] = {}
    tiles_of_round: list[HexId] = []
    fees: dict[CompanyId, int] = {}
    directors: dict[CompanyId, Owner] = {}
    private_track: list[CompanyId] = []
    proposal: Proposal | None = None
    actor: Owner | None = None
    auction: OpenCry | None = None
    debts: dict[Owner, int] = {}
    protected: dict[Owner, CompanyId] = {}
    is_victoria_dead: bool = False
    has_income_ended: bool = False
    began_in_brown: bool = False
    will_end: str = ""
    reduced: list[CompanyId] = []
    was_at: dict[CompanyId, list[int]] = {}
    acquirers: list[CompanyId] = []
    offered: list[CompanyId] = []
    to_liquidate: list[CompanyId] = []
    orphans: list[CompanyId] = []
    uses: dict[str, int] = {}
    bankrupt: list[PlayerId] = []
    stations_before: int = 0
    gained: list[str] = []
    payment: int = 0
    promised: int = 0


def special(game: Game) -> Special:
    """The title's own record.

    :raises TypeError: the game is not 1820.
    """
    record = game.state.special
    if not isinstance(record, Special):
        raise TypeError("not a game of 1820")
    return record

"""The data of a game of 1820 beyond the shared state."""

from __future__ import annotations

from msgspec import Struct

from bot.engine import CompanyId, HexId, Owner, PlayerId, PrivateId
from bot.engine.play import title_state_getter
from bot.engine.state import BuyTrain

from .actions import AssignTrain, FloatCompany, IncreaseShares, RequestShare


class LobbyMarker(Struct):
    """Money under a player's lobby marker (§6.5.2.1)."""

    amount: int
    player: PlayerId


class CousinBid(Struct):
    """A bid on a cousin (§6.3.2)."""

    player: PlayerId
    amount: int


class OpenCry(Struct):
    """An open-cry auction (§10.4): of future trains, of a company, or of the remains of a company.

    `best` is the highest bid, by `bidder`, or by the bank when `bidder` is None and `best` is not 0. `least` is the
    minimum of the first bid, `forcing` the bid that the director of the lot must accept, `offered_by` the company
    that put it up (the bank when None). `passed` players will not bid against the current best, `barred` players
    defaulted.
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


Proposal = FloatCompany | IncreaseShares | RequestShare | BuyTrain | AssignTrain


class State1820(Struct):
    """Rounds, markers and memories."""

    column: int = 0
    """Position of the cost-of-business marker, counted from 0."""
    cousin_bids: dict[PrivateId, CousinBid] = {}
    """The bid on each cousin, until its player pays (§6.3.2)."""
    cousin_price: int = 0
    """The lowest winning bid, for which the remaining cousins are offered (§6.3.3)."""
    deductions: dict[PlayerId, int] = {}
    """The amount deducted from a player's next income, for future trains of the first stock round (§6.4.2)."""
    lobbies: list[LobbyMarker] = []
    """Money under lobby markers (§6.5.2.1)."""
    is_resolved: bool = False
    """Whether the lobbies of this stock round have been resolved (§6.5.1)."""
    quiet_turns: int = 0
    """Turns since a player last funded a lobby or increased a share-count (§6.5.1)."""
    next_order: list[PlayerId] = []
    """The second number cards: the players who passed since the lobbies, in that order (§6.5.1)."""
    sold: dict[Owner, list[CompanyId]] = {}
    """The companies that each player or cousin has sold in this stock round."""
    floated_in: dict[CompanyId, int] = {}
    """The stock round in which a company floated."""
    enlarged_in: dict[CompanyId, int] = {}
    """The stock round in which a company last took a larger number of shares."""
    tiles_of_round: list[HexId] = []
    """The hexes where new companies have laid tiles in this stock round: one tile a hex (§6.6.2.4)."""
    fees: dict[CompanyId, int] = {}
    """The distance fee paid by a company that floated in this stock round, until Vignoles halves it (§14.3.1)."""
    directors: dict[CompanyId, Owner] = {}
    """The player or cousin who directs each company; companies without a director are missing."""
    private_track: list[CompanyId] = []
    """Private companies in the order in which they operate, after the public companies."""
    proposal: Proposal | None = None
    """The proposal that waits for consent."""
    actor: Owner | None = None
    """The owner for whom the player in turn has acted: the player, a cousin or a company; None so far."""
    auction: OpenCry | None = None
    """The open-cry auction in play, also while its winner decides (§10.4)."""
    debts: dict[Owner, int] = {}
    """Payments that wait for shares to be sold (§10.2, §10.3)."""
    protected: dict[Owner, CompanyId] = {}
    """The company whose control may not change by these sales, by debtor (§17.3)."""
    is_victoria_dead: bool = False
    """Whether Queen Victoria has died: income ends, and the bank bids the full minimum, not half, for a company that
    offers itself (§10.8).
    """
    has_income_ended: bool = False
    """Whether the last income has been paid (§6.2)."""
    began_in_brown: bool = False
    """Whether the operating round began in the brown phase or later: then Queen Victoria dies at its end (§10.8)."""
    will_end: str = ""
    """The reason why the game ends with this operating round; empty while it does not."""
    reduced: list[CompanyId] = []
    """Companies that have reduced their share-count in this issue round."""
    was_at: dict[CompanyId, list[int]] = {}
    """The former places in the operating order of companies that became private, as comparable values."""
    acquirers: list[CompanyId] = []
    """Companies that have acquired a company in this issue round (§8.4.1)."""
    offered: list[CompanyId] = []
    """Companies that have been offered for takeover in this issue round (§8.4.1)."""
    to_liquidate: list[CompanyId] = []
    """Companies still to be liquidated in this issue round, the next first (§8.5)."""
    orphans: list[CompanyId] = []
    """Companies that a bankrupt cousin directed, until they go into liquidation (§10.3)."""
    uses: dict[str, int] = {}
    """How often a cousin's ability has been used, by cousin and company (`C5 LBR`; §14)."""
    bankrupt: list[PlayerId] = []
    """§10.2"""
    stations_before: int = 0
    """The number of stations a company had before it took over another: these may stay above the limit (§13.6)."""
    payment: int = 0
    """The bank's bid in the liquidation in play: it stands again when a winner declines (§8.5)."""
    promised: int = 0
    """The part of the company's next train that the director in turn pays, with any treasury (§7.2.7)."""


title_state = title_state_getter(State1820)

"""What a game of 1820 remembers beyond the shared state."""

from __future__ import annotations

from msgspec import Struct

from bot.engine.ids import CompanyId, HexId, Owner, PlayerId, PrivateId
from bot.engine.play.game import record_of
from bot.engine.state.actions import BuyTrain

from .actions import AssignTrain, FloatCompany, IncreaseShares, RequestShare


class LobbyMarker(Struct):
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


Proposal = FloatCompany | IncreaseShares | RequestShare | BuyTrain | AssignTrain
"""What waits for somebody's consent."""


class State1820(Struct):
    """Rounds, markers and memories."""

    column: int = 0
    """Where the cost-of-business marker stands, counted from 0."""
    cousin_bids: dict[PrivateId, CousinBid] = {}
    """The bid that lies on each cousin, until its player pays (§6.3.2)."""
    cousin_price: int = 0
    """The lowest winning bid, for which the cousins left are offered (§6.3.3)."""
    deductions: dict[PlayerId, int] = {}
    """What is kept back of a player's next income, for future trains of the first stock round (§6.4.2)."""
    lobbies: list[LobbyMarker] = []
    """Money under lobby markers (§6.5.2.1)."""
    is_resolved: bool = False
    """Whether the lobbies of this stock round have been resolved (§6.5.1)."""
    quiet_turns: int = 0
    """Turns since somebody last funded a lobby or increased a share-count (§6.5.1)."""
    next_order: list[PlayerId] = []
    """The second number cards: who has passed since the lobbies, in that order (§6.5.1)."""
    sold: dict[Owner, list[CompanyId]] = {}
    """What each player or cousin has sold in this stock round."""
    floated_in: dict[CompanyId, int] = {}
    """In which stock round a company floated."""
    enlarged_in: dict[CompanyId, int] = {}
    """In which stock round a company last took a larger number of shares."""
    tiles_of_round: list[HexId] = []
    """Where new companies have laid tiles in this stock round: one a space (§6.6.2.4)."""
    fees: dict[CompanyId, int] = {}
    """What a company that floated in this stock round paid for distance, until Vignoles halves it (§14.3.1)."""
    directors: dict[CompanyId, Owner] = {}
    """The player or cousin who directs each company; one that nobody directs is missing."""
    private_track: list[CompanyId] = []
    """Private companies in the order in which they operate, after the public ones."""
    proposal: Proposal | None = None
    """What waits for somebody's consent."""
    actor: Owner | None = None
    """For whom the player in turn has acted: himself, a cousin or a company; nobody yet."""
    auction: OpenCry | None = None
    """The open-cry auction in play, also while its winner decides (§10.4)."""
    debts: dict[Owner, int] = {}
    """Payments that wait for shares to be sold (§10.2, §10.3)."""
    protected: dict[Owner, CompanyId] = {}
    """Whose control may not change by these sales, by debtor (§17.3)."""
    is_victoria_dead: bool = False
    """Whether Queen Victoria has died: income ends, and the bank bids all for a company that offers itself (§10.8)."""
    has_income_ended: bool = False
    """Whether the last income has been paid (§6.2)."""
    began_in_brown: bool = False
    """Whether the operating round began in the brown phase or later: then she dies at its end (§10.8)."""
    will_end: str = ""
    """Why the game ends with this operating round; empty while it does not."""
    reduced: list[CompanyId] = []
    """Which have reduced their share-count in this issue round."""
    was_at: dict[CompanyId, list[int]] = {}
    """The former places in the operating order of companies that became private, as something to compare."""
    acquirers: list[CompanyId] = []
    """Which have acquired a company in this issue round (§8.4.1)."""
    offered: list[CompanyId] = []
    """Which have been offered for takeover in this issue round (§8.4.1)."""
    to_liquidate: list[CompanyId] = []
    """Which are still to be liquidated in this issue round, the next one first (§8.5)."""
    orphans: list[CompanyId] = []
    """Those that a bankrupt cousin directed, until they go into liquidation (§10.3)."""
    uses: dict[str, int] = {}
    """How often a cousin's ability has been used, by cousin and company (`C5 LBR`; §14)."""
    bankrupt: list[PlayerId] = []
    """Players who are bankrupt (§10.2)."""
    stations_before: int = 0
    """How many stations a company had before it took another one over: these may stay above the limit (§13.6)."""
    payment: int = 0
    """The bank's bid in the liquidation in play: it stands again when a winner declines (§8.5)."""
    promised: int = 0
    """What the director in turn pays of his company's next train, whatever its treasury has (§7.2.7)."""


special = record_of(State1820)
"""The title's own record."""

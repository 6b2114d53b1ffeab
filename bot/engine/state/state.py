"""One game in progress as plain data: ids for references, integers for money, lists in a fixed order.

Everything here serialises; nothing here is derived. A saved state only ever gains fields with defaults.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct, field

from bot.engine import CompanyId, HexId, Owner, PlayerId, PrivateId, Text, TileId, TrainId, is_player

from .actions import BuyPrivate, BuyTrain
from .board import Board


class Player(Struct):
    """A seat at the table and the name of the person in it."""

    id: PlayerId
    name: str


class Certificate(Struct, frozen=True):
    """A share certificate: `percent` of the company, held by `owner` (a player, company, `ipo`, `pool`)."""

    percent: int
    owner: Owner


class LastRun(Struct):
    """The earnings of a company's trains when they ran last: in which operating round (`3.1`), a line a train in
    `trains`."""

    round: str
    revenue: int
    trains: tuple[str, ...]


class Company(Struct):
    """A company's record. Its first certificate is the president's if it `has_president`.

    `position` is the market cell (row, column), `tokens_left` the prices of tokens not yet on the board
    in the order of use, `operated` whether it has finished a turn. `last_run` is for those who look: no rule asks for it,
    and positions kept by older releases lack it until the company runs again.
    """

    id: CompanyId
    certificates: list[Certificate]
    tokens_left: tuple[int, ...]
    par: int | None = None
    position: tuple[int, int] | None = None
    floated: bool = False
    operated: bool = False
    closed: bool = False
    loans: int = 0
    has_president: bool = True
    last_run: LastRun | None = None

    def percent_held_by(self, owner: Owner) -> int:
        percent = 0
        for certificate in self.certificates:
            if certificate.owner == owner:
                percent += certificate.percent
        return percent

    def count_of(self, owner: Owner) -> int:
        return [certificate.owner for certificate in self.certificates].count(owner)

    def move_certificates(self, moved: Iterable[Certificate], owner: Owner) -> None:
        """Give certificates of this company to an owner; each keeps its place among them."""
        given = {id(certificate) for certificate in moved}
        self.certificates = [Certificate(one.percent, owner) if id(one) in given else one for one in self.certificates]

    def move_president(self, owner: Owner) -> None:
        """Give the president's certificate to an owner."""
        self.move_certificates(self.certificates[:1], owner)


class Private(Struct):
    """A private company: its owner (None while for sale), whether it has closed, what it costs at auction, the hex with
    its marker, if any."""

    id: PrivateId
    price: int
    owner: Owner | None = None
    closed: bool = False
    ability_used: bool = False
    marked_hex: HexId | None = None


class Train(Struct, frozen=True):
    """A train card: `kind` is the side in use (`3+`), `family` the printed pair it belongs to (`3`)."""

    id: TrainId
    family: str
    kind: str
    owner: Owner


class Round(Struct):
    """The round in play: operating round `part` of `of` in set `number`; stock rounds count in `number`."""

    kind: str
    number: int = 1
    part: int = 1
    of: int = 1


class NoMemory(Struct, tag="none"):
    """A frame that has nothing to remember."""


class AuctionMemory(Struct, tag="auction"):
    """An auction: who has passed since something last happened."""

    passed: list[PlayerId] = []


class PlacedBid(Struct):
    player: PlayerId
    price: int


class WaterfallMemory(Struct, tag="waterfall"):
    """A waterfall auction: who has passed in a row, the bids by lot, each player's last bid; while a lot is bid out,
    whose `turn` it was that brought it up."""

    passed: list[PlayerId] = []
    bids: dict[PrivateId, list[PlacedBid]] = {}
    turn: PlayerId | None = None


class StockRoundMemory(Struct, tag="stock round"):
    """A stock round: who sold what in it, how many passes in a row, who acted last, who passed (in that order) and has
    not acted since."""

    sold: dict[PlayerId, list[CompanyId]] = {}
    passes: int = 0
    last_to_act: PlayerId | None = None
    turns: int = 0
    passed: list[PlayerId] = []


class StockTurnMemory(Struct, tag="stock turn"):
    """A player's turn in a stock round: companies sold in it, companies bought in it, companies changed in some other
    way (converted, say), companies that the player came to direct in it, and the sources of the shares bought.
    """

    sold: list[CompanyId] = []
    bought: list[CompanyId] = []
    changed: list[CompanyId] = []
    taken_over: list[CompanyId] = []
    sources: list[Owner] = []


class OperatingRoundMemory(Struct, tag="operating round"):
    """An operating round: which companies have had their turn."""

    done: list[CompanyId] = []


class TileLay(Struct):
    hex: HexId
    tile: TileId
    is_upgrade: bool


class TurnMemory(Struct, tag="turn"):
    """A company's operating turn so far. `revenue` is None until its trains have run.

    `used` lists things that may be done once a turn, by name. `sold_at` is what each of the shares brought that were sold last
    for its train.
    """

    lays: list[TileLay] = []
    tokens_placed: int = 0
    revenue: int | None = None
    used: list[str] = []
    sold_at: int = 0


Memory = (
    NoMemory | AuctionMemory | WaterfallMemory | StockRoundMemory | StockTurnMemory | OperatingRoundMemory | TurnMemory
)


class Frame(Struct):
    """The place of play: step number `at` of plan `plan`, for `entity`.

    `asked` names the players who may act; empty means the player who decides for `entity`.
    """

    plan: str
    entity: Owner | None = None
    at: int = 0
    asked: list[PlayerId] = []
    memory: Memory = field(default_factory=NoMemory)


class State(Struct):
    """A whole game. `special` is the title's own record, `flow` the stack of frames, top last.

    `cash` holds every owner's money; its sum is always `money`. `stacks` lists the companies of each market cell
    (`row,column`), top marker first. `trains` stand in the order in which the depot sells them. `offer` waits for the
    seller's answer. `scenario` names one of the title's maps that is not the usual map.
    """

    title: str
    options: dict[str, str]
    seed: int
    players: list[Player]
    order: list[PlayerId]
    priority: PlayerId
    cash: dict[Owner, int]
    companies: dict[CompanyId, Company]
    privates: dict[PrivateId, Private]
    trains: list[Train]
    stacks: dict[str, list[CompanyId]]
    board: Board
    phase: str
    round: Round
    flow: list[Frame]
    special: Any
    money: int
    offer: BuyTrain | BuyPrivate | None = None
    moves: int = 0
    ending: Text = ""
    finished: bool = False
    scenario: str = ""

    def player(self, player: PlayerId) -> Player:
        """The player of that id.

        :raises KeyError: nobody has it.
        """
        for seat in self.players:
            if seat.id == player:
                return seat
        raise KeyError(player)

    def name(self, owner: Owner) -> str:
        """The owner's displayed name: a player's name, else the sign itself."""
        return self.player(PlayerId(owner)).name if is_player(owner) else owner

    @property
    def names(self) -> dict[PlayerId, str]:
        return {player.id: player.name for player in self.players}

    def trains_of(self, owner: Owner) -> list[Train]:
        """The owner's trains in the order of the cards."""
        found = []
        for train in self.trains:
            if train.owner == owner:
                found.append(train)
        return found

    def move_train(self, train: Train, owner: Owner, kind: str = "") -> Train:
        """Give a card to an owner, with another side up if a `kind` is given; it keeps its place. Returns it as it is then."""
        at = next(at for at, one in enumerate(self.trains) if one.id == train.id)
        self.trains[at] = moved = Train(train.id, train.family, kind or train.kind, owner)
        return moved

    def privates_of(self, owner: Owner) -> list[Private]:
        """The owner's open privates."""
        return [private for private in self.privates.values() if private.owner == owner and not private.closed]

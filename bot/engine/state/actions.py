"""The actions of players: one frozen record a verb, each with exactly one text form.

`by` is the actor: a player (`@1`) or a company (`VR`), for which its president decides. The text forms live in
`bot.engine.notation.text`.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct

from bot.engine import DEPOT, IPO, CompanyId, HexId, Owner, PrivateId, TileId


class Action(Struct, frozen=True, tag_field="verb", omit_defaults=True):
    """The parent of all actions: `by` is the player or company that acts.

    Steps list only some of the legal actions of a verb that `is_sampled`. `menu_name` stands in the buttons of menus,
    those already posted too: it stays when the class gets another name.
    """

    is_sampled: ClassVar[bool] = False
    menu_name: ClassVar[str] = ""
    by: Owner


class Pass(Action, frozen=True, tag="pass"):
    """Do nothing in the step that is open."""


class Done(Action, frozen=True, tag="done"):
    """End a turn after having done something in it (a stock turn after a sale, say)."""


class ReducePrice(Action, frozen=True, tag="reduce"):
    """Lower the price of a private in a Dutch auction instead of buying (1848 §3.1.1)."""

    private: PrivateId


class BuyPrivate(Action, frozen=True, tag="buy_private"):
    """Buy a private: a player at auction, or a company from its president, for `price`."""

    is_sampled: ClassVar[bool] = True
    private: PrivateId
    price: int


class Bid(Action, frozen=True, tag="bid"):
    is_sampled: ClassVar[bool] = True
    lot: Owner
    price: int


class Par(Action, frozen=True, tag="par"):
    company: CompanyId
    price: int


class BuyShares(Action, frozen=True, tag="buy"):
    """Buy `shares` shares (units of the company's smallest share) of `company` from `source` (ipo, pool, an owner)."""

    company: CompanyId
    source: Owner = IPO
    shares: int = 1


class SellShares(Action, frozen=True, tag="sell"):
    """Sell `shares` shares (units of the company's smallest share) of `company` to the pool.

    `doubles` is how many certificates of more than one share are among them; None: as few as possible.
    """

    company: CompanyId
    shares: int
    doubles: int | None = None


class LayTile(Action, frozen=True, tag="lay"):
    """Lay or upgrade: `tile` on `hex`, turned by `rotation` steps of 60 degrees clockwise.

    `using` names the private whose ability pays for it.
    """

    tile: TileId
    hex: HexId
    rotation: int
    using: PrivateId | None = None


class PlaceToken(Action, frozen=True, tag="token"):
    """Place a station token in city number `city` (counted from 0) of `hex`.

    `using` names the private whose ability gives the place.
    """

    hex: HexId
    city: int = 0
    using: PrivateId | None = None


class Run(Struct, frozen=True):
    """One train's route: every hex in order, a stop written `H11.c0`, a hex passed through `G12`.

    `train` is the number of the card (`3-1`).
    """

    train: str
    path: tuple[str, ...]


class RunRoutes(Action, frozen=True, tag="run"):
    """Run the company's trains; trains not named stay idle. The engine computes the revenue."""

    is_sampled: ClassVar[bool] = True
    runs: tuple[Run, ...] = ()


class Dividend(Action, frozen=True, tag="dividend"):
    """The use of the revenue: paid out, withheld, or half of each where the title allows it."""

    kind: Literal["pay", "withhold", "half"]


class BuyTrain(Action, frozen=True, tag="buy_train"):
    """Buy a train of `kind` from `source` (depot, pool of discarded trains, another company) for `price`.

    `trade_in` is the kind of train given back for a lower price, `using` the private that lowers it.
    """

    is_sampled: ClassVar[bool] = True
    kind: str
    price: int
    source: Owner = DEPOT
    trade_in: str | None = None
    using: PrivateId | None = None


class DiscardTrain(Action, frozen=True, tag="discard"):
    kind: str


class TakeLoan(Action, frozen=True, tag="loan"):
    """Take one loan."""


class Exchange(Action, frozen=True, tag="exchange"):
    """Give up a private for a share from `source`: ipo or pool."""

    private: PrivateId
    source: Owner = IPO


class Answer(Action, frozen=True, tag="answer"):
    agree: bool


class Withdraw(Action, frozen=True, tag="withdraw"):
    """Take back what `by` has proposed and others have not all answered yet."""


class DeclareBankruptcy(Action, frozen=True, tag="bankrupt"):
    """The president of a company cannot pay for the train that it must own."""

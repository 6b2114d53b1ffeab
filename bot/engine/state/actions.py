"""The actions of players: one frozen record a verb. Each declares how it is written and what its fields hold.

`by` is the actor: a player (`@1`) or a company (`VR`), for which its president decides. The type of a field, which is a
type of names or has a tag such as `sum`, says how players name it, what they are asked and what menus show
(`bot.engine.notation.fields`); the parser, menus, completion and help of every door read these declarations.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Struct

from bot.engine import DEPOT, IPO, CompanyId, HexId, Owner, PrivateId, Text, TileId

Sum = Annotated[int, "sum"]
Train = Annotated[str, "train"]


class Action(Struct, frozen=True, tag_field="verb", omit_defaults=True):
    """The parent of all actions: `by` is the player or company that acts.

    `form` is the text: the verb, then fields in gaps, `ask {holder} for {company}`. A gap with a star takes one word or
    more. A clause in brackets is left out where its fields have their usual value; players may leave out a
    field in brackets that has no usual value: it means the actor. The word before a gap is its keyword; clauses with keywords may be typed in any order. Without a form the tag is the verb, the fields
    follow as they are declared, and those with a usual value have their names as keywords. `needs` says in other words
    than the fields' what the verb needs, `example` is a move where the fields' examples do not fit together. Menus ask
    for the fields in the order of `asked`, or as they are declared.

    Steps list only some of the legal actions of a verb that `is_sampled`. `menu_name` stands in the buttons of menus,
    those already posted too: it stays when the class gets another name.
    """

    form: ClassVar[str] = ""
    needs: ClassVar[Text] = ""
    example: ClassVar[str] = ""
    asked: ClassVar[tuple[str, ...]] = ()
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

    form: ClassVar[str] = "buy {private} for {price}"
    needs: ClassVar[Text] = "a private with its price"
    is_sampled: ClassVar[bool] = True
    private: PrivateId
    price: Sum


class Bid(Action, frozen=True, tag="bid"):
    is_sampled: ClassVar[bool] = True
    lot: Annotated[Owner, "lot"]
    price: Sum


class Par(Action, frozen=True, tag="par"):
    company: CompanyId
    price: Annotated[int, "par price"]


class BuyShares(Action, frozen=True, tag="buy"):
    """Buy `shares` shares (units of the company's smallest share) of `company` from `source` (ipo, pool, an owner)."""

    form: ClassVar[str] = "buy[ {shares}] {company}[ from {source}]"
    needs: ClassVar[Text] = "a company at its market price"
    company: CompanyId
    source: Annotated[Owner, "source"] = IPO
    shares: Annotated[int, "shares"] = 1


class SellShares(Action, frozen=True, tag="sell"):
    """Sell `shares` shares (units of the company's smallest share) of `company` to the pool.

    `doubles` is how many certificates of more than one share are among them; None: as few as possible.
    """

    form: ClassVar[str] = "sell {shares} {company}[ doubles {doubles}]"
    company: CompanyId
    shares: Annotated[int, "shares"]
    doubles: Annotated[int | None, "doubles"] = None


class LayTile(Action, frozen=True, tag="lay"):
    """Lay or upgrade: `tile` on `hex`, turned by `rotation` steps of 60 degrees clockwise.

    `using` names the private whose ability pays for it.
    """

    form: ClassVar[str] = "lay {tile} {hex} {rotation}[ with {using}]"
    asked: ClassVar[tuple[str, ...]] = ("hex", "tile", "rotation", "using")
    tile: TileId
    hex: HexId
    rotation: Annotated[int, "rotation"]
    using: Annotated[PrivateId | None, "helper"] = None


class PlaceToken(Action, frozen=True, tag="token"):
    """Place a station token in city number `city` (counted from 0) of `hex`.

    `using` names the private whose ability gives the place.
    """

    form: ClassVar[str] = "token {hex}[.{city}][ with {using}]"
    hex: HexId
    city: Annotated[int, "city"] = 0
    using: Annotated[PrivateId | None, "helper"] = None


class Run(Struct, frozen=True):
    """One train's route: every hex in order, a stop written `H11.c0`, a hex passed through `G12`.

    `train` is the number of the card (`3-1`).
    """

    train: str
    path: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.train}={'>'.join(self.path)}"


class RunRoutes(Action, frozen=True, tag="run"):
    """Run the company's trains; trains not named stay idle. The engine computes the revenue."""

    form: ClassVar[str] = "run {runs*}"
    is_sampled: ClassVar[bool] = True
    runs: tuple[Annotated[Run, "route"], ...] = ()


class Dividend(Action, frozen=True, tag="dividend"):
    """The use of the revenue: paid out, withheld, or half of each where the title allows it."""

    form: ClassVar[str] = "{kind}"
    kind: Annotated[Literal["pay", "withhold", "half"], "use"]


class BuyTrain(Action, frozen=True, tag="buy_train"):
    """Buy a train of `kind` from `source` (depot, pool of discarded trains, another company) for `price`.

    `trade_in` is the kind of train given back for a lower price, `using` the private that lowers it.
    """

    form: ClassVar[str] = "buy {kind}[ from {source}] for {price}[ trade {trade_in}][ with {using}]"
    needs: ClassVar[Text] = "a train with its price"
    asked: ClassVar[tuple[str, ...]] = ("kind", "source", "trade_in", "using", "price")
    is_sampled: ClassVar[bool] = True
    kind: Train
    price: Annotated[int, "train price"]
    source: Annotated[Owner, "seller"] = DEPOT
    trade_in: Annotated[str | None, "traded train"] = None
    using: Annotated[PrivateId | None, "helper"] = None


class DiscardTrain(Action, frozen=True, tag="discard"):
    kind: Train


class TakeLoan(Action, frozen=True, tag="loan"):
    """Take one loan."""


class Exchange(Action, frozen=True, tag="exchange"):
    """Give up a private for a share from `source`: ipo or pool."""

    form: ClassVar[str] = "exchange {private}[ from {source}]"
    private: PrivateId
    source: Annotated[Owner, "source"] = IPO


class Answer(Action, frozen=True, tag="answer"):
    form: ClassVar[str] = "{agree}"
    agree: Annotated[bool, "answer"]


class Withdraw(Action, frozen=True, tag="withdraw"):
    """Take back what `by` has proposed and others have not all answered yet."""


class DeclareBankruptcy(Action, frozen=True, tag="bankrupt"):
    """The president of a company cannot pay for the train that it must own."""

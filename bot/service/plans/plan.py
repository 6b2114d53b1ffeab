"""Plans as data. They are stored as they are: a field may be added with a default, none may change its name."""

from __future__ import annotations

from msgspec import Struct

OFFERS = "offer"
"""The turn of a plan that answers offers."""

IDLE = "idle"
"""The turn of a plan that passes where its player can only sell or pass."""

AWAKE = "awake"
"""For `Plan.at` of such a plan: it has been woken, and lets its player decide once."""

QUESTIONS = ("undo", "end", "replace", "computer", "skip", "fine")
"""Questions to the table that a plan may answer; each is the turn of such a plan."""

ALL, MINE, OTHERS = "*", "mine", "others"
"""For `Fact.of`: every company, and every company that the player holds shares of; for `Fact.whom`: every other player."""


class Fact(Struct, frozen=True):
    """An open fact of a position, one of `FACTS`: `of` a company, private, hex or owner, and held by
    `whom` (the player themselves where it is empty).
    """

    what: str
    of: str = ""
    whom: str = ""


class When(Struct, frozen=True):
    """A condition: a fact compared with a constant (`<`, `<=`, `=`, `!=`, `>=`, `>`), or across a move of somebody else
    (`changes`, `falls`, `rises`).
    """

    fact: Fact
    sign: str
    than: int | str = ""


class Do(Struct, frozen=True, tag="do"):
    """Make this move, in the words of a message; what stands before it in the turn is passed over."""

    text: str


class Buy(Struct, frozen=True, tag="buy"):
    """Buy a share of `company` each turn until `percent` are held, for at most `most` each, from `source` if named."""

    company: str
    percent: int
    most: int = 0
    source: str = ""


class Bids(Struct, frozen=True, tag="bid"):
    """Bid the least that leads, or buy, on the first lot that the player does not lead, up to its maximum; at most `wins`
    lots (0: all). The price of a lot in `lower` is lowered where a turn allows nothing better.
    """

    most: dict[str, int]
    wins: int = 0
    lower: tuple[str, ...] = ()


class RunBest(Struct, frozen=True, tag="run"):
    """Run the best routes if they earn `least`; then pay, withhold or half (empty: the player decides)."""

    revenue: str = "pay"
    least: int = 0


class Stay(Struct, frozen=True, tag="stay"):
    """Pass this number of turns (in a company's turn: decisions), 0 until the plan ends. Ending a turn in which something has been
    bought counts for none.
    """

    turns: int = 0


class AutoReply(Struct, frozen=True, tag="answer"):
    """Answer what is offered or asked: always `agree`, or refuse; offers of a train, say, only from `least` on, and what
    costs money only up to `most`.

    `about` one of `QUESTIONS` answers that question to the table, and no other.
    """

    agree: bool
    least: int = 0
    about: str = ""
    most: int = 0


class Case(Struct, frozen=True, tag="case"):
    """`then` where all of `when` are so at the time the step is due, `other` (nothing if None) where not."""

    when: tuple[When, ...]
    then: Do | Buy | Bids | RunBest | Stay
    other: Do | Buy | Bids | RunBest | Stay | None = None


Step = Do | Buy | Bids | RunBest | Stay | AutoReply | Case


class Plan(Struct, frozen=True):
    """`turn` is a seat, a company, `OFFERS`, `IDLE`, or a question to the table; `steps` are those still to do.

    The plan ends with any of `wake`, and with the round (a company's: with its turn) unless `rounds` is "all"; `at` is the
    round it counts for, empty until it first acts. A company's plan for all rounds begins with the steps of `again` in
    each. `asks` are decisions left to the player: track, token, routes, trains. It spends at most
    `budget` (if not 0) of the player's own money, `spent` until now, and leaves them `keep`. `expires` (if not 0) is the
    moment after which it does not count any more, the end of the day `until` in its owner's time zone.
    """

    turn: str
    steps: tuple[Step, ...]
    wake: tuple[When, ...] = ()
    rounds: str = "this"
    at: str = ""
    again: tuple[Step, ...] = ()
    asks: tuple[str, ...] = ()
    budget: int = 0
    keep: int = 0
    spent: int = 0
    until: str = ""
    expires: float = 0.0

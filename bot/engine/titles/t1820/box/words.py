"""What the things in the box of 1820 are for, in plain words, and which cousins lead with whose bids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bot.engine.play.words import Lot, Words
from bot.engine.said import Text, said
from bot.engine.titles.t1820.auctions import least_bid
from bot.engine.titles.t1820.events import BidMade, Proposed
from bot.engine.titles.t1820.special import special

from .nouns import TRAINS

if TYPE_CHECKING:
    from bot.engine.play.game import Game


def lots(game: Game) -> Iterator[Lot]:
    """The cousins that nobody has, with the bid that leads (§6.3.2)."""
    bids = special(game).cousin_bids
    for cousin in game.state.privates.values():
        if cousin.owner is None and not cousin.closed:
            bid, least = bids.get(cousin.id), least_bid(game, cousin.id)
            yield Lot(cousin.id, least, bid.player, bid.amount) if bid else Lot(cousin.id, least)


def train(name: str) -> Text:
    """What a train counts (§15.3)."""
    if name == "FLOOD":
        return (
            "Counts every stop that track joins to one of the company's stations; ports count once for each off-board that "
            "is reached on its own (1820 §15.3.4)."
        )
    number = name.rstrip("D+")
    if name.endswith("D+"):
        return said(
            "Any number of stops; its towns, a port and the best {number} cities or off-boards "
            "are doubled (1820 §15.3.3).",
            number,
        )
    return said("Counts {number} cities and off-boards, any number of towns, a port at one end (1820 §15.3.1).", number)


WORDS = Words(
    privates={
        "": (
            "You pay what you bid; the rest of the printed price is the cousin's own money, for which it buys shares as you say. "
            "It gives its power to the public companies whose shares "
            "it holds; in the red phase it closes and you get half of what it has (1820 §14.1)."
        )
    },
    companies={
        "company": (
            "Floated by whoever has raised the money in a lobby: he chooses the number of shares, a price of the phase and "
            "one or two cities; 40% are bought at once. It pays for its trains' maintenance (1820 §6.6.2, §7.2.5)."
        ),
        "british rail": (
            "Comes when Queen Victoria dies: 100 shares at £95 in the pool. It has no director and owns no train (1820 §13.5)."
        ),
    },
    trains={name: train(name) for name in TRAINS},
    lots=lots,
    echoes=(BidMade, Proposed),
)

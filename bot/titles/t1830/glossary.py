"""What the things in the box of 1830 are for, in plain words."""

from __future__ import annotations

from bot.engine.message import Text, said
from bot.engine.play.glossary import Glossary
from bot.engine.state.events import BidMade

from .components import BALTIMORE, TRAINS
from .privates import AUCTION


def train(name: str) -> Text:
    """What a train counts."""
    if name == "D":
        return "Calls at as many stops as its way has, towns among them, and leaves none out (1830)."
    return said("Calls at {name} stops, towns among them, and leaves none out (1830).", name)


WORDS = Glossary(
    privates={
        "": (
            "Privates pay their owners at the beginning of every operating round. Nobody builds on the space of one that a "
            "player owns. Players buy them of each other after the first stock round, companies from the first 3-train on. "
            "They close with the first 5-train (1830)."
        )
    },
    companies={
        "corporation": (
            "Whoever buys the president's share, 20%, sets the price: $67 to $100. Once 60% have left the initial offering it "
            "is launched with ten times that (1830)."
        ),
        BALTIMORE: (
            "Its president's share, 20%, comes with BO, whose buyer sets the price: $67 to $100. Once 60% have left the "
            "initial offering it is launched with ten times that (1830)."
        ),
    },
    trains={name: train(name) for name in TRAINS},
    steps={
        "lay track": ("One tile a turn, laid or upgraded. A company that earns nothing falls in price (1830)."),
        "buy or bid for a private": (
            "The first one that is left is bought at its price; a bid for a later one waits until it is the first. When all pass in a row "
            "the very first becomes $5 cheaper; with later ones the privates pay their incomes (1830)."
        ),
    },
    lots=AUCTION.lots,
    echoes=(BidMade,),
)

"""The purpose of the components of 1830, in plain words."""

from __future__ import annotations

from bot.engine import Text, msg
from bot.engine.play.glossary import Glossary
from bot.engine.state import BidMade

from .components import BALTIMORE, TRAINS
from .privates import AUCTION


def describe_train(name: str) -> Text:
    if name == "D":
        return "Visits any number of stops, including towns, and cannot skip any (1830)."
    return msg("Visits {number} stops, including towns, and cannot skip any (1830).", name)


WORDS = Glossary(
    privates={
        "": (
            "Privates pay their owners at the beginning of every operating round. A private owned by a player "
            "blocks its hex. Players may buy privates from each other after the first stock round, companies once "
            "the first 3-train is bought. They close with the first 5-train (1830)."
        )
    },
    companies={
        "corporation": (
            "The buyer of the president's certificate (20%) sets the par price: $67 to $100. The company floats "
            "with ten times that once 60% is sold from the initial offering (1830)."
        ),
        BALTIMORE: (
            "The president's certificate (20%) comes with BO, whose buyer sets the par price: $67 to $100. The "
            "company floats with ten times that once 60% is sold from the initial offering (1830)."
        ),
    },
    trains={name: describe_train(name) for name in TRAINS},
    steps={
        "lay track": ("One tile lay or upgrade per turn. The share price of a company without earnings falls (1830)."),
        "buy or bid for a private": (
            "Buy the first remaining private at its price; bids on later privates wait until they are first. When "
            "all pass in a row, the very first private gets $5 cheaper; later, the privates pay their incomes "
            "(1830)."
        ),
    },
    lots=AUCTION.lots,
    echoes=(BidMade,),
)

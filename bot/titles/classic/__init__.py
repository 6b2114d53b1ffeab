"""The family of 1830: its rules, told by values in which its titles differ.

A title gives a `Classic` its box and its values, and `build_title` makes the whole title of it; a title replaces any
part that the values do not cover. Titles of the family do not import each other.
"""

from .box import box_privates, corporation, private
from .family import Classic, GameEnd, MayLay, TileOfTurn, TurnOrder, classic
from .powers import (
    Discount,
    ExchangeFor,
    Income,
    Lay,
    LayBy,
    LayPair,
    Presidency,
    RevenueMarker,
    RouteBonus,
    Share,
    Stays,
    TokenHelp,
    TokenPlace,
    TrainDiscount,
)
from .privates import company_brought
from .runs import Towns, TrainRun
from .title import build_title

__all__ = [
    "Classic",
    "Discount",
    "ExchangeFor",
    "GameEnd",
    "Income",
    "Lay",
    "LayBy",
    "LayPair",
    "MayLay",
    "Presidency",
    "RevenueMarker",
    "RouteBonus",
    "Share",
    "Stays",
    "TileOfTurn",
    "TokenHelp",
    "TokenPlace",
    "Towns",
    "TrainDiscount",
    "TrainRun",
    "TurnOrder",
    "box_privates",
    "build_title",
    "classic",
    "company_brought",
    "corporation",
    "private",
]

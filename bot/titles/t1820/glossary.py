"""The purpose of the components of 1820, in plain words, and which cousins lead with whose bids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bot.engine import CompanyId, Text, msg
from bot.engine.play.glossary import AuctionLot, Glossary
from bot.engine.state import TrainExported

from .auctions import least_bid
from .components import BRITISH_RAIL, TRAINS
from .events import ChartMoved, LotBidMade, Proposed
from .state import title_state

if TYPE_CHECKING:
    from bot.engine.play import Game


def lots(game: Game) -> Iterator[AuctionLot]:
    """The unowned cousins with the highest bid (§6.3.2)."""
    bids = title_state(game).cousin_bids
    for cousin in game.state.privates.values():
        if cousin.owner is None and not cousin.closed:
            bid, least = bids.get(cousin.id), least_bid(game, cousin.id)
            yield AuctionLot(cousin.id, least, bid.player, bid.amount) if bid else AuctionLot(cousin.id, least)


def start_text(game: Game, company: CompanyId) -> Text:
    """For British Rail (§10.8)."""
    return "when Queen Victoria dies" if company == BRITISH_RAIL and not title_state(game).is_victoria_dead else ""


def describe_train(name: str) -> Text:
    """§15.3"""
    if name == "FLOOD":
        return (
            "Counts every stop that track joins to one of the company's stations; ports count once for each off-board that "
            "is reached on its own (1820 §15.3.4)."
        )
    number = name.rstrip("D+")
    if name.endswith("D+"):
        return msg(
            "Any number of stops; its towns, a port and the best {number} cities or off-boards "
            "are doubled (1820 §15.3.3).",
            number,
        )
    return msg("Counts {number} cities and off-boards, any number of towns, a port at one end (1820 §15.3.1).", number)


NEGLECT = (
    "The director may add what the treasury lacks; this moves the price down one space. A company that does not "
    "pay goes into liquidation; a private company closes (1820 §7.2.5, §7.2.8, §15.1)."
)

SEVERAL = {
    "{private} {name} leaves the game.": "{every_private} leave the game.",
    "British Rail replaces a station of {company} on {hex}.": "British Rail replaces the stations of {company} on {every_hex}.",
}

WORDS = Glossary(
    privates={
        "": (
            "You pay what you bid; the rest of the printed price is the cousin's own money, for which it buys shares as you say. "
            "It gives its power to the public companies whose shares "
            "it holds; in the red phase it closes and you get half of what it has (1820 §14.1)."
        )
    },
    companies={
        "company": (
            "A player who has funded a lobby floats it and chooses the number of shares, a price of the phase and "
            "one or two cities; 40% must be bought immediately. It pays maintenance for its trains (1820 §6.6.2, "
            "§7.2.5)."
        ),
        "british rail": (
            "Comes when Queen Victoria dies, after the first operating round that begins in the brown phase: 100 shares at £95 in the pool. It has no director and owns no train (1820 §10.8, §13.5)."
        ),
    },
    trains={name: describe_train(name) for name in TRAINS},
    steps={
        "build track": (
            "Two tiles a turn on different hexes; private companies lay four after the yellow phase. The share "
            "price of a company without earnings falls (1820 §7.2.1, §7.2.4)."
        ),
        "bid for a cousin": (
            "Bids can stand on at most three cousins: a bid on a fourth returns the lowest. When all pass in a "
            "row, standing bids are paid (1820 §6.3)."
        ),
        "pay for cousins": (
            "Whether you pay less or more, the cousin gets the difference from its printed price (1820 §6.3.3)."
        ),
        "buy a cousin": (
            "From the lowest winning bid on; the cousin gets the difference from its printed price, be it less or more (1820 §6.3.3)."
        ),
        "bid": (
            "A player keeps a future train until trains of its kind are for sale, then gives it to a company. The "
            "winner takes one or all of them at the winning bid; trains from the first stock round are paid from "
            "the next income (1820 §6.4)."
        ),
        "act in the stock round": (
            "Companies begin with lobbies: you fund one with a sum that no other lobby has, or raise one, and the money is spent. When all pass in a row, each owner floats a company, the highest lobby first; then all act once more, without lobbies (1820 §6.5, §6.6)."
        ),
        "pay maintenance or neglect it": NEGLECT,
        "pay interest or neglect it": NEGLECT,
        "float a company": (
            "You choose the company, its number of shares, a price, one or two cities (two cost £80 per edge "
            "between them) and who takes how many shares, at least 40%; other buyers must agree. If a city has no "
            "circle yet, name a tile: B6=5/4 lays tile 5 on B6, rotated by 4. If you pass, the lobby is lost (1820 "
            "§6.6.2)."
        ),
        "offer a company for takeover": (
            "The bank immediately bids on a company you offer: half its price for each share in play (after "
            "Victoria's death the full price). The director must accept, so without a higher bid the company is "
            "lost (1820 §8.4)."
        ),
    },
    lots=lots,
    starts=start_text,
    echoes=(LotBidMade, Proposed),
    by_itself=(ChartMoved, TrainExported),
    several=SEVERAL,
    terms=(
        "cousin: a relative of a player, bought by auction, who has money, buys shares as the player says, and gives a power to "
        "the companies whose shares they hold.",
        "lobby: a sum that a player spends for the right to float a company. No two lobbies are of the same sum; the highest "
        "is resolved first.",
        "future train: a train that a player buys by auction in a stock round, and gives to a company when trains of its kind "
        "are for sale.",
        "maintenance: the sum that a company pays for its trains in each of its turns.",
        "liquidation: the end of a company that does not pay what it must.",
    ),
)

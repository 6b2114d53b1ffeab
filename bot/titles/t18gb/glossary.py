"""The purpose of the components of 18GB, in plain words, and which privates lead with whose bids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bot.engine import CompanyId, Text, msg
from bot.engine.play.glossary import AuctionLot, Glossary
from bot.engine.play.steps import unsold_privates
from bot.engine.state import BidMade

from .auction import lowest_bid
from .companies import SolvencyChanged
from .components import LNWR, LONDON_AND_BIRMINGHAM, TRAINS
from .interpretations import interpretation_flags
from .state import lnwr_keeper, title_state

if TYPE_CHECKING:
    from bot.engine.play import Game


def lots(game: Game) -> Iterator[AuctionLot]:
    for private in unsold_privates(game):
        bid = title_state(game).bids.get(private.id)
        price = lowest_bid(game, private.id)
        yield AuctionLot(private.id, price, bid.player, bid.price) if bid else AuctionLot(private.id, price)


def start_text(game: Game, company: CompanyId) -> Text:
    """For a second-tier company, and for a company reserved for the owner of a private."""
    if game.company(company).par is not None:
        return ""
    keeper = lnwr_keeper(game)
    if company == LNWR and keeper is not None:
        return msg("only by {player}, who owns {private}", game.state.name(keeper), LONDON_AND_BIRMINGHAM)
    waits = company in title_state(game).second_tier and game.state.round.number <= 1
    return (
        "from the second stock round on" if waits and not interpretation_flags(game).starts_second_tier_at_once else ""
    )


def describe_train(name: str) -> Text:
    if name.endswith("X"):
        return msg(
            "Counts {number} cities and off-board areas, no towns, and £10 for every hex between its ends (18GB "
            "trains).",
            name[0],
        )
    cities, towns = name.split("+")
    return msg(
        "Visits {stops} stops, at most {cities} of them cities or off-board areas (18GB trains).",
        int(cities) + int(towns),
        cities,
    )


SEVERAL = {
    "{company} becomes a 10-share company.": "{every_company} become 10-share companies.",
    "{company} never floated and leaves the game with {train}; its home token remains.": (
        "{every_company} never floated and leave the game with a train each; their home tokens remain."
    ),
}

WORDS = Glossary(
    privates={
        "": (
            "Privates stay with their players, pay them at the beginning of every operating round and block a hex. "
            "After the first stock round, a player may close a private: it pays once more and its power may be "
            "used (18GB private companies)."
        )
    },
    companies={
        "corporation": (
            "The buyer of the president's share (40%) sets the par price: £70 to £100. The company has five shares "
            "and floats with five times its price once 40% is bought, from the green phase on 60%; later it may "
            "convert to ten shares (18GB stock rounds)."
        )
    },
    trains={name: describe_train(name) for name in TRAINS},
    steps={
        "lay track or place a token": (
            "Two tiles per turn, laid or upgraded, at most one of them a city, and a token. The share price of a "
            "company without earnings falls (18GB track, 18GB dividends)."
        ),
        "bid for a private": (
            "Bids stand on all privates at the same time. You may pass once you lead often enough, or when every "
            "private has a bid; when all pass in a row the highest bids win, and privates without a bid get £10 "
            "cheaper (18GB auction)."
        ),
    },
    lots=lots,
    starts=start_text,
    echoes=(BidMade,),
    by_itself=(SolvencyChanged,),
    several=SEVERAL,
    terms=(
        "insolvent: a company without a train at the end of its turn. It leases the bank's cheapest train, withholds its "
        "revenue and builds nothing until it owns a train.",
        "conversion: a company of five shares becomes a company of ten.",
        "receivership: the state of a company without a president. It runs automatically, withholds what it earns and buys "
        "the most expensive train that it can pay for.",
    ),
)

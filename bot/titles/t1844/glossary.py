"""The purpose of the components of 1844, in plain words, and the lots of its auctions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bot.engine import BANK, CompanyId, Text, msg
from bot.engine.play.glossary import AuctionLot, Glossary
from bot.engine.state import BidMade

from .auction import lowest_bid
from .components import (
    FNM,
    HISTORICAL,
    MOUNTAINS,
    NATIONAL,
    PRE_SBB,
    PRINTED_PRIVATES,
    REGIONAL,
    SBB,
    SBB_TRAIN,
    TRAINS,
    TUNNELS,
)
from .state import title_state

if TYPE_CHECKING:
    from bot.engine.play import Game


def lots(game: Game) -> Iterator[AuctionLot]:
    """The private being auctioned, those after it; then the bank's mountain railways and tunnels (§IV)."""
    record = title_state(game)
    if record.auctioned is None:
        left = (private for private in game.state.privates.values() if private.owner == BANK and not private.closed)
        later = "in share rounds" if game.state.round.kind == "operating" else ""
        yield from (AuctionLot(private.id, private.price, later=later) for private in left)
        return
    yield AuctionLot(record.auctioned, lowest_bid(game, record.auctioned), record.bidder, record.high)
    for sign in PRINTED_PRIVATES:
        if game.private(sign).owner is None and sign != record.auctioned:
            yield AuctionLot(sign, game.private(sign).price, later=msg("after {auctioned}", record.auctioned))
    for sign in (*MOUNTAINS, *TUNNELS):
        if game.private(sign).owner == BANK:
            yield AuctionLot(sign, game.private(sign).price, later="in share rounds")


def start_text(game: Game, company: CompanyId) -> Text:
    """For the SBB (§XII)."""
    is_to_come = company == SBB and not game.company(company).floated
    return "with the first 5/5H train" if is_to_come else ""


def describe_train(name: str) -> Text:
    """§XVII"""
    if name == SBB_TRAIN:
        return "The SBB starts with this train: five hexes, including the first; it is never traded (1844 §XII)."
    if name.endswith("E"):
        return msg(
            "Counts {number} cities and may skip others; a city with the company's token must count (1844 §XVII).",
            name[0],
        )
    if name.endswith("H"):
        return msg("Visits {number} hexes, including the first, but no off-board areas (1844 §XVII).", name[0])
    return msg("Visits {number} cities at any distance and cannot skip any (1844 §XVII).", name)


SEVERAL = {"{player} owes the bank {amount} more.": "{player} owes the bank {every_amount} more."}

WORDS = Glossary(
    privates={
        "P": (
            "P1 to P7 are auctioned one after the other. They pay their owners at the beginning of every operating round; from "
            "the green phase on large and regional companies may buy P1 to P5 from their own directors. They close with the "
            "first 5/5H train (1844 §V)."
        ),
        "B": (
            "Buy it from the bank in a share round instead of a share, once per round; place it on a free mountain "
            "immediately (1844 §VI)."
        ),
        "T": (
            "Buy it from the bank in a share round instead of a share, once per round; companies its owner directs "
            "build the tunnel (1844 §VII)."
        ),
    },
    companies={
        FNM: (
            "Its director's certificate, 20%, comes with P6. Ten shares; once half are bought it floats with five "
            "times its price, and gets as much again at its target; the higher its par price, the more tokens "
            "(1844 §V, §VIII, §IX, §XVI)."
        ),
        PRE_SBB: (
            "Four shares, two with the director. Once half are bought it floats with twice its price, and gets as "
            "much again at its target. It need not own a train, and becomes part of the SBB with the first 5/5H "
            "train (1844 §VIII, §XI)."
        ),
        REGIONAL: (
            "Five shares, two with the director. Once 60% are bought it floats with five times its price; it can "
            "own only H-trains, two at most (1844 §VIII, §X)."
        ),
        HISTORICAL: (
            "Ten shares, two with the director. Once half are bought it floats with five times its price, and gets "
            "as much again at its target; the higher its par price, the more tokens (1844 §VIII, §IX, §XVI)."
        ),
        NATIONAL: (
            "Formed from the five pre-SBB companies at the end of the operating round in which the first 5/5H train is sold (1844 §XII)."
        ),
    },
    trains={name: describe_train(name) for name in TRAINS},
    steps={
        "lay track": (
            "One tile lay or upgrade per turn; tunnels and the tile of P2 are extra. The share price of a company "
            "without earnings falls (1844 §XIV, §XIX)."
        ),
        "bid for a private": (
            "A player who passes is out of this auction; the highest bid wins. If nobody bids for P1, it gets sfr "
            "5 cheaper; for a later private, the sold privates pay their owners. Then the bidding starts again "
            "(1844 §IV)."
        ),
    },
    lots=lots,
    starts=start_text,
    echoes=(BidMade,),
    several=SEVERAL,
    terms=(
        "pre-SBB company: one of five small companies, of four shares. With the first 5/5H train they become the SBB.",
        "historical company: a company of ten shares, which gets the other half of its money when it reaches its target.",
        "regional company: a company of five shares, which owns only H-trains, two at most.",
        "target: the place that a company must reach with its track to get the other half of its money.",
        "mountain railway: it is bought from the bank in a share round, is placed on a mountain, and pays its owner after the "
        "first visit of a train.",
        "tunnel: it is bought from the bank in a share round; companies that its owner directs build it under a hex.",
        "EVA: the 5H-train of the Lokfabrik Oerlikon (P7), which its owner gives to a company.",
        "H-train: a train that counts hexes, not stops.",
    ),
)

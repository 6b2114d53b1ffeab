"""The purpose of the components, in plain words, and what may be auctioned when."""

from __future__ import annotations

from collections.abc import Iterator

from bot.engine import CompanyId, Text, msg
from bot.engine.play import Game
from bot.engine.play.glossary import AuctionLot, Glossary
from bot.engine.play.holdings import has_phase_begun
from bot.engine.play.steps import MergerProposed, unsold_privates, unstarted_companies
from bot.engine.state import BidMade

from .auction import least_bid, lots
from .components import MINOR_MINIMUM, TRAIN_CARDS
from .family import Merging, is_to_come, kind_of
from .state import title_state


def glossary_lots(game: Game) -> Iterator[AuctionLot]:
    """The lot being auctioned, then privates or minors in order."""
    lot = title_state(game).lot
    if lot is not None:
        yield AuctionLot(lot.lot, least_bid(lot), lot.bidder, lot.price if lot.bidder else 0)
    waiting = [one for one in unsold_privates(game) if lot is None or one.id != lot.lot]
    yield from (AuctionLot(one.id, one.price, later="later, in this order") for one in waiting)
    open_lots = {} if lot is not None else lots(game)
    for minor in unstarted_companies(game, "minor"):
        if lot is None or lot.lot != minor:
            later = "from phase 3 on" if is_to_come(game, minor) else "" if minor in open_lots else "in a stock round"
            yield AuctionLot(minor, MINOR_MINIMUM, later=later)


def start_text(game: Game, company: CompanyId) -> Text:
    """For a major that cannot begin yet."""
    if kind_of(game, company) != "major" or game.company(company).position is not None or has_phase_begun(game, "4"):
        return ""
    return (
        "from phase 4 on"
        if has_phase_begun(game, "3")
        else "of minors from phase 3 on, in stock rounds from phase 4 on"
    )


def describe_train(title: str, name: str) -> Text:
    if name == "5+5E":
        return msg(
            "Counts up to five stops, including all red areas on its route and one with a token of the company, all doubled ({title}).",
            title,
        )
    cities = msg("Counts all cities and red areas on its route, at most {number}; towns if there is room", name[0])
    if "+" in name:
        return msg("{cities}. Everything it earns is doubled ({title}).", cities, title)
    return msg("{cities} ({title}).", cities, title)


def build_glossary(values: Merging) -> Glossary:
    title, money = values.id, f"{values.currency}{{}}".format
    takes_over = (
        "It takes over companies that cannot pay interest or have no train, and may replace their tokens with its own. It operates last in phases 4 to 7, keeps what it earns and buys trains ({title})."
        if values.operates
        else "It takes over companies that cannot pay interest or have no train, and may replace their tokens with its own. It never operates ({title})."
    )
    return Glossary(
        privates={
            "": msg(
                "Privates pay their owners at the beginning of every operating round. In phases 3 to 5 companies may buy "
                "them for up to their price. With the first 6-train the national railway takes them for their price ({title}).",
                title,
            )
        },
        companies={
            "minor": msg(
                "Sold by auction from {least}: the bid is its treasury, half of it its price. One player owns all of it and "
                "gets half of what it earns. From phase 3 on minors merge or convert to majors; in phase 8 the rest of them is "
                "taken over ({title}).",
                money(MINOR_MINIMUM),
                title,
            ),
            "major": msg(
                "Formed from minors from phase 3 on; from phase 4 on also started by buying the president's certificate, 20%. The money for its shares goes into its treasury ({title}).",
                title,
            ),
            "national": msg(takes_over, title),
        },
        trains={name: describe_train(title, name) for name in TRAIN_CARDS},
        steps={
            "bid for the private": msg(
                "A pass before the first bid lets the others bid first; later it is final. When all pass, the price falls by {amount}, and the first player to bid gets it ({title}).",
                money(5),
                title,
            ),
            "offer a minor for auction": msg(
                "Instead of buying a share you may offer a minor: your bid opens its auction ({title}).", title
            ),
            "raise the bid": msg("A player who passes is out of this auction ({title}).", title),
            "lay track": msg(
                "Two tiles per turn on different hexes, the second for {amount}, at most one of them an upgrade. Loans are "
                "taken automatically. The share price of a company without earnings falls ({title}).",
                money(20),
                title,
            ),
            "convert or merge": msg(
                "A minor at a marked price becomes a major; or it merges with minors that it reaches, if their owners agree "
                "({title}).",
                title,
            ),
        },
        lots=glossary_lots,
        starts=start_text,
        echoes=(BidMade, MergerProposed),
        terms=(
            "minor: a small company that one player owns wholly. It pays half of what it earns, and becomes part of a major "
            "from phase 3 on.",
            "major: a company of ten shares, formed from minors, or started in a stock round from phase 4 on.",
            "merger round: after an operating round in phases 3 to 7, minors convert to majors or merge.",
            "national railway: it takes over companies that cannot pay interest or have no train.",
            "interest: what a company pays for its loans in each of its turns, automatically.",
        ),
    )

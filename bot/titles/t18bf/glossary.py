"""The purpose of the components of 18BF, in plain words, and what may be auctioned when."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bot.engine import CompanyId, Owner, Text, msg
from bot.engine.play.glossary import AuctionLot, Glossary
from bot.engine.play.holdings import has_phase_begun
from bot.engine.play.steps import MergerProposed, unstarted_companies
from bot.engine.state import BidMade

from .auction import is_unsold, lots, next_railway_private
from .components import BID_STEP, MINOR_MINIMUM, RAILWAY_PRIVATES, TRAINS
from .state import kind_of, title_state

if TYPE_CHECKING:
    from bot.engine.play import Game


def glossary_lots(game: Game) -> Iterator[AuctionLot]:
    """Lots being auctioned, lots available now, and lots that come later (§7.1, §7.2, §9.2, §9.4)."""
    record, now = title_state(game).lot, lots(game)
    if record is not None:
        yield AuctionLot(record.lot, record.price + BID_STEP, record.bidder, record.price)
    later = msg("after {lot}", record.lot) if record else ""
    yield from (
        AuctionLot(sign, price, later=later) for sign, price in now.items() if record is None or sign != record.lot
    )
    for sign, price, when in upcoming_lots(game):
        if sign not in now and (record is None or sign != record.lot):
            yield AuctionLot(sign, price, later=when)


def upcoming_lots(game: Game) -> Iterator[tuple[Owner, int, Text]]:
    """All unsold lots: id, minimum bid, when it comes."""
    railway = next_railway_private(game)
    first = "when all private railways are sold"
    for private in game.state.privates.values():
        if is_unsold(private):
            phase = game.title.privates[private.id].available_from
            behind = msg("after {railway}", railway or "") if private.id in RAILWAY_PRIVATES else first
            yield private.id, private.price, msg("from phase {phase} on", phase) if phase else behind
    waiting = unstarted_companies(game, "minor")
    for batch, when in zip(
        title_state(game).batches, (first, "from the second stock round on", "from phase 3 on"), strict=True
    ):
        yield from ((minor, MINOR_MINIMUM, when) for minor in batch if minor in waiting)


def start_text(game: Game, company: CompanyId) -> Text:
    """For a public company or system that cannot start yet (§7.3, §7.4)."""
    kind, record = kind_of(company), game.company(company)
    if record.closed or record.position is not None:
        return ""
    if kind == "system":
        return "" if has_phase_begun(game, "6") else "from phase 6 on"
    if kind == "public" and not has_phase_begun(game, "4"):
        return (
            "from phase 4 on"
            if has_phase_begun(game, "3")
            else "in a merger from phase 3 on, by its director's share from phase 4 on"
        )
    return ""


def describe_train(name: str) -> Text:
    """§10.6"""
    if name == "5+5E":
        return (
            "Counts any five cities on its route, all doubled. Only systems may own it, one each (18BF §10.6, §10.10)."
        )
    if name.endswith("G"):
        return msg(
            "Runs no route: it counts {name} cities with the company's tokens, and the mine: £50, "
            "from phase 7 on £60 (18BF §10.6).",
            name[0],
        )
    cities = msg("Counts {number} cities and red areas; it may skip small cities but not large cities", name[0])
    return (
        msg("{cities}. Everything it earns is doubled (18BF §10.6).", cities)
        if "+" in name
        else msg("{cities} (18BF §10.6).", cities)
    )


SEVERAL = {
    "{owner} pays £{money} and gets {shares} of {company}.": "{every_owner} each pay £{money} and get {shares} of {company}.",
    "{owner} is paid £{money} and gets {shares} of {company}.": (
        "{every_owner} are each paid £{money} and get {shares} of {company}."
    ),
}

WORDS = Glossary(
    privates={
        "": (
            "Private railways are auctioned first, in order; then ferries and minors, from phase 5 and 7 on the undergrounds. "
            "They pay their owners at the beginning of every operating round; ferries pay more in phases 3, 5 and 7. From phase "
            "3 on companies may buy them for up to their face value; private railways close in phase 8 (18BF §7.1)."
        )
    },
    companies={
        "minor": (
            "Sold by auction from £100: the bid is its treasury, half of it its price. One player owns all of it and gets "
            "half of what it earns. From phase 3 on minors merge or convert to public companies (18BF §7.2, §9.2, §10.7)."
        ),
        "public": (
            "Formed from minors in a merger round, from phase 3 on; from phase 4 on also started by buying the director's share, 20% (18BF §7.3, §9.3, §12)."
        ),
        "system": "Formed from one to four public companies in a merger round, from phase 6 on; 20 shares (18BF §7.4, §12.6).",
    },
    trains={name: describe_train(name) for name in TRAINS},
    steps={
        "lay track": (
            "Two tiles per turn in different hexes, the second for £20, at most one of them an upgrade; systems "
            "lay three. The share price of a company without earnings falls (18BF §10.4, §10.7)."
        ),
        "offer a lot for auction": (
            "Instead of buying a share you may offer a lot: your bid opens its auction. While private railways are "
            "left, only the next can be offered; when all pass it gets £5 cheaper (18BF §9.2, §9.4)."
        ),
        "raise the bid": ("A player who passes is out of this auction (18BF §9.2)."),
        "convert, merge or join": (
            "A minor becomes a public company, with or without another minor, or joins an existing public company; "
            "directors of other companies must agree (18BF §12.1)."
        ),
    },
    lots=glossary_lots,
    starts=start_text,
    echoes=(BidMade, MergerProposed),
    several=SEVERAL,
    terms=(
        "minor: a small company that one player owns wholly. It pays half of what it earns, and becomes part of a public "
        "company from phase 3 on.",
        "public company: a company of shares, formed from minors in a merger round, or started in a stock round from phase 4 on.",
        "system: a company of 20 shares, formed from one to four public companies from phase 6 on.",
        "merger round: after operating rounds, minors and companies convert, merge or join; directors of the others must agree.",
        "ferry: a private company, which pays more in later phases and serves a red area.",
        "underground: a private company that is on offer from phase 5 or 7 on.",
        "red area: an off-board area.",
    ),
)

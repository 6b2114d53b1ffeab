"""Events of 18BF alone, and their sentences."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.data.events import Event, SharesBought
from bot.engine.ids import IPO, CompanyId, HexId, Owner, PlayerId, PrivateId
from bot.engine.play.game import Game
from bot.engine.said import Said, Sentence, Text, said, together


class LotWon(Event, frozen=True, tag=True):
    """An auction is over (§9.2)."""

    by: PlayerId
    lot: Owner
    price: int


class MinimumReduced(Event, frozen=True, tag=True):
    """Everybody passed in the first stock round: the next private becomes cheaper (§9.4)."""

    private: PrivateId
    price: int


class CompanyClosed(Event, frozen=True, tag=True):
    """A company closed without compensation (§11)."""

    company: CompanyId


class LoansTaken(Event, frozen=True, tag=True):
    """A company took loans of £50 less £5 interest each (§10.2)."""

    company: CompanyId
    number: int
    why: Text


class LoansRepaid(Event, frozen=True, tag=True):
    """A company redeemed loans (§10.9)."""

    company: CompanyId
    number: int


class InterestFailed(Event, frozen=True, tag=True):
    """A company could not pay all of its interest (§10.8)."""

    company: CompanyId
    owed: int
    paid: int


class SharesRedeemed(Event, frozen=True, tag=True):
    """A company bought own shares back from the pool (§10.3)."""

    company: CompanyId
    shares: int
    price: int


class FerryAssigned(Event, frozen=True, tag=True):
    """An Irish Sea ferry serves an area of Ireland this round (§10.6)."""

    company: CompanyId
    private: PrivateId
    hex: HexId


class MergerProposed(Event, frozen=True, tag=True):
    """Directors are asked whether their companies merge (§12.1)."""

    by: PlayerId
    members: tuple[CompanyId, ...]
    company: CompanyId


class MergerRefused(Event, frozen=True, tag=True):
    """A director did not agree (§12.1)."""

    by: PlayerId
    company: CompanyId


class CompanyFormed(Event, frozen=True, tag=True):
    """Companies became a public company or a system (§12.4, §12.6)."""

    company: CompanyId
    members: tuple[CompanyId, ...]
    price: int


class MergerUndone(Event, frozen=True, tag=True):
    """Nobody holds the director's certificate: everything is as before (§12.3, §12.4)."""

    company: CompanyId
    needed: int


class MinorTakenOver(Event, frozen=True, tag=True):
    """A public company took a minor over for a share (§12.5)."""

    minor: CompanyId
    company: CompanyId


class SharesTraded(Event, frozen=True, tag=True):
    """What was left of an exchange was traded up (money is negative) or down (§12.6)."""

    owner: Owner
    company: CompanyId
    shares: int
    money: int


def _merged(game: Game, event: MergerProposed) -> Said:
    many = "{by} proposes that {members} become {company}."
    template = many if len(event.members) > 1 else "{by} proposes that {members} becomes {company}."
    return said(template, event.by, together(event.members), event.company)


def _formed(game: Game, event: CompanyFormed) -> Said:
    many = "{members} form {company} at £{price}."
    template = many if len(event.members) > 1 else "{members} becomes {company} at £{price}."
    return said(template, together(event.members), event.company, event.price)


def _traded(game: Game, event: SharesTraded) -> Said:
    shares = said("no further share")
    if event.shares:
        shares = said("{number} more shares" if event.shares != 1 else "{number} more share", event.shares)
    pays = "{owner} pays £{money} and gets {shares} of {company}."
    template = pays if event.money < 0 else "{owner} is paid £{money} and gets {shares} of {company}."
    return said(template, event.owner, abs(event.money), shares, event.company)


def _bought(game: Game, event: SharesBought) -> Said:
    source = said("{company}'s treasury", event.company) if event.source == IPO else said("the pool")
    template = "{by} buys {percent}% of {company} from {source} for £{price}."
    return said(template, event.by, event.percent, event.company, source, event.price)


def _loans(number: int) -> Said:
    return said("{number} loans" if number != 1 else "{number} loan", number)


SENTENCES: Mapping[type[Event], Sentence] = {
    LotWon: "{by} wins {lot} for £{price}.",
    MinimumReduced: "Everybody passed: bids for {private} now begin at £{price}.",
    CompanyClosed: "{company} closes without compensation.",
    LoansTaken: lambda game, e: said(
        "{company} takes {loans} for {why}: £{amount}.", e.company, _loans(e.number), said(e.why), e.number * 45
    ),
    LoansRepaid: lambda game, e: said("{company} redeems {loans}.", e.company, _loans(e.number)),
    InterestFailed: "{company} owes £{owed} interest and pays only £{paid}.",
    SharesRedeemed: "{company} redeems {shares} of its shares for £{price}.",
    FerryAssigned: lambda game, e: said(
        "{company} assigns {private} to {name}.", e.company, e.private, game.title.land.map.hexes[e.hex].name
    ),
    MergerProposed: _merged,
    MergerRefused: "{by} does not agree; {company} is not formed.",
    CompanyFormed: _formed,
    MergerUndone: "Nobody holds {needed} shares of {company}: the merger is undone.",
    MinorTakenOver: "{company} takes {minor} over for a share.",
    SharesTraded: _traded,
    SharesBought: _bought,
}

"""Events of 18BF alone, and their sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.engine.data.events import Event, SharesBought
from bot.engine.ids import IPO, CompanyId, HexId, Owner, PlayerId, PrivateId
from bot.engine.play.game import Game
from bot.engine.words.narration import listed, name


class BidMade(Event, frozen=True, tag=True):
    """A player bid for a lot (§9.2)."""

    by: PlayerId
    lot: Owner
    price: int


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
    why: str


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


def _merged(game: Game, event: MergerProposed) -> str:
    members = listed(event.members)
    verb = "become" if len(event.members) > 1 else "becomes"
    return f"{name(game, event.by)} proposes that {members} {verb} {event.company}."


def _formed(game: Game, event: CompanyFormed) -> str:
    verb = "form" if len(event.members) > 1 else "becomes"
    return f"{listed(event.members)} {verb} {event.company} at £{event.price}."


def _traded(game: Game, event: SharesTraded) -> str:
    shares = f"{event.shares} more share{'s' if event.shares != 1 else ''}" if event.shares else "no further share"
    verb = f"pays £{-event.money}" if event.money < 0 else f"is paid £{event.money}"
    return f"{name(game, event.owner)} {verb} and gets {shares} of {event.company}."


def _bought(game: Game, event: SharesBought) -> str:
    source = f"{event.company}'s treasury" if event.source == IPO else "the pool"
    return f"{name(game, event.by)} buys {event.percent}% of {event.company} from {source} for £{event.price}."


def _loans(number: int) -> str:
    return f"{number} loan{'s' if number != 1 else ''}"


SENTENCES: Mapping[type[Event], Callable[[Game, Any], str]] = {
    BidMade: lambda game, e: f"{name(game, e.by)} bids £{e.price} for {e.lot}.",
    LotWon: lambda game, e: f"{name(game, e.by)} wins {e.lot} for £{e.price}.",
    MinimumReduced: lambda game, e: f"Everybody passed: bids for {e.private} now begin at £{e.price}.",
    CompanyClosed: lambda game, e: f"{e.company} closes without compensation.",
    LoansTaken: lambda game, e: f"{e.company} takes {_loans(e.number)} for {e.why}: £{e.number * 45}.",
    LoansRepaid: lambda game, e: f"{e.company} redeems {_loans(e.number)}.",
    InterestFailed: lambda game, e: f"{e.company} owes £{e.owed} interest and pays only £{e.paid}.",
    SharesRedeemed: lambda game, e: f"{e.company} redeems {e.shares} of its shares for £{e.price}.",
    FerryAssigned: lambda game, e: f"{e.company} assigns {e.private} to {game.title.land.map.hexes[e.hex].name}.",
    MergerProposed: _merged,
    MergerRefused: lambda game, e: f"{name(game, e.by)} does not agree; {e.company} is not formed.",
    CompanyFormed: _formed,
    MergerUndone: lambda game, e: f"Nobody holds {e.needed} shares of {e.company}: the merger is undone.",
    MinorTakenOver: lambda game, e: f"{e.company} takes {e.minor} over for a share.",
    SharesTraded: _traded,
    SharesBought: _bought,
}

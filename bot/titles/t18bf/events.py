"""Events that only 18BF has, and their sentences."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine import POOL, CompanyId, Message, Owner, PlayerId, Sentence, join_and, msg
from bot.engine.notation import format_treasury_purchase
from bot.engine.play import Game
from bot.engine.state import Event, SharesBought


class CompanyClosed(Event, frozen=True, tag="CompanyClosed"):
    """A company closed without compensation (§11)."""

    company: CompanyId


class MergerProposed(Event, frozen=True, tag="MergerProposed"):
    """Directors are asked whether their companies merge (§12.1)."""

    by: PlayerId
    members: tuple[CompanyId, ...]
    company: CompanyId


class CompanyFormed(Event, frozen=True, tag="CompanyFormed"):
    """Companies became a public company or a system (§12.4, §12.6)."""

    company: CompanyId
    members: tuple[CompanyId, ...]
    price: int


class MinorTakenOver(Event, frozen=True, tag="MinorTakenOver"):
    """A public company took a minor over for a share (§12.5)."""

    minor: CompanyId
    company: CompanyId


class SharesTraded(Event, frozen=True, tag="SharesTraded"):
    """The remainder of an exchange was traded up (money is negative) or down (§12.6)."""

    owner: Owner
    company: CompanyId
    shares: int
    money: int


def _format_proposal(game: Game, event: MergerProposed) -> Message:
    """For a single company only the other director is asked: whether theirs takes it over."""
    many = "{by} proposes that {members} become {company}."
    template = many if len(event.members) > 1 else "{by} proposes that {members} be taken over by {company}."
    return msg(template, event.by, join_and(event.members), event.company)


def _format_formation(game: Game, event: CompanyFormed) -> Message:
    many = "{members} form {company} at £{price}."
    template = many if len(event.members) > 1 else "{members} becomes {company} at £{price}."
    return msg(template, join_and(event.members), event.company, event.price)


def _format_trade(game: Game, event: SharesTraded) -> Message:
    shares = msg("no further share")
    if event.shares:
        shares = msg("{number} more shares" if event.shares != 1 else "{number} more share", event.shares)
    pays = "{owner} pays £{money} and gets {shares} of {company}."
    template = pays if event.money < 0 else "{owner} is paid £{money} and gets {shares} of {company}."
    owner = msg("the pool of shares") if event.owner == POOL else event.owner
    return msg(template, owner, abs(event.money), shares, event.company)


SENTENCES: Mapping[type[Event], Sentence] = {
    CompanyClosed: "{company} closes without compensation.",
    MergerProposed: _format_proposal,
    CompanyFormed: _format_formation,
    MinorTakenOver: "{company} takes {minor} over for a share.",
    SharesTraded: _format_trade,
    SharesBought: format_treasury_purchase,
}

"""Events that only 18BF has, and their sentences."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine import POOL, CompanyId, Message, Owner, Sentence, msg
from bot.engine.notation import format_treasury_purchase
from bot.engine.play import Game
from bot.engine.play.steps import MERGER_SENTENCES
from bot.engine.state import Event, SharesBought


class CompanyClosed(Event, frozen=True, tag="CompanyClosed"):
    """A company closed without compensation (§11)."""

    company: CompanyId


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


def _format_trade(game: Game, event: SharesTraded) -> Message:
    shares = msg("no further share")
    if event.shares:
        shares = msg("{number} more shares" if event.shares != 1 else "{number} more share", event.shares)
    pays = "{owner} pays £{money} and gets {shares} of {company}."
    template = pays if event.money < 0 else "{owner} is paid £{money} and gets {shares} of {company}."
    owner = msg("the pool of shares") if event.owner == POOL else event.owner
    return msg(template, owner, abs(event.money), shares, event.company)


SENTENCES: Mapping[type[Event], Sentence] = MERGER_SENTENCES | {
    CompanyClosed: "{company} closes without compensation.",
    MinorTakenOver: "{company} takes {minor} over for a share.",
    SharesTraded: _format_trade,
    SharesBought: format_treasury_purchase,
}

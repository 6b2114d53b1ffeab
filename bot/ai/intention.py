"""A seat's intention for a stock round: the worth of every company's shares at its beginning. Moves and reasons come from it,
and only an event that can be named changes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.engine import CompanyId, Message, PlayerId, join_and, msg
from bot.engine.notation import money
from bot.engine.play import Game
from bot.engine.play.holdings import price_of, share_unit

from .company_forecast import Horizon, horizon, kinds_of, outlook, price_after


@dataclass(frozen=True)
class CompanyFacts:
    """The facts of a company that everybody sees, and whose change can be named."""

    price: int
    president: PlayerId | None
    trains: tuple[str, ...]
    is_floated: bool


@dataclass(frozen=True)
class Intention:
    """`worth` is what a share brings by the end, by company, `facts` what that follows from."""

    worth: Mapping[CompanyId, float] = field(default_factory=dict)
    facts: Mapping[CompanyId, CompanyFacts] = field(default_factory=dict)


@dataclass(frozen=True)
class Recollection:
    """A seat's memory: its intention, and the facts of companies when it bought their shares, in the last stock round or
    since.
    """

    intention: Intention = Intention()
    bought: Mapping[CompanyId, CompanyFacts] = field(default_factory=dict)


NOTHING_RECALLED = Recollection()


def intention(game: Game) -> Intention:
    """A pure function of the position at the beginning of a stock round."""
    seen = horizon(game)
    companies = [one.id for one in game.state.companies.values() if one.position is not None and not one.closed]
    return Intention(
        {company: share_in_the_end(game, company, seen) for company in companies},
        {company: company_facts(game, company) for company in companies},
    )


def company_facts(game: Game, company: CompanyId) -> CompanyFacts:
    record = game.company(company)
    trains = kinds_of(game, company)
    return CompanyFacts(price_of(game, company), game.controller_of(company), trains, record.floated)


def share_in_the_end(game: Game, company: CompanyId, seen: Horizon | None = None) -> float:
    """The dividends of a share until the end, and its price then."""
    looked = outlook(game, company, seen)
    average = looked.dividends / looked.payments if looked.payments else 0
    paid = looked.dividends * share_unit(game.company(company)) / 100
    return paid + price_after(game, company, looked.payments, average)


def worth_of_share(game: Game, begun: Intention, company: CompanyId) -> float:
    """The intention's value, unless an event has changed it."""
    if company in begun.worth and begun.facts[company] == company_facts(game, company):
        return begun.worth[company]
    return share_in_the_end(game, company)


def event_since(game: Game, before: CompanyFacts, company: CompanyId) -> Message | None:
    """The event that makes a seat think anew of the company; rises and new trains do not."""
    now = company_facts(game, company)
    lost = [kind for kind in dict.fromkeys(before.trains) if before.trains.count(kind) > now.trains.count(kind)]
    if now.price < before.price:
        prices = (money(game, before.price), money(game, now.price))
        return msg("{company} has fallen from {before} to {after}.", company, *prices)
    if now.president != before.president:
        if now.president is None:
            return msg("Nobody directs {company} any more.", company)
        return msg("{who} directs {company} now.", now.president, company)
    if lost:
        return msg("{company} has lost these trains: {kinds}.", company, join_and(lost))
    return None

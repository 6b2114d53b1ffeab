"""Certificates: who holds what, who presides, buying and selling."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import TYPE_CHECKING

from bot.engine import IPO, POOL, CompanyId, Message, Owner, PlayerId, PrivateId, msg, require
from bot.engine.state import Certificate, Company, PresidentChanged, Private

from .market import price_of

if TYPE_CHECKING:
    from bot.engine.play import CompanySpec, Game

PERCENT = attrgetter("percent")


def president_of(company: Company) -> PlayerId | None:
    owner = company.certificates[0].owner
    return PlayerId(owner) if company.has_president and owner.startswith("@") else None


def share_unit(company: Company) -> int:
    """The percentage of the company's smallest share: what one price buys."""
    return min(company.certificates, key=PERCENT).percent


def shares_of_president(company: Company) -> int:
    return company.certificates[0].percent // share_unit(company)


def ordinary_certificates(company: Company, owner: Owner) -> list[Certificate]:
    start = 1 if company.has_president else 0
    return [certificate for certificate in company.certificates[start:] if certificate.owner == owner]


def certificate_count(game: Game, player: PlayerId) -> int:
    return _count_for_limit(game, *_holdings_of_player(game, player))


def certificates_above_limit(game: Game, player: PlayerId) -> int:
    (shares, privates), limit = _holdings_of_player(game, player), game.title.rules.certificate_limit(game, player)
    if len(shares) + len(privates) <= limit:
        return 0
    return max(0, _count_for_limit(game, shares, privates) - limit)


def _holdings_of_player(game: Game, player: PlayerId) -> tuple[list[CompanyId], list[Private]]:
    companies = game.state.companies.values()
    shares = [company.id for company in companies for one in company.certificates if one.owner == player]
    return shares, game.state.privates_of(player)


def _count_for_limit(game: Game, shares: Iterable[CompanyId], privates: Iterable[Private]) -> int:
    rules = game.title.rules
    count = sum([rules.counts_private(game, private.id) for private in privates])
    return count + sum([rules.counts_for_limit(game, company) for company in shares])


def set_up_companies(game: Game, nouns: Iterable[CompanySpec]) -> None:
    for noun in nouns:
        certificates = [Certificate(percent, IPO) for percent in noun.certificates]
        record = Company(noun.id, certificates, tuple(noun.tokens), has_president=noun.has_president)
        game.state.companies[noun.id] = record
        game.state.cash[noun.id] = 0


def value_of_shares(game: Game, player: PlayerId) -> int:
    companies = game.state.companies.values()
    return sum(
        price_of(game, company.id) * company.percent_held_by(player) // share_unit(company) for company in companies
    )


def available_privates(game: Game, company: CompanyId) -> list[PrivateId]:
    """The privates of the company and of its president, closed privates too: those that might help it."""
    owners = (company, game.controller_of(company))
    return [private.id for private in game.state.privates.values() if private.owner and private.owner in owners]


NO_LIMIT = 1000
"""A certificate limit of this number means no limit."""


def format_certificates(game: Game, player: PlayerId) -> Message:
    """Certificates that count for a player and the limit: `5 of 20`; all certificates where there is no limit."""
    number, slash, limit = format_certificates_short(game, player).partition("/")
    return msg("{number} of {limit}" if slash else "{number}", number, limit)


def format_certificates_short(game: Game, player: PlayerId) -> str:
    """`5/20`."""
    limit = game.title.rules.certificate_limit(game, player)
    if limit < NO_LIMIT:
        return f"{certificate_count(game, player)}/{limit}"
    return str(sum(one.owner == player for company in game.state.companies.values() for one in company.certificates))


def choose_certificates(
    found: list[Certificate], unit: int, shares: int, doubles: int | None = None
) -> list[Certificate] | None:
    """Certificates that make up exactly these shares of `unit` percent, or None if none do.

    `doubles` is how many of them are larger than the unit; None: as few as possible.
    """
    singles = [certificate for certificate in found if certificate.percent == unit]
    larger = [certificate for certificate in found if certificate.percent > unit]
    for number in range(len(larger) + 1) if doubles is None else (doubles,):
        left = shares - sum(certificate.percent for certificate in larger[:number]) // unit
        if number <= len(larger) and 0 <= left <= len(singles):
            return [*singles[:left], *larger[:number]]
    return None


def default_doubles(company: Company, owner: Owner, shares: int) -> int | None:
    """How many larger certificates change hands when the move does not say it; None if nothing fits."""
    unit = share_unit(company)
    found = choose_certificates(ordinary_certificates(company, owner), unit, shares)
    return None if found is None else sum(certificate.percent > unit for certificate in found)


def transfer(
    game: Game, company: CompanyId, source: Owner, target: Owner, shares: int, doubles: int | None = None
) -> int:
    """Move ordinary certificates for `shares` of the smallest shares from one owner to another, chosen as by `choose`.

    Returns the percentage moved.

    :raises ValueError: the source holds no such certificates.
    """
    record = game.state.companies[company]
    found = require(
        choose_certificates(ordinary_certificates(record, source), share_unit(record), shares, doubles),
        f"{source} does not hold {shares} shares of {company}",
    )
    record.move_certificates(found, target)
    return sum(certificate.percent for certificate in found)


def next_president(game: Game, company: CompanyId, holdings: dict[PlayerId, int]) -> PlayerId | None:
    """The president with these percentages: the largest holder of at least the president's certificate's size.

    The president keeps the post in a tie; among others the next in order after the president wins (1848 §6.2).
    """
    record = game.state.companies[company]
    old = president_of(record)
    order = game.state.order
    start = order.index(old) if old in order else 0
    ranked = order[start:] + order[:start]
    eligible = [player for player in ranked if holdings.get(player, 0) >= record.certificates[0].percent]
    return max(eligible, key=lambda player: holdings[player], default=None)


def holdings_of(game: Game, company: CompanyId) -> dict[PlayerId, int]:
    held = {seat.id: 0 for seat in game.state.players}
    for certificate in game.state.companies[company].certificates:
        if certificate.owner in held:
            held[PlayerId(certificate.owner)] += certificate.percent
    return held


def settle_presidency(game: Game, company: CompanyId) -> None:
    """Give the president's certificate to the player who should have it, in exchange for ordinary shares; from the pool
    to a player who holds shares of its size.
    """
    record = game.state.companies[company]
    old = president_of(record)
    if old is None and not (record.has_president and record.certificates[0].owner == POOL):
        return
    new = next_president(game, company, holdings_of(game, company))
    if new is None or new == old:
        return
    swap_president(game, company, new)


def shares_for_presidency(company: Company, new: PlayerId) -> list[Certificate] | None:
    """The ordinary certificates that a player gives for the president's, or None if they have none that fit."""
    own = ordinary_certificates(company, new)
    same = [certificate for certificate in own if certificate.percent == company.certificates[0].percent]
    return same[:1] or choose_certificates(own, share_unit(company), shares_of_president(company))


def would_take_presidency(company: Company, player: PlayerId, source: Owner) -> bool:
    """Whether only the president's certificate is in the pool and the player can give the rest of it in shares."""
    needed = shares_of_president(company) - 1
    lies_alone = company.has_president and source == POOL == company.certificates[0].owner
    return (
        lies_alone
        and not ordinary_certificates(company, POOL)
        and len(ordinary_certificates(company, player)) >= needed
    )


def swap_president(game: Game, company: CompanyId, new: PlayerId) -> None:
    """Exchange the president's certificate for ordinary shares of the same size held by `new`: for one certificate of
    that size if possible, else for smaller certificates (1844 §XII).

    :raises ValueError: `new` does not hold such shares.
    """
    record = game.state.companies[company]
    old = record.certificates[0].owner
    given = require(
        shares_for_presidency(record, new), f"{new} cannot exchange shares for the president's certificate of {company}"
    )
    record.move_certificates(given, old)
    record.move_president(new)
    game.emit(PresidentChanged(company, new))

"""Certificates: who holds what, who presides, buying and selling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .events import PresidentChanged
from .ids import CompanyId, Owner, PlayerId, is_player
from .state import Certificate, Company

if TYPE_CHECKING:
    from .game import Game


def president_of(company: Company) -> PlayerId | None:
    """The player who holds the president's certificate, if one does."""
    owner = company.certificates[0].owner
    return PlayerId(owner) if company.has_president and is_player(owner) else None


def smallest(company: Company) -> int:
    """The percentage of the company's smallest share: what one price buys."""
    return min(certificate.percent for certificate in company.certificates)


def ordinary(company: Company, owner: Owner) -> list[Certificate]:
    """The owner's certificates of the company without the president's, in printed order."""
    start = 1 if company.has_president else 0
    return [certificate for certificate in company.certificates[start:] if certificate.owner == owner]


def certificate_count(game: Game, player: PlayerId) -> int:
    """How many certificates of the player count for the limit."""
    rules = game.title.rules
    return sum(
        company.count_of(player)
        for company in game.state.companies.values()
        if rules.counts_for_limit(game, company.id)
    )


def transfer(game: Game, company: CompanyId, source: Owner, target: Owner, number: int) -> int:
    """Move `number` ordinary certificates from one owner to another, the last printed first when going back.

    Returns the percentage moved.

    :raises ValueError: the source holds fewer.
    """
    record = game.state.companies[company]
    found = ordinary(record, source)
    if len(found) < number:
        raise ValueError(f"{source} holds {len(found)} certificates of {company}, not {number}")
    for certificate in found[:number]:
        certificate.owner = target
    return sum(certificate.percent for certificate in found[:number])


def successor(game: Game, company: CompanyId, holdings: dict[PlayerId, int]) -> PlayerId | None:
    """Who presides with these percentages: the largest holder of at least the president's certificate's size.

    The president stays in a tie that includes him; among others the next in order after him wins (1848 §6.2).
    """
    record = game.state.companies[company]
    old = president_of(record)
    order = game.state.order
    start = order.index(old) if old in order else 0
    ranked = order[start:] + order[:start]
    eligible = [player for player in ranked if holdings.get(player, 0) >= record.certificates[0].percent]
    return max(eligible, key=lambda player: holdings[player], default=None)


def holdings_of(game: Game, company: CompanyId) -> dict[PlayerId, int]:
    """What percentage each player holds."""
    record = game.state.companies[company]
    return {seat.id: record.held_by(seat.id) for seat in game.state.players}


def settle_presidency(game: Game, company: CompanyId) -> None:
    """Hand the president's certificate to whoever should have it, in exchange for ordinary shares."""
    record = game.state.companies[company]
    old = president_of(record)
    if old is None:
        return
    new = successor(game, company, holdings_of(game, company))
    if new is None or new == old:
        return
    swap_president(game, company, new)


def swap_president(game: Game, company: CompanyId, new: PlayerId) -> None:
    """Exchange the president's certificate for ordinary shares of the same size held by `new`.

    :raises ValueError: `new` does not hold enough ordinary shares.
    """
    record = game.state.companies[company]
    old = record.certificates[0].owner
    needed = record.certificates[0].percent
    for certificate in ordinary(record, new):
        if needed <= 0:
            break
        certificate.owner = old
        needed -= certificate.percent
    if needed != 0:
        raise ValueError(f"{new} cannot exchange shares for the president's certificate of {company}")
    record.certificates[0].owner = new
    game.happened(PresidentChanged(company, new))

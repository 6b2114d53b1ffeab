"""Events that only this family has, and their sentences."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine import CompanyId, Message, PlayerId, Sentence, join_and, join_values, msg
from bot.engine.notation import format_treasury_purchase, money
from bot.engine.play import Game
from bot.engine.state import Event, SharesBought


class CompanyNationalized(Event, frozen=True, tag="CompanyNationalized"):
    """The national railway took a company over; `paid` is what players got for their shares at `price`."""

    company: CompanyId
    price: int
    paid: tuple[tuple[PlayerId, int], ...]


class OwnersAsked(Event, frozen=True, tag="OwnersAsked"):
    """Owners are asked whether their minors merge into this company."""

    by: PlayerId
    members: tuple[CompanyId, ...]
    company: CompanyId


class MajorFormed(Event, frozen=True, tag="MajorFormed"):
    """Minors of these owners became a major."""

    company: CompanyId
    members: tuple[CompanyId, ...]
    owners: tuple[PlayerId, ...]
    price: int


class TokenRemoved(Event, frozen=True, tag="TokenRemoved"):
    """A new major gave up a token."""

    company: CompanyId
    place: str


def _format_nationalization(game: Game, event: CompanyNationalized) -> Message:
    paid = [join_values(" ", (game.state.name(player), money(game, amount))) for player, amount in event.paid]
    result = join_values(", ", paid) if paid else msg("none")
    return msg("{company} is nationalised at {price}. Paid: {result}.", event.company, money(game, event.price), result)


def _format_proposal(game: Game, event: OwnersAsked) -> Message:
    return msg("{by} proposes that {members} become {company}.", event.by, join_and(event.members), event.company)


def _format_formation(game: Game, event: MajorFormed) -> Message:
    many = "{members} form {company} at {price}."
    template = many if len(event.members) > 1 else "{members} becomes {company} at {price}."
    return msg(template, join_and(event.members), event.company, money(game, event.price))


SENTENCES: Mapping[type[Event], Sentence] = {
    CompanyNationalized: _format_nationalization,
    OwnersAsked: _format_proposal,
    MajorFormed: _format_formation,
    TokenRemoved: "{company} removes its token on {place}.",
    SharesBought: format_treasury_purchase,
}

"""Mergers, systems and their stations, put together question by question (18BF §12)."""

from __future__ import annotations

from collections.abc import Generator, Mapping

from bot.engine.ids import CompanyId, PlayerId
from bot.engine.message import joined, said, together
from bot.engine.notation.messages import money, named_space
from bot.engine.play.game import Game
from bot.engine.play.holdings.certificates import president_of
from bot.engine.play.holdings.market import price_of
from bot.engine.play.move_builder import ChoiceField, Composer, Composing, Prompt, legal, one, some
from bot.engine.refusals import IllegalMove
from bot.engine.state.actions import Action
from bot.titles.t18bf.components import COMPANIES, MOST_MINORS
from bot.titles.t18bf.rounds import operating_order
from bot.titles.t18bf.state import kind_of

from .company_formation import cities_of, forming_of, how_many, names_of
from .connections import within_reach
from .mergers import LARGEST_SYSTEM, systems_for, unstarted
from .proposals import FormSystem, KeepStations, Merge


def own_turn(game: Game, player: PlayerId, kind: str) -> CompanyId:
    """The company of that kind in turn.

    :raises IllegalMove: it is of another kind, or somebody else's.
    """
    company = game.company_in_turn
    if kind_of(company) != kind or game.decider(company) != player:
        raise IllegalMove("No {kind} company of yours is in turn.", "18BF §12.1", said(kind))
    return company


def named(game: Game, company: CompanyId) -> ChoiceField:
    """A company with its director and price, or its name where it has not begun."""
    record = game.company(company)
    director = president_of(record)
    if record.position is None or director is None:
        return ChoiceField(company, company, COMPANIES[company].name)
    return ChoiceField(
        company, company, joined(", ", (game.state.name(director), money(game, price_of(game, company))))
    )


def partners(
    game: Game, company: CompanyId, kind: str, least: int, most: int
) -> Generator[Prompt, int, tuple[CompanyId, ...]]:
    """Other companies of the kind, of which so many are chosen; those to which the company could trace a route come first,
    then those that may be connected with it by one of them (§12.3).
    """
    every = [one for one in operating_order(game) if kind_of(one) == kind]
    reached = within_reach(game, company, [one for one in every if one != company])
    by_others = {one for hub in reached for one in within_reach(game, hub, [one for one in every if one != hub])}
    homes = [hex_id for other in (company, *reached) for hex_id, _ in game.state.board.cities_of(other)]
    later = [one for one in every if one in by_others and one not in (company, *reached)]
    parts = [named(game, other) for other in (*reached, *later)]
    return tuple((yield from some("Together with which?", parts, least, most, homes)))


def compose_merge(game: Game, player: PlayerId) -> Composing:
    """Which minors merge with the one in turn, then what they become (§12.3)."""
    company = own_turn(game, player, "minor")
    others = yield from partners(game, company, "minor", 1, MOST_MINORS - 1)
    moves = legal(game, [Merge(company, others, public) for public in unstarted(game, "public")])
    public = yield from one(
        said("What do {members} become?", together((company, *others))), [named(game, move.company) for move in moves]
    )
    return Merge(company, others, public)


def compose_system(game: Game, player: PlayerId) -> Composing:
    """Which public companies join the one in turn, if any, then which system they become (§12.6).

    One alone drops a public company that has not started.
    """
    company = own_turn(game, player, "public")
    others = yield from partners(game, company, "public", 0, LARGEST_SYSTEM - 1)
    given_up = [None] if others else unstarted(game, "public")
    systems = systems_for(game, len(others) + 1) or names_of("system")[:1]
    moves = legal(game, [FormSystem(company, system, others, one) for system in systems for one in given_up])
    parts = [
        ChoiceField(
            system, system, said("{name}, {tokens} stations", COMPANIES[system].name, len(COMPANIES[system].tokens))
        )
        for system in dict.fromkeys(move.company for move in moves)
    ]
    system = yield from one("Which system?", parts)
    if others:
        return FormSystem(company, system, others)
    dropped = [named(game, move.dropped) for move in moves if move.company == system and move.dropped is not None]
    return FormSystem(company, system, (), (yield from one("Which company is dropped for it?", dropped)))


def compose_stations(game: Game, player: PlayerId) -> Composing:
    """Which stations of the merged companies stay (§12.3, §12.6)."""
    forming = forming_of(game)
    if game.decider(forming.company) != player:
        raise IllegalMove("The director of {company} chooses its stations.", "18BF §12.3", forming.company)
    spots = sorted(cities_of(game, forming.members))
    parts = []
    for number, (hex_id, city) in enumerate(spots):
        tokens = [token for token in game.state.board.tokens_in(hex_id, city) if token in forming.members]
        token = tokens[spots[:number].count((hex_id, city))]
        parts.append(
            ChoiceField(
                (hex_id, city), said("{hex}, city {city} ({token})", named_space(game, hex_id), city + 1, token)
            )
        )
    needed = how_many(game, forming)
    spaces = [hex_id for hex_id, _ in spots]
    kept = yield from some(said("Which {needed} stations stay?", needed), parts, needed, needed, spaces)
    return KeepStations(forming.company, tuple(kept))


COMPOSERS: Mapping[type[Action], Composer] = {
    Merge: compose_merge,
    FormSystem: compose_system,
    KeepStations: compose_stations,
}

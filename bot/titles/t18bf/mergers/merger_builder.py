"""Mergers, systems and their stations, put together question by question (18BF §12)."""

from __future__ import annotations

from collections.abc import Generator, Mapping

from bot.engine import CompanyId, IllegalMove, PlayerId, msg
from bot.engine.notation import hex_name
from bot.engine.play import Game
from bot.engine.play.move_builder import ChoiceField, Composer, Composing, Prompt, choose_many, choose_one, filter_legal
from bot.engine.play.steps import (
    check_own_turn,
    choose_new_company,
    choose_partners,
    company_choice,
    unstarted_companies,
)
from bot.engine.state import Action
from bot.titles.t18bf.components import COMPANIES, MOST_MINORS
from bot.titles.t18bf.rounds import operating_order
from bot.titles.t18bf.state import kind_of

from .company_formation import cities_of, forming_of, names_of, stations_to_keep
from .connections import reachable_companies
from .mergers import LARGEST_SYSTEM, systems_for
from .proposals import FormSystem, KeepStations, Merge


def choose_connected(
    game: Game, company: CompanyId, least: int, most: int
) -> Generator[Prompt, int, tuple[CompanyId, ...]]:
    """Choose `least` to `most` other companies of its kind; first those to which the company could trace a route, then
    those that may be connected with it through one of them (§12.3).
    """
    every = [one for one in operating_order(game) if kind_of(one) == kind_of(company)]
    reached = reachable_companies(game, company, [one for one in every if one != company])
    by_others = {one for hub in reached for one in reachable_companies(game, hub, [one for one in every if one != hub])}
    later = [one for one in every if one in by_others and one not in (company, *reached)]
    return (yield from choose_partners(game, reached, later, least, most))


def compose_merge(game: Game, player: PlayerId) -> Composing:
    """The minors that merge with the minor in turn, then the company they become (§12.3)."""
    check_own_turn(game, player, "minor", "18BF §12.1")
    company = game.company_in_turn
    others = yield from choose_connected(game, company, 1, MOST_MINORS - 1)
    moves = [Merge(company, others, public) for public in unstarted_companies(game, "public")]
    return (yield from choose_new_company(game, moves, (company, *others)))


def compose_system(game: Game, player: PlayerId) -> Composing:
    """The public companies that join the company in turn, if any, then the system they become (§12.6).

    A single company drops a public company that has not started.
    """
    check_own_turn(game, player, "public", "18BF §12.1")
    company = game.company_in_turn
    others = yield from choose_connected(game, company, 0, LARGEST_SYSTEM - 1)
    given_up = [None] if others else unstarted_companies(game, "public")
    systems = systems_for(game, len(others) + 1) or names_of("system")[:1]
    moves = filter_legal(game, [FormSystem(company, system, others, one) for system in systems for one in given_up])
    parts = [
        ChoiceField(
            system, system, msg("{name}, {tokens} stations", COMPANIES[system].name, len(COMPANIES[system].tokens))
        )
        for system in dict.fromkeys(move.company for move in moves)
    ]
    system = yield from choose_one("Which system?", parts)
    if others:
        return FormSystem(company, system, others)
    dropped = [
        company_choice(game, move.dropped) for move in moves if move.company == system and move.dropped is not None
    ]
    return FormSystem(company, system, (), (yield from choose_one("Which company is dropped for it?", dropped)))


def compose_stations(game: Game, player: PlayerId) -> Composing:
    """The stations of the merged companies to keep (§12.3, §12.6)."""
    forming = forming_of(game)
    if game.controller_of(forming.company) != player:
        raise IllegalMove("The director of {company} chooses its stations.", "18BF §12.3", forming.company)
    spots = sorted(cities_of(game, forming.members))
    parts = []
    for number, (hex_id, city) in enumerate(spots):
        tokens = [token for token in game.state.board.tokens_in(hex_id, city) if token in forming.members]
        token = tokens[spots[:number].count((hex_id, city))]
        parts.append(
            ChoiceField((hex_id, city), msg("{hex}, city {city} ({token})", hex_name(game, hex_id), city + 1, token))
        )
    needed = stations_to_keep(game, forming)
    spaces = [hex_id for hex_id, _ in spots]
    kept = yield from choose_many(msg("Which {needed} stations stay?", needed), parts, needed, needed, spaces)
    return KeepStations(forming.company, tuple(kept))


COMPOSERS: Mapping[type[Action], Composer] = {
    Merge: compose_merge,
    FormSystem: compose_system,
    KeepStations: compose_stations,
}

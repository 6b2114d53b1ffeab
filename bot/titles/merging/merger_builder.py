"""Mergers, put together question by question."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine import CompanyId, IllegalMove, PlayerId, join_and, join_values, msg
from bot.engine.notation import money
from bot.engine.play import Game
from bot.engine.play.holdings import president_of, price_of
from bot.engine.play.move_builder import ChoiceField, Composer, Composing, choose_many, choose_one, filter_legal
from bot.engine.state import Action

from .actions import MergeMinors
from .components import MOST_MINORS
from .family import kind_of, merging
from .mergers import reached_minors, unstarted_majors


def partners_of(game: Game, company: CompanyId) -> list[CompanyId]:
    """The minors that could come to be joined: those that are reached, and those that these reach."""
    found = [company]
    for member in found:
        found += [other for other in reached_minors(game, member) if other not in found]
    return found[1:]


def minor_choice(game: Game, company: CompanyId) -> ChoiceField:
    owner = president_of(game.company(company))
    name = game.state.name(owner) if owner else ""
    return ChoiceField(company, company, join_values(", ", (name, money(game, price_of(game, company)))))


def compose_merge(game: Game, player: PlayerId) -> Composing:
    """The minors that merge with the minor in turn, then the major they become."""
    company = game.company_in_turn
    if kind_of(game, company) != "minor" or game.controller_of(company) != player:
        raise IllegalMove("It is not the turn of any of your minors.", merging(game).section)
    near = partners_of(game, company)
    homes = [hex_id for other in (company, *near) for hex_id, _ in game.state.board.cities_of(other)]
    parts = [minor_choice(game, other) for other in near]
    chosen = yield from choose_many("Together with which?", parts, 1, MOST_MINORS - 1, homes)
    others = tuple(chosen)
    moves = filter_legal(game, [MergeMinors(company, others, major) for major in unstarted_majors(game)])
    names = game.title.companies
    majors = [ChoiceField(move.company, move.company, names[move.company].name) for move in moves]
    major = yield from choose_one(msg("What do {members} become?", join_and((company, *others))), majors)
    return MergeMinors(company, others, major)


COMPOSERS: Mapping[type[Action], Composer] = {MergeMinors: compose_merge}

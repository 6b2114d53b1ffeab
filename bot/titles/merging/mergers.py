"""The merger round: minors convert or merge, if their owners agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.engine import CompanyId, IllegalMove, PlayerId, Text, join_and, msg
from bot.engine.play import Game, filter_allowed
from bot.engine.play.holdings import president_of, sort_by_price
from bot.engine.play.move_builder import Composer, Composing
from bot.engine.play.steps import (
    MergerRules,
    begin_merger_turn,
    check_members,
    check_own_turn,
    check_owners,
    choose_new_company,
    choose_partners,
    unstarted_companies,
)
from bot.engine.state import Action, Pass

from .actions import MergeMinors, TurnIntoMajor
from .components import MOST_MINORS, MOST_MINORS_OF_ONE
from .family import merging
from .formation import Proposal, form_major, key_of, members_of, owners_of, starting_cell
from .interpretations import interpretation_flags


def minors_in_order(game: Game) -> list[CompanyId]:
    minors = merging(game).names_of("minor")
    return sort_by_price(game, [one for one in minors if game.company(one).position is not None])


def next_merger_turn(game: Game) -> None:
    """An automatic step: each minor in operating order."""
    begin_merger_turn(game, minors_in_order(game))


def reached_minors(game: Game, company: CompanyId) -> Sequence[CompanyId]:
    """The minors with tokens in cities that the company reaches, in operating order."""

    def find() -> list[CompanyId]:
        board, found = game.state.board, set[CompanyId]()
        for hex_id, city in game.board_rules.reached_cities(game, company):
            found.update(board.tokens_in(hex_id, city))
        return [one for one in minors_in_order(game) if one in found and one != company]

    return game.memoise(("reached minors", company), find)


def joined_minors(game: Game, company: CompanyId, among: Sequence[CompanyId] | None = None) -> list[CompanyId]:
    """The company, the minors that it reaches, those that these reach, and so on; only those `among` them."""
    joined = [company]
    for member in joined:
        joined += [one for one in reached_minors(game, member) if one not in joined and (among is None or one in among)]
    return joined


def owners_concerned(game: Game, proposal: Proposal) -> Sequence[PlayerId]:
    return [] if interpretation_flags(game).merges_without_consent else owners_of(game, members_of(game, proposal))


def ask_owners(game: Game, proposal: Proposal) -> Text:
    members = members_of(game, proposal)
    at = game.title.money(game.title.market.price(starting_cell(game, members)))
    sentence = "let {members} become {company} at {at}, a share for each? Agree or refuse"
    return msg(sentence, join_and(members), proposal.company, at)


def build_merger_rules(section: str) -> MergerRules:
    return MergerRules(
        section=section,
        members=members_of,
        concerned=owners_concerned,
        key=key_of,
        carry_out=form_major,
        question=ask_owners,
    )


@dataclass(frozen=True)
class ConvertOrMerge:
    """A minor converts or merges, or passes."""

    rules: MergerRules
    name: str = "convert or merge"
    verbs: tuple[type[Action], ...] = (TurnIntoMajor, MergeMinors, Pass)

    def prompt(self, game: Game) -> Text:
        return "convert to a major or merge with other minors, or pass"

    def opens(self, game: Game) -> bool:
        if interpretation_flags(game).asks_every_minor:
            return True
        return any(not isinstance(option, Pass) for option in self.options(game))

    def options(self, game: Game) -> Iterator[Action]:
        company, majors = game.company_in_turn, unstarted_companies(game, "major")
        yield Pass(company)
        moves: list[Action] = [TurnIntoMajor(company, major) for major in majors]
        moves += [MergeMinors(company, group, major) for group in self._groups(game, company) for major in majors]
        yield from filter_allowed(self, game, moves)

    def _groups(self, game: Game, company: CompanyId) -> Sequence[tuple[CompanyId, ...]]:
        """A sample of groups to merge with: each minor that is reached, those of the same owner, the largest possible."""
        own, near = president_of(game.company(company)), reached_minors(game, company)
        groups: list[tuple[CompanyId, ...]] = [(other,) for other in near]
        groups.append(tuple(one for one in near if president_of(game.company(one)) == own)[: MOST_MINORS_OF_ONE - 1])
        largest, counts = [company], Counter([own])
        for member in largest:
            for other in reached_minors(game, member):
                owner = president_of(game.company(other))
                is_free = other not in largest and counts[owner] < MOST_MINORS_OF_ONE
                if is_free and len(largest) < MOST_MINORS:
                    counts[owner] += 1
                    largest.append(other)
        groups.append(tuple(largest[1:]))
        return [group for group in dict.fromkeys(groups) if group]

    def check(self, game: Game, action: Proposal | Pass) -> None:
        if isinstance(action, Pass):
            return
        company, section = CompanyId(action.by), self.rules.section
        self.rules.check_refused(game, action)
        if action.company not in unstarted_companies(game, "major"):
            raise IllegalMove("{company} cannot be formed now.", section, action.company)
        if isinstance(action, MergeMinors):
            self._check_members(game, (company, *action.others))
            return
        position = game.company(company).position
        if position is None or not game.title.market.is_in_zone(position, "c"):
            sentence = "A minor converts only at certain prices; {company} is not at one of them."
            raise IllegalMove(sentence, section, company)

    def _check_members(self, game: Game, members: Sequence[CompanyId]) -> None:
        section = self.rules.section
        check_members(game, members, "minor", MOST_MINORS, section)
        check_owners(game, members, MOST_MINORS_OF_ONE, section)
        if len(joined_minors(game, members[0], members)) < len(members):
            raise IllegalMove("No route joins {members}.", section, join_and(members))
        owners, price = owners_of(game, members), game.title.market.price(starting_cell(game, members))
        if not any(owners.count(player) > 1 or game.state.cash[player] >= price for player in owners):
            raise IllegalMove("No owner could be president of the new company.", section)

    def apply(self, game: Game, action: Proposal | Pass) -> None:
        if isinstance(action, Pass):
            game.record_pass(action)
        else:
            self.rules.propose(game, action)


def compose_merge(game: Game, player: PlayerId) -> Composing:
    """The minors that merge with the minor in turn, then the major they become."""
    company = game.company_in_turn
    check_own_turn(game, player, "minor", game.title.id)
    others = yield from choose_partners(game, joined_minors(game, company)[1:], (), 1, MOST_MINORS - 1)
    moves = [MergeMinors(company, others, major) for major in unstarted_companies(game, "major")]
    return (yield from choose_new_company(game, moves, (company, *others)))


COMPOSERS: Mapping[type[Action], Composer] = {MergeMinors: compose_merge}

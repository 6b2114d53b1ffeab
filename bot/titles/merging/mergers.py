"""The merger round: minors convert or merge; other owners agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.engine import CompanyId, IllegalMove, NotYourTurn, PlayerId, Text, join_and, msg
from bot.engine.notation import money
from bot.engine.play import Game, filter_allowed
from bot.engine.play.holdings import president_of, sort_by_price
from bot.engine.play.steps import operating_round
from bot.engine.state import Action, Answer, Pass

from .actions import MergeMinors, TurnIntoMajor, key_of
from .components import MOST_MINORS, MOST_MINORS_OF_ONE
from .events import OwnersAsked
from .family import kind_of, merging
from .formation import form_major, members_of, owners_of, starting_cell
from .state import title_state


def minors_in_order(game: Game) -> list[CompanyId]:
    minors = merging(game).names_of("minor")
    return sort_by_price(game, [one for one in minors if game.company(one).position is not None])


def next_merger_turn(game: Game) -> None:
    """An automatic step: each minor in operating order."""
    memory = operating_round(game)
    company = next((one for one in minors_in_order(game) if one not in memory.done), None)
    if company is None:
        return
    game.frame.at -= 1
    memory.done.append(company)
    title_state(game).refused = []
    game.push("merging", company)


def unstarted_majors(game: Game) -> list[CompanyId]:
    return [one for one in merging(game).names_of("major") if game.company(one).position is None]


def reached_minors(game: Game, company: CompanyId) -> Sequence[CompanyId]:
    """The minors with tokens in cities that the company reaches, in operating order."""

    def find() -> list[CompanyId]:
        board, found = game.state.board, set[CompanyId]()
        for hex_id, city in game.board_rules.reached_cities(game, company):
            found.update(board.tokens_in(hex_id, city))
        return [one for one in minors_in_order(game) if one in found and one != company]

    return game.memoise(("reached minors", company), find)


def are_joined(game: Game, members: Sequence[CompanyId]) -> bool:
    """Whether the first reaches all others, each from one of those reached before."""
    joined, waiting = [members[0]], list(members[1:])
    for company in joined:
        near = [one for one in waiting if one in reached_minors(game, company)]
        joined += near
        waiting = [one for one in waiting if one not in near]
    return not waiting


def can_have_president(game: Game, members: Sequence[CompanyId]) -> bool:
    """Whether an owner has two of the minors, or the money for a share."""
    owners, price = owners_of(game, members), game.title.market.price(starting_cell(game, members))
    return any(owners.count(player) > 1 or game.state.cash[player] >= price for player in owners)


def owners_to_ask(game: Game, proposal: TurnIntoMajor | MergeMinors) -> list[PlayerId]:
    """The owners of the other minors, each once."""
    if merging(game).merges_freely(game):
        return []
    owners = dict.fromkeys(owners_of(game, members_of(game, proposal)))
    return [player for player in owners if player != game.controller_of(proposal.by)]


@dataclass(frozen=True)
class ConvertOrMerge:
    """A minor converts or merges, or passes."""

    section: str
    name: str = "convert or merge"
    verbs: tuple[type[Action], ...] = (TurnIntoMajor, MergeMinors, Pass)

    def prompt(self, game: Game) -> Text:
        return "convert to a major or merge with other minors, or pass"

    def opens(self, game: Game) -> bool:
        if merging(game).asks_every_minor(game):
            return True
        return any(not isinstance(option, Pass) for option in self.options(game))

    def options(self, game: Game) -> Iterator[Action]:
        company, majors = game.company_in_turn, unstarted_majors(game)
        yield Pass(company)
        groups = self._groups(game, company)
        moves: list[Action] = [TurnIntoMajor(company, major) for major in majors]
        moves += [MergeMinors(company, group, major) for group in groups for major in majors]
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

    def check(self, game: Game, action: TurnIntoMajor | MergeMinors | Pass) -> None:
        if isinstance(action, Pass):
            return
        company = CompanyId(action.by)
        if key_of(action) in title_state(game).refused:
            raise IllegalMove("That has been refused in this turn.", self.section)
        if action.company not in unstarted_majors(game):
            raise IllegalMove("{company} cannot be formed now.", self.section, action.company)
        if isinstance(action, MergeMinors):
            self._check_members(game, (company, *action.others))
            return
        position = game.company(company).position
        if position is None or not game.title.market.is_in_zone(position, "c"):
            raise IllegalMove(
                "A minor converts only at certain prices; {company} is not at one of them.", self.section, company
            )

    def _check_members(self, game: Game, members: Sequence[CompanyId]) -> None:
        if len(set(members)) < len(members) or not 2 <= len(members) <= MOST_MINORS:
            raise IllegalMove("Two to {most} different companies merge.", self.section, MOST_MINORS)
        for member in members:
            if kind_of(game, member) != "minor" or game.company(member).position is None:
                raise IllegalMove("{company} is not a minor in play.", self.section, member)
        if max(Counter(owners_of(game, members)).values()) > MOST_MINORS_OF_ONE:
            raise IllegalMove("One player may own at most {limit} of the minors.", self.section, MOST_MINORS_OF_ONE)
        if not are_joined(game, members):
            raise IllegalMove("No route joins {members}.", self.section, join_and(members))
        if not can_have_president(game, members):
            raise IllegalMove("No owner could be president of the new company.", self.section)

    def apply(self, game: Game, action: TurnIntoMajor | MergeMinors | Pass) -> None:
        if isinstance(action, Pass):
            game.record_pass(action)
            return
        asked, by = owners_to_ask(game, action), game.controller_of(action.by)
        if asked and by is not None:
            title_state(game).proposal = action
            game.emit(OwnersAsked(by, tuple(members_of(game, action)), action.company))
            game.push("consent", action.by, asked=asked)
        else:
            form_major(game, action)


@dataclass(frozen=True)
class ConsentToMerger:
    """The other owners agree to a merger, in any order, or one of them refuses."""

    section: str
    name: str = "agree to a merger"
    verbs: tuple[type[Action], ...] = (Answer,)

    def opens(self, game: Game) -> bool:
        return title_state(game).proposal is not None

    def prompt(self, game: Game) -> Text:
        proposal = title_state(game).proposal
        if proposal is None:
            return ""
        members = members_of(game, proposal)
        at = money(game, game.title.market.price(starting_cell(game, members)))
        sentence = "let {members} become {company} at {at}, a share for each? Agree or refuse"
        return msg(sentence, join_and(members), proposal.company, at)

    def options(self, game: Game) -> Iterator[Action]:
        return (Answer(player, agree) for player in game.frame.asked for agree in (True, False))

    def check(self, game: Game, action: Answer) -> None:
        if action.by not in game.frame.asked:
            raise NotYourTurn("You were not asked, or have already answered.", self.section)

    def apply(self, game: Game, action: Answer) -> None:
        """A single refusal ends it; the last approval executes it."""
        proposal, player = title_state(game).proposal, PlayerId(action.by)
        if proposal is None:
            raise TypeError("nothing is proposed")
        if action.agree:
            game.frame.asked.remove(player)
            if game.frame.asked:
                return
        title_state(game).proposal = None
        game.pop("consent")
        if action.agree:
            form_major(game, proposal)
        else:
            game.log("{by} does not agree; {company} is not formed.", player, proposal.company)
            title_state(game).refused.append(key_of(proposal))

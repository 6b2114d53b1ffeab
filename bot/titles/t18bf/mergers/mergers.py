"""The merger round: converting, merging, takeovers, systems; offers and consents (18BF §12)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from bot.engine import IPO, CompanyId, HexId, IllegalMove, Message, PlayerId, Text, join_and, join_values, msg, require
from bot.engine.notation import hex_name, money
from bot.engine.play import Game, filter_allowed
from bot.engine.play.holdings import has_phase_begun, president_of, price_of, settle_presidency
from bot.engine.play.holdings.certificates import transfer
from bot.engine.play.steps import (
    MergerRules,
    absorb,
    begin_merger_turn,
    check_members,
    check_owners,
    log_refusal,
    remove_company,
    unstarted_companies,
)
from bot.engine.state import Action, Answer, Pass, TokenPlaced
from bot.titles.t18bf.components import COMPANIES, FEW_TOKENS, LONDON, MARKET, MOST_MINORS, MOST_MINORS_OF_ONE
from bot.titles.t18bf.events import MinorTakenOver
from bot.titles.t18bf.rounds import operating_order
from bot.titles.t18bf.state import kind_of, title_state

from .company_formation import form_public, names_of, start_column
from .connections import are_connected, blocking_cities, may_join, reachable_companies
from .proposals import ConvertMinor, FormSystem, Merge, Proposal, TakeOver, key_of
from .systems import NEEDED, exchange, form_system, tokens_for

LARGEST_SYSTEM = 4


def next_merger_turn(game: Game) -> None:
    """Minors, then public companies, in operating order; includes companies formed in this round (§12.1, §12.6)."""
    begin_merger_turn(game, [one for one in operating_order(game) if kind_of(one) != "system"])


def systems_for(game: Game, members: int) -> list[CompanyId]:
    """The systems that this number of companies may choose: of 8 tokens if possible, else of 12 (§12.6)."""
    free = unstarted_companies(game, "system")
    small = [system for system in free if len(COMPANIES[system].tokens) == FEW_TOKENS]
    large = [system for system in free if system not in small]
    return small or large if tokens_for(members) == FEW_TOKENS else large


def members_of(game: Game, proposal: Proposal) -> list[CompanyId]:
    """In operating order."""
    chosen = {CompanyId(proposal.by)}
    if isinstance(proposal, Merge | FormSystem):
        chosen.update(proposal.others)
    return [company for company in operating_order(game) if company in chosen]


def directors_concerned(game: Game, proposal: Proposal) -> list[PlayerId]:
    """The directors of all companies that it concerns (§12.1)."""
    members = members_of(game, proposal)
    if isinstance(proposal, TakeOver):
        members.append(proposal.company)
    directors = (president_of(game.company(company)) for company in members)
    return [player for player in directors if player is not None]


# -- what may be proposed -----------------------------------------------------------------------------


@dataclass(frozen=True)
class ProposeMerger:
    """A minor converts, merges or is taken over, from phase 6 a public company forms a system, or it passes (§12.1).

    With `tries_all` a public company is also asked if only groups outside of the sample could form a system.
    """

    tries_all: bool = True
    name: str = "convert, merge or join"
    verbs: tuple[type[Action], ...] = (ConvertMinor, Merge, TakeOver, FormSystem, Pass)

    def prompt(self, game: Game) -> Text:
        if kind_of(game.company_in_turn) == "public":
            return "form a system, or pass"
        return "convert, merge or join a public company, or pass"

    def opens(self, game: Game) -> bool:
        return any(not isinstance(option, Pass) for option in self.options(game))

    def options(self, game: Game) -> Iterator[Action]:
        company = game.company_in_turn
        yield Pass(company)
        if kind_of(company) == "minor":
            yield from filter_allowed(self, game, self._minor_options(game, company))
        elif has_phase_begun(game, "6"):
            systems = list(filter_allowed(self, game, self._public_options(game, company)))
            if not systems and self.tries_all:
                yield from filter_allowed(self, game, self._larger_group_options(game, company))
            yield from systems

    def _minor_options(self, game: Game, company: CompanyId) -> Iterator[Proposal]:
        free = unstarted_companies(game, "public")
        yield from (ConvertMinor(company, public) for public in free)
        yield from (TakeOver(company, public) for public in names_of("public"))
        groups = _groups(game, company, _reached_companies(game, company), MOST_MINORS, MOST_MINORS_OF_ONE)
        yield from (Merge(company, group, public) for group in groups for public in free)

    def _public_options(self, game: Game, company: CompanyId) -> Iterator[Proposal]:
        free = unstarted_companies(game, "public")
        yield from (FormSystem(company, system, (), dropped) for system in systems_for(game, 1) for dropped in free)
        for group in _groups(game, company, _reached_companies(game, company), LARGEST_SYSTEM, LARGEST_SYSTEM):
            yield from (FormSystem(company, system, group) for system in systems_for(game, len(group) + 1))

    def _larger_group_options(self, game: Game, company: CompanyId) -> Iterator[Proposal]:
        """All groups of three or four in which a player would own enough shares: a sample may miss the only such groups
        (§12.6).
        """
        others = _reached_companies(game, company)
        for group in chain(combinations(others, 2), combinations(others, LARGEST_SYSTEM - 1)):
            systems = [FormSystem(company, system, group) for system in systems_for(game, len(group) + 1)]
            if (
                systems
                and are_connected(game, (company, *group))
                and exchange(game, members_of(game, systems[0])).has_director
            ):
                yield from systems

    def check(self, game: Game, action: Proposal | Pass) -> None:
        if isinstance(action, Pass):
            return
        company = CompanyId(action.by)
        RULES.check_refused(game, action)
        if (kind_of(company) == "public") != isinstance(action, FormSystem):
            raise IllegalMove("Minors convert, merge or join; public companies form systems.", "18BF §12")
        if isinstance(action, TakeOver):
            _check_takeover(game, company, action.company)
        elif isinstance(action, FormSystem):
            _check_system(game, company, action)
        else:
            _check_new_public(game, company, action)

    def apply(self, game: Game, action: Proposal | Pass) -> None:
        if isinstance(action, Pass):
            game.record_pass(action)
        else:
            RULES.propose(game, action)


PROPOSE = ProposeMerger()


def _reached_companies(game: Game, company: CompanyId) -> list[CompanyId]:
    """The other companies of its kind to which the company could trace a route, in operating order."""
    others = [one for one in operating_order(game) if kind_of(one) == kind_of(company) and one != company]
    return reachable_companies(game, company, others)


def _groups(
    game: Game, company: CompanyId, others: Sequence[CompanyId], most: int, most_of_one: int
) -> Iterator[tuple[CompanyId, ...]]:
    """A sample of groups to merge with: each other company, those of the same director, the largest possible."""
    director = president_of(game.company(company))
    groups: list[tuple[CompanyId, ...]] = [(other,) for other in others]
    groups.append(tuple(other for other in others if president_of(game.company(other)) == director)[: most_of_one - 1])
    counts: dict[PlayerId | None, int] = {director: 1}
    largest: list[CompanyId] = []
    for other in others:
        owner = president_of(game.company(other))
        if len(largest) < most - 1 and counts.get(owner, 0) < most_of_one:
            counts[owner] = counts.get(owner, 0) + 1
            largest.append(other)
            groups.append(tuple(largest))
    yield from dict.fromkeys(group for group in groups if group and are_connected(game, (company, *group)))


def _check_new_public(game: Game, company: CompanyId, action: ConvertMinor | Merge) -> None:
    if action.company not in unstarted_companies(game, "public"):
        raise IllegalMove("{company} cannot be formed now.", "18BF §12.3", action.company)
    if isinstance(action, ConvertMinor):
        position = game.company(company).position
        if position is None or not MARKET.is_in_zone(position, "y"):
            raise IllegalMove(
                "A minor converts at £100 to £165; {company} is not at one of these prices.", "18BF §12.2", company
            )
        return
    _check_connected_members(game, company, action.others, "minor", MOST_MINORS)
    check_owners(game, (company, *action.others), MOST_MINORS_OF_ONE, "18BF §12.3")


def _check_connected_members(game: Game, company: CompanyId, others: Sequence[CompanyId], kind: str, most: int) -> None:
    section = "18BF §12.3" if kind == "minor" else "18BF §12.6"
    members = (company, *others)
    check_members(game, members, kind, most, section)
    if not are_connected(game, members):
        raise IllegalMove(
            "None of {members} can trace routes to all the others. {why}",
            section,
            ", ".join(members),
            _disconnection_reason(game, members),
        )


def _disconnection_reason(game: Game, members: Sequence[CompanyId]) -> Message:
    """The companies whose stations separate these companies, or that no track joins them."""
    places = blocking_cities(game, members)
    if not places:
        return msg("No track joins them.")
    holders = [(join_values(", ", companies), hex_name(game, stop.hex)) for stop, companies in places.items()]
    return msg(
        "Stations {stations} block the way.", join_and(msg("of {companies} on {place}", *one) for one in holders)
    )


def _check_takeover(game: Game, minor: CompanyId, public: CompanyId) -> None:
    if kind_of(public) != "public" or game.company(public).position is None:
        raise IllegalMove("{public} is not a public company in play.", "18BF §12.5", public)
    if not game.company(public).percent_held_by(IPO):
        raise IllegalMove("{public} has no share in its treasury.", "18BF §12.5", public)
    if not may_join(game, minor, public):
        raise IllegalMove("{minor} can trace no route to a station of {public}.", "18BF §12.5", minor, public)


def _check_system(game: Game, company: CompanyId, action: FormSystem) -> None:
    if not has_phase_begun(game, "6"):
        raise IllegalMove("Systems form from phase 6 on.", "18BF §12.6")
    number = len(action.others) + 1
    if action.company not in systems_for(game, number):
        names = ", ".join(systems_for(game, number)) or "none"
        raise IllegalMove("{number} companies can become: {names}.", "18BF §12.6", number, names)
    if number > 1:
        if action.dropped is not None:
            raise IllegalMove(
                "Only a company that converts without a partner can drop an unstarted company.", "18BF §12.6"
            )
        _check_connected_members(game, company, action.others, "public", LARGEST_SYSTEM)
        _check_exchange(game, action)
        return
    director = president_of(game.company(company))
    directed = [one for one in names_of("public") if president_of(game.company(one)) == director]
    if directed != [company]:
        raise IllegalMove(
            "A public company converts without a partner only if its director has no other.", "18BF §12.6"
        )
    if action.dropped not in unstarted_companies(game, "public"):
        raise IllegalMove("An unstarted public company must be dropped.", "18BF §12.6")
    _check_exchange(game, action)


def _check_exchange(game: Game, action: FormSystem) -> None:
    if not exchange(game, members_of(game, action)).has_director:
        raise IllegalMove("No player would own {needed} shares of {company}.", "18BF §12.6", NEEDED, action.company)


# -- consent ------------------------------------------------------------------------------------------


def log_refused(game: Game, player: PlayerId, proposal: Proposal) -> None:
    if isinstance(proposal, TakeOver):
        sentence = "{by} does not agree; {company} does not take {minor} over."
        game.log(sentence, player, proposal.company, proposal.by)
    else:
        log_refusal(game, player, proposal)


def _outcome(game: Game, proposal: Proposal) -> Message:
    members = members_of(game, proposal)
    if isinstance(proposal, TakeOver):
        return msg("{company} takes {by} over for a share", proposal.company, proposal.by)
    if isinstance(proposal, FormSystem):
        found = exchange(game, members)
        at, director = money(game, MARKET.price((0, found.column))), game.state.name(found.director)
        return msg(
            "{members} become {company} at {at} with {director} as director",
            join_and(members),
            proposal.company,
            at,
            director,
        )
    at = money(game, MARKET.price((0, start_column([price_of(game, member) for member in members]))))
    return msg("{members} become {company} at {at}, a share for each", join_and(members), proposal.company, at)


def carry_out(game: Game, proposal: Proposal) -> None:
    members = members_of(game, proposal)
    if isinstance(proposal, TakeOver):
        take_over(game, CompanyId(proposal.by), proposal.company)
    elif isinstance(proposal, FormSystem):
        form_system(game, proposal, members)
    else:
        form_public(game, proposal, members)


RULES = MergerRules(
    section="18BF §12.1",
    members=members_of,
    concerned=directors_concerned,
    key=key_of,
    carry_out=carry_out,
    question=lambda game, proposal: msg("{proposal}? Agree or refuse", _outcome(game, proposal)),
    refuse=log_refused,
)


# -- takeovers ----------------------------------------------------------------------------------------


def take_over(game: Game, minor: CompanyId, public: CompanyId) -> None:
    """The minor becomes a share of the public company, which gets all its assets (§12.5)."""
    owner = require(president_of(game.company(minor)), f"nobody owns {minor}")
    game.emit(MinorTakenOver(minor, public))
    absorb(game, minor, public)
    transfer(game, public, IPO, owner, 1)
    settle_presidency(game, public)
    title_state(game).taken = minor
    game.push("takeover", public)


def station_of(game: Game) -> tuple[CompanyId, HexId, int]:
    minor = require(title_state(game).taken, "no minor is being taken over")
    hex_id, city = next(game.state.board.cities_of(minor))
    return minor, hex_id, city


@dataclass(frozen=True)
class ReplaceStation:
    """The public company may replace the minor's token by a spare token (§12.5)."""

    name: str = "replace the minor's station"
    verbs: tuple[type[Action], ...] = (Answer,)

    def opens(self, game: Game) -> bool:
        """If the company has a token for it and none on that hex, except in London."""
        if title_state(game).taken is None:
            return False
        public = game.company_in_turn
        _, hex_id, _ = station_of(game)
        is_free = hex_id == LONDON or not game.state.board.has_token(hex_id, public)
        return is_free and bool(game.company(public).tokens_left)

    def prompt(self, game: Game) -> Text:
        minor, hex_id, _ = station_of(game)
        return msg("replace {minor}'s token on {hex}? Agree or refuse", minor, hex_id)

    def options(self, game: Game) -> Iterator[Action]:
        by = game.actor_in_turn
        return (Answer(by, agree) for agree in (True, False))

    def check(self, game: Game, action: Answer) -> None:
        """Both answers are allowed."""

    def apply(self, game: Game, action: Answer) -> None:
        public = CompanyId(action.by)
        if action.agree:
            minor, hex_id, city = station_of(game)
            game.state.board.swap_token(hex_id, city, minor, public)
            game.company(public).tokens_left = game.company(public).tokens_left[1:]
            game.emit(TokenPlaced(public, hex_id, city, 0))
        game.next_step()


def finish_takeover(game: Game) -> None:
    """The minor is gone; trains above the limit are discarded (§12.5)."""
    minor = title_state(game).taken
    title_state(game).taken = None
    if minor is not None:
        remove_company(game, minor, is_gone=True)
    game.push("discard")

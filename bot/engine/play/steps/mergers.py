"""Mergers: proposals to which other owners agree, assets, the sale of the new company's shares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from bot.engine import (
    BANK,
    IPO,
    REMOVED,
    CompanyId,
    IllegalMove,
    Message,
    NotYourTurn,
    Owner,
    PlayerId,
    Sentence,
    Text,
    is_permitted,
    join_and,
    join_values,
    msg,
)
from bot.engine.play import Game
from bot.engine.play.holdings import check_cash, pay, place_marker, president_of, price_of, remove_marker, share_unit
from bot.engine.play.move_builder import ChoiceField, Composing, Prompt, choose_many, choose_one, filter_legal
from bot.engine.state import Action, Answer, BuyShares, Event, OperatingRoundMemory, Pass, Passed, RoundBegan, State

from .privates import close_private
from .rounds import operating_round


class CompanyInFormation(Struct, kw_only=True):
    """A company being formed of `members`, in operating order. `director` directs it until somebody has the certificate
    for that. `key` is that of the proposal, `before` the state before it, to return to if nobody can direct the
    company. `asked` are the players who may still buy shares; `last_pass` is the player who has passed last, if nobody
    has bought since.
    """

    company: CompanyId
    members: list[CompanyId]
    director: PlayerId
    key: str
    before: str = ""
    asked: list[PlayerId] = []
    last_pass: PlayerId | None = None


class MergerProposed(Event, frozen=True, tag="MergerProposed"):
    """Owners are asked whether their companies merge."""

    by: PlayerId
    members: tuple[CompanyId, ...]
    company: CompanyId


class CompanyFormed(Event, frozen=True, tag="CompanyFormed"):
    """Companies became another; `owners` are those of the members, where each gets a share for it."""

    company: CompanyId
    members: tuple[CompanyId, ...]
    price: int
    owners: tuple[PlayerId, ...] = ()


def _format_proposal(game: Game, event: MergerProposed) -> Message:
    """For a single company only the other owner is asked: whether theirs takes it over."""
    many = "{by} proposes that {members} become {company}."
    template = many if len(event.members) > 1 else "{by} proposes that {members} be taken over by {company}."
    return msg(template, event.by, join_and(event.members), event.company)


def _format_formation(game: Game, event: CompanyFormed) -> Message:
    many = "{members} form {company} at {price}."
    template = many if len(event.members) > 1 else "{members} becomes {company} at {price}."
    return msg(template, join_and(event.members), event.company, game.title.money(event.price))


MERGER_SENTENCES: dict[type[Event], Sentence] = {MergerProposed: _format_proposal, CompanyFormed: _format_formation}


# -- the merger round ---------------------------------------------------------------------------------


def open_merger_round(game: Game) -> None:
    """Begin the merger round that belongs to the operating round."""
    current = game.state.round
    current.kind = "merger"
    game.emit(RoundBegan("merger", current.number, current.part, current.of))
    game.push("merger round", None, OperatingRoundMemory())


def begin_merger_turn(game: Game, order: Sequence[CompanyId]) -> None:
    """The first in this order that has not had its turn in the merger round; then the calling step is asked again. It
    may propose again what was refused to others.
    """
    memory = operating_round(game)
    company = next((one for one in order if one not in memory.done), None)
    if company is None:
        return
    game.frame.at -= 1
    memory.done.append(company)
    game.state.special.refused = []
    game.push("merger turn", company)


# -- proposals ----------------------------------------------------------------------------------------


def log_refusal(game: Game, player: PlayerId, proposal: Any) -> None:
    game.log("{by} does not agree; {company} is not formed.", player, proposal.company)


@dataclass(frozen=True, kw_only=True)
class MergerRules:
    """How companies merge. The title's own record has the `proposal` and the keys of those `refused` in this turn.

    `members(game, proposal)` become `proposal.company`, in operating order; `concerned(game, proposal)` are the players
    who must agree, besides who proposes; `key(proposal)` is common to all that are refused together; `carry_out` does
    it; `question` is what the players are asked, `refuse` tells that one of them has refused.
    """

    section: str
    members: Callable[[Game, Any], list[CompanyId]]
    concerned: Callable[[Game, Any], Sequence[PlayerId]]
    key: Callable[[Any], str]
    carry_out: Callable[[Game, Any], None]
    question: Callable[[Game, Any], Text]
    refuse: Callable[[Game, PlayerId, Any], None] = log_refusal

    def check_refused(self, game: Game, proposal: Action) -> None:
        if self.key(proposal) in game.state.special.refused:
            raise IllegalMove("That has been refused in this turn.", self.section)

    def propose(self, game: Game, proposal: Any) -> None:
        """Ask the others, each once, or carry it out if there are none."""
        by = game.controller_of(proposal.by)
        asked = [player for player in dict.fromkeys(self.concerned(game, proposal)) if player != by]
        if asked and by is not None:
            game.state.special.proposal = proposal
            game.emit(MergerProposed(by, tuple(self.members(game, proposal)), proposal.company))
            game.push("consent", proposal.by, asked=asked)
        else:
            self.carry_out(game, proposal)


@dataclass(frozen=True)
class AgreeToMerger:
    """The others agree to a proposal, in any order, or one of them refuses."""

    rules: MergerRules
    name: str = "agree to a merger"
    verbs: tuple[type[Action], ...] = (Answer,)

    def opens(self, game: Game) -> bool:
        return game.state.special.proposal is not None

    def prompt(self, game: Game) -> Text:
        proposal = game.state.special.proposal
        return self.rules.question(game, proposal) if proposal is not None else ""

    def options(self, game: Game) -> Iterator[Action]:
        return (Answer(player, agree) for player in game.frame.asked for agree in (True, False))

    def check(self, game: Game, action: Answer) -> None:
        if action.by not in game.frame.asked:
            raise NotYourTurn("You were not asked, or have already answered.", self.rules.section)

    def apply(self, game: Game, action: Answer) -> None:
        """A single refusal ends it; the last approval executes it."""
        special, player = game.state.special, PlayerId(action.by)
        proposal = special.proposal
        if action.agree:
            game.frame.asked.remove(player)
            if game.frame.asked:
                return
        special.proposal = None
        game.pop("consent")
        if action.agree:
            self.rules.carry_out(game, proposal)
        else:
            self.rules.refuse(game, player, proposal)
            special.refused.append(self.rules.key(proposal))


def check_members(game: Game, members: Sequence[CompanyId], kind: str, most: int, section: str) -> None:
    """Refuse companies that do not exist, or too many."""
    if len(set(members)) < len(members) or not 2 <= len(members) <= most:
        raise IllegalMove("Two to {most} different companies merge.", section, most)
    for member in members:
        if game.title.companies[member].kind != kind or game.company(member).position is None:
            raise IllegalMove("{company} is not a {kind} in play.", section, member, msg(kind))


def check_owners(game: Game, members: Sequence[CompanyId], most: int, section: str) -> None:
    """Refuse more companies of a single player than `most`."""
    if max(Counter(president_of(game.company(member)) for member in members).values()) > most:
        raise IllegalMove("One player may own at most {limit} of the minors.", section, most)


def unstarted_companies(game: Game, kind: str) -> list[CompanyId]:
    """Those that can still be begun."""
    companies = (
        company for company in game.state.companies.values() if company.position is None and not company.closed
    )
    return [company.id for company in companies if game.title.companies[company.id].kind == kind]


# -- proposals put together question by question ------------------------------------------------------


def company_choice(game: Game, company: CompanyId) -> ChoiceField:
    """Its owner and price, or before it has them its name."""
    director = president_of(game.company(company))
    if game.company(company).position is None or director is None:
        return ChoiceField(company, company, game.title.companies[company].name)
    price = game.title.money(price_of(game, company))
    return ChoiceField(company, company, join_values(", ", (game.state.name(director), price)))


def check_own_turn(game: Game, player: PlayerId, kind: str, section: str) -> None:
    """Refuse if the company in turn is of another kind, or somebody else's."""
    company = game.company_in_turn
    if game.title.companies[company].kind != kind or game.controller_of(company) != player:
        raise IllegalMove("It is not the turn of any {kind} company of yours.", section, msg(kind))


def choose_partners(
    game: Game, near: Sequence[CompanyId], far: Sequence[CompanyId], least: int, most: int
) -> Generator[Prompt, int, tuple[CompanyId, ...]]:
    """Choose others to merge with: those `near`, which are shown on the map, and those that these may reach."""
    homes = [hex_id for one in (game.company_in_turn, *near) for hex_id, _ in game.state.board.cities_of(one)]
    parts = [company_choice(game, one) for one in (*near, *far)]
    return tuple((yield from choose_many("Together with which?", parts, least, most, homes)))


def choose_new_company(game: Game, moves: Sequence[Any], members: Sequence[CompanyId]) -> Composing:
    """One of these proposals, which differ in the company that the members become."""
    legal = filter_legal(game, moves)
    parts = [company_choice(game, move.company) for move in legal]
    company = yield from choose_one(msg("What do {members} become?", join_and(members)), parts)
    chosen: Action = next(move for move in legal if move.company == company)
    return chosen


# -- companies that become part of others, or leave -----------------------------------------------------


def hand_over_assets(game: Game, old: CompanyId, new: Owner) -> None:
    """Money, trains and privates of the old company become the new owner's; to the bank the money, and the rest is
    lost.
    """
    is_lost = new == BANK
    pay(game, old, new, game.state.cash[old], f"assets of {old}")
    for train in game.state.trains_of(old):
        game.state.move_train(train, REMOVED if is_lost else new)
    for private in game.state.privates_of(old):
        if is_lost:
            close_private(game, private)
        else:
            private.owner = new


def absorb(game: Game, old: CompanyId, new: CompanyId) -> None:
    """All assets and loans of the old company become the new company's."""
    hand_over_assets(game, old, new)
    game.company(new).loans += game.company(old).loans
    game.company(old).loans = 0


def begin_formed(
    game: Game,
    company: CompanyId,
    cell: tuple[int, int],
    members: Sequence[CompanyId],
    owners: Sequence[PlayerId] = (),
) -> None:
    """Put the new company's marker under those in its cell; those of its members leave the market."""
    for member in members:
        remove_marker(game, member)
        game.company(member).floated = False
    record = game.company(company)
    record.floated, record.operated = True, False
    place_marker(game, company, cell)
    record.par = price_of(game, company)
    game.emit(CompanyFormed(company, tuple(members), record.par, tuple(owners)))


def remove_company(game: Game, company: CompanyId, is_gone: bool) -> None:
    """Remove the company's marker, tokens and shares, and end its turn; `is_gone` if it can never be started again."""
    record = game.company(company)
    remove_marker(game, company)
    game.state.board.remove_tokens(company)
    game.board_changed()
    record.tokens_left = () if is_gone else tuple(game.title.companies[company].tokens)
    record.par, record.loans = None, 0
    record.floated = record.operated = False
    record.closed = is_gone
    record.move_certificates(record.certificates, REMOVED if is_gone else IPO)
    for frame in game.state.flow:
        if frame.entity == company:
            frame.at = len(game.title.plans[frame.plan].steps)


def undo_formation(game: Game, forming: CompanyInFormation) -> None:
    """Return to the state before the merger, which may not be proposed again in this turn."""
    moves = game.state.moves
    state: State = type(game).decode(game.title, forming.before.encode()).state
    game.state, state.moves = state, moves
    state.special.refused.append(forming.key)
    game.board_changed()


def finish_formation(game: Game) -> None:
    """An automatic step: the company is formed; trains above its limit are discarded."""
    game.state.special.forming = None
    game.push("discard")


# -- the sale of shares ---------------------------------------------------------------------------------


def players_from(game: Game, first: PlayerId) -> list[PlayerId]:
    seat = game.state.order.index(first)
    return game.state.order[seat:] + game.state.order[:seat]


@dataclass(frozen=True, kw_only=True)
class NewShareSale:
    """The players asked buy shares of the new company's treasury in turn: `most(game, player)` at once. After a
    purchase a player is asked again if `goes_on` says so.

    `certificates(game, player, number)` is the number of certificates that the player would have after buying that many
    shares; `buy` carries it out.
    """

    section: str
    certificates: Callable[[Game, PlayerId, int], int]
    buy: Callable[[Game, PlayerId, int], None]
    most: int = 1
    goes_on: Callable[[Game, PlayerId], bool] = lambda game, player: False
    name: str = "buy shares of the new company"
    verbs: tuple[type[Action], ...] = (BuyShares, Pass)

    def opens(self, game: Game) -> bool:
        return bool(game.frame.asked)

    def ask_next(self, game: Game) -> None:
        asked = game.state.special.forming.asked
        while asked and not any(True for _ in self._purchases(game, asked[0])):
            asked.pop(0)
        game.frame.asked = asked[:1]

    def prompt(self, game: Game) -> Text:
        company = game.state.special.forming.company
        number = msg("a share" if self.most == 1 else "any number of shares at once")
        price = game.title.money(price_of(game, company))
        return msg("buy {number} of {company} at {money}, or pass", number, company, price)

    def options(self, game: Game) -> Iterator[Action]:
        player = game.frame.asked[0]
        yield Pass(player)
        yield from self._purchases(game, player)

    def _purchases(self, game: Game, player: PlayerId) -> Iterator[Action]:
        for number in range(1, self.most + 1):
            action = BuyShares(player, game.state.special.forming.company, IPO, number)
            if not is_permitted(self._check_purchase, game, action):
                return
            yield action

    def check(self, game: Game, action: BuyShares | Pass) -> None:
        if action.by not in game.frame.asked:
            raise NotYourTurn("Only the player whose turn it is can buy.", self.section)
        if isinstance(action, BuyShares):
            self._check_purchase(game, action)

    def _check_purchase(self, game: Game, action: BuyShares) -> None:
        """Shares of the treasury, within the limits."""
        record, player = game.company(game.state.special.forming.company), PlayerId(action.by)
        if action.company != record.id or action.source != IPO or action.shares < 1:
            raise IllegalMove("Shares of {company} are sold now, from its treasury.", self.section, record.id)
        if action.shares > self.most == 1:
            raise IllegalMove("A single share may be bought now.", self.section)
        unit, rules = share_unit(record), game.title.rules
        there, most = record.percent_held_by(IPO) // unit, rules.holding_limit(game, record.id)
        if action.shares > there:
            raise IllegalMove("The treasury has {there} share(s) left.", self.section, there)
        if record.percent_held_by(player) + action.shares * unit > most:
            raise IllegalMove("No player may buy beyond {most}% of {company}.", self.section, most, record.id)
        check_cash(game, player, action.shares * price_of(game, record.id), self.section)
        limit = rules.certificate_limit(game, player)
        if self.certificates(game, player, action.shares) > limit:
            raise IllegalMove("Your certificate limit is {limit}.", self.section, limit)

    def apply(self, game: Game, action: BuyShares | Pass) -> None:
        forming, player = game.state.special.forming, PlayerId(action.by)
        is_pass = isinstance(action, Pass)
        forming.last_pass = player if is_pass else None
        if is_pass or not self.goes_on(game, player):
            forming.asked.pop(0)
        if isinstance(action, BuyShares):
            self.buy(game, player, action.shares)
        else:
            game.emit(Passed(player, self.name))
        self.ask_next(game)

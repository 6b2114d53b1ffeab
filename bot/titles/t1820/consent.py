"""Consent: what one player proposes and others must agree to, all asked at once, all or nothing (1820 §10.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.engine.ids import CompanyId, Owner, PlayerId
from bot.engine.message import Message, Text, Value, joined, said, together
from bot.engine.notation.messages import a_train, named_space
from bot.engine.notation.text import text_of
from bot.engine.play.game import Game
from bot.engine.refusals import NotYourTurn, Rejected
from bot.engine.state.actions import Action, Answer, BuyTrain

from .actions import AssignTrain, FloatCompany, IncreaseShares, Purchase, RequestShare
from .companies import player_of, price
from .events import Proposed
from .state import Proposal, special

Execute = Callable[["Game", Any], None]


def propose(game: Game, action: Proposal, parties: Sequence[Owner]) -> None:
    """Ask the players behind these owners, the proposer left out; without any it is done at once."""
    proposer = game.decider(action.by)
    players = dict.fromkeys(player_of(game, owner) for owner in parties)
    asked = [player for player in players if player is not None and player != proposer]
    special(game).proposal = action
    game.push("consent", None, asked=asked)
    if asked:
        game.happened(Proposed(action.by, proposed(action), tuple(asked)))


def proposed(proposal: Proposal) -> str:
    """What is proposed: `float LSR 5 at 65 on G7=150/0 to @2:1 @1:1`."""
    return text_of(proposal).partition(" ")[2]


def described(game: Game, proposal: Action, called: Callable[[Owner], Value]) -> Message:
    """The same in words: what its owner would do. `called` is how those in it are named."""
    match proposal:
        case RequestShare(holder=holder, company=company):
            told = "buy a share of {company} from {holder} for £{price}"
            return said(told, company, called(holder), price(game, company))
        case BuyTrain(kind=kind, source=source):
            return said("buy {train} from {source} for £{price}", a_train(kind), called(source), proposal.price)
        case AssignTrain(kind=kind, holder=holder):
            return said("take over {holder}'s future {kind} train", called(holder), kind)
        case FloatCompany(company=company, shares=shares):
            places = together(named_space(game, station.hex) for station in proposal.stations)
            told = "start {company} with {shares} shares at £{price} on {places}; who buys how many: {buyers}"
            return said(told, company, shares, proposal.price, places, buyers(proposal.sales, called))
        case IncreaseShares(shares=shares, sales=sales):
            at = proposal.price or price(game, CompanyId(proposal.by))
            return said(
                "grow to {shares} shares at £{price}; who buys how many: {buyers}", shares, at, buyers(sales, called)
            )
    raise TypeError(f"{proposal} is no proposal")


def buyers(sales: Sequence[Purchase], called: Callable[[Owner], Value]) -> Message:
    """Who buys how many shares: `Ann 2, BI 1`."""
    return joined(", ", (joined(" ", (called(sale.buyer), sale.shares)) for sale in sales))


def price_offered(game: Game, player: PlayerId) -> int | None:
    """What a player who is asked would get: for a train, for a share, for his company by the bid that has won; what he
    and his cousins would pay for shares of a new or growing company, as less than nothing."""
    memory = special(game)
    if isinstance(memory.proposal, FloatCompany | IncreaseShares):
        shares = sum(sale.shares for sale in memory.proposal.sales if player_of(game, sale.buyer) == player)
        company = memory.proposal.company if isinstance(memory.proposal, FloatCompany) else memory.proposal.by
        return -shares * (memory.proposal.price or price(game, CompanyId(company)))
    if game.frame.plan == "accept":
        return memory.auction.best if memory.auction else None
    if isinstance(memory.proposal, BuyTrain):
        return memory.proposal.price
    return price(game, memory.proposal.company) if isinstance(memory.proposal, RequestShare) else None


@dataclass(frozen=True)
class AgreeToProposal:
    """Everybody who is asked agrees, or nothing happens."""

    name: str = "agree to the proposal or refuse"
    verbs: tuple[type[Action], ...] = (Answer,)

    def opens(self, game: Game) -> bool:
        """While somebody has not answered."""
        return bool(game.frame.asked) and special(game).proposal is not None

    def asks(self, game: Game) -> Text:
        """Who proposes what."""
        proposal = special(game).proposal
        if proposal is None:
            return ""
        name = game.state.name
        return said(
            "agree with {by} to: {proposal}? Agree or refuse", name(proposal.by), described(game, proposal, name)
        )

    def options(self, game: Game) -> Iterator[Action]:
        return (Answer(player, agree) for player in game.frame.asked for agree in (True, False))

    def check(self, game: Game, action: Answer) -> None:
        if action.by not in game.frame.asked:
            raise NotYourTurn("The proposal was made to another player.", "1820 §10.1")

    def apply(self, game: Game, action: Answer) -> None:
        """One refusal is enough."""
        player = PlayerId(action.by)
        game.tell("{by} agrees." if action.agree else "{by} refuses.", player)
        game.frame.asked.remove(player)
        if not action.agree:
            special(game).proposal = None
            game.frame.asked = []


def execute(executors: Mapping[type[Action], Execute]) -> Callable[[Game], None]:
    """A deed that does what everybody has agreed to."""

    def deed(game: Game) -> None:
        proposal = special(game).proposal
        special(game).proposal = None
        if proposal is not None:
            game.state.flow.pop()
            try:
                executors[type(proposal)](game, proposal)
            except Rejected as refusal:
                raise ValueError(f"agreed to, but not possible: {refusal}") from refusal

    return deed

"""Consent: what one player proposes and others must agree to, all asked at once, all or nothing (1820 §10.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.engine import (
    CompanyId,
    Message,
    NotYourTurn,
    Owner,
    PlayerId,
    Rejected,
    Text,
    Value,
    join_and,
    join_values,
    msg,
)
from bot.engine.notation import format_action, format_train, hex_name
from bot.engine.play import Game
from bot.engine.state import Action, Answer, BuyTrain

from .actions import AssignTrain, FloatCompany, IncreaseShares, Purchase, RequestShare
from .companies import player_of, price
from .events import Proposed
from .state import Proposal, title_state

Execute = Callable[["Game", Any], None]


def propose(game: Game, action: Proposal, parties: Sequence[Owner]) -> None:
    """Ask the players behind these owners, except the proposer; without any, execute the proposal immediately."""
    proposer = game.controller_of(action.by)
    players = dict.fromkeys(player_of(game, owner) for owner in parties)
    asked = [player for player in players if player is not None and player != proposer]
    title_state(game).proposal = action
    game.push("consent", None, asked=asked)
    if asked:
        game.emit(Proposed(action.by, format_proposal(action), tuple(asked)))


def format_proposal(proposal: Proposal) -> str:
    """`float LSR 5 at 65 on G7=150/0 to @2:1 @1:1`"""
    return format_action(proposal).partition(" ")[2]


def describe_proposal(game: Game, proposal: Action, called: Callable[[Owner], Value]) -> Message:
    """The proposal in words. `called` names the owners in it."""
    match proposal:
        case RequestShare(holder=holder, company=company):
            told = "buy a share of {company} from {holder} for £{price}"
            return msg(told, company, called(holder), price(game, company))
        case BuyTrain(kind=kind, source=source):
            return msg("buy {train} from {source} for £{price}", format_train(kind), called(source), proposal.price)
        case AssignTrain(kind=kind, holder=holder):
            return msg("take over {holder}'s future {kind} train", called(holder), kind)
        case FloatCompany(company=company, shares=shares):
            places = join_and(hex_name(game, station.hex) for station in proposal.stations)
            told = "start {company} with {shares} shares at £{price} on {places}, sold to: {buyers}"
            return msg(told, company, shares, proposal.price, places, format_buyers(proposal.sales, called))
        case IncreaseShares(shares=shares, sales=sales):
            at = proposal.price or price(game, CompanyId(proposal.by))
            return msg(
                "grow to {shares} shares at £{price}, sold to: {buyers}",
                shares,
                at,
                format_buyers(sales, called),
            )
    raise TypeError(f"{proposal} is no proposal")


def format_buyers(sales: Sequence[Purchase], called: Callable[[Owner], Value]) -> Message:
    """`Ann 2, BI 1`"""
    return join_values(", ", (join_values(" ", (called(sale.buyer), sale.shares)) for sale in sales))


def price_offered(game: Game, player: PlayerId) -> int | None:
    """The money an asked player would get: for a train, for a share, for their company by the winning bid; negative for
    the price of shares of a new or growing company that they and their cousins would pay.
    """
    memory = title_state(game)
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
    """All players who are asked agree, or nothing happens."""

    name: str = "agree to the proposal or refuse"
    verbs: tuple[type[Action], ...] = (Answer,)

    def opens(self, game: Game) -> bool:
        return bool(game.frame.asked) and title_state(game).proposal is not None

    def prompt(self, game: Game) -> Text:
        proposal = title_state(game).proposal
        if proposal is None:
            return ""
        name = game.state.name
        return msg(
            "agree with {by} to: {proposal}? Agree or refuse",
            name(proposal.by),
            describe_proposal(game, proposal, name),
        )

    def options(self, game: Game) -> Iterator[Action]:
        return (Answer(player, agree) for player in game.frame.asked for agree in (True, False))

    def check(self, game: Game, action: Answer) -> None:
        if action.by not in game.frame.asked:
            raise NotYourTurn("The proposal was made to another player.", "1820 §10.1")

    def apply(self, game: Game, action: Answer) -> None:
        player = PlayerId(action.by)
        game.log("{by} agrees." if action.agree else "{by} refuses.", player)
        game.frame.asked.remove(player)
        if not action.agree:
            title_state(game).proposal = None
            game.frame.asked = []


def execute(executors: Mapping[type[Action], Execute]) -> Callable[[Game], None]:
    """A plan action that executes what everybody has agreed to."""

    def deed(game: Game) -> None:
        proposal = title_state(game).proposal
        title_state(game).proposal = None
        if proposal is not None:
            game.state.flow.pop()
            try:
                executors[type(proposal)](game, proposal)
            except Rejected as refusal:
                raise ValueError(f"agreed to, but not possible: {refusal}") from refusal

    return deed

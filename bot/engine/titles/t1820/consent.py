"""Consent: what one player proposes and others must agree to, all asked at once, all or nothing (1820 §10.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.engine.data.actions import Action, Answer, BuyTrain
from bot.engine.ids import CompanyId, Owner, PlayerId
from bot.engine.play.game import Game
from bot.engine.refusals import NotYourTurn, Refusal
from bot.engine.said import Text, said, verbatim
from bot.engine.words.text import text_of

from .actions import AskForShare, FloatCompany, IncreaseShares
from .companies import player_of, price
from .events import Proposed
from .special import Proposal, special

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
    return price(game, memory.proposal.company) if isinstance(memory.proposal, AskForShare) else None


@dataclass(frozen=True)
class Consent:
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
        by, names = game.state.name(proposal.by), game.state.names
        words = verbatim(proposed(proposal)).shown(lambda value: names.get(value, value), str)
        return said("agree with {by} to: {proposal}? Agree or refuse", by, words)

    def options(self, game: Game) -> Iterator[Action]:
        return (Answer(player, agree) for player in game.frame.asked for agree in (True, False))

    def check(self, game: Game, action: Answer) -> None:
        if action.by not in game.frame.asked:
            raise NotYourTurn("The proposal is made to somebody else.", "1820 §10.1")

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
            except Refusal as refusal:
                raise ValueError(f"agreed to, but not possible: {refusal}") from refusal

    return deed

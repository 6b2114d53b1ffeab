"""Taking back what one has proposed, while it waits for others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from bot.engine import IllegalMove, Owner, PlayerId
from bot.engine.play import Game
from bot.engine.state import Action, ProposalWithdrawn, Withdraw


@dataclass(frozen=True)
class WithdrawOffer:
    """A player waiting for the consent of others may withdraw the proposal at any time.

    `pending(game)` is the owner for whom it was proposed, None when nothing waits; `forget(game)` removes the proposal,
    which closes the question.
    """

    pending: Callable[[Game], Owner | None]
    forget: Callable[[Game], None]
    name: str = "withdraw the proposal"
    verbs: tuple[type[Action], ...] = (Withdraw,)

    def opens(self, game: Game) -> bool:
        return self._proposer(game) is not None

    def _proposer(self, game: Game) -> PlayerId | None:
        owner = self.pending(game)
        return None if owner is None else game.controller_of(owner)

    def options(self, game: Game) -> Iterator[Action]:
        proposer = self._proposer(game)
        if proposer is not None:
            yield Withdraw(proposer)

    def check(self, game: Game, action: Withdraw) -> None:
        if action.by != self._proposer(game):
            raise IllegalMove("Only the player who made a proposal can withdraw it.")

    def apply(self, game: Game, action: Withdraw) -> None:
        self.forget(game)
        game.emit(ProposalWithdrawn(PlayerId(action.by)))


def offer_maker(game: Game) -> Owner | None:
    """The owner that has asked another owner for a train or a private."""
    return None if game.state.offer is None else game.state.offer.by


def forget_offer(game: Game) -> None:
    game.state.offer = None


def proposal_withdrawal(special: Callable[[Game], Any]) -> WithdrawOffer:
    """For a `proposal` in a title's own record: it may be made again then, or another proposal."""

    def pending(game: Game) -> Owner | None:
        proposal = special(game).proposal
        return None if proposal is None else proposal.by

    def forget(game: Game) -> None:
        special(game).proposal = None

    return WithdrawOffer(pending, forget)


OFFER_WITHDRAWAL = WithdrawOffer(offer_maker, forget_offer)
"""Withdraws what `State.offer` holds."""

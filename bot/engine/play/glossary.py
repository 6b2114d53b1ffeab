"""The purpose of components, in plain words: for people who have never opened the box."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bot.engine import CompanyId, Owner, PlayerId, Text, msg
from bot.engine.state import Event

from .holdings import has_phase_begun

if TYPE_CHECKING:
    from .game import Game


@dataclass(frozen=True)
class AuctionLot:
    """Something that is for sale, or will be: the lowest price now, the leading bid and its bidder, the other bids that
    still wait.

    `later` says when it comes; a lot without it can be had now.
    """

    sign: Owner
    price: int
    leader: PlayerId | None = None
    bid: int = 0
    later: Text = ""
    waiting: Mapping[PlayerId, int] = field(default_factory=dict)

    def bid_of(self, player: PlayerId) -> int:
        """The player's bid on it that still counts; 0 without."""
        return self.bid if self.leader == player else self.waiting.get(player, 0)


def unowned_privates(game: Game) -> Iterable[AuctionLot]:
    for private in game.state.privates.values():
        if private.owner is None and not private.closed:
            phase = game.title.privates[private.id].available_from
            later: Text = msg("from phase {phase} on", msg(phase)) if phase and not has_phase_begun(game, phase) else ""
            yield AuctionLot(private.id, private.price, later=later)


@dataclass(frozen=True)
class Glossary:
    """Sentences with their sections: of privates by the letters with which their signs begin, of companies by sign or by
    kind, of trains by name, of `steps` by the name of the decision: how it goes on, where that is not plain.

    `lots` are the privates and companies that are sold by auction, those to be had now first; `starts` says of a
    company that is not sold so and that nobody can start yet when it begins. `echoes` are events that only say which
    move was made. `by_itself` are events between turns that come after any move. `several` are sentences about several
    things alike, by the sentence about one thing: `{company} goes.`, `{every_company} go.` `terms`
    explain the words that only this title uses; each begins with its word.
    """

    privates: Mapping[str, Text] = field(default_factory=dict)
    companies: Mapping[str, Text] = field(default_factory=dict)
    trains: Mapping[str, Text] = field(default_factory=dict)
    steps: Mapping[str, Text] = field(default_factory=dict)
    lots: Callable[[Game], Iterable[AuctionLot]] = unowned_privates
    starts: Callable[[Game, CompanyId], Text] = lambda game, company: ""
    echoes: tuple[type[Event], ...] = ()
    by_itself: tuple[type[Event], ...] = ()
    several: Mapping[str, str] = field(default_factory=dict)
    terms: tuple[Text, ...] = ()

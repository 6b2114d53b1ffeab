"""The data of a game of 18GB beyond the shared state."""

from __future__ import annotations

from msgspec import Struct

from bot.engine import CompanyId, HexId, PlayerId, PrivateId
from bot.engine.play import Game, title_state_getter

from .components import LNWR, LONDON_AND_BIRMINGHAM, SCENARIOS, Scenario


class HighestBid(Struct):
    player: PlayerId
    price: int


class State18GB(Struct):
    """`scenario` names the contents of the game; `second_tier` companies can be started from the second stock round on;
    `bids` are the highest bids by private; `has_won` the players who have bought a private; `insolvent` the
    companies that lease; `green_hexes` the hexes where a company may lay a green city besides its home;
    `train_bought` whether the bank has sold a train in this operating round; `last_trains` whether an operating
    round has ended with two trains or fewer.
    """

    scenario: str = ""
    second_tier: list[CompanyId] = []
    bids: dict[PrivateId, HighestBid] = {}
    has_won: list[PlayerId] = []
    insolvent: list[CompanyId] = []
    green_hexes: dict[CompanyId, list[HexId]] = {}
    train_bought: bool = False
    last_trains: bool = False


title_state = title_state_getter(State18GB)


def scenario(game: Game) -> Scenario:
    return SCENARIOS[title_state(game).scenario]


def is_small(game: Game, company: CompanyId) -> bool:
    """Whether the company has five shares."""
    return len(game.state.companies[company].certificates) == len(game.title.companies[company].certificates)


def lnwr_keeper(game: Game) -> PlayerId | None:
    """The owner of the London & Birmingham, while LNWR has not been started: only they may start it, and nothing
    else.
    """
    record, private = game.state.companies.get(LNWR), game.state.privates.get(LONDON_AND_BIRMINGHAM)
    if record is None or private is None or record.par is not None or private.owner is None:
        return None
    return PlayerId(private.owner)

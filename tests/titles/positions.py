"""What the small built positions of all titles need."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bot.engine.ids import (
    BANK,
    DEPOT,
    IPO,
    REMOVED,
    CompanyId,
    HexId,
    Owner,
    PlayerId,
    PrivateId,
    TileId,
    TrainId,
    as_company,
    as_private,
)
from bot.engine.notation.text import parse_words
from bot.engine.play.game import Game
from bot.engine.refusals import Rejected
from bot.engine.state.actions import Action
from bot.engine.state.events import Event
from bot.engine.state.state import (
    Company,
    Frame,
    OperatingRoundMemory,
    Round,
    StockRoundMemory,
    StockTurnMemory,
    Train,
    TurnMemory,
)
from tests.rearrangement import rearrange


def company(name: str) -> CompanyId:
    """A company's id."""
    return as_company(name)


def as_player(name: str) -> PlayerId:
    """A seat's text (`@1`) as the player on it."""
    return PlayerId(Owner(name))


def private(name: str) -> PrivateId:
    """A private's id."""
    return as_private(name)


# -- money, shares, trains ----------------------------------------------------------------------------


def set_cash(game: Game, owner: str, amount: int) -> None:
    """Give an owner exactly this sum; the bank takes the difference."""
    game.state.cash[BANK] += game.state.cash[Owner(owner)] - amount
    game.state.cash[Owner(owner)] = amount


def cash(game: Game, owner: str) -> int:
    """An owner's money."""
    return game.state.cash[Owner(owner)]


def deal(game: Game, name: str, director: str | None, shares: dict[str, int]) -> Company:
    """A company's director's certificate and these further single shares in hands."""
    record = game.company(Owner(name))
    if director:
        rearrange(game, record.certificates[0], owner=Owner(director))
    free = [certificate for certificate in record.certificates[1:] if certificate.owner == IPO]
    for owner, number in shares.items():
        for _ in range(number):
            rearrange(game, free.pop(0), owner=Owner(owner))
    return record


def give_train(game: Game, name: str, kind: str) -> Train:
    """A further card of that kind."""
    family = game.title.trains[kind].family
    train = Train(TrainId(f"{family}-{90 + len(game.state.trains)}"), family, kind, Owner(name))
    game.state.trains.insert(0, train)
    return train


# -- the map ------------------------------------------------------------------------------------------


def lay(game: Game, *tiles: tuple[str, str, int]) -> Game:
    """Put tiles (number, space, rotation) on the map, whatever the rules say."""
    for tile, hex_id, rotation in tiles:
        game.board_rules.lay(game.state.board, TileId(tile), HexId(hex_id), rotation)
    game.board_changed()
    return game


def token(game: Game, name: str, hex_id: str, city: int = 0) -> None:
    """A token of a company on the map."""
    game.state.board.place_token(HexId(hex_id), city, company(name))
    game.board_changed()


# -- where play stands ----------------------------------------------------------------------------------


def settled(game: Game) -> Game:
    """The books are right, play has come to a decision, and a fresh list of events begins."""
    game.board_changed()
    game.state.money = sum(game.state.cash.values())
    game.advance()
    game.events = []
    return game


def in_stock_turn(game: Game, player: str, number: int, after: int) -> Game:
    """A player's turn in a stock round, after which the game goes on at the place `after` of its plan."""
    game.state.round = Round("stock", number)
    turns = game.state.order.index(as_player(player)) + 1
    game.state.flow = [
        Frame("game", None, after),
        Frame("stock round", None, 0, memory=StockRoundMemory(turns=turns)),
        Frame("stock turn", Owner(player), 0, memory=StockTurnMemory()),
    ]
    return settled(game)


def in_company_turn(
    game: Game,
    name: str,
    step: int,
    after: int,
    revenue: int | None = None,
    is_last: bool = True,
    part: int = 1,
    of: int = 2,
) -> Game:
    """A company's operating turn at a place of its plan, the last one of the round or not; its trains have earned `revenue`."""
    game.state.round = Round("operating", 2, part, of)
    game.state.flow = [
        Frame("game", None, after),
        Frame("operating round", None, 2 if is_last else 1, memory=OperatingRoundMemory(done=[company(name)])),
        Frame("company turn", Owner(name), step, memory=TurnMemory(revenue=revenue)),
    ]
    return settled(game)


def empty_depot(game: Game, families: Sequence[str], first: str) -> None:
    """Take all trains out of the game that come before a family."""
    older = families[: families.index(first)]
    for train in game.state.trains:
        if train.owner == DEPOT and train.family in older:
            rearrange(game, train, owner=REMOVED)


# -- moves --------------------------------------------------------------------------------------------


def act(game: Game, *texts: str) -> list[Event]:
    """Make moves written as text; the books stay right. Returns everything that happened."""
    events: list[Event] = []
    for text in texts:
        events += game.apply(parse_words(game.title, text.split()))
        broken = game.audit()
        assert not broken, broken
    return events


def refusal(game: Game, move: str | Action) -> Rejected:
    """What stands against the move, which must change nothing."""
    before = game.encode()
    with pytest.raises(Rejected) as caught:
        game.apply(parse_words(game.title, move.split()) if isinstance(move, str) else move)
    assert game.encode() == before
    assert caught.value.sentence
    return caught.value


def refused(game: Game, move: str | Action, section: str | None = None) -> str:
    """The sentence of the refusal, which must quote the section (None: some section of the title) and change nothing."""
    found = refusal(game, move)
    assert (game.title.id if section is None else section) in found.rule, (found.rule, found.sentence)
    return found.sentence

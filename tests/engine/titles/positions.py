"""What the small built positions of all titles need."""

from __future__ import annotations

import pytest

from bot.engine.data.actions import Action
from bot.engine.data.events import Event
from bot.engine.data.state import Company, Train
from bot.engine.ids import BANK, IPO, CompanyId, HexId, Owner, PrivateId, TileId, TrainId, as_company, as_private
from bot.engine.play.game import Game
from bot.engine.refusals import Refusal
from bot.engine.words.text import parse


def company(name: str) -> CompanyId:
    """A company's id."""
    return as_company(name)


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
        record.certificates[0].owner = Owner(director)
    free = [certificate for certificate in record.certificates[1:] if certificate.owner == IPO]
    for owner, number in shares.items():
        for _ in range(number):
            free.pop(0).owner = Owner(owner)
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
        game.land.lay(game.state.board, TileId(tile), HexId(hex_id), rotation)
    game.board_changed()
    return game


def token(game: Game, name: str, hex_id: str, city: int = 0) -> None:
    """A token of a company on the map."""
    game.state.board.place_token(HexId(hex_id), city, company(name))
    game.board_changed()


# -- moves --------------------------------------------------------------------------------------------


def act(game: Game, *texts: str) -> list[Event]:
    """Make moves written as text; the books stay right. Returns everything that happened."""
    events: list[Event] = []
    for text in texts:
        events += game.apply(parse(game.title, text.split()))
        broken = game.audit()
        assert not broken, broken
    return events


def refusal(game: Game, move: str | Action) -> Refusal:
    """What stands against the move, which must change nothing."""
    before = game.encode()
    with pytest.raises(Refusal) as caught:
        game.apply(parse(game.title, move.split()) if isinstance(move, str) else move)
    assert game.encode() == before
    assert caught.value.sentence
    return caught.value


def refused(game: Game, move: str | Action, section: str | None = None) -> str:
    """The sentence of the refusal, which must quote the section (None: some section of the title) and change nothing."""
    found = refusal(game, move)
    assert (game.title.id if section is None else section) in found.rule, (found.rule, found.sentence)
    return found.sentence

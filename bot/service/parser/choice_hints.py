"""Texts beside a choice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any

import msgspec

from bot.engine import CompanyId, HexId, TileId, msg
from bot.engine.notation.messages import money
from bot.engine.play.game import Game
from bot.engine.play.holdings.market import price_of
from bot.engine.state.actions import Action, BuyPrivate, BuyTrain, LayTile
from bot.i18n import tr

from .suggestions import short_text
from .vocabulary import DETAILS, default_actor


def words_in_common(game: Game, alike: Sequence[Action], beside: Sequence[Action]) -> str:
    """The words with which the texts of some moves go on alike, after those they share with all the others beside
    them.
    """
    actor = default_actor(game)

    def shared_words(actions: Sequence[Action]) -> list[str]:
        every = zip(*(short_text(game, action, actor).split() for action in actions), strict=False)
        return [words[0] for words in takewhile(lambda words: len(set(words)) == 1, every)]

    own = shared_words(alike)
    told = own[min(len(shared_words(beside)), len(own) - 1) :]
    while len(told) > 1 and told[-1] in DETAILS:
        told.pop()
    return " ".join(told)


def now_on(game: Game, hex_id: HexId) -> str:
    """The tile on a hex, and the cost of building there first."""
    laid, space = game.state.board.tiles.get(hex_id), game.board_rules.map.hexes[hex_id]
    if laid:
        return tr("{colour} tile {tile}", msg(game.tile_at(hex_id).colour), laid.tile)
    if not space.cost:
        return tr("nothing laid yet")
    return f"{', '.join(map(tr, space.terrains or ('terrain',)))} {money(game, space.cost)}"


def tile_note(game: Game, tile: TileId, alike: Sequence[Action]) -> str:
    """Its colour, the number left, and the number of ways to lay it."""
    left = game.board_rules.tiles_left(game, tile)
    ways_to_lie = len({value_of(action, "rotation") for action in alike if isinstance(action, LayTile)})
    number = tr("any number left") if left is None else tr("{left} left", left)
    ways = tr("{number} rotation" if ways_to_lie == 1 else "{number} rotations", ways_to_lie)
    return f"{tr(game.board_rules.tiles[tile].colour)}, {number}, {ways}"


def company_note(game: Game, company: CompanyId, alike: Sequence[Action]) -> str:
    """Its present price; for shares how many may be traded."""
    record = game.company(company)
    if record.position is None:
        return tr(game.title.companies[company].name)
    most = max((getattr(action, "shares", 1) for action in alike), default=1)
    share = tr(", up to {most}", most) if most > 1 else ""
    return f"{game.title.companies[company].name}, {money(game, price_of(game, company))}{share}"


def prices(game: Game, actions: Sequence[Action]) -> Iterator[str]:
    for action in actions:
        if isinstance(action, BuyTrain | BuyPrivate):
            yield money(game, action.price)


def value_of(action: Action, field: str) -> Any:
    """A field's value in a form that can be compared."""
    value = getattr(action, field)
    return value if value is None or isinstance(value, str | int) else msgspec.json.encode(value)

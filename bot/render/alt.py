"""Alt text: the facts of a picture in at most 1024 characters."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bot.engine.certificates import certificates_said
from bot.engine.game import Game
from bot.engine.ids import DEPOT, HexId
from bot.engine.market import price_of
from bot.engine.narration import question, where
from bot.engine.routes.model import Route

LONGEST = 1024


def cut(text: str) -> str:
    """The text, shortened to what Discord takes."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"


def map_alt(game: Game, changed: Collection[HexId]) -> str:
    """Where tokens lie and what changed."""
    places = game.land.map.hexes
    words = [f"Map of {game.title.name}. {where(game)}. {question(game)}"]
    if changed:
        tiles = (f"{hex_id} {places[hex_id].name} {_tile(game, hex_id)}".replace("  ", " ") for hex_id in changed)
        words.append(f"Changed: {', '.join(tiles)}.")
    for company in game.state.companies.values():
        tokens = [hex_id for hex_id, _ in game.state.board.places_of(company.id)]
        if tokens:
            words.append(f"{company.id} tokens: {', '.join(tokens)}.")
    words.append(f"Tiles: {', '.join(f'{hex_id} {_tile(game, hex_id)}' for hex_id in game.state.board.tiles)}.")
    return cut(" ".join(words))


def _tile(game: Game, hex_id: HexId) -> str:
    laid = game.state.board.tiles.get(hex_id)
    return f"{laid.tile}/{laid.rotation}" if laid else ""


def market_alt(game: Game) -> str:
    """Prices, then every player's cash, certificates and worth."""
    money = game.title.currency
    words = [f"Stock market of {game.title.name}. {where(game)}."]
    prices = [
        f"{company.id} {money}{price_of(game, company.id)}"
        for company in game.state.companies.values()
        if company.position is not None
    ]
    words.append(f"Prices: {', '.join(prices)}.")
    for player in game.state.players:
        words.append(
            f"{player.name}: {money}{game.state.cash[player.id]}, {certificates_said(game, player.id)} "
            f"certificates, worth {money}{game.title.rules.worth(game, player.id)}."
        )
    families: dict[str, int] = {}
    for train in game.state.trains:
        if train.owner == DEPOT:
            families[train.family] = families.get(train.family, 0) + 1
    words.append(f"Trains left: {', '.join(f'{number} x {family}' for family, number in families.items())}.")
    return cut(" ".join(words))


def routes_alt(game: Game, routes: Sequence[Route]) -> str:
    """Every train's stops and revenue."""
    lines = (f"{route.train}: {' - '.join(stop.hex for stop in route.stops)} = {route.revenue}" for route in routes)
    return cut(f"Routes, {sum(route.revenue for route in routes)} in all. {'; '.join(lines)}.")

"""Alt text: the facts of a picture in at most 1024 characters, a line a fact."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from bot.engine.holdings.certificates import certificates_said
from bot.engine.holdings.market import price_of
from bot.engine.holdings.trains import left_in_depot
from bot.engine.ids import HexId
from bot.engine.play.game import Game
from bot.engine.routes.revenue.model import Route
from bot.engine.words.narration import money, question, where
from bot.language import say

LONGEST = 1024
LEAST = 20
"""So many characters of a line at least are worth showing."""


def cut(lines: Iterable[str]) -> str:
    """As many of these lines as Discord takes; one that is too long ends at a word."""
    kept = ""
    for line in lines:
        room = LONGEST - len(kept) - 3
        if len(line) > room:
            part = line[: max(0, room)].rpartition(" ")[0]
            return f"{kept}\n{part} …".lstrip() if len(part) > LEAST or not kept else f"{kept} …"
        kept = f"{kept}\n{line}".lstrip()
    return kept


def map_alt(game: Game, changed: Collection[HexId]) -> str:
    """Where tokens lie and what changed."""
    places = game.land.map.hexes
    lines = [say("Map of {name}.", game.title.name), say(where(game)), say(question(game))]
    if changed:
        tiles = (f"{hex_id} {places[hex_id].name} {_tile(game, hex_id)}".replace("  ", " ") for hex_id in changed)
        lines.append(say("Changed: {tiles}.", ", ".join(tiles)))
    for company in game.state.companies.values():
        tokens = [hex_id for hex_id, _ in game.state.board.cities_of(company.id)]
        if tokens:
            lines.append(say("{id} tokens: {tokens}.", company.id, ", ".join(tokens)))
    if laid := ", ".join(f"{hex_id} {_tile(game, hex_id)}" for hex_id in game.state.board.tiles):
        lines.append(say("Tiles laid: {what}.", laid))
    return cut(lines)


def _tile(game: Game, hex_id: HexId) -> str:
    laid = game.state.board.tiles.get(hex_id)
    return f"{laid.tile}/{laid.rotation}" if laid else ""


def market_alt(game: Game) -> str:
    """Prices, then every player's cash, certificates and worth."""
    lines = [say("Stock market of {name}.", game.title.name), say(where(game))]
    prices = [
        f"{company.id} {money(game, price_of(game, company.id))}"
        for company in game.state.companies.values()
        if company.position is not None
    ]
    if prices:
        lines.append(say("Prices: {prices}.", ", ".join(prices)))
    for player in game.state.players:
        worth = money(game, game.title.rules.worth(game, player.id))
        lines.append(
            say(
                "{name}: {money}, {id} certificates, worth {worth}.",
                player.name,
                money(game, game.state.cash[player.id]),
                certificates_said(game, player.id),
                worth,
            )
        )
    lines += map(say, game.title.look.charts_told(game))
    left = left_in_depot(game).items()
    lines.append(say("Trains left: {what}.", ", ".join(f"{number} x {family}" for family, number in left)))
    return cut(lines)


def routes_alt(game: Game, routes: Sequence[Route]) -> str:
    """Every train's stops and revenue."""
    lines = [f"{route.train}: {' - '.join(stop.hex for stop in route.stops)} = {route.revenue}" for route in routes]
    return cut([say("Routes, {what} in all.", sum(route.revenue for route in routes)), *lines])

"""Alt text: the facts of a picture in at most 1024 characters, a line a fact."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from bot.engine import HexId
from bot.engine.notation import money, question, round_and_phase
from bot.engine.play import Game
from bot.engine.routes.revenue import Route
from bot.i18n import tr

LONGEST = 1024
LIST = 300
"""A longer line is a list: the first of its items are worth showing without the others."""


def truncate_alt_text(lines: Iterable[str]) -> str:
    """As many of these lines as Discord takes, what matters most first: a line is whole, or a list without its last items."""
    kept = ""
    for line in lines:
        room = LONGEST - len(kept) - len("\n, …")
        if len(line) > room:
            items = line[: max(0, room)].rpartition(", ")[0] if len(line) > LIST else ""
            return f"{kept}\n{items}, …".lstrip() if items else f"{kept}\n…"
        kept = f"{kept}\n{line}".lstrip()
    return kept


def map_alt(game: Game, changed: Collection[HexId], seen: Collection[HexId] = ()) -> str:
    """Tokens and tiles on the map and what changed; for a part of the map, only the hexes that are seen."""
    places, seen = game.board_rules.map.hexes, seen or game.board_rules.map.hexes
    lines = [tr("Map of {name}.", game.title.name), tr(round_and_phase(game)), tr(question(game))]
    if changed:
        tiles = (" ".join(f"{hex_id} {places[hex_id].name} {_tile(game, hex_id)}".split()) for hex_id in changed)
        lines.append(tr("Changed: {tiles}.", ", ".join(tiles)))
    for company in game.state.companies.values():
        tokens = [hex_id for hex_id, _ in game.state.board.cities_of(company.id) if hex_id in seen]
        if tokens:
            lines.append(tr("{company} tokens: {tokens}.", company.id, ", ".join(tokens)))
    if laid := ", ".join(f"{hex_id} {_tile(game, hex_id)}" for hex_id in game.state.board.tiles if hex_id in seen):
        lines.append(tr("Tiles laid: {what}.", laid))
    return truncate_alt_text(lines)


def _tile(game: Game, hex_id: HexId) -> str:
    laid = game.state.board.tiles.get(hex_id)
    return f"{laid.tile}/{laid.rotation}" if laid else ""


def routes_alt(game: Game, routes: Sequence[Route]) -> str:
    """The company running trains, and each train's stops and revenue."""
    return truncate_alt_text([routes_total(game, routes), *(" ".join(route_words(game, route)) for route in routes)])


def routes_total(game: Game, routes: Sequence[Route]) -> str:
    owner = next((train.owner for route in routes for train in game.state.trains if train.id == route.train), "")
    total = tr("Routes, {revenue} in all.", money(game, sum(route.revenue for route in routes)))
    return f"{owner}: {total}" if owner else total


def route_words(game: Game, route: Route) -> list[str]:
    """`3+: H11 – H9 = 90 (40 stops + 50 K-K)`, where it may be broken: the train's kind, since its number is for moves."""
    kind = next((train.kind for train in game.state.trains if train.id == route.train), route.train)
    parts = " + ".join(f"{amount} {tr(name)}" for name, amount in route.parts)
    stops = [f"{stop.hex} –" for stop in route.stops[:-1]] + [stop.hex for stop in route.stops[-1:]]
    return [f"{kind}:", *stops, f"= {route.revenue}{f' ({parts})' if len(route.parts) > 1 else ''}"]

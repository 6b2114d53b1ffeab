"""Which pictures there are, by name."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import replace

from bot.engine import CompanyId, HexId, IllegalMove, PlayerId
from bot.engine.board import find_tiles
from bot.engine.notation import parse_action
from bot.engine.play import Game
from bot.engine.play.steps import best_set, route_problem, routes_of
from bot.engine.routes.revenue import Route
from bot.engine.state import RunRoutes
from bot.i18n import tr

from .picture_kinds import PictureKind
from .scenes.choice import choice_scene
from .scenes.map import map_scene
from .scenes.market import market_scene
from .scenes.panels import panels_scene
from .scenes.sheet import company_scene, player_scene
from .scenes.tiles import tiles_scene
from .shapes import Scene


def scene_of(game: Game, kind: str, changed: Collection[HexId] = (), subject: str = "") -> Scene:
    """The scene of that kind. `subject` is a company for `routes` and `company` (`routes` are the best routes unless a
    second line has others as an exact move), a name for `player`, hexes or a company for `crop` (without a subject it
    shows what changed, as `news` do for the latest of it), exact moves in lines for `choices`, colours or numbers of
    tiles for `tiles`.

    :raises IllegalMove: no such picture.
    """
    if kind == PictureKind.MAP:
        return map_scene(game, changed)
    if kind == PictureKind.MARKET:
        return market_scene(game)
    if kind == PictureKind.ROUTES:
        return replace(map_scene(game, changed, _routes(game, subject)), name="routes")
    if kind == PictureKind.CROP and (subject or not changed):
        return map_scene(game, changed, around=_hexes(game, subject) or set(changed))
    if kind in (PictureKind.CROP, PictureKind.NEWS):
        return panels_scene(game, list(changed), kind == PictureKind.NEWS)
    if kind == PictureKind.COMPANY:
        return company_scene(game, _company(game, subject))
    if kind == PictureKind.PLAYER:
        return player_scene(game, _player(game, subject))
    if kind == PictureKind.CHOICES:
        return choice_scene(game, subject.splitlines())
    if kind == PictureKind.TILES:
        return _tiles(game, subject)
    raise IllegalMove("There is no picture {name}; the pictures are: {kinds}.", "", kind, ", ".join(PictureKind))


def _routes(game: Game, subject: str) -> list[Route]:
    sign, _, text = subject.partition("\n")
    company = _company(game, sign or str(game.frame.entity or ""))
    action = parse_action(game.title, text) if text else None
    if isinstance(action, RunRoutes):
        problem = route_problem(game, company)
        found = routes_of(problem, action)
    else:
        found = best_set(game, company, clock=time.monotonic)
    return [route for route in found.routes if route.stops]


def _company(game: Game, name: str) -> CompanyId:
    found = next((company for company in game.state.companies if company.lower() == name.lower()), None)
    if found is None:
        raise IllegalMove(
            "There is no company {name}; the companies are: {companies}.", "", name, ", ".join(game.state.companies)
        )
    return found


def _player(game: Game, name: str) -> PlayerId:
    for seat in game.state.players:
        if name.lower() in (seat.name.lower(), seat.id):
            return seat.id
    names = ", ".join(seat.name for seat in game.state.players)
    raise IllegalMove("There is no player {name}; the players are: {names}.", "", name, names)


def _tiles(game: Game, subject: str) -> Scene:
    land = game.board_rules
    tiles = find_tiles(land.tiles.values(), subject, tr)
    if not tiles:
        raise IllegalMove("There are no tiles {subject}.", "", subject)
    left = {tile.id: land.tiles_left(game, tile.id) for tile in tiles}
    return tiles_scene(tr("{name} · tiles left", game.title.name), tiles, left, land.map.layout.is_flat)


def _hexes(game: Game, subject: str) -> set[HexId]:
    known = game.board_rules.map.hexes
    words = subject.replace(",", " ").split()
    spaces = {HexId(word if word in known else word.upper()) for word in words}
    if spaces and spaces <= set(known):
        return spaces
    if subject:
        company = _company(game, subject)
        return {hex_id for hex_id, _ in game.state.board.cities_of(company)}
    return set()

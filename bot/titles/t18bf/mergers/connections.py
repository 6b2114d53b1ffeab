"""Which companies are connected, so that they may merge (18BF §12.3, §12.5, §12.6)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from bot.engine.board.track import Stop
from bot.engine.ids import CompanyId
from bot.engine.play.game import Game
from bot.titles.t18bf.components import LONDON


def are_connected(game: Game, members: Sequence[CompanyId]) -> bool:
    """Whether one of the companies can trace routes to each other one; their own stations do not block (§12.3)."""

    def found() -> bool:
        is_easy = any(_reaches_alone(game, hub, members) for hub in members)
        return is_easy or _are_joined(game, members, _full_of_others(game, members))

    return game.cached(("connected", frozenset(members)), found)


def blocking(game: Game, members: Sequence[CompanyId]) -> Mapping[Stop, Sequence[CompanyId]]:
    """Cities of which others hold every place, by whom, without which the companies would be connected; none where no track
    joins them."""

    def found() -> Mapping[Stop, Sequence[CompanyId]]:
        full = _full_of_others(game, members)
        needed = set(full) if _are_joined(game, members, ()) else set[Stop]()
        for stop in sorted(needed):
            if _are_joined(game, members, full.keys() - (needed - {stop})):
                needed.remove(stop)
        return {stop: full[stop] for stop in sorted(needed)}

    return game.cached(("blocking", frozenset(members)), found)


def _are_joined(game: Game, members: Sequence[CompanyId], full: Collection[Stop]) -> bool:
    """Whether one of them reaches all others, past all cities but the full ones."""
    return any(set(members) <= _traced(game, hub, members, full) for hub in members)


def _reaches_alone(game: Game, hub: CompanyId, members: Sequence[CompanyId]) -> bool:
    """Whether it reaches all others though their stations block it: it is found once for all groups, and mostly enough."""

    def reached() -> frozenset[Stop]:
        places, full = game.land.tokens_of(game, hub), _full_of_others(game, (hub,))
        return game.land.ground(game).network(places, full, keeps_apart=False).stops

    stops = game.cached(("reached alone", hub), reached)
    return all(not stops.isdisjoint(game.land.tokens_of(game, member)) for member in members)


def within_reach(game: Game, hub: CompanyId, others: Sequence[CompanyId]) -> list[CompanyId]:
    """Of the others those to which the company could trace a route if none of their stations blocked."""
    members = (hub, *others)
    key = ("reach", hub, frozenset(others))
    traced = game.cached(key, lambda: _traced(game, hub, members, _full_of_others(game, members)))
    return [other for other in others if other in traced]


def _traced(game: Game, hub: CompanyId, members: Sequence[CompanyId], full: Collection[Stop]) -> set[CompanyId]:
    """The members that the hub reaches where these cities are full, itself among them. Stations in London lie in one place
    (§12.3)."""
    places = {member: game.land.tokens_of(game, member) for member in members}
    in_london = [stop for stops in places.values() for stop in stops if stop.hex == LONDON]
    sources = list(places[hub])
    if any(stop.hex == LONDON for stop in sources):
        sources += in_london
    reached = game.land.ground(game).network(sources, full, keeps_apart=False).stops
    london = any(stop in reached for stop in in_london)
    return {
        member
        for member, stops in places.items()
        if any(stop in reached or (london and stop.hex == LONDON) for stop in stops)
    }


def _full_of_others(game: Game, members: Sequence[CompanyId]) -> dict[Stop, list[CompanyId]]:
    """Cities in which companies outside the merger hold every place, and which."""
    board, found = game.state.board, dict[Stop, list[CompanyId]]()
    for hex_id, cities in board.tokens.items():
        tile = game.land.tile_at(board, hex_id)
        for number, companies in enumerate(cities):
            others = [company for company in companies if company not in members]
            if others and len(others) >= tile.cities[number].slots:
                found[Stop(hex_id, tile.cities[number].id)] = others
    return found


def may_join(game: Game, minor: CompanyId, public: CompanyId) -> bool:
    """Whether the minor traces a legal route to a station of the public, or shares a linked city or London with it (§12.5)."""
    own, theirs = game.land.tokens_of(game, minor), game.land.tokens_of(game, public)
    if any(stop.hex == LONDON for stop in own) and any(stop.hex == LONDON for stop in theirs):
        return True
    return game.land.reaches(game, minor, lambda stop: stop in theirs)

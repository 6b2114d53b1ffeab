"""Which companies are connected, so that they may merge (18BF §12.3, §12.5, §12.6)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from bot.engine import CompanyId
from bot.engine.board import Stop
from bot.engine.play import Game
from bot.titles.t18bf.components import LONDON


def are_connected(game: Game, members: Sequence[CompanyId]) -> bool:
    """Whether one of the companies can trace routes to all others; their own stations do not block (§12.3)."""

    def is_one_network() -> bool:
        is_easy = any(_hub_reaches_all(game, hub, members) for hub in members)
        return is_easy or _are_joined(game, members, _full_of_others(game, members))

    return game.memoise(("connected", frozenset(members)), is_one_network)


def blocking_cities(game: Game, members: Sequence[CompanyId]) -> Mapping[Stop, Sequence[CompanyId]]:
    """Cities fully held by others that keep the companies from being connected, with the holders; none where no track
    joins the companies.
    """

    def blocking_companies() -> Mapping[Stop, Sequence[CompanyId]]:
        full = _full_of_others(game, members)
        needed = set(full) if _are_joined(game, members, ()) else set[Stop]()
        for stop in sorted(needed):
            if _are_joined(game, members, full.keys() - (needed - {stop})):
                needed.remove(stop)
        return {stop: full[stop] for stop in sorted(needed)}

    return game.memoise(("blocking", frozenset(members)), blocking_companies)


def _are_joined(game: Game, members: Sequence[CompanyId], full: Collection[Stop]) -> bool:
    """Whether one of them reaches all others, past all cities except full cities."""
    return any(set(members) <= _find_reachable(game, hub, members, full) for hub in members)


def _hub_reaches_all(game: Game, hub: CompanyId, members: Sequence[CompanyId]) -> bool:
    """Whether it reaches all others even if their stations block: cached for all groups, and usually sufficient."""

    def reachable() -> frozenset[Stop]:
        places, full = game.board_rules.tokens_of(game, hub), _full_of_others(game, (hub,))
        return game.board_rules.track_index(game).network(places, full, keeps_apart=False).stops

    stops = game.memoise(("reached unblocked", hub), reachable)
    return all(not stops.isdisjoint(game.board_rules.tokens_of(game, member)) for member in members)


def reachable_companies(game: Game, hub: CompanyId, others: Sequence[CompanyId]) -> list[CompanyId]:
    """The companies among `others` to which the hub could trace a route if none of their stations blocked."""
    members = (hub, *others)
    key = ("reach", hub, frozenset(others))
    traced = game.memoise(key, lambda: _find_reachable(game, hub, members, _full_of_others(game, members)))
    return [other for other in others if other in traced]


def _find_reachable(game: Game, hub: CompanyId, members: Sequence[CompanyId], full: Collection[Stop]) -> set[CompanyId]:
    """The members that the hub reaches if these cities are full, including itself. Stations in London are in a single
    place (§12.3).
    """
    places = {member: game.board_rules.tokens_of(game, member) for member in members}
    in_london = [stop for stops in places.values() for stop in stops if stop.hex == LONDON]
    sources = list(places[hub])
    if any(stop.hex == LONDON for stop in sources):
        sources += in_london
    reached = game.board_rules.track_index(game).network(sources, full, keeps_apart=False).stops
    london = any(stop in reached for stop in in_london)
    return {
        member
        for member, stops in places.items()
        if any(stop in reached or (london and stop.hex == LONDON) for stop in stops)
    }


def _full_of_others(game: Game, members: Sequence[CompanyId]) -> dict[Stop, list[CompanyId]]:
    """Cities whose places are all held by companies outside the merger, with those companies."""
    board, found = game.state.board, dict[Stop, list[CompanyId]]()
    for hex_id, cities in board.tokens.items():
        tile = game.board_rules.tile_at(board, hex_id)
        for number, companies in enumerate(cities):
            others = [company for company in companies if company not in members]
            if others and len(others) >= tile.cities[number].slots:
                found[Stop(hex_id, tile.cities[number].id)] = others
    return found


def may_join(game: Game, minor: CompanyId, public: CompanyId) -> bool:
    """Whether the minor traces a legal route to a station of the public, or shares a linked city or London with it (§12.5)."""
    own, theirs = game.board_rules.tokens_of(game, minor), game.board_rules.tokens_of(game, public)
    if any(stop.hex == LONDON for stop in own) and any(stop.hex == LONDON for stop in theirs):
        return True
    return game.board_rules.reaches(game, minor, lambda stop: stop in theirs)

"""The expected runs of a company's trains on the present board, and the stops that it reaches there."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from hashlib import blake2b
from typing import NamedTuple, TypeVar

from msgspec.json import encode

from bot.engine import CompanyId, PrivateId, TrainId
from bot.engine.board import Network
from bot.engine.play import Game
from bot.engine.routes.estimates import Estimates
from bot.engine.routes.revenue import RouteProblem, TrainSpec
from bot.engine.state import Company, Train

from .title_parameters import parameters_of

FOUND: dict[Hashable, int] = {}
"""Results of searches in this process; the result depends only on the key."""

MOST_FOUND = 50_000

MOST_BOARDS = 16
"""Number of most recently queried boards kept, each as one company sees it: the next query is usually about
one of these, with other trains.
"""

Key = TypeVar("Key", bound=Hashable)
Known = TypeVar("Known")


class RouteSight(NamedTuple):
    """A board as one company sees it: what stands for it, the problem there, and what a train of each kind can do there."""

    board: bytes
    problem: RouteProblem
    trains: Mapping[str, TrainSpec]


SIGHTS: dict[tuple[bytes, CompanyId], RouteSight] = {}
"""The most recently queried boards, by everything on them."""

BOARDS: dict[bytes, Estimates] = {}
"""Their known data, by the track within the company's reach."""


def is_running(game: Game, company: Company) -> bool:
    return not company.closed and game.memoise(
        ("has a place", company.id), lambda: any(True for _ in game.state.board.cities_of(company.id))
    )


def estimate_revenue(game: Game, company: CompanyId, kinds: tuple[str, ...]) -> int:
    if not kinds or not is_running(game, game.company(company)):
        return 0
    here = game.memoise(("here", game.state.phase, company), lambda: reach_fingerprint(game, company))
    key = (here, company, kinds)
    if key not in FOUND:
        if len(FOUND) >= MOST_FOUND:
            FOUND.clear()
        FOUND[key] = _cached_search(game, company, kinds, here)
    return FOUND[key]


def reach_fingerprint(game: Game, company: CompanyId) -> bytes:
    """Stands for all that routes may depend on, in few bytes: tens of thousands are kept. The network of its tokens
    remains the same until other track is laid there, or a city on the way is closed."""
    state, network = game.state, reach_upper_bound(game, company)
    marks = [getattr(state.special, name) for name in parameters_of(game).marks]
    told = (
        game.title.id,
        state.scenario,
        state.options,
        network.number,
        state.phase,
        marks,
        privates_at(game, company),
    )
    return blake2b(encode(told), digest_size=16).digest()


def privates_at(game: Game, company: CompanyId) -> tuple[tuple[PrivateId, bool], ...]:
    """Privates that may pay for the company's stops: its own, or its president's."""
    owners = (company, game.controller_of(company) if parameters_of(game).do_presidents_pay else None)
    privates = game.state.privates.values()
    return tuple((one.id, one.closed) for one in privates if one.owner is not None and one.owner in owners)


def _cached_search(game: Game, company: CompanyId, kinds: tuple[str, ...], here: bytes) -> int:
    """Searches again only if something within the company's reach has changed."""
    seen = get_or_find(SIGHTS, (here, company), lambda: sight(game, company))
    trains = tuple(replace(seen.trains[kind], id=f"{kind}-{number}") for number, kind in enumerate(kinds))
    key = blake2b(seen.board + encode(trains), digest_size=16).digest()
    if key not in FOUND:
        FOUND[key] = get_or_find(BOARDS, seen.board, lambda: Estimates(seen.problem)).revenue(trains)
    return FOUND[key]


def get_or_find(known: dict[Key, Known], key: Key, find: Callable[[], Known]) -> Known:
    """Evicts the least recently used entry."""
    found = known.pop(key, None) or find()
    if len(known) >= MOST_BOARDS:
        del known[next(iter(known))]
    known[key] = found
    return found


def sight(game: Game, company: CompanyId) -> RouteSight:
    kinds = game.title.trains
    trains = [Train(TrainId(kind), kinds[kind].family, kind, company) for kind in kinds]
    problem = game.title.rules.route_problem(game, company, trains)
    specs = dict(zip(kinds, problem.trains, strict=True))
    return RouteSight(board_fingerprint(game, company, problem), problem, specs)


def board_fingerprint(game: Game, company: CompanyId, problem: RouteProblem) -> bytes:
    """Stands for what routes of any trains of the company depend on: track, values and closed stops of what it reaches."""
    reached, tiles = reach_upper_bound(game, company), game.state.board.tiles
    track = [(space, tiles[space]) for space in sorted(reached.hexes) if space in tiles]
    values = [(stop, value) for stop, value in problem.values.items() if stop in reached.stops]
    ends = (problem.own, problem.blocked & reached.stops, problem.shared)
    bonuses = repr((problem.bonuses, problem.joint))
    told = encode((game.title.id, game.state.scenario, track, values, ends, bonuses))
    return blake2b(told, digest_size=16).digest()


def reach_upper_bound(game: Game, company: CompanyId) -> Network:
    """The company's reach, or more where cities are kept apart (18BF), for less work: it is needed on every board that
    is only tried."""
    land = game.board_rules
    return land.track_index(game).network(
        land.tokens_of(game, company), land.blocked_stops(game, company), keeps_apart=False
    )

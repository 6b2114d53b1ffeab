"""Invariants of every position and every run of every title, beyond the sum of money: `money.audit` and more.

Title rules have no place here: an invariant that one title breaks by its rules does not count. A title audits its own
data beside the shared state itself (`Title.audits`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from bot.engine import BANK, DEPOT, IPO, POOL, REMOVED, CompanyId, Owner, is_player
from bot.engine.board.reachability import network
from bot.engine.routes.revenue import Route, RouteProblem
from bot.engine.state import Company, State, TurnMemory

from .holdings import president_of, stack_key
from .holdings.money import audit as money_audit

if TYPE_CHECKING:
    from .game import Game


PARTS = frozenset(State.__struct_fields__)


class Audit(NamedTuple):
    """An invariant: `broken` gives what is not, in words, and looks at no other `parts` of the state."""

    broken: Callable[[Game], Iterable[str]]
    parts: Collection[str] = PARTS


def audit(game: Game, changed: Collection[str] = PARTS) -> list[str]:
    """The broken invariants, in words; empty when all is well. If all was well before some parts of the state
    `changed`, invariants of other parts need not be checked again."""
    changed = frozenset(changed)
    return [
        broken
        for one in (*AUDITS, *game.title.audits)
        if not changed.isdisjoint(one.parts)
        for broken in one.broken(game)
    ]


def audit_run(game: Game, company: CompanyId, problem: RouteProblem, routes: Sequence[Route]) -> list[str]:
    """The places where the routes of a run leave the company's reach, in words.

    The route search and the search for what is in reach share no code. A line of track must be a walk from each token
    on it, with no other track there. Trains that flood may use track again, and so reach more (1820 §15.3.4).
    """
    reach = game.board_rules.network(game, company)
    return [
        f"train {route.train} of {company} leaves what is in reach: {' - '.join(stop.hex for stop in route.stops)}"
        for route in routes
        if not problem.train(route.train).floods
        and not (reach.stops.issuperset(route.stops) and _is_walk(problem, route))
    ]


def _is_walk(problem: RouteProblem, route: Route) -> bool:
    if not route.segments:
        return True
    alone = problem.graph.subgraph(sorted(route.segments))
    walks = [network(alone, [token], problem.blocked) for token in route.stops if token in problem.own]
    return all(walk.stops.issuperset(route.stops) and walk.crossings >= route.sides for walk in walks)


def _owners(game: Game) -> Iterator[str]:
    state = game.state
    known = {*state.cash, IPO, POOL, DEPOT, REMOVED, BANK, *state.companies}
    held = [(company.id, one.owner) for company in state.companies.values() for one in company.certificates]
    for company_id, owner in dict.fromkeys(pair for pair in held if pair[1] not in known):
        yield f"a certificate of {company_id} belongs to {owner}"
    for private in state.privates.values():
        if private.owner is not None and private.owner not in known:
            yield f"{private.id} belongs to {private.owner}"
    for train in state.trains:
        if train.owner not in known:
            yield f"train {train.id} belongs to {train.owner}"


def _companies(game: Game) -> Iterator[str]:
    """A largest holder has the president's certificate; a closed company owns nothing."""
    state, with_trains = game.state, {train.owner for train in game.state.trains}
    for company in state.companies.values():
        if company.closed:
            if state.cash[company.id] or company.id in with_trains or company.position is not None:
                yield f"{company.id} is closed and still owns something or has a price"
            continue
        noun = game.title.companies[company.id]
        percents = tuple([certificate.percent for certificate in company.certificates])
        if percents not in noun.divisions and tuple(sorted(percents)) not in noun.divisions:
            yield f"{company.id}'s certificates are not those printed"
        yield from _president(company)
        if company.floated and company.position is None and not (noun.sizes and len(percents) == 1):
            yield f"{company.id} has begun and has no price"


def _president(company: Company) -> Iterator[str]:
    president = president_of(company)
    if president is None:
        return
    held: dict[Owner, int] = {}
    for certificate in company.certificates:
        held[certificate.owner] = held.get(certificate.owner, 0) + certificate.percent
    for owner, percent in held.items():
        if percent > held[president] and is_player(owner):
            yield f"{owner} holds more of {company.id} than its president {president}"


def _market(game: Game) -> Iterator[str]:
    """Each marker is on the chart once, in the cell its company's record names."""
    state = game.state
    lying = {company: cell for cell, stack in state.stacks.items() for company in stack}
    if sum(len(stack) for stack in state.stacks.values()) != len(lying) or not all(state.stacks.values()):
        yield "a marker is twice on the market, or a stack is empty"
    for company in state.companies.values():
        expected = None if company.position is None else stack_key(company.position)
        if lying.get(company.id) != expected:
            yield f"{company.id}'s marker is at {lying.get(company.id)}, not at {expected}"
        if company.position is not None and game.title.market.cell(company.position) is None:
            yield f"{company.id}'s marker is outside the market"


def _trains(game: Game) -> Iterator[str]:
    """Cards are unique, of a known kind, and one side of their family."""
    trains = game.state.trains
    if len({train.id for train in trains}) != len(trains):
        yield "two train cards have the same number"
    for train in trains:
        kind = game.title.trains.get(train.kind)
        if kind is None or kind.family != train.family:
            yield f"train {train.id} is a {train.kind}, which is no side of {train.family}"


def _tiles(game: Game) -> Iterator[str]:
    """Only hexes that may be built on have tiles, no more of them than printed, and their track stays on the map."""
    board, land = game.state.board, game.board_rules
    counts = Counter([laid.tile for laid in board.tiles.values()])
    for tile, count in counts.items():
        supply = land.tiles[tile].count
        if supply is not None and count > supply:
            yield f"{count} pieces of tile {tile} are on the map; there are {supply}"
    for hex_id, laid in board.tiles.items():
        if not land.stays_on_board(hex_id, laid):
            for edge in land.tile_at(board, hex_id).exits - land.exits(board, hex_id):
                yield f"{laid.tile} on {hex_id} has track to nowhere at side {edge}"


def _cities(game: Game) -> Iterator[str]:
    board, land = game.state.board, game.board_rules
    for hex_id, cities in board.tokens.items():
        there = len(land.tile_at(board, hex_id).cities)
        for city, companies in enumerate(cities[there:], there):
            if companies:
                yield f"{', '.join(companies)} in city {city} of {hex_id}, which has {there}"


def _tokens(game: Game) -> Iterator[str]:
    """No company has more tokens than were printed."""
    state, nouns = game.state, game.title.companies
    placed = state.board.token_counts()
    given = sum([private.ability_used for private in state.privates.values()])
    # Who has just taken another company over may have too many, until the frame in which it sorts them ends.
    busy = {frame.entity for frame in state.flow if not isinstance(frame.memory, TurnMemory)}
    for company in state.companies.values():
        on_map, left, printed = placed.get(company.id, 0), len(company.tokens_left), nouns[company.id].all_tokens
        if on_map + left > printed + given and printed and not company.closed and company.id not in busy:
            yield f"{company.id} has {on_map} tokens on the map and {left} left"
    everything = given + sum([noun.all_tokens for noun in nouns.values()])
    if sum(placed.values()) > everything:
        yield f"{sum(placed.values())} tokens are on the map; {everything} were printed"


def _flow(game: Game) -> Iterator[str]:
    """Play has stopped at a decision, somebody is asked, and the order names every player once."""
    state = game.state
    seats = [player.id for player in state.players]
    if sorted(state.order) != sorted(seats) or state.priority not in seats:
        yield "the order of play does not name every player once"
    if state.phase not in [phase.name for phase in game.title.phases]:
        yield f"there is no phase {state.phase}"
    if state.finished:
        return
    if not state.flow:
        yield "the game is not over and nothing is to be done"
        return
    for frame in state.flow:
        if frame.plan not in game.title.plans:
            yield f"there is no plan {frame.plan}"
    if callable(game.procedure.steps[game.frame.at]):
        yield f"play stands at no decision of {game.frame.plan}"
    if not game.players_to_act() or not all(is_player(player) for player in game.players_to_act()):
        yield f"nobody is asked in {game.frame.plan}"


AUDITS = (
    Audit(money_audit, {"cash", "money", "companies"}),
    Audit(_owners, {"cash", "companies", "privates", "trains"}),
    Audit(_companies, {"cash", "companies", "trains"}),
    Audit(_market, {"companies", "stacks"}),
    Audit(_trains, {"trains"}),
    Audit(_tiles, {"board", "scenario"}),
    Audit(_cities, {"board", "scenario"}),
    Audit(_tokens, {"board", "companies", "flow", "privates"}),
    Audit(_flow),
)

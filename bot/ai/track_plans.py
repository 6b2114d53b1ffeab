"""Track and tokens: what a company could earn by them, with the trains that it has and with one that it will have."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate
from math import sqrt
from operator import or_

from bot.engine import CompanyId, HexId
from bot.engine.board import GameMap
from bot.engine.play import Game
from bot.engine.play.holdings import share_unit
from bot.engine.state import Action, LayTile, PlaceToken, TileLaid, TokenPlaced

from .company_forecast import affordable_kinds, kinds_of, next_kind, reach_of
from .move_evaluator import UNLIKELY, Evaluator, ScoredMove, evenly_spaced, open_actions
from .revenue_estimate import estimate_revenue, reach_upper_bound
from .title_parameters import parameters_of

MOST_SURVEYED = 30

WIDE = 100
"""A company that reaches more hexes, like a system of 18BF, surveys fewer lays, since each survey recomputes
its reach.
"""

LIGHT = 120
"""Searches for routes are light up to this weight: tokens, times the squares of what each train reaches. If they are
heavier, fewer lays are searched."""

NOW, LATER = 0.65, 0.35
"""How much counts what the present trains earn, and what one earns that will come."""

NEW_STOP = 0.4
"""Value of a stop in reach that no train runs to yet, as a fraction of a stop's revenue."""

AHEAD, FADING, MOST_AHEAD = 0.3, 0.6, 5
"""The worth of a stop that track leads up to, as a part of what a stop earns; the part of that which is left with every
hex between; and the maximum number of such stops, the nearest first. Track that leads nowhere yet is the first half of
a connection."""

NEARER = 0.7
"""Fraction of the value of a target, or of the first route, that is left with every hex between it and the
track leading towards it.
"""

FIRST_ROUTE = 8.0
"""Value of being able to run at all, in stop revenues: until two stops are joined a company's trains earn
nothing.
"""

UPGRADE = 0.15
"""Value of a higher printed value to a company that does not run there yet."""

HORIZON, LONGEST = 6, 2.0
"""Stops in reach count once with this number of operating rounds to come, in proportion with fewer and more, up to the
maximum."""

MOST_PLANNED = 3

TREASURY = 0.6

FREED = 0.4
"""The worth of being able to lay track at all, as a part of what a stop earns, for every operating round."""

BLOCKING = 6.0
"""Value of a city slot that others do not get, for each operating round."""


IDLE_TOKEN = 4.0


@dataclass(frozen=True)
class Site:
    now: int
    later: int
    stops: int


def score_builds(judge: Evaluator, actions: list[LayTile | PlaceToken]) -> list[ScoredMove]:
    lays = [action for action in actions if isinstance(action, LayTile)]
    tokens = [action for action in actions if isinstance(action, PlaceToken)]
    shut = dead_ends(judge.game, lays)
    today = prospect(judge.game, CompanyId(lays[0].by), shut) if lays else 0.0
    surveyed = [(survey(judge.game, lay, shut) - today, lay) for lay in few_to_survey(judge.game, lays)]
    surveyed.sort(key=lambda one: -one[0])
    if not actions:
        return []
    company = CompanyId(actions[0].by)
    most = count_searchable(judge.game, company, min(judge.strength.lays, parameters_of(judge.game).lays))
    hints: dict[Action, float] = {lay: hint for hint, lay in surveyed[:most]}
    chosen: list[Action] = [*hints, *evenly_spaced(tokens, most)]
    before = site(judge.game, company)
    found = [
        found for action in chosen if (found := score_build(judge, action, before, hints.get(action, 0.0))) is not None
    ]
    found = add_second_lays(judge, found) if judge.strength.pairs else found
    rest = [ScoredMove(lay, UNLIKELY + hint) for hint, lay in surveyed[most:]]
    return [*found, *rest] if judge.strength.lists_all else found


def few_to_survey(game: Game, lays: Sequence[LayTile]) -> list[LayTile]:
    """Lays of one company that are surveyed: of one that reaches twice as much a quarter."""
    spaces = len(game.board_rules.network(game, CompanyId(lays[0].by)).hexes) if lays else 0
    return evenly_spaced(lays, max(1, MOST_SURVEYED * WIDE**2 // max(WIDE, spaces) ** 2))


def count_searchable(game: Game, company: CompanyId, most: int) -> int:
    """The number of lays that are searched for routes, by the number of all lays: few for a company with long trains
    and many tokens."""
    reached = sum(reach_of(kind) ** 2 for kind in kinds_of(game, company))
    weight = reached * sum(1 for _ in game.state.board.cities_of(company))
    return max(1, most * LIGHT // max(LIGHT, weight))


def add_second_lays(judge: Evaluator, found: list[ScoredMove]) -> list[ScoredMove]:
    """The best lays that leave room for a second lay in the same turn, with what that adds: half a connection
    earns nothing, a whole connection does.
    """
    pairs = min(judge.strength.pairs, parameters_of(judge.game).pairs)
    number, better = round(sqrt(pairs)), dict[Action, float]()
    number = count_searchable(judge.game, CompanyId(found[0].action.by), number) if found else 0
    for one in sorted(found, key=lambda one: -one.score):
        if len(better) < number and isinstance(one.action, LayTile):
            added = second_lay_gain(judge, one.action, number)
            if added is not None:
                better[one.action] = one.score + max(0.0, added)
    return [replace(one, score=better.get(one.action, one.score)) for one in found]


def second_lay_gain(judge: Evaluator, first: Action, most: int) -> float | None:
    trial = judge.after(first)
    if trial is None or judge.seat not in trial.players_to_act():
        return None
    lays = [lay for lay in open_actions(trial) if isinstance(lay, LayTile) and lay.by == first.by]
    if not lays:
        return None
    inner = Evaluator(
        trial, judge.seat, replace(judge.strength, lays=most, pairs=0, lists_all=False), judge.chance, is_deep=False
    )
    inner.horizon = judge.horizon
    best = max((one.score for one in score_builds(inner, [*lays])), default=0.0)
    judge.looks += inner.looks
    return best


def dead_ends(game: Game, lays: Sequence[LayTile]) -> frozenset[HexId]:
    """Hexes that the company's track leads to and where it can lay nothing now: a private blocks them, or no tile
    fits.
    """
    if not lays:
        return frozenset()
    reached = game.board_rules.network(game, CompanyId(lays[0].by))
    return reached.hexes - {stop.hex for stop in reached.stops} - {lay.hex for lay in lays}


def survey(game: Game, lay: LayTile, shut: frozenset[HexId]) -> float:
    """The value of the track's direction without a route search: stops in reach and ahead, printed values."""
    trial = Game(game.title, copy(game.state))
    trial.state.board = game.state.board.copy()
    trial.ground = game.ground
    land = trial.board_rules
    before = land.tile_at(trial.state.board, lay.hex)
    land.lay(trial.state.board, lay.tile, lay.hex, lay.rotation)
    after = land.tile_at(trial.state.board, lay.hex)
    colours = game.title.phase(game.state.phase).colours
    printed = [sum(node.value_in(colours) for node in tile.nodes) for tile in (before, after)]
    return prospect(trial, CompanyId(lay.by), shut) + UPGRADE * (printed[1] - printed[0])


def prospect(game: Game, company: CompanyId, shut: frozenset[HexId]) -> float:
    """The value of the stops that the company reaches, and of the nearest stops that its track leads towards, except those
    closed to it.
    """
    land, network = game.board_rules, reach_upper_bound(game, company)
    reached, ends = network.stops, network.hexes - shut
    steps = steps_ahead(land.map, ends, shut | {stop.hex for stop in reached})
    ahead = sum(FADING**step for step in steps)
    target = target_of(game, company)
    near = steps_from_nearest(land.map, ends, target) if ends and target is not None else 0
    first = FIRST_ROUTE * (1.0 if len(reached) > 1 else NEARER ** steps[0] if steps else 0.0)
    worth = parameters_of(game).stop * (NEW_STOP * len(reached) + AHEAD * ahead + first)
    return worth + rest_of_capital(game, company) * NEARER**near


def target_of(game: Game, company: CompanyId) -> HexId | None:
    return next((name for name, space in game.board_rules.map.hexes.items() if company in space.goals), None)


def rest_of_capital(game: Game, company: CompanyId) -> float:
    """The value of the other half of the capital, paid when the company reaches its target."""
    if company not in getattr(game.state.special, "waiting", ()):
        return 0.0
    record = game.company(company)
    return TREASURY * (record.par or 0) * 50 / share_unit(record)


def steps_ahead(game_map: GameMap, ends: Collection[HexId], known: Collection[HexId]) -> list[int]:
    """Steps from the nearest of these hexes to each of the nearest printed places, except the known places."""
    others, found, step = places(game_map), list[int](), 0
    numbers, around = game_map.numbers, hexes_within_steps(game_map)
    for space in known:
        others &= ~(1 << numbers[space])
    while ends and others and len(found) < MOST_AHEAD:
        near = 0
        for space in ends:
            near |= around[space][step]
        found += [step] * (others & near).bit_count()
        others &= ~near
        step += 1
    return found[:MOST_AHEAD]


@cache
def places(game_map: GameMap) -> int:
    return sum(1 << game_map.numbers[name] for name, space in game_map.hexes.items() if space.printed.nodes)


@cache
def hexes_within_steps(game_map: GameMap) -> Mapping[HexId, Sequence[int]]:
    """For every hex the hexes within 0, 1, 2 … steps, as bits, up to all of them."""
    tables = {name: steps_from(game_map, name) for name in game_map.hexes}
    longest, found = max(max(steps.values()) for steps in tables.values()), {}
    for name, steps in tables.items():
        exactly = [0] * (longest + 1)
        for other, step in steps.items():
            exactly[step] |= 1 << game_map.numbers[other]
        found[name] = [*accumulate(exactly, or_)]
    return found


def steps_from_nearest(game_map: GameMap, spaces: Iterable[HexId], place: HexId) -> int:
    return min(map(steps_from(game_map, place).__getitem__, spaces))


@cache
def steps_from(game_map: GameMap, place: HexId) -> Mapping[HexId, int]:
    """Cached distance to every hex."""
    return {space: game_map.layout.distance(space, place) for space in game_map.hexes}


def site(game: Game, company: CompanyId) -> Site:
    kinds = kinds_of(game, company)
    trains = kinds or affordable_trains(game, company)
    later = parameters_of(game).most
    return Site(
        estimate_revenue(game, company, trains),
        estimate_revenue(game, company, tuple(sorted((*kinds[1:], later)))),
        len(reach_upper_bound(game, company).stops),
    )


def affordable_trains(game: Game, company: CompanyId) -> tuple[str, ...]:
    """The trains that a company without trains will buy: as many of the bank's next kind as it can pay for and
    own.
    """
    kind = next_kind(game, 0)
    number = game.state.cash[company] // max(1, game.title.trains[kind].price)
    return (kind,) * max(1, min(number, game.title.rules.train_limit(game, company), MOST_PLANNED))


def score_build(judge: Evaluator, action: Action, before: Site, hint: float) -> ScoredMove | None:
    company = CompanyId(action.by)
    trial = judge.game.copy()
    judge.looks += 1
    trial.apply(action)
    if spends_first_train(judge.game, trial, company):
        return None
    cost = sum(event.cost for event in trial.events if isinstance(event, TileLaid | TokenPlaced))
    after, left = site(trial, company), judge.horizon.left
    now, later = after.now - before.now, after.later - before.later
    reach = max(hint, NEW_STOP * parameters_of(judge.game).stop * (after.stops - before.stops)) * min(
        LONGEST, left / HORIZON
    )
    value = left * (NOW * now + LATER * later) + reach - TREASURY * cost
    if isinstance(action, PlaceToken):
        value += BLOCKING * left
        if cost > judge.game.state.cash[company] // 2 and not kinds_of(judge.game, company):
            return None
    if now <= 0 and later <= 0:
        value -= judge.strength.idle * (IDLE_TOKEN if isinstance(action, PlaceToken) else 1)
    return ScoredMove(action, value, (now, later, after.stops - before.stops))


def spends_first_train(game: Game, trial: Game, company: CompanyId) -> bool:
    """Whether a company without a train could afford the bank's train before the move and cannot after it."""
    before, after = game.state.cash[company], trial.state.cash[company]
    return not kinds_of(game, company) and bool(affordable_kinds(game, before)) and not affordable_kinds(trial, after)


def score_unblocking_moves(judge: Evaluator, actions: Sequence[Action]) -> list[ScoredMove]:
    """Other moves where a company cannot lay track, and more if it can afterwards: a private that keeps its home."""
    found = []
    for action in actions:
        gain, after = judge.gain(action), judge.after(action)
        if after is not None and any(isinstance(one, LayTile) for one in open_actions(after)):
            gain += FREED * parameters_of(judge.game).stop * judge.horizon.left
        found.append(ScoredMove(action, gain))
    return found

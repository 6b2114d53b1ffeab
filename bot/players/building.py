"""Track and tokens: what a company could earn by them, with the trains that it has and with one that it will have."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass

from bot.engine.data.actions import Action, LayTile, PlaceToken
from bot.engine.data.events import TileLaid, TokenPlaced
from bot.engine.ids import CompanyId
from bot.engine.play.game import Game

from .judging import Judge, Rated, listed, sampled
from .outlook import earning, kinds_of, next_kind, on_sale, rounds_left, traits_of

MOST_SURVEYED = 30
"""So many lays are looked at for where their track leads."""

NOW, LATER = 0.65, 0.35
"""How much counts what the present trains earn, and what one earns that will come."""

NEW_STOP = 0.4
"""What a stop in reach is worth that no train runs to yet, as a part of what a stop earns."""

NEARER = 2.0
"""What each space is worth by which track comes nearer to another stop."""

UPGRADE = 0.15
"""What a higher value printed on a stop is worth to whoever does not run there yet."""

TREASURY = 0.6
"""What a pound of the treasury is worth."""

FREED = 0.4
"""What it is worth that a company can lay track at all, as a part of what a stop earns, for every operating round."""

BLOCKING = 6.0
"""What a place in a city is worth that others do not get, for every operating round."""


@dataclass(frozen=True)
class Site:
    """What a company has on a board: with its trains now, with one later, and in reach."""

    now: int
    later: int
    stops: int


def rate_builds(judge: Judge, actions: list[LayTile | PlaceToken]) -> list[Rated]:
    """Lays and tokens of one company."""
    lays = [action for action in actions if isinstance(action, LayTile)]
    tokens = [action for action in actions if isinstance(action, PlaceToken)]
    surveyed = [(survey(judge.game, lay), lay) for lay in sampled(lays, MOST_SURVEYED)]
    surveyed.sort(key=lambda one: -one[0])
    hints: dict[Action, float] = {lay: hint for hint, lay in surveyed[: judge.strength.lays]}
    chosen: list[Action] = [*hints, *sampled(tokens, judge.strength.lays)]
    if not chosen:
        return []
    before = site(judge.game, CompanyId(chosen[0].by))
    return [found for action in chosen if (found := rated(judge, action, before, hints.get(action, 0.0))) is not None]


def survey(game: Game, lay: LayTile) -> float:
    """Where track leads, without a search for routes: stops in reach, values printed, the way to the next stop."""
    trial = Game(game.title, copy(game.state))
    trial.state.board = game.state.board.copy()
    trial.ground = game.ground
    land = trial.land
    before = land.tile_at(trial.state.board, lay.hex)
    land.lay(trial.state.board, lay.tile, lay.hex, lay.rotation)
    after = land.tile_at(trial.state.board, lay.hex)
    stop = traits_of(game).stop
    reached = land.network(trial, CompanyId(lay.by)).stops
    value = NEW_STOP * stop * len(reached)
    colours = game.title.phase(game.state.phase).colours
    printed = [sum(node.value_in(colours) for node in tile.nodes) for tile in (before, after)]
    value += UPGRADE * (printed[1] - printed[0])
    hexes = {one.hex for one in reached}
    others = [name for name, space in land.map.hexes.items() if space.printed.nodes and name not in hexes]
    ends = [end for edge in after.exits if (end := land.map.neighbour(lay.hex, edge)) is not None]
    nearest = min((land.map.layout.distance(end, other) for end in ends for other in others), default=0)
    return value - NEARER * nearest


def site(game: Game, company: CompanyId) -> Site:
    """What the company has on the present board."""
    kinds = kinds_of(game, company)
    trains = kinds or tuple(affordable(game, company))
    later = traits_of(game).most
    return Site(
        earning(game, company, trains),
        earning(game, company, tuple(sorted((*kinds[1:], later)))),
        len(game.land.network(game, company).stops),
    )


def affordable(game: Game, company: CompanyId) -> list[str]:
    """The train that a company without any will buy."""
    cheap = [kind for kind in on_sale(game) if game.title.trains[kind].price <= game.state.cash[company]]
    return cheap[-1:] or [next_kind(game, 0)]


def rated(judge: Judge, action: Action, before: Site, hint: float) -> Rated | None:
    """What a lay or a token brings the company until the end, less what it costs."""
    company = CompanyId(action.by)
    trial = judge.game.copy()
    judge.looks += 1
    trial.apply(action)
    cost = sum(event.cost for event in trial.events if isinstance(event, TileLaid | TokenPlaced))
    after, left = site(trial, company), rounds_left(judge.game)
    now, later = after.now - before.now, after.later - before.later
    stop = traits_of(judge.game).stop
    reach = NEW_STOP * stop * (after.stops - before.stops) + max(0.0, 0.1 * hint)
    value = left * (NOW * now + LATER * later) + reach - TREASURY * cost
    if isinstance(action, PlaceToken):
        value += BLOCKING * left
        if cost > judge.game.state.cash[company] // 2 and not kinds_of(judge.game, company):
            return None
    return Rated(action, value, (now, later, after.stops - before.stops))


def rate_freed(judge: Judge, actions: Sequence[Action]) -> list[Rated]:
    """What else can be done where a company cannot lay track, and more if it can afterwards: a private that keeps its home."""
    found = []
    for action in actions:
        gain, after = judge.gain(action), judge.after(action)
        if after is not None and any(isinstance(one, LayTile) for one in listed(after)):
            gain += FREED * traits_of(judge.game).stop * rounds_left(judge.game)
        found.append(Rated(action, gain))
    return found

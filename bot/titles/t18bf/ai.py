"""How computers play it. The parts that only 18BF has: minors that convert, merge or join, and systems. A minor must be part of something
larger in time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.ai.move_evaluator import REFUSED, Evaluator, ScoredMove, evenly_spaced, verb_of
from bot.ai.title_parameters import TitleAi, TitleParameters
from bot.engine import IPO, is_player
from bot.engine.play.holdings import has_phase_begun
from bot.engine.state import Action, BuyPrivate, Dividend, LayTile, PlaceToken

MOST_MERGERS = 16

URGENCY = {"3": 0.0, "4": 30.0, "5": 60.0, "6": 90.0, "7": 120.0, "8": 200.0}
"""The worth to a minor's owner of being done with it, by phase: its trains may be fewer and fewer."""

SYSTEM = 40.0
"""Value of forming a system beyond its immediate earnings: four trains, and prices that keep rising."""

FORMING = ("convert", "merge")

HANDLED = ("buy_private", "convert", "join", "merge", "system")


def score_title_moves(judge: Evaluator, actions: list[Action]) -> list[ScoredMove]:
    """Mergers, by what they change and how urgent they are; privates for a company, once it has built and run: they can wait."""
    found = []
    for verb in (*FORMING, "join", "system"):
        alike = distinct_mergers([action for action in actions if verb_of(action) == verb])
        bonus = SYSTEM if verb == "system" else urgency(judge)
        for action in evenly_spaced(alike, MOST_MERGERS):
            gain = judge.gain(action)
            found.append(ScoredMove(action, gain + bonus if gain > REFUSED else gain))
    if not any(isinstance(action, LayTile | PlaceToken | Dividend) for action in actions):
        found += [ScoredMove(action, judge.gain(action)) for action in privates(judge, actions)]
    return found


def privates(judge: Evaluator, actions: list[Action]) -> list[BuyPrivate]:
    """Privates that a company may buy: the seat's own at the lowest and the highest price, other players' only at
    the highest.
    """
    bought = [action for action in actions if isinstance(action, BuyPrivate) and not is_player(action.by)]
    dearest = {action.private: action for action in sorted(bought, key=lambda one: one.price)}
    own = [action for action in bought if judge.game.private(action.private).owner == judge.seat]
    return own + [action for action in dearest.values() if action not in own]


def distinct_mergers(mergers: Sequence[Any]) -> list[Action]:
    """Of proposals by which the same minors become a public company the first: which of those not started it is makes no
    difference."""
    found: dict[Any, Action] = {}
    for one in mergers:
        found.setdefault(getattr(one, "others", ()) if verb_of(one) in FORMING else one, one)
    return list(found.values())


def urgency(judge: Evaluator) -> float:
    return max((worth for phase, worth in URGENCY.items() if has_phase_begun(judge.game, phase)), default=0.0)


PARAMETERS = TitleParameters(
    sets=11,
    tempo=1.1,
    stop=32,
    rises=(1,),
    floats={"2": 0},
    private=7,
    most="5",
    feeds=IPO,
    marks=("ferries",),
    lays=8,
    pairs=4,
)

WEIGHTS = {"convert": 10, "merge": 20, "join": 4, "system": 40}


AI = TitleAi(parameters=PARAMETERS, verb_weights=WEIGHTS, handled=HANDLED, score_moves=score_title_moves)

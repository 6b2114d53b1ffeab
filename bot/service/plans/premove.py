"""A company's turn planned before it comes: the position as if it were its turn, and what such a plan relies on."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine import CompanyId, PlayerId
from bot.engine.notation import format_action
from bot.engine.play import Game
from bot.engine.state import (
    Action,
    Dividend,
    Done,
    OperatingRoundMemory,
    Pass,
    Round,
    RunRoutes,
    TurnMemory,
)

from .conditions import WAKE_WORDS, find_wakes
from .decisions import DONE, Act, Finish, clock_of_routes, evaluate, is_run_in
from .plan import Do, Fact, Plan, RunBest, Stay, Step, When

ROUND = "operating round"
"""The plan of an operating round in every title."""

MOST_STEPS_SHOWN = 30


def as_if_turn(game: Game, company: CompanyId) -> Game | None:
    """A copy of the position as if the company were next to operate; None if it could not.

    All other companies count as having operated. If no operating round is in progress, a new round
    begins, without the events of its beginning.
    """
    others = [name for name in game.state.companies if name != company]
    if game.state.finished or game.controller_of(company) is None or ROUND not in game.title.plans:
        return None
    base = game.copy()
    while base.state.flow and not isinstance(base.frame.memory, OperatingRoundMemory):
        base.state.flow.pop()
    if base.state.flow and base.frame.plan == ROUND:
        base.frame.memory = OperatingRoundMemory(others)
        base.advance()
        return base if _is_its_turn(base, company) else None
    base = game.copy()
    now = base.state.round
    base.state.round = Round("operating", now.number, 1, max(now.of, 1))
    for at in range(len(game.title.plans[ROUND].steps)):
        trial = base.copy()
        trial.push(ROUND, None, OperatingRoundMemory(others))
        trial.frame.at = at
        if _begins_turn(trial, company):
            return trial
    return None


def _begins_turn(trial: Game, company: CompanyId) -> bool:
    """Whether the next step of a round gives the company its turn."""
    step = trial.title.plans[ROUND].steps[trial.frame.at]
    if not callable(step):
        return False
    height = len(trial.state.flow)
    trial.next_step()
    step(trial)
    if len(trial.state.flow) <= height or trial.frame.entity != company:
        return False
    trial.advance()
    return _is_its_turn(trial, company)


def _is_its_turn(game: Game, company: CompanyId) -> bool:
    return not game.state.finished and game.frame.entity == company and is_run_in(game.procedure)


def foresee(game: Game, player: PlayerId, plan: Plan) -> tuple[list[Action], Finish | None]:
    """The moves that a company's plan would make if its turn came now, and its end if something in it is not possible.

    `game` is the position `as_if_turn`, and is changed.
    """
    made: list[Action] = []
    while len(made) < MOST_STEPS_SHOWN and player in game.players_to_act():
        decision = evaluate(game, player, plan, clock=clock_of_routes())
        if not isinstance(decision, Act):
            return made, decision if isinstance(decision, Finish) and decision.reason != DONE else None
        game.apply(decision.action)
        made.append(decision.action)
        plan = decision.plan
    return made, None


def relied_on(game: Game, company: str, steps: Sequence[Step], hexes: Sequence[str]) -> tuple[When, ...]:
    """The events that make a planned turn void: on the hexes that it builds on, with its trains, its price, the phase, and
    the next train where it buys one.
    """
    wake = [When(Fact("hex", name, company), "changes") for name in dict.fromkeys(hexes)]
    wake += [When(Fact("trains", company), "changes"), *find_wakes("fall", (company,)), WAKE_WORDS["phase"]]
    buys = any(isinstance(step, Do) and "buy" in step.text.split() for step in steps)
    return tuple([*wake, WAKE_WORDS["next"]] if buys else wake)


def plan_of_turn(game: Game, company: str, actions: Sequence[Action]) -> Plan:
    """The plan that makes these moves of a company when its turn comes, with the best routes if they earn as much as now.

    `game` is the position before them, and is changed.
    """
    steps, hexes = list[Step](), list[str]()
    for action in actions:
        game.apply(action)
        if isinstance(action, RunRoutes):
            steps.append(RunBest("", earned_by(game)))
        elif isinstance(action, Dividend) and steps and isinstance(steps[-1], RunBest):
            steps[-1] = RunBest(action.kind, steps[-1].least)
        elif not isinstance(action, Pass | Done):
            steps.append(Do(format_action(action)))
            hexes += [str(action.hex)] if hasattr(action, "hex") else []
    if actions and isinstance(actions[-1], Pass | Done):
        steps.append(Stay())
    return Plan(company, tuple(steps), relied_on(game, company, steps, hexes))


def earned_by(game: Game) -> int:
    """The revenue of the turn in progress."""
    memory = next((frame.memory for frame in reversed(game.state.flow) if isinstance(frame.memory, TurnMemory)), None)
    return memory.revenue or 0 if memory is not None else 0

"""Operating rounds: order, turns, turns of companies without a deciding player (1820 §7.1, §14.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.engine import CompanyId, NotYourTurn, PlayerId, RouteSections, is_player
from bot.engine.play import Game, Step
from bot.engine.play.holdings import place_marker, sort_by_price
from bot.engine.play.steps import RunTrains, best_run, operating_round, operating_turn
from bot.engine.state import Action, OperatingRoundMemory, Pass, Round, RoundBegan, SellShares, TurnBegan, TurnMemory
from bot.titles.t1820 import game_end
from bot.titles.t1820.companies import director_of, interest, is_in_liquidation, is_private, maintenance, train_limit
from bot.titles.t1820.components import BRITISH_RAIL
from bot.titles.t1820.state import title_state

from .british_rail import operate, remember_phase, resolve_victoria_event
from .costs import neglect
from .dividends import divide
from .routes import has_route, pay_runners
from .trains import close_trainless

ROUTE_SECTIONS = RouteSections(train="1820 §7.2.3", must="1820 §7.2.3", route="1820 §15.2", best="1820 §7.2.3")
RUN = RunTrains(
    may_stay_idle=lambda game: False,
    has_route=has_route,
    section=ROUTE_SECTIONS,
    must_be_best=lambda game: True,
    after_run=pay_runners,
)
"""The program always checks for a better run: the highest revenue must be claimed."""


@dataclass(frozen=True)
class InTurn:
    """A step of a company's turn: only that company acts in it, but its director may sell their own shares. A step with
    `may_pass` ends by passing.
    """

    inner: Step
    may_pass: bool = False

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def verbs(self) -> tuple[type[Action], ...]:
        return (*self.inner.verbs, Pass) if self.may_pass else self.inner.verbs

    @property
    def prompt(self) -> Callable[[Game], str] | None:
        return getattr(self.inner, "prompt", None)

    def opens(self, game: Game) -> bool:
        return self.inner.opens(game)

    def options(self, game: Game) -> Iterator[Action]:
        if self.may_pass:
            yield Pass(game.actor_in_turn)
        yield from self.inner.options(game)

    def check(self, game: Game, action: Action) -> None:
        """Refuse everybody except the company in turn, then check as the step."""
        if action.by != game.frame.entity and not isinstance(action, SellShares):
            raise NotYourTurn(
                "It is {entity}'s turn, not {by}'s.", "1820 §7.1", game.actor_in_turn, game.state.name(action.by)
            )
        if not isinstance(action, Pass):
            self.inner.check(game, action)

    def apply(self, game: Game, action: Action) -> None:
        if isinstance(action, Pass):
            game.record_pass(action)
        else:
            self.inner.apply(game, action)


def begin_operating_round(game: Game) -> None:
    """Two operating rounds between stock rounds, each followed by an issue and takeover round (§5)."""
    current = game.state.round
    part = current.part + 1 if current.kind == "issue" else 1
    game.state.round = Round("operating", current.number, part, 2)
    game.emit(RoundBegan("operating", current.number, part, 2))
    remember_phase(game)
    game.push("operating round", None, OperatingRoundMemory())


def next_company(game: Game) -> None:
    """Prices descending, then private companies in the order of their track (§7.1)."""
    memory = operating_round(game)
    companies = game.state.companies
    listed = [one.id for one in companies.values() if one.position is not None and one.id not in memory.done]
    waiting = [
        *sort_by_price(game, listed),
        *(one for one in title_state(game).private_track if one not in memory.done),
    ]
    if not waiting:
        return
    game.frame.at -= 1
    company = waiting[0]
    memory.done.append(company)
    turn_marker_over(game, company)
    if company == BRITISH_RAIL:
        operate(game)
        turn_marker_over(game, company)
        return
    director = director_of(game, company)
    if director is not None and is_player(director):
        game.push("company turn", company, TurnMemory(), asked=[PlayerId(director)])
    else:
        game.push("idle turn", company, TurnMemory())


def turn_marker_over(game: Game, company: CompanyId) -> None:
    """Turn the operating company's marker face down: below all that do not operate (§7.1).

    In a stack those face up come first, then those face down in the order of their arrival; turned up again at the
    end of the round, they are in that order.
    """
    position = game.company(company).position
    if position is not None:
        place_marker(game, company, position)


def begin_turn(game: Game) -> None:
    """Train limits are checked when trains are run (§13.7)."""
    company = game.company_in_turn
    title_state(game).promised = 0
    game.emit(TurnBegan(company))
    if len(game.state.trains_of(company)) > train_limit(game):
        game.push("discard")


def idle_turn(game: Game) -> None:
    """A cousin's company runs for the most, withholds, pays nothing (§14.1), as does a company without a director."""
    company = game.company_in_turn
    turn = operating_turn(game)
    if game.state.trains_of(company) and has_route(game, company):
        run = best_run(game, company)
        RUN.apply(game, run)
    divide(game, company, is_paid=False)
    if not is_in_liquidation(game.company(company)):
        neglect(game, company, "maintenance", maintenance(game, company))
    close_trainless(game)
    if not is_in_liquidation(game.company(company)):
        neglect(game, company, "interest", interest(game, company))
    turn.used.append("over")


def end_turn(game: Game) -> None:
    """Forget what was chosen for this run."""
    if not is_private(game.company(game.company_in_turn)):
        game.board_changed()


def end_operating_round(game: Game) -> None:
    """Queen Victoria may die; a price at £500 ends the game (§9.1, §10.8)."""
    resolve_victoria_event(game)
    game_end.after_operating_round(game)

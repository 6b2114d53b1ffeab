"""One game: a title and a state. The only object that outsiders hold."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from bot.engine import (
    BANK,
    CompanyId,
    HexId,
    IllegalMove,
    Message,
    NotYourTurn,
    Owner,
    PlayerId,
    Rejected,
    SeatNumber,
    Value,
    is_permitted,
    is_player,
    join_values,
    msg,
    seat,
)
from bot.engine.board import BoardRules, Tile, TrackIndex
from bot.engine.state import (
    Action,
    Board,
    Company,
    Event,
    Frame,
    Memory,
    NoMemory,
    Noted,
    Pass,
    Passed,
    Player,
    Private,
    Round,
    State,
)
from bot.engine.state.copies import copy_record

from .audit import PARTS, audit
from .title import Procedure, Step, Title

if TYPE_CHECKING:
    from bot.engine.routes.revenue import RouteProblem, RouteSet

RouteSearch = Callable[["RouteProblem", float, Callable[[], float] | None], "RouteSet"]
"""The best routes of a problem within this number of seconds, measured by a clock."""

Found = TypeVar("Found")
Watch = Callable[["Game"], None]


class Game:
    """A game in progress.

    `events` collects what happened since `apply` was called. `cache` holds what was computed from the
    board; a copy starts with the same contents and neither disturbs the other. `ground` is the track of the board as it
    was when last asked for; `BoardRules.ground` lets it follow. `is_redoing` is set while a recorded move is made again that
    was accepted once. `route_search` is asked for the best routes in place of the search in this process.
    """

    route_search: RouteSearch | None = None

    def __init__(self, title: Title, state: State) -> None:
        self.title = title
        self.state = state
        self.events: list[Event] = []
        self.cache: dict[Hashable, Any] = {}
        self.ground: TrackIndex | None = None
        self.is_redoing = False

    # -- starting, saving, copying ------------------------------------------------------------------

    @classmethod
    def new(cls, title: Title, names: Sequence[str], options: Mapping[str, str] | None = None, seed: int = 0) -> Game:
        """Set up a game for these players in seating order.

        :raises IllegalMove: the number of players or an option does not fit the title.
        """
        if len(names) not in title.players:
            least, most = title.players.start, title.players.stop - 1
            raise IllegalMove(
                "{title} is for {least} to {most} players, not {number}.", "", title.name, least, most, len(names)
            )
        chosen = chosen_options(title, options or {})
        title = title.variant_of(chosen)
        players = [Player(seat(SeatNumber(number)), name) for number, name in enumerate(names, 1)]
        order = [player.id for player in players]
        state = State(
            title=title.id,
            options=chosen,
            seed=seed,
            players=players,
            order=order,
            priority=order[0],
            cash={BANK: 0, **{player: 0 for player in order}},
            companies={},
            privates={},
            trains=[],
            stacks={},
            board=Board(),
            phase=title.phases[0].name,
            round=Round("set-up"),
            flow=[],
            special=title.special_type(),
            money=0,
        )
        game = cls(title, state)
        title.set_up(game)
        state.money = sum(state.cash.values())
        game.advance()
        return game

    def encode(self) -> bytes:
        """The state as JSON, the same bytes for the same state on every machine."""
        return msgspec.json.encode(self.state)

    @classmethod
    def decode(cls, title: Title, data: bytes) -> Game:
        """:raises msgspec.ValidationError: the data is no state of this title."""
        state = msgspec.json.decode(data, type=State)
        title = title.variant_of(state.options)
        state.special = msgspec.convert(state.special, title.special_type)
        return cls(title, state)

    def copy(self) -> Game:
        """An independent copy, for trying moves. Data computed from the board is computed for both, while it is the
        same."""
        other = Game(self.title, copy_record(self.state))
        other.cache = self.cache
        other.ground = self.ground
        other.route_search = self.route_search
        return other

    # -- where play stands --------------------------------------------------------------------------

    @property
    def frame(self) -> Frame:
        return self.state.flow[-1]

    @property
    def actor_in_turn(self) -> Owner:
        """Whose frame is on top.

        :raises LookupError: the frame is nobody's.
        """
        frame = self.state.flow[-1]
        if frame.entity is None:
            raise LookupError(f"{frame.plan}: nobody is in turn")
        return frame.entity

    @property
    def company_in_turn(self) -> CompanyId:
        entity = self.state.flow[-1].entity
        return CompanyId(self.actor_in_turn if entity is None else entity)

    @property
    def player_in_turn(self) -> PlayerId:
        return PlayerId(self.actor_in_turn)

    @property
    def procedure(self) -> Procedure:
        return self.title.plans[self.state.flow[-1].plan]

    @property
    def step(self) -> Step | None:
        if self.state.finished or not self.state.flow:
            return None
        frame = self.state.flow[-1]
        step = self.title.plans[frame.plan].steps[frame.at]
        return as_step(step) if callable(step) else step

    def open_steps(self) -> tuple[Step, ...]:
        """The open decision and the steps that may be done beside it."""
        step = self.step
        if step is None:
            return ()
        return (step, *(extra for extra in (*self.procedure.anytime, *self.procedure.unasked) if extra.opens(self)))

    def active_steps(self) -> tuple[Step, ...]:
        """The open steps in which a player who is asked can act."""
        asked, unasked = self.players_to_act(), self.procedure.unasked
        return tuple(
            step
            for step in self.open_steps()
            if step not in unasked or any(self.controller_of(action.by) in asked for action in step.options(self))
        )

    def open_verbs(self) -> set[type[Action]]:
        return {verb for step in self.open_steps() for verb in step.verbs}

    def players_to_act(self) -> tuple[PlayerId, ...]:
        if self.state.finished or not self.state.flow:
            return ()
        frame = self.state.flow[-1]
        if frame.asked:
            return tuple(frame.asked)
        decider = self.controller_of(frame.entity) if frame.entity else None
        return (decider,) if decider else ()

    def controller_of(self, owner: Owner) -> PlayerId | None:
        """The player who decides for an owner: a player for themselves, the president for a company."""
        return PlayerId(owner) if owner.startswith("@") else self.title.rules.president(self, owner)

    def company(self, owner: Owner) -> Company:
        return self.state.companies[owner]  # type: ignore[index]

    def private(self, owner: Owner) -> Private:
        return self.state.privates[owner]  # type: ignore[index]

    def memory(self, kind: type[Found]) -> Found:
        """The memory of the topmost frame of that kind.

        :raises TypeError: there is none.
        """
        for frame in reversed(self.state.flow):
            if isinstance(frame.memory, kind):
                return frame.memory
        raise TypeError(f"no frame has a {kind.__name__}")

    # -- moves --------------------------------------------------------------------------------------

    def legal_actions(self) -> tuple[Action, ...]:
        """All legal actions (a sensible sample where they are unbounded), in a fixed order."""
        return tuple(dict.fromkeys(action for step in self.open_steps() for action in step.options(self)))

    def check(self, action: Action) -> None:
        """:raises NotYourTurn: somebody else is asked.
        :raises IllegalMove: the rules forbid it.
        """
        self.step_for(action)

    def allows(self, action: Action) -> bool:
        return any(is_permitted(step.check, self, action) for step in self.candidate_steps(action))

    def costs_its_player(self, action: Action) -> bool:
        """Whether a company's move would take money from the player who decides for it.

        :raises Rejected: as `check`.
        """
        player = self.controller_of(action.by)
        if player is None:
            return False
        after = self.copy()
        after.apply(action)
        return after.state.cash[player] < self.state.cash[player]

    def apply(self, action: Action, watch: Watch | None = None) -> list[Event]:
        """Make the move and everything that follows automatically, `watch`ed as by `settle`. A refusal leaves the state
        as it was.

        :raises Rejected: as `check`.
        """
        return self.apply_with(self.step_for(action), action, watch)

    def apply_with(self, step: Step, action: Action, watch: Watch | None = None) -> list[Event]:
        """As `apply`, when the `taker` of the action is known."""
        self.events = []
        step.apply(self, action)
        self.state.moves += 1
        self.advance(watch)
        return self.events

    def step_for(self, action: Action) -> Step:
        """The open step that allows the action.

        :raises Rejected: as `check`.
        """
        refusal: Rejected | None = None
        for step in self.candidate_steps(action):
            try:
                step.check(self, action)
            except Rejected as found:
                refusal = refusal or found
            else:
                return step
        raise refusal or self._no_step_refusal(action)

    def candidate_steps(self, action: Action) -> Sequence[Step]:
        """The steps that judge such an action (`Procedure.steps_by_action`); none if nobody may act, or somebody else."""
        if self.state.finished:
            return ()
        frame = self.state.flow[-1]
        plan = self.title.plans[frame.plan]
        judges = plan.steps_by_action.get((frame.at, type(action)), ())
        if not judges or not self._is_seated(action.by):
            return ()
        if self._may_act(action.by):
            return judges
        return [step for step in judges if step in plan.unasked] if plan.unasked else ()

    def _is_seated(self, owner: Owner) -> bool:
        return owner in self.state.order or not is_player(owner)

    def _may_act(self, owner: Owner) -> bool:
        frame = self.state.flow[-1]
        if frame.asked:
            return self.controller_of(owner) in frame.asked
        return owner == frame.entity and self.controller_of(owner) is not None

    def _no_step_refusal(self, action: Action) -> Rejected:
        if self.state.finished:
            return IllegalMove("The game is over.")
        if not self._is_seated(action.by):
            return IllegalMove("There is no seat {by} at this table.", "", action.by)
        if self._may_act(action.by):
            return self._wrong_decision_refusal(type(action))
        asked = self.players_to_act()
        if self.controller_of(action.by) not in asked:
            waiting = join_values(", ", map(self.state.name, asked))
            return NotYourTurn(
                "It is not {by}'s turn; the game waits for {waiting}.", "", self.state.name(action.by), waiting
            )
        entity = self.state.name(self.frame.entity or Owner(""))
        return NotYourTurn("It is {entity}'s turn, not {by}'s.", "", entity, self.state.name(action.by))

    def _wrong_decision_refusal(self, kind: type[Action]) -> IllegalMove:
        open_names = join_values("; ", (msg(step.name) for step in self.active_steps()))
        owners = [self.frame.entity] if self.frame.entity and not self.frame.asked else self.players_to_act()
        names = join_values(", ", map(self.state.name, owners))
        return IllegalMove(
            "That is not possible now: {names} is asked to: {open_names}. {when}"
            if len(owners) == 1
            else "That is not possible now: {names} are asked to: {open_names}. {when}",
            "",
            names,
            open_names,
            msg("You cannot pass here.") if kind is Pass else self.when_possible(kind),
        )

    def when_possible(self, *kinds: type[Action]) -> Message:
        """At which decisions such actions are possible, as the end of a refusal."""
        names = list(dict.fromkeys(step.name for step in self.title.steps() if not {*kinds}.isdisjoint(step.verbs)))
        if not names:
            return msg("{title} has no such step.", self.title.name)
        return msg("It is possible when the decision is: {steps}.", join_values("; ", map(msg, names)))

    # -- automatic steps ---------------------------------------------------------------------------

    def emit(self, event: Event) -> None:
        """Record an event and let the title's reactions answer it, in their written order."""
        self.events.append(event)
        known = self.title.known_reactions.get(type(event))
        for reaction in self.title.reactions_to(type(event)) if known is None else known:
            reaction(self, event)

    def log(self, template: str, *values: Value) -> None:
        """Record a sentence that only the log shows."""
        self.emit(Noted(msg(template, *values)))

    def push(
        self, plan: str, entity: Owner | None = None, memory: Memory | None = None, asked: Sequence[PlayerId] = ()
    ) -> None:
        self.state.flow.append(Frame(plan, entity, 0, list(asked), memory or NoMemory()))

    def pop(self, plan: str) -> None:
        """End the topmost frame of this plan and all frames above it."""
        while self.state.flow.pop().plan != plan:
            pass

    def next_step(self) -> None:
        self.frame.at += 1

    def record_pass(self, action: Pass) -> None:
        step = self.step
        self.emit(Passed(action.by, step.name if step else ""))
        self.next_step()

    def advance(self, watch: Watch | None = None) -> None:
        """Let everything happen that needs no decision, up to the next decision or the end of the game.

        `watch` is shown the position before each such thing, and where play stops.
        """
        while True:
            if watch is not None:
                watch(self)
            if not self._advance_once():
                return

    def _advance_once(self) -> bool:
        """Whether something happened automatically."""
        if self.state.ending:
            self.title.rules.conclude(self)
        if self.state.finished or not self.state.flow:
            return False
        frame = self.state.flow[-1]
        steps = self.title.plans[frame.plan].steps
        if frame.at >= len(steps):
            self.state.flow.pop()
            return True
        current = steps[frame.at]
        if not callable(current) and current.opens(self):
            return False
        frame.at += 1
        if callable(current):
            current(self)
        return True

    # -- derived ------------------------------------------------------------------------------------

    @property
    def board_rules(self) -> BoardRules:
        scenario = self.state.scenario
        return self.title.scenarios[scenario] if scenario else self.title.land

    def tile_at(self, hex_id: HexId) -> Tile:
        state = self.state
        land = self.title.scenarios[state.scenario] if state.scenario else self.title.land
        return land.tile_at(state.board, hex_id)

    def memoise(self, key: Hashable, compute: Callable[[], Found]) -> Found:
        """The result of `compute`, remembered until the board changes, here and in all copies with the same board."""
        if key not in self.cache:
            self.cache[key] = compute()
        found: Found = self.cache[key]
        return found

    def board_changed(self) -> None:
        """Forget what was computed from the board; copies keep theirs. Call it after every tile or token."""
        self.cache = {}

    def audit(self, changed: Collection[str] = PARTS) -> list[str]:
        """The broken invariants of every position, in words (`engine/play/audit.py`); empty when all is well. If all
        was well before, only these parts of the state have `changed`."""
        return audit(self, changed)


def title_state_getter(kind: type[Found]) -> Callable[[Game], Found]:
    """A function that gives a title its own state record of that kind; it raises TypeError in a game of another title."""

    def special(game: Game) -> Found:
        record = game.state.special
        if not isinstance(record, kind):
            raise TypeError(f"not a game with a {kind.__module__}.{kind.__name__}")
        return record

    return special


def family_getter(kind: type[Found]) -> Callable[[Game], Found]:
    """A function that gives the values of a title of that family; it raises TypeError in a game of another title."""

    def values(game: Game) -> Found:
        found = game.title.family
        if not isinstance(found, kind):
            raise TypeError(f"{game.title.id} is not of the family {kind.__name__}")
        return found

    return values


def as_step(step: object) -> Step:
    """:raises TypeError: play cannot stop at an automatic step."""
    if callable(step):
        raise TypeError(f"play stopped at {step}, which needs no decision")
    return step  # type: ignore[return-value]


def options_for_chance(title: Title, options: Mapping[str, str]) -> dict[str, str]:
    """The options asked for; for the others, what randomly played games use instead of the defaults."""
    return {option.name: option.for_chance for option in title.options if option.for_chance} | dict(options)


def chosen_options(title: Title, options: Mapping[str, str]) -> dict[str, str]:
    """The options in force: the defaults, overridden by what was asked for.

    :raises IllegalMove: an unknown option or choice.
    """
    known = {option.name: option for option in title.options}
    for name, choice in options.items():
        if name not in known:
            raise IllegalMove(
                "{title} has no option {name}; it has: {known}.", "", title.name, name, ", ".join(known) or msg("none")
            )
        if choice not in known[name].choices:
            raise IllegalMove(
                "Option {name} can be: {choices}, not {choice}.", "", name, ", ".join(known[name].choices), choice
            )
    return {name: options.get(name, option.default) for name, option in known.items()}

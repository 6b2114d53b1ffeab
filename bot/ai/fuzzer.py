"""Random legal games, played to the end under all audits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from typing import NamedTuple, get_type_hints

import msgspec
from msgspec import Struct

from bot.engine import DEPOT, POOL, CompanyId, Rejected, SeededRandom, TileId, as_company
from bot.engine.notation import format_action, parse_action
from bot.engine.play import Game, Title, options_for_chance
from bot.engine.play.audit import audit_run
from bot.engine.play.steps import Waterfall, route_problem, routes_of
from bot.engine.state import Event, Noted, State, actions

from .title_parameters import title_ai

MOST_MOVES = 50_000
"""A game still running after this many moves is stuck. An auction of 1830 may wait for thousands of passes."""

SAMPLE = 12
"""Number of listed actions checked closely after each move."""

ENCODER = msgspec.json.Encoder()


@dataclass(frozen=True)
class RandomPolicy:
    """A way of playing: how eagerly each verb is chosen, and how many of ten dividends are paid.

    A verb is drawn first, then one of its actions. A policy that `surveys` compares a few lays and takes the lay after
    which the company reaches most stops, or comes nearest to another stop, and buys trains of other companies only if
    there is no other. A policy that `collects` lays tiles that the game has not had yet, where it can.
    """

    name: str
    weights: Mapping[type[actions.Action], int]
    paid: int
    surveys: bool = False
    collects: bool = False


RECKLESS = RandomPolicy(
    "reckless",
    {
        actions.RunRoutes: 60,
        actions.BuyTrain: 8,
        actions.Par: 12,
        actions.BuyShares: 10,
        actions.LayTile: 4,
        actions.Dividend: 4,
        actions.Pass: 3,
    },
    5,
)
"""Borrows and sells freely; companies collapse soon."""

BUILDER = RandomPolicy(
    "builder",
    {
        actions.RunRoutes: 900,
        actions.BuyTrain: 300,
        actions.Par: 60,
        actions.BuyShares: 300,
        actions.LayTile: 300,
        actions.PlaceToken: 60,
        actions.Dividend: 100,
        actions.BuyPrivate: 20,
        actions.Bid: 40,
        actions.Pass: 20,
        actions.SellShares: 4,
    },
    9,
)

HOARDER = RandomPolicy("hoarder", BUILDER.weights, 4)
"""A builder whose companies save for the most expensive trains, so that the last phases are reached."""

BANKER = RandomPolicy(
    "banker",
    {
        actions.RunRoutes: 900,
        actions.BuyTrain: 300,
        actions.Par: 60,
        actions.BuyShares: 300,
        actions.LayTile: 200,
        actions.Dividend: 100,
        actions.Bid: 40,
        actions.Pass: 20,
        actions.TakeLoan: 30,
    },
    9,
)

SURVEYOR = RandomPolicy(
    "surveyor", {**BUILDER.weights, actions.PlaceToken: 200, actions.Bid: 100, actions.SellShares: 8}, 6, surveys=True
)
"""A builder that looks ahead along its track: companies live, merge and grow."""

COLLECTOR = RandomPolicy("collector", {**SURVEYOR.weights, actions.LayTile: 900}, 6, surveys=True, collects=True)
"""A surveyor that lays every tile of the sheet that it can."""

TEMPERS = (RECKLESS, BUILDER, BANKER, HOARDER)
"""A game's temper follows from its seed: they take turns."""

ALL_TEMPERS = (*TEMPERS, SURVEYOR, COLLECTOR)
"""`TEMPERS`, and the slow tempers."""

SURVEYED, SETTLED = 24, 5
"""Maximum number of lays compared, and the number of stops in reach from which no lays are compared."""

EAGERNESS: Mapping[type[actions.Action], int] = {actions.Answer: 20}
"""Weights of shared verbs that no temper mentions; all others have weight 1."""


class NoLegalMove(Exception):
    """An audit failed; the message says which and after which moves, `moves` are the texts of the game so far, `position`
    tells where it stood then."""

    def __init__(self, message: str, moves: Sequence[str] = (), position: str = "") -> None:
        super().__init__(message)
        self.moves = tuple(moves)
        self.position = position


class FuzzResult(Struct):
    """A finished random game: `reason` why it ended, `scores` by seat, `texts` its moves, `happened` how often what
    happened (`CompanyClosed minor`, `{by} wins {lot} for £{price}.`)."""

    title: str
    players: int
    seed: int
    temper: str
    moves: int
    rounds: int
    phase: str
    reason: str
    scores: list[int]
    texts: list[str] = []
    happened: dict[str, int] = {}


def play(
    title: Title, players: int, seed: int, options: Mapping[str, str] | None = None, temper: RandomPolicy | None = None
) -> FuzzResult:
    """Play one random game to its end.

    :raises NoLegalMove: an audit failed, or the game broke down in any way.
    """
    table = RandomGame(title, players, seed, options, temper)
    try:
        for _ in table.moves():
            pass
        return table.result()
    except NoLegalMove:
        raise
    except Exception as error:
        raise table.build_failure(f"{type(error).__name__}: {error}") from error


@cache
def _usual_weights(title: Title) -> Mapping[str, int]:
    """In an auction that pays incomes when all pass, players bid no more often than they pass: otherwise the only player with
    an income puts it into their own bids, and the auction never ends."""
    return {"bid": 3} if any(isinstance(step, Waterfall) for step in title.steps()) else {}


def draw_action(
    title: Title, legal: Sequence[actions.Action], temper: RandomPolicy, generator: SeededRandom
) -> actions.Action:
    verbs = list(dict.fromkeys(type(action) for action in legal))
    weights = {**_usual_weights(title), **title_ai(title.id).verb_weights}
    own = {verb: weights.get(str(verb.__struct_config__.tag)) for verb in verbs}
    verb = verbs[generator.choose([own[verb] or temper.weights.get(verb) or EAGERNESS.get(verb, 1) for verb in verbs])]
    alike = [action for action in legal if type(action) is verb]
    if verb is actions.Dividend:
        is_paid = generator.randrange(10) < temper.paid
        alike = [one for one in alike if (getattr(one, "kind", "") != "withhold") == is_paid] or alike
    if verb is actions.DiscardTrain:
        alike = alike[:1]
    return alike[generator.randrange(len(alike))]


class FuzzPrompt(NamedTuple):
    """Decisions queried in turn whether they open, and the encoding of each part of the position before."""

    steps: list[str]
    parts: dict[str, bytes]


@dataclass
class RandomGame:
    """A random game in progress. With `is_audited` unset only the moves are made."""

    title: Title
    players: int
    seed: int
    options: Mapping[str, str] | None = None
    wanted: RandomPolicy | None = None
    is_audited: bool = True
    texts: list[str] = field(default_factory=list)
    happened: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        names = [f"Player {number}" for number in range(1, self.players + 1)]
        self.game = Game.new(self.title, names, options_for_chance(self.title, self.options or {}), self.seed)
        self.generator = SeededRandom(self.seed)
        self.temper = TEMPERS[self.seed % len(TEMPERS)] if self.wanted is None else self.wanted
        self._laid: set[TileId] = set()
        self._past: list[actions.Action] = []
        self._read_back: set[actions.Action] = set()
        self._asked: FuzzPrompt | None = None
        kinds = get_type_hints(State) | {"special": self.title.special_type}
        self._readers = {part: msgspec.json.Decoder(kind) for part, kind in kinds.items()}
        self._parts_of = attrgetter(*kinds)
        self._read: dict[str, bytes] = {}

    def moves(self) -> Iterator[Game]:
        """The same game after every move.

        :raises NoLegalMove: an audit failed: nothing is legal, nobody is asked, a listed action is refused or its text does
            not read back, one that is not listed is allowed, listing or asking changes something, be it only whether a
            decision opens, a run leaves what is in reach, the books are wrong, or the state does not survive encoding.
        """
        game = self.game
        if self.is_audited:
            self._audit_opening(game)
            self._audit_state()
        while not game.state.finished:
            legal = game.legal_actions()
            if not legal:
                raise self.build_failure(f"nothing is legal for {game.frame}")
            if game.state.moves > MOST_MOVES:
                raise self.build_failure("no end")
            if self.is_audited:
                self._audit_actions(legal)
                self._audit_looks()
            action = self._draw_action(legal)
            self.texts.append(format_action(action))
            if isinstance(action, actions.LayTile):
                self._laid.add(action.tile)
            if self.is_audited and isinstance(action, actions.RunRoutes):
                self._audit_run(action)
            try:
                events = game.apply(action, self._audit_opening if self.is_audited else None)
            except Rejected as refusal:
                raise self.build_failure(f"listed but refused: {refusal}") from refusal
            self.happened.update(self._event_label(event) for event in events)
            if self.is_audited:
                self._audit_state()
            yield game

    def result(self) -> FuzzResult:
        state, worth = self.game.state, self.title.rules.worth
        return FuzzResult(
            self.title.id,
            self.players,
            self.seed,
            self.temper.name,
            state.moves,
            state.round.number,
            state.phase,
            str(state.ending),
            [worth(self.game, player.id) for player in state.players],
            self.texts,
            dict(sorted(self.happened.items())),
        )

    def build_failure(self, what: str) -> NoLegalMove:
        """The exception to raise when the game cannot go on; it makes no engine calls, since the engine may be what
        is broken.
        """
        last, state = "; ".join(self.texts[-3:]), self.game.state
        frames = (
            f"{frame.plan} {frame.entity or ''}".strip() + f" at {frame.at} {' '.join(frame.asked)}".rstrip()
            for frame in state.flow
        )
        here = state.round
        return NoLegalMove(
            f"{self.title.id} with {self.players} players, seed {self.seed}, move {len(self.texts)} ({last}): {what}",
            self.texts,
            f"{here.kind} round {here.number}.{here.part}, phase {state.phase}: {', '.join(frames) or 'nothing to do'}",
        )

    def _event_label(self, event: Event) -> str:
        """The kind of event, and of the company that it is about; of what only the log tells the sentence without its values."""
        if isinstance(event, Noted):
            return event.sentence.template
        company = self.title.companies.get(getattr(event, "company", as_company("")))
        return f"{type(event).__name__} {company.kind}" if company else type(event).__name__

    def choice(self) -> actions.Action:
        """The next move by the game's temper; it is not made yet."""
        return self._draw_action(self.game.legal_actions())

    def _draw_action(self, legal: Sequence[actions.Action]) -> actions.Action:
        action = draw_action(self.title, legal, self.temper, self.generator)
        if self.temper.surveys and isinstance(action, actions.LayTile):
            lays = [option for option in legal if isinstance(option, actions.LayTile)]
            unseen = [lay for lay in lays if self.temper.collects and lay.tile not in self._laid]
            return self._best_surveyed_lay(unseen or lays)
        if self.temper.surveys and isinstance(action, actions.BuyTrain):
            return self._new_train([option for option in legal if isinstance(option, actions.BuyTrain)])
        return action

    def _new_train(self, trains: Sequence[actions.BuyTrain]) -> actions.Action:
        new = [train for train in trains if train.source in (DEPOT, POOL)] or trains
        return new[self.generator.randrange(len(new))]

    def _best_surveyed_lay(self, lays: Sequence[actions.LayTile]) -> actions.Action:
        begin = self.generator.randrange(len(lays))
        sample = [*lays[begin:], *lays[:begin]][:SURVEYED]
        if len(self.game.board_rules.network(self.game, CompanyId(sample[0].by)).stops) >= SETTLED:
            return sample[0]
        return max(sample, key=self._prospect)

    def _prospect(self, lay: actions.LayTile) -> tuple[int, int]:
        """The number of stops the company reaches with that tile, and how near its track comes to another stop."""
        trial = Game(self.game.title, copy(self.game.state))
        trial.state.board = self.game.state.board.copy()
        trial.ground = self.game.ground
        trial.board_rules.lay(trial.state.board, lay.tile, lay.hex, lay.rotation)
        land = trial.board_rules
        reached = land.network(trial, CompanyId(lay.by)).stops
        hexes = {stop.hex for stop in reached}
        others = [name for name, space in land.map.hexes.items() if space.printed.nodes and name not in hexes]
        ends = [end for edge in trial.tile_at(lay.hex).exits if (end := land.map.neighbour(lay.hex, edge)) is not None]
        steps = (land.map.layout.distance(end, other) for end in ends for other in others)
        return len(reached), -min(steps, default=0)

    def _audit_opening(self, game: Game) -> None:
        """Snapshot the position before decisions are asked whether they open, and compare it after those that did
        not.
        """
        is_over = game.state.finished or not game.state.flow or game.frame.at >= len(game.procedure.steps)
        step = None if is_over else game.procedure.steps[game.frame.at]
        if step is not None and not callable(step):
            self._asked = self._asked or FuzzPrompt([], self._parts())
            self._asked.steps.append(step.name)
        elif self._asked is not None:
            self._audit_asked(self._asked, left=len(self._asked.steps))
            self._asked = None

    def _audit_asked(self, asked: FuzzPrompt, left: int, also: str = "") -> None:
        """Querying whether a decision opens must change nothing, at any time. `left` decisions did not open and have
        been passed.
        """
        self.game.frame.at -= left
        parts = self._parts()
        self.game.frame.at += left
        if parts != asked.parts:
            raise self.build_failure(f"{also}asking whether {' or '.join(asked.steps)} opens changed the state")

    def _parts(self) -> dict[str, bytes]:
        return dict(zip(self._readers, map(ENCODER.encode, self._parts_of(self.game.state)), strict=True))

    def _audit_actions(self, legal: Sequence[actions.Action]) -> None:
        """Some listed actions must be accepted and their texts parse back; some unlisted actions must be refused."""
        game = self.game
        if not game.players_to_act():
            raise self.build_failure("nobody is asked")
        begin = self.generator.x % len(legal)
        sample = [*legal[begin:], *legal[:begin]][:SAMPLE]
        for action in sample:
            try:
                game.check(action)
            except Rejected as refusal:
                raise self.build_failure(f"{format_action(action)} is listed but refused: {refusal}") from refusal
            if action not in self._read_back and parse_action(game.title, format_action(action)) != action:
                raise self.build_failure(f"{format_action(action)} does not read back")
            self._read_back.add(action)
        listed = set(legal)
        for action in self._past:
            is_named = isinstance(action, actions.SellShares) and action.doubles is not None
            if action not in listed and not action.is_sampled and not is_named and game.allows(action):
                raise self.build_failure(f"{format_action(action)} is allowed but not listed")
        self._past = [*sample, *self._past][: 2 * SAMPLE]

    def _audit_run(self, run: actions.RunRoutes) -> None:
        company = CompanyId(run.by)
        problem = route_problem(self.game, company)
        broken = audit_run(self.game, company, problem, routes_of(problem, run).routes)
        if broken:
            raise self.build_failure("; ".join(broken))

    def _audit_looks(self) -> None:
        """Queries must not change the position, and it must survive being saved."""
        if self._asked is None:
            raise self.build_failure("no decision was asked whether it opens")
        flow = {"flow": ENCODER.encode(self.game.state.flow)}
        self._audit_asked(self._asked, len(self._asked.steps) - 1, "looking at moves or ")
        self._audit_saved(self._asked.parts | flow)
        self._asked = None

    def _audit_saved(self, parts: dict[str, bytes]) -> None:
        """Parts whose encoding has changed must decode to the same value."""
        for part in self._changed_parts(parts):
            if self._readers[part].decode(parts[part]) != getattr(self.game.state, part):
                raise self.build_failure(f"the state does not survive encoding: {part}")
        self._read = parts

    def _changed_parts(self, parts: dict[str, bytes]) -> list[str]:
        return [part for part, saved in parts.items() if saved != self._read.get(part)]

    def _audit_state(self) -> None:
        broken = (
            self.game.audit(self._changed_parts(self._asked.parts)) if self._asked is not None else self.game.audit()
        )
        if broken:
            raise self.build_failure("; ".join(broken))
        if self.game.state.finished and Game.decode(self.title, self.game.encode()).state != self.game.state:
            raise self.build_failure("the state does not survive encoding")

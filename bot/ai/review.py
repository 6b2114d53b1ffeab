"""A game looked at again: everybody's chances of winning from round to round, and the turns that changed them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from msgspec import Struct, structs

from bot.engine import Message, Owner, PlayerId, Rejected, SeededRandom
from bot.engine.games.history import round_label
from bot.engine.notation import format_action
from bot.engine.play import Game
from bot.engine.state import Action, RunRoutes

from .chances import RoundChances, chance_weights, chances, note_round
from .explanations import reason
from .intention import NOTHING_RECALLED, Recollection
from .move_evaluator import Evaluator
from .policy import Tabu, ranking, without_seed
from .title_parameters import CLUB, SkillLevel

TURN, LOSS = 0.08, 0.03
"""The change of somebody's chance by a turn that counts, and the gain by another move that makes it a mistake."""


class TurningPoint(Struct, frozen=True):
    """The turn number `turn` of the game, of the player or company `by`, that took `seat`'s chance from `before` to `after`.
    `made` are its moves. The move `instead_of` was worse than `better`, after which the chance would have been `possible`;
    these are empty where another player decided or nothing was better: news to `seat`, not a mistake.
    """

    turn: int
    move: int
    label: str
    seat: PlayerId
    by: Owner
    made: tuple[str, ...]
    before: float
    after: float
    instead_of: str = ""
    better: str = ""
    possible: float = 0.0
    reason: Message | None = None


class Review(Struct, frozen=True):
    """`learned_from` says from how many games of computers and of people the chances were learned."""

    curve: list[RoundChances]
    points: list[TurningPoint]
    learned_from: dict[str, int]


@dataclass(frozen=True)
class Decided:
    """An action, the position before it, the file's number of it, what its player had ruled out by then, and had in mind."""

    number: int
    game: Game
    action: Action
    ruled_out: Sequence[Action]
    recalled: Recollection


class Alternative(NamedTuple):
    """Another move of a position, the chance after it, and why it is good."""

    action: Action
    chance: float
    reason: Message | None


class ReviewWatcher:
    """Sees every action of a game before it is made, and at last the position after all of them."""

    def __init__(self, strength: SkillLevel = CLUB, seed: int = 1) -> None:
        self.strength, self.seed = strength, seed
        self.curve: list[RoundChances] = []
        self.points: list[TurningPoint] = []
        self._turn: list[Decided] = []
        self._number = self._turns = 0
        self._chances: dict[PlayerId, float] = {}
        self._ruled_out: Tabu | None = None

    def see(self, number: int, game: Game, action: Action) -> None:
        self._number = number
        ruled_out = self._ruled_out = self._ruled_out or Tabu(game, {})
        if self._turn and action.by != self._turn[0].action.by:
            self._close(game)
        note_round(self.curve, number, game)
        self._chances = self._chances or chances(game)
        player = game.controller_of(action.by)
        tabu, recalled = (
            (ruled_out.of(game, player), ruled_out.recollection(game, player)) if player else ((), NOTHING_RECALLED)
        )
        self._turn.append(Decided(number, game.copy(), action, tabu, recalled))
        ruled_out.note(game, action)

    def finish(self, game: Game, most: int, seat: PlayerId) -> Review:
        """The curve and the turning points that changed most, of all seats or one (empty: all), in the order of the game;
        mistakes come before news."""
        if self._turn:
            self._close(game)
        note_round(self.curve, self._number + 1, game)
        some = [point for point in self.points if seat in ("", point.seat)]
        some.sort(key=lambda point: (not point.better, -abs(point.after - point.before)))
        learned = chance_weights(game.title.id)
        return Review(
            self.curve,
            sorted(some[:most], key=lambda point: (point.turn, point.seat)),
            {"computers": learned.games, "people": learned.people},
        )

    def _close(self, after: Game) -> None:
        turn, self._turn = self._turn, []
        self._turns += 1
        first, made = turn[0], tuple(format_action(one.action) for one in turn)
        before, now = self._chances, chances(after)
        self._chances = now
        label = round_label(first.game)
        for seat, chance in before.items():
            if abs(now[seat] - chance) >= TURN:
                news = TurningPoint(self._turns, first.number, label, seat, first.action.by, made, chance, now[seat])
                self.points.append(self._blame(news, turn) if now[seat] < chance else news)

    def _blame(self, news: TurningPoint, turn: Sequence[Decided]) -> TurningPoint:
        """With the move of the turn that cost most, if another was better at the same instant; else as it was."""
        found, worst = news, LOSS
        for decided in turn:
            best = self._better(news.seat, decided)
            if best is None or best.action == decided.action:
                continue
            own = chance_after(decided.game, decided.action, news.seat)
            if own is None or best.chance - own < worst:
                continue
            worst = best.chance - own
            found = structs.replace(
                news,
                move=decided.number,
                instead_of=format_action(decided.action),
                better=format_action(best.action),
                possible=best.chance,
                reason=best.reason,
            )
        return found

    def _better(self, seat: PlayerId, decided: Decided) -> Alternative | None:
        """The move of a computer player instead; None where the seat has no choice."""
        if seat not in decided.game.players_to_act() or isinstance(decided.action, RunRoutes):
            return None
        judge = Evaluator(
            without_seed(decided.game),
            seat,
            self.strength,
            SeededRandom(self.seed),
            self.seed,
            recalled=decided.recalled,
        )
        if len(judge.options()) < 2:
            return None
        best = ranking(judge, decided.ruled_out)[0]
        chance = chance_after(decided.game, best.action, seat)
        return None if chance is None else Alternative(best.action, chance, reason(judge, best))


def chance_after(game: Game, action: Action, seat: PlayerId) -> float | None:
    """The seat's chance right after the action; None where others refuse it."""
    trial = game.copy()
    try:
        trial.apply(action)
    except Rejected:
        return None
    return chances(trial)[seat]

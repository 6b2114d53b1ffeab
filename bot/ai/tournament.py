"""Whole games of computer players and of chance, to see who plays better."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct

from bot.engine import PlayerId, SeededRandom, seat_number
from bot.engine.notation import format_action
from bot.engine.play import Game, Title, options_for_chance
from bot.engine.state import Action, BuyShares, Done, Par, Pass

from .fuzzer import BUILDER, MOST_MOVES, NoLegalMove, draw_action
from .policy import Tabu, best_moves, choose
from .title_parameters import STRENGTHS

RANDOM = "random"

PLAYERS = (*STRENGTHS, RANDOM)

FORMER = "former-"
"""The beginning of the name of a player of another commit."""

MOST_DRAWN = 3
"""The number of its best moves from which a computer player draws in the auction of a varied game."""


class Match(Struct):
    """One game: who sat where, what each had in the end, how often something happened, seconds of work of every
    decision of a computer player, and the moves. `idle` is how often, among all `leavings`, somebody left a stock round
    with much money that could have bought shares or a start. `reason` is empty for a game that was broken off."""

    title: str
    seed: int
    seats: list[str]
    scores: list[int]
    reason: str
    sets: int
    texts: list[str]
    happened: dict[str, int]
    seconds: list[float]
    idle: int = 0
    leavings: int = 0

    @property
    def winners(self) -> list[str]:
        best = max(self.scores)
        return [name for name, score in zip(self.seats, self.scores, strict=True) if score == best]


def rotate_seats(seats: Sequence[str], number: int) -> list[str]:
    """Moves every seat on by one per game number."""
    by = number % len(seats)
    return [*seats[by:], *seats[:by]]


class Rivals(Protocol):
    """Players of other code, who follow the game and are asked for their best moves."""

    def note(self, action: Action) -> None: ...

    def best_moves(self, game: Game, player: PlayerId, seed: int, strength: str, best: int) -> Sequence[Action]: ...


def play_match(
    title: Title,
    seats: Sequence[str],
    seed: int,
    most: int = MOST_MOVES,
    is_varied: bool = False,
    rivals: Callable[[Game], Rivals] | None = None,
) -> Match:
    """Play one game, at most this number of moves, under the audits of every position. In varied games every computer
    player draws its moves of the auction from its best three: alike seats would open all games alike. `rivals` play the
    seats that begin with `FORMER`.

    :raises NoLegalMove: an audit failed.
    """
    game = Game.new(title, [f"{name} {at}" for at, name in enumerate(seats, 1)], options_for_chance(title, {}), seed)
    chance, happened = SeededRandom(seed), Counter[str]()
    texts: list[str] = []
    seconds: list[float] = []
    ruled_out, much = Tabu(game, {}), much_money(game)
    left: dict[tuple[int, PlayerId], bool] = {}
    others = rivals(game) if rivals is not None else None
    while not game.state.finished and len(texts) < most:
        player = game.players_to_act()[0]
        began = time.process_time()
        best = MOST_DRAWN if is_varied and game.state.round.kind == "auction" else 1
        name = seats[seat_number(player) - 1]
        if others is not None and name.startswith(FORMER):
            moves = others.best_moves(game, player, seed, name.removeprefix(FORMER), best)
            action = moves[chance.randrange(len(moves))]
        else:
            action = _action(game, player, name, seed, chance, ruled_out, best)
        if name in STRENGTHS:
            seconds.append(time.process_time() - began)
        if game.state.round.kind == "stock":
            left[game.state.round.number, player] = is_idle(game, action, much)
        ruled_out.note(game, action)
        if others is not None:
            others.note(action)
        texts.append(format_action(action))
        happened.update(type(event).__name__ for event in game.apply(action))
        if broken := game.audit():
            raise NoLegalMove(f"{title.id}, seed {seed}, move {len(texts)} ({texts[-1]}): {'; '.join(broken)}", texts)
    scores = [title.rules.worth(game, player.id) for player in game.state.players]
    reason = str(game.state.ending or "over") if game.state.finished else ""
    return Match(
        title.id,
        seed,
        list(seats),
        scores,
        reason,
        game.state.round.number,
        texts,
        dict(sorted(happened.items())),
        seconds,
        sum(left.values()),
        len(left),
    )


def much_money(game: Game) -> float:
    """A tenth of what the bank has for each player, at the beginning; where it has no limit, what a player begins with."""
    players = game.state.order
    if game.title.bank_is_unlimited:
        return game.state.cash[players[0]]
    return sum(game.state.cash.values()) / len(players) / 10


def is_idle(game: Game, action: Action, much: float) -> bool:
    """Whether the player passes with at least `much` cash although they could buy shares or start a company."""
    if not isinstance(action, Pass | Done) or game.state.cash[PlayerId(action.by)] < much:
        return False
    return any(isinstance(other, BuyShares | Par) for other in game.legal_actions())


def _action(
    game: Game, player: PlayerId, name: str, seed: int, chance: SeededRandom, ruled_out: Tabu, best: int
) -> Action:
    if name == RANDOM:
        own = [action for action in game.legal_actions() if game.controller_of(action.by) == player]
        return draw_action(game.title, own, BUILDER, chance)
    strength = STRENGTHS[name]
    if best > 1:
        drawn = best_moves(game, player, seed, strength, ruled_out.of(game, player))[:best]
        return drawn[chance.randrange(len(drawn))]
    recalled = ruled_out.recollection(game, player)
    return choose(game, player, seed, strength, ruled_out.of(game, player), recalled).action

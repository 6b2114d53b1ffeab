"""Random legal games, played to the end under all audits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from .actions import Action, BuyShares, BuyTrain, Dividend, LayTile, Par, Pass, RunRoutes
from .game import Game
from .refusals import Refusal
from .text import action_of, text_of
from .title import Title

MOST_MOVES = 20_000
"""A game that is not over by then is stuck."""

WEIGHTS: dict[type[Action], int] = {
    RunRoutes: 60,
    BuyTrain: 8,
    Par: 12,
    BuyShares: 10,
    LayTile: 4,
    Dividend: 4,
    Pass: 3,
}
"""How eagerly each verb is chosen; others count one. A verb is drawn first, then one of its actions."""


class Stuck(Exception):
    """An audit failed; the message says which and after which moves."""


class Played(Struct):
    """A finished random game: `reason` why it ended, `scores` by seat."""

    title: str
    players: int
    seed: int
    moves: int
    rounds: int
    reason: str
    scores: list[int]


class Generator:
    """18xx.games' generator: x -> (1103515245 x + 12345) mod 2^31."""

    def __init__(self, seed: int) -> None:
        self.x = seed % 2**31

    def below(self, limit: int) -> int:
        """A number from 0 up to, not including, the limit."""
        self.x = (1103515245 * self.x + 12345) % 2**31
        return (self.x >> 8) % limit

    def choose(self, weights: Sequence[int]) -> int:
        """An index, drawn by weight."""
        drawn = self.below(sum(weights))
        for index, weight in enumerate(weights):
            if drawn < weight:
                return index
            drawn -= weight
        raise ValueError("no weights")


def play(title: Title, players: int, seed: int, audit_every: int = 10) -> Played:
    """Play one random game to its end.

    :raises Stuck: money is lost, no action is legal, a listed action is refused, its text does not read back, or the
        state does not survive encoding. The last two are looked at every `audit_every` moves.
    """
    game, rounds = None, 0
    for game in moves(title, players, seed, audit_every):
        rounds = game.state.round.number
    if game is None:
        raise Stuck(f"{title.id} seed {seed}: the game was over before it began")
    scores = [title.rules.worth(game, player.id) for player in game.state.players]
    return Played(title.id, players, seed, game.state.moves, rounds, game.state.ending, scores)


def moves(title: Title, players: int, seed: int, audit_every: int = 10) -> Iterator[Game]:
    """The same game after every move of a random game."""
    generator = Generator(seed)
    game = Game.new(title, [f"Player {number}" for number in range(1, players + 1)], {}, seed)
    while not game.state.finished:
        where = f"{title.id} seed {seed} move {game.state.moves}"
        legal = game.legal()
        if not legal:
            raise Stuck(f"{where}: nothing is legal for {game.frame}")
        if game.state.moves > MOST_MOVES:
            raise Stuck(f"{where}: no end")
        if game.state.moves % audit_every == 0:
            _audit_actions(game, legal, where)
        action = _draw(generator, legal)
        try:
            game.apply(action)
        except Refusal as refusal:
            raise Stuck(f"{where}: {action} is listed but refused: {refusal}") from refusal
        _audit_state(game, f"{where}, {text_of(action)}", game.state.moves % audit_every == 0)
        yield game


def _draw(generator: Generator, legal: Sequence[Action]) -> Action:
    verbs = list(dict.fromkeys(type(action) for action in legal))
    verb = verbs[generator.choose([WEIGHTS.get(verb, 1) for verb in verbs])]
    alike = [action for action in legal if type(action) is verb]
    return alike[generator.below(len(alike))]


def _audit_actions(game: Game, legal: Sequence[Action], where: str) -> None:
    """Every listed action is accepted, and its text reads back."""
    for action in legal:
        try:
            game.check(action)
        except Refusal as refusal:
            raise Stuck(f"{where}: {action} is listed but refused: {refusal}") from refusal
        if action_of(game.title, text_of(action)) != action:
            raise Stuck(f"{where}: {text_of(action)} does not read back")


def _audit_state(game: Game, where: str, is_thorough: bool) -> None:
    broken = game.audit()
    if broken:
        raise Stuck(f"{where}: {'; '.join(broken)}")
    if is_thorough:
        data = game.encode()
        if Game.decode(game.title, data).encode() != data:
            raise Stuck(f"{where}: the state does not survive encoding")

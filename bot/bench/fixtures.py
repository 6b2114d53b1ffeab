"""Tables to measure at, and the moves that are made there."""

from __future__ import annotations

from functools import cache

from bot.ai.fuzzer import RandomGame
from bot.service.game_service import GameService
from bot.titles.registry import TITLES

PERSON = "bench"
NAMES = ("Ann", "Bob", "Cid", "Dan")
SEED = 7
MOST_MOVES = 600
"""The random games in which moves are measured are broken off after so many."""


def random_game(title: str, players: int, seed: int) -> RandomGame:
    """A random game without audits, to be measured."""
    return RandomGame(TITLES[title], players, seed, is_audited=False)


@cache
def random_moves(title: str) -> list[str]:
    """The moves of the random game that is played at the tables as text, of a long one the first."""
    table = random_game(title, len(NAMES), SEED)
    for _ in table.moves():
        if len(table.texts) >= MOST_MOVES:
            break
    return table.texts


def first_half(title: str) -> list[str]:
    """Its moves until half of it is over."""
    texts = random_moves(title)
    return texts[: len(texts) // 2]


async def open_game(tables: GameService, title: str, person: str = PERSON) -> int:
    """A game in which one person holds all four seats, begun; he makes every move by hand, as in the random one."""
    game = await tables.lobby.create(title, person, [(person, name) for name in NAMES], {}, SEED)
    await tables.lobby.start(game, person, "list")
    await tables.moderation.set_passes(game, person, "hand")
    return game

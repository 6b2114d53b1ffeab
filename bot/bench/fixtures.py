"""Tables to measure at, and the moves that are made there."""

from __future__ import annotations

from functools import cache

from bot.ai.fuzzer import RandomGame
from bot.engine import GameId, PersonId
from bot.service.game_service import GameService
from bot.titles.registry import TITLES

PERSON = PersonId("bench")
NAMES = ("Ann", "Bob", "Cid", "Dan")
SEED = 7
MOST_MOVES = 600


def random_game(title: str, players: int, seed: int) -> RandomGame:
    return RandomGame(TITLES[title], players, seed, is_audited=False)


@cache
def random_moves(title: str) -> list[str]:
    table = random_game(title, len(NAMES), SEED)
    for _ in table.moves():
        if len(table.texts) >= MOST_MOVES:
            break
    return table.texts


def first_half(title: str) -> list[str]:
    texts = random_moves(title)
    return texts[: len(texts) // 2]


async def open_game(tables: GameService, title: str, person: PersonId = PERSON) -> GameId:
    """A started game in which one person holds all four seats and makes every move manually, as in the random
    game.
    """
    game = await tables.lobby.create(title, person, [(person, name) for name in NAMES], {}, SEED)
    await tables.lobby.start(game, person, "list")
    await tables.moderation.set_passes(game, person, "hand")
    return game

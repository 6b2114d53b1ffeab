"""Small built positions of 1830."""

from __future__ import annotations

from bot.engine.play.game import Game
from bot.titles.registry import TITLES
from tests.titles import builders_classic
from tests.titles.builders_classic import (
    BY_18XX as BY_18XX,
)
from tests.titles.builders_classic import (
    HOME as HOME,
)
from tests.titles.builders_classic import (
    PAY as PAY,
)
from tests.titles.builders_classic import (
    RUN as RUN,
)
from tests.titles.builders_classic import (
    TOKEN as TOKEN,
)
from tests.titles.builders_classic import (
    TRACK as TRACK,
)
from tests.titles.builders_classic import (
    TRAINS as TRAINS,
)
from tests.titles.builders_classic import (
    offered as offered,
)
from tests.titles.builders_classic import (
    operating as operating,
)
from tests.titles.builders_classic import (
    own as own,
)
from tests.titles.builders_classic import (
    owner_of as owner_of,
)
from tests.titles.builders_classic import (
    price as price,
)
from tests.titles.builders_classic import (
    price_at as price_at,
)
from tests.titles.builders_classic import (
    reach_phase as reach_phase,
)
from tests.titles.builders_classic import (
    started as started,
)
from tests.titles.builders_classic import (
    stock_round as stock_round,
)

TITLE = TITLES["1830"]


def new_game(players: int = 3, **options: str) -> Game:
    """The position before the auction."""
    return builders_classic.new_game("1830", players, **options)

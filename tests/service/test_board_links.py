"""Links of one person: side by side, listed, withdrawn one by one."""

from __future__ import annotations

import pytest

from bot.engine import GameId, IllegalMove
from bot.service.game_service import GameService
from bot.store import LinkKind
from bot.store.links import MOST_ALIKE
from tests.service.conftest import ANN, BOB, Clock


async def test_one_link_is_withdrawn_and_the_others_stay(tables: GameService, game_id: GameId, clock: Clock) -> None:
    tokens = []
    for kind in (LinkKind.LOOK, LinkKind.PLAY, LinkKind.PLAY):
        clock.advance(minutes=1)
        tokens.append(await tables.links.make(game_id, ANN, kind))
    await tables.links.make(game_id, BOB, LinkKind.PLAY)
    found = await tables.links.links_of(game_id, ANN)
    assert [link.kind for link in found] == [LinkKind.LOOK, LinkKind.PLAY, LinkKind.PLAY]
    await tables.links.withdraw_one(game_id, ANN, 2)
    with pytest.raises(IllegalMove, match="no longer valid"):
        await tables.links.open_link(tokens[1])
    for token in (tokens[0], tokens[2]):
        await tables.links.open_link(token)
    with pytest.raises(IllegalMove, match="there is no link 3"):
        await tables.links.withdraw_one(game_id, ANN, 3)
    assert len(await tables.links.links_of(game_id, BOB)) == 1


async def test_of_too_many_links_the_oldest_ends(tables: GameService, game_id: GameId, clock: Clock) -> None:
    tokens = []
    for _ in range(MOST_ALIKE + 1):
        clock.advance(minutes=1)
        tokens.append(await tables.links.make(game_id, ANN, LinkKind.PLAY))
    with pytest.raises(IllegalMove):
        await tables.links.open_link(tokens[0])
    assert [await tables.links.open_link(token) for token in tokens[1:]]

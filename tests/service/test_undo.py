"""Undo, rewind, and that nothing is ever erased."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import strategies as st

from bot.engine.refusals import IllegalMove, StalePosition
from bot.service.game_service import GameService
from bot.store import Server, Store
from tests.families import in_two_lengths
from tests.service.conftest import ANN, BOB, CID, EVE, total
from tests.service.toy_title import TITLES
from tests.store.postgres_cluster import IN_TIME_ON_BOTH, fresh


async def test_undo_of_ones_own_move(tables: GameService, game_id: int) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 5")
    played = await tables.moves.undo(game_id, ANN)
    assert played.version == 2
    assert played.lines[0] == "Ann takes back: bid P1 5" and played.lines[1].startswith("Back in: ")
    assert await total(tables, game_id) == 0
    assert [record.kind for record in await tables.desk.store.moves.list_of(game_id)] == ["start", "move", "undo"]
    await tables.moves.submit(game_id, ANN, "bid P1 4")
    assert await tables.queries.actions(game_id) == ["@1 bid P1 4"]
    assert [entry.is_undone for entry in await tables.queries.log_since(game_id)] == [False, True, False, False]


async def test_no_undo_once_somebody_else_has_moved(tables: GameService, game_id: int) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 5")
    await tables.moves.submit(game_id, BOB, "bid P1 4")
    with pytest.raises(IllegalMove, match="Bob has moved since"):
        await tables.moves.undo(game_id, ANN)
    await tables.moves.undo(game_id, BOB)
    await tables.moves.undo(game_id, ANN)
    with pytest.raises(IllegalMove, match="nothing to take back"):
        await tables.moves.undo(game_id, ANN)
    with pytest.raises(IllegalMove, match="nothing to take back"):
        await tables.moves.undo(game_id, EVE)
    assert await total(tables, game_id) == 0


async def test_undo_of_several(tables: GameService) -> None:
    game = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (ANN, "Bob"), (CID, "Cid")])
    await tables.lobby.start(game, ANN, "list")
    await tables.moves.submit(game, ANN, "bid P1 1; bid P1 2")
    await tables.moves.submit(game, CID, "bid P1 3")
    await tables.moves.submit(game, ANN, "bid P1 4; bid P1 5")
    with pytest.raises(IllegalMove, match="take back 2"):
        await tables.moves.undo(game, ANN, moves=3)
    await tables.moves.undo(game, ANN, moves=1)
    assert await total(tables, game) == 10
    await tables.moves.undo(game, ANN, moves=None)
    assert await total(tables, game) == 6
    with pytest.raises(IllegalMove, match="Cid has moved"):
        await tables.moves.undo(game, ANN, moves=None)
    with pytest.raises(StalePosition):
        await tables.moves.undo(game, CID, version=2)


async def test_rewind_goes_anywhere_and_back_again(tables: GameService, game_id: int) -> None:
    for person, price in ((ANN, 1), (BOB, 2), (CID, 3), (ANN, 4)):
        await tables.moves.submit(game_id, person, f"bid P1 {price}")
    with pytest.raises(IllegalMove, match="Only the moderator"):
        await tables.moderation.rewind(game_id, BOB, 1)
    for wrong in (-1, 5):
        with pytest.raises(IllegalMove, match="log entries 0 to 4"):
            await tables.moderation.rewind(game_id, ANN, wrong)
    await tables.moderation.rewind(game_id, ANN, 2)
    assert await total(tables, game_id) == 3
    await tables.moves.submit(game_id, CID, "bid P1 9")
    await tables.moderation.rewind(game_id, ANN, 4)
    assert await total(tables, game_id) == 10
    assert await tables.queries.actions(game_id) == [f"@{1 + n % 3} bid P1 {n + 1}" for n in range(4)]
    await tables.moderation.rewind(game_id, ANN, 0)
    assert await total(tables, game_id) == 0
    assert len(await tables.desk.store.moves.list_of(game_id)) == 9


async def test_undo_waits_while_the_game_is_paused_or_ended(tables: GameService, game_id: int) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 5")
    await tables.moderation.set_status(game_id, ANN, "paused")
    with pytest.raises(IllegalMove, match="paused"):
        await tables.moves.undo(game_id, ANN)
    await tables.moderation.rewind(game_id, ANN, 0)
    assert (await tables.desk.table(game_id)).record.status == "paused"
    await tables.moderation.set_status(game_id, ANN, "running")
    await tables.moves.submit(game_id, ANN, "bid P1 5")
    await tables.moderation.set_status(game_id, ANN, "finished", "no time")
    with pytest.raises(IllegalMove, match="ended"):
        await tables.moves.undo(game_id, ANN)


async def test_names_stay_as_they_are_now(tables: GameService, game_id: int) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 5")
    await tables.moderation.replace(game_id, ANN, 2, EVE, "Eve")
    await tables.moderation.rewind(game_id, ANN, 0)
    table = await tables.desk.table(game_id)
    assert table.game is not None
    assert [player.name for player in table.game.state.players] == ["Ann", "Eve", "Cid"]
    assert (await tables.doctor.examine(game_id)).is_healthy


OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("play"), st.lists(st.integers(1, 10), min_size=1, max_size=4)),
        st.tuples(st.just("undo"), st.one_of(st.none(), st.integers(1, 4))),
        st.tuples(st.just("rewind"), st.integers(0, 40)),
        st.tuples(st.just("pause"), st.just(0)),
        st.tuples(st.just("replace"), st.integers(1, 3)),
        st.tuples(st.just("forget"), st.just(0)),
    ),
    max_size=25,
)


@pytest.mark.parametrize("kind", IN_TIME_ON_BOTH)
def every_position_can_be_found_again(kind: str, operations: list[tuple[str, object]]) -> None:
    """Whatever is done, the game stands where a list of positions says, cold or warm, and the doctor agrees."""
    with fresh(kind) as place:
        asyncio.run(_follow(place, operations))


test_every_position_can_be_found_again, test_more_positions_can_be_found_again = in_two_lengths(
    every_position_can_be_found_again, 8, 30, operations=OPERATIONS
)


async def _follow(place: Path | Server, operations: list[tuple[str, object]]) -> None:
    store = await Store.open(place)
    tables = GameService(store, TITLES)
    game = await tables.lobby.create("long", ANN, [(ANN, "Ann"), (ANN, "Bob"), (ANN, "Cid")])
    await tables.lobby.start(game, ANN, "list")
    totals = [0]
    own: list[list[int]] = [[]]
    for what, detail in operations:
        await _do(tables, game, what, detail, totals, own)
        assert (await tables.desk.table(game)).record.version == len(totals) - 1
        assert await total(tables, game) == totals[-1]
    cold = GameService(store, TITLES)
    for number, expected in enumerate(totals):
        assert (await cold.queries.position_at(game, number)).state.special.total == expected
    assert (await tables.doctor.examine(game)).is_healthy
    assert len(await tables.queries.actions(game)) == len(own[-1])
    await store.close()


async def _do(
    tables: GameService, game_id: int, what: str, detail: object, totals: list[int], own: list[list[int]]
) -> None:
    """Do it to the game and to the model: `totals` by record, `own` the records of the moves on each one's line."""
    last = len(totals) - 1
    if what == "play" and isinstance(detail, list):
        texts = [f"bid P1 {price}" if price not in (7, 10) else "pass" for price in detail]
        await tables.moves.submit(game_id, ANN, "; ".join(texts))
        for price in detail:
            totals.append(totals[-1] + (price if price not in (7, 10) else 0))
            own.append([*own[-1], len(totals) - 1])
    elif what == "undo":
        count = len(own[-1]) if detail is None else int(str(detail))
        if not 0 < count <= len(own[-1]):
            with pytest.raises(IllegalMove):
                await tables.moves.undo(game_id, ANN, detail if detail is None else count)
            return
        await tables.moves.undo(game_id, ANN, None if detail is None else count)
        rest = own[-1][:-count]
        back_to = own[-1][-count] - 1
        totals.append(totals[back_to])
        own.append(rest)
    elif what == "rewind" and int(str(detail)) <= last:
        await tables.moderation.rewind(game_id, ANN, int(str(detail)))
        totals.append(totals[int(str(detail))])
        own.append(own[int(str(detail))])
    elif what == "pause":
        await tables.moderation.set_status(game_id, ANN, "paused")
        await tables.moderation.set_status(game_id, ANN, "running")
        totals += [totals[-1]] * 2
        own += [own[-1]] * 2
    elif what == "replace":
        await tables.moderation.replace(game_id, ANN, int(str(detail)), ANN, f"Name {len(totals)}")
        totals.append(totals[-1])
        own.append(own[-1])
    elif what == "forget":
        tables.desk.forget(game_id)


async def test_what_the_table_took_back_of_others_is_not_made_again_by_one(tables: GameService, game_id: int) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 5")
    await tables.moves.submit(game_id, BOB, "bid P1 4")
    poll = await tables.votes.start_poll(game_id, ANN, "undo", {"number": 0})
    await tables.votes.answer_poll(poll.record.id, BOB, True)
    assert await total(tables, game_id) == 0
    with pytest.raises(IllegalMove, match="Others had moved too"):
        await tables.moves.redo(game_id, ANN)
    with pytest.raises(IllegalMove, match="nothing to redo"):
        await tables.moves.redo(game_id, BOB)
    assert await total(tables, game_id) == 0

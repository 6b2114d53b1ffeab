"""Corrections and sitters: done by whoever may, in the log with a reason, replayed and exported like moves."""

from __future__ import annotations

import pytest

from bot.engine.play.game import Game
from bot.engine.refusals import IllegalMove, NotYourTurn, Rejected
from bot.service.game_service import GameService
from bot.store import Store
from bot.titles.registry import TITLES
from tests.service.conftest import ANN, BOB, CID, EVE, Clock, total

MOVES = (
    *((person, f"buy P{n}") for n, person in enumerate((ANN, BOB, CID) * 2, 1)),
    (ANN, "par VR 100"),
    (BOB, "buy VR"),
    (CID, "buy VR"),
    (ANN, "buy VR"),
    (BOB, "buy VR"),
    (CID, "buy VR"),
)


@pytest.fixture
async def australia(store: Store, clock: Clock) -> tuple[GameService, int]:
    """1848 in the first stock round."""
    tables = GameService(store, TITLES, clock)
    game = await tables.lobby.create("1848", ANN, [(ANN, "Ann"), (BOB, "Bob"), (CID, "Cid")])
    await tables.lobby.start(game, ANN, "list")
    for person, text in MOVES:
        await tables.moves.submit(game, person, text)
    return tables, game


async def position(tables: GameService, game_id: int) -> Game:
    _, found = await tables.desk.require_started(game_id)
    return found


async def test_money_is_corrected_with_a_reason_and_the_books_balance(australia: tuple[GameService, int]) -> None:
    tables, game = australia
    before = (await position(tables, game)).state.cash["@2"]
    played = await tables.moderation.correct(game, ANN, f"cash Bob £{before + 50}", "paid twice for P2")
    assert played.lines == (f"Ann corrects: Bob has £{before + 50} instead of £{before} (paid twice for P2).",)
    current = await position(tables, game)
    assert current.state.cash["@2"] == before + 50 and current.audit() == []
    assert current.players_to_act() == ("@1",)
    fresh = GameService(tables.desk.store, TITLES, tables.desk.clock)
    await fresh.moves.submit(game, ANN, "buy VR")
    assert (await fresh.doctor.examine(game)).is_healthy
    copy = await fresh.transfer.import_game(await fresh.queries.game_file(game), ANN)
    assert (await position(fresh, copy)).encode() == (await position(fresh, game)).encode()
    await fresh.moderation.rewind(game, ANN, len(MOVES))
    assert (await position(fresh, game)).state.cash["@2"] == before


async def test_tokens_are_corrected(australia: tuple[GameService, int]) -> None:
    tables, game = australia
    current = await position(tables, game)
    left = current.company("VR").tokens_left
    await tables.moderation.correct(game, ANN, "token vr g10", "forgotten")
    current = await position(tables, game)
    assert current.state.board.has_token("G10", "VR") and len(current.company("VR").tokens_left) == len(left) - 1
    await tables.moderation.correct(game, ANN, "no-token VR G10.0", "not forgotten after all")
    current = await position(tables, game)
    assert not current.state.board.has_token("G10", "VR") and current.company("VR").tokens_left == left


@pytest.mark.parametrize(
    "text",
    [
        "",
        "cash",
        "cash Zoe 5",
        "cash bank 5",
        "cash Bob -5",
        "cash Bob 99999999",
        "token VR A1",
        "token XX G10",
        "no-token VR G10",
        "token VR G10.9",
        "share VR 5",
    ],
)
async def test_a_correction_that_cannot_be_changes_nothing(australia: tuple[GameService, int], text: str) -> None:
    tables, game = australia
    before = (await position(tables, game)).encode()
    with pytest.raises(Rejected):
        await tables.moderation.correct(game, ANN, text, "because")
    assert (await position(tables, game)).encode() == before


async def test_only_the_moderator_corrects_and_never_without_a_reason(australia: tuple[GameService, int]) -> None:
    tables, game = australia
    with pytest.raises(IllegalMove, match="Only the moderator"):
        await tables.moderation.correct(game, BOB, "cash Bob 5000", "please")
    with pytest.raises(IllegalMove, match="needs a reason"):
        await tables.moderation.correct(game, ANN, "cash Bob 50", "  ")


async def test_a_sitter_moves_for_a_seat_until_his_time_is_over(
    tables: GameService, game_id: int, clock: Clock
) -> None:
    await tables.moderation.set_sitter(game_id, ANN, 1, EVE, "Eve", 3)
    assert (await tables.queries.log_since(game_id))[-1].tr_lines == ["Eve sits in for Ann for 3 days."]
    played = await tables.moves.submit(game_id, EVE, "bid P1 2")
    assert played.lines[0] == "A sitter moves for Ann."
    assert [status.record.id for status in await tables.queries.games_of(EVE)] == [game_id]
    with pytest.raises(IllegalMove, match="no seat"):
        await tables.plans.give_plan(game_id, EVE, "pass")
    await tables.moves.submit(game_id, BOB, "pass")
    await tables.moves.submit(game_id, CID, "pass")
    await tables.moves.submit(game_id, ANN, "bid P1 2")
    clock.advance(days=4)
    await tables.moves.submit(game_id, BOB, "pass")
    await tables.moves.submit(game_id, CID, "pass")
    with pytest.raises(NotYourTurn, match="no seat"):
        await tables.moves.submit(game_id, EVE, "bid P1 2")
    assert await total(tables, game_id) == 4
    with pytest.raises(IllegalMove, match="Only the moderator"):
        await tables.moderation.set_sitter(game_id, CID, 2, EVE, "Eve", 3)
    with pytest.raises(IllegalMove, match="up to 60 days"):
        await tables.moderation.set_sitter(game_id, BOB, 2, EVE, "Eve", 100)

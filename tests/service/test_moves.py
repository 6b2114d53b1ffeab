"""Moves: who may make them, all or nothing, on which position."""

from __future__ import annotations

import asyncio

import pytest

from bot.engine.ids import seat
from bot.engine.refusals import IllegalMove, NotYourTurn, Rejected, StalePosition
from bot.engine.state.actions import Bid
from bot.service.game_service import GameService
from bot.service.sessions.session_manager import GameSession
from bot.store import Store
from tests.service.conftest import ANN, BOB, CID, EVE, total
from tests.service.toy_title import P1, TITLES


async def test_a_move_is_saved_and_told(tables: GameService, game_id: int) -> None:
    told: list[int] = []

    async def listen(number: int, saved: GameSession | None) -> None:
        told.append(number)

    tables.desk.listeners.append(listen)
    played = await tables.moves.submit(game_id, ANN, "bid P1 5", version=0)
    assert (played.version, played.actions) == (1, ("@1 bid P1 5",))
    assert len(played.lines) == 1 and "£0 to £5" in played.lines[0]
    assert str(played.question).startswith("Bob: raise the total")
    assert told == [game_id]
    fresh = GameService(tables.desk.store, TITLES)
    assert await total(fresh, game_id) == 5


async def test_actions_may_be_given_ready_made(tables: GameService, game_id: int) -> None:
    await tables.moves.submit(game_id, ANN, [Bid(seat(1), P1, 4)])
    assert await total(tables, game_id) == 4


async def test_several_clauses_are_all_or_nothing(tables: GameService) -> None:
    game = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (ANN, "Bob")])
    await tables.lobby.start(game, ANN, "list")
    played = await tables.moves.submit(game, ANN, "bid P1 5; bid P1 4\nbid P1 3")
    assert played.version == 3
    with pytest.raises(IllegalMove, match="12 is not 1 to 9"):
        await tables.moves.submit(game, ANN, "bid P1 1; bid P1 12")
    assert await total(tables, game) == 12
    assert (await tables.desk.table(game)).record.version == 3


async def test_others_and_their_seats(tables: GameService, game_id: int) -> None:
    with pytest.raises(NotYourTurn, match="That is Ann's move"):
        await tables.moves.submit(game_id, BOB, "pass")
    with pytest.raises(NotYourTurn, match="not Bob's turn"):
        await tables.moves.submit(game_id, BOB, "Bob pass")
    with pytest.raises(NotYourTurn, match="You have no seat"):
        await tables.moves.submit(game_id, EVE, "pass")
    with pytest.raises(IllegalMove, match="Only the moderator"):
        await tables.moves.submit(game_id, BOB, "pass", as_moderator=True)
    assert (await tables.desk.table(game_id)).record.version == 0


@pytest.mark.parametrize("text", ["", "dance", "bid", "🚂", "x" * 5000, "bid P1 ; pass", "bid P1 4 4", "Ann"])
async def test_bad_text_changes_nothing(tables: GameService, game_id: int, text: str) -> None:
    with pytest.raises(Rejected) as caught:
        await tables.moves.submit(game_id, ANN, text)
    assert caught.value.sentence
    assert (await tables.desk.table(game_id)).record.version == 0
    assert await total(tables, game_id) == 0


async def test_the_moderator_acts_for_a_seat_and_the_log_says_so(tables: GameService, game_id: int) -> None:
    await tables.moves.submit(game_id, ANN, "pass")
    await tables.moves.submit(game_id, ANN, "bid P1 2", as_moderator=True)
    last = (await tables.desk.store.moves.list_of(game_id))[-1]
    assert (last.person, last.seat) == (ANN, 2)
    assert str(last.lines[0]) == "@1 acts for @2."


async def test_a_stale_version_is_refused(tables: GameService, game_id: int) -> None:
    await tables.moves.submit(game_id, ANN, "pass", version=0)
    with pytest.raises(StalePosition, match="moved on"):
        await tables.moves.submit(game_id, BOB, "pass", version=0)
    await tables.moves.submit(game_id, BOB, "pass", version=1)


async def test_two_moves_at_once(tables: GameService, game_id: int) -> None:
    done = await asyncio.gather(
        tables.moves.submit(game_id, ANN, "bid P1 5", version=0),
        tables.moves.submit(game_id, ANN, "bid P1 4", version=0),
        return_exceptions=True,
    )
    assert sorted(type(result).__name__ for result in done) == ["MoveResult", "StalePosition"]
    assert await total(tables, game_id) in (4, 5)
    assert (await tables.desk.table(game_id)).record.version == 1


async def test_two_programs_on_one_database(tables: GameService, game_id: int) -> None:
    other = GameService(tables.desk.store, TITLES, tables.desk.clock)
    await other.desk.table(game_id)
    await tables.moves.submit(game_id, ANN, "bid P1 5")
    await other.moves.submit(game_id, BOB, "bid P1 4")
    assert await total(tables, game_id) == 9
    done = await asyncio.gather(
        tables.moves.submit(game_id, CID, "bid P1 2"),
        other.moves.submit(game_id, CID, "bid P1 3"),
        return_exceptions=True,
    )
    assert {type(result).__name__ for result in done} & {"StalePosition", "NotYourTurn"}
    assert sum(not isinstance(result, BaseException) for result in done) == 1
    assert await total(tables, game_id) == await total(other, game_id) in (11, 12)


async def test_questions_to_all_at_once_are_answered_in_any_order(tables: GameService, game_id: int) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 7")
    await tables.moves.submit(game_id, CID, "agree")
    await tables.moves.submit(game_id, ANN, "Ann agree")
    with pytest.raises(NotYourTurn):
        await tables.moves.submit(game_id, CID, "Cid agree")
    await tables.moves.submit(game_id, BOB, "Bob refuse")
    table = await tables.desk.table(game_id)
    assert table.game is not None
    assert table.game.state.special.answers == [True, True, False]
    assert table.game.players_to_act() == (seat(2),)


async def test_a_finished_game(tables: GameService) -> None:
    game = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob")])
    await tables.lobby.start(game, ANN, "list")
    for _ in range(3):
        await tables.moves.submit(game, ANN, "bid P1 9")
        await tables.moves.submit(game, BOB, "bid P1 9")
    played = await tables.moves.submit(game, ANN, "bid P1 9")
    assert str(played.question) == "The game is over."
    assert (await tables.desk.table(game)).record.status == "finished"
    assert await tables.desk.store.clocks.list_of(game) == []
    with pytest.raises(IllegalMove, match="over"):
        await tables.moves.submit(game, BOB, "pass")
    await tables.moves.undo(game, ANN)
    await tables.moves.submit(game, ANN, "pass")


async def test_a_failing_listener_does_not_undo_a_move(
    tables: GameService, game_id: int, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(number: int, saved: GameSession | None) -> None:
        raise RuntimeError("no network")

    tables.desk.listeners.append(fail)
    await tables.moves.submit(game_id, ANN, "bid P1 5")
    assert await total(tables, game_id) == 5
    assert [record.levelname for record in caplog.records if record.exc_info] == ["ERROR"]


async def test_a_move_that_breaks_the_books_is_not_saved(
    tables: GameService, game_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.engine.play.game.Game.audit", lambda self: ["money in the game is 1, not 0"])
    with pytest.raises(IllegalMove, match="bug in the program"):
        await tables.moves.submit(game_id, ANN, "pass")
    assert (await tables.desk.table(game_id)).record.version == 0


async def test_few_games_stay_in_memory(tables: GameService, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.service.sessions.session_manager.WARM_GAMES", 3)
    games = []
    for _ in range(6):
        number = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob")])
        await tables.lobby.start(number, ANN, "list")
        await tables.moves.submit(number, ANN, "bid P1 4")
        games.append(number)
    assert len(tables.desk._warm) == 3
    for number in games:
        await tables.moves.submit(number, BOB, "bid P1 3")
        assert await total(tables, number) == 7


async def test_every_refusal_of_a_move_offers_whoever_is_asked_what_would_be_legal(tables: GameService) -> None:
    number = await tables.lobby.create("1848", ANN, [(ANN, "Ann"), (BOB, "Bob"), (CID, "Cid")])
    await tables.lobby.start(number, ANN, "list")
    for text in ("buy P1 for 1", "bid P1 3", "pass", "sell 1 VR", "token G10", "Ann buy P9"):
        with pytest.raises(Rejected) as refused:
            await tables.moves.submit(number, ANN, text)
        assert refused.value.instead, text
        assert not any(option.startswith(("Bob", "Cid")) for option in refused.value.instead)
    with pytest.raises(Rejected) as refused:
        await tables.moves.submit(number, BOB, "buy P1 for 1")
    assert refused.value.instead == (), "he is not asked"
    with pytest.raises(Rejected) as refused:
        await tables.moves.submit(number, ANN, "good morning")
    assert refused.value.instead == () or "help" in str(refused.value)

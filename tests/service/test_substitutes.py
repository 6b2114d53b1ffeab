"""Seats that are offered to volunteers, and how a table decides about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.engine.refusals import IllegalMove
from bot.i18n import tr
from bot.service.game_service import GameService
from bot.service.sessions.computer_seats import is_computer
from bot.store import NoticeKind, PollKind, Server
from tests.service.conftest import ANN, BOB, CID, EVE, Clock
from tests.service.test_privacy import everything
from tests.service.test_results import played

ZOE = "discord:77"


async def offered(tables: GameService) -> list[tuple[int, int]]:
    await tables.substitutes.sweep()
    return [(one.offer.game, one.offer.seat) for one in await tables.substitutes.offered_seats(ZOE)]


async def test_a_seat_that_is_left_is_offered_once_and_volunteers_hear_of_it(tables: GameService, game_id: int) -> None:
    await tables.substitutes.volunteer(ZOE, ["toy"])
    await tables.substitutes.volunteer(EVE, ["toy"])
    await tables.open_tables.set_block(CID, EVE, True)
    assert await offered(tables) == []
    await tables.moderation.leave_seat(game_id, BOB)
    assert await offered(tables) == await offered(tables) == [(game_id, 2)]
    notices = await tables.outbox.waiting_notices()
    assert [one.lines[0] for one in notices if one.kind == NoticeKind.CALL] == [ZOE], "once, and not Eve"
    told = [tr(line, names={"@2": "Bob"}) for one in notices if one.kind == NoticeKind.TOLD for line in one.lines]
    assert any(line.startswith("Bob: the seat is now offered to volunteers") for line in told)


async def test_a_late_seat_is_offered_after_the_pace_has_passed_three_times(
    tables: GameService, game_id: int, clock: Clock
) -> None:
    clock.advance(hours=3 * 48 - 1)
    assert await offered(tables) == []
    clock.advance(hours=2)
    assert await offered(tables) == [(game_id, 1)]
    await tables.moves.submit(game_id, ANN, "bid P1 1")
    assert await offered(tables) == [], "Ann is back"
    with pytest.raises(IllegalMove, match="That seat is not on offer"):
        await tables.substitutes.take(game_id, ZOE, "Zoe")


async def test_the_table_decides_who_takes_over_while_a_computer_moves(tables: GameService, game_id: int) -> None:
    await tables.moderation.leave_seat(game_id, BOB)
    await offered(tables)
    poll = await tables.votes.start_poll(game_id, ANN, PollKind.COMPUTER, {"seat": 2})
    await tables.votes.answer_poll(poll.record.id, CID, True)
    assert is_computer((await tables.desk.table(game_id)).seats[1].sitter)
    asked = await tables.substitutes.take(game_id, ZOE, "Zoe")
    assert asked.text == "Zoe would take over the seat of Bob." and {one.name for one in asked.asked} == {"Ann", "Cid"}
    await tables.moves.submit(game_id, ANN, "bid P1 1")
    assert [one.record.id for one in await tables.votes.polls(game_id)] == [asked.record.id], (
        "the game goes on meanwhile"
    )
    await tables.votes.answer_poll(asked.record.id, ANN, True)
    done = await tables.votes.answer_poll(asked.record.id, CID, True)
    assert done.record.outcome == "agreed"
    seats = (await tables.desk.table(game_id)).seats
    assert (seats[1].person, seats[1].name, seats[1].sitter) == (ZOE, "Zoe", "")
    assert await offered(tables) == []


async def test_a_table_may_refuse_and_strangers_may_not_ask_for_other_seats(tables: GameService, game_id: int) -> None:
    await tables.moderation.leave_seat(game_id, BOB)
    await offered(tables)
    for wrong in (
        tables.votes.start_poll(game_id, ZOE, PollKind.REPLACE, {"seat": 1, "newcomer": ZOE, "name": "Zoe"}),
        tables.votes.start_poll(game_id, ZOE, PollKind.REPLACE, {"seat": 2, "newcomer": EVE, "name": "Eve"}),
        tables.votes.start_poll(game_id, ZOE, PollKind.END),
    ):
        with pytest.raises(IllegalMove, match="Only players of this game"):
            await wrong
    with pytest.raises(IllegalMove, match="You play in this game"):
        await tables.substitutes.take(game_id, ANN, "Ann")
    asked = await tables.substitutes.take(game_id, ZOE, "Zoe")
    refused = await tables.votes.answer_poll(asked.record.id, ANN, False)
    assert refused.record.outcome == "refused" and (await tables.desk.table(game_id)).seats[1].person == ""


async def test_volunteers_are_forgotten(tables: GameService, place: Path | Server) -> None:
    await tables.substitutes.volunteer(ZOE, ["toy"])
    await tables.privacy.forget_person(ZOE)
    assert ZOE not in everything(place)
    with pytest.raises(IllegalMove):
        await tables.substitutes.volunteer(ZOE, ["no such title"])


async def test_a_table_elects_another_moderator_when_the_present_one_has_vanished(
    tables: GameService, game_id: int, clock: Clock
) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 1")
    clock.advance(days=13, hours=23)
    with pytest.raises(IllegalMove, match="less than 14 days ago"):
        await tables.votes.start_poll(game_id, BOB, PollKind.MODERATOR, {"seat": 2})
    clock.advance(hours=2)
    for wrong in (1, 9):
        with pytest.raises(IllegalMove, match="Name another player"):
            await tables.votes.start_poll(game_id, BOB, PollKind.MODERATOR, {"seat": wrong})
    poll = await tables.votes.start_poll(game_id, BOB, PollKind.MODERATOR, {"seat": 3})
    assert poll.text == "Bob asks to make Cid the moderator."
    assert (await tables.votes.answer_poll(poll.record.id, ANN, True)).record.outcome == "agreed"
    assert (await tables.desk.table(game_id)).record.moderator == CID
    assert (await tables.doctor.examine(game_id)).is_healthy
    await tables.moderation.set_status(game_id, CID, "paused")


async def test_a_rematch_seats_its_opener_and_computers_and_invites_the_others(tables: GameService) -> None:
    people = [(ANN, "Ann"), (BOB, "Bob"), ("computer:learner", "Computer")]
    running = await tables.lobby.create("toy", ANN, people)
    await tables.lobby.start(running, ANN, "list")
    with pytest.raises(IllegalMove, match="not over yet"):
        await tables.lobby.rematch(running, ANN)
    game = await played(tables, people[:2], "1", "Bob 5000", is_unrated=True)
    with pytest.raises(IllegalMove, match="no seat"):
        await tables.lobby.rematch(game, EVE)
    new = await tables.lobby.rematch(game, BOB)
    assert (new.record.title, new.record.moderator, new.record.unrated) == ("toy", BOB, True)
    assert [held.name for held in new.seats] == ["Bob"]
    (call,) = [one for one in await tables.outbox.waiting_notices() if one.kind == NoticeKind.CALL]
    assert (call.game, call.lines[0]) == (new.record.id, ANN)
    code = tr(call.lines[1]).rpartition(":")[2]
    with pytest.raises(IllegalMove, match="not open to you"):
        await tables.lobby.join(new.record.id, ANN, "Ann")
    joined = await tables.lobby.join(new.record.id, ANN, "Ann", code)
    assert [held.name for held in joined.seats] == ["Bob", "Ann"]
    await tables.lobby.start(new.record.id, BOB)

"""Questions to the table: everybody concerned is asked at once, nobody else, and what is agreed is done."""

from __future__ import annotations

import msgspec
import pytest

from bot.engine.refusals import IllegalMove
from bot.i18n import use_language
from bot.service.game_service import GameService
from bot.store import Notice
from tests.service.conftest import ANN, BOB, CID, EVE, Clock, total


async def questions(tables: GameService) -> list[Notice]:
    return [notice for notice in await tables.outbox.waiting_notices() if notice.kind == "question"]


async def three_moves(tables: GameService, game_id: int) -> None:
    for person, text in ((ANN, "bid P1 1"), (BOB, "bid P1 2"), (CID, "bid P1 3")):
        await tables.moves.submit(game_id, person, text)


async def test_undo_across_players_asks_those_who_have_moved_since(tables: GameService, game_id: int) -> None:
    await three_moves(tables, game_id)
    poll = await tables.votes.start_poll(game_id, CID, "undo", {"number": 1})
    assert poll.text == "Cid asks to go back to move 1." and poll.line == "Waiting for Bob."
    assert [notice.lines for notice in await questions(tables)] == [[str(poll.record.id), BOB]]
    with pytest.raises(IllegalMove, match="You have no vote here"):
        await tables.votes.answer_poll(poll.record.id, ANN, True)
    done = await tables.votes.answer_poll(poll.record.id, BOB, True)
    assert done.line == "All agreed."
    assert await total(tables, game_id) == 1
    last = (await tables.queries.log_since(game_id))[-1]
    assert (last.record.kind, last.tr_lines) == ("undo", ["Cid goes back to move 1; Bob agreed."])
    with pytest.raises(IllegalMove, match="vote is over: All agreed"):
        await tables.votes.answer_poll(poll.record.id, BOB, False)


async def test_the_table_knows_of_votes_that_wait_and_of_players_whom_no_mail_reaches(
    tables: GameService, game_id: int
) -> None:
    assert await tables.votes.open_matters(game_id) == []
    poll = await tables.votes.start_poll(game_id, BOB, "end")
    await tables.votes.answer_poll(poll.record.id, ANN, True)
    await tables.desk.store.people.save(msgspec.structs.replace(await tables.mail.person(CID), returned_at=1.0))
    vote, unreached = await tables.votes.open_matters(game_id)
    assert vote == "Bob asks to end the game now. Waiting for Cid. Ann agreed."
    assert unreached.startswith("Mail to Cid bounces.")
    with use_language("de"):
        assert "warte" in (await tables.votes.open_matters(game_id))[0].lower()
    await tables.votes.answer_poll(poll.record.id, CID, True)
    assert await tables.votes.open_matters(game_id) == []


async def test_one_refusal_is_enough(tables: GameService, game_id: int) -> None:
    await three_moves(tables, game_id)
    poll = await tables.votes.start_poll(game_id, ANN, "undo", {"number": 0})
    assert poll.waiting == ("Bob", "Cid")
    assert (await tables.votes.answer_poll(poll.record.id, CID, False)).line == "Not done: Cid refused."
    assert await total(tables, game_id) == 6


async def test_a_question_is_over_when_the_game_moves_on(tables: GameService, game_id: int) -> None:
    await three_moves(tables, game_id)
    poll = await tables.votes.start_poll(game_id, ANN, "undo", {"number": 0})
    await tables.moves.submit(game_id, ANN, "bid P1 4")
    assert await tables.votes.polls(game_id) == []
    assert "moved on" in (await tables.votes.answer_poll(poll.record.id, BOB, True)).line
    assert await total(tables, game_id) == 10


async def test_all_agree_to_end_the_game(tables: GameService, game_id: int) -> None:
    poll = await tables.votes.start_poll(game_id, BOB, "end")
    with pytest.raises(IllegalMove, match="already open"):
        await tables.votes.start_poll(game_id, CID, "end")
    await tables.votes.answer_poll(poll.record.id, ANN, True)
    assert (await tables.votes.polls(game_id))[0].line == "Waiting for Cid. Ann agreed."
    await tables.votes.answer_poll(poll.record.id, CID, True)
    assert (await tables.desk.table(game_id)).record.status == "finished"


async def test_the_silent_are_replaced_by_vote_after_a_week_and_not_before(
    tables: GameService, game_id: int, clock: Clock
) -> None:
    wish = {"seat": 1, "newcomer": EVE, "name": "Eve"}
    with pytest.raises(IllegalMove, match="has not kept the table waiting for 7 days"):
        await tables.votes.start_poll(game_id, BOB, "replace", wish)
    clock.advance(days=8)
    poll = await tables.votes.start_poll(game_id, BOB, "replace", wish)
    assert poll.waiting == ("Cid",), "neither the silent nor the asker"
    await tables.votes.answer_poll(poll.record.id, CID, True)
    assert (await tables.desk.table(game_id)).seats[0].name == "Eve"
    await tables.moves.submit(game_id, EVE, "bid P1 1")


async def test_where_nobody_else_is_concerned_it_is_done_at_once(tables: GameService, game_id: int) -> None:
    await tables.moves.submit(game_id, ANN, "bid P1 1")
    poll = await tables.votes.start_poll(game_id, ANN, "undo", {"number": 0})
    assert poll.record.outcome == "agreed" and await total(tables, game_id) == 0
    assert await questions(tables) == []


async def test_a_standing_answer_is_not_waited_for(tables: GameService, game_id: int) -> None:
    await three_moves(tables, game_id)
    await tables.plans.give_plan(game_id, BOB, "agree undo")
    poll = await tables.votes.start_poll(game_id, ANN, "undo", {"number": 0})
    assert poll.line == "Waiting for Cid. Bob agreed."
    end = await tables.votes.start_poll(game_id, ANN, "end")
    assert end.waiting == ("Bob", "Cid"), "an answer about undo is none about the end"


async def test_nonsense_is_refused(tables: GameService, game_id: int) -> None:
    for person, kind, data in (
        (EVE, "end", {}),
        (ANN, "dance", {}),
        (ANN, "undo", {"number": 5}),
        (ANN, "undo", {"number": "x"}),
        (ANN, "replace", {"seat": 9}),
    ):
        with pytest.raises(IllegalMove):
            await tables.votes.start_poll(game_id, person, kind, data)
    with pytest.raises(IllegalMove, match="There is no such vote"):
        await tables.votes.answer_poll(99, ANN, True)


async def test_the_table_passes_for_the_late_if_most_agree_and_not_before_the_pace_is_over(
    tables: GameService, game_id: int, clock: Clock
) -> None:
    clock.advance(hours=47)
    with pytest.raises(IllegalMove, match="Ann is not late: a turn may take 48 waking hours"):
        await tables.votes.start_poll(game_id, BOB, "skip", {"seat": 1})
    clock.advance(hours=2)
    assert await total(tables, game_id) == 0, "nothing happens by itself"
    poll = await tables.votes.start_poll(game_id, BOB, "skip", {"seat": 1})
    assert poll.text == "Bob asks to pass for Ann, who is late." and poll.waiting == ("Cid",)
    assert (await tables.votes.answer_poll(poll.record.id, CID, True)).line == "The table has agreed."
    last = (await tables.desk.store.moves.list_of(game_id))[-1]
    assert (last.kind, last.text, last.seat) == ("move", "@1 pass", 1)
    assert (await tables.queries.log_since(game_id))[-1].tr_lines[
        0
    ] == "The table passes for Ann, who is late; Cid agreed."
    assert [notice.seat for notice in await tables.outbox.waiting_notices() if notice.kind == "turn"][-1] == 2
    for person in (ANN, BOB, CID):
        with pytest.raises(IllegalMove, match="The table or its moderator has decided something since"):
            await tables.moves.undo(game_id, person)


async def test_what_the_table_has_decided_since_is_not_taken_back_with_a_move(
    tables: GameService, game_id: int, clock: Clock
) -> None:
    await tables.moderation.correct(game_id, ANN, "cash Ann 100", "something to lose")
    with pytest.raises(IllegalMove, match="The table or its moderator has decided something since"):
        await tables.moves.undo(game_id, ANN)
    await tables.moves.submit(game_id, ANN, "pass")
    await tables.moves.undo(game_id, ANN)


async def test_the_others_fine_the_late_only_if_all_of_them_agree(
    tables: GameService, game_id: int, clock: Clock
) -> None:
    await tables.moderation.correct(game_id, ANN, "cash Ann 100", "something to lose")
    clock.advance(days=3)
    before = (await tables.desk.table(game_id)).game.state.cash.copy()  # type: ignore[union-attr]
    for amount in (0, -5, before["@1"] + 1, "x", None):
        with pytest.raises(IllegalMove, match="A fine can be 1 to"):
            await tables.votes.start_poll(game_id, BOB, "fine", {"seat": 1, "amount": amount})
    poll = await tables.votes.start_poll(game_id, BOB, "fine", {"seat": 1, "amount": 20})
    assert poll.text == "Bob asks to fine Ann £20 for being late." and poll.waiting == ("Cid",)
    with pytest.raises(IllegalMove, match="You have no vote here"):
        await tables.votes.answer_poll(poll.record.id, ANN, False)
    assert (await tables.votes.answer_poll(poll.record.id, CID, False)).line == "Not done: Cid refused."
    assert (await tables.desk.table(game_id)).game.state.cash == before  # type: ignore[union-attr]
    poll = await tables.votes.start_poll(game_id, CID, "fine", {"seat": 1, "amount": 20})
    await tables.votes.answer_poll(poll.record.id, BOB, True)
    table = await tables.desk.table(game_id)
    assert table.game is not None and table.game.audit() == []
    assert table.game.state.cash["@1"] == before["@1"] - 20 and table.game.players_to_act() == ("@1",)
    last = (await tables.queries.log_since(game_id))[-1]
    assert last.record.kind == "correct" and last.tr_lines == ["Ann pays a fine of £20 for being late; Bob agreed."]


async def test_holidays_and_quiet_hours_are_never_late(tables: GameService, game_id: int, clock: Clock) -> None:
    await tables.reminders.set_holiday(ANN, 5)
    clock.advance(days=4)
    for kind, data in (("skip", {"seat": 1}), ("fine", {"seat": 1, "amount": 5}), ("skip", {"seat": 2})):
        with pytest.raises(IllegalMove, match="is not late"):
            await tables.votes.start_poll(game_id, CID, kind, data)
    await tables.reminders.set_holiday(ANN, 0)
    await tables.votes.start_poll(game_id, CID, "skip", {"seat": 1})
    with pytest.raises(IllegalMove, match="no such seat"):
        await tables.votes.start_poll(game_id, CID, "skip", {"seat": 8})


async def test_what_must_be_decided_cannot_be_passed(tables: GameService, clock: Clock) -> None:
    number = await tables.lobby.create("1848", ANN, [(ANN, "Ann"), (BOB, "Bob"), (CID, "Cid")])
    await tables.lobby.start(number, ANN, "list")
    clock.advance(days=3)
    with pytest.raises(IllegalMove, match="Ann cannot pass now"):
        await tables.votes.start_poll(number, BOB, "skip", {"seat": 1})

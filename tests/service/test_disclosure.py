"""What a standing order has shown is not taken back without its owner, so that nobody finds out how far it goes."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import example
from hypothesis import strategies as st

from bot.engine.refusals import IllegalMove, Rejected
from bot.service.game_service import GameService
from bot.store import Store
from bot.titles.registry import TITLES
from tests.families import in_two_lengths
from tests.service.conftest import ANN, BOB, CID, Clock
from tests.service.test_many_asked import auction, funded  # noqa: F401
from tests.service.test_standing_orders import PEOPLE, stock  # noqa: F401
from tests.store.postgres_cluster import fresh

DEALT_WITH = "plan of Bob reacted to that"
SHOWN = "Over: Moves that this plan made or skipped have been undone"


@pytest.fixture
async def bidding(store: Store, clock: Clock) -> tuple[GameService, int]:
    """1844 at the first bid; Ann is asked first, then Bob, who would go up to 165."""
    tables = GameService(store, TITLES, clock)
    game = await tables.lobby.create("1844", ANN, PEOPLE)
    await tables.lobby.start(game, ANN, "list")
    await tables.plans.give_plan(game, BOB, "bid P1 up to 165")
    return tables, game


async def shown_orders(tables: GameService, game_id: int) -> list[tuple[bool, str]]:
    """Bob's orders: whether each is over, and why."""
    return [(one.is_over, one.effect) for one in await tables.plans.own_plans(game_id, BOB)]


async def test_what_an_order_has_done_is_taken_back_with_its_owners_yes_alone(bidding: tuple[GameService, int]) -> None:
    tables, game = bidding
    await tables.plans.give_plan(game, BOB, "agree undo")
    await tables.moves.submit(game, ANN, "bid P1 25")
    for moves in (1, None):
        with pytest.raises(IllegalMove, match=DEALT_WITH):
            await tables.moves.undo(game, ANN, moves)
    poll = await tables.votes.start_poll(game, ANN, "undo", {"number": 0})
    assert poll.waiting == ("Bob",), "who agrees to undo in advance does not mean his own secrets"
    assert (await tables.votes.answer_poll(poll.record.id, BOB, True)).record.outcome == "agreed"
    assert await tables.queries.actions(game) == []
    over = [one for one in await tables.plans.own_plans(game, BOB) if one.is_over]
    assert [(one.text, one.effect.startswith(SHOWN)) for one in over] == [
        ("Bid on P1 up to sfr 165, until you drop it.", True)
    ]
    private = [notice for notice in await tables.outbox.waiting_notices() if notice.kind == "private"]
    assert [notice.seat for notice in private] == [2] and "sfr 165" in str(private[0].lines[0])
    await tables.moves.submit(game, ANN, "bid P1 25")
    assert await tables.queries.actions(game) == ["@1 bid P1 25"], "it is over"
    await tables.moves.undo(game, ANN)


async def test_a_refusal_keeps_it(bidding: tuple[GameService, int]) -> None:
    tables, game = bidding
    await tables.moves.submit(game, ANN, "bid P1 25")
    poll = await tables.votes.start_poll(game, ANN, "undo", {"number": 0})
    await tables.votes.answer_poll(poll.record.id, BOB, False)
    assert await tables.queries.actions(game) == ["@1 bid P1 25", "@2 bid P1 30"]
    assert await shown_orders(tables, game) == [(False, "")]


async def test_a_bid_too_high_for_an_order_stands_too(bidding: tuple[GameService, int]) -> None:
    tables, game = bidding
    await tables.moves.submit(game, ANN, "bid P1 170")
    with pytest.raises(IllegalMove, match=DEALT_WITH):
        await tables.moves.undo(game, ANN)
    poll = await tables.votes.start_poll(game, ANN, "undo", {"number": 0})
    assert poll.waiting == ("Bob",)
    await tables.votes.answer_poll(poll.record.id, BOB, True)
    assert [(is_over, why.startswith(SHOWN)) for is_over, why in await shown_orders(tables, game)] == [(True, True)]


async def test_an_offer_that_an_order_lets_pass_stands_too(auction: tuple[GameService, int]) -> None:  # noqa: F811
    tables, game = auction
    await funded(tables, game)
    await tables.plans.give_plan(game, BOB, "agree up to 64")
    await tables.moves.submit(game, ANN, "float LSR 5 at 65 on G7=150/0 to @2:1 @3:1")
    with pytest.raises(IllegalMove, match=DEALT_WITH):
        await tables.moves.undo(game, ANN)
    await tables.plans.drop_plans(game, BOB)
    await tables.moves.undo(game, ANN)


async def test_an_offer_that_was_let_pass_and_answered_by_hand_ends_the_order_when_it_is_rewound(
    auction: tuple[GameService, int],  # noqa: F811
) -> None:
    tables, game = auction
    await funded(tables, game)
    await tables.plans.give_plan(game, BOB, "agree up to 64")
    number = (await tables.desk.table(game)).record.version
    await tables.moves.submit(game, ANN, "float LSR 5 at 65 on G7=150/0 to @2:1 @3:1")
    await tables.moves.submit(game, ANN, "@2 refuse", None, True)
    await tables.moderation.rewind(game, ANN, number)
    assert [(is_over, why.startswith(SHOWN)) for is_over, why in await shown_orders(tables, game)] == [(True, True)]


@pytest.mark.parametrize("role", ["sitter", "moderator"])
async def test_who_answers_for_the_owner_of_an_order_cannot_undo_an_offer_that_it_let_pass(
    auction: tuple[GameService, int],  # noqa: F811
    role: str,
) -> None:
    tables, game = auction
    await funded(tables, game)
    await tables.plans.give_plan(game, BOB, "agree up to 64")
    await tables.moderation.set_sitter(game, BOB, 2, CID, "Cid", 5)
    await tables.moderation.set_sitter(game, ANN, 1, CID, "Cid", 5)
    person = CID if role == "sitter" else ANN
    await tables.moves.submit(game, person, "float LSR 5 at 65 on G7=150/0 to @2:1 @3:1")
    await tables.moves.submit(game, person, "@2 refuse", as_moderator=role == "moderator")
    for moves in (2, None):
        with pytest.raises(IllegalMove, match=DEALT_WITH):
            await tables.moves.undo(game, person, moves)
    await tables.moves.undo(game, person)
    assert await shown_orders(tables, game) == [(False, "")], "the offer stands, and the order waits as before"
    with pytest.raises(IllegalMove, match=DEALT_WITH):
        await tables.moves.undo(game, person)


async def test_nobody_hides_what_an_order_let_pass_by_another_ones_refusal(
    auction: tuple[GameService, int],  # noqa: F811
) -> None:
    tables, game = auction
    await funded(tables, game)
    await tables.plans.give_plan(game, BOB, "agree up to 64")
    number = (await tables.desk.table(game)).record.version
    await tables.moves.submit(game, ANN, "float LSR 5 at 65 on G7=150/0 to @2:1 @3:1")
    await tables.moves.submit(game, ANN, "@3 refuse", as_moderator=True)
    with pytest.raises(IllegalMove, match=DEALT_WITH):
        await tables.moves.undo(game, ANN, 2)
    poll = await tables.votes.start_poll(game, ANN, "undo", {"number": number})
    assert "Bob" in poll.waiting


async def test_a_lot_that_was_too_dear_before_tells_nothing(store: Store, clock: Clock) -> None:
    tables = GameService(store, TITLES, clock)
    game = await tables.lobby.create("1848", ANN, PEOPLE)
    await tables.lobby.start(game, ANN, "list")
    await tables.plans.give_plan(game, BOB, "bid P4 up to 100")
    await tables.moves.submit(game, ANN, "buy P1")
    await tables.moves.undo(game, ANN)
    await tables.moves.submit(game, ANN, "reduce P4")
    with pytest.raises(IllegalMove, match=DEALT_WITH):
        await tables.moves.undo(game, ANN)
    await tables.moves.submit(game, BOB, "reduce P5")
    await tables.moves.undo(game, BOB)
    assert await shown_orders(tables, game) == [(False, "")], "what he did himself tells others nothing more"


@pytest.mark.parametrize("bid", ["25", "170"])
async def test_a_moderator_who_plays_learns_no_maximum_by_rewinding(bidding: tuple[GameService, int], bid: str) -> None:
    """The order is over for good, whichever way the moderator goes afterwards."""
    tables, game = bidding
    await tables.moves.submit(game, ANN, f"bid P1 {bid}")
    made = (await tables.desk.table(game)).record.version
    for number in (0, made, 0):
        await tables.moderation.rewind(game, ANN, number)
        assert [is_over for is_over, _ in await shown_orders(tables, game)] == [True]
    assert len([notice for notice in await tables.outbox.waiting_notices() if notice.kind == "private"]) == (
        1 if bid == "25" else 2
    )
    await tables.moves.submit(game, ANN, "bid P1 30")
    assert (await tables.queries.actions(game))[-1] == "@1 bid P1 30"


async def test_what_shows_nothing_is_taken_back_as_ever_and_the_order_stands_again(
    stock: tuple[GameService, int],  # noqa: F811
) -> None:
    tables, game = stock
    await tables.plans.give_plan(game, BOB, "pass")
    await tables.plans.give_plan(game, CID, "pass")
    await tables.moves.submit(game, ANN, "par VR 90")
    await tables.plans.give_plan(game, ANN, "agree undo")
    await tables.moves.submit(game, ANN, "pass")
    # The round is over, and so is Bob's order, for a reason that everybody knows.
    assert await shown_orders(tables, game) == [(True, "Over: The round is over.")]
    await tables.moves.undo(game, ANN)
    assert await shown_orders(tables, game) == [(False, "")]


async def test_a_copy_has_no_orders_to_be_tried(bidding: tuple[GameService, int]) -> None:
    tables, game = bidding
    await tables.moves.submit(game, ANN, "bid P1 25")
    copy = await tables.transfer.clone(game, ANN, 0)
    await tables.moves.submit(copy, ANN, "bid P1 25")
    assert await tables.queries.actions(copy) == ["@1 bid P1 25"]
    tried = await tables.sandbox.add(game, CID, "bid P1 100")
    assert tried.preview.game.players_to_act() == ("@1",) and tried.preview.lines[0].startswith("Cid bids")


# -- whatever is tried ----------------------------------------------------------------------------------

MAXIMA = (40, 60, 100)
TRIES = st.lists(st.sampled_from(["bid P1 25", "bid P1 45", "bid P1 65", "bid P1 105", "undo", "undo all"]), max_size=5)
HALVING = ["bid P1 105", "undo", "bid P1 65", "undo", "bid P1 45", "undo all", "bid P1 25"]


@example(tries=HALVING)
def bids_and_undos_tell_no_more_than_the_bids_that_stand(tries: list[str]) -> None:
    """Ann, who has both other seats, tries what she likes. Any maximum of Bob's with which the moves that stand in the end
    could have been made must look the same to her on the way."""
    asyncio.run(_learn_nothing(tries))


(
    test_bids_and_undos_tell_no_more_than_the_bids_that_stand,
    test_many_bids_and_undos_tell_no_more_than_the_bids_that_stand,
) = in_two_lengths(bids_and_undos_tell_no_more_than_the_bids_that_stand, 2, 6, tries=TRIES)


async def _learn_nothing(tries: list[str]) -> None:
    with fresh("file") as place:
        store = await Store.open(place)
        tables = GameService(store, TITLES)
        found = {most: await _tried(tables, most, tries) for most in MAXIMA}
        for most, (_, line) in found.items():
            own = [text.partition(" ")[2] for text, auto in line if not auto]
            alike = [other for other in MAXIMA if (await _tried(tables, other, own))[1] == line]
            assert {tuple(found[other][0]) for other in alike} == {tuple(found[most][0])}, (most, alike, line)
        await store.close()


async def _tried(tables: GameService, most: int, tries: list[str]) -> tuple[list[str], list[tuple[str, bool]]]:
    """What Ann is told by each of her tries against this maximum, and the moves that stand after them."""
    game = await tables.lobby.create("1844", ANN, [(ANN, "Ann"), (BOB, "Bob"), (ANN, "Cid")])
    await tables.lobby.start(game, ANN, "list")
    await tables.plans.give_plan(game, BOB, f"bid P1 up to {most}")
    told: list[str] = []
    for text in tries:
        try:
            if text.startswith("undo"):
                told += (await tables.moves.undo(game, ANN, None if text == "undo all" else 1)).lines
            else:
                played = await tables.moves.submit(game, ANN, text)
                told += [*played.lines, str(played.question)]
        except Rejected as refusal:
            told.append(str(refusal))
    return told, [(move.text, move.auto) for move in await tables.queries.branch_moves(game)]

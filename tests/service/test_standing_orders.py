"""Standing orders on 1848: each does what its owner said, ends when the situation has changed, and says why."""

from __future__ import annotations

import json

import msgspec
import pytest

from bot.engine.ids import DEPOT, Owner, seat
from bot.engine.notation.text import format_action, parse_action
from bot.engine.play.game import Game
from bot.engine.refusals import IllegalMove, ParseError
from bot.service.features.plans import executor, offers
from bot.service.features.plans.records import plan_data, plan_of
from bot.service.game_service import GameService
from bot.service.plans import woken
from bot.service.plans.decisions import Act, Finish, Wait, evaluate
from bot.service.plans.parser import EXAMPLES, read_plan
from bot.service.plans.plan import AWAKE, IDLE, Plan
from bot.service.plans.sentences import format_plan
from bot.store import Commit, Store, StoreError
from bot.titles.registry import TITLES
from tests.rearrangement import rearrange
from tests.service.conftest import ANN, BOB, CID, EVE, Clock

AUCTION = ("buy P1", "buy P2", "buy P3", "buy P4", "buy P5", "buy P6")
PEOPLE = [(ANN, "Ann"), (BOB, "Bob"), (CID, "Cid")]


@pytest.fixture
async def stock(store: Store, clock: Clock) -> tuple[GameService, int]:
    """1848 at the beginning of its first stock round; Ann is in turn."""
    tables = GameService(store, TITLES, clock)
    game = await tables.lobby.create("1848", ANN, PEOPLE)
    await tables.lobby.start(game, ANN, "list")
    for number, text in enumerate(AUCTION):
        await tables.moves.submit(game, PEOPLE[number % 3][0], text)
    return tables, game


async def position(tables: GameService, game_id: int) -> Game:
    _, found = await tables.desk.require_started(game_id)
    return found


async def kinds(tables: GameService, game_id: int) -> list[tuple[str, bool]]:
    """Text and whether an order made it, of every move since the auction."""
    return [(move.text, move.auto) for move in (await tables.queries.branch_moves(game_id))[len(AUCTION) :]]


# -- passing ------------------------------------------------------------------------------------------


async def test_passes_are_made_in_the_same_transaction_and_nobody_is_asked_for_them(
    stock: tuple[GameService, int],
) -> None:
    tables, game = stock
    await tables.plans.give_plan(game, BOB, "pass")
    await tables.plans.give_plan(game, CID, "pass until sale")
    played = await tables.moves.submit(game, ANN, "par VR 90")
    assert [line for line in played.lines if "planned" in line] == [
        "Bob passes. (planned)",
        "Cid passes. (planned)",
    ]
    assert str(played.question).startswith("Ann")
    asked = [
        notice
        for notice in await tables.outbox.waiting_notices()
        if notice.kind == "turn" and notice.number > len(AUCTION)
    ]
    assert asked == []


async def test_a_wake_up_ends_the_order_tells_its_owner_alone_and_asks_him(stock: tuple[GameService, int]) -> None:
    tables, game = stock
    await tables.plans.give_plan(game, BOB, "pass until start")
    await tables.moves.submit(game, ANN, "par VR 90")
    assert (await position(tables, game)).players_to_act() == ("@2",)
    private = [notice for notice in await tables.outbox.waiting_notices() if notice.kind == "private"]
    assert [(notice.seat, "VR has been started" in str(notice.lines[0])) for notice in private] == [(2, True)]
    assert [notice.seat for notice in await tables.outbox.waiting_notices() if notice.kind == "turn"][-1] == 2
    shown = await tables.plans.own_plans(game, BOB)
    assert [(one.is_over, one.effect) for one in shown] == [(True, "Over: VR has been started.")]
    assert [line for entry in await tables.queries.log_since(game) for line in entry.tr_lines if "order" in line] == []


async def test_a_pass_order_ends_with_the_round_and_when_its_owner_moves(stock: tuple[GameService, int]) -> None:
    tables, game = stock
    await tables.plans.give_plan(game, BOB, "pass until start")
    await tables.moves.submit(game, ANN, "par VR 90")
    await tables.plans.give_plan(game, CID, "pass")
    await tables.moves.submit(game, BOB, "buy VR")
    await tables.plans.give_plan(game, BOB, "pass")
    await tables.moves.submit(game, ANN, "par NSW 80")
    assert (await kinds(tables, game))[-2:] == [("@2 pass", True), ("@3 pass", True)]
    await tables.moves.submit(game, ANN, "par SAR 80")
    assert (await kinds(tables, game))[-2:] == [("@2 pass", True), ("@3 pass", True)]
    await tables.moves.submit(game, ANN, "pass")
    # Three passes in a row end the round, and no company is launched: the next stock round begins, Bob is asked.
    assert (await position(tables, game)).players_to_act() == ("@2",)
    assert [one.effect for one in await tables.plans.own_plans(game, BOB)][-1] == "Over: The round is over."


async def test_a_person_who_moves_himself_ends_his_passing(stock: tuple[GameService, int]) -> None:
    tables, game = stock
    await tables.plans.give_plan(game, BOB, "pass until start")
    await tables.moves.submit(game, ANN, "par VR 90")
    await tables.plans.give_plan(game, ANN, "pass")
    await tables.moves.submit(game, BOB, "buy VR")
    await tables.moves.submit(game, CID, "buy VR")
    # Ann's order made her pass; Bob is asked, moves himself: his next order would not be the old one.
    assert (await kinds(tables, game))[-1] == ("@1 pass", True)
    await tables.plans.give_plan(game, CID, "pass")
    await tables.moves.submit(game, BOB, "pass")
    await tables.plans.drop_plans(game, ANN)
    assert [one.is_over for one in await tables.plans.own_plans(game, ANN)] == []


# -- buying and bidding -------------------------------------------------------------------------------


async def test_buying_until_a_percentage_and_no_further(stock: tuple[GameService, int]) -> None:
    tables, game = stock
    await tables.moves.submit(game, ANN, "par VR 90")
    await tables.plans.give_plan(game, BOB, "buy VR to 20 max 90")
    await tables.moves.submit(game, CID, "buy VR")
    await tables.moves.submit(game, ANN, "buy VR")
    current = await position(tables, game)
    assert current.company("VR").percent_held_by(seat(2)) == 20
    await tables.moves.submit(game, CID, "pass")
    await tables.moves.submit(game, ANN, "pass")
    assert (await tables.plans.own_plans(game, BOB))[-1].effect == "Over: You hold 20% of VR."
    assert (await position(tables, game)).players_to_act() == ("@2",)


async def test_buying_stops_at_the_price_named(stock: tuple[GameService, int]) -> None:
    tables, game = stock
    await tables.moves.submit(game, ANN, "par VR 90")
    await tables.plans.give_plan(game, BOB, "buy VR to 50 max 80")
    assert (await tables.plans.own_plans(game, BOB))[-1].effect == "Over: VR costs £90 now."
    assert (await kinds(tables, game))[-1] == ("@1 par VR 90", False)


async def test_a_lot_is_bought_once_it_has_become_cheap_enough(store: Store, clock: Clock) -> None:
    tables = GameService(store, TITLES, clock)
    game = await tables.lobby.create("1848", ANN, PEOPLE)
    await tables.lobby.start(game, ANN, "list")
    await tables.plans.give_plan(game, BOB, "bid P4 up to 165")
    await tables.moves.submit(game, ANN, "reduce P4")
    moves = await tables.queries.actions(game)
    assert moves == ["@1 reduce P4", "@2 buy P4 for 165"]
    await tables.moves.submit(game, CID, "buy P1")
    await tables.moves.submit(game, ANN, "buy P2")
    assert (await tables.plans.own_plans(game, BOB))[-1].effect == "Over: P4 is yours."


# -- companies ----------------------------------------------------------------------------------------


async def operating(tables: GameService, game_id: int) -> None:
    """VR directed by Ann and CAR by Cid are launched; CAR is in turn."""
    for person, text in (
        (ANN, "par VR 90"),
        (BOB, "buy VR"),
        (CID, "buy CAR"),
        (ANN, "buy VR"),
        (BOB, "buy VR"),
        (CID, "buy CAR"),
        (ANN, "buy VR"),
        (BOB, "buy CAR"),
        (CID, "buy CAR"),
        (ANN, "pass"),
        (BOB, "pass"),
        (CID, "pass"),
    ):
        await tables.moves.submit(game_id, person, text)


async def test_a_company_runs_by_itself_until_the_trains_change(stock: tuple[GameService, int]) -> None:
    tables, game = stock
    await operating(tables, game)
    current = await position(tables, game)
    assert current.frame.entity == "CAR"
    await tables.plans.give_plan(game, CID, "run CAR withhold trains ask")
    # No track, no token; trains are asked for.
    current = await position(tables, game)
    assert (current.frame.entity, current.step.name if current.step else "") == ("CAR", "buy trains")
    await tables.moves.submit(game, CID, "buy 2; pass")
    assert (await tables.plans.own_plans(game, CID))[-1].is_over is False
    order = plan_of((await tables.plans.own_plans(game, CID))[-1].record)
    current = await position(tables, game)
    current.frame.entity = "CAR"
    assert isinstance(evaluate(current, seat(3), order), Act), "nobody is woken by a purchase of their own"
    before = current.copy()
    rearrange(current, next(train for train in current.state.trains if train.owner == DEPOT), owner=Owner("VR"))
    assert str(woken(before, current, seat(3), order)) == "The bank sold a train."


async def test_only_the_director_may_order_a_company(stock: tuple[GameService, int]) -> None:
    tables, game = stock
    await operating(tables, game)
    with pytest.raises(IllegalMove, match="You do not run CAR"):
        await tables.plans.give_plan(game, ANN, "run CAR")


# -- taking back, changing hands ----------------------------------------------------------------------


async def test_a_seat_that_changes_hands_loses_its_orders(stock: tuple[GameService, int]) -> None:
    tables, game = stock
    await tables.plans.give_plan(game, BOB, "pass")
    await tables.moderation.replace(game, ANN, 2, EVE, "Eve")
    assert await tables.plans.own_plans(game, EVE) == []
    await tables.moves.submit(game, ANN, "pass")
    assert (await position(tables, game)).players_to_act() == ("@2",)


@pytest.mark.parametrize("how", ["replace", "leave"])
async def test_who_could_not_be_seated_or_leave_keeps_orders_and_links(
    stock: tuple[GameService, int], how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What goes with a seat goes in the transaction in which the seat changes hands."""
    tables, game = stock
    await tables.plans.give_plan(game, BOB, "pass")
    token = await tables.links.make(game, BOB, "play")

    async def refused(change: Commit) -> None:
        raise StoreError("the disk is full")

    async def act() -> None:
        if how == "replace":
            await tables.moderation.replace(game, ANN, 2, EVE, "Eve")
        else:
            await tables.moderation.leave_seat(game, BOB)

    with monkeypatch.context() as patched, pytest.raises(StoreError):
        patched.setattr(tables.desk.store.moves, "commit", refused)
        await act()
    assert len(await tables.plans.own_plans(game, BOB)) == 1
    assert (await tables.links.open_link(token))[0].person == BOB
    await act()
    assert await tables.desk.store.orders.list_of(game) == [] and await tables.desk.store.links.list_to(game) == []


async def test_a_plan_takes_the_place_of_an_older_one_also_where_there_are_as_many_as_may_be(
    stock: tuple[GameService, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, game = stock
    monkeypatch.setattr(executor, "MOST_PLANS", 3)
    for text in ("pass", "refuse", "agree undo"):
        await tables.plans.give_plan(game, BOB, text)
    before = await tables.plans.own_plans(game, BOB)
    assert len(before) == 3
    with pytest.raises(IllegalMove, match="3 plans"):
        await tables.plans.give_plan(game, BOB, "agree end")
    assert await tables.plans.own_plans(game, BOB) == before
    await tables.plans.give_plan(game, BOB, "buy VR to 30")
    texts = [one.text for one in await tables.plans.own_plans(game, BOB)]
    assert len(texts) == 3 and texts[-1].startswith("Buy VR until you hold 30%.")


async def test_an_ended_plan_is_listed_until_there_is_a_newer_one(stock: tuple[GameService, int]) -> None:
    tables, game = stock
    await tables.plans.give_plan(game, BOB, "pass until start")
    await tables.moves.submit(game, ANN, "par VR 90")
    assert [one.is_over for one in await tables.plans.own_plans(game, BOB)] == [True]
    await tables.plans.give_plan(game, BOB, "buy VR; pass")
    assert [one.is_over for one in await tables.plans.own_plans(game, BOB)] == [False]


async def test_lots_are_added_to_a_plan_to_bid(stock: tuple[GameService, int]) -> None:
    tables, game = stock
    await tables.plans.give_plan(game, BOB, "bid P4 up to 200")
    shown = await tables.plans.give_plan(game, BOB, "bid P5 up to 175")
    assert shown.text == "Bid on P4 up to £200, bid on P5 up to £175, until you drop it."


async def test_an_act_is_progress_and_an_undo_takes_it_back(stock: tuple[GameService, int]) -> None:
    tables, game = stock
    await tables.plans.give_plan(game, BOB, "buy VR; buy VR; pass")
    await tables.moves.submit(game, ANN, "par VR 90")
    await tables.moves.submit(game, CID, "pass")
    assert [one.text for one in await tables.plans.own_plans(game, BOB)] == [
        "Buy VR; pass. It ends when the round is over."
    ]
    number = (await tables.desk.table(game)).record.version - 1
    await tables.moderation.rewind(game, ANN, number)
    shown = [(one.text, one.is_over) for one in await tables.plans.own_plans(game, BOB)]
    assert shown == [("Buy VR; pass. It ends when the round is over.", False)]


# -- what is worth a tap ------------------------------------------------------------------------------


async def offered(tables: GameService, game_id: int, person: str) -> list[str]:
    return [offer.plan for offer in await tables.plans.offers(game_id, person)]


async def test_after_a_purchase_and_a_pass_the_usual_plans_are_offered_and_can_be_given(
    stock: tuple[GameService, int],
) -> None:
    tables, game = stock
    assert await offered(tables, game, ANN) == [], "Ann is asked"
    assert await offered(tables, game, EVE) == [], "Eve has no seat"
    await tables.moves.submit(game, ANN, "par VR 90")
    bought = await offered(tables, game, ANN)
    assert bought == [f"buy VR to 70; {offers.QUIET}", offers.QUIET, f"buy CAR; {offers.QUIET}", offers.IDLY]
    await tables.moves.submit(game, BOB, "pass")
    assert await offered(tables, game, BOB) == [offers.QUIET, offers.IDLY]
    await tables.plans.give_plan(game, BOB, offers.QUIET)
    assert await offered(tables, game, BOB) == [offers.IDLY]
    await tables.plans.give_plan(game, BOB, offers.IDLY)
    assert await offered(tables, game, BOB) == []


async def test_who_sits_in_for_others_does_not_see_by_the_offers_what_they_plan(stock: tuple[GameService, int]) -> None:
    tables, game = stock
    await tables.moderation.set_sitter(game, BOB, 2, EVE, "Eve", 5)
    await tables.moves.submit(game, ANN, "par VR 90")
    await tables.moves.submit(game, BOB, "pass")
    assert await offered(tables, game, BOB) and await offered(tables, game, EVE) == []


async def test_after_a_purchase_a_share_of_another_company_can_be_next_where_one_is_for_sale(
    stock: tuple[GameService, int],
) -> None:
    tables, game = stock
    for person, move in ((ANN, "par VR 90"), (BOB, "par NSW 70"), (CID, "pass"), (ANN, "buy VR"), (BOB, "buy VR")):
        await tables.moves.submit(game, person, move)
    assert await offered(tables, game, BOB) == [
        f"buy VR to 70; {offers.QUIET}",
        offers.QUIET,
        f"buy NSW; {offers.QUIET}",
        f"buy CAR; {offers.QUIET}",
        offers.IDLY,
    ]


async def test_in_an_auction_bids_can_be_raised_prices_lowered_again_and_the_rest_passed(
    store: Store, clock: Clock
) -> None:
    tables = GameService(store, TITLES, clock)
    game = await tables.lobby.create("1830", ANN, PEOPLE)
    await tables.lobby.start(game, ANN, "list")
    await tables.moves.submit(game, ANN, "bid CS 45")
    raised, passed = await tables.plans.offers(game, ANN)
    assert (raised.plan, raised.is_draft) == ("bid CS up to 45", True)
    assert (passed.plan, passed.is_draft) == ("pass", False)
    await tables.moves.submit(game, BOB, "bid CS 50")
    assert await offered(tables, game, ANN) == ["bid CS up to 45", "pass"], "a bid that waits can be raised"
    await tables.plans.give_plan(game, ANN, "bid CS up to 90")
    assert await offered(tables, game, ANN) == []
    game = await tables.lobby.create("1848", ANN, PEOPLE)
    await tables.lobby.start(game, ANN, "list")
    await tables.moves.submit(game, ANN, "reduce P6")
    assert await offered(tables, game, ANN) == ["lower P6", "pass"]


async def test_after_a_turn_of_a_company_it_can_be_left_to_run_as_it_has(stock: tuple[GameService, int]) -> None:
    tables, game = stock
    await tables.moves.submit(game, ANN, "par VR 90")
    after = (await position(tables, game)).copy()
    turn = [parse_action(after.title, text) for text in ("VR lay 5 C18 1", "VR withhold")]
    found = [offer.plan for offer in offers.list_offers(after, seat(1), [seat(1), IDLE], turn)]
    assert found == ["VR: run best; withhold; pass every turn until phase, next, fall of VR"]
    assert offers.list_offers(after, seat(1), [seat(1), IDLE, "VR"], turn) == [], "there is a plan for it"
    assert offers.list_offers(after, seat(1), [seat(1), IDLE], turn[:1]) == [], "it has not run"


async def test_an_idle_plan_passes_where_only_selling_is_possible_and_lets_decide_once_after_a_start(
    stock: tuple[GameService, int],
) -> None:
    tables, game = stock
    await tables.plans.give_plan(game, BOB, "idle: pass until start")
    await tables.moves.submit(game, ANN, "par VR 90")
    (shown,) = await tables.plans.own_plans(game, BOB)
    assert plan_of(shown.record).at == AWAKE and not shown.is_over
    assert (await position(tables, game)).players_to_act() == ("@2",), "Bob could buy, and would be asked anyway"
    await tables.moves.submit(game, BOB, "buy VR")
    (shown,) = await tables.plans.own_plans(game, BOB)
    assert plan_of(shown.record).at == ""
    current = (await position(tables, game)).copy()
    plan = plan_of(shown.record)
    assert evaluate(current, seat(3), msgspec.structs.replace(plan, at="")) == Wait(), "Cid could buy"
    with pytest.raises(ParseError):
        await tables.plans.give_plan(game, BOB, "idle: buy VR")


# -- a turn to come -----------------------------------------------------------------------------------


async def test_a_turn_to_come_is_tried_and_made_when_it_comes(stock: tuple[GameService, int]) -> None:
    tables, game = stock
    await operating(tables, game)
    tried = await tables.sandbox.add(game, ANN, "VR")
    assert tried.turn == "VR" and tried.own == 0
    await tables.sandbox.add(game, ANN, "lay 5 H11 1")
    tried = await tables.sandbox.add(game, ANN, "buy 2; pass")
    assert len(tried.preview.actions) == 3 and (await tables.sandbox.add(game, ANN)).turn == "VR"
    with pytest.raises(IllegalMove):
        await tables.sandbox.commit(game, ANN)
    with pytest.raises(IllegalMove):
        await tables.sandbox.plan(game, BOB)
    shown = await tables.sandbox.plan(game, ANN)
    assert shown.text.startswith("VR: lay 5 H11 1; buy 2 for 100; pass. It ends when its turn is over")
    assert shown.later == "lay 5 H11 1; buy 2 for 100; pass"
    assert (await tables.sandbox.add(game, ANN)).turn == "", "the sandbox is empty again"
    await tables.moves.submit(game, CID, "pass; buy 2; pass")
    made = (await kinds(tables, game))[-3:]
    assert made == [("VR lay 5 H11 1", True), ("VR buy 2 for 100", True), ("VR pass", True)]


# -- nobody else sees them ----------------------------------------------------------------------------


async def test_an_order_leaks_nowhere(stock: tuple[GameService, int]) -> None:
    tables, game = stock
    await tables.moves.submit(game, ANN, "par VR 90")
    before = (
        await tables.queries.game_file(game),
        await tables.queries.log_since(game),
        await tables.queries.status(game),
    )
    await tables.plans.give_plan(game, CID, "buy VR to 60 max 93")
    await tables.plans.give_plan(game, ANN, "pass until president")
    assert (
        await tables.queries.game_file(game),
        await tables.queries.log_since(game),
        await tables.queries.status(game),
    ) == before
    assert await tables.plans.own_plans(game, BOB) == []
    table, current = await tables.desk.require_started(game)
    assert b"93" not in current.encode() and b"president" not in json.dumps(table.record.options).encode()
    tried = await tables.sandbox.preview(game, BOB, "pass")
    assert tried.game.players_to_act() == ("@3",), "a preview never asks the orders of others"
    assert not [notice for notice in await tables.outbox.waiting_notices() if "93" in " ".join(map(str, notice.lines))]
    copy = await tables.transfer.import_game(await tables.queries.game_file(game), BOB)
    assert await tables.desk.store.orders.list_of(copy) == []
    with pytest.raises(IllegalMove):
        await tables.plans.own_plans(game, EVE)


# -- words --------------------------------------------------------------------------------------------


async def test_every_example_is_read_and_described(stock: tuple[GameService, int]) -> None:
    tables, game = stock
    await operating(tables, game)
    current = await position(tables, game)
    for text in EXAMPLES:
        if text.startswith("pass for 2"):
            continue
        plan = read_plan(current, seat(1), text)
        assert msgspec.convert(json.loads(json.dumps(plan_data(plan))), Plan) == plan
        assert str(format_plan(current, plan)).endswith(".")
        assert isinstance(evaluate(current, seat(1), plan), Act | Wait | Finish)


@pytest.mark.parametrize(
    "text", ["", "dance", "pass until rain", "buy XX", "buy VR to 900", "bid P4", "bid QQ up to 5", "run VR", "x" * 999]
)
async def test_nonsense_is_refused_with_a_sentence(stock: tuple[GameService, int], text: str) -> None:
    tables, game = stock
    with pytest.raises((ParseError, IllegalMove)) as caught:
        await tables.plans.give_plan(game, BOB, text)
    assert caught.value.sentence
    assert await tables.plans.own_plans(game, BOB) == []


async def test_a_stated_answer_is_given_from_the_least_price_on(stock: tuple[GameService, int]) -> None:
    tables, game = stock
    current = await position(tables, game)
    assert evaluate(current, seat(1), read_plan(current, seat(1), "refuse")) == Wait()
    assert format_action(parse_action(current.title, "@1 agree")) == "@1 agree"

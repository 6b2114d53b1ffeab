"""1820 by post: many players are asked at once, in any order, and standing orders answer for them (1820 §10.4)."""

from __future__ import annotations

import asyncio

import pytest

from bot.ai.fuzzer import RandomGame
from bot.engine.ids import seat
from bot.engine.notation.text import format_action
from bot.engine.play.game import Game
from bot.engine.refusals import Rejected
from bot.service.game_service import GameService
from bot.service.plans.decisions import Act, evaluate
from bot.service.plans.parser import read_plan
from bot.store import Store
from bot.titles.registry import TITLES
from tests.service.conftest import ANN, BOB, CID, Clock
from tests.titles.builders_1820 import floated, in_turn, memory, new_game, reach_phase

PEOPLE = [(ANN, "Ann"), (BOB, "Bob"), (CID, "Cid")]
SEED = 25
"""With it number cards lie in seating order."""


@pytest.fixture
async def auction(store: Store, clock: Clock) -> tuple[GameService, int]:
    """1820 where all three may bid for the first future trains, nobody having wanted a cousin."""
    tables = GameService(store, TITLES, clock)
    game = await tables.lobby.create("1820", ANN, PEOPLE, seed=SEED)
    await tables.lobby.start(game, ANN, "list")
    for person in (ANN, BOB, CID):
        await tables.moves.submit(game, person, "pass")
    return tables, game


async def position(tables: GameService, game_id: int) -> Game:
    _, found = await tables.desk.require_started(game_id)
    return found


async def asked(tables: GameService, game_id: int) -> list[str]:
    """The seats that are asked."""
    return list((await position(tables, game_id)).players_to_act())


async def turns(tables: GameService, game_id: int) -> list[int]:
    """Seats that have been told that they are asked, newest last."""
    return [notice.seat for notice in await tables.outbox.waiting_notices() if notice.kind == "turn" and notice.seat]


async def moves(tables: GameService, game_id: int) -> list[tuple[str, bool]]:
    """Every move since the cousins, and whether an order made it."""
    return [(move.text, move.auto) for move in (await tables.queries.branch_moves(game_id))[3:]]


async def to_lobbies(tables: GameService, game_id: int) -> None:
    """Nobody bids for trains."""
    for person in (CID, BOB, ANN):
        await tables.moves.submit(game_id, person, "pass")


# -- open cry (§10.4) ---------------------------------------------------------------------------------


async def test_anybody_bids_at_any_time_and_all_are_told(auction: tuple[GameService, int]) -> None:
    tables, game = auction
    assert await asked(tables, game) == ["@1", "@2", "@3"]
    # Cid, who has moved last, sees it anyway.
    assert (await turns(tables, game))[-2:] == [1, 2]
    await tables.moves.submit(game, CID, "bid 3+ 40")
    assert await asked(tables, game) == ["@1", "@2"]
    await tables.moves.submit(game, BOB, "pass")
    await tables.moves.submit(game, ANN, "bid 3+ 60")
    assert await asked(tables, game) == ["@2", "@3"]
    # Bob, who has passed, and Ann, who bids highest, may bid anyway.
    await tables.moves.submit(game, BOB, "bid 3+ 70")
    assert await asked(tables, game) == ["@1", "@3"]
    await tables.moves.submit(game, BOB, "@2 bid 3+ 90")
    assert await asked(tables, game) == ["@1", "@3"]
    with pytest.raises(Rejected, match="at least £100"):
        await tables.moves.submit(game, ANN, "bid 3+ 90")


async def test_who_is_not_among_those_asked_is_told_so_and_not_asked_for_whom_he_speaks(
    auction: tuple[GameService, int],
) -> None:
    tables, game = auction
    await tables.moves.submit(game, CID, "bid 3+ 40")
    with pytest.raises(Rejected, match="not Cid's turn; the game waits for Ann, Bob"):
        await tables.moves.submit(game, CID, "pass")
    await tables.moves.submit(game, CID, "bid 3+ 50")
    assert await asked(tables, game) == ["@1", "@2"]


async def test_standing_bids_answer_one_another_until_the_sale_is_final(auction: tuple[GameService, int]) -> None:
    tables, game = auction
    await tables.plans.give_plan(game, ANN, "bid 3+ up to 100")
    assert await moves(tables, game) == [("@1 bid 3+ 20", True)]
    await tables.plans.give_plan(game, CID, "pass")
    await tables.moves.submit(game, BOB, "bid 2+ 70")
    assert (await moves(tables, game))[-2:] == [("@1 bid 3+ 80", True), ("@3 pass", True)]
    assert await asked(tables, game) == ["@2"]
    await tables.moves.submit(game, BOB, "bid 3+ 110")
    # Ann's order is over, she alone is told why, and she is asked.
    private = [notice for notice in await tables.outbox.waiting_notices() if notice.kind == "private"]
    assert [notice.seat for notice in private] == [1] and "£120" in str(private[0].lines[0])
    assert await asked(tables, game) == ["@1"]
    await tables.moves.submit(game, ANN, "pass")
    current = await position(tables, game)
    assert current.frame.plan == "take trains" and await asked(tables, game) == ["@2"]


async def test_who_bids_up_to_a_sum_and_passes_otherwise_is_never_waited_for(auction: tuple[GameService, int]) -> None:
    tables, game = auction
    for person, most in ((ANN, 60), (BOB, 90)):
        await tables.plans.give_plan(game, person, f"bid 3+ up to {most}; pass")
    bids = [(f"@{1 + (money // 10) % 2} bid 3+ {money}", True) for money in range(20, 80, 10)]
    assert await moves(tables, game) == [*bids, ("@1 pass", True)]
    assert await asked(tables, game) == ["@3"]
    await tables.moves.submit(game, CID, "pass")
    assert (await position(tables, game)).frame.plan == "take trains"


# -- consent (§6.6.2, §10.1) --------------------------------------------------------------------------


async def funded(tables: GameService, game_id: int) -> None:
    """Ann's lobby is resolved; she is asked to float a company."""
    await to_lobbies(tables, game_id)
    for person, text in ((ANN, "fund 50"), (BOB, "pass"), (CID, "pass"), (ANN, "pass")):
        await tables.moves.submit(game_id, person, text)


FLOAT = "float LSR 5 at 65 on G7=150/0 to @2:1 @3:1"


async def test_all_buyers_of_a_new_company_are_asked_at_once_all_or_nothing(auction: tuple[GameService, int]) -> None:
    tables, game = auction
    await funded(tables, game)
    await tables.moves.submit(game, ANN, FLOAT)
    assert await asked(tables, game) == ["@2", "@3"]
    await tables.moves.submit(game, CID, "agree")
    assert await asked(tables, game) == ["@2"]
    await tables.moves.submit(game, BOB, "refuse")
    current = await position(tables, game)
    assert not current.company("LSR").floated and await asked(tables, game) == ["@1"]
    # Whoever agrees to everything spends no money by that; he says up to how much he would.
    await tables.plans.give_plan(game, BOB, "agree up to 65")
    await tables.plans.give_plan(game, CID, "agree")
    await tables.moves.submit(game, ANN, FLOAT)
    assert await asked(tables, game) == ["@3"]
    await tables.plans.give_plan(game, CID, "agree up to 64")
    assert await asked(tables, game) == ["@3"]
    await tables.plans.give_plan(game, CID, "agree up to 100")
    assert (await moves(tables, game))[-2:] == [("@2 agree", True), ("@3 agree", True)]
    assert (await position(tables, game)).company("LSR").floated


async def test_two_who_agree_at_the_same_moment_are_both_heard(auction: tuple[GameService, int]) -> None:
    tables, game = auction
    await funded(tables, game)
    await tables.moves.submit(game, ANN, FLOAT)
    await asyncio.gather(tables.moves.submit(game, BOB, "agree"), tables.moves.submit(game, CID, "agree"))
    assert (await position(tables, game)).company("LSR").floated


async def test_a_proposal_is_withdrawn_late_answers_come_to_nothing_and_orders_answer_the_next(
    auction: tuple[GameService, int],
) -> None:
    tables, game = auction
    await funded(tables, game)
    await tables.moves.submit(game, ANN, FLOAT)
    await tables.moves.submit(game, CID, "agree")
    with pytest.raises(Rejected, match=r"not a seat of yours|That is Ann"):
        await tables.moves.submit(game, BOB, "@1 withdraw")
    await tables.moves.submit(game, ANN, "withdraw")
    assert await asked(tables, game) == ["@1"]
    with pytest.raises(Rejected):
        await tables.moves.submit(game, BOB, "agree")
    current = await position(tables, game)
    assert current.frame.plan == "lobby" and not current.company("LSR").floated
    # Cid's answer to the first proposal is none to the second.
    await tables.plans.give_plan(game, BOB, "agree up to 65")
    await tables.moves.submit(game, ANN, FLOAT)
    assert await asked(tables, game) == ["@3"]
    await tables.moves.submit(game, CID, "agree")
    assert (await position(tables, game)).company("LSR").floated


async def test_withdrawing_and_agreeing_at_the_same_moment_whichever_comes_first_counts(
    auction: tuple[GameService, int],
) -> None:
    tables, game = auction
    await funded(tables, game)
    await tables.moves.submit(game, ANN, FLOAT.replace(" @3:1", "").replace("@2:1", "@1:1 @2:1"))
    results = await asyncio.gather(
        tables.moves.submit(game, ANN, "withdraw"), tables.moves.submit(game, BOB, "agree"), return_exceptions=True
    )
    refused = [result for result in results if isinstance(result, Rejected)]
    assert len(refused) == 1
    assert (await position(tables, game)).company("LSR").floated == (results[0] is refused[0])


def test_everybody_who_is_asked_can_answer_whatever_the_others_do() -> None:
    left = {"future trains", "takeover", "consent", "increase", "reduce and issue"}
    for game in RandomGame(TITLES["1820"], 4, 1, is_audited=False).moves():
        asked_now = set(game.players_to_act())
        if len(asked_now) > 1:
            left.discard(game.frame.plan)
            assert asked_now <= {game.controller_of(action.by) for action in game.legal_actions()}
        if not left:
            return
    raise AssertionError(f"never asked of several: {left}")


async def test_an_order_to_pass_survives_a_proposal_and_never_passes_over_a_lobby(
    auction: tuple[GameService, int],
) -> None:
    tables, game = auction
    await to_lobbies(tables, game)
    await tables.moves.submit(game, ANN, "fund 50")
    await tables.plans.give_plan(game, ANN, "pass")
    await tables.plans.give_plan(game, BOB, "pass")
    await tables.plans.give_plan(game, CID, "pass")
    current = await position(tables, game)
    assert current.frame.plan == "lobby" and list(current.players_to_act()) == ["@1"]
    await tables.moves.submit(game, ANN, FLOAT)
    assert await asked(tables, game) == ["@2", "@3"]
    standing = [one for one in await tables.plans.own_plans(game, BOB) if not one.is_over]
    assert [one.text for one in standing] == ["Pass. It ends when the round is over."]
    await tables.moves.submit(game, BOB, "agree")
    await tables.moves.submit(game, CID, "agree")
    # Both pass in the stock round that goes on; Ann alone is waited for.
    assert await asked(tables, game) == ["@1"]


async def test_a_share_is_sold_by_order_from_a_price_on(auction: tuple[GameService, int]) -> None:
    tables, game = auction
    await funded(tables, game)
    await tables.moves.submit(game, ANN, "float LSR 5 at 65 on G7=150/0 to @1:2")
    await tables.plans.give_plan(game, ANN, "agree from 70")
    await tables.moves.submit(game, BOB, "ask @1 for LSR")
    assert await asked(tables, game) == ["@1"]
    await tables.moves.submit(game, ANN, "refuse")
    await tables.plans.give_plan(game, ANN, "agree from 65")
    await tables.moves.submit(game, BOB, "ask @1 for LSR")
    assert (await moves(tables, game))[-1] == ("@1 agree", True)
    assert (await position(tables, game)).company("LSR").count_of("@2") == 1


async def test_buying_by_order_ends_the_turn_after_each_purchase(auction: tuple[GameService, int]) -> None:
    tables, game = auction
    await funded(tables, game)
    await tables.moves.submit(game, ANN, FLOAT.replace("@2:1", "@1:1"))
    await tables.moves.submit(game, CID, "agree")
    await tables.plans.give_plan(game, BOB, "buy LSR to 40 max 70")
    await tables.plans.give_plan(game, CID, "pass")
    await tables.plans.give_plan(game, ANN, "pass")
    held = (await position(tables, game)).company("LSR").percent_held_by("@2")
    assert (
        held == 40
        and [text for text, auto in await moves(tables, game) if auto and "buy" in text] == ["@2 buy LSR"] * 2
    )


# -- operating and issue rounds -----------------------------------------------------------------------


async def operating(tables: GameService, game_id: int) -> None:
    """Ann's LSR has £130 and operates; the others pass."""
    await funded(tables, game_id)
    await tables.moves.submit(game_id, ANN, "float LSR 5 at 65 on G7=150/0 to @1:2")
    for person in (BOB, CID):
        await tables.plans.give_plan(game_id, person, "pass")
    await tables.moves.submit(game_id, ANN, "pass")


async def test_an_exported_game_reads_back_to_the_same_position(auction: tuple[GameService, int]) -> None:
    tables, game = auction
    await operating(tables, game)
    await tables.moves.submit(game, ANN, "LSR lay 9 H6 0; pass; buy 2+; pass")
    copy = await tables.transfer.import_game(await tables.queries.game_file(game), BOB)
    assert (await position(tables, copy)).encode() == (await position(tables, game)).encode()
    assert (await tables.queries.actions(copy)) == (await tables.queries.actions(game))


async def test_a_company_is_run_by_order_but_not_into_liquidation(auction: tuple[GameService, int]) -> None:
    tables, game = auction
    await operating(tables, game)
    current = await position(tables, game)
    assert (current.state.round.kind, current.frame.entity) == ("operating", "LSR")
    await tables.plans.give_plan(game, ANN, "run LSR pay")
    # Track and station are passed over; it would be liquidated without a train.
    shown = (await tables.plans.own_plans(game, ANN))[-1]
    assert shown.effect == "Over: LSR has no train, so its price would fall."
    current = await position(tables, game)
    assert current.step is not None and current.step.name == "buy trains"


async def test_an_issue_round_is_passed_by_orders_and_whoever_acts_wakes_nobody(
    auction: tuple[GameService, int],
) -> None:
    tables, game = auction
    await operating(tables, game)
    await tables.moves.submit(game, ANN, "LSR: pass; buy 2+ for 80")
    while (current := await position(tables, game)).frame.plan == "company turn":
        await tables.moves.submit(game, ANN, "pass")
    assert current.state.round.kind == "issue" and list(current.players_to_act()) == ["@1"]
    await tables.plans.give_plan(game, ANN, "pass")
    # Done, no company offered: the second operating round has begun.
    current = await position(tables, game)
    assert (current.state.round.kind, current.state.round.part) == ("operating", 2)
    assert [text for text, auto in (await moves(tables, game))[-2:] if auto] == ["@1 done", "LSR pass"]


@pytest.mark.parametrize(("treasury", "does"), [(100, "LSR cover"), (30, "its own treasury")])
def test_an_order_pays_maintenance_out_of_the_treasury_and_stops_before_its_director_would_pay(
    treasury: int, does: str
) -> None:
    position = new_game()
    reach_phase(position, "green")
    memory(position).column = 4
    floated(position, "LSR", money=treasury)
    in_turn(position, step="maintenance", trains=["3+", "3+"])
    decision = evaluate(position, seat(1), read_plan(position, seat(1), "run LSR pay"))
    # Two 3+ cost £50 in the third green column.
    assert does in (
        format_action(decision.action) if isinstance(decision, Act) else str(getattr(decision, "reason", ""))
    )

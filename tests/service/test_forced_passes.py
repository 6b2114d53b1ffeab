"""Passes that are all that can be done: made at once, told in one line, in nobody's way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.engine.ids import Owner, as_company
from bot.engine.play.game import Game
from bot.engine.play.title import Procedure, Title
from bot.engine.refusals import IllegalMove
from bot.engine.state.actions import Action, BuyTrain, Pass, TakeLoan
from bot.engine.state.events import PriceMoved
from bot.service.features.plans.forced_passes import forced_pass
from bot.service.game_service import GameService
from bot.store import Store
from bot.titles.registry import TITLES
from tests.service.conftest import ANN, BOB, CID, Clock
from tests.service.toy_title import TOY, next_turn


class Borrow:
    """Borrow, which raises the total by 5, or pass; Bob gets no loan."""

    name = "borrow"
    verbs: tuple[type[Action], ...] = (TakeLoan, Pass)

    def opens(self, game: Game) -> bool:
        return True

    def options(self, game: Game) -> Iterable[Action]:
        by = game.frame.entity or Owner("")
        yield Pass(by)
        if by != "@2":
            yield TakeLoan(by)

    def check(self, game: Game, action: Any) -> None:
        if isinstance(action, TakeLoan) and action.by == "@2":
            raise IllegalMove("Nobody lends you anything.")

    def apply(self, game: Game, action: Any) -> None:
        if isinstance(action, Pass):
            game.record_pass(action)
            return
        game.emit(PriceMoved(as_company("TOTAL"), game.state.special.total, game.state.special.total + 5))
        game.state.special.total += 5
        game.next_step()


class Sampled(Borrow):
    """The same beside a verb of which only samples are listed."""

    verbs = (TakeLoan, Pass, BuyTrain)


def toy(step: Borrow) -> Title:
    return replace(
        TOY, plans={plan.name: plan for plan in (Procedure("game", (next_turn,)), Procedure("turn", (step,)))}
    )


@pytest.fixture
def tables(store: Store, clock: Clock) -> GameService:
    return GameService(store, {"toy": toy(Borrow())}, clock)


async def begun(tables: GameService) -> int:
    number = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob"), (CID, "Cid")])
    await tables.lobby.start(number, ANN, "list")
    return number


async def asked(tables: GameService, number: int) -> list[str]:
    status = await tables.queries.status(number)
    return [waiting.seat.name for waiting in status.waiting]


async def test_it_is_made_with_the_move_before_it_and_nobody_is_pinged(tables: GameService) -> None:
    number = await begun(tables)
    played = await tables.moves.submit(number, ANN, "loan")
    assert await asked(tables, number) == ["Cid"] and str(played.question).startswith("Cid: ")
    assert [line for line in played.lines if "Bob" in line] == ["Bob passes. (nothing else was possible)"]
    record = (await tables.desk.store.moves.list_of(number))[-1]
    assert (record.person, record.seat, record.auto, record.text) == ("", 2, True, "@2 pass")
    pings = [notice for notice in await tables.outbox.waiting_notices() if notice.kind == "turn"]
    assert 2 not in [notice.seat for notice in pings] and 3 in [notice.seat for notice in pings]


async def test_it_is_in_no_way_of_an_undo_and_counts_as_nobodys_move(tables: GameService) -> None:
    number = await begun(tables)
    await tables.moves.submit(number, ANN, "loan")
    await tables.moves.undo(number, ANN)
    assert await asked(tables, number) == ["Ann"]
    await tables.moves.submit(number, ANN, "pass")
    assert await asked(tables, number) == ["Cid"]
    await tables.moves.submit(number, CID, "loan")
    with pytest.raises(IllegalMove, match="Cid has moved since"):
        await tables.moves.undo(number, ANN)
    with pytest.raises(IllegalMove, match="Cid has moved since"):
        await tables.moves.undo(number, BOB)


async def test_the_table_may_switch_it_off(tables: GameService) -> None:
    number = await begun(tables)
    with pytest.raises(IllegalMove, match="Only the moderator"):
        await tables.moderation.set_passes(number, BOB, "hand")
    with pytest.raises(IllegalMove, match="Choose how forced passes are made: forced or hand"):
        await tables.moderation.set_passes(number, ANN, "never")
    await tables.moderation.set_passes(number, ANN, "hand")
    await tables.moves.submit(number, ANN, "loan")
    assert await asked(tables, number) == ["Bob"]
    await tables.moderation.set_passes(number, ANN, "forced")
    await tables.moves.submit(number, BOB, "pass")
    await tables.moves.submit(number, CID, "loan")
    await tables.moves.submit(number, ANN, "loan")
    assert await asked(tables, number) == ["Cid"]


def test_whoever_might_do_something_that_is_not_listed_is_asked() -> None:
    game = Game.new(toy(Sampled()), ["Ann", "Bob", "Cid"])
    game.apply(Pass(Owner("@1")))
    assert game.players_to_act() == ("@2",) and game.legal_actions() == (Pass(Owner("@2")),)
    assert forced_pass(game) is None


@pytest.mark.parametrize("name", TITLES)
def test_in_every_title_it_is_the_only_legal_move_of_the_only_one_who_is_asked(name: str) -> None:
    title, chance = TITLES[name], Random(5)
    game = Game.new(title, ["Ann", "Bob", "Cid"][: max(3, title.players.start)], seed=5)
    for _ in range(60):
        poor = game.copy()
        poor.state.cash.update(dict.fromkeys(game.state.order, 0))
        for position in (game, poor):
            forced = forced_pass(position)
            assert forced is None or (position.legal_actions() == (forced,) and len(position.players_to_act()) == 1)
        game.apply(chance.choice(game.legal_actions()))
        if game.state.finished:
            return


def test_a_player_without_money_passes_in_a_stock_round() -> None:
    game = Game.new(TITLES["1848"], ["Ann", "Bob", "Cid"])
    while game.state.round.kind == "auction":
        game.apply(next(action for action in game.legal_actions() if "buy" in type(action).__name__.lower()))
    mover = game.players_to_act()[0]
    game.state.cash[mover] = 60
    assert forced_pass(game) == Pass(mover)
    game.state.cash[mover] = 70
    assert forced_pass(game) is None

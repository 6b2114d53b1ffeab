"""Computer players at the table: they move by themselves, are taken back with people's moves, and wait for nobody."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.ai import policy
from bot.ai.intention import company_facts, intention
from bot.ai.policy import Decision
from bot.engine.ids import CompanyId, Owner, seat
from bot.engine.notation.text import format_action, parse_action
from bot.engine.play.game import Game
from bot.engine.refusals import IllegalMove
from bot.engine.routes import search
from bot.engine.routes.revenue.model import RouteProblem, RouteSet
from bot.engine.state.actions import Action, Done, Pass, RunRoutes, SellShares
from bot.service.computers import ai_process
from bot.service.computers.ai_process import ThinkRequest
from bot.service.game_service import GameService, GameSession
from bot.service.sessions.computer_seats import computer_person, parse_people
from bot.store import Store, StoreDamaged
from bot.titles.registry import OLDER_VERSIONS, TITLES
from tests.ai.recorded_openings import OPENINGS, position
from tests.service.conftest import ANN, BOB, CID, EVE, Clock, there


@pytest.fixture
def tables(store: Store, clock: Clock) -> GameService:
    return GameService(store, TITLES, clock, OLDER_VERSIONS)


async def begun(tables: GameService, *names: str) -> int:
    """A game of 1848 in which Ann, at the first seat, and others play in this order."""
    people = parse_people(names, ANN)
    number = await tables.lobby.create("1848", ANN, people, None, 7)
    await tables.lobby.start(number, ANN, "list")
    await tables.computers.wait_idle(number)
    return number


async def test_one_person_plays_against_computers(tables: GameService) -> None:
    game = await begun(tables, "Ann", "computer-learner", "computer-learner")
    played = await tables.moves.submit(game, ANN, "buy P6")
    await tables.computers.wait_idle(game)
    table, current = await tables.desk.require_started(game)
    assert [held.name for held in table.seats] == ["Ann", "Computer", "Computer 2"]
    assert current.players_to_act() == (seat(1),) and table.record.version == played.version + 2
    machines = (await tables.desk.store.moves.list_of(game))[-2:]
    assert [(move.person, move.seat, move.auto) for move in machines] == [
        (computer_person("learner"), 2, True),
        (computer_person("learner"), 3, True),
    ]
    assert not tables.computers.is_at_work(game)


async def test_an_undo_takes_their_moves_along_and_they_move_anew(tables: GameService) -> None:
    game = await begun(tables, "Ann", "computer-learner", "computer-learner")
    await tables.moves.submit(game, ANN, "buy P6")
    await tables.computers.wait_idle(game)
    await tables.moves.undo(game, ANN)
    await tables.computers.wait_idle(game)
    _, current = await tables.desk.require_started(game)
    assert current.players_to_act() == (seat(1),) and current.private("P6").owner is None


async def test_they_begin_where_the_first_seat_is_theirs_and_nobody_is_reminded(tables: GameService) -> None:
    game = await begun(tables, "computer-learner", "Ann", "computer-learner")
    table, current = await tables.desk.require_started(game)
    assert current.players_to_act() == (seat(2),) and table.record.version == 1
    assert [clock.seat for clock in await tables.desk.store.clocks.list_of(game)] == [2]
    pinged = [notice.seat for notice in await tables.outbox.waiting_notices() if notice.kind == "turn"]
    assert pinged == [2]


async def test_nobody_is_pinged_for_a_computer_and_it_has_no_clock(tables: GameService) -> None:
    tables.desk.listeners.clear()
    game = await begun(tables, "computer-learner", "Ann", "computer-learner")
    assert (await tables.desk.require_started(game))[1].players_to_act() == (seat(1),)
    assert await tables.desk.store.clocks.list_of(game) == []
    assert [notice for notice in await tables.outbox.waiting_notices() if notice.kind == "turn"] == []


async def test_reasons_are_told_and_asked_for(tables: GameService) -> None:
    game = await begun(tables, "Ann", "computer", "computer")
    await tables.moves.submit(game, ANN, "buy P6")
    await tables.computers.wait_idle(game)
    assert (await tables.computers.why(game))[0].startswith("Computer ")
    said = await tables.computers.advise(game, ANN)
    assert said.startswith(("Buy P", "Reduce P", "Pass"))
    with pytest.raises(IllegalMove, match="no seat"):
        await tables.computers.advise(game, EVE)
    assert " " in said.partition(". ")[2], "advice has a reason"


async def test_a_reason_stands_under_its_move_before_what_the_move_sets_off(tables: GameService) -> None:
    number = await tables.lobby.create("1889", ANN, parse_people(("Ann", "computer", "computer"), ANN), None, 7)
    await tables.lobby.start(number, ANN, "list")
    for line in ("bid SMR 55", "pass", "pass", "pass"):
        await tables.computers.wait_idle(number)
        await tables.moves.submit(number, ANN, line)
    await tables.computers.wait_idle(number)
    table, _ = await tables.desk.require_started(number)
    told = [
        [str(line) for line in one.lines]
        for one in await tables.desk.store.moves.branch(number, table.record.version, 60)
    ]
    reasons = [[line.startswith("(") for line in lines] for lines in told]
    assert any(any(one) and len(one) > 2 for one in reasons), "a move with a reason set something off"
    assert all(one.index(True) == 1 for one in reasons if any(one)), told


@pytest.mark.parametrize(
    ("action", "told"),
    [(Pass(seat(1)), "is worth more."), (RunRoutes(Owner("VR"), ()), "earn more."), (Done(seat(1)), "worth more.")],
)
def test_advice_for_what_explains_itself_has_a_reason_too(
    monkeypatch: pytest.MonkeyPatch, action: Action, told: str
) -> None:
    monkeypatch.setattr(ai_process, "choose", lambda *others: Decision(action, None))
    game = Game.new(TITLES["1848"], ["Ann", "Bob", "Cid"], seed=1)
    reason = ai_process.advice(ThinkRequest("1848", game.title.version, game.encode(), {seat(1): "strong"}, 1, {}))[1]
    assert str(reason).endswith(told)


def test_advice_is_not_what_is_ruled_out_in_this_round() -> None:
    game = Game.new(TITLES["1848"], ["Ann", "Bob", "Cid"], seed=1)
    thought = ThinkRequest("1848", game.title.version, game.encode(), {seat(1): "strong"}, 1, {})
    first = ai_process.advice(thought)[0]
    assert ai_process.advice(replace(thought, ruled_out={seat(1): (first,)}))[0] != first
    assert ai_process.advice(replace(thought, ruled_out={seat(2): (first,)}))[0] == first


def test_best_runs_are_searched_for_once_and_not_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    game = position(63)
    assert format_action(game.legal_actions()[0]).startswith("SAR run")
    searched, redone = list[tuple[float, Any]](), list[bool]()

    def best_routes(problem: RouteProblem, seconds: float, clock: Any) -> RouteSet:
        searched.append((seconds, clock))
        return search.best_routes(problem)

    def choose(game: Game, *others: Any) -> Decision:
        redone.append(game.is_redoing)
        return policy.choose(game, *others)

    monkeypatch.setattr(ai_process, "best_routes", best_routes)
    monkeypatch.setattr(ai_process, "choose", choose)
    thought = ThinkRequest(
        "1848", game.title.version, game.encode(), {player: "learner" for player in game.players_to_act()}, 1, {}
    )
    moves = ai_process.stretch(thought)
    assert moves[0][0].startswith("SAR run") and set(redone) == {True}
    assert searched[0] == (ai_process.LONGEST_SEARCH, time.monotonic)


async def test_no_advice_where_other_people_play(tables: GameService) -> None:
    number = await tables.lobby.create(
        "1848", ANN, [(ANN, "Ann"), (BOB, "Bob"), (computer_person("learner"), "Computer")]
    )
    await tables.lobby.start(number, ANN, "list")
    with pytest.raises(IllegalMove, match="Advice is only available in games of one person against"):
        await tables.computers.advise(number, ANN)


async def test_the_opener_fills_a_lobby(tables: GameService) -> None:
    number = await tables.lobby.create("1848", ANN, [(ANN, "Ann")])
    await tables.lobby.join(number, there(BOB), "Bob")
    with pytest.raises(IllegalMove, match="moderator"):
        await tables.lobby.add_computer(number, there(BOB))
    with pytest.raises(IllegalMove, match="learner, steady, strong"):
        await tables.lobby.add_computer(number, ANN, "clever")
    table = await tables.lobby.add_computer(number, ANN, "strong")
    assert (table.seats[-1].person, table.seats[-1].name) == (computer_person("strong"), "Computer")
    assert len((await tables.lobby.remove_computers(number, ANN)).seats) == 2


async def test_they_are_not_asked_what_the_table_is_asked(tables: GameService) -> None:
    game = await begun(tables, "Ann", "computer-learner", "computer-learner")
    poll = await tables.votes.start_poll(game, ANN, "end")
    assert poll.record.outcome == "agreed"


async def test_a_silent_players_seat_is_minded_until_he_is_back(tables: GameService, clock: Clock) -> None:
    people = [(ANN, "Ann"), (BOB, "Bob"), (CID, "Cid")]
    game = await tables.lobby.create("1848", ANN, people, None, 7)
    await tables.lobby.start(game, ANN, "list")
    with pytest.raises(IllegalMove, match="has not kept the table waiting"):
        await tables.votes.start_poll(game, BOB, "computer", {"seat": 1})
    clock.advance(days=8)
    poll = await tables.votes.start_poll(game, BOB, "computer", {"seat": 1})
    assert poll.text == "Bob asks to let a computer player move for Ann until they return."
    await tables.votes.answer_poll(poll.record.id, CID, True)
    await tables.computers.wait_idle(game)
    table, current = await tables.desk.require_started(game)
    assert table.seats[0].person == ANN and table.seats[0].sitter == computer_person("steady")
    assert current.players_to_act() == (seat(2),)
    clock.advance(days=200)
    assert (await tables.desk.table(game)).seats[0].sitter == computer_person("steady")
    await tables.moderation.set_sitter(game, ANN, 1, "", "", 0)
    assert (await tables.desk.table(game)).seats[0].sitter == ""


async def test_after_a_start_they_play_on(tables: GameService, store: Store, clock: Clock) -> None:
    game = await begun(tables, "Ann", "computer-learner", "computer-learner")
    tables.desk.listeners.clear()
    await tables.moves.submit(game, ANN, "buy P6")
    again = GameService(store, TITLES, clock, OLDER_VERSIONS)
    await again.computers.wake()
    await again.computers.wait_idle(game)
    assert (await again.desk.require_started(game))[1].players_to_act() == (seat(1),)


async def test_a_game_that_cannot_be_opened_keeps_no_computer_player_from_another(
    tables: GameService, store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [await begun(tables, "Ann", "computer-learner", "computer-learner") for _ in range(2)]
    tables.desk.listeners.clear()
    for game in games:
        await tables.moves.submit(game, ANN, "buy P6")
    again = GameService(store, TITLES, clock, OLDER_VERSIONS)
    broken, real = max(games), again.desk.table

    async def table(game_id: int) -> GameSession:
        if game_id == broken:
            raise StoreDamaged("What is kept of this game is damaged.")
        return await real(game_id)

    monkeypatch.setattr(again.desk, "table", table)
    await again.computers.wake()
    await again.computers.wait_idle(min(games))
    assert (await again.desk.require_started(min(games)))[1].players_to_act() == (seat(1),)


async def test_what_was_thought_out_for_another_position_is_not_played(
    tables: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await begun(tables, "Ann", "computer-learner", "computer-learner")
    think, thoughts = tables.computers._think, []

    async def interrupted(function: Callable[[ThinkRequest], Any], thought: ThinkRequest) -> Any:
        found = await think(function, thought)
        thoughts.append(thought)
        if len(thoughts) == 1:
            # The computers have thought, and nothing is saved yet: Ann takes her move back and makes another.
            await tables.moves.undo(game, ANN)
            await tables.moves.submit(game, ANN, "reduce P5")
        return found

    monkeypatch.setattr(tables.computers, "_think", interrupted)
    await tables.moves.submit(game, ANN, "buy P6")
    await tables.computers.wait_idle(game)
    _, current = await tables.desk.require_started(game)
    moves = await tables.desk.store.moves.list_of(game)
    assert [move.kind for move in moves] == ["start", "move", "undo", "move", "move", "move"]
    assert [move.auto for move in moves][-2:] == [True, True]
    assert len(thoughts) == 2 and thoughts[0].state != thoughts[1].state
    assert current.players_to_act() == (seat(1),)


def test_names_of_computer_players() -> None:
    assert [person for person, _ in parse_people(["bot", "AI-strong"], ANN)] == ["computer:steady", "computer:strong"]
    assert parse_people(["Ann", "Computer", "computer-strong", "computer:learner"], ANN) == [
        (ANN, "Ann"),
        (computer_person("steady"), "Computer"),
        (computer_person("strong"), "Computer 2"),
        (computer_person("learner"), "Computer 3"),
    ]
    for word in ("computer-clever", "computer:clever"):
        with pytest.raises(IllegalMove, match="computer-club"):
            parse_people([word], ANN)


async def test_whoever_thinks_is_told_what_has_been_bought_since_the_stock_round_began(tables: GameService) -> None:
    game = await tables.lobby.create("1848", ANN, [(ANN, "Ann"), (BOB, "Bob"), (CID, "Cid")], None, 7)
    await tables.lobby.start(game, ANN, "list")
    moves = (
        (ANN, "buy P6"),
        (BOB, "buy P3"),
        (CID, "buy P4"),
        (ANN, "buy P2"),
        (BOB, "buy P1"),
        (CID, "buy P5"),
        (ANN, "buy BOE"),
        (BOB, "par SAR 100"),
        (CID, "buy BOE"),
        (ANN, "buy BOE"),
    )
    for person, text in moves:
        await tables.moves.submit(game, person, text)
    table, current = await tables.desk.require_started(game)
    thought = await tables.computers._think_request(table, current, {seat(1): "club"})
    ruled_out = thought.ruled_out
    assert ruled_out == {seat(1): ("@1 sell 1 BOE", "@1 sell 1 BOE"), seat(3): ("@3 sell 1 BOE",)}
    began = Game.decode(current.title, thought.began)
    assert began.state.moves == 6 and began.state.round == current.state.round, "right after the auction"
    memory = ai_process.ruled_out_at(thought, current)
    assert memory.recollection(current, seat(1)).intention == intention(began) != intention(current)
    assert memory.of(current, seat(3)) == [SellShares(seat(3), CompanyId("BOE"), 1)]


async def test_purchases_of_the_last_stock_round_are_remembered(tables: GameService) -> None:
    """Where a company has moved since; and what the companies were like then."""
    game = await tables.lobby.create("1848", ANN, [(ANN, "Ann"), (BOB, "Bob"), (CID, "Cid")])
    await tables.lobby.start(game, ANN, "list")
    people = {seat(1): ANN, seat(2): BOB, seat(3): CID}
    for text in OPENINGS["1848"].replace("\n", "|").strip("|").split("|")[:44]:
        current = (await tables.desk.require_started(game))[1]
        action = parse_action(current.title, text)
        # A player who can only pass does so automatically.
        if current.allows(action):
            player = current.controller_of(action.by)
            assert player is not None
            await tables.moves.submit(game, people[player], text.split(" ", 1)[1])
    table, current = await tables.desk.require_started(game)
    assert current.state.round.kind == "stock" and current.state.round.number == 2
    thought = await tables.computers._think_request(table, current, {seat(1): "club"})
    assert thought.last is not None
    assert {player: {*companies} for player, companies in thought.last.companies.items()} == {
        seat(1): {"BOE", "CAR"},
        seat(2): {"BOE", "SAR", "QR"},
        seat(3): {"QR"},
    }
    then = Game.decode(current.title, thought.last.position)
    recalled = ai_process.ruled_out_at(thought, current).recollection(current, seat(1))
    assert recalled.bought == {company: company_facts(then, CompanyId(company)) for company in ("BOE", "CAR")}
    assert recalled.bought["CAR"] != company_facts(current, CompanyId("CAR")), "it has a train now, and another price"

"""Clocks of games at tables: what waits cost and moves earn, warnings, penalties, outages, and what is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from bot.ai.fuzzer import RandomGame
from bot.engine import seat
from bot.engine.ids import as_company
from bot.engine.notation import parse_action
from bot.engine.refusals import IllegalMove
from bot.i18n import tr
from bot.service.features.clock_keeper import OUTAGE, PULSE
from bot.service.game_service import GameService
from bot.service.registry.clock_commands import parse_clock
from bot.service.sessions.answer_moment import answered_at
from bot.service.sessions.budgets import DAY, HOUR, MINUTE, PRESETS, Budget
from bot.service.views.clock_text import describe_clock, format_span, times_line
from bot.service.views.report import Verdict, ranking, report_text
from bot.store import ClockAllowance, EntryKind, GameStatus, LedgerRecord, Penalty, Store
from tests.service.conftest import ANN, BOB, CID, Clock
from tests.service.toy_title import TITLES

BLITZ, DAILY = PRESETS["blitz"], PRESETS["daily"]
MINDED, LOSING = PRESETS["live"], msgspec.structs.replace(BLITZ, penalty=Penalty.LOSS)
SHOWN = msgspec.structs.replace(BLITZ, penalty=Penalty.NONE, waking=True)


async def begin(
    tables: GameService,
    allowance: ClockAllowance | None,
    title: str = "toy",
    seed: int = 7,
    options: Mapping[str, str] | None = None,
) -> int:
    """Ann, Bob and Cid play; Ann moderates and is in turn."""
    number = await tables.lobby.create(title, ANN, [(ANN, "Ann")], options, seed, allowance=allowance)
    for person, name in ((BOB, "Bob"), (CID, "Cid")):
        await tables.desk.store.games.set_seats(
            number,
            [
                *await tables.desk.store.games.seats(number),
                await tables.lobby.new_seat(number, len(await tables.desk.store.games.seats(number)) + 1, person, name),
            ],
        )
    await tables.lobby.start(number, ANN, "list")
    return number


async def budgets(tables: GameService, game_id: int) -> dict[int, Budget]:
    return dict(await tables.desk.budgets(await tables.desk.table(game_id)))


async def left(tables: GameService, game_id: int) -> list[float]:
    """Everybody's seconds, in the order of seats."""
    return [one.left for one in (await budgets(tables, game_id)).values()]


async def log_lines(tables: GameService, game_id: int) -> list[str]:
    return [line for entry in await tables.queries.log_since(game_id) for line in entry.tr_lines]


async def private_notices(tables: GameService) -> list[tuple[int | None, str]]:
    found = await tables.desk.store.outbox.list_waiting()
    return [(one.seat, " ".join(map(tr, one.lines))) for one in found if one.kind == "private"]


# -- waits and grants ---------------------------------------------------------------------------------


async def test_a_wait_costs_the_player_who_is_asked(tables: GameService, clock: Clock) -> None:
    game = await begin(tables, SHOWN)
    clock.advance(seconds=90)
    assert await left(tables, game) == [510, 600, 600]
    await tables.moves.submit(game, ANN, "bid P1 5")
    clock.advance(seconds=10)
    assert await left(tables, game) == [515, 590, 600]


async def test_games_without_a_clock_write_no_ledger(tables: GameService, clock: Clock) -> None:
    game = await begin(tables, None)
    clock.advance(hours=90)
    await tables.moves.submit(game, ANN, "bid P1 5")
    assert await left(tables, game) == []
    assert await tables.desk.store.ledger.list_of(game) == []


async def test_everybody_who_is_asked_pays_until_they_answer(tables: GameService, clock: Clock) -> None:
    game = await begin(tables, msgspec.structs.replace(SHOWN, answer=0))
    await tables.moves.submit(game, ANN, "bid P1 7")
    clock.advance(seconds=10)
    await tables.moves.submit(game, BOB, "yes")
    clock.advance(seconds=20)
    await tables.moves.submit(game, ANN, "yes")
    clock.advance(seconds=30)
    await tables.moves.submit(game, CID, "yes")
    assert await left(tables, game) == [570, 590, 540]


async def test_an_undo_earns_nothing_and_gives_no_time_back(tables: GameService, clock: Clock) -> None:
    game = await begin(tables, SHOWN)
    for _ in range(5):
        clock.advance(seconds=20)
        await tables.moves.submit(game, ANN, "bid P1 5")
        await tables.moves.undo(game, ANN)
    assert (await left(tables, game))[0] == 600 - 5 * 20 + 5
    await tables.moves.submit(game, ANN, "bid P1 5")
    assert (await left(tables, game))[0] == 505


async def test_a_plan_costs_no_time_and_earns_it(tables: GameService, clock: Clock) -> None:
    game = await begin(tables, SHOWN)
    await tables.plans.give_plan(game, BOB, "pass")
    clock.advance(seconds=30)
    await tables.moves.submit(game, ANN, "bid P1 5")
    assert (await tables.desk.table(game)).record.version == 2
    assert await left(tables, game) == [575, 605, 600]


async def test_computer_players_have_no_budget_to_show(tables: GameService, clock: Clock) -> None:
    tables.desk.listeners.remove(tables.computers.listen)
    game = await tables.lobby.create("toy", ANN, [(ANN, "Ann")], allowance=SHOWN)
    await tables.lobby.add_computer(game, ANN)
    await tables.lobby.start(game, ANN, "list")
    clock.advance(seconds=30)
    shown = await tables.clocks.seat_times(await tables.desk.table(game))
    assert [(one.name, one.text) for one in shown] == [("Ann", "10 min")]
    await tables.moves.submit(game, ANN, "bid P1 5")
    clock.advance(hours=3)
    assert await left(tables, game) == [575, 600]


async def test_long_quiet_hours_stop_a_clock_for_twelve_hours_only(tables: GameService, clock: Clock) -> None:
    await tables.reminders.set_default_quiet_hours(ANN, "UTC", 13, 9)
    game = await begin(tables, DAILY)
    clock.advance(days=1)
    assert (await left(tables, game))[0] == 5 * DAY - 12 * HOUR


async def test_a_pause_costs_nobody_anything(tables: GameService, clock: Clock) -> None:
    game = await begin(tables, SHOWN)
    clock.advance(seconds=60)
    await tables.moderation.set_status(game, ANN, GameStatus.PAUSED)
    clock.advance(days=7)
    assert await left(tables, game) == [540, 600, 600]
    await tables.moderation.set_status(game, ANN, GameStatus.RUNNING)
    clock.advance(seconds=30)
    assert await left(tables, game) == [510, 600, 600]


async def test_rounds_and_turns_of_companies_give_time(tables: GameService, clock: Clock) -> None:
    """1848's auction ends: a stock round begins for all; later a company's turn for its director."""
    played = RandomGame(tables.desk.title("1848"), 3, 4, is_audited=False)
    options = played.game.state.options
    game = await begin(tables, msgspec.structs.replace(DAILY, answer=0), "1848", 4, options)
    await tables.moderation.set_passes(game, ANN, "hand")
    for _ in played.moves():
        if played.game.state.round.kind == "operating":
            break
    _, current = await tables.desk.require_started(game)
    for text in played.texts:
        await tables.moves.submit(game, ANN, [parse_action(current.title, text)], as_moderator=True)
    entries = await tables.desk.store.ledger.list_of(game)
    stock = [entry for entry in entries if entry.kind == EntryKind.STOCK]
    turns = [entry for entry in entries if entry.kind == EntryKind.COMPANY]
    _, current = await tables.desk.require_started(game)
    assert [(entry.topic, entry.seat, entry.seconds) for entry in stock[:3]] == [
        ("stock 1", number, DAY) for number in (1, 2, 3)
    ]
    *_, company = turns[-1].topic.split()
    assert turns[-1].seconds == 6 * HOUR and turns[-1].seat is not None
    assert current.controller_of(as_company(company)) == seat(turns[-1].seat)


async def test_quiet_hours_count_from_the_next_question_on(tables: GameService, clock: Clock) -> None:
    """It is 12:00; Ann's quiet hours from 12 to 20 are set while she is asked."""
    game = await begin(tables, DAILY)
    await tables.reminders.set_quiet_hours(game, ANN, "UTC", 12, 20)
    clock.advance(hours=4)
    assert (await left(tables, game))[0] == 5 * DAY - 4 * HOUR
    for person in (ANN, BOB, CID):
        await tables.moves.submit(game, person, "pass")
    assert (await budgets(tables, game))[1].is_quiet
    clock.advance(hours=5)
    assert (await left(tables, game))[0] == 5 * DAY - 4 * HOUR - HOUR + 10 * MINUTE


async def test_a_budget_is_told_from_its_ledger_line_by_line(tables: GameService, clock: Clock) -> None:
    game = await begin(tables, SHOWN)
    clock.advance(seconds=90)
    await tables.moves.submit(game, ANN, "bid P1 5")
    ((held, lines),) = await tables.clocks.ledgers(game, ANN)
    assert held.name == "Ann"
    assert [(line.entry.kind, line.seconds, line.left) for line in lines] == [
        ("set", 600, 600),
        ("wait", -90, 510),
        ("answer", 5, 515),
    ]
    with pytest.raises(IllegalMove, match="no seat"):
        await tables.clocks.ledgers(game, "discord:9")


# -- choosing a clock ---------------------------------------------------------------------------------


async def test_a_clock_is_chosen_in_the_lobby_and_changed_by_the_moderator(tables: GameService, clock: Clock) -> None:
    game = await tables.lobby.create("toy", ANN, [(ANN, "Ann"), (BOB, "Bob")])
    await tables.moderation.set_clock(game, ANN, BLITZ)
    await tables.lobby.start(game, ANN, "list")
    clock.advance(seconds=300)
    with pytest.raises(IllegalMove, match="moderator"):
        await tables.moderation.set_clock(game, BOB, DAILY)
    await tables.moderation.set_clock(game, ANN, BLITZ)
    assert (await left(tables, game))[0] == 300 and (await tables.desk.table(game)).record.version == 0
    await tables.moderation.set_clock(game, ANN, DAILY)
    assert await left(tables, game) == [300 / 1200 * 10 * DAY, 600 / 1200 * 10 * DAY]
    clock.advance(hours=1)
    assert (await left(tables, game))[0] == 2.5 * DAY - HOUR
    assert "sets the clock. Clock daily" in (await log_lines(tables, game))[-1]
    await tables.moderation.set_clock(game, ANN, None)
    assert await left(tables, game) == []


async def test_the_table_changes_a_clock_if_all_agree(tables: GameService) -> None:
    game = await begin(tables, None)
    poll = await tables.votes.start_poll(game, BOB, "clock", {"clock": msgspec.to_builtins(DAILY)})
    assert "Clock daily" in poll.text
    await tables.votes.answer_poll(poll.record.id, ANN, True)
    assert await left(tables, game) == []
    await tables.votes.answer_poll(poll.record.id, CID, True)
    assert await left(tables, game) == [5 * DAY] * 3


@pytest.mark.parametrize("data", [{"clock": {"game": -1}}, {"clock": {"game": "x"}}, {"clock": 3}])
async def test_a_vote_about_an_impossible_clock_is_refused(tables: GameService, data: dict[str, object]) -> None:
    game = await begin(tables, None)
    with pytest.raises(IllegalMove):
        await tables.votes.start_poll(game, BOB, "clock", data)


async def test_losing_is_chosen_before_others_join(tables: GameService) -> None:
    game = await tables.lobby.create("toy", ANN, [(ANN, "Ann")])
    await tables.moderation.set_clock(game, ANN, LOSING)
    await tables.moderation.set_clock(game, ANN, None)
    await tables.desk.store.games.set_seats(
        game,
        [*await tables.desk.store.games.seats(game), await tables.lobby.new_seat(game, 2, BOB, "Bob")],
    )
    with pytest.raises(IllegalMove, match="before anyone else has joined"):
        await tables.moderation.set_clock(game, ANN, LOSING)
    await tables.lobby.start(game, ANN, "list")
    with pytest.raises(IllegalMove, match="before anyone else has joined"):
        await tables.votes.start_poll(game, BOB, "clock", {"clock": msgspec.to_builtins(LOSING)})


@pytest.mark.parametrize(
    ("preset", "changes", "expected"),
    [
        ("none", "", None),
        ("daily", "", DAILY),
        ("daily", "answer=20m waking=no", msgspec.structs.replace(DAILY, answer=1200, waking=False)),
        ("blitz", "start=90s,penalty=fine fine=7", msgspec.structs.replace(BLITZ, game=90, penalty=Penalty.FINE, fine=7)),
        ("weekly", "most=60d12h holiday=0", msgspec.structs.replace(PRESETS["weekly"], most=60 * DAY + 12 * HOUR, holiday=0)),
    ],
)  # fmt: skip
def test_numbers_of_a_clock_are_read(preset: str, changes: str, expected: ClockAllowance | None) -> None:
    assert parse_clock(preset, changes) == expected


@pytest.mark.parametrize(
    "changes",
    ["start", "start=", "start=x", "start=5", "start=-5d", "start=99999999d", "start=0s", "game=5d", "most=1h", "fine=1000", "fine=²", "x=5",
     "penalty=death", "penalty=fine fine=0", "holiday=61", "waking=maybe", "start=5dd", "answer=1d2x"],
)  # fmt: skip
def test_impossible_numbers_of_a_clock_are_refused(changes: str) -> None:
    with pytest.raises(IllegalMove):
        parse_clock("daily", changes)


# -- at zero ------------------------------------------------------------------------------------------


async def test_a_player_passes_at_zero(tables: GameService, clock: Clock) -> None:
    game = await begin(tables, BLITZ)
    clock.advance(seconds=602)
    assert await tables.clocks.settle(game) is not None
    assert (await tables.desk.table(game)).record.version == 0
    clock.advance(seconds=2)
    await tables.clocks.settle(game)
    table = await tables.desk.table(game)
    assert table.record.version == 1 and table.game is not None
    assert table.game.players_to_act() == ("@2",)
    assert (await log_lines(tables, game))[-1] == "The time of Ann is up: Ann passes."
    # No grant for it, and Ann takes it back with the table only.
    assert (await left(tables, game))[0] == -4
    with pytest.raises(IllegalMove):
        await tables.moves.undo(game, ANN)
    await tables.votes.start_poll(game, ANN, "undo", {"number": 0})


async def test_an_answer_that_came_first_wins(tables: GameService, clock: Clock) -> None:
    game = await begin(tables, BLITZ)
    clock.advance(seconds=610)
    await asyncio.gather(tables.moves.submit(game, ANN, "bid P1 5"), tables.clocks.settle(game))
    table = await tables.desk.table(game)
    assert table.record.version == 1
    assert [record.text for record in await tables.queries.branch_moves(game)] == ["@1 bid P1 5"]


async def test_a_computer_player_chooses_where_passing_does_harm(
    tables: GameService, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def choose(*asked: object) -> str:
        return "@1 bid P1 3"

    monkeypatch.setattr(tables.clocks, "choose", choose)
    monkeypatch.setattr("bot.service.features.game_clocks.harmless_default", lambda *asked: None)
    game = await begin(tables, BLITZ)
    clock.advance(seconds=604)
    await tables.clocks.settle(game)
    assert [record.text for record in await tables.queries.branch_moves(game)] == ["@1 bid P1 3"]
    assert "a computer player chooses" in (await log_lines(tables, game))[-1]


async def test_a_move_that_cannot_be_chosen_leaves_the_game_alone(
    tables: GameService, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def choose(*asked: object) -> str:
        raise TimeoutError

    monkeypatch.setattr(tables.clocks, "choose", choose)
    monkeypatch.setattr("bot.service.features.game_clocks.harmless_default", lambda *asked: None)
    game = await begin(tables, BLITZ)
    clock.advance(seconds=604)
    assert await tables.clocks.settle(game) is None
    assert (await tables.desk.table(game)).record.version == 0


async def test_a_computer_player_minds_the_seat_until_its_player_moves(tables: GameService, clock: Clock) -> None:
    tables.desk.listeners.remove(tables.computers.listen)
    game = await begin(tables, MINDED)
    clock.advance(minutes=31)
    await tables.clocks.settle(game)
    table = await tables.desk.table(game)
    assert table.seats[0].sitter.startswith("computer:") and table.seats[0].person == ANN
    assert await private_notices(tables) == [
        (1, "The time of @1 is up: a computer player moves for them until they return.")
    ]
    # A minder's time costs nothing.
    clock.advance(hours=3)
    assert (await left(tables, game))[0] == -60
    await tables.moves.submit(game, ANN, "bid P1 5")
    assert (await tables.desk.table(game)).seats[0].sitter == ""
    assert (await left(tables, game))[0] == -50


async def test_a_player_who_loses_is_ranked_last(tables: GameService, clock: Clock) -> None:
    tables.desk.listeners.remove(tables.computers.listen)
    game = await begin(tables, LOSING)
    clock.advance(seconds=604)
    await tables.clocks.settle(game)
    table = await tables.desk.table(game)
    verdict = await tables.clocks.verdict(table)
    assert verdict == Verdict({}, frozenset({"@1"})) and table.game is not None
    assert ranking(table.game, verdict)[-1][:2] == (3, "@1")
    assert "lost on time" in report_text(table.game, verdict)
    assert table.seats[0].sitter.startswith("computer:")
    # The table may take it back.
    await tables.moderation.rewind(game, ANN, 0)
    assert await tables.clocks.verdict(await tables.desk.table(game)) == Verdict()


async def test_a_fine_is_off_the_score_and_not_the_cash(tables: GameService, clock: Clock) -> None:
    fined = msgspec.structs.replace(BLITZ, penalty=Penalty.FINE, fine=10)
    game = await begin(tables, fined)
    clock.advance(seconds=600 + 61)
    await tables.clocks.settle(game)
    table = await tables.desk.table(game)
    assert table.record.version == 0 and table.game is not None
    cash = dict(table.game.state.cash)
    verdict = await tables.clocks.verdict(table)
    assert verdict.fines == {"@1": 20} and table.game.state.cash == cash
    (last,) = [score for place, player, score in ranking(table.game, verdict) if player == "@1"]
    assert last == cash["@1"] - 20
    assert "after a time penalty of £20" in report_text(table.game, verdict)
    assert times_line(await tables.clocks.seat_times(table)).startswith("Time: Ann −1 min 1 s (−20)! · Bob 10 min")


async def test_two_warnings_each_once(tables: GameService, clock: Clock) -> None:
    game = await begin(tables, BLITZ)
    told = []
    for seconds in (539, 1, 5, 40, 5, 1):
        clock.advance(seconds=seconds)
        await tables.clocks.settle(game)
        told.append(len(await private_notices(tables)))
    assert told == [0, 1, 1, 1, 2, 2]
    assert (await private_notices(tables))[0] == (
        1,
        "The table is waiting for you. You have 1 min left. At zero you pass, or a computer player makes this move.",
    )


async def test_nothing_runs_out_while_a_game_rests(tables: GameService, clock: Clock) -> None:
    game = await begin(tables, BLITZ)
    await tables.moderation.set_status(game, ANN, GameStatus.PAUSED)
    clock.advance(hours=1)
    assert await tables.clocks.settle(game) is None
    assert (await tables.desk.table(game)).record.version == 1


# -- the keeper ---------------------------------------------------------------------------------------


async def test_the_keeper_looks_when_something_is_due(tables: GameService, clock: Clock) -> None:
    game = await begin(tables, BLITZ)
    for _ in range(38):
        assert 0 < await tables.keeper.sweep() <= PULSE
        clock.advance(seconds=14)
    clock.advance(seconds=3)
    assert await tables.keeper.sweep() == pytest.approx(5)
    clock.advance(seconds=5)
    await tables.keeper.sweep()
    assert len(await private_notices(tables)) == 1
    for _ in range(5):
        clock.advance(seconds=13)
        await tables.keeper.sweep()
    assert (await tables.desk.table(game)).record.version == 1


async def test_the_keeper_leaves_games_without_a_clock_alone(tables: GameService, clock: Clock) -> None:
    await begin(tables, None)
    assert await tables.keeper.sweep() == PULSE
    assert await tables.desk.store.ledger.games_under_way() == {}


async def test_a_live_game_is_settled_to_the_second(tables: GameService, clock: Clock) -> None:
    """The keeper's timer, by the real clock: one second of budget."""
    short = msgspec.structs.replace(BLITZ, game=1, penalty=Penalty.PASS)
    tables.desk.clock = lambda: datetime.now(UTC)
    await tables.keeper.begin()
    game = await begin(tables, short)
    await tables.desk.notify(game)
    async with asyncio.timeout(15):
        while (await tables.desk.table(game)).record.version == 0:
            await asyncio.sleep(0.1)
    (spent,) = [one for one in await tables.desk.store.ledger.list_of(game) if one.kind == EntryKind.WAIT][:1]
    assert spent.until is not None and 4 <= spent.until - spent.since < 6
    await tables.keeper.close()


async def test_time_in_which_no_program_ran_does_not_count(tables: GameService, clock: Clock, store: Store) -> None:
    game = await begin(tables, BLITZ)
    await tables.keeper.sweep()
    clock.advance(hours=5)
    later = GameService(store, TITLES, clock)
    await later.keeper.sweep()
    assert (await left(later, game))[0] == 600
    assert (await later.desk.table(game)).record.version == 0
    clock.advance(seconds=10)
    await later.keeper.sweep()
    assert (await left(later, game))[0] == 590


async def test_a_short_restart_is_no_outage(tables: GameService, clock: Clock, store: Store) -> None:
    game = await begin(tables, BLITZ)
    await tables.keeper.sweep()
    clock.advance(seconds=OUTAGE - 1)
    later = GameService(store, TITLES, clock)
    await later.keeper.sweep()
    assert (await left(later, game))[0] == 600 - OUTAGE + 1


class Steady:
    """Seconds that nobody sets."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.mark.parametrize("jump", [3600, 86400 * 30])
async def test_a_clock_that_is_set_ahead_costs_nobody_anything(store: Store, clock: Clock, jump: int) -> None:
    steady = Steady()
    tables = GameService(store, TITLES, clock, steady=steady)
    game = await begin(tables, BLITZ)
    await tables.keeper.sweep()
    steady.seconds += 20
    clock.advance(seconds=20 + jump)
    await tables.keeper.sweep()
    assert (await tables.desk.table(game)).record.version == 0
    assert (await left(tables, game))[0] == 580
    await tables.reminders.sweep()
    steady.seconds += 10
    clock.advance(seconds=10)
    assert (await left(tables, game))[0] == 570
    await tables.moves.submit(game, ANN, "bid P1 5")
    assert (await left(tables, game))[0] == 575


async def test_an_answer_right_after_the_clock_was_set_costs_what_it_took(store: Store, clock: Clock) -> None:
    steady = Steady()
    tables = GameService(store, TITLES, clock, steady=steady)
    game = await begin(tables, BLITZ)
    steady.seconds += 20
    clock.advance(seconds=20 + 7200)
    await tables.moves.submit(game, ANN, "bid P1 1")
    assert (await left(tables, game))[0] == 585
    clock.advance(seconds=-7200)
    await tables.moves.submit(game, BOB, "bid P1 1")
    assert (await left(tables, game))[1] == 605


async def test_an_answer_counts_from_the_moment_that_its_door_knows(store: Store, clock: Clock) -> None:
    """Discord's moment of a press, not that of its handling; up to three seconds, beyond which clocks differ."""
    steady = Steady()
    tables = GameService(store, TITLES, clock, steady=steady)
    game = await begin(tables, BLITZ)
    for number, (person, late, counted) in enumerate([(ANN, 2, 18), (BOB, 4, 20), (CID, -1, 20)]):
        before = (await left(tables, game))[number]
        steady.seconds += 20
        given = clock.advance(seconds=20) - timedelta(seconds=late)
        with answered_at(given):
            await tables.moves.submit(game, person, f"bid P1 {number + 1}")
        assert (await left(tables, game))[number] == before - counted + 5


# -- holidays and people ------------------------------------------------------------------------------


async def test_holidays_are_free_up_to_the_days_that_the_game_grants(tables: GameService, clock: Clock) -> None:
    game = await begin(tables, DAILY)
    await tables.reminders.set_holiday(ANN, 10)
    clock.advance(days=4)
    assert (await left(tables, game))[0] == 5 * DAY
    await tables.reminders.set_holiday(ANN, 0)
    clock.advance(hours=5)
    assert (await left(tables, game))[0] == 5 * DAY - 5 * HOUR
    await tables.reminders.set_holiday(ANN, 30)
    assert await tables.reminders.holiday_ends(ANN) == [(game, clock.time + timedelta(days=10))]
    clock.advance(days=12)
    assert (await left(tables, game))[0] == 5 * DAY - 5 * HOUR - 2 * DAY
    await tables.reminders.set_holiday(ANN, 5)
    clock.advance(days=1)
    assert (await left(tables, game))[0] == 5 * DAY - 5 * HOUR - 3 * DAY


async def test_a_table_may_grant_more_holiday(tables: GameService, clock: Clock) -> None:
    game = await begin(tables, msgspec.structs.replace(DAILY, holiday=0))
    await tables.reminders.set_holiday(ANN, 10)
    clock.advance(days=1)
    assert (await left(tables, game))[0] == 4 * DAY
    await tables.moderation.set_clock(game, ANN, msgspec.structs.replace(DAILY, holiday=60))
    await tables.reminders.set_holiday(ANN, 10)
    clock.advance(days=9)
    assert (await left(tables, game))[0] == 4 * DAY


async def test_nobody_is_on_holiday_by_a_clock_that_runs_at_night(tables: GameService, clock: Clock) -> None:
    game = await begin(tables, PRESETS["blitz"])
    await tables.reminders.set_holiday(ANN, 1)
    clock.advance(minutes=4)
    assert (await left(tables, game))[0] == 6 * 60


async def test_a_game_that_begins_in_a_holiday_waits_for_its_end(tables: GameService, clock: Clock) -> None:
    await tables.reminders.set_holiday(ANN, 3)
    game = await begin(tables, DAILY)
    clock.advance(days=4)
    assert (await left(tables, game))[0] == 4 * DAY


async def test_ones_own_time_is_exported_and_erased(tables: GameService, clock: Clock) -> None:
    game = await begin(tables, SHOWN)
    await tables.reminders.set_quiet_hours(game, ANN, "Europe/Berlin", 22, 7)
    for person in (ANN, BOB, CID):
        clock.advance(seconds=20)
        await tables.moves.submit(game, person, "bid P1 5")
    await tables.reminders.set_holiday(ANN, 3)
    data = msgspec.json.decode(await tables.privacy.personal_data(ANN))
    assert sorted(entry["kind"] for entry in data["time"]) == ["answer", "holiday", "set", "wait"]
    clock.advance(seconds=20)
    await tables.privacy.forget_person(ANN)
    entries = await tables.desk.store.ledger.list_of(game)
    assert {entry.kind for entry in entries if entry.seat == 1} == {"set", "answer"}
    assert {entry.kind for entry in entries if entry.seat == 2} == {"set", "wait", "answer"}
    (running,) = await tables.desk.store.clocks.list_of(game)
    assert (running.zone, running.quiet_from) == ("UTC", None)
    assert (await tables.doctor.examine(game)).is_healthy


# -- what is shown ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0, "0 s"), (-0.4, "0 s"), (45, "45 s"), (61, "1 min 1 s"), (600, "10 min"), (601, "11 min"), (5 * HOUR, "5 h"),
     (19200, "5 h 20 min"), (2 * DAY + 4 * HOUR, "2 d 4 h"), (-720, "−12 min"), (5 * DAY - 1, "5 d")],
)  # fmt: skip
def test_spans_are_short(seconds: float, shown: str) -> None:
    assert format_span(seconds) == shown


def test_every_preset_is_described() -> None:
    for name, preset in PRESETS.items():
        assert tr(describe_clock(preset)).startswith(f"Clock {name} (a game of")
    own = msgspec.structs.replace(DAILY, answer=0)
    assert tr(describe_clock(own)).startswith("Clock own (numbers of your own): 5 d for the game")


async def test_a_strangers_rows_leave_the_ledger_alone(tables: GameService, clock: Clock) -> None:
    """A topic counts once: an entry that is there is not added again."""
    game = await begin(tables, SHOWN)
    again = LedgerRecord(game, EntryKind.SET, "set 0", clock().timestamp(), 1, 0, None, 99999.0)
    await tables.desk.store.ledger.add([again])
    assert (await left(tables, game))[0] == 600

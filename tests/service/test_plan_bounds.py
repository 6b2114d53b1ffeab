"""What ends a plan beside moves on its path: a day in its owner's time zone, and changes on hexes beside it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.engine.ids import seat
from bot.engine.refusals import IllegalMove, ParseError
from bot.service.game_service import GameService
from bot.service.plans.deadline import end_of_day, read_day
from bot.service.plans.parser import read_plan
from bot.service.plans.sentences import format_plan

from .conftest import ANN, BOB, Clock
from .test_standing_orders import kinds, operating, position, stock

__all__ = ["stock"]

MONDAY = datetime(2026, 11, 30, 22, 30, tzinfo=ZoneInfo("Europe/Berlin"))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-12-05", "2026-12-05"),
        ("5.12.", "2026-12-05"),
        ("5.1.", "2027-01-05"),
        ("05.12.2026", "2026-12-05"),
        ("Friday", "2026-12-04"),
        ("Montag", "2026-12-07"),
        ("morgen", "2026-12-01"),
        ("today", "2026-11-30"),
        ("start", "None"),
        ("2026", "None"),
    ],
)
def test_days_are_read(text: str, day: str) -> None:
    assert str(read_day(text, MONDAY)) == day


@pytest.mark.parametrize("text", ["2026-02-30", "31.9.", "2026-11-29", "2027-12-05", "9999-12-31", "0000-01-01"])
def test_days_that_are_none_past_or_far_are_refused(text: str) -> None:
    with pytest.raises((ParseError, IllegalMove)):
        read_day(text, MONDAY)


def test_a_day_ends_in_its_readers_time_zone() -> None:
    day = read_day("2026-12-05", MONDAY)
    assert day and datetime.fromtimestamp(end_of_day(day, MONDAY), UTC) == datetime(2026, 12, 5, 23, tzinfo=UTC)


async def test_a_plan_acts_until_its_last_day_is_over(stock: tuple[GameService, int], clock: Clock) -> None:
    tables, game = stock
    shown = await tables.plans.give_plan(game, BOB, "pass until tomorrow, start")
    assert f"{clock.time.date() + timedelta(1)} is over" in shown.text
    clock.advance(hours=35, minutes=59)
    await tables.moves.submit(game, ANN, "pass")
    assert [auto for _, auto in await kinds(tables, game)] == [False, True]


async def test_a_plan_whose_last_day_is_over_does_nothing_and_tells_its_owner(
    stock: tuple[GameService, int], clock: Clock
) -> None:
    tables, game = stock
    await tables.plans.give_plan(game, BOB, "pass until tomorrow")
    clock.advance(hours=36)
    (shown,) = await tables.plans.own_plans(game, BOB)
    assert shown.is_over and shown.effect == "Over: Its last day is over."
    await tables.moves.submit(game, ANN, "pass")
    assert [auto for _, auto in await kinds(tables, game)] == [False]
    (told,) = [note for note in await tables.outbox.waiting_notices() if "last day" in str(note.lines)]
    assert told.seat == 2
    assert await tables.plans.standing_plans(await tables.desk.table(game)) == []


async def test_a_planned_turn_is_also_void_by_what_is_built_beside_it(stock: tuple[GameService, int]) -> None:
    tables, game = stock
    await operating(tables, game)
    current = await position(tables, game)
    owner = current.controller_of("VR")  # type: ignore[arg-type]
    assert owner is not None
    narrow, wide = (
        read_plan(current, owner, f"VR: lay 57 H11 1; run best; pay{bound}") for bound in ("", " until near")
    )
    hexes = [{when.fact.of for when in plan.wake if when.fact.what == "hex"} for plan in (narrow, wide)]
    assert hexes[0] == {"H11"}
    around = current.board_rules.map.neighbours["H11"]  # type: ignore[index]
    assert hexes[1] == {"H11", *map(str, filter(None, around))} and len(hexes[1]) > 4
    assert {*narrow.wake} < {*wide.wake}
    assert "one of the hexes H11, " in str(format_plan(current, wide))
    both = read_plan(current, owner, "VR: lay 57 H11 1 until nahe, start")
    assert {*wide.wake} < {*both.wake}
    with pytest.raises(ParseError, match="near needs"):
        read_plan(current, owner, "VR: run best; pay until near")
    with pytest.raises(ParseError, match="near needs"):
        read_plan(current, seat(2), "pass until near")

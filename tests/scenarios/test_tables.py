"""Tables of scripted people in Discord's double, with both oracles on: first rounds of every title, and whole games.

They press, choose, fill in and write, as the temper of a seed wants it. The whole games belong to the soak, a short one to CI, too.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from bot.ai.fuzzer import BUILDER, RECKLESS, SURVEYOR, RandomPolicy
from bot.titles.registry import TITLES
from tests.discord_double.double import Double
from tests.discord_double.fixtures import double as double
from tests.discord_double.launcher import REPOSITORY
from tests.scenarios.scripted_game import ScriptedTable
from tests.scenarios.undo_and_sandbox import think_twice

PROGRAM = str(REPOSITORY / "tests/scenarios/minimal_bot.py")
PAINT_EVERY = "40"

FIRST_MOVES = 12
"""So many moves a title are made in the suite: twice every way of making one."""

MIDDLE = 60
"""After so many moves of a whole game people have second thoughts."""

Opener = Callable[[str, int, int, RandomPolicy], Awaitable[ScriptedTable]]


@pytest_asyncio.fixture
async def opened(double: Double, tmp_path: Path) -> AsyncIterator[Opener]:
    """Opens a table: title, number of players, seed, temper."""

    async def open_table(title: str, players: int, seed: int, temper: RandomPolicy) -> ScriptedTable:
        people = [double.ann, double.bob, double.cid, double.dora][:players]
        people += [double.add_user(name) for name in ("Eva", "Finn")[: players - len(people)]]
        bot = await double.launch(PROGRAM, data=tmp_path, environment={"SIGNALBOX_PAINT_EVERY": PAINT_EVERY})
        table = ScriptedTable(double, bot, tmp_path, title, people, seed, temper)
        await table.open()
        return table

    yield open_table


@pytest.mark.parametrize(
    "title", ["1848", *(pytest.param(title, marks=pytest.mark.whole) for title in TITLES if title != "1848")]
)
async def test_four_people_begin_a_game_by_buttons_menus_forms_and_text(opened: Opener, title: str) -> None:
    table = await opened(title, 4, 1, BUILDER)
    await table.play(FIRST_MOVES)
    assert {"press", "complete", "say", "slash"} <= set(table.used)
    await think_twice(table)
    assert {"try", "sandbox", "autopilot", "vote"} <= set(table.used)
    await table.closed()


@pytest.mark.soak
@pytest.mark.parametrize(
    ("title", "players", "seed", "temper", "events"),
    [
        ("18BF", 5, 0, SURVEYOR, {"CompanyFormed"}),
        ("1844", 4, 1, BUILDER, set()),
        ("1820", 4, 2, RECKLESS, {"LobbyResolved", "CompanyAcquired", "CompanyLiquidated"}),
        ("18GB", 4, 0, BUILDER, set()),
        pytest.param("1848", 4, 0, RECKLESS, set(), marks=pytest.mark.whole),
        ("1830", 3, 0, RECKLESS, {"WentBankrupt"}),
    ],
)
async def test_a_table_plays_a_whole_game(
    opened: Opener, title: str, players: int, seed: int, temper: RandomPolicy, events: set[str]
) -> None:
    """18BF from the first auction through mergers to systems; 1820 with lobbies, takeovers and liquidations."""
    table = await opened(title, players, seed, temper)
    await table.play(MIDDLE)
    await think_twice(table)
    await table.play()
    assert table.game.state.finished and "menus" in table.used
    assert events <= set(table.happened), table.happened
    if title == "18BF":
        kinds = {table.title.companies[event.company].kind for event in table.happened["CompanyFormed"]}
        assert kinds == {"public", "system"}
    await table.closed()
